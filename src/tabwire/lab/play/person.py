"""The scripted person of a play: asks as the demo's does, and does not give up so soon.

Send may need a second click (a page swallows the first); a page whose parts have other names
is used as a person would use it: by looks, not by selectors. Whether a prompt has arrived the
lab's ledger says, so nothing is ever sent twice by this hand.
"""

import asyncio
from collections.abc import Iterator
from contextlib import contextmanager, suppress

from tabwire.browser.page.errors import NotFound
from tabwire.browser.page.page import Page
from tabwire.browser.tab import Tab
from tabwire.lab.demo.person import ask
from tabwire.lab.ledger import Entry, Ledger
from tabwire.model.errors import TabwireError
from tabwire.sites.site import Site

ARRIVE_SECONDS = 1.5  # from a click to the ledger; a page takes some milliseconds
CLICKS = 3

# The biggest box one can write into, in any shadow root: that is how a person finds it.
LOOK = """(() => {
  const roots = [document];
  const boxes = [];
  for (const root of roots) {
    for (const one of root.querySelectorAll("*")) {
      if (one.shadowRoot) roots.push(one.shadowRoot);
      if (one.matches("textarea, [contenteditable]:not([contenteditable=false])")) boxes.push(one);
    }
  }
  const size = (one) => { const box = one.getBoundingClientRect(); return box.width * box.height; };
  const seen = boxes.filter((one) => one.checkVisibility() && !one.disabled && size(one) > 0);
  const box = seen.sort((one, other) => size(other) - size(one))[0];
  if (!box) return false;
  box.focus();
  const held = box.value ?? box.textContent;
  if (held.trim()) document.execCommand("selectAll");
  return true;
})()"""


class Arrivals:
    """Whether a prompt has come to the lab, told on the loop of whoever waits."""

    def __init__(self, prompt: str) -> None:
        self._prompt = prompt
        self._came = asyncio.Event()
        self._loop = asyncio.get_running_loop()

    def __bool__(self) -> bool:
        return self._came.is_set()

    @contextmanager
    def heard(self, ledger: Ledger) -> Iterator[None]:
        """Listen for the length of a block. The lab may run in another thread."""
        stop = ledger.listen(self._hear)
        try:
            yield
        finally:
            stop()

    def _hear(self, entry: Entry) -> None:
        if entry.prompt == self._prompt:
            with suppress(RuntimeError):  # the play is over, and its loop closed
                self._loop.call_soon_threadsafe(self._came.set)

    async def within(self, seconds: float) -> bool:
        """Wait for it; whether it came."""
        with suppress(TimeoutError):
            async with asyncio.timeout(seconds):
                await self._came.wait()
        return bool(self)


async def send(hand: Tab, site: Site, prompt: str, arrived: Arrivals, *, drifted: bool) -> None:
    """Ask, and see to it that the question arrives. Raises where it cannot."""
    if drifted:
        await _by_looks(hand, prompt, arrived)
        return
    await ask(hand, site, prompt)
    page = Page(hand.session)
    for _ in range(CLICKS - 1):
        if await arrived.within(ARRIVE_SECONDS):
            return
        with suppress(NotFound):  # Send went away: it was taken, and is slow to arrive
            await page.click(
                [one for layout in site.page.layouts for one in layout.send],
                decoys=[one for layout in site.page.layouts for one in layout.stop],
                part="send button",
            )
    await _must_arrive(arrived)


async def _by_looks(hand: Tab, prompt: str, arrived: Arrivals) -> None:
    """Write into the biggest box and press Enter; again where the page was not alive yet."""
    page = Page(hand.session)
    for _ in range(CLICKS):
        async with page.focused():
            looked = {"expression": LOOK, "returnByValue": True}
            found = await hand.session.call("Runtime.evaluate", looked)
            if found["result"].get("value"):
                await hand.session.call("Input.insertText", {"text": prompt})
                await page.press("Enter")
        if await arrived.within(ARRIVE_SECONDS):
            return
    await _must_arrive(arrived)


async def _must_arrive(arrived: Arrivals) -> None:
    if not await arrived.within(ARRIVE_SECONDS):
        raise TabwireError(
            "the scripted person pressed Send, but the prompt did not reach the lab",
            what_to_do="Look at the page: `tabwire lab open` shows it.",
        )
