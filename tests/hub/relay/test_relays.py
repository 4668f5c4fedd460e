"""Extensions that dial in: paired, connected, cut and back, two at once, sent away.

Over real WebSockets, with a peer in Python that speaks the extension's half.
"""

import asyncio

import pytest
import pytest_asyncio

from kit.relay_hub import relay_hub
from kit.relay_peer import FakeChrome, Impostor, Peer, SentAway
from tabwire.cdp.errors import CommandFailed, ConnectionLost
from tabwire.hub.relay.relays import VerbFailed
from tabwire.model.errors import ExtensionNotConnected
from tabwire.model.extension import PROTOCOL

pytestmark = pytest.mark.asyncio

SECONDS = 60.0


@pytest_asyncio.fixture
async def hub(tmp_path, monkeypatch):
    async with asyncio.timeout(SECONDS), relay_hub(tmp_path, monkeypatch) as hub:
        yield hub


def begin(waiting):
    """Let it go on beside the test, which awaits it."""
    return asyncio.get_running_loop().create_task(waiting)


class Heard:
    """Captures that keep what they hear."""

    def __init__(self):
        self.all = []
        self.changed = asyncio.Event()

    def _put(self, *what):
        self.all.append(what)
        self.changed.set()

    def page_opened(self, page):
        self._put("opened", page)

    def page_said(self, page_id, message, number):
        self._put("said", page_id, message, number)

    def page_closed(self, page_id):
        self._put("closed", page_id)

    async def until(self, count):
        while len(self.all) < count:
            self.changed.clear()
            await self.changed.wait()


# --- who it is -----------------------------------------------------------------------------------


async def test_one_is_paired_once_and_enters_by_its_key_from_then_on(hub):
    peer = await hub.paired()
    assert peer.ready["fresh"] is True
    assert (await hub.relays.status()).used.name.startswith("chrome-inst")
    await peer.close()
    again = Peer(hub.port, install=peer.install, key=peer.key, hub=peer.hub)
    async with again:
        assert (await again.enter())["t"] == "ready"
    assert len(hub.pairing.known) == 1


async def test_a_code_that_is_shown_later_may_be_typed_by_one_that_waits(hub):
    async with hub.peer() as peer:
        told = await peer.say_hello()
        assert told["waiting"] is False
        code = (await hub.relays.pair()).code
        await peer.send({"ping": 1})
        assert await peer.next() == {"pong": 1}
        assert (await peer.type_code(code, told))["t"] == "ready"
    async with hub.peer() as peer:
        await hub.relays.pair()
        assert (await peer.say_hello())["waiting"] is True


async def test_one_that_is_switched_off_is_there_and_not_used(hub):
    peer = await hub.paired()
    await peer.say({"on": "switched", "enabled": False, "sites": {"grok": True}})
    await peer.acked()
    assert await hub.relays.wait_early() is False, "auto goes on to the next choice"
    with pytest.raises(ExtensionNotConnected, match="switched off in its popup"):
        async with hub.relays.line():
            pass
    await peer.say({"on": "switched", "enabled": True, "sites": {}})
    await peer.acked()
    assert await hub.relays.wait_early() is True
    await peer.close()


async def test_whoever_shows_a_code_learns_who_typed_it(hub):
    code = (await hub.relays.pair()).code
    waiting = begin(hub.relays.paired(SECONDS))
    async with hub.peer() as peer:
        await peer.pair(code)
        assert (await waiting).paired == hub.pairing.known[0].name


async def test_its_version_is_asked_for_at_every_connection(hub):
    peer = await hub.paired()
    await peer.asked("getVersion")
    await peer.cut()
    await peer.resume()
    await peer.asked("getVersion", 2)
    await peer.close()


@pytest.mark.parametrize("protocol, who", [(PROTOCOL + 1, "Tabwire"), (0, "the extension")])
async def test_another_protocol_is_refused_and_who_is_to_be_updated_is_said(hub, protocol, who):
    async with hub.peer() as peer:
        with pytest.raises(SentAway) as caught:
            await peer.say_hello(protocol=protocol)
        assert caught.value.told["why"] == "protocol"
        assert f"Update {who}" in caught.value.told["what_to_do"]
    with pytest.raises(ExtensionNotConnected, match=f"speaks protocol {protocol}"):
        await hub.relays.wait_connected(0.0)


