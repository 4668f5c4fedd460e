"""The extensions under /api/v1: the exact JSON, and the same values again in another process."""

import asyncio
import json
from types import SimpleNamespace

import msgspec
import pytest
import pytest_asyncio

from kit.relay_hub import relay_hub
from kit.relay_peer import SentAway
from tabwire import __version__
from tabwire.hub.relay import diagnosis
from tabwire.hub.relay.installation import Nobody
from tabwire.hub.remote.hub import RemoteHub
from tabwire.model.extensions import (
    ChosenExtension,
    DumpedFrame,
    ExtensionStatus,
    ForgottenExtension,
    Obstacle,
    PairingOutcome,
)

pytestmark = pytest.mark.asyncio

SECONDS = 60.0
NO_CODE = {"code_seconds": 0.0, "code_number": 0, "code_typed_by": None, "locked_seconds": 0.0}


@pytest_asyncio.fixture
async def hub(tmp_path, monkeypatch):
    async with asyncio.timeout(SECONDS), relay_hub(tmp_path, monkeypatch) as hub:
        yield hub


@pytest.fixture
def remote():
    return RemoteHub(start=False).extensions


async def fetched(hub, method, path, body=b"{}"):
    """Status and JSON of a route, as text: the order of keys counts too."""
    answer = await hub.door.ask(method, f"/api/v1/extensions{path}", body)
    return answer.status, json.dumps(answer.json)


def paired(known, *, connected, chosen=False):
    """A row of `installs`."""
    return {
        "name": known.name,
        "version": "0.1.0",
        "chrome": known.chrome,
        "paired_at": known.paired_at,
        "seen_at": known.seen_at,
        "connected": connected,
        "chosen": chosen,
    }


async def test_a_hub_without_extensions(hub, remote):
    expected = {
        "hub": hub.pairing.hub_id,
        "version": __version__,
        "connected": False,
        "why": {
            "message": "no extension has been paired",
            "what_to_do": "Load the folder that `tabwire extension path` prints in "
            "chrome://extensions, then run `tabwire extension pair`.",
        },
        "used": None,
        "installs": [],
        "asking": [],
        "last_refused": None,
        "dropped": {},
        **NO_CODE,
    }
    assert await fetched(hub, "GET", "") == (200, json.dumps(expected))
    assert json.dumps((await remote.status()).as_data()) == json.dumps(expected)


async def test_an_extension_that_reported_no_switches(hub, remote):
    peer = await hub.paired()
    (known,) = hub.pairing.known
    used = {"name": known.name, "version": "0.1.0", "chrome": "156", "connected": True}
    expected = {
        "hub": hub.pairing.hub_id,
        "version": __version__,
        "connected": True,
        "why": None,
        "used": {**used, "pages": 0, "waiting": 0},
        "installs": [paired(known, connected=True)],
        "asking": [],
        "last_refused": None,
        "dropped": {},
        **NO_CODE,
        "code_number": 1,
        "code_typed_by": known.name,
    }
    await peer.acked()
    assert await fetched(hub, "GET", "") == (200, json.dumps(expected))
    assert await remote.status() == await hub.relays.status()
    await peer.close()


