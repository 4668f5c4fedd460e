"""A command outside the hub in the extension's browser: through the hub, beside the hub itself."""

import asyncio

import pytest
import pytest_asyncio
from websockets.asyncio.client import connect
from websockets.exceptions import InvalidStatus

from kit.relay_hub import relay_hub
from kit.relay_peer import FakeChrome, Refuse
from tabwire.cdp.errors import CommandFailed, ConnectionLost
from tabwire.hub.browsers.access import reached_browser
from tabwire.hub.relay import tunnel as subject
from tabwire.hub.relay.tunnel import PATH, line_by_hub
from tabwire.model.errors import ExtensionNotConnected

pytestmark = pytest.mark.asyncio

SECONDS = 60.0


@pytest_asyncio.fixture
async def hub(tmp_path, monkeypatch):
    monkeypatch.setattr(subject, "ensure_hub", lambda: None)  # it is in this process
    async with asyncio.timeout(SECONDS), relay_hub(tmp_path, monkeypatch) as hub:
        yield hub


@pytest_asyncio.fixture
async def chrome(hub):
    peer = await hub.paired()
    yield FakeChrome(peer)
    await peer.close()


async def test_every_command_may_say_extension(hub, chrome):
    chrome.add("https://gemini.google.com/")
    async with reached_browser("extension") as line:
        assert "through the extension chrome-inst" in line.whose
        assert [one.url for one in await line.tabs.list()] == ["https://gemini.google.com/"]
        tab = await line.tabs.open("about:blank")
        assert chrome.created[0]["client"] == "terminal"
        assert await tab.healthy()
        heard = []
        tab.session.listen("Network.dataReceived", lambda event: heard.append(event.read()))
        await chrome.peer.debugger(2, "Network.dataReceived", k=1)
        await tab.session.call("Page.enable")
        assert heard == [{"k": 1}]
        assert hub.door.hub.guests.count == 1, "it is used"
        await line.tabs.close(tab.target)
    await chrome.peer.asked("debugger.detach")


async def test_a_tab_that_two_use_is_let_go_of_by_the_last(hub, chrome):
    target = chrome.target(chrome.add())
    async with hub.relays.line() as ours:
        first = await ours.tabs.attach(target)
        async with line_by_hub() as theirs:
            # as the extension does it, and Chrome does not
            chrome.peer.answer("debugger.attach", lambda _: {"target": target})
            second = await theirs.tabs.attach(target)
            assert await second.healthy()
        while len(hub.relays._used.carriers) > 1:
            await asyncio.sleep(0)
        assert await first.healthy()
        assert chrome.attached == {1}
    await chrome.peer.asked("debugger.detach")
    assert len([one for one in chrome.peer.requests if one["do"] == "debugger.detach"]) == 1


async def test_where_none_is_connected_the_hubs_own_words_come_through(hub, monkeypatch):
    monkeypatch.setattr(type(hub.relays).wait_connected, "__defaults__", (0.0,))
    with pytest.raises(ExtensionNotConnected, match="no extension has been paired") as caught:
        async with line_by_hub():
            pass
    assert str(caught.value).count("extension not connected") == 1
    assert "tabwire extension pair" in caught.value.what_to_do


async def test_a_command_learns_that_the_extension_went(hub, chrome, monkeypatch):
    monkeypatch.setattr(hub.relays, "_away_seconds", 0.0)
    chrome.add()
    chrome.peer.leave_open("debugger.send")
    async with line_by_hub() as line:
        loop = asyncio.get_running_loop()
        attaching = loop.create_task(line.tabs.attach(chrome.target(1)))
        await chrome.peer.asked("debugger.send")
        await chrome.peer.cut()
        with pytest.raises(ConnectionLost, match="did not come back"):
            await attaching


async def test_an_error_of_the_extension_is_an_error_here(hub, chrome):
    def no(_request):
        raise Refuse(-32004, "switched off for grok")

    chrome.peer.answer("tabs.create", no)
    async with line_by_hub() as line:
        with pytest.raises(CommandFailed, match="switched off for grok"):
            await line.connection.call("Target.createTarget", {"url": "https://grok.com/"})


@pytest.mark.parametrize(
    "said", ["x", "[]", '{"id":"x"}', '{"id":1}', "\ud800".encode("utf-8", "replace")]
)
async def test_what_is_no_command_ends_that_socket_alone(hub, chrome, said):
    headers = {"authorization": f"Bearer {hub.door.token}"}
    url = f"ws://127.0.0.1:{hub.port}{PATH}"
    async with connect(url, additional_headers=headers, proxy=None) as socket:
        await socket.recv()
        await socket.send(said)
        await socket.wait_closed()
    assert await hub.relays.ask("getVersion")


@pytest.mark.parametrize(
    "token, origin, status",
    [(False, None, 401), (False, "https://evil.example", 403), (True, "https://evil.example", 403)],
)
async def test_no_page_and_nobody_without_the_token_gets_it(hub, token, origin, status):
    headers = {"authorization": f"Bearer {hub.door.token}"} if token else {}
    url = f"ws://127.0.0.1:{hub.port}{PATH}"
    with pytest.raises(InvalidStatus) as caught:
        async with connect(url, additional_headers=headers, origin=origin, proxy=None):
            pass
    assert caught.value.response.status_code == status


async def test_not_even_our_own_page_with_the_token_gets_it(hub):
    headers = {"authorization": f"Bearer {hub.door.token}"}
    ours = f"http://127.0.0.1:{hub.port}"
    with pytest.raises(InvalidStatus) as caught:
        async with connect(
            f"ws://127.0.0.1:{hub.port}{PATH}", additional_headers=headers, origin=ours, proxy=None
        ):
            pass
    assert caught.value.response.status_code == 403
