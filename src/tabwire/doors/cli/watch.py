"""`tabwire watch`: follow a tab nobody asked in."""

import asyncio
import sys
from collections.abc import Coroutine
from typing import Annotated, Any

import msgspec
import typer

from tabwire.doors.cli.ask.request import read_seconds
from tabwire.doors.cli.browser.option import BROWSER, say_terms, say_waiting
from tabwire.doors.cli.old_options import hint
from tabwire.doors.cli.sighting_lines import Narrator
from tabwire.hub import WATCH_PROFILES, Befell, Judged, PageNotice, Sighting, local_hub
from tabwire.hub import sighting_data as as_data
from tabwire.model.exits import COMPLETE, FAILED, LIMIT, NEEDS_YOU, PARTIAL

GRACE_SECONDS = 1.0  # after a verdict with --once: the page's own witness comes within it

EXITS = {"complete": COMPLETE, "partial": PARTIAL, "refused": FAILED}
REFUSALS = {"rate_limit": LIMIT, "login": NEEDS_YOU, "challenge": NEEDS_YOU}


def watch(
    tab: Annotated[
        str,
        typer.Argument(
            metavar="SITE|URL|TAB",
            help="chatgpt, gemini or grok; the URL of a chat; or a tab ID from `tabwire tabs`. If "
            "no tab matches, one is opened in the background. Or: antigravity.",
        ),
    ],
    window: Annotated[
        str,
        typer.Option(
            "--window",
            "-w",
            metavar="NAME",
            help="With antigravity: window name, workspace or ID. Needed if there are several.",
        ),
    ] = "",
    former_window: Annotated[str, typer.Argument(hidden=True)] = "",
    browser: BROWSER = None,
    as_json: Annotated[
        bool, typer.Option("--json", help="Print JSON Lines, one object per event.")
    ] = False,
    requests: Annotated[
        bool,
        typer.Option(
            "--requests",
            help="Also list every request with its class, bytes and decoded characters.",
        ),
    ] = False,
    discover: Annotated[
        bool,
        typer.Option(
            "--discover", help="Mark requests that look like an answer but match no rule."
        ),
    ] = False,
    profile: Annotated[
        str,
        typer.Option(
            metavar="NAME",
            help="default; or classic: poll the page once a second, as older tools do.",
        ),
    ] = "default",
    once: Annotated[
        bool, typer.Option("--once", help="Exit after the first answer, with its exit code.")
    ] = False,
    full: Annotated[
        bool,
        typer.Option(
            "--full", help="With antigravity: print full texts instead of their beginnings."
        ),
    ] = False,
    time: Annotated[
        str | None,
        typer.Option("--for", metavar="TIME", help="Exit after this time: 90, 90s, 10m, 1h."),
    ] = None,
) -> None:
    """Watch a chat tab and report whether each answer is complete.

    Read-only: nothing is typed, clicked or sent. Questions asked in the tab, by you or by a
    program, are followed in the data the site sends: states, text and thinking as they arrive,
    and a verdict with its evidence. Ends when the tab is closed, or with Ctrl-C.

    With `antigravity`, watches an agent panel and separates what the agent says from what it
    does (docs/antigravity.md). Turn it on first: `tabwire antigravity on`.

    Exit codes with --once: 0 the answer is complete, 1 failed, 3 partial, 4 you are needed
    (login), 5 a usage limit. Without it: 0 the time of --for is over, 1 the tab was lost.

    Examples:

      tabwire watch chatgpt

      tabwire watch gemini --browser lab --once

      tabwire watch https://grok.com/c/… --json --requests

      tabwire watch antigravity --window shop --full
    """
    hub = local_hub()
    if profile not in WATCH_PROFILES:
        what = f"{profile!r}: expected one of {', '.join(WATCH_PROFILES)}"
        raise typer.BadParameter(what, param_hint="--profile")
    seconds = None if time is None else read_seconds(time, "--for")
    if former_window:
        hint("WINDOW", "--window WINDOW")
        window = window or former_window
    if tab == "antigravity":
        from tabwire.doors.cli.antigravity.watch import watch_agent

        watching = watch_agent(
            window, as_json=as_json, profile=profile, once=once, full=full, seconds=seconds
        )
        raise typer.Exit(asyncio.run(watching))
    if window:
        raise typer.BadParameter("only valid with antigravity", param_hint="--window")
    say_terms(hub, [tab], browser)
    audience = _Audience(as_json, once)

    async def run() -> int:
        try:
            async with asyncio.timeout(seconds):
                return await audience.listen(
                    hub.browsers.watch(
                        tab,
                        audience.tell,
                        browser=browser,
                        requests=requests,
                        discover=discover,
                        profile=profile,
                        on_wait=say_waiting,
                    )
                )
        except TimeoutError:
            return audience.exit_code if once else COMPLETE

    raise typer.Exit(asyncio.run(run()))


class _Audience:
    """Prints what is told, and knows when it has heard enough."""

    def __init__(self, as_json: bool, once: bool) -> None:
        self._narrator = None if as_json else Narrator()
        self._once = once
        self._began: float | None = None
        self._enough: asyncio.Event = asyncio.Event()
        self._verdict_exit: int | None = None

    @property
    def exit_code(self) -> int:
        """What the answer was worth, as a program tells it."""
        return FAILED if self._verdict_exit is None else self._verdict_exit

    def tell(self, sighting: Sighting) -> None:
        """Print one sighting at once."""
        if self._began is None:
            self._began = sighting.at
        if self._narrator is not None:
            self._narrator.tell(sighting, sighting.at - self._began)
        else:
            line = msgspec.json.encode(as_data(sighting, self._began)) + b"\n"
            sys.stdout.buffer.write(line)
            sys.stdout.buffer.flush()
        if isinstance(sighting, Judged) and sighting.verdict.judgement != "open":
            verdict = sighting.verdict
            refusal = verdict.refusal.kind if verdict.refusal is not None else ""
            self._verdict_exit = REFUSALS.get(refusal, EXITS[verdict.judgement])
            self._enough.set()
        elif isinstance(sighting, PageNotice) and sighting.kind in ("login", "challenge"):
            self._verdict_exit = self._verdict_exit or NEEDS_YOU

    async def listen(self, watching: Coroutine[Any, Any, Befell]) -> int:
        """Until the tab ends, or with --once until the first answer is judged."""
        async with asyncio.TaskGroup() as group:
            task = group.create_task(watching)
            if self._once:
                enough = group.create_task(self._enough.wait())
                await asyncio.wait({task, enough}, return_when=asyncio.FIRST_COMPLETED)
                if enough.done():
                    await asyncio.wait({task}, timeout=GRACE_SECONDS)
                enough.cancel()
                if not task.done():
                    task.cancel()
                    return self.exit_code
            befell = await task
        if self._once and self._verdict_exit is not None:
            return self.exit_code
        print(f"tabwire: {befell.words}\n{befell.remedy}", file=sys.stderr)
        return FAILED
