"""`tabwire antigravity auto` and the questions it asks: approvals, approve, reject."""

import asyncio
import time
from typing import Annotated, Any

import typer

from tabwire.doors.cli import json_lines
from tabwire.doors.cli.antigravity.command import JSON, WINDOW
from tabwire.doors.cli.safe_text import harmless
from tabwire.model.exits import COMPLETE, FAILED, NEEDS_YOU

DO = ("on", "off", "stop", "status", "stats")


def auto(
    do: Annotated[str, typer.Argument(metavar="on|off|stop|status|stats", help="What to do.")],
    switches: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="[SWITCH]...",
            help="With `on`: commands, edits, permissions, plans, retries, or all.",
        ),
    ] = None,
    window: WINDOW = "",
    as_json: JSON = False,
) -> None:
    """Let safe steps of the agent go on by themselves; stop it; see what it did.

    Runs in the hub. What the guard allows is clicked, what it does not know is asked of you, what
    it denies is refused (docs/guard.md). `stop` stops every autopilot of yours at once, also one
    in another process, until it is turned on again. A hub that ends leaves it off: `status` says
    what was on before, and the next hub clicks nothing until you turn it on again.

    Exit code 0: done. 2: no such word. 4: not switched on.

    Examples:

      tabwire antigravity auto on commands edits

      tabwire antigravity auto stop

      tabwire antigravity auto stats --json
    """
    if do not in DO:
        raise typer.BadParameter(f"{do!r} is none of {', '.join(DO)}")
    told = asyncio.run(_do(do, switches or [], window))
    if as_json:
        json_lines.write([told])
    elif do == "stats":
        for span, one in told.items():
            saved = round(one["time_saved_seconds"] / 60)
            print(
                f"{span}: {one['clicks']} clicks ({one['terminal_commands']} commands, "
                f"{one['file_edits']} edits; {one['away']} while you were away), "
                f"{one['blocked']} refused, {one['asked']} asked; about {saved} min saved"
            )
    elif not told.get("on"):
        print("the autopilot is off" if do != "stop" else "stopped; nothing is clicked")
        if left := told.get("was_on"):
            print(harmless(f"it {left['says']}"))
    else:
        where = f" in {window}" if window else ""
        print(harmless(f"on{where}: {', '.join(told['on'])}; {told['asks']} question(s) wait"))
        for one in told["windows"]:
            if one["stands_by_for"]:
                print(harmless(f"  {one['window']}: process {one['stands_by_for']} drives it"))


async def _do(do: str, switches: list[str], window: str) -> dict[str, Any]:
    from tabwire.hub.agents.consent import require_consent
    from tabwire.hub.remote import autopilot as hub

    require_consent()
    match do:
        case "on":
            return await hub.pilot_on(switches, window)
        case "off":
            return await hub.pilot_off(window)
        case "stop":
            return await hub.pilot_stop()
        case "stats":
            return await hub.pilot_statistics()
        case _:
            return await hub.pilot_state()


def approvals(as_json: JSON = False) -> None:
    """List what the agent wants to do and a person has to say.

    Exit code 0: nothing waits. 4: something does, or not switched on.

    Example:

      tabwire antigravity approvals
    """
    from tabwire.hub.remote.autopilot import open_approvals

    found = asyncio.run(open_approvals())
    if as_json:
        json_lines.write(found)
    for one in [] if as_json else found:
        left = max(0, round(one.expires_at - time.time()))
        print(harmless(f"{one.id}  {one.workspace}  {one.kind}  {one.verdict}: {one.reason}"))
        print(harmless(f"    {one.command or one.title or one.text}"))
        print(harmless(f"    in {one.cwd or '?'}; {left} s left; {' · '.join(one.actions)}"))
    raise typer.Exit(NEEDS_YOU if found else COMPLETE)


ID = Annotated[str, typer.Argument(metavar="ID", help="As `approvals` shows it.")]


def approve(approval: ID, as_json: JSON = False) -> None:
    """Say yes to one of them. The card is read again first; if it changed, nothing is clicked.

    Exit code 0: clicked, and the agent goes on. 1: not clicked, with the reason. 4: not switched
    on.

    Example:

      tabwire antigravity approve 3f2a9c
    """
    _answer(approval, approve=True, as_json=as_json)


def reject(approval: ID, as_json: JSON = False) -> None:
    """Say no to one of them.

    Exit code 0: the agent was told no. 1: not clicked, with the reason. 4: not switched on.

    Example:

      tabwire antigravity reject 3f2a9c
    """
    _answer(approval, approve=False, as_json=as_json)


def _answer(said: str, *, approve: bool, as_json: bool) -> None:
    from tabwire.hub.remote.autopilot import answer

    told = asyncio.run(answer(said, approve=approve))
    if as_json:
        json_lines.write([told])
    else:
        print(harmless(told["said"]))
    raise typer.Exit(COMPLETE if told["done"] else FAILED)
