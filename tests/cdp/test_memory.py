"""The script answers like a browser: later, in order, and not at all where it is silent."""

import asyncio

import pytest

from tabwire.cdp.connection import Connection
from tabwire.cdp.memory import Command, MemoryCarrier

pytestmark = pytest.mark.asyncio

SECONDS = 30.0


async def test_what_is_said_is_delivered_in_order_and_not_inside_the_saying():
    carrier = MemoryCarrier()
    got = []
    over = asyncio.get_running_loop().create_future()
    carrier.start(got.append, over.set_result)
    carrier.say(b"1")
    carrier.emit("A.b")
    carrier.cut()
    carrier.say(b"never")
    assert got == []
    async with asyncio.timeout(SECONDS):
        await over
    assert got == [b"1", b'{"method":"A.b","params":{}}']


async def test_an_answer_may_look_at_its_command():
    async with asyncio.timeout(SECONDS):
        carrier = MemoryCarrier()
        carrier.answer("A.double", lambda command: {"n": 2 * command.params["n"]})
        async with Connection(carrier) as line:
            assert await line.call("A.double", {"n": 21}, session="S") == {"n": 42}
    assert carrier.sent == [Command(1, "A.double", {"n": 21}, "S")]


async def test_a_listener_that_raises_does_not_stop_the_script():
    async with asyncio.timeout(SECONDS):
        faults, heard = [], []
        asyncio.get_running_loop().set_exception_handler(lambda _, fault: faults.append(fault))
        carrier = MemoryCarrier()
        carrier.answer("A.b", {})
        async with Connection(carrier) as line:
            line.listen("A.bad", lambda _: {}["a internal error"])
            line.listen("A.good", heard.append)
            carrier.emit("A.bad")
            carrier.emit("A.good")
            await line.call("A.b")
    assert (len(faults), len(heard)) == (1, 1)
