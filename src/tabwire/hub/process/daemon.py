"""The hub as a process: from its lock to its end.

Theory of operation. In order: the lock, so that there is one hub; the sockets, so that whoever
comes now waits in line; the doors, which answer what needs no jobs; store and jobs, which take
longest, and for which calls wait (`startup.py`). It ends on a signal, when a
door is told to stop it, or when nobody has used it for a while. Then the doors close, jobs that
run are left for the next hub, and the browser line is given back. That has three seconds; after
five the process is gone, whatever hangs. Browsers we started have keepers, which end them when
we are gone, so even then none is left behind.
"""

import asyncio
import os
import signal
import threading
import time
from collections.abc import Callable, Coroutine, Sequence
from contextlib import AbstractAsyncContextManager, AsyncExitStack, suppress
from dataclasses import dataclass, field, replace
from typing import Any, NoReturn

from tabwire.config.home import home, run_folder, unusable, usable_home
from tabwire.config.settings import Settings, Told
from tabwire.hub.local.hub import Guests, LocalHub
from tabwire.hub.process.lock import (
    Holder,
    HubLock,
    HubRunsAlready,
    keep_place,
    place_taken,
    socket_path,
    this_process,
)
from tabwire.hub.process.sockets import API, HAS_UNIX, Sockets, knock, open_sockets
from tabwire.hub.process.startup import hub_to_be
from tabwire.model.errors import BadSetting, TabwireError

CLEAN_SECONDS = 3.0
GONE_SECONDS = 4.8  # a little less than the five promised, for the system to bury us
FREE_SECONDS = 6.0  # for a hub that is ending to be gone, which takes it five at most
TELL_SECONDS = 1.5  # for doors to say why there will be no hub, also to who comes just now
LOOK_FOR_SECONDS = 0.02
LOOK_SECONDS = 15.0  # how often we look whether anybody uses us, at most

Doors = Callable[[LocalHub, Sockets, "Ending"], Sequence[Coroutine[Any, Any, None]]]
"""What serves: each runs until it is cancelled."""

Build = Callable[[Settings], AbstractAsyncContextManager[LocalHub]]


@dataclass(slots=True)
class Ending:
    """The end of this hub: who wants it, and whether a new one shall take its place."""

    why: str = ""
    restart: bool = False
    _asked: asyncio.Event = field(default_factory=asyncio.Event)

    def ask(self, why: str, *, restart: bool = False) -> None:
        """Let it end. The first word counts."""
        if not self._asked.is_set():
            self.why, self.restart = why, restart
            self._asked.set()

    async def asked(self) -> None:
        """Returns when somebody wants the end."""
        await self._asked.wait()


@dataclass(frozen=True, slots=True)
class Ended:
    """How a hub ended. One that hung is not here any more to say so."""

    why: str
    restart: bool


def run_hub(
    told: Told,
    doors: Doors,
    *,
    build: Build | None = None,
    on_demand: bool = False,
    ready: Callable[[Sockets], None] = lambda _sockets: None,
) -> Ended:
    """Be the hub until the end. Raises `HubRunsAlready`, and what keeps it from starting.

    `ready` is called as soon as doors may knock.
    """
    with usable_home():
        return _run_hub(told, doors, build, on_demand=on_demand, ready=ready)


def _run_hub(
    told: Told,
    doors: Doors,
    build: Build | None,
    *,
    on_demand: bool,
    ready: Callable[[Sockets], None],
) -> Ended:
    check_home()
    early = _hear_early()
    ourselves = this_process()
    lock = _taken_lock(ourselves)
    try:
        chosen = told.origins.get("port", "default") != "default"
        sockets = open_sockets(told.settings.port, or_another=not chosen)
        try:
            lock.tell(replace(ourselves, port=sockets.port))
            place_taken()
            ready(sockets)
            ended = asyncio.run(_serve(told, doors, build, sockets, early, on_demand=on_demand))
            if ended.restart:
                keep_place()
        finally:
            sockets.close()
    finally:
        lock.release()
    if not ended.restart and any(isinstance(one, _Loading) for one in threading.enumerate()):
        leave(0)  # it was ended before it had begun anything
    return ended


