"""`tabwire antigravity`: switch it on, open it, look at it, set it up."""

import asyncio
import difflib
import sys
import time
from datetime import UTC, datetime
from pathlib import Path
from typing import Annotated, Any

import typer

from tabwire.doors.cli import json_lines
from tabwire.doors.cli.antigravity.option import JSON, WINDOW
from tabwire.doors.cli.safe_text import harmless
from tabwire.hub import (
    ANTIGRAVITY_SENTENCE,
    Quota,
    Step,
    agree_to_antigravity,
    apply_start_entries,
    local_hub,
    missing_parts,
    open_antigravity,
    plan_start_entries,
    remote_hub,
    require_consent,
    switch_antigravity,
    undo_start_entries,
)
from tabwire.model.autopilot import AutopilotState
from tabwire.model.exits import COMPLETE, FAILED, NEEDS_YOU
from tabwire.model.moments import moment


def turn_on(
    yes: Annotated[
        bool, typer.Option("--yes", help="Agree to the notice without a prompt; for scripts.")
    ] = False,
) -> None:
    """Turn on Antigravity support, after a notice about Google's terms.

    Shows the notice and asks for your consent. Stores your consent with its date in Tabwire's
    home and turns on the setting `antigravity` in config.toml. Google tokens are never accessed.

    Exit codes: 0 turned on, 4 you did not agree and nothing was changed.

    Examples:

      tabwire antigravity on

      tabwire antigravity on --yes
    """
    print(ANTIGRAVITY_SENTENCE)
    if not yes:
        if not sys.stdin.isatty():
            print("tabwire: consent needs a terminal\nUse --yes if you agree.", file=sys.stderr)
            raise typer.Exit(NEEDS_YOU)
        if not typer.confirm("Do you agree and accept this risk?", default=False):
            print("Nothing was changed.")
            raise typer.Exit(NEEDS_YOU)
    given = agree_to_antigravity(datetime.now(UTC))
    print(
        f"Antigravity support is on; you agreed at {given.at}. Turn it off with "
        "`tabwire antigravity off`."
    )


def turn_off() -> None:
    """Turn off Antigravity support: no more monitoring or clicking.

    A running hub notices within two seconds. The record of your consent is kept.

    Example:

      tabwire antigravity off
    """
    switch_antigravity(False)
    print("Antigravity support is off.")


def open_it(
    folders: Annotated[
        list[Path] | None, typer.Argument(metavar="FOLDER", help="Folders to open in it.")
    ] = None,
    as_json: JSON = False,
) -> None:
    """Start Antigravity with a debugging port, unless one is already open.

    If Antigravity is already running without the port, quit it first: Tabwire does not close it.

    Exit codes: 0 the port is open, 1 could not be started with it, 4 not turned on.

    Examples:

      tabwire antigravity open

      tabwire antigravity open ~/shop
    """
    opened = asyncio.run(open_antigravity(folders or ()))
    names = [one.name for one in opened.windows]
    if as_json:
        about = {"port": opened.port, "started": opened.started, "windows": names}
        json_lines.write([about])
        return
    how = "started, listening" if opened.started else "already listening"
    print(harmless(f"Antigravity {how} on port {opened.port}: {', '.join(names)}"))


def status(as_json: JSON = False) -> None:
    """Show the windows of Antigravity and their state.

    Shows phase, conversation, model, mode, pending decisions, whether the autopilot is on, and,
    if the setting `antigravity_quota` is on, the remaining quota of the model. Read-only.

    Exit codes: 0 at least one window was found, 1 none was found, 4 not turned on.

    Examples:

      tabwire antigravity status

      tabwire antigravity status --json
    """
    told = asyncio.run(remote_hub(start=False).agents.windows.status())
    if as_json:
        json_lines.write([told.as_data()])
        return
    for one in told.windows:
        window = one.spot.window
        print(harmless(f"{window.name}  ({window.place.value}, port {one.spot.port})"))
        if one.problem:
            print(harmless(f"  ! {one.problem}"))
        if not one.phase:
            continue
        facts = [one.phase, one.conversation, one.model, one.mode]
        print(harmless("  " + " · ".join(fact for fact in facts if fact)))
        for kind in one.asks:
            print(f"  waiting for a decision: {kind}")
        for said in one.banners:
            print(harmless(f"  limit: {said}"))
        if one.quota is not None:
            print(f"  quota: {_quota(one.quota)}")
    if told.allowance is not None:
        for pool in told.allowance.pools:
            print(harmless(f"pool {pool.name}: {_quota(pool.quota)}"))
    elif told.quota_problem:
        print(harmless(f"quota: {told.quota_problem}"))
    print(harmless(f"autopilot: {_autopilot(told.autopilot)}"))


def _quota(quota: Quota) -> str:
    left = "" if quota.remaining is None else f", {quota.remaining:.0%} left"
    if quota.resets_at is None:
        return f"{quota.state.value}{left}"
    return f"{quota.state.value}{left}, resets {moment(quota.resets_at, time.time())}"


def _autopilot(state: AutopilotState) -> str:
    if not state.on:
        return f"off; it {state.was_on.says}" if state.was_on else "off"
    return f"on for {', '.join(state.on)}; {state.asks} question(s) waiting for you"


