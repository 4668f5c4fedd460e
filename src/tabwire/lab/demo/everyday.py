"""`make demo-extension`: a question in a browser as a person uses it, through the extension.

Everything is done as a person would: the extension is loaded from the folder that `tabwire
extension path` prints, the code of `tabwire extension pair` is typed into its page, and `tabwire
ask` asks. What came back is compared with the lab's own account, and the demo fails if it is not
the same. The person's own browser and home are not touched.
"""

import asyncio
import json
import os
import sys
import time
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.rule import Rule
from rich.text import Text

from tabwire.browser.choose import LaunchOwn
from tabwire.browser.find import find_browser, this_machine
from tabwire.browser.launch import Launch
from tabwire.browser.line import BrowserLine, open_line
from tabwire.browser.page.page import Page
from tabwire.browser.tab import Tab
from tabwire.hub.relay.extension_files import extension_folder
from tabwire.lab.demo.home import borrowed_home
from tabwire.lab.serve import Lab, serving
from tabwire.model.errors import TabwireError
from tabwire.model.extension import ORIGIN

PROMPT = "What is a browser extension good for? ブラウザ拡張機能は何の役に立ちますか。"
NAMES = ("chatgpt", "gemini", "grok")
STEP_SECONDS = 60.0  # for a page to load, a code to be taken: seconds, more on a busy machine
ANSWER_SECONDS = 120.0

Say = Callable[[str], None]

CONNECT = f"{ORIGIN}/ui/connect.html"
POINT = "chrome.runtime.sendMessage({ what: 'port', port: %d })"
TYPE = """(() => {
  document.querySelector("#code").value = %s;
  document.querySelector("#pair").click();
})()"""
CONNECTED = """(async () => {
  for (;;) {
    const said = await chrome.runtime.sendMessage({ what: "status" });
    if (said.connected) return true;
    await new Promise((done) => setTimeout(done, 100));
  }
})()"""


async def play_everyday(console: Console, to: Path) -> bool:
    """Play it; whether everything was as it should be. Pictures are saved beside `to`."""
    began = time.monotonic()
    with borrowed_home() as home:
        async with serving() as lab, everyday(home, lab.flags, partial(_say, console)) as browser:
            picture = await Page(browser.connect_page.session).screenshot()
            _save(to.with_name(f"{to.stem}-connect.png"), picture)
            console.print(Rule("a question in that browser", align="left"))
            _say(console, f'tabwire ask "{PROMPT}" --to {",".join(NAMES)} --browser extension')
            answers = await asked(home, "extension", PROMPT, NAMES)
            _save(to.with_name(f"{to.stem}.png"), await _picture(browser.line))
    wrong = [words for name in NAMES for words in _differences(name, answers.get(name), lab)]
    for name in NAMES:
        answer = answers.get(name) or {}
        text = str(answer.get("text", ""))
        _say(console, f"{name}: {answer.get('completeness')}, {len(text):,} characters")
    for words in wrong:
        console.print(Text(words, "bold red"))
    pictures = f"{to.stem}-connect.png and {to.stem}.png"
    console.print(f"saved {pictures}; played in {time.monotonic() - began:.1f} s", soft_wrap=True)
    return not wrong


def run(console: Console, to: Path) -> bool:
    """Play it on a loop of its own."""
    return asyncio.run(play_everyday(console, to))


# --- as a person does ------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Everyday:
    """A browser with the extension, and a line to it beside the one under test."""

    line: BrowserLine
    url: str
    connect_page: Tab


@asynccontextmanager
async def everyday(home: Path, flags: tuple[str, ...], say: Say) -> AsyncIterator[Everyday]:
    """A hub in this home, and a browser whose extension is paired with it."""
    machine, folder = this_machine(), extension_folder()
    async with hub_in(home) as port:
        say(f"a hub listens on 127.0.0.1:{port}")
        wish = Launch(find_browser(machine), more_flags=(*flags, *_loading(folder)))
        async with open_line(LaunchOwn(), machine, wish=lambda: wish) as line:
            say(f"{wish.browser.name} runs with the extension in {folder}")
            page = await _extension_page(line)
            await _in(page, POINT % port)
            await _pair(home, page, say)
            assert line.own is not None
            yield Everyday(line, line.own.endpoint.url, page)


def _loading(folder: Path) -> tuple[str, ...]:
    """How a Chromium loads it without hands. A branded Chrome of today wants hands."""
    return (
        f"--load-extension={folder}",
        f"--disable-extensions-except={folder}",
        "--disable-features=DisableLoadExtensionCommandLineSwitch",
    )


