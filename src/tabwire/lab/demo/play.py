"""The demo's story: a lab, a browser, one question to three sites, and what came of it; then a
coding assistant asks."""

import asyncio
import time
from collections.abc import Sequence
from pathlib import Path

from rich.console import Console
from rich.rule import Rule
from rich.table import Table
from rich.text import Text

from tabwire.browser.choose import parse_choice
from tabwire.browser.find import Machine, find_browser, this_machine
from tabwire.browser.launch import Launch, launched
from tabwire.browser.line import BrowserLine, open_line
from tabwire.browser.page.page import Page
from tabwire.hub import LocalHub
from tabwire.lab.demo.assistant import ask_as_assistant
from tabwire.lab.demo.columns import Column, Show
from tabwire.lab.demo.home import borrowed_home
from tabwire.lab.demo.keepsake import PARTS, Keepsake, Tile, ms
from tabwire.lab.ledger import Deed, Entry
from tabwire.lab.serve import Lab, serving
from tabwire.model.ask import Answer, AskRequest
from tabwire.model.errors import TabwireError
from tabwire.sites.known import SITES, site_of_url
from tabwire.sites.site import Site

PROMPT = "Why is the sky blue by day and red at dusk? 夕焼けはなぜ赤いのですか。"
NAMES = ("chatgpt", "gemini", "grok")
ANSWER_SECONDS = 60.0  # the lab's answers take three; a slow machine needs more
SHOWN = (Deed.PROMPT, Deed.UPLOAD, Deed.STOP, Deed.RESUME)
"""What the page shows of the ledger: all that is done, not what is only read."""


async def play(console: Console, to: Path) -> bool:
    """Play it; whether everything was as it should be. `to` is the page that is saved."""
    began = time.monotonic()
    machine = this_machine()
    browser = find_browser(machine)
    with borrowed_home() as home:
        async with serving() as lab:
            console.print(f"the lab serves {', '.join(NAMES)} on 127.0.0.1:{lab.port} over HTTP/2")
            wish = Launch(browser, more_flags=lab.flags)
            async with launched(wish) as running:
                console.print(f"{browser.name} runs headless with a profile of its own")
                asked = f'tabwire ask "{PROMPT}" --to {",".join(NAMES)}'
                console.print(Text(asked, "bold"), soft_wrap=True)
                said = f"attach={running.endpoint.url}"
                tiles = await _ask(said, machine, wish, lab, Show(NAMES, console, began))
                received = [one for one in lab.ledger.entries if one.kind in SHOWN]
                tell_end(tiles, console)
                console.print(Rule("a coding assistant asks", align="left"))
                wrong = await ask_as_assistant(home, said, lab, lambda words: _say(console, words))
    facts = (
        f"{browser.name}, headless, real tabs of the lab's replicas under their real names",
        f"{len(received)} prompts in the lab's ledger for {len(NAMES)} questions",
        f"played in {time.monotonic() - began:.1f} s",
    )
    _save(to, Keepsake(PROMPT, tiles, received, facts).page())
    for words in wrong:
        console.print(Text(words, "bold red"))
    console.print(f"{facts[1]}; saved {to}; {facts[2]}", soft_wrap=True)
    return proven(tiles, received) and not wrong


def _say(console: Console, words: str) -> None:
    console.print(Text(words), soft_wrap=True)


async def _ask(
    browser: str, machine: Machine, wish: Launch, lab: Lab, show: Show
) -> Sequence[Tile]:
    """Ask all at once, then look at the tabs they were asked in."""
    requests = [AskRequest(name, PROMPT, timeout_seconds=ANSWER_SECONDS) for name in NAMES]
    with show:
        results = await LocalHub().asks.ask(requests, show.tell, browser=browser)
    async with open_line(parse_choice(browser), machine, wish=lambda: wish) as line:
        looks = (
            _picture(line, SITES[name], result) for name, result in zip(NAMES, results, strict=True)
        )
        pictures = await asyncio.gather(*looks)
    return [
        Tile(column, picture, tuple(differences(column, result, lab, PROMPT)))
        for column, result, picture in zip(show.columns.values(), results, pictures, strict=True)
    ]


async def _picture(line: BrowserLine, site: Site, result: Answer | Exception) -> bytes:
    """The tab this was asked in, as it stands; nothing where it is gone."""
    for info in await line.tabs.list():
        if site_of_url(info.url) is not site:
            continue
        named = site.conversation_in_url(info.url)
        if not isinstance(result, Answer) or named == result.conversation_id:
            tab = await line.tabs.attach(info.target)
            return await Page(tab.session).screenshot()
    return b""


def differences(column: Column, result: Answer | Exception, lab: Lab, prompt: str) -> list[str]:
    """Everything that is not as it should be at one site, in words. Nothing: it is true."""
    if not isinstance(result, Answer):
        return [f"no answer: {result}"]
    found = []
    if not result.complete:
        found.append(f"the answer is {result.completeness}: {result.why}")
    received = [
        (entry.prompt, entry.conversation_id)
        for entry in lab.ledger.asked(column.name)
        if not entry.refused
    ]
    if received != [(prompt, result.conversation_id)]:
        found.append(f"the ledger has {len(received)} prompts, not just ours in this conversation")
    said = [
        exchange
        for chat in lab.room.conversations[column.name].values()
        for exchange in chat.exchanges
        if exchange.prompt == prompt
    ]
    if [exchange.text for exchange in said] != [result.text]:
        found.append("the text is NOT the text the lab sent")
    if [_words("".join(exchange.thoughts)) for exchange in said] != [_words(result.thinking or "")]:
        found.append("the thinking is NOT what the lab thought")
    if column.text != result.text:
        found.append("the text shown as it came is NOT the answer")
    return found


def proven(tiles: Sequence[Tile], received: Sequence[Entry]) -> bool:
    """Whether all is true, and the lab received as many things as were asked, and no more."""
    return len(received) == len(tiles) > 0 and not any(tile.differs for tile in tiles)


def _words(text: str) -> list[str]:
    """Thoughts without what parts them: each site has its own way."""
    return text.split()


def _save(to: Path, text: str) -> None:
    try:
        to.parent.mkdir(parents=True, exist_ok=True)
        to.write_text(text, encoding="utf-8")
    except OSError as exc:
        raise TabwireError(
            f"{to} cannot be written: {exc.strerror or exc}", what_to_do="Name another with --out."
        ) from exc


def run(console: Console, to: Path) -> bool:
    """Play the demo on a loop of its own."""
    return asyncio.run(play(console, to))


def tell_end(tiles: Sequence[Tile], console: Console) -> None:
    """Answers, where no columns show them; timings; and what the lab says to all of it."""
    if not console.is_terminal:
        for tile in tiles:
            console.print(Rule(tile.column.name, align="left"))
            console.print(Text(tile.column.text), soft_wrap=True)
        console.print(Rule())
    console.print(_timings(tiles))
    for tile in tiles:
        words = "; ".join(tile.differs) or "the lab's own text, asked once"
        style = "bold red" if tile.differs else "green"
        console.print(Text(f"{tile.column.name:<8} {tile.judged}: {words}", style=style))


def _timings(tiles: Sequence[Tile]) -> Table:
    table = Table(box=None, pad_edge=False, header_style="bold")
    table.add_column("milliseconds")
    for tile in tiles:
        table.add_column(tile.column.name, justify="right")
    for part in PARTS:
        table.add_row(part.replace("_", " "), *(ms(tile.timings, part) for tile in tiles))
    return table