async def test_everything_at_once(hub):
    captures = hub.relays.captures = Nobody()
    captures.dropped = SimpleNamespace(counts=lambda: {"not a message": 2, "unknown attempt": 1})
    peer = await hub.paired()
    await peer.say({"on": "switched", "enabled": False, "sites": {"grok": False}})
    await peer.say({"on": "page.opened", "page": 1, "tab": 1, "url": "u", "site": "grok"})
    await peer.acked()
    second = hub.peer(chrome="157")
    await second.dial()
    shown = json.loads((await fetched(hub, "POST", "/pair"))[1])
    with pytest.raises(SentAway, match="busy"):
        await second.pair(shown["code"])
    await fetched(hub, "POST", "/pair")
    first, other = hub.pairing.known
    used = {"name": first.name, "version": "0.1.0", "chrome": "156", "connected": True}
    status, text = await fetched(hub, "GET", "")
    found = json.loads(text)
    assert 290 < found["code_seconds"] <= 300
    expected = {
        "hub": hub.pairing.hub_id,
        "version": __version__,
        "connected": True,
        "why": {
            "message": f"{first.name} is connected, but switched off in its popup",
            "what_to_do": "Switch it on in the extension's popup, or choose another --browser.",
        },
        "used": {**used, "pages": 1, "waiting": 0, "on": False, "sites": {"grok": False}},
        "installs": [paired(first, connected=True), paired(other, connected=False)],
        "asking": [{"name": other.name, "chrome": "157"}],
        "last_refused": {
            "why": "busy",
            "message": f"{first.name} (Chrome 156) is connected already; this is {other.name}",
            "what_to_do": f"To use this one instead, run `tabwire extension use {other.name}`.",
            "at": found["last_refused"]["at"],
        },
        "dropped": {"not a message": 2, "unknown attempt": 1},
        "code_seconds": found["code_seconds"],
        "code_number": 3,
        "code_typed_by": None,
        "locked_seconds": 0.0,
    }
    assert (status, text) == (200, json.dumps(expected))
    assert json.dumps(msgspec.json.decode(text, type=ExtensionStatus).as_data()) == text
    await peer.close()


async def test_a_code_is_shown_typed_used_and_forgotten(hub):
    status, text = await fetched(hub, "POST", "/pair")
    shown = json.loads(text)
    assert (status, list(shown)) == (201, ["code", "seconds", "number", "problem"])
    assert (shown["seconds"], shown["number"], shown["problem"]) == (300.0, 1, None)
    waiting = (200, '{"paired": null, "waiting": true}')
    assert await fetched(hub, "GET", "/paired?seconds=0") == waiting
    async with hub.peer() as peer:
        await peer.pair(shown["code"])
        name = hub.pairing.known[0].name
        typed = (200, json.dumps({"paired": name, "waiting": False}))
        assert await fetched(hub, "GET", "/paired?seconds=9") == typed
        body = json.dumps({"name": name}).encode()
        assert await fetched(hub, "POST", "/use", body) == (200, json.dumps({"used": name}))
        gone = json.dumps({"forgotten": name})
        assert await fetched(hub, "POST", "/forget", body) == (200, gone)


async def test_a_stream_dump(hub, remote):
    assert await fetched(hub, "GET", "/dump") == (200, '{"frames": []}')
    captures = hub.relays.captures = Nobody()
    captures.dumped = [DumpedFrame("grok", "grok:1", "bytes", 5, 1.0)]
    frame = {"site": "grok", "attempt": "grok:1", "frame": "bytes", "size": 5, "at": 1.0}
    assert await fetched(hub, "GET", "/dump") == (200, json.dumps({"frames": [frame]}))
    assert await remote.dump() == await hub.relays.dump()


async def test_another_process_reads_every_reply(hub, remote):
    shown = await remote.pair()
    assert shown.code == hub.pairing.code.shown
    async with hub.peer() as peer:
        await peer.pair(shown.code)
        name = hub.pairing.known[0].name
        assert await remote.paired(SECONDS) == PairingOutcome(name, waiting=False)
        assert await remote.use(name) == ChosenExtension(name)
        assert await remote.forget(name) == ForgottenExtension(name)


async def test_why_a_code_may_not_help(hub, remote, monkeypatch):
    monkeypatch.setattr(diagnosis, "holder", lambda: SimpleNamespace(port=9999))
    monkeypatch.setenv("TABWIRE_PORT", "9999")
    message = (
        "the hub listens on port 9999, but extensions look for it on 8766 until another port is set"
    )
    what_to_do = "Set port 9999 in the extension's options."
    shown = json.loads((await fetched(hub, "POST", "/pair"))[1])
    assert shown["problem"] == {"message": message, "what_to_do": what_to_do}
    assert (await remote.pair()).problem == Obstacle(message, what_to_do)