def doctor(
    as_json: Annotated[
        bool, typer.Option("--json", help="Print JSON Lines, one object per window.")
    ] = False,
) -> None:
    """Check the port, each window, and which panel parts are recognized.

    Exit codes: 0 every open panel is recognized, 1 something is missing, 4 not turned on.

    Examples:

      tabwire antigravity doctor

      tabwire antigravity doctor --json
    """
    told = asyncio.run(remote_hub(start=False).agents.windows.status())
    bad = False
    rows = []
    for one in told.windows:
        test, name = one.test, one.spot.window.name
        missing = missing_parts(test) if test else ()
        if test is None or not test.panel:
            said, ok = one.problem or "no agent panel is open in this window", test is not None
        elif missing:
            said, ok = f"not recognized: {', '.join(missing)}", False
        else:
            taken = test.taken
            parts = len(taken.found) if taken else 0
            read = "read by structure" if test.recognised else "turns not rendered yet"
            said, ok = f"{test.pack}, {parts} parts recognized, {read}", True
        bad = bad or not ok
        rows.append({"window": name, "ok": ok, "says": said, **_parts(one.as_data())})
    if as_json:
        json_lines.write(rows)
    else:
        for row in rows:
            print(harmless(f"{'✓' if row['ok'] else '✗'} {row['window']}: {row['says']}"))
            if not row["ok"]:
                print(
                    "  → `tabwire antigravity dump` shows every text of the panel; "
                    "see docs/antigravity.md."
                )
    raise typer.Exit(FAILED if bad else COMPLETE)


def _parts(data: dict[str, Any]) -> dict[str, Any]:
    return {
        name: data[name] for name in ("place", "port", "pack", "recognised", "found", "missing")
    }


def dump(
    window: WINDOW = "",
    as_json: Annotated[
        bool, typer.Option("--json", help="Print JSON Lines, one object per text.")
    ] = False,
) -> None:
    """Show every text of a panel and how it is classified.

    Use it when a log is empty or an answer is wrong. Prints selector, score, class and the
    beginning of each text, like DUMP_ALL_TEXTS of the classic profile.

    Exit codes: 0 shown, 2 no such window, 4 not turned on.

    Examples:

      tabwire antigravity dump

      tabwire antigravity dump --window shop --json
    """
    spot, found = asyncio.run(local_hub().agents.windows.dump(window))
    if as_json:
        json_lines.write(found)
        return
    print(harmless(f"{spot.name}: {len(found)} texts"))
    for one in found:
        text = " ".join(one.text.split())
        shown = text if len(text) <= 100 else f"{text[:100]}…"
        print(harmless(f"{one.score:>3}  {one.classified:<9} {one.selector:<32} {shown}"))


def setup(
    apply: Annotated[bool, typer.Option("--apply", help="Make the changes, with backups.")] = False,
    undo: Annotated[bool, typer.Option("--undo", help="Restore the backups.")] = False,
    port: Annotated[
        int, typer.Option(min=1024, max=65535, metavar="N", help="Debugging port.")
    ] = 9004,
    as_json: Annotated[
        bool, typer.Option("--json", help="Print JSON Lines, one object per file.")
    ] = False,
) -> None:
    """Change Antigravity's launchers to start it with a debugging port.

    By default only shows the changes. Linux: copies of the application menu entries, including
    their actions. macOS: a program `~/.local/bin/antigravity-cdp`. Windows: a script that changes
    the shortcuts, which you run yourself. Antigravity is neither started nor closed.

    Exit codes: 0 shown, applied or restored, 1 nothing to change, or a file was modified in the
    meantime and left alone, 4 not turned on.

    Examples:

      tabwire antigravity setup

      tabwire antigravity setup --apply

      tabwire antigravity setup --undo
    """
    if apply and undo:
        raise typer.BadParameter("use either --apply or --undo")
    if undo:  # also after it was switched off
        undone = undo_start_entries()
        rows = [{"path": str(one.path), "what": one.what, "why": one.why} for one in undone]
        if as_json:
            json_lines.write(rows)
        for row in [] if as_json else rows:
            print(
                harmless(f"{row['what']}: {row['path']}" + (f" ({row['why']})" * bool(row["why"])))
            )
        if not rows and not as_json:
            print("Tabwire has not changed anything.")
        raise typer.Exit(FAILED if any(one.what == "left" for one in undone) else COMPLETE)
    require_consent()
    steps = plan_start_entries(port)
    done = {step.path for step in apply_start_entries(steps)} if apply else set()
    if as_json:
        json_lines.write([_step(one, made=one.path in done) for one in steps])
        return
    for step in steps:
        _show(step, made=step.path in done)
    if not apply and any(not one.is_done for one in steps):
        print("\nNothing was changed. Apply with `tabwire antigravity setup --apply`.")
    elif done:
        print("\nRestart Antigravity. Undo with `tabwire antigravity setup --undo`.")


def _step(step: Step, *, made: bool) -> dict[str, Any]:
    about = {"path": str(step.path), "done": step.is_done, "changed": made}
    return {**about, "left": list(step.left)}


def _show(step: Step, *, made: bool) -> None:
    if made:
        print(harmless(f"written: {step.path}"))
    elif step.is_done:
        print(harmless(f"up to date: {step.path}"))
    else:
        before = step.before
        if before is None and step.source is not None and step.source.suffix == ".desktop":
            before = step.source.read_text(encoding="utf-8")
        print(harmless(f"{'change' if step.before else 'make'}: {step.path}"))
        lines = difflib.unified_diff(
            (before or "").splitlines(), step.text.splitlines(), lineterm="", n=0
        )
        for line in [one for one in lines if not one.startswith(("---", "+++", "@@"))]:
            print(harmless(f"  {line}"))
    for line in step.left:
        print(harmless(f"  ! not changed: {line}"))
