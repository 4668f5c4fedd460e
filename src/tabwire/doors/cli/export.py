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
from tabwire.hub import Hub
from tabwire.model.captured import Captured, Worth
from tabwire.model.exits import COMPLETE, PARTIAL

STDOUT = "-"


def export(
    said: Annotated[
        str,
        typer.Argument(
            metavar="ID|last",
            help="The id of a conversation, as `tabwire conversations` shows it (also SITE/ID), "
            "its address, or last.",
        ),
    ],
    form: Annotated[
        str,
        typer.Option(
            "--format",
            metavar="FORMAT",
            help="original: the site's own JSON. common: one shape for all sites, with every "
            "turn of every branch (docs/common.schema.json).",
        ),
    ] = "original",
    site: Annotated[
        str | None, typer.Option("--site", metavar="SITE", help="Where last, or the id, is.")
    ] = None,
    out: Annotated[
        str,
        typer.Option("--out", metavar="FOLDER", help="Where to write it; - for standard output."),
    ] = ".",
    force: Annotated[
        bool,
        typer.Option(
            "--force",
            help="Also what is not ready, marked as degraded; and over a file that is there.",
        ),
    ] = False,
    lab: LAB = False,
    as_json: Annotated[
        bool, typer.Option("--json", help="Print where it is and what it is worth, as JSON.")
    ] = False,
) -> None:
    """Write one kept conversation to a file.

    The file is named after the title and stays in the folder, whatever the title is. In it,
    exportMeta says what it is worth: captureSource, fidelity, completeness. A conversation that
    is not ready is refused, because it may not be whole; --force takes it as it is. One you asked
    in is written as soon as its answer is proven whole, and says how true it is to the record.

    Exit code 0: whole. 3: written, but not known to be whole. 1: not ready, or not kept.
    2: it cannot be meant, or there is such a file already.

    Examples:

      tabwire export last

      tabwire export last --site gemini --format common --out chats

      tabwire export grok/0a1b2c3d-1111-4222-8333-0123456789ab --out - | jq .exportMeta
    """
    hub = Hub()
    if form not in hub.export_formats:
        raise wrong(f"{form!r} is none of {', '.join(hub.export_formats)}", "--format")
    if out == STDOUT and as_json:
        raise wrong("--json says where the file is: --out - writes none", "--json")
    sites = read_sites([site] if site else [], hub.site_names)
    if len(sites) > 1:
        raise wrong("say one site, or none", "--site")
    where, browser = sites[0] if sites else None, LAB_BROWSER if lab else None
    row, made = asyncio.run(hub.export(said, form, site=where, force=force, browser=browser))
    if out == STDOUT:
        sys.stdout.write(made.text)
    else:
        path = hub.write_export(Path(out).expanduser(), made, force=force)
        if as_json:
            write([as_data(row, made.worth, path, form)])
        else:
            print(harmless(str(path)))
    if not made.worth.whole:
        print("not known to be whole: see exportMeta in it", file=sys.stderr)
    elif not row.ready:
        print(
            f"{made.worth.fidelity} fidelity ({row.source}): the answer is proven whole; the "
            "site's own record of it has not been read twice",
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