async def test_t18_the_right_id_without_a_key_gets_nowhere(hub):
    peer = await hub.paired()
    await peer.close()
    thief = Peer(hub.port, install=peer.install, key="A" * 43, hub=peer.hub)
    async with thief:
        with pytest.raises(Impostor):  # it cannot even check the hub
            await thief.enter()
    async with thief:
        told = await thief.say_hello()
        await thief.send({"t": "proof", "proof": told["proof"]})
        with pytest.raises(SentAway) as caught:
            await thief.next()
        assert caught.value.told["why"] == "key"


async def test_a_forgotten_key_is_void(hub):
    peer = await hub.paired()
    name = hub.pairing.known[0].name
    await hub.relays.forget(name)
    await peer.heard("bye")
    await peer.hung_up()
    async with Peer(hub.port, install=peer.install, key=peer.key, hub=peer.hub) as old:
        assert (await old.say_hello())["t"] == "pair"


async def test_t19_ten_wrong_codes_lock_the_pairing(hub):
    code = (await hub.relays.pair()).code
    for left in range(9, -1, -1):
        async with hub.peer() as peer:
            with pytest.raises(SentAway) as caught:
                await peer.pair("WRNG-CDEF")
            assert caught.value.told["why"] == ("key" if left else "locked")
    async with hub.peer() as peer:
        told = await peer.say_hello()
        with pytest.raises(SentAway) as caught:
            await peer.type_code(code, told)
        assert caught.value.told["why"] == "locked"
    assert hub.pairing.known == ()


async def test_t20_a_recorded_handshake_is_refused(hub):
    code = (await hub.relays.pair()).code
    said = []
    async with hub.peer() as peer:
        send = peer.send

        async def recording(message):
            said.append(message)
            await send(message)

        peer.send = recording
        await peer.pair(code)
        await peer.cut()
        await peer.resume()
    for first, second in (said[:2], said[2:4]):
        async with hub.peer() as replayed:
            await replayed.send(first)
            await replayed.next()
            await replayed.send(second)
            with pytest.raises(SentAway):
                await replayed.next()


async def test_t21_what_it_says_of_its_rights_is_not_looked_at(hub):
    async with hub.peer(role="admin", paired_ok=True, trusted=1) as peer:
        assert (await peer.say_hello())["t"] == "pair"


NONSENSE = [
    "",
    "{",
    "[]",
    "null",
    '{"t":"hello"}',
    '{"t":"proof","proof":"x"}',
    '{"n":1,"on":"page.opened"}',
    '{"do":"tabs.list","id":1}',
    b"\x00\x01",
    "x" * 70_000,
]


@pytest.mark.parametrize("said", NONSENSE, ids=range(len(NONSENSE)))
async def test_what_is_no_hello_is_hung_up_on(hub, said):
    async with hub.peer() as peer:
        await peer.send(said)
        assert await peer.hung_up() in (1003, 1008)


async def test_before_it_is_known_it_may_not_say_much(hub):
    """A right hello that is too long: nobody unknown fills our memory."""
    async with hub.peer(padding="x" * 70_000) as peer:
        with pytest.raises(SentAway):
            await peer.say_hello()
    async with hub.peer(padding="x" * 60_000) as peer:
        assert (await peer.say_hello())["t"] == "pair"


async def test_one_that_lost_its_key_may_be_paired_anew(hub):
    """It says so by not being paired with us; the key of before is void then."""
    peer = await hub.paired()
    old = peer.key
    await peer.close()
    async with Peer(hub.port, install=peer.install) as again:
        await again.pair((await hub.relays.pair()).code)
        assert again.key != old
    (known,) = hub.pairing.known
    assert known.key == again.key
    async with Peer(hub.port, install=peer.install, key=old, hub=peer.hub) as stale:
        with pytest.raises(Impostor):
            await stale.enter()


async def test_too_many_strangers_are_sent_away_and_go_in_peace(hub):
    peers = [hub.peer() for _ in range(9)]
    for peer in peers:
        await peer.dial()
    assert await peers[-1].hung_up() == 1013
    for peer in peers:
        await peer.close()
    peer = await hub.paired()
    await peer.close()


# --- two of them ---------------------------------------------------------------------------------


async def test_a_second_one_is_named_and_does_not_replace_the_first(hub):
    first = await hub.paired()
    second = hub.peer(chrome="157")
    await second.dial()
    with pytest.raises(SentAway) as caught:
        await second.pair((await hub.relays.pair()).code)
    told = caught.value.told
    assert told["why"] == "busy"
    names = [one.name for one in hub.pairing.known]
    assert names[0] in told["message"]
    assert f"tabwire extension use {names[1]}" in told["what_to_do"]
    assert names[1] in (await first.asked("notice"))["text"]
    status = await hub.relays.status()
    assert [one.name for one in status.asking] == [names[1]]
    assert status.used.name == names[0]
    await first.close()


