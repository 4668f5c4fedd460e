"""Options that the commands of Antigravity share."""

from typing import Annotated

import typer

JSON = Annotated[bool, typer.Option("--json", help="Print one JSON object.")]
WINDOW = Annotated[
    str,
    typer.Option(
        "--window",
        "-w",
        metavar="NAME",
        help="Window name, workspace or ID, as `status` shows it. Needed if there are several.",
    ),
]
