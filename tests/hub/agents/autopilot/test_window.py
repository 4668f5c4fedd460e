"""A driven window and its lock, without a browser."""

import asyncio
import threading
from contextlib import asynccontextmanager
from types import SimpleNamespace

from tabwire.autopilot.ruling import Seat
from tabwire.hub.agents.autopilot.window import DrivenWindow


class SlowLock:
    """Its `take` is in a thread that cannot be stopped: it ends when it is let go."""

    def __init__(self):
        self.asked, self.go = threading.Event(), threading.Event()
        self.held = False

    def take(self):
        self.asked.set()
        assert self.go.wait(60)
        self.held = True

    def release(self):
        self.held = False


class Window(SimpleNamespace):
    @asynccontextmanager
    async def listening(self, _hear):
        yield

    def is_at(self, _target):
        return True


async def given(_why_not):
    raise AssertionError("nobody drives")


def test_a_lock_that_is_taken_after_the_driver_was_cancelled_is_released():
    """Else the next driver of this process stands by until the claim is stale."""
    lock = SlowLock()
    seat = Seat("key", "name", "workspace")
    window = Window(listed=None, ended=None, attachment=object())
    driven = DrivenWindow(
        seat,
        window,
        lock,
        given,
        lambda _event: None,
        approval_seconds=1.0,
        seat_in=lambda _window: seat,
    )

    async def run():
        async with asyncio.TaskGroup() as group:
            driving = group.create_task(driven.run())
            await asyncio.to_thread(lock.asked.wait, 60)
            driving.cancel()
            await asyncio.sleep(0)
            lock.go.set()

    asyncio.run(run())
    assert not lock.held