async def test_the_person_decides_and_the_first_does_not_come_back_by_itself(hub):
    first = await hub.paired()
    second = hub.peer()
    await second.dial()
    with pytest.raises(SentAway):
        await second.pair((await hub.relays.pair()).code)
    await hub.relays.use(hub.pairing.find(second.install).name)
    await first.heard("bye")
    await first.hung_up()
    with pytest.raises(SentAway) as caught:
        await first.resume()
    assert caught.value.told["why"] == "busy"
    assert (await second.resume())["t"] == "ready"
    await second.close()


async def test_the_second_may_come_when_the_first_is_gone(tmp_path, monkeypatch):
    async with relay_hub(tmp_path, monkeypatch, away_seconds=0.0) as hub:
        first = await hub.paired()
        await first.close()
        second = await hub.paired()
        assert (await hub.relays.status()).used.connected
        await second.close()


async def test_a_hello_of_the_same_install_takes_the_place_of_its_own_socket(hub):
    peer = await hub.paired()
    old = peer._socket
    ready = await peer.resume()
    assert ready["fresh"] is False
    async with asyncio.timeout(SECONDS):
        await old.wait_closed()
    assert await hub.relays.ask("getVersion")
    await peer.close()


# --- cut and back --------------------------------------------------------------------------------


async def test_what_was_asked_during_a_cut_is_answered_after_it(hub):
    peer = await hub.paired()
    await peer.cut()
    asking = begin(hub.relays.ask("tabs.list"))
    peer.answer("tabs.list", lambda _: [{"tab": 1}])
    await peer.resume()
    assert await asking == [{"tab": 1}]
    await peer.close()


async def test_an_answer_that_was_lost_in_a_cut_is_said_again_and_heard_once(hub):
    peer = await hub.paired()
    peer.leave_open("tabs.list")
    asking = begin(hub.relays.ask("tabs.list"))
    request = await peer.asked("tabs.list")
    await peer.cut()
    await peer.reply(request, ["first"])  # into nowhere, and kept
    await peer.resume()
    assert await asking == ["first"]
    again = await peer.asked("tabs.list", 2)
    assert again == request, "the hub could not know, and asks with the same id"
    await peer.reply(again, ["second"])
    assert await hub.relays.ask("getVersion")
    await peer.close()


async def test_one_that_does_not_come_back_has_gone(tmp_path, monkeypatch):
    async with relay_hub(tmp_path, monkeypatch, away_seconds=0.0) as hub:
        peer = await hub.paired()
        chrome = FakeChrome(peer)
        tab = chrome.add()
        async with hub.relays.line() as line:
            session = await line.tabs.attach(chrome.target(tab))
            peer.leave_open("debugger.send")
            calling = begin(session.session.call("Page.reload"))
            await peer.asked("debugger.send")
            await peer.cut()
            with pytest.raises(ConnectionLost, match="did not come back"):
                await calling
        with pytest.raises(ExtensionNotConnected, match="has not been seen since"):
            await hub.relays.wait_connected(0.0)


async def test_a_cut_in_mid_answer_loses_no_byte(hub):
    peer = await hub.paired()
    chrome = FakeChrome(peer)
    tab = chrome.add()
    async with hub.relays.line() as line:
        heard = []
        used = await line.tabs.attach(chrome.target(tab))
        used.session.listen("Network.dataReceived", lambda event: heard.append(event.read()["k"]))
        for k in range(200):
            await peer.debugger(tab, "Network.dataReceived", k=k)
            if k % 50 == 25:
                await peer.cut()
            if k % 50 == 40:
                await peer.resume()
        await peer.acked()
        assert heard == list(range(200))
        assert used.ended is None
    await peer.close()


async def test_a_new_worker_has_forgotten_and_its_tabs_are_read_again(hub):
    peer = await hub.paired()
    chrome = FakeChrome(peer)
    tab = chrome.add()
    async with hub.relays.line() as line:
        used = await line.tabs.attach(chrome.target(tab))
        await peer.cut()
        ready = await peer.resume(new_boot=True)
        assert (ready["have"], ready["fresh"]) == (0, False)
        assert (await peer.asked("debugger.detach"))["tab"] == tab
        assert "lost" in used.ended.words
        assert line.connection.gone is None
        again = await line.tabs.attach(chrome.target(tab))
        assert again.ended is None
    await peer.close()


