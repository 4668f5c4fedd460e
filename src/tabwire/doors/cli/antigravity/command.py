"""`tabwire antigravity`: switch it on, open it, look at it, set it up."""

import asyncio
import difflib
import sys
import time
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from tabwire.doors.cli import json_lines
from tabwire.doors.cli.safe_text import harmless
from tabwire.model.exits import COMPLETE, FAILED, NEEDS_YOU
from tabwire.model.moments import moment

if TYPE_CHECKING:
    from tabwire.hub.agents.start_entries import Step
    from tabwire.hub.agents.status import Quota

JSON = Annotated[bool, typer.Option("--json", help="Print JSON, for programs.")]
WINDOW = Annotated[
    str,
    typer.Option(
        "--window",
        "-w",
        metavar="NAME",
        help="Which window: its name, its workspace or its id, as `status` shows them. Without "
        "it, the only one.",
    ),
]


def turn_on(
    yes: Annotated[
        bool, typer.Option("--yes", help="You have read the sentence and agree; for scripts.")
    ] = False,
) -> None:
    """Let Tabwire follow and drive Antigravity, after one sentence about Google's terms.

    Shows the sentence and asks. Your answer is kept with its day in Tabwire's home, and the
    setting `antigravity` is switched on in config.toml. No Google token is ever touched.

    Exit code 0: it is on. 4: you did not agree, and nothing was changed.

    Examples:

      tabwire antigravity on

      tabwire antigravity on --yes
    """
    from tabwire.hub.agents.consent import SENTENCE, agree

    print(SENTENCE)
    if not yes:
        if not sys.stdin.isatty():
            print("tabwire: nobody is here to agree\nSay --yes if you do.", file=sys.stderr)
            raise typer.Exit(NEEDS_YOU)
        if not typer.confirm("Do you agree, and take that risk?", default=False):
            print("Nothing was changed.")
            raise typer.Exit(NEEDS_YOU)
    given = agree(datetime.now(UTC))
    print(f"Antigravity is on; you agreed at {given.at}. `tabwire antigravity off` ends it.")


def turn_off() -> None:
    """Let go of Antigravity: nothing is followed, driven or clicked any more.

    A hub that runs notices within two seconds. Your consent stays on record.

    Example:

      tabwire antigravity off
    """
    from tabwire.hub.agents.consent import switch

    switch(False)
    print("Antigravity is off.")


def open_it(
    folders: Annotated[
        list[Path] | None, typer.Argument(metavar="[FOLDER]...", help="Folders to open in it.")
    ] = None,
    as_json: JSON = False,
) -> None:
    """Start Antigravity with a debugging port, where it does not listen already.

    An Antigravity that runs without the port has to be quit by you first. Nothing is ended.

    Exit code 0: it listens. 1: it could not be started so. 4: not switched on.

    Examples:

      tabwire antigravity open

      tabwire antigravity open ~/shop
    """
    from tabwire.hub.agents.launch import open_antigravity

    opened = asyncio.run(open_antigravity(folders or ()))
    names = [one.name for one in opened.windows]
    if as_json:
        about = {"port": opened.port, "started": opened.started, "windows": names}
        json_lines.write([about])
        return
    how = "was started and listens" if opened.started else "listens already"
    print(harmless(f"Antigravity {how} at port {opened.port}: {', '.join(names)}"))


def status(as_json: JSON = False) -> None:
    """Show the windows of Antigravity, and what each does.

    One look: phase, conversation, model, mode, what waits for a decision, whether the autopilot
    is on, and what is left of the model in use where the setting `antigravity_quota` is on.
    Nothing is pressed.

    Exit code 0: at least one window was seen. 1: none was found. 4: not switched on.

    Examples:

      tabwire antigravity status

      tabwire antigravity status --json
    """
    from tabwire.hub.agents.status import status as look

    told = asyncio.run(look())
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
            print(f"  waits for a decision: {kind}")
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


def _quota(quota: "Quota") -> str:
    left = "" if quota.remaining is None else f", {quota.remaining:.0%} left"
    if quota.resets_at is None:
        return f"{quota.state.value}{left}"
    return f"{quota.state.value}{left}, resets {moment(quota.resets_at, time.time())}"


def _autopilot(about: dict[str, Any]) -> str:
    if not about.get("on"):
        left = about.get("was_on")
        return f"off; it {left['says']}" if left else "off"
    on = ", ".join(about.get("on", ())) or "nothing"
    return f"on for {on}; {about.get('asks', 0)} question(s) wait for you"


