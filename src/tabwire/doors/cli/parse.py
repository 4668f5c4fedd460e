"""`tabwire parse`: saved chat traffic in, conversations out."""

import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated

import typer

from tabwire.doors.cli import report_output as show
from tabwire.hub import SITE_NAMES, Kind, Report, read_files
from tabwire.model.exits import USAGE

SLOW_BYTES = 20 * 1024 * 1024  # files below are read in about a second


def parse(
    files: Annotated[
        list[Path],
        typer.Argument(
            metavar="FILE",
            help="Saved response bodies, a HAR file, or a ChatGPT data export. `-` reads standard "
            "input. Several files are read in order; later ones use what earlier ones contain.",
        ),
    ],
    site: Annotated[
        str | None,
        typer.Option(metavar="SITE", help="chatgpt, gemini or grok. Default: detected."),
    ] = None,
    url: Annotated[
        list[str] | None,
        typer.Option(
            metavar="URL",
            help="URL that the body was loaded from; some bodies name their conversation only "
            "there. Give one for all files, or one per file.",
        ),
    ] = None,
    kind: Annotated[Kind | None, typer.Option(help="File format. Default: detected.")] = None,
    as_json: Annotated[
        bool, typer.Option("--json", help="Print JSON Lines, one object per conversation.")
    ] = False,
    title_fallback: Annotated[
        bool,
        typer.Option(
            "--title-fallback", help="Use the first question as the title if the site has none."
        ),
    ] = False,
) -> None:
    """Print the conversations found in saved chat traffic.

    Reads SSE, NDJSON, StreamGenerate and batchexecute bodies, stored conversations (JSON),
    x.com GraphQL, HAR files and ChatGPT data exports (conversations.json or the zip). For each
    conversation it reports whether the newest answer is complete, and the evidence.

    Exit codes: 0 everything was read, 2 usage error, or a file is damaged or unreadable; what
    could be read is still printed.

    Examples:

      tabwire parse conversation.sse

      tabwire parse --json session.har | jq .title

      tabwire parse metadata.json stream.ndjson --json

      tabwire parse export.zip --json > archive.jsonl
    """
    urls = url or []
    if site is not None and site not in SITE_NAMES:
        what = f"{site!r}: expected one of {', '.join(SITE_NAMES)}"
        raise typer.BadParameter(what, param_hint="--site")
    if len(urls) not in (0, 1, len(files)):
        what = f"{len(urls)} URLs for {len(files)} files; give one, or one per file"
        raise typer.BadParameter(what, param_hint="--url")
    damaged = False
    with _progress(files) as progress:
        for report in read_files(
            files,
            site=site,
            urls=urls,
            kind=kind,
            title_fallback=title_fallback,
            progress=progress,
        ):
            damaged = damaged or report.damaged
            _print(report, as_json)
    if damaged:
        raise typer.Exit(USAGE)


def _print(report: Report, as_json: bool) -> None:
    if not as_json:
        show.as_text(report)
        return
    sys.stdout.buffer.write(show.as_line(report))
    if not report.messages:
        show.complain(report)


@contextmanager
def _progress(files: Sequence[Path]) -> Iterator[Callable[[Path, int, int], None] | None]:
    """A line on the terminal that says how far a large file is."""
    large = any(file.is_file() and file.stat().st_size > SLOW_BYTES for file in files)
    if not (large and sys.stderr.isatty()):
        yield None
        return
    from rich.console import Console

    with Console(stderr=True).status("reading") as status:
        yield lambda path, done, size: status.update(
            f"reading {path.name}: {100 * done // max(size, 1)} %"
        )
