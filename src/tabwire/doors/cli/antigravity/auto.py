"""`tabwire antigravity auto` and the questions it asks: approvals, approve, reject."""

import asyncio
import getpass
import time
from typing import Annotated

import typer

from tabwire.doors.cli import json_lines
from tabwire.doors.cli.antigravity.option import JSON, WINDOW
from tabwire.doors.cli.safe_text import harmless
from tabwire.hub import remote_hub, require_consent
from tabwire.model.autopilot import Answerer, AutopilotState, StatisticsBySpan
from tabwire.model.exits import COMPLETE, FAILED, NEEDS_YOU

DO = ("on", "off", "stop", "status", "stats")


def auto(
    do: Annotated[str, typer.Argument(metavar="on|off|stop|status|stats", help="What to do.")],
    switches: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="SWITCH",
            help="With `on`: commands, edits, permissions, plans, retries, or all.",
        ),
    ] = None,
    window: WINDOW = "",
    as_json: JSON = False,
) -> None:
    """Approve safe agent steps automatically; stop it; show statistics.

    Runs in the hub. Steps that the guard allows are approved, steps it denies are rejected, and
    you are asked about the rest (docs/guard.md). `stop` immediately stops every autopilot of
    yours, also in other processes, until you turn it on again. A new hub starts with the
    autopilot off; `status` shows what was on before.

    Exit codes: 0 done, 2 usage error, 4 not turned on.

    Examples:

      tabwire antigravity auto on commands edits

      tabwire antigravity auto stop

      tabwire antigravity auto stats --json
    """
    if do not in DO:
        raise typer.BadParameter(f"{do!r}: expected one of {', '.join(DO)}")
    told = asyncio.run(_do(do, switches or [], window))
    if as_json:
        json_lines.write([told.as_data()])
    elif isinstance(told, StatisticsBySpan):
        _say_statistics(told)
    elif not told.on:
        print("the autopilot is off" if do != "stop" else "stopped; nothing will be clicked")
        if told.was_on:
            print(harmless(f"it {told.was_on.says}"))
    else:
        where = f" in {window}" if window else ""
        print(harmless(f"on{where}: {', '.join(told.on)}; {told.asks} question(s) waiting"))
        for one in told.windows:
            if one.stands_by_for:
                print(harmless(f"  {one.window}: process {one.stands_by_for} drives it"))


def _say_statistics(told: StatisticsBySpan) -> None:
    for span, one in (("session", told.session), ("week", told.week), ("all", told.all)):
        saved = round(one.time_saved_seconds / 60)
        print(
            f"{span}: {one.clicks} clicks ({one.terminal_commands} commands, "
            f"{one.file_edits} edits; {one.away} while you were away), "
            f"{one.blocked} refused, {one.asked} asked; about {saved} min saved"
        )


async def _do(do: str, switches: list[str], window: str) -> AutopilotState | StatisticsBySpan:
    require_consent()
    autopilot = remote_hub().agents.autopilot
    match do:
        case "on":
            return await autopilot.turn_on(switches, window)
        case "off":
            return await autopilot.turn_off(window)
        case "stop":
            return await autopilot.stop()
        case "stats":
            return await autopilot.statistics()
        case _:
            return await autopilot.state()


def approvals(
    as_json: Annotated[
        bool, typer.Option("--json", help="Print JSON Lines, one object per question.")
    ] = False,
) -> None:
    """List the agent steps that wait for your decision.

    Exit codes: 0 nothing is waiting, 4 something is waiting, or not turned on.

    Example:

      tabwire antigravity approvals
    """
    found = asyncio.run(remote_hub().agents.autopilot.approvals())
    if as_json:
        json_lines.write(found)
    for one in [] if as_json else found:
        left = max(0, round(one.expires_at - time.time()))
        print(harmless(f"{one.id}  {one.workspace}  {one.kind}  {one.verdict}: {one.reason}"))
        print(harmless(f"    {one.command or one.title or one.text}"))
        print(harmless(f"    in {one.cwd or '?'}; {left} s left; {' · '.join(one.actions)}"))
    raise typer.Exit(NEEDS_YOU if found else COMPLETE)


ID = Annotated[str, typer.Argument(metavar="ID", help="ID as `approvals` shows it.")]


def approve(approval: ID, as_json: JSON = False) -> None:
    """Approve a waiting step, after checking that it has not changed.

    Exit codes: 0 approved, the agent continues, 1 not approved, with the reason, 4 not turned on.

    Example:

      tabwire antigravity approve 3f2a9c
    """
    _answer(approval, approve=True, as_json=as_json)


def reject(approval: ID, as_json: JSON = False) -> None:
    """Reject a waiting step.

    Exit codes: 0 rejected, 1 not rejected, with the reason, 4 not turned on.

    Example:

      tabwire antigravity reject 3f2a9c
    """
    _answer(approval, approve=False, as_json=as_json)


def _answer(said: str, *, approve: bool, as_json: bool) -> None:
    who = Answerer(getpass.getuser())
    told = asyncio.run(remote_hub().agents.autopilot.answer(said, approve=approve, who=who))
    if as_json:
        json_lines.write([told])
    else:
        print(harmless(told.said))
    raise typer.Exit(COMPLETE if told.done else FAILED)
