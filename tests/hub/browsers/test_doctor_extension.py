"""What `tabwire doctor` says of the extension: both versions, is it connected, what helps."""

import asyncio

import pytest
import pytest_asyncio

from kit.relay_hub import relay_hub
from kit.relay_peer import SentAway
from tabwire.hub.browsers import doctor as subject
from tabwire.hub.browsers.doctor import extension_check
from tabwire.hub.local.browsers import LocalBrowsers, _status_from_running_hub

pytestmark = pytest.mark.asyncio

SECONDS = 60.0


@pytest_asyncio.fixture
async def hub(tmp_path, monkeypatch):
    monkeypatch.setattr(subject, "extension_version", lambda: "0.1.0")
    async with asyncio.timeout(SECONDS), relay_hub(tmp_path, monkeypatch) as hub:
        yield hub


async def test_without_a_hub_nothing_is_wrong(tmp_path, monkeypatch):
    monkeypatch.setenv("TABWIRE_HOME", str(tmp_path))
    found = await extension_check(_status_from_running_hub)
    assert (found.result, found.says[:17]) == ("good", "No hub is running")
    assert list(tmp_path.iterdir()) == []


async def test_who_has_none_is_told_how_to_have_one(hub):
    found = await extension_check(_status_from_running_hub)
    assert (found.result, "tabwire extension path" in found.remedy) == ("good", True)


@pytest.mark.parametrize("version, result", [("0.1.0", "good"), ("0.0.9", "warn")])
async def test_one_that_is_connected_is_shown_with_both_versions(hub, version, result):
    peer = await hub.paired(version=version)
    found = await extension_check(_status_from_running_hub)
    assert found.result == result
    assert f"version {version} in Chrome 156; Tabwire" in found.says
    checks = [one async for one in LocalBrowsers().doctor((), browser="extension")]
    names = ["settings", "browser", "extension", "line", "profile"]
    assert [one.name for one in checks] == names
    assert checks[-1].says == "Chrome/156, with the profile it was started with."
    await peer.close()


async def test_one_that_is_away_says_why(hub, monkeypatch):
    monkeypatch.setattr(hub.relays, "_away_seconds", 0.0)
    await (await hub.paired()).close()
    found = await extension_check(_status_from_running_hub)
    assert (found.result, found.remedy) == ("warn", "Look at chrome://extensions.")
    async with hub.peer() as peer:
        with pytest.raises(SentAway):
            await peer.say_hello(protocol=0)
    found = await extension_check(_status_from_running_hub)
    assert "speaks protocol 0" in found.says
    assert "Update the extension" in found.remedy
    monkeypatch.setattr(type(hub.relays).wait_connected, "__defaults__", (0.0,))
    checks = [one async for one in LocalBrowsers().doctor((), browser="extension")]
    assert (checks[-1].name, checks[-1].result) == ("line", "bad")
    assert "extension not connected" in checks[-1].says
