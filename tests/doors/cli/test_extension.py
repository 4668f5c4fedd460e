"""`tabwire extension …`: one real hub, seen from a terminal, with an extension in Python."""

import asyncio
import json
import socket
from contextlib import suppress

import pytest

from kit.hub_process import kill_hub, program, tabwire
from kit.relay_peer import Peer, SentAway
from tabwire import __version__
from tabwire.hub.process.lock import holder

SECONDS = 120.0


@pytest.fixture
def home(tmp_path, monkeypatch):
    place = tmp_path / "h"
    place.mkdir(mode=0o700)
    monkeypatch.setenv("TABWIRE_HOME", str(place))
    yield place
    kill_hub(place)


def test_without_a_hub_it_is_said_and_no_trace_is_left(home, root):
    status = tabwire(home, "extension", "status")
    assert (status.returncode, status.stdout[:13]) == (1, "not connected")
    told = json.loads(tabwire(home, "extension", "status", "--json").stdout)
    assert (told["running"], told["connected"]) == (False, False)
    folder = tabwire(home, "extension", "path").stdout.strip()
    assert folder == str(root / "extension")
    assert list(home.iterdir()) == []


def test_a_port_that_another_program_has_is_said_where_pairing_could_not_work(home):
    """Extensions look for a hub at the usual port; a hub that could not have it is not found."""
    with socket.socket() as other:
        with suppress(OSError):  # somebody has it already: as good
            other.bind(("127.0.0.1", 8766))
            other.listen()
        with program(home, "-m", "tabwire", "extension", "pair", TABWIRE_PORT="") as pairing:
            assert pairing.stdout.readline().startswith("code: ")
            told = "".join(pairing.stderr.readline() for _ in range(3))
        assert "another program uses port 8766" in told
        assert "tabwire restart" in told
        port = holder(home / "run").port
        assert f"set port {port} in the extension's options" in told
        status = tabwire(home, "extension", "status", TABWIRE_PORT="")
        assert "another program uses port 8766" in status.stdout
        assert "tabwire restart" in status.stdout


def test_a_port_that_was_chosen_is_told_to_whoever_pairs(home):
    with program(home, "-m", "tabwire", "extension", "pair") as pairing:
        assert pairing.stdout.readline().startswith("code: ")
        told = "".join(pairing.stderr.readline() for _ in range(3))
    assert f"Set port {holder(home / 'run').port} in the extension's options." in told


@pytest.mark.asyncio
async def test_it_is_paired_listed_changed_and_forgotten(home):
    def run(*words):
        return asyncio.to_thread(tabwire, home, "extension", *words)

    async with asyncio.timeout(SECONDS):
        with program(home, "-m", "tabwire", "extension", "pair") as pairing:
            said = await asyncio.to_thread(pairing.stdout.readline)
            code = said.removeprefix("code: ").strip()
            peer = Peer(holder(home / "run").port)
            await peer.dial()
            await peer.pair(code)
            rest = await asyncio.to_thread(pairing.stdout.read)
            assert rest == "paired: chrome-inst\n"
            await asyncio.to_thread(pairing.wait)
            assert pairing.returncode == 0

        listed = await run("list", "--json")
        (one,) = map(json.loads, listed.stdout.splitlines())
        assert (one["name"], one["connected"], one["chrome"]) == ("chrome-inst", True, "156")
        assert peer.key not in listed.stdout
        status = await run("status")
        assert status.returncode == 0
        assert f"extension 0.1.0, Tabwire {__version__}" in status.stdout

        page = {"page": 7, "tab": 1, "url": "https://grok.com/", "site": "grok", "title": ""}
        await peer.say({"on": "page.opened", **page})
        attempt = "grok:00000000-0000-4000-8000-000000000000"
        frame = {"kind": "dump", "attempt": attempt, "frame": "bytes", "size": 5, "at": 1.0}
        await peer.say({"on": "page.said", "page": 7, "message": {**frame, "data": "secret"}})
        while not (dumped := (await run("dump", "--json")).stdout):
            pass  # it is on its way
        assert json.loads(dumped) == {
            "site": "grok", "attempt": attempt, "frame": "bytes", "size": 5, "at": 1.0,
        }  # fmt: skip
        assert attempt in (await run("dump")).stdout

        second = Peer(peer.port, chrome="157")
        await second.dial()
        told = await second.say_hello()
        with program(home, "-m", "tabwire", "extension", "pair", "--json") as pairing:
            code = json.loads(await asyncio.to_thread(pairing.stdout.readline))["code"]
            with pytest.raises(SentAway, match="busy"):
                await second.type_code(code, told)
            name = json.loads(await asyncio.to_thread(pairing.stdout.read))["paired"]
        assert "is waiting to connect" in (await run("status")).stdout
        assert (await run("use", name)).stdout == f"switched to: {name}\n"
        await second.resume()
        assert "waiting" not in (await run("list")).stdout

        assert (await run("forget", name)).stdout == f"unpaired: {name}\n"
        await second.hung_up()
        gone = await run("forget", name)
        assert gone.returncode == 1
        assert f"there is no paired extension '{name}'" in gone.stderr
        assert "tabwire extension list" in gone.stderr
    log = (home / "logs" / "hub.log").read_text()
    assert "an unknown extension wants to connect" in log
    assert "an extension reported its version" in log
    for secret in (peer.key, second.key, code, code.replace("-", "")):
        assert secret not in log
