"""Jobs that outlive the process, on DBOS: each is a workflow of one step, `carry`.

Theory of operation. DBOS writes a workflow down before it starts and, in the next process, starts
those again that have no end. That is all we want of it; what a job is and how far it got stands
in our own store. Its guards, each against something that was seen:

- It has a thread and an event loop of its own: starting it takes half a second, and it puts a
  thread pool of its own under whatever loop it is called in. Jobs themselves run in the hub's loop.
- Order and width are ours (`lanes`): its queues look for work by a timer, and on SQLite they know
  only whole seconds.
- SQLite gets an engine of our own: a journal that does not block readers, and `unixepoch` where
  the library is too old to know parts of a second.
- `executor_id` and `application_version` never change, else nothing of before is found again.
- One hub at a time per home: two with the same id would run the same work (hub/process/lock.py).
- What is cancelled because we stop keeps no end, and so is begun again by the next process.
- SQLAlchemy's mapper, which it brings, is imported before anything runs: while another thread
  imports it, statements of ours fail on what is only half there.
- Its log goes through ours, errors only: below that it advertises, and warns of every stop.
"""

import asyncio
import logging
import secrets
import sqlite3
import threading
import time
from collections.abc import Coroutine
from contextlib import AbstractContextManager
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import sqlalchemy
import sqlalchemy.orm
from sqlalchemy import URL, event

from tabwire.queue.engine import Carry
from tabwire.queue.lanes import Lanes
from tabwire.store.sqlite import make_file, named_errors

if TYPE_CHECKING:
    from dbos import DBOSConfig

T = TypeVar("T")

NAME = "tabwire"
VERSION = "1"  # of what we hand to DBOS; raised by hand when the work of before cannot be read
EXECUTOR = "hub"
LIVING = ["PENDING", "ENQUEUED"]
OVER = ["SUCCESS", "ERROR", "CANCELLED"]
BUSY_MILLISECONDS = 30_000
LAST_SECONDS = 0.5  # for what ended to write its end down
LISTEN_SECONDS = 0.2  # DBOS looks for messages between workflows, of which we have none
KNOWS_PARTS_OF_SECONDS = (3, 42)  # SQLite since then

logger = logging.getLogger(__name__)


class DurableEngine:
    """Runs jobs, and what a process that died left behind. One per process at a time."""

    def __init__(self, database: Path | str, *, width: int) -> None:
        self._database = database
        self._lanes = Lanes(width)
        self._carry: Carry | None = None
        self._tasks: dict[str, asyncio.Task[None]] = {}
        self._dropped: set[str] = set()
        self._stopping = False
        self._known = asyncio.Event()  # what was left behind has its places
        self._hub: asyncio.AbstractEventLoop | None = None
        self._dbos: _DbosThread | None = None

    async def start(self, carry: Carry) -> None:
        """Begin to work, first of all on what a process that died left behind."""
        global _running
        if _running is not None:
            raise RuntimeError("DBOS is already running in this process: only one engine at a time")
        self._carry = carry
        self._hub = asyncio.get_running_loop()
        _running = self
        self._dbos = _DbosThread()
        try:
            with _errors(self._database):
                left = await self._dbos.call(_launch(self._database, self._dbos))
        except BaseException:
            await self._end()
            raise
        for job_id, lane, position in left:
            self._lanes.take_place(job_id, lane, position)
        self._known.set()

    async def add(self, job_id: str, *, lane: str, position: int) -> None:
        """Have a job carried out; it is on disk when this returns. Idempotent."""
        if self._dbos is None:
            raise RuntimeError("this engine is not running")
        if self._lanes.take_place(job_id, lane, position):
            try:
                await self._dbos.call(_begin(job_id, lane, position))
            except Exception:
                self._lanes.leave(job_id)
                raise

    async def drop(self, job_id: str) -> None:
        """It need not be carried out any more."""
        if job_id not in self._lanes:
            return
        self._dropped.add(job_id)
        if (task := self._tasks.get(job_id)) is not None:
            task.cancel()
        await self._lanes.gone(job_id)  # also one whose work has not come to our loop yet

    async def stop(self, seconds: float) -> None:
        """Begin nothing more; cancel what runs, so that the next process goes on with it."""
        if self._dbos is None or self._stopping:
            return
        self._stopping = True
        tasks = list(self._tasks.values())
        for task in tasks:
            task.cancel()
        if tasks:
            await asyncio.wait(tasks, timeout=seconds)
        await self._end()

    async def _end(self) -> None:
        global _running
        dbos, self._dbos = self._dbos, None
        if dbos is not None:
            await dbos.end()
        _running = None

    async def run(self, job_id: str, lane: str, position: int) -> None:
        """One job, from its turn to its end; in the hub's loop, for a workflow that waits."""
        assert self._carry is not None
        task = asyncio.current_task()
        assert task is not None
        await self._known.wait()
        if self._ending():
            raise asyncio.CancelledError
        if job_id in self._tasks:
            return  # two workflows of one job, of two hubs say: it is carried out once
        self._lanes.take_place(job_id, lane, position)
        self._tasks[job_id] = task
        try:
            if job_id not in self._dropped:
                await self._lanes.turn(job_id)
                await self._carry(job_id)
        except asyncio.CancelledError:
            if self._ending() or job_id not in self._dropped:
                raise
        except Exception:  # the top of a task: one job must not take the others with it
            logger.exception("a job ended with an unexpected error")
        finally:
            self._tasks.pop(job_id, None)
            self._dropped.discard(job_id)
            self._lanes.leave(job_id)

    def _ending(self) -> bool:
        return self._stopping  # asked again after a wait, which mypy does not see

    def send(self, job_id: str, lane: str, position: int) -> "asyncio.Future[None]":
        """Have it run in the hub's loop, and wait for it in DBOS's."""
        assert self._hub is not None
        if self._stopping:
            raise asyncio.CancelledError
        run = self.run(job_id, lane, position)
        return asyncio.wrap_future(asyncio.run_coroutine_threadsafe(run, self._hub))