async def _extension_page(line: BrowserLine) -> Tab:
    """The connect page. A browser that has just begun may not have the extension yet."""
    tab = await line.tabs.open("about:blank")
    async with asyncio.timeout(STEP_SECONDS):
        while True:
            await tab.navigate(CONNECT, seconds=STEP_SECONDS)
            if await _in(tab, "typeof chrome?.runtime?.sendMessage") == "function":
                return tab


async def _pair(home: Path, page: Tab, say: Say) -> None:
    async with _command(home, "extension", "pair", "--json") as pairing:
        shown = json.loads(await _line_of(pairing))
        say(f"tabwire extension pair: {shown['code']}, typed into the connect page")
        await _in(page, TYPE % json.dumps(shown["code"]))
        paired = json.loads(await _line_of(pairing))["paired"]
        await _in(page, CONNECTED)
        say(f"paired and connected: {paired}")


async def asked(
    home: Path, browser: str, prompt: str, sites: Sequence[str]
) -> dict[str, dict[str, Any]]:
    """What `tabwire ask` prints of each site. What it does meanwhile is seen on stderr."""
    words = ("ask", prompt, "--to", ",".join(sites), "--browser", browser, "--json")
    async with _command(home, *words) as asking, asyncio.timeout(ANSWER_SECONDS):
        said, _ = await asking.communicate()
    return {one["site"]: one for one in json.loads(said or "{}").get("answers", ())}


async def _picture(line: BrowserLine) -> bytes:
    """One of the tabs it was asked in, with the control in it."""
    for info in await line.tabs.list():
        if "chatgpt.com" in info.url:
            tab = await line.tabs.attach(info.target)
            return await Page(tab.session).screenshot()
    return b""


def _differences(name: str, answer: dict[str, Any] | None, lab: Lab) -> list[str]:
    """What is not as the lab has it."""
    asked = [entry for entry in lab.ledger.asked(name) if entry.prompt == PROMPT]
    said = [
        exchange.text.strip()
        for chat in lab.room.conversations[name].values()
        for exchange in chat.exchanges
        if exchange.prompt == PROMPT
    ]
    found = []
    if len(asked) != 1:
        found.append(f"{name} was asked {len(asked)} times")
    if answer is None or answer.get("completeness") != "complete":
        found.append(f"{name} has no complete answer: {answer}")
    elif [str(answer["text"]).strip()] != said:
        found.append(f"what came back is NOT the text {name} sent")
    return found


# --- commands --------------------------------------------------------------------------------


@asynccontextmanager
async def hub_in(home: Path, **environment: str) -> AsyncIterator[int]:
    """`tabwire serve` in this home, and its port."""
    async with _command(home, "serve", on="stderr", **environment) as serving_hub:
        assert serving_hub.stderr is not None
        async with asyncio.timeout(STEP_SECONDS):
            said = (await serving_hub.stderr.readline()).decode()
        yield int(said.split("127.0.0.1:")[1].split()[0].rstrip(".,)"))


@asynccontextmanager
async def _command(
    home: Path, *words: str, on: str = "stdout", **environment: str
) -> AsyncIterator[asyncio.subprocess.Process]:
    """One of our own commands, in a process, which is gone after the block."""
    process = await asyncio.create_subprocess_exec(
        sys.executable, "-m", "tabwire", *words,
        env={**os.environ, "TABWIRE_HOME": str(home), "TABWIRE_PORT": "0", **environment},
        limit=1 << 24,
        **{on: asyncio.subprocess.PIPE},  # type: ignore[arg-type]
    )  # fmt: skip
    try:
        yield process
    finally:
        if process.returncode is None:
            process.terminate()
        await process.wait()


async def _line_of(process: asyncio.subprocess.Process) -> bytes:
    assert process.stdout is not None
    async with asyncio.timeout(STEP_SECONDS):
        line = await process.stdout.readline()
    if not line:
        raise TabwireError("a Tabwire command ended early", what_to_do="See its output above.")
    return line


async def _in(tab: Tab, expression: str) -> Any:
    """What an expression is in a page, waited for."""
    how = {"expression": expression, "awaitPromise": True, "returnByValue": True}
    said = await tab.session.call("Runtime.evaluate", how, seconds=STEP_SECONDS)
    return said["result"].get("value")


def _say(console: Console, words: str) -> None:
    console.print(Text(words), soft_wrap=True)


def _save(to: Path, picture: bytes) -> None:
    if picture:
        to.parent.mkdir(parents=True, exist_ok=True)
        to.write_bytes(picture)
