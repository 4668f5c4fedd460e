"""`tabwire export`: one kept conversation as a file."""

import asyncio
import sys
from pathlib import Path
from typing import Annotated, Any

import typer

from tabwire.doors.cli.ask.request import read_sites, wrong
from tabwire.doors.cli.browser.option import LAB, LAB_BROWSER
from tabwire.doors.cli.json_lines import write
from tabwire.doors.cli.safe_text import harmless
from tabwire.hub import EXPORT_FORMATS, SITE_NAMES, local_hub
from tabwire.model.captured import Captured, Worth
from tabwire.model.exits import COMPLETE, PARTIAL

STDOUT = "-"


def export(
    said: Annotated[
        str,
        typer.Argument(
            metavar="ID|last",
            help="The ID of a conversation, as `tabwire conversations` lists it (also SITE/ID), "
            "its URL, or `last`.",
        ),
    ],
    form: Annotated[
        str,
        typer.Option(
            "--format",
            metavar="FORMAT",
            help="original: the site's own JSON. common: the same schema for all sites, with every "
            "turn of every branch (docs/common.schema.json).",
        ),
    ] = "original",
    site: Annotated[
        str | None, typer.Option("--site", metavar="SITE", help="Site of `last` or of the ID.")
    ] = None,
    out: Annotated[
        str,
        typer.Option("--out", metavar="FOLDER", help="Folder to write to; - for standard output."),
    ] = ".",
    force: Annotated[
        bool,
        typer.Option(
            "--force",
            help="Export even if it is not ready, marked as degraded; overwrite an existing file.",
        ),
    ] = False,
    lab: LAB = False,
    as_json: Annotated[
        bool,
        typer.Option(
            "--json", help="Print one JSON object: the path of the file and its completeness."
        ),
    ] = False,
) -> None:
    """Export a saved conversation to a file.

    The file is named after the title. Its exportMeta states the quality of the data:
    captureSource, fidelity, completeness. A conversation that is not ready may be incomplete and
    is refused; --force exports it as it is. A conversation you asked in can be exported as soon
    as its answer is proven complete.

    Exit codes: 0 complete, 1 not ready or not saved, 2 usage error or the file already exists,
    3 written but possibly incomplete.

    Examples:

      tabwire export last

      tabwire export last --site gemini --format common --out chats

      tabwire export grok/0a1b2c3d-1111-4222-8333-0123456789ab --out - | jq .exportMeta
    """
    hub = local_hub()
    if form not in EXPORT_FORMATS:
        raise wrong(f"{form!r}: expected one of {', '.join(EXPORT_FORMATS)}", "--format")
    if out == STDOUT and as_json:
        raise wrong("--json cannot be combined with --out -, which writes no file", "--json")
    sites = read_sites([site] if site else [], SITE_NAMES, "--site")
    if len(sites) > 1:
        raise wrong("expected one site", "--site")
    where, browser = sites[0] if sites else None, LAB_BROWSER if lab else None
    row, made = asyncio.run(
        hub.conversations.export(said, form, site=where, force=force, browser=browser)
    )
    if out == STDOUT:
        sys.stdout.write(made.text)
    else:
        path = hub.conversations.write(Path(out).expanduser(), made, force=force)
        if as_json:
            write([as_data(row, made.worth, path, form)])
        else:
            print(harmless(str(path)))
    if not made.worth.whole:
        print("possibly incomplete: see exportMeta in the file", file=sys.stderr)
    elif not row.ready:
        print(
            f"{made.worth.fidelity} fidelity ({row.source}): the answer is proven complete; the "
            "site's own record has not been read twice yet",
            file=sys.stderr,
        )
    raise typer.Exit(COMPLETE if made.worth.whole else PARTIAL)


def as_data(row: Captured, worth: Worth, path: Path, form: str) -> dict[str, Any]:
    """What was written, and what it is worth."""
    return {
        "path": str(path),
        "id": row.conversation_id,
        "site": row.site,
        "format": form,
        "ready": row.ready,
        "source": str(row.source),
        "fidelity": str(worth.fidelity),
        "completeness": str(worth.completeness),
        "bytes": path.stat().st_size,
    }
