"""The dashboard and the real extension in one real browser: paired by hand, and opened from it."""

import asyncio
from contextlib import asynccontextmanager

import pytest
import pytest_asyncio

from kit.dashboard import LIVE, press, tab_at, text_of, ticket_of, until
from kit.extension import value_of
from kit.relay_hub import relay_hub
from tabwire.hub.relay import pairing
from tabwire.hub.relay.extension_files import extension_version

pytestmark = [pytest.mark.asyncio, pytest.mark.xdist_group("extension")]

SECONDS = 150.0
ROUNDS = pairing.ROUNDS  # the extension's, too


@pytest_asyncio.fixture
async def hub(tmp_path, monkeypatch):
    async with (
        asyncio.timeout(SECONDS),
        relay_hub(tmp_path, monkeypatch, rounds=ROUNDS) as hub,
    ):
        yield hub


async def targets(extension, part):
    """The tabs whose address ends so."""
    found = (await extension.line.call("Target.getTargets"))["targetInfos"]
    return [one for one in found if one["url"].endswith(part)]


@asynccontextmanager
async def connect_page(extension):
    """The page that opened by itself because an unknown hub is there."""
    async with asyncio.timeout(SECONDS):
        while not (found := await targets(extension, "/ui/connect.html")):
            await extension.evaluate("new Promise((done) => setTimeout(done, 50))")
    how = {"targetId": found[0]["targetId"], "flatten": True}
    session = (await extension.line.call("Target.attachToTarget", how))["sessionId"]
    yield extension.line.session(session)
    await extension.line.call("Target.closeTarget", {"targetId": found[0]["targetId"]})


async def test_a_person_pairs_by_the_code_on_the_dashboard(hub, extension, extension_browser_url):
    async with tab_at(extension_browser_url, await ticket_of(hub.door)) as board:
        await until(board, LIVE)
        assert await text_of(board, "#extension_words") == "Not connected"
        await extension.point_at(hub.port)
        await press(board, "#pair")
        code = await until(board, "document.querySelector('#code').textContent")
        async with connect_page(extension) as page:
            await until(page, "document.querySelector('#pair')?.textContent === 'Pair'")
            await value_of(page, "document.querySelector('#code').focus()")
            await page.call("Input.insertText", {"text": code.lower()})
            await press(page, "#pair")
            await until(page, "document.querySelector('#said.good')")
        said = await until(board, "document.querySelector('#pair_said[data-tone=good]')?.innerText")
        (known,) = hub.pairing.known
        assert said == f"Paired with {known.name}."
        await until(board, "document.querySelector('#extension_state').dataset.tone === 'good'")
        assert await text_of(board, "#extension_words") == f"Connected: {known.name}"
        versions = await text_of(board, "#versions")
        assert versions.count(extension_version()) == 2, "what runs, and what came with Tabwire"
        assert not await value_of(
            board, "document.querySelector('#extension_old').checkVisibility()"
        )


async def test_the_popup_opens_it_in_a_tab_with_a_ticket_of_its_own_line(hub, extension):
    await extension.point_at(hub.port)
    shown = await hub.relays.pair()
    assert (await extension.evaluate(f"tabwire.line.pair('{shown.code}')"))["ok"]
    await hub.relays.wait_connected()
    async with extension.page("ui/popup.html?tab=1") as popup:
        await until(popup, "document.querySelector('#dashboard').textContent === 'Dashboard'")
        await value_of(popup, "void (window.close = () => (document.body.dataset.closed = 'yes'))")
        await press(popup, "#dashboard")
        await until(popup, "document.body.dataset.closed === 'yes'")
    place = f"http://127.0.0.1:{hub.port}/dashboard/"
    async with asyncio.timeout(SECONDS):
        while not (
            found := [one for one in await targets(extension, place) if one["url"] == place]
        ):
            await extension.evaluate("new Promise((done) => setTimeout(done, 50))")
    (one,) = found
    how = {"targetId": one["targetId"], "flatten": True}
    session = (await extension.line.call("Target.attachToTarget", how))["sessionId"]
    page = extension.line.session(session)
    try:
        await until(page, LIVE)
        assert await value_of(page, "location.href") == place
        await until(page, "document.querySelector('#extension_state').dataset.tone === 'good'")
    finally:
        await extension.line.call("Target.closeTarget", {"targetId": one["targetId"]})


async def test_without_a_hub_the_popup_says_so_and_opens_nothing(extension):
    async with extension.page("ui/popup.html?tab=1") as popup:
        await until(popup, "document.querySelector('#dashboard').textContent === 'Dashboard'")
        await press(popup, "#dashboard")
        said = await until(popup, "document.querySelector('#said').innerText")
        assert "tabwire dashboard" in said
    assert await targets(extension, "/dashboard/") == []
