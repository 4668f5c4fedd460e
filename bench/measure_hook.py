"""What a page pays for the extension listening to it.

1. A page reads an answer of 5 MB at full loopback speed, with the extension and without, in
   turns: two browsers that run at the same time, the same page in both.
2. A page at rest: how long scripts run in it, the extension's among them.

No hub runs: that is the worse case, because what is heard has to be kept.
"""

import asyncio
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path
from statistics import median

from bench.fast_site import ANSWER, HOST, fast_site
from bench.measure_streams import MB, chatgpt_body
from bench.table import Row, row
from tabwire.browser.choose import LaunchOwn
from tabwire.browser.find import find_browser, this_machine
from tabwire.browser.launch import Launch
from tabwire.browser.line import open_line
from tabwire.browser.tab import Tab
from tabwire.model.extension import ORIGIN

EXTENSION = Path(__file__).resolve().parent.parent / "extension"
SIZE = 5 * MB
ROUNDS = 15
IDLE_SECONDS = 10.0
ALL_SECONDS = 600.0

READ = """(async () => {
  const began = performance.now();
  const response = await fetch("%s", { method: "POST", body: "{}" });
  const reader = response.body.getReader();
  let size = 0;
  for (let step = await reader.read(); !step.done; step = await reader.read()) {
    size += step.value.length;
  }
  return [(performance.now() - began) / 1000, size];
})()"""


def measure() -> list[Row]:
    """All of it; about a minute."""
    return asyncio.run(_all())


async def _all() -> list[Row]:
    answer = chatgpt_body(SIZE)
    async with asyncio.timeout(ALL_SECONDS), AsyncExitStack() as stack:
        flags = await stack.enter_async_context(fast_site(answer))
        load = (f"--load-extension={EXTENSION}", f"--disable-extensions-except={EXTENSION}")
        plain = await stack.enter_async_context(_page(flags))
        heard = await stack.enter_async_context(_page((*flags, *load)))
        while not await _is_heard(heard):  # a page may come before the extension does
            await heard.navigate(f"https://{HOST}/", seconds=30.0)
        with_us, without = [], []
        for turn in range(ROUNDS + 1):
            theirs, ours = await _read(plain, len(answer)), await _read(heard, len(answer))
            if turn:  # the first one fills caches
                with_us.append(ours)
                without.append(theirs)
        idle = await _idle(heard)
    return [
        row(
            "a page reads 5 MB with the extension, against without",
            median(with_us),
            "s",
            median(without),
            "<= 1.3",
        ),
        row("scripts in a page at rest, ms per s", idle, "ms", None, "<= 1"),
    ]


@asynccontextmanager
async def _page(flags: tuple[str, ...]) -> AsyncIterator[Tab]:
    """The page in a browser of its own."""
    machine = this_machine()
    wish = Launch(find_browser(machine), more_flags=flags)
    async with open_line(LaunchOwn(), machine, wish=lambda: wish) as line:
        yield await line.tabs.open(f"https://{HOST}/")


async def _read(tab: Tab, size: int) -> float:
    said = await tab.session.call(
        "Runtime.evaluate",
        {"expression": READ % ANSWER, "awaitPromise": True, "returnByValue": True},
        seconds=60,
    )
    seconds, read = said["result"]["value"]
    assert read == size, "an answer that is not whole was not read"
    return float(seconds)


async def _is_heard(tab: Tab) -> bool:
    """Whether the extension has a world of its own in the page."""
    worlds: list[str] = []
    stop = tab.session.listen(
        "Runtime.executionContextCreated",
        lambda event: worlds.append(event.read()["context"]["origin"]),
    )
    await tab.session.call("Runtime.enable")  # all that are there are told before its reply
    await tab.session.call("Runtime.disable")
    stop()
    return ORIGIN in worlds


async def _idle(tab: Tab) -> float:
    """Milliseconds of script in each second."""
    await tab.session.call("Performance.enable")
    before = await _script_seconds(tab)
    await asyncio.sleep(IDLE_SECONDS)  # measured: what happens while nothing happens
    return (await _script_seconds(tab) - before) / IDLE_SECONDS * 1000


async def _script_seconds(tab: Tab) -> float:
    said = await tab.session.call("Performance.getMetrics")
    return next(float(one["value"]) for one in said["metrics"] if one["name"] == "ScriptDuration")
