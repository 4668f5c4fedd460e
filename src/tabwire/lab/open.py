"""The lab and a browser that sees it, until somebody ends either; where it listens."""

import asyncio
import json
import os
import shlex
import signal
from collections.abc import Callable, Coroutine, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

from tabwire.hub.browsers.lab_file import check_no_lab_runs, posted
from tabwire.lab.replicas import replicas
from tabwire.lab.serve import LOOPBACK, Lab, serving
from tabwire.lab.stories.stage import DEFAULT, Stage

Say = Callable[[str], None]


def run_until_told(work: Coroutine[Any, Any, None]) -> None:
    """Run it until it is done, or Ctrl-C or SIGTERM ends it. Either way it cleans up."""

    async def whole() -> None:
        task = asyncio.current_task()
        if task is not None:
            with suppress(NotImplementedError):  # Windows knows Ctrl-C only, which is seen to
                asyncio.get_running_loop().add_signal_handler(signal.SIGTERM, task.cancel)
        with suppress(asyncio.CancelledError):
            await work

    asyncio.run(whole())


async def serve_lab(
    port: int, ledger: Path | None, started: Callable[[Lab], None], stage: Stage = DEFAULT
) -> None:
    """A lab without a browser, until cancelled."""
    check_no_lab_runs()
    async with serving(port=port, ledger=ledger, stage=stage) as lab:
        with posted(lab.port, lab.spki):
            started(lab)
            await asyncio.Event().wait()  # whoever runs us cancels: this is the bound


def as_json(lab: Lab) -> str:
    """One line for a program."""
    said = {
        "pid": os.getpid(),
        "port": lab.port,
        "spki": lab.spki,
        "hosts": lab.hosts,
        "home": lab.home,
        "flags": lab.flags,
    }
    return json.dumps(said)


def in_words(lab: Lab) -> str:
    """A few lines for a person."""
    flags = " \\\n  ".join(shlex.quote(flag) for flag in lab.flags)
    return (
        f"The lab serves {', '.join(lab.hosts)} on {LOOPBACK}:{lab.port}.\n"
        "To see it, start a browser with an empty profile and these flags:\n"
        f"  --user-data-dir=FOLDER \\\n  {flags}\n"
        f"Open {lab.home} in it for the lab's own page: sites, stories and the ledger.\n"
        "`tabwire lab open` does all this for you. Press Ctrl-C to stop the lab."
    )


async def open_lab(
    sites: Sequence[str],
    *,
    headless: bool,
    port: int,
    ledger: Path | None,
    say: Say,
    stage: Stage = DEFAULT,
) -> None:
    """A lab and a browser with its own page and a tab for each site, until that is closed."""
    # `lab serve` needs no browser, and starts sooner without
    from tabwire.browser.find import find_browser, this_machine
    from tabwire.browser.launch import Launch, launched

    check_no_lab_runs()
    machine = this_machine()
    found = find_browser(machine)
    if not headless and not machine.has_display:
        headless = True
        say("There is no display, so the browser runs without a window.")
    homes = [replicas()[site].home for site in sites]
    async with serving(port=port, ledger=ledger, stage=stage) as lab:
        with posted(lab.port, lab.spki) as word:
            wish = Launch(found, headless=headless, more_flags=lab.flags, url=lab.home)
            async with launched(wish) as browser:
                await _open_tabs(browser.endpoint.url, homes)
                word.browser(browser.endpoint)
                say(f"The lab is open in {found.name}: {', '.join((lab.home, *homes))}")
                say("Ask something in a tab. Other commands find this browser with --browser lab.")
                say("Close the browser or press Ctrl-C to stop the lab.")
                await browser.ended()
                say("The browser was closed, and the lab with it.")


async def _open_tabs(url: str, addresses: Sequence[str]) -> None:
    from tabwire.cdp.connection import Connection
    from tabwire.cdp.websocket import connect

    async with Connection(await connect(url)) as line:
        for address in addresses:
            await line.call("Target.createTarget", {"url": address})