async def test_a_hub_that_knows_nothing_of_before_lets_go_of_tabs_that_are_held(hub):
    peer = hub.peer(last=41)
    peer.attached = [7]
    await peer.dial()
    await peer.pair((await hub.relays.pair()).code)
    request = await peer.asked("debugger.detach")
    assert request["tab"] == 7
    assert request["id"] > 41, "an id that was used before would be taken for done"
    await peer.close()


# --- pages ---------------------------------------------------------------------------------------


async def test_what_pages_say_goes_to_the_captures_and_back(hub):
    heard = hub.relays.captures = Heard()
    peer = await hub.paired()
    page = {"page": "p1", "tab": 3, "url": "https://grok.com/", "site": "grok", "title": "T"}
    await peer.event("page.said", page="p1", message={"kind": "early"})
    await peer.event("page.opened", **page, again=True, asks=True, visible=False)
    await peer.event("page.said", page="p1", k=7, message={"kind": "sent", "half": "\ud83d"})
    await heard.until(2)
    ((_, ref), said) = heard.all
    assert (ref.install, ref.tab, ref.site, ref.title) == (peer.install, 3, "grok", "T")
    assert (ref.again, ref.asks, ref.visible) == (True, True, False)
    assert said == ("said", ref.id, {"kind": "sent", "half": "\ud83d"}, 7)
    hub.relays.tell(ref.id, {"kind": "state"})
    told = await peer.asked("page.tell")
    assert (told["page"], told["message"]) == ("p1", {"kind": "state"})
    await peer.event("page.closed", page="p1")
    await heard.until(3)
    hub.relays.tell(ref.id, {"kind": "late"})
    assert heard.all[2] == ("closed", ref.id)
    await peer.close()


async def test_captures_that_fail_cost_nobody_the_line(hub):
    class Broken(Heard):
        def page_said(self, page_id, message, number):
            self._put("said")
            raise RuntimeError("a fault of theirs")

    heard = hub.relays.captures = Broken()
    peer = await hub.paired()
    await peer.event("page.opened", page=1, tab=1, url="u", site="grok")
    await peer.event("page.said", page=1, message={})
    await peer.event("page.said", page=1, message={})
    await heard.until(3)
    assert await hub.relays.ask("getVersion")
    await peer.close()


async def test_pages_are_closed_when_their_extension_has_gone(tmp_path, monkeypatch):
    async with relay_hub(tmp_path, monkeypatch, away_seconds=0.0) as hub:
        heard = hub.relays.captures = Heard()
        peer = await hub.paired()
        await peer.event("page.opened", page=1, tab=1, url="u", site="grok")
        await heard.until(1)
        await peer.close()
        await heard.until(2)
        assert heard.all[1][0] == "closed"


async def test_a_message_in_pieces_is_heard_whole_over_a_cut(hub):
    heard = hub.relays.captures = Heard()
    peer = await hub.paired()
    await peer.event("page.opened", page=1, tab=1, url="u", site="grok")
    await heard.until(1)
    await peer.acked()
    await peer.cut()
    await peer.event("page.said", page=1, message={"data": "é" * 3_000_000})
    await peer.resume()
    await heard.until(2)
    assert heard.all[1][2] == {"data": "é" * 3_000_000}
    await peer.close()


async def test_a_verb_that_fails_says_why(hub):
    peer = await hub.paired()
    peer.leave_open("tabs.reread")
    asking = begin(hub.relays.reread("https://grok.com/c/1"))
    await peer.refuse(await peer.asked("tabs.reread"), -32003, "no such host")
    with pytest.raises(VerbFailed, match="no such host") as caught:
        await asking
    assert caught.value.relay_code == -32003
    await peer.close()


# --- the browser behind it -----------------------------------------------------------------------


async def test_its_browser_is_used_like_any_other(hub):
    peer = await hub.paired()
    chrome = FakeChrome(peer)
    theirs = chrome.add("https://gemini.google.com/")
    async with hub.relays.line() as line:
        assert (await line.connection.call("Browser.getVersion"))["product"] == "Chrome/156"
        assert [one.url for one in await line.tabs.list()] == ["https://gemini.google.com/"]
        tab = await line.tabs.open("about:blank")
        assert chrome.created[0]["client"] == "tabwire"
        assert await tab.healthy()
        assert chrome.attached == {2}
        await line.tabs.close(tab.target)
        with pytest.raises(CommandFailed, match="wasn't found"):
            await line.connection.call("Browser.close")
    assert list(chrome.tabs) == [theirs]
    await peer.asked("debugger.detach")
    await peer.close()