def doctor(as_json: JSON = False) -> None:
    """Check the port, each window, and which parts of its panel are recognised.

    Exit code 0: every window with a panel is read by its structure. 1: something is missing.
    4: not switched on.

    Examples:

      tabwire antigravity doctor

      tabwire antigravity doctor --json
    """
    from tabwire.hub.agents.status import missing_parts
    from tabwire.hub.agents.status import status as look

    told = asyncio.run(look())
    bad = False
    rows = []
    for one in told.windows:
        test, name = one.test, one.spot.window.name
        missing = missing_parts(test) if test else ()
        if test is None or not test.panel:
            said, ok = one.problem or "no agent panel is open in this window", test is not None
        elif missing:
            said, ok = f"not recognised: {', '.join(missing)}", False
        else:
            taken = test.taken
            parts = len(taken.found) if taken else 0
            read = "by its structure" if test.recognised else "its turns are not drawn yet"
            said, ok = f"{test.pack}, {parts} parts recognised, read {read}", True
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
                    "docs/antigravity.md says what to do with it."
                )
    raise typer.Exit(FAILED if bad else COMPLETE)


def _parts(data: dict[str, Any]) -> dict[str, Any]:
    return {
        name: data[name] for name in ("place", "port", "pack", "recognised", "found", "missing")
    }


def dump(window: WINDOW = "", as_json: JSON = False) -> None:
    """Show every text of a panel, and how each is taken: for an empty log, or a wrong answer.

    DUMP_ALL_TEXTS of the classic profile: selector, score, class, and the text's beginning.

    Exit code 0: shown. 2: no such window. 4: not switched on.

    Examples:

      tabwire antigravity dump

      tabwire antigravity dump --window shop --json
    """
    from tabwire.hub.agents.status import dump as every_text

    spot, found = asyncio.run(every_text(window))
    if as_json:
        json_lines.write(found)
        return
    print(harmless(f"{spot.name}: {len(found)} texts"))
    for one in found:
        text = " ".join(one.text.split())
        shown = text if len(text) <= 100 else f"{text[:100]}…"
        print(harmless(f"{one.score:>3}  {one.classified:<9} {one.selector:<32} {shown}"))


def setup(
    apply: Annotated[
        bool, typer.Option("--apply", help="Make the change, with a copy of what was there.")
    ] = False,
    undo: Annotated[bool, typer.Option("--undo", help="Put back what was there.")] = False,
    port: Annotated[
        int, typer.Option(min=1024, max=65535, help="The debugging port to start it with.")
    ] = 9004,
    as_json: JSON = False,
) -> None:
    """Make Antigravity's start entries open it with a debugging port. Shows first, changes then.

    Without a word it only shows what would be changed. Linux: the entries of your applications
    menu, as copies of your own, actions included. macOS: a program `~/.local/bin/antigravity-cdp`.
    Windows: a script that changes the shortcuts, for you to run. Antigravity is neither started
    nor ended.

    Exit code 0: shown, made or put back. 1: there is nothing to change, or a file was changed by
    somebody else since and left. 4: not switched on.

    Examples:

      tabwire antigravity setup

      tabwire antigravity setup --apply

      tabwire antigravity setup --undo
    """
    from tabwire.hub.agents import start_entries as relaunch
    from tabwire.hub.agents.consent import require_consent

    if apply and undo:
        raise typer.BadParameter("either --apply or --undo")
    if undo:  # also after it was switched off
        undone = relaunch.undo()
        rows = [{"path": str(one.path), "what": one.what, "why": one.why} for one in undone]
        if as_json:
            json_lines.write(rows)
        for row in [] if as_json else rows:
            print(
                harmless(f"{row['what']}: {row['path']}" + (f" ({row['why']})" * bool(row["why"])))
            )
        if not rows and not as_json:
            print("Nothing was changed by Tabwire.")
        raise typer.Exit(FAILED if any(one.what == "left" for one in undone) else COMPLETE)
    require_consent()
    steps = relaunch.plan(port)
    done = {step.path for step in relaunch.apply(steps)} if apply else set()
    if as_json:
        json_lines.write([_step(one, made=one.path in done) for one in steps])
        return
    for step in steps:
        _show(step, made=step.path in done)
    if not apply and any(not one.is_done for one in steps):
        print("\nNothing was changed. `tabwire antigravity setup --apply` does it.")
    elif done:
        print("\nQuit Antigravity and start it anew. `tabwire antigravity setup --undo` undoes it.")


def _step(step: "Step", *, made: bool) -> dict[str, Any]:
    about = {"path": str(step.path), "done": step.is_done, "changed": made}
    return {**about, "left": list(step.left)}


def _show(step: "Step", *, made: bool) -> None:
    if made:
        print(harmless(f"written: {step.path}"))
    elif step.is_done:
        print(harmless(f"as it should be: {step.path}"))
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
        print(harmless(f"  ! left as it is: {line}"))
