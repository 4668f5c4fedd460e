"""The options that say how answers are shown: the same in `tabwire ask` and `tabwire fetch`."""

from pathlib import Path
from typing import Annotated

import typer

SHOWN = "Output"

COMPARE = Annotated[
    bool,
    typer.Option(
        "--compare",
        help="Also compare the answers: agreements, differences, and what only one site said.",
        rich_help_panel=SHOWN,
    ),
]
PLAIN = Annotated[
    bool,
    typer.Option(
        "--plain",
        help="Plain text, without Markdown, formulas and image references.",
        rich_help_panel=SHOWN,
    ),
]
THINKING = Annotated[
    bool,
    typer.Option(
        "--thinking",
        help="Also show the model's thinking. It is never part of the answer text.",
        rich_help_panel=SHOWN,
    ),
]
JSON = Annotated[
    bool,
    typer.Option("--json", help="Print one JSON object with all answers.", rich_help_panel=SHOWN),
]
STREAM = Annotated[
    bool,
    typer.Option(
        "--stream",
        help="With --json: print JSON Lines, one object per event, the last one with all answers.",
        rich_help_panel=SHOWN,
    ),
]
OUT = Annotated[
    Path | None,
    typer.Option(
        "--out",
        metavar="PATH",
        help="Write the answer to this file; several answers go to a folder, one file per site. "
        "Existing files are not overwritten.",
        rich_help_panel=SHOWN,
    ),
]
FORCE = Annotated[
    bool, typer.Option("--force", help="Let --out overwrite existing files.", rich_help_panel=SHOWN)
]
