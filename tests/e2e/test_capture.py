"""A person asks in their own tab; nobody debugs it. What the extension heard is kept and ready."""

import asyncio
import json
from contextlib import asynccontextmanager

import pytest

from extension.control_seen import Control
from kit.asking import new_prompt
from kit.chromium import connect_to
from kit.extension import value_of
from tabwire.browser.tabs import Tabs
from tabwire.capture.export import Format, export
from tabwire.capture.rebuild import rebuild
from tabwire.hub.conversations.captures import Captures
from tabwire.lab.demo.person import ask
from tabwire.lab.plan import plan_for
from tabwire.model.captured import CaptureSource, Origin
from tabwire.sites.known import SITES
from tabwire.store.opening import opened

pytestmark = [pytest.mark.asyncio, pytest.mark.xdist_group("extension")]

SEE_SECONDS = 60.0
SOAK = pytest.mark.soak
OTHERS = ("chatgpt", "gemini")  # the other carries its conversations in parts: the hardest


LOOKED_AT = """new Promise((done) => document.visibilityState === "visible" ? done(true)
  : document.addEventListener("visibilitychange", () => done(true), {once: true}))"""


class Heard:
    """What the hub told pages, and waiting for it."""

    def __init__(self, relays):
        self._relays = relays
        self.told = []
        self._changed = asyncio.Event()

    def tell(self, page, message):
        self.told.append(message)
        self._changed.set()
        self._relays.tell(page, message)

    async def until(self, fits):
        async with asyncio.timeout(SEE_SECONDS):
            while not (found := [one for one in self.told if fits(one)]):
                self._changed.clear()
                await self._changed.wait()
        return found[0]


@asynccontextmanager
async def capturing(relays, path):
    """A hub's captures behind the real relay."""
    async with opened(path) as store:
        heard = Heard(relays)
        captures = Captures(
            store, tell=heard.tell, reread=relays.reread, close_tab=relays.close_tab
        )
        async with captures.running():
            relays.captures = captures
            yield heard, store.conversations, captures


@asynccontextmanager
async def own_tab(url, address):
    """A tab of the person's own, and a hand in it."""
    async with await connect_to(url) as line:
        tabs = Tabs(line)
        await tabs.discover()
        tab = await tabs.open(address)
        try:
            yield tab
        finally:
            await tabs.close(tab.target)


async def pressed_save(tab, folder):
    """What the person has in their downloads after a click on Save."""
    line, control = tab.session.connection, Control(tab.session)
    where = {"behavior": "allow", "downloadPath": str(folder), "eventsEnabled": True}
    await line.call("Browser.setDownloadBehavior", where)
    await control.until(".save", "(one) => !one.disabled && one.checkVisibility()")
    await tab.session.call("Page.bringToFront")  # a person presses in a tab they look at
    await value_of(tab.session, LOOKED_AT)
    with line.subscribe(["Browser.downloadProgress"]) as progress:
        await control.click(".save")
        async with asyncio.timeout(SEE_SECONDS):
            async for event in progress:
                if event.read()["state"] == "completed":
                    break
    (file,) = folder.iterdir()
    return file.read_text()


@pytest.mark.parametrize("site", ["grok", *(pytest.param(one, marks=SOAK) for one in OTHERS)])
async def test_what_a_person_asks_by_themselves_becomes_ready(
    relay, extension_browser_url, tmp_path, site
):
    prompt = new_prompt(pieces=8)
    async with (
        capturing(relay.relays, tmp_path / "store" / "tabwire.db") as (heard, rows, captures),
        own_tab(extension_browser_url, SITES[site].page.home) as tab,
    ):
        await heard.until(lambda one: one.get("life") == "idle")
        await ask(tab, SITES[site], prompt)
        await heard.until(lambda one: one.get("life") == "prompt-sent")
        await heard.until(lambda one: one.get("life") == "completed")
        ready = await heard.until(lambda one: one.get("save"))
        row = await rows.conversation(site, ready["conversation"], bodies=True)
        assert (row.ready, row.source) == (True, CaptureSource.CANONICAL)
        assert row.origin is Origin.EXTENSION
        found = rebuild(SITES[site], row.conversation_id, row.bodies)
        assert [one.text for one in found.messages()] == [prompt, plan_for(prompt).text]
        assert export(row, Format.ORIGINAL).text
        saved = json.loads(await pressed_save(tab, tmp_path / "downloads"))
        assert saved["exportMeta"]["completeness"] == "complete"
        assert saved["turns"] == json.loads(export(row, Format.COMMON).text)["turns"]
        assert "internal error" not in captures.dropped.counts()
        assert "not a message" not in captures.dropped.counts()