def _taken_lock(ourselves: Holder) -> HubLock:
    """The lock; from a hub that does not answer any more as soon as it is gone."""
    lock, until = HubLock(), time.monotonic() + FREE_SECONDS
    while True:
        try:
            lock.take(ourselves)
            return lock
        except HubRunsAlready:
            if time.monotonic() >= until or not HAS_UNIX or knock(socket_path(API)):
                raise
        time.sleep(LOOK_FOR_SECONDS)


def check_home() -> None:
    """What others could have put there is not to be trusted."""
    run = run_folder()
    for folder in (home(), run):
        if folder.stat().st_mode & 0o002:
            why = "is writable by everyone"
            raise BadSetting("TABWIRE_HOME", str(folder), why, f"chmod o-w {folder}")
    if run.is_symlink():
        why, remedy = (
            "is a symbolic link",
            "Remove the link; the folder is created automatically.",
        )
        raise BadSetting("TABWIRE_HOME", str(run), why, remedy)
    if os.name == "posix":
        run.chmod(0o700)


async def _serve(
    told: Told,
    doors: Doors,
    build: Build | None,
    sockets: Sockets,
    early: list[str],
    *,
    on_demand: bool,
) -> Ended:
    from tabwire.config.logs import get_log, where

    log = get_log()
    log.info("the hub starts", port=sockets.port, on_demand=on_demand)
    for warning in told.warnings:
        log.warn(warning)
    if sockets.port_wanted not in (0, sockets.port):
        log.warn("the port is in use by another program", wanted=sockets.port_wanted)
    ending = Ending()
    _hear_signals(ending)
    for name in early:
        ending.ask(name)
    failed: list[Exception] = []

    async def live() -> None:
        idle = told.settings.idle_minutes * 60 if on_demand else 0.0
        try:
            await _live(told.settings, doors, build, sockets, ending, idle)
        except Exception as exc:  # noqa: BLE001 - whatever it was, the rest is ended in order
            failed.append(exc)
            ending.ask(f"it failed: {exc}")

    async with asyncio.TaskGroup() as group:
        living = group.create_task(live())
        await ending.asked()
        _force_later()  # first: what is said of it may hang too
        log.info("the hub is stopping", why=ending.why)
        living.cancel()
        done, _ = await asyncio.wait((living,), timeout=CLEAN_SECONDS)
        if not done:
            for one in failed:  # nobody will say it later
                log.error("the hub failed", error=one, kind=type(one).__name__, where=where(one))
            log.error("clean-up took too long; the hub exits now", seconds=CLEAN_SECONDS)
            sockets.close()
            leave()
    for one in failed:
        log.error("the hub failed", error=one, kind=type(one).__name__, where=where(one))
        if ending.why.startswith("it failed"):
            raise one
    return Ended(ending.why, ending.restart)


async def _live(
    now: Settings,
    doors: Doors,
    build: Build | None,
    sockets: Sockets,
    ending: Ending,
    idle_seconds: float,
) -> None:
    real: asyncio.Future[LocalHub] = asyncio.get_running_loop().create_future()
    failed: Exception | None = None
    # the stack is closed last: the doors close before what they use
    async with AsyncExitStack() as stack, asyncio.TaskGroup() as group:
        hub = hub_to_be(now, real)
        tasks = [group.create_task(door) for door in doors(hub, sockets, ending)]

        def fail(exc: Exception) -> None:
            nonlocal failed  # raised below, when the doors are closed
            failed = exc
            for task in tasks:
                task.cancel()

        async def fail_when_lost(lost: asyncio.Future[TabwireError]) -> None:
            fail(await lost)

        try:
            if build is None:
                build = await _Loading().loaded
            real.set_result(await stack.enter_async_context(build(now)))
        except Exception as exc:  # noqa: BLE001 - whatever it was, the doors are closed first
            named = unusable(exc) or exc if isinstance(exc, OSError) else exc
            real.set_exception(named)  # whoever waits for the hub at a door is told why
            real.exception()
            await asyncio.sleep(TELL_SECONDS)
            fail(named)
        else:
            tasks.append(group.create_task(_clean_sessions(hub)))
            built = real.result()
            if built.lost is not None:
                tasks.append(group.create_task(fail_when_lost(built.lost)))
            if idle_seconds:
                leaving = _leave_when_idle(hub, ending, idle_seconds, built.guests)
                tasks.append(group.create_task(leaving))
    if failed is not None:
        raise failed


