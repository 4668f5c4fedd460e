"""The demo's story: a lab, a browser, three tabs, one question each, and what came of them."""

import asyncio
import time
from collections.abc import Sequence
from pathlib import Path

from rich.console import Console

from tabwire.browser.choose import LaunchOwn
from tabwire.browser.find import find_browser, this_machine
from tabwire.browser.launch import Launch
from tabwire.browser.line import BrowserLine, open_line
from tabwire.browser.page import Page
from tabwire.fusion.verdict import Judgement
from tabwire.lab.demo.columns import Show
from tabwire.lab.demo.keepsake import Tile, page_of
from tabwire.lab.demo.person import ask
from tabwire.lab.serve import Lab, serving
from tabwire.model.errors import TabwireError
from tabwire.model.signals import Source
from tabwire.monitor import told
from tabwire.monitor.follow import follow
from tabwire.monitor.told import Sighting
from tabwire.sites.known import SITES

ANSWER_SECONDS = 40.0  # the lab's answers take four; a slow machine needs more
WITNESS_SECONDS = 5.0  # for the page's own witness after the verdict

PROMPTS = {
    "chatgpt": "Why is the sky blue? Please with an example in code.",
    "gemini": "夕焼けはなぜ赤いのですか。 And why is the sunset red?",
    "grok": "Is the sky blue on Mars as well?",
}


async def play(console: Console, to: Path) -> bool:
    """Play it; whether everything was as it should be. `to` is the page that is saved."""
    began = time.monotonic()
    machine = this_machine()
    browser = find_browser(machine)
    async with serving() as lab:
        console.print(f"the lab serves {', '.join(PROMPTS)} on 127.0.0.1:{lab.port} over HTTP/2")
        wish = Launch(browser, more_flags=lab.flags)
        async with open_line(LaunchOwn(), machine, wish=lambda: wish) as line:
            console.print(f"{browser.name} runs headless with a profile of its own")
            tiles = await _three_tabs(line, console, began, lab)
    good = all(tile.agrees for tile in tiles) and _ledger_agrees(lab)
    facts = (
        f"{browser.name}, headless, real tabs of the lab's replicas under their real names",
        f"{len(lab.ledger.asked())} prompts in the lab's ledger for {len(PROMPTS)} questions",
        f"played in {time.monotonic() - began:.1f} s",
    )
    _save(to, page_of(tiles, facts))
    for tile in tiles:
        verdict = tile.column.verdict
        judged = verdict.judgement if verdict is not None else "no verdict"
        same = "the lab's own text" if tile.agrees else "NOT the lab's text"
        console.print(f"{tile.column.name:<8} {judged}: {same}")
    console.print(f"{facts[1]}; saved {to}; {facts[2]}")
    return good


async def _three_tabs(
    line: BrowserLine, console: Console, began: float, lab: Lab
) -> Sequence[Tile]:
    with Show(tuple(PROMPTS), console, began) as show:
        async with asyncio.TaskGroup() as group:
            tasks = [group.create_task(_one_tab(line, name, show, lab)) for name in PROMPTS]
        return [task.result() for task in tasks]


async def _one_tab(line: BrowserLine, name: str, show: Show, lab: Lab) -> Tile:
    """Open, watch, ask, and look at the end."""
    site = SITES[name]
    tab = await line.tabs.open(site.page.home)
    hand = await line.tabs.attach(tab.target)
    ending = _Ending()

    def tell(sighting: Sighting) -> None:
        show.tell(name, sighting)
        ending.hear(sighting)

    async with asyncio.TaskGroup() as group:
        watching = group.create_task(follow(tab, site, tell))
        async with asyncio.timeout(ANSWER_SECONDS):
            await ask(hand, site, PROMPTS[name])
            await ending.judged.wait()
        await ending.confirmed(WITNESS_SECONDS)
        picture = await Page(hand.session).screenshot()
        watching.cancel()
    column = show.columns[name]
    answers = [
        exchange.text
        for chat in lab.room.conversations[name].values()
        for exchange in chat.exchanges
        if exchange.prompt == PROMPTS[name]
    ]
    verdict = column.verdict
    told_text = verdict.text if verdict is not None and verdict.complete else None
    return Tile(column, picture, answers == [told_text] and column.text == told_text)


class _Ending:
    """Hears when an answer is judged, and when the page confirmed it."""

    def __init__(self) -> None:
        self.judged = asyncio.Event()
        self._page = asyncio.Event()

    def hear(self, sighting: Sighting) -> None:
        """Take one sighting."""
        if isinstance(sighting, told.Judged) and sighting.verdict.judgement is not Judgement.OPEN:
            self.judged.set()
        elif isinstance(sighting, told.Witnessed) and sighting.source is Source.PAGE:
            self._page.set()

    async def confirmed(self, seconds: float) -> None:
        """Wait a little for the page's own witness; it may not come."""
        try:
            async with asyncio.timeout(seconds):
                await self._page.wait()
        except TimeoutError:
            return


def _ledger_agrees(lab: Lab) -> bool:
    got = {(entry.site, entry.prompt) for entry in lab.ledger.asked()}
    return len(lab.ledger.asked()) == len(PROMPTS) and got == set(PROMPTS.items())


def _save(to: Path, text: str) -> None:
    try:
        to.parent.mkdir(parents=True, exist_ok=True)
        to.write_text(text, encoding="utf-8")
    except OSError as exc:
        raise TabwireError(
            f"{to} cannot be written: {exc.strerror or exc}", what_to_do="Name another with --to."
        ) from exc


def run(console: Console, to: Path) -> bool:
    """Play the demo on a loop of its own."""
    return asyncio.run(play(console, to))
