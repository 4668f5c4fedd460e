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
from tabwire.doors.cli.safe_text import harmless
from tabwire.hub import Hub
from tabwire.hub.sessions.legacy_file import PLACE
from tabwire.hub.sessions.sessions import Offered, Session, Sessions, TakenIn, opened_sessions
from tabwire.model.errors import TabwireError, Unreadable
from tabwire.model.exits import PARTIAL, USAGE

T = TypeVar("T")

AGENT = Annotated[
    str, typer.Argument(metavar="AGENT", help="Its name, as `tabwire sessions list` shows it.")
]
JSON = Annotated[bool, typer.Option("--json", help="Print JSON.")]


def listed(
    as_json: Annotated[
        bool, typer.Option("--json", help="Print JSON Lines, one object per agent.")
    ] = False,
) -> None:
    """List the agents that are remembered, and where each goes on.

    An agent is a program that asks, mostly a coding assistant: it is named by TABWIRE_AGENT_ID,
    else by its MCP client. Each has chats of its own, one per site. An agent that is idle for
    longer than session_ttl_minutes is forgotten; so is the longest idle of more than max_agents.

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
            print("no agent is remembered", file=sys.stderr)
    _offer(offers)


def shown(agent: AGENT, as_json: JSON = False) -> None:
    """Show one agent: its client, its folder, and its chat at each site.

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
        str | None, typer.Argument(metavar="AGENT", help="Whom to forget.", show_default=False)
    ] = None,
    to: Annotated[
        str | None,
        typer.Option("--to", metavar="SITE", help="Forget only its chat there."),
    ] = None,
    every: Annotated[bool, typer.Option("--all", help="Forget all agents.")] = False,
    as_json: JSON = False,
) -> None:
    """Forget an agent, or its chat at one site. It begins a new chat the next time it asks.

    Nothing is deleted at a site, and what was asked stays in `tabwire history`.

    Examples:

      tabwire sessions clear claude-code-12345

      tabwire sessions clear my-agent --to gemini

      tabwire sessions clear --all
    """
    if (agent is None) != every:
        raise wrong("say an agent, or --all for all of them", "AGENT")
    sites = read_sites([to], Hub.site_names) if to else (None,)

    async def forget(sessions: Sessions) -> list[str]:
        names = [one.agent for one in await sessions.all()] if agent is None else [agent]
        sides = [(site, lab) for site in sites for lab in (False, True)]
        gone = [[await sessions.forget(name, at, lab=lab) for at, lab in sides] for name in names]
        return [name for name, any_of_it in zip(names, gone, strict=True) if any(any_of_it)]

    gone = _with(forget)
    if agent is not None and not gone:
        raise _unknown(agent, to)
    if as_json:
        write([{"cleared": gone}])
    elif every:
        print(f"forgotten: {len(gone)}", file=sys.stderr)
    elif gone:
        print(f"forgotten: {harmless(gone[0])}{f' at {to}' if to else ''}", file=sys.stderr)


def imported(
    path: Annotated[
        Path | None,
        typer.Argument(
            metavar="PATH",
            help=f"A sessions.json. Without it, the one at {PLACE} in this folder or in your own.",
            show_default=False,
        ),
    ] = None,
    as_json: JSON = False,
) -> None:
    """Import the sessions.json of chrome-ai-bridge, version 1 or 2.

    The projects of a version 1 become agents legacy-…. What is newer here stays, nobody who is
    here is pushed out, and the file is left as it is. What is wrong in it is told with its place,
    and the rest is imported.

    Exit code 0: all of it. 3: not all of it. 2: nothing in the file can be read.

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
        print(f"left out: {one_line(problem, 300)}", file=sys.stderr)
    raise typer.Exit(PARTIAL if taken.problems else 0)


def exported(
    path: Annotated[
        Path | None,
        typer.Argument(
            metavar="PATH", help="The file to write. Without it, to stdout.", show_default=False
        ),
    ] = None,
    force: Annotated[
        bool, typer.Option("--force", help="Write over a file that is there.")
    ] = False,
) -> None:
    """Export all agents as a sessions.json of version 2, as chrome-ai-bridge reads it.

    Examples:

      tabwire sessions export

      tabwire sessions export .local/chrome-ai-bridge/sessions.json --force
    """
    whole = _with(lambda sessions: sessions.as_v2())
    data = msgspec.json.format(msgspec.json.encode(whole), indent=2) + b"\n"
    if path is None:
        sys.stdout.buffer.write(data)
        return
    if path.exists() and not force:
        raise wrong(f"{path} is there already; --force writes over it", "PATH")
    _write_file(path, data)


# --- what they share -------------------------------------------------------------------------


def _with(work: Callable[[Sessions], Awaitable[T]]) -> T:
    async def run() -> T:
        async with opened_sessions() as sessions:
            return await work(sessions)

    return asyncio.run(run())


def as_data(one: Session) -> dict[str, Any]:
    """An agent as an object. Times are seconds since 1970."""
    data: dict[str, Any] = msgspec.to_builtins(one)
    return data


def _unknown(agent: str, site: str | None = None) -> TabwireError:
    where = f" with a chat at {site}" if site else ""
    return TabwireError(
        f"no agent {harmless(agent)}{where} is remembered",
        what_to_do="`tabwire sessions list` names those that are.",
        site=site,
    )


def _only(offers: Sequence[Offered]) -> Path:
    """The one file that can be meant."""
    if len(offers) == 1:
        return Path(offers[0].path)
    if offers:
        named = " or ".join(one.path for one in offers)
        raise wrong(f"which one: {named}?", "PATH")
    raise wrong(
        f"say which file. There is no {PLACE} in {Path.cwd()} or {Path.home()} "
        "that was not imported yet",
        "PATH",
    )


def _offer(offers: Sequence[Offered]) -> None:
    """Never taken silently, but never kept silent about either."""
    for one in offers:
        agents = "no agents that can be read" if one.agents is None else f"{one.agents} agents"
        print(
            f"found {harmless(one.path)} of chrome-ai-bridge, with {agents}: "
            f"`tabwire sessions import` takes it over",
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
            f"{path} cannot be written: {exc.strerror or exc}", what_to_do="Name another file."
        ) from exc