_running: DurableEngine | None = None
"""DBOS is one per process, and finds its workflows by name: so they find us here. It chooses
nothing: there is one engine at most, and a second one is refused (`start`)."""


class _DbosThread:
    """A thread with a loop, in which everything of DBOS is called."""

    def __init__(self) -> None:
        self.engine: sqlalchemy.Engine | None = None
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._work, name="tabwire-queue", daemon=True)
        self._thread.start()

    async def call(self, work: Coroutine[Any, Any, T]) -> T:
        """Do this there, and wait for it here."""
        done = asyncio.run_coroutine_threadsafe(work, self._loop)
        return await asyncio.shield(asyncio.wrap_future(done))

    async def end(self) -> None:
        """End DBOS, what waits in it, and the thread."""
        await self.call(_close(self))
        self._loop.call_soon_threadsafe(self._loop.stop)
        await asyncio.to_thread(self._thread.join)

    def _work(self) -> None:
        asyncio.set_event_loop(self._loop)
        try:
            self._loop.run_forever()
        finally:
            self._loop.close()


# --- in DBOS's thread ----------------------------------------------------------------------------


@cache
def _workflow() -> Any:
    """Registered once in the life of a process; DBOS is imported when it is needed."""
    from dbos import DBOS

    # Without a bound on recoveries: a hub may be killed as often as it likes.
    @DBOS.workflow(name="carry", max_recovery_attempts=None)
    async def carry(job_id: str, lane: str, position: int) -> None:
        if _running is None:
            raise asyncio.CancelledError  # no end is written down: the next process does it
        await _running.send(job_id, lane, position)

    return carry


async def _launch(database: Path | str, thread: _DbosThread) -> list[tuple[str, str, int]]:
    """Start DBOS; what it was left with, in any order."""
    from dbos import DBOS

    _through_our_log()
    _workflow()
    config = _config(database)
    thread.engine = config.get("system_database_engine")
    DBOS(config=config)
    DBOS.launch()
    if over := await DBOS.list_workflows_async(status=OVER, load_input=False, load_output=False):
        await DBOS.delete_workflows_async([one.workflow_id for one in over])
    left = await DBOS.list_workflows_async(status=LIVING, load_output=False)
    return [tuple(one.input["args"]) for one in left if one.input is not None]


async def _begin(job_id: str, lane: str, position: int) -> None:
    from dbos import DBOS, SetWorkflowID

    # a job may be carried out again after it rested, a workflow may not
    with SetWorkflowID(f"{job_id}.{secrets.token_hex(4)}"):
        await DBOS.start_workflow_async(_workflow(), job_id, lane, position)


async def _close(thread: _DbosThread) -> None:
    from dbos import DBOS

    mine = asyncio.current_task()
    others = [task for task in asyncio.all_tasks() if task is not mine]
    if others:  # what ended in the hub's loop writes its end down
        _done, late = await asyncio.wait(others, timeout=LAST_SECONDS)
        for task in late:
            task.cancel()
        await asyncio.gather(*late, return_exceptions=True)
    DBOS.destroy()
    if thread.engine is not None:
        thread.engine.dispose()


def _config(database: Path | str) -> "DBOSConfig":
    config: DBOSConfig = {
        "name": NAME,
        "application_version": VERSION,
        "executor_id": EXECUTOR,
        "log_level": "ERROR",
        "enable_otlp": False,
        "notification_listener_polling_interval_sec": LISTEN_SECONDS,
    }
    if isinstance(database, Path):
        make_file(database)
        url = URL.create("sqlite", database=str(database.absolute()))
        config["system_database_url"] = url.render_as_string()
        config["system_database_engine"] = _sqlite_engine(url)
    else:
        from tabwire.store.postgres import KINDS, address

        plain = address(database).set(drivername=KINDS[0])
        config["system_database_url"] = plain.render_as_string(hide_password=False)
    return config


def _errors(database: Path | str) -> AbstractContextManager[None]:
    """What the database says, in our words. Nothing of the queue is repaired: what is to be done
    stands in the store as well, so a file that is moved away costs nothing."""
    if isinstance(database, Path):
        return named_errors(database)
    from tabwire.store import postgres

    return postgres.named_errors(postgres.named(postgres.address(database)))


def _sqlite_engine(url: URL) -> sqlalchemy.Engine:
    engine = sqlalchemy.create_engine(url, hide_parameters=True)

    @event.listens_for(engine, "connect")
    def connected(connection: sqlite3.Connection, _: object) -> None:
        connection.isolation_level = "IMMEDIATE"
        connection.execute("PRAGMA journal_mode = WAL")
        # A power cut may cost the newest entries: the hub puts in again what its store has.
        connection.execute("PRAGMA synchronous = NORMAL")
        connection.execute(f"PRAGMA busy_timeout = {BUSY_MILLISECONDS}")
        connection.execute("PRAGMA foreign_keys = ON")
        if sqlite3.sqlite_version_info < KNOWS_PARTS_OF_SECONDS:
            connection.create_function("unixepoch", -1, _unixepoch)

    return engine


def _unixepoch(*words: str) -> float | int:
    """`unixepoch()` and `unixepoch('subsec')`, as newer versions of SQLite have them."""
    now = time.time()
    return now if {"subsec", "subsecond"} & set(words) else int(now)


def _through_our_log() -> None:
    """A handler that is there keeps DBOS from adding one that writes to the terminal."""
    log = logging.getLogger("dbos")
    if not log.handlers:
        log.addHandler(logging.NullHandler())
