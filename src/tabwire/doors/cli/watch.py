"""`tabwire watch`: follow a tab nobody asked in."""

import asyncio
import sys
from collections.abc import Coroutine
from typing import Annotated, Any

import msgspec
import typer

from tabwire.doors.cli.browser.option import BROWSER, say_terms, say_waiting
from tabwire.doors.cli.sighting_lines import Narrator
from tabwire.hub import Hub
from tabwire.hub.browsers.sightings import Befell, Judged, PageNotice, Sighting, as_data
from tabwire.model.exits import COMPLETE, FAILED, LIMIT, NEEDS_YOU, PARTIAL

GRACE_SECONDS = 1.0  # after a verdict with --once: the page's own witness comes within it

EXITS = {"complete": COMPLETE, "partial": PARTIAL, "refused": FAILED}
REFUSALS = {"rate_limit": LIMIT, "login": NEEDS_YOU, "challenge": NEEDS_YOU}


def watch(
    tab: Annotated[
        str,
        typer.Argument(
            metavar="SITE|URL|TAB",
            help="chatgpt, gemini or grok; the address of a chat; or a tab's id from "
            "`tabwire tabs`. Where no tab fits, one is opened in the background. Or antigravity.",
        ),
    ],
    window: Annotated[
        str,
        typer.Argument(
            metavar="[WINDOW]", help="With antigravity: which window, where there are several."
        ),
    ] = "",
    browser: BROWSER = None,
    as_json: Annotated[
        bool, typer.Option("--json", help="Print JSON Lines, one object per thing that happened.")
    ] = False,
    requests: Annotated[
        bool,
        typer.Option(
            "--requests",
            help="Also list every request with its class, its bytes and the characters read.",
        ),
    ] = False,
    discover: Annotated[
        bool,
        typer.Option(
            "--discover", help="Mark requests that look like an answer and match no rule."
        ),
    ] = False,
    profile: Annotated[
        str,
        typer.Option(help="default, or classic: poll the page once a second, as older tools do."),
    ] = "default",
    once: Annotated[
        bool, typer.Option("--once", help="Leave after the first answer, with its exit code.")
    ] = False,
    full: Annotated[
        bool, typer.Option("--full", help="With antigravity: whole texts, not their beginnings.")
    ] = False,
    seconds: Annotated[
        float | None, typer.Option("--for", min=0.1, help="Leave after so many seconds.")
    ] = None,
) -> None:
    """Follow a chat tab and tell what its answers are worth.

    Nothing is typed, clicked or sent. Whatever is asked in the tab, by hand or by another
    program, is followed from the bytes the site sends: states, text and thinking as they
    grow, and a verdict with its evidence and history. Ends when the tab does, or with Ctrl-C.

    With `antigravity` an agent panel is followed: what the agent says and what it does, apart
    (docs/antigravity.md). It must be switched on first: `tabwire antigravity on`.

    Exit code with --once: 0 the answer is complete, 3 partial, 4 it needs you (login), 5 a
    limit, 1 it failed. Else 1 when the tab was lost, 0 when the time of --for is over.

    Examples:

      tabwire watch chatgpt

      tabwire watch gemini --browser lab --once

      tabwire watch https://grok.com/c/… --json --requests

      tabwire watch antigravity shop --full
    """
    hub = Hub()
    if profile not in hub.profile_names:
        what = f"{profile!r} is none of {', '.join(hub.profile_names)}"
        raise typer.BadParameter(what, param_hint="--profile")
    if tab == "antigravity":
        from tabwire.doors.cli.antigravity.watch import watch_agent

        watching = watch_agent(
            window, as_json=as_json, profile=profile, once=once, full=full, seconds=seconds
        )
        raise typer.Exit(asyncio.run(watching))
    if window:
        raise typer.BadParameter("only antigravity has windows", param_hint="WINDOW")
    say_terms(hub, [tab], browser)
    audience = _Audience(as_json, once)

    async def run() -> int:
        try:
            async with asyncio.timeout(seconds):
                return await audience.listen(
                    hub.watch(
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
