"""Where a lab listens and how a browser gets there, for people and for programs."""

import json
import os
import shlex

from tabwire.lab.serve import LOOPBACK, Lab


def as_json(lab: Lab) -> str:
    """One line for a program."""
    said = {
        "pid": os.getpid(),
        "port": lab.port,
        "spki": lab.spki,
        "hosts": lab.hosts,
        "home": lab.home,
        "flags": lab.flags,
    }
    return json.dumps(said)


def in_words(lab: Lab) -> str:
    """A few lines for a person."""
    flags = " \\\n  ".join(shlex.quote(flag) for flag in lab.flags)
    return (
        f"The lab serves {', '.join(lab.hosts)} on {LOOPBACK}:{lab.port}.\n"
        "To see it, start a browser with an empty profile and these flags:\n"
        f"  --user-data-dir=FOLDER \\\n  {flags}\n"
        f"Open {lab.home} in it for the lab's own page: sites, stories and the ledger.\n"
        "`tabwire lab open` does all this for you. Press Ctrl-C to stop the lab."
    )
