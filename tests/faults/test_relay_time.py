"""What only time brings about: an idle worker that Chrome ends, a line that goes silent (F08, F14).

With the real spans, so each takes about a minute.
"""

import socket

import pytest

from kit.scripted_hub import ScriptedHub, listening_hub, scripted_hub

pytestmark = [
    pytest.mark.asyncio,
    pytest.mark.soak,
    pytest.mark.timeout(400),
    pytest.mark.xdist_group("extension"),
]

PATIENCE = 150.0  # a guard; the promises are 35 and 40 s


async def test_a_worker_that_chrome_ended_is_woken_and_finds_a_hub_that_came(extension):
    """No page is open and no hub there: nothing keeps it but the alarm, which comes as often as
    Chrome ends idle workers; it is put off once here, so that the worker does end."""
    hub = ScriptedHub()
    key = bytes(range(32))
    hub.keys[await extension.know(hub.id, key)] = key
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    await extension.point_at(port)
    late = "{delayInMinutes: 1.5, periodInMinutes: 0.5}"
    await extension.evaluate(f"chrome.alarms.create('look for the hub', {late})")
    async with extension.worker_ends(PATIENCE):
        pass
    async with listening_hub(hub, port):
        await hub.joined()


async def test_a_quiet_line_keeps_its_worker(extension):
    """Three pings are a minute without another word: twice as long as an idle worker lives."""
    async with scripted_hub() as hub:
        await extension.join(hub)
        await hub.pinged(3, PATIENCE)
        assert hub.opened == 1
        assert hub.ready.is_set()


async def test_a_hub_that_is_heard_no_more_is_dialled_anew(extension):
    async with scripted_hub() as hub:
        await extension.join(hub)
        hub.hearing.clear()
        await hub.greeted(2)
        hub.hearing.set()
        await hub.joined(2)
