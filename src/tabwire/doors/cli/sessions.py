"""`tabwire sessions`: which chats belong to which agent."""

import asyncio
import os
import sys
import tempfile
from collections.abc import Awaitable, Callable, Sequence
from contextlib import suppress
from datetime import datetime
from pathlib import Path
from typing import Annotated, Any, TypeVar

import msgspec
import typer

from tabwire.doors.cli.ask.board import one_line
from tabwire.doors.cli.ask.request import read_sites, wrong
from tabwire.doors.cli.json_lines import write
from tabwire.doors.cli.old_options import hint
from tabwire.doors.cli.safe_text import harmless
from tabwire.hub import SESSIONS_FILE as PLACE
from tabwire.hub import SITE_NAMES, Offered, Sessions, TakenIn, local_hub
from tabwire.model.errors import TabwireError, Unreadable
from tabwire.model.exits import PARTIAL, USAGE
from tabwire.model.products import product
from tabwire.model.session import Session

T = TypeVar("T")

AGENT = Annotated[
    str, typer.Argument(metavar="AGENT", help="Name as `tabwire sessions list` shows it.")
]
JSON = Annotated[bool, typer.Option("--json", help="Print one JSON object.")]


def listed(
    as_json: Annotated[
        bool, typer.Option("--json", help="Print JSON Lines, one object per agent.")
    ] = False,
) -> None:
    """List known agents and the chats they continue in.

    An agent is a program that asks questions, usually a coding assistant. Its name comes from
    TABWIRE_AGENT_ID or from its MCP client. Each agent has its own chat on each site. Agents idle
    for longer than session_ttl_minutes are forgotten, and the longest idle ones beyond max_agents.

    Examples:

      tabwire sessions list

      tabwire sessions list --json
    """

    async def look(sessions: Sessions) -> tuple[Sequence[Session], Sequence[Offered]]:
        return await sessions.all(), await sessions.offered()

    found, offers = _with(look)
    if as_json:
        write([as_data(one) for one in found])
    else:
        _print(found)
        if not found:
            print("no agents yet", file=sys.stderr)
    _offer(offers)


def shown(agent: AGENT, as_json: JSON = False) -> None:
    """Show an agent: its client, its folder, and its chat on each site.

    Examples:

      tabwire sessions show claude-code-12345

      tabwire sessions show my-agent --json
    """
    found = _with(lambda sessions: sessions.whole(agent))
    if found is None:
        raise _unknown(agent)
    if as_json:
        write([as_data(found)])
    else:
        _print([found])


def cleared(
    agent: Annotated[
        str | None, typer.Argument(metavar="AGENT", help="Agent to forget.", show_default=False)
    ] = None,
    site: Annotated[
        str | None,
        typer.Option("--site", metavar="SITE", help="Forget only the chat on this site."),
    ] = None,
    every: Annotated[bool, typer.Option("--all", help="Forget all agents.")] = False,
    as_json: JSON = False,
) -> None:
    """Forget an agent, or only its chat on one site.

    It starts a new chat the next time it asks. Nothing is deleted on the site, and its questions
    stay in `tabwire history`.

    Examples:

      tabwire sessions clear claude-code-12345

      tabwire sessions clear my-agent --site gemini

      tabwire sessions clear --all
    """
    if (agent is None) != every:
        raise wrong("expected an agent, or --all", "AGENT")
    sites = read_sites([site], SITE_NAMES, "--site") if site else (None,)

    async def forget(sessions: Sessions) -> list[str]:
        names = [one.agent for one in await sessions.all()] if agent is None else [agent]
        sides = [(where, lab) for where in sites for lab in (False, True)]
        gone = [[await sessions.forget(name, at, lab=lab) for at, lab in sides] for name in names]
        return [name for name, any_of_it in zip(names, gone, strict=True) if any(any_of_it)]

    gone = _with(forget)
    if agent is not None and not gone:
        raise _unknown(agent, site)
    if as_json:
        write([{"cleared": gone}])
    elif every:
        print(f"forgotten: {len(gone)}", file=sys.stderr)
    elif gone:
        print(
            f"forgotten: {harmless(gone[0])}{f' on {product(site)}' if site else ''}",
            file=sys.stderr,
        )


