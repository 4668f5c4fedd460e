"""A program's largest memory, measured from a small parent.

    python bench/peak.py COMMAND …      prints {"peak_mb": …, "seconds": …, "code": …}

The system remembers a process's peak across `exec`, so a child of a large process starts
with its parent's. This parent is a bare interpreter. The child's output is thrown away.
"""

import json
import os
import subprocess
import sys
import time


def main() -> int:
    """Run the command and print what it took."""
    began = time.perf_counter()
    with subprocess.Popen(sys.argv[1:], stdout=subprocess.DEVNULL) as child:
        _, status, usage = os.wait4(child.pid, 0)
        child.returncode = os.waitstatus_to_exitcode(status)  # or Popen would wait again
    unit = 1 if sys.platform == "darwin" else 1024  # ru_maxrss: bytes there, KiB elsewhere
    report = {
        "peak_mb": usage.ru_maxrss * unit / 1e6,
        "seconds": time.perf_counter() - began,
        "code": child.returncode,
    }
    print(json.dumps(report))
    return 0


if __name__ == "__main__":
    sys.exit(main())
