"""Write the parts of the docs that come from the code, or check that they are in sync.

    python scripts/docs.py --write
    python scripts/docs.py --check

Such a part stands between `<!-- NAME: … -->` and `<!-- end of NAME -->`.
"""

import re
import sys
from pathlib import Path

from tabwire.fusion.table import mermaid

ROOT = Path(__file__).resolve().parent.parent
ARCHITECTURE = ROOT / "docs" / "architecture.md"


def parts() -> dict[str, str]:
    """Every written part of docs/architecture.md by name."""
    return {"states": f"```mermaid\n{mermaid().rstrip()}\n```"}


def renewed(text: str) -> str:
    """The same page with its written parts as they should be."""
    for name, part in parts().items():
        place = re.search(rf"<!-- {name}: [^>]*-->\n(.*?)\n<!-- end of {name} -->", text, re.DOTALL)
        if place is None:
            raise SystemExit(f"{ARCHITECTURE.name} has no place for `{name}`")
        text = text[: place.start(1)] + part + text[place.end(1) :]
    return text


def main(wish: str) -> int:
    """Write, or say whether something would have to be written."""
    text = ARCHITECTURE.read_text(encoding="utf-8")
    fresh = renewed(text)
    if wish == "--write":
        ARCHITECTURE.write_text(fresh, encoding="utf-8")
        return 0
    if fresh != text:
        print("docs/architecture.md is not in sync with the code; run `make docs`")
        return 1
    return 0


if __name__ == "__main__":
    if sys.argv[1:] not in (["--write"], ["--check"]):
        sys.exit(__doc__)
    sys.exit(main(sys.argv[1]))