def imported(
    path: Annotated[
        Path | None,
        typer.Argument(
            metavar="PATH",
            help=f"A sessions.json. Default: {PLACE} in this folder or in your home folder.",
            show_default=False,
        ),
    ] = None,
    as_json: JSON = False,
) -> None:
    """Import a sessions.json of chrome-ai-bridge, version 1 or 2.

    Projects in a version 1 file become agents named legacy-…. Newer data here is kept, no
    existing agent is removed, and the file is not changed. Invalid entries are reported with
    their position and skipped.

    Exit codes: 0 everything was imported, 2 the file is unreadable, 3 some entries were skipped.

    Examples:

      tabwire sessions import

      tabwire sessions import old/.local/chrome-ai-bridge/sessions.json
    """

    async def take(sessions: Sessions) -> TakenIn:
        return await sessions.bring_in(path or _only(await sessions.offered()))

    try:
        taken = _with(take)
    except Unreadable as error:
        error.exit_code = USAGE
        raise
    if as_json:
        write([taken])
    else:
        print(f"imported from {harmless(taken.path)}: {len(taken.agents)}")
        for agent in taken.agents:
            print(f"  {one_line(agent, 200)}")
    for problem in taken.problems:
        print(f"skipped: {one_line(problem, 300)}", file=sys.stderr)
    raise typer.Exit(PARTIAL if taken.problems else 0)


def exported(
    out: Annotated[
        Path | None,
        typer.Option("--out", metavar="FILE", help="Write to this file. Default: stdout."),
    ] = None,
    force: Annotated[bool, typer.Option("--force", help="Overwrite an existing file.")] = False,
    path: Annotated[Path | None, typer.Argument(hidden=True)] = None,
) -> None:
    """Export all agents as a version 2 sessions.json.

    Examples:

      tabwire sessions export

      tabwire sessions export --out .local/chrome-ai-bridge/sessions.json --force
    """
    whole = _with(lambda sessions: sessions.as_v2())
    data = msgspec.json.format(msgspec.json.encode(whole), indent=2) + b"\n"
    if path is not None:
        hint("PATH", "--out PATH")
        if out is not None:
            raise wrong("use --out alone", "PATH")
        out = path
    if out is None:
        sys.stdout.buffer.write(data)
        return
    if out.exists() and not force:
        raise wrong(f"{out} already exists; use --force to overwrite it", "--out")
    _write_file(out, data)


# --- what they share -------------------------------------------------------------------------


def _with(work: Callable[[Sessions], Awaitable[T]]) -> T:
    async def run() -> T:
        return await work(local_hub().sessions)

    return asyncio.run(run())


def as_data(one: Session) -> dict[str, Any]:
    """An agent as an object. Times are seconds since 1970."""
    data: dict[str, Any] = msgspec.to_builtins(one)
    return data


def _unknown(agent: str, site: str | None = None) -> TabwireError:
    where = f" with a chat on {product(site)}" if site else ""
    return TabwireError(
        f"no agent {harmless(agent)}{where}",
        what_to_do="`tabwire sessions list` shows all agents.",
        site=site,
    )


def _only(offers: Sequence[Offered]) -> Path:
    """The one file that can be meant."""
    if len(offers) == 1:
        return Path(offers[0].path)
    if offers:
        named = " or ".join(one.path for one in offers)
        raise wrong(f"expected one of: {named}", "PATH")
    raise wrong(
        f"expected a file: there is no {PLACE} in {Path.cwd()} or {Path.home()} "
        "that has not been imported yet",
        "PATH",
    )


def _offer(offers: Sequence[Offered]) -> None:
    """Never taken silently, but never kept silent about either."""
    for one in offers:
        agents = "no readable agents" if one.agents is None else f"{one.agents} agents"
        print(
            f"found {harmless(one.path)} of chrome-ai-bridge with {agents}; "
            f"run `tabwire sessions import` to import it",
            file=sys.stderr,
        )


def _print(found: Sequence[Session]) -> None:
    from rich.text import Text

    from tabwire.doors.cli.ask.text_output import open_console

    console = open_console()
    for one in found:
        line = Text(one_line(one.agent, 200), style="bold")
        about = " · ".join(one_line(word, 200) for word in (one.client, one.project) if word)
        line.append(f"  {_moment(one.last_access)}  {about}".rstrip(), style="dim")
        console.print(line, soft_wrap=True)
        for chat in one.chats:
            used = f"  {_moment(chat.last_used)}" if chat.last_used else ""
            where = " (in the browser of the lab)" if chat.lab else ""
            text = Text(f"  {chat.site:<8} {one_line(chat.url, 300)}{where}")
            console.print(text.append(used, style="dim"), soft_wrap=True)


def _moment(seconds: float) -> str:
    return f"{datetime.fromtimestamp(seconds).astimezone():%Y-%m-%d %H:%M}"


def _write_file(path: Path, data: bytes) -> None:
    """The whole file or none, readable by its owner alone."""
    made = None
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        handle, made = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")
        with os.fdopen(handle, "wb") as file:
            file.write(data)
        Path(made).replace(path)
    except OSError as exc:
        if made is not None:
            with suppress(OSError):
                Path(made).unlink()
        raise TabwireError(
            f"cannot write {path}: {exc.strerror or exc}", what_to_do="Choose another file."
        ) from exc
