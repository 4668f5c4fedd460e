"""The options that say how answers are shown: the same in `tabwire ask` and `tabwire fetch`."""

from pathlib import Path
from typing import Annotated

import typer

SHOWN = "What is shown"

COMPARE = Annotated[
    bool,
    typer.Option(
        "--compare",
        help="Then say what all sites said, where they differ, and what only one said.",
        rich_help_panel=SHOWN,
    ),
]
PLAIN = Annotated[
    bool,
    typer.Option(
        "--plain", help="Without Markdown, formulas and image references.", rich_help_panel=SHOWN
    ),
]
THINKING = Annotated[
    bool,
    typer.Option(
        "--thinking",
        help="Show the thinking too. It is never part of the answer's text.",
        rich_help_panel=SHOWN,
    ),
]
JSON = Annotated[
    bool,
    typer.Option("--json", help="Print one JSON object with everything.", rich_help_panel=SHOWN),
]
STREAM = Annotated[
    bool,
    typer.Option(
        "--stream",
        help="With --json: one line per event at once, the whole object as the last.",
        rich_help_panel=SHOWN,
    ),
]
OUT = Annotated[
    Path | None,
    typer.Option(
        "--out",
        metavar="PATH",
        help="Write the answer to this file instead; several answers go into a folder, one file "
        "per site. What is there already is not touched.",
        rich_help_panel=SHOWN,
    ),
]
FORCE = Annotated[
    bool, typer.Option("--force", help="--out may write over what is there.", rich_help_panel=SHOWN)
]