class _Loading(threading.Thread):
    """The import of what a hub is made of. In a thread, because it takes a second and doors have
    clients by now; and in one that nobody waits for when the end comes first."""

    def __init__(self) -> None:
        super().__init__(name="loading", daemon=True)
        self._loop = asyncio.get_running_loop()
        self.loaded: asyncio.Future[Build] = self._loop.create_future()
        self.start()

    def run(self) -> None:
        """Import it, and tell the loop."""
        try:
            from tabwire.hub.process.assembly import running_hub
        except Exception as exc:  # noqa: BLE001 - raised where it is waited for
            self._tell(self.loaded.set_exception, exc)
        else:
            self._tell(self.loaded.set_result, running_hub)

    def _tell(self, settle: Callable[[Any], None], what: object) -> None:
        def tell() -> None:
            if not self.loaded.done():
                settle(what)

        with suppress(RuntimeError):  # the loop has ended
            self._loop.call_soon_threadsafe(tell)


async def _clean_sessions(hub: LocalHub) -> None:
    """Forget agents that were away for too long, now and then."""
    while True:
        await asyncio.sleep(hub.settings.cleanup_interval_minutes * 60)
        await hub.sessions.clean()


async def _leave_when_idle(
    hub: LocalHub, ending: Ending, seconds: float, inside: Guests | None = None
) -> None:
    """Nobody connected, nothing under way, nothing followed (`inside`), for that long."""
    from tabwire.model.job import JobState

    used_at = time.monotonic()
    inside = inside or Guests()
    while True:
        await asyncio.sleep(min(LOOK_SECONDS, seconds / 4))
        used_at = max(used_at, hub.guests.left_at)
        if hub.guests.count or inside.count or await hub.jobs.recent(1, states=(JobState.WORKING,)):
            used_at = time.monotonic()
        elif time.monotonic() - used_at >= seconds:
            ending.ask("it was idle")
            return


SIGNALS = {name: getattr(signal, name, None) for name in ("SIGTERM", "SIGINT", "SIGHUP")}


def _hear_early() -> list[str]:
    """The signals that come before there is a loop to hear them."""
    heard: list[str] = []
    for name, number in SIGNALS.items():
        if number is not None:
            with suppress(ValueError):  # not in the main thread
                signal.signal(number, lambda *_, name=name: heard.append(name))
    return heard


def _hear_signals(ending: Ending) -> None:
    loop = asyncio.get_running_loop()
    for name, number in SIGNALS.items():
        if number is None:
            continue
        try:
            loop.add_signal_handler(number, ending.ask, name)
        except (NotImplementedError, RuntimeError):  # Windows; not in the main thread
            with suppress(ValueError):
                signal.signal(
                    number, lambda *_, name=name: loop.call_soon_threadsafe(ending.ask, name)
                )


def _force_later() -> None:
    """Whatever hangs, a blocked loop or a thread that never returns: then we are gone."""
    timer = threading.Timer(GONE_SECONDS, leave)
    timer.daemon = True
    timer.start()


def leave(code: int = 1) -> NoReturn:
    """Leave at once, without asking anything or anybody that may hang."""
    os._exit(code)
