"""What every engine promises, kept by each of them."""

import asyncio
import os
import sqlite3
import subprocess
import sys
from contextlib import asynccontextmanager
from pathlib import Path

import anyio
import pytest

from tabwire.queue import durable
from tabwire.queue.durable import DurableEngine
from tabwire.queue.late import LateEngine
from tabwire.queue.memory import MemoryEngine
from tabwire.store.errors import StoreDamaged, StoreNotWritable

pytestmark = [pytest.mark.asyncio, pytest.mark.xdist_group("dbos")]

CHILD = Path(__file__).with_name("engine_child.py")
STOP_SECONDS = 3.0
TEST_SECONDS = 30.0


class Work:
    """What an engine is given to carry out: each job goes on until it is let go."""

    def __init__(self):
        self.begun = []
        self.now = set()
        self.most = 0
        self.cancelled = []
        self._free = {}
        self._changed = asyncio.Event()

    async def carry(self, job_id):
        self.begun.append(job_id)
        self.now.add(job_id)
        self.most = max(self.most, len(self.now))
        self._changed.set()
        try:
            await self._gate(job_id).wait()
        except asyncio.CancelledError:
            self.cancelled.append(job_id)
            raise
        finally:
            self.now.discard(job_id)
            self._changed.set()

    def _gate(self, job_id):
        return self._free.setdefault(job_id, asyncio.Event())

    def let_go(self, *job_ids):
        for job_id in job_ids:
            self._gate(job_id).set()

    async def until(self, so):
        async with asyncio.timeout(TEST_SECONDS):
            while not so():
                self._changed.clear()
                await self._changed.wait()


@pytest.fixture(params=["memory", "late", "sqlite", "postgres"])
def engines(request, tmp_path):
    """Makes engines over one and the same memory, file or database."""
    if request.param == "memory":
        return lambda width=1: MemoryEngine(width=width)
    if request.param == "late":
        return lambda width=1: LateEngine(MemoryEngine(width=width))
    return durable_engines(request, tmp_path, request.param)


@pytest.fixture(params=["sqlite", "postgres"])
def lasting(request, tmp_path):
    """Those that outlive their process."""
    return durable_engines(request, tmp_path, request.param)


def durable_engines(request, folder, kind):
    place = request.getfixturevalue("postgres") if kind == "postgres" else folder / "queue.db"
    return lambda width=1: DurableEngine(place, width=width)


@asynccontextmanager
async def running(engine, work):
    await engine.start(work.carry)
    try:
        yield engine
    finally:
        await engine.stop(STOP_SECONDS)


async def test_jobs_of_a_lane_are_begun_in_the_order_of_their_positions(engines):
    work = Work()
    async with running(engines(), work) as engine:
        await engine.add("first", lane="a", position=1)
        await work.until(lambda: work.now == {"first"})
        for name, position in (("d", 40), ("b", 20), ("c", 30)):
            await engine.add(name, lane="a", position=position)
        for name in ("first", "b", "c"):
            work.let_go(name)
        await work.until(lambda: len(work.begun) == 4)
    assert work.begun == ["first", "b", "c", "d"]
    assert work.most == 1


async def test_a_lane_is_as_wide_as_said_and_lanes_do_not_wait_for_each_other(engines):
    work = Work()
    async with running(engines(2), work) as engine:
        for number in range(4):
            await engine.add(f"a{number}", lane="a", position=number)
        await engine.add("b", lane="b", position=99)
        await work.until(lambda: work.now == {"a0", "a1", "b"})
        work.let_go("a1")
        await work.until(lambda: work.now == {"a0", "a2", "b"})
    assert work.begun == ["a0", "a1", "b", "a2"]


async def test_twice_is_once_while_it_is_on_its_way(engines):
    work = Work()
    async with running(engines(), work) as engine:
        for _ in range(3):
            await engine.add("one", lane="a", position=1)
            await engine.add("two", lane="a", position=2)
        await work.until(lambda: work.now == {"one"})
        work.let_go("one", "two")
        await engine.add("three", lane="a", position=3)
        await work.until(lambda: "three" in work.begun)
    assert work.begun == ["one", "two", "three"]


async def test_what_was_carried_out_may_be_put_in_again(engines):
    work = Work()
    async with running(engines(), work) as engine:
        work.let_go("one")
        await engine.add("one", lane="a", position=1)
        await engine.add("two", lane="a", position=2)
        await work.until(lambda: work.now == {"two"})
        await engine.add("one", lane="b", position=1)
        await work.until(lambda: work.begun == ["one", "two", "one"])


async def test_a_dropped_one_that_waits_is_not_begun(engines):
    work = Work()
    async with running(engines(), work) as engine:
        for position, name in enumerate(("one", "two", "three")):
            await engine.add(name, lane="a", position=position)
        await work.until(lambda: work.now == {"one"})
        await engine.drop("two")
        work.let_go("one")
        await work.until(lambda: work.now == {"three"})
    assert work.begun == ["one", "three"]


async def test_a_dropped_one_that_runs_is_cancelled_and_makes_room(engines):
    work = Work()
    async with running(engines(), work) as engine:
        await engine.add("one", lane="a", position=1)
        await engine.add("two", lane="a", position=2)
        await work.until(lambda: work.now == {"one"})
        await engine.drop("one")
        assert work.cancelled == ["one"]
        await work.until(lambda: work.now == {"two"})
        await engine.drop("nobody")


async def test_one_that_fails_takes_no_other_with_it(engines, caplog):
    begun = []
    over = asyncio.Event()

    async def carry(job_id):
        begun.append(job_id)
        if job_id == "bad":
            raise ValueError("no")
        over.set()

    engine = engines()
    await engine.start(carry)
    await engine.add("bad", lane="a", position=1)
    await engine.add("good", lane="a", position=2)
    async with asyncio.timeout(TEST_SECONDS):
        await over.wait()
    await engine.stop(STOP_SECONDS)
    assert begun == ["bad", "good"]
    assert "unexpected error" in caplog.text


async def test_a_stopped_engine_begins_nothing(engines):
    work = Work()
    engine = engines()
    async with running(engine, work):
        await engine.add("one", lane="a", position=1)
        await engine.add("two", lane="a", position=2)
        await work.until(lambda: work.now == {"one"})
    assert (work.cancelled, work.begun) == (["one"], ["one"])
    with pytest.raises(RuntimeError, match="is not running"):
        await engine.add("three", lane="a", position=3)
    await engine.stop(STOP_SECONDS)  # idempotent


# --- begun late ----------------------------------------------------------------------------------


class Counted(MemoryEngine):
    """Knows how often it was started."""

    starts = 0

    async def start(self, carry):
        self.starts += 1
        await super().start(carry)


async def test_a_late_one_begins_with_the_first_job_and_once():
    work, inner = Work(), Counted(width=2)
    async with running(LateEngine(inner), work) as engine:
        assert inner.starts == 0
        await engine.drop("nobody")
        async with asyncio.TaskGroup() as group:
            for number in range(3):
                group.create_task(engine.add(f"{number}", lane="a", position=number))
        await work.until(lambda: len(work.now) == 2)
        await engine.warm(0.0)
    assert inner.starts == 1


async def test_the_mapper_is_there_before_another_thread_brings_it():
    """While DBOS imports it, statements of the store would meet it half made."""
    there = "import sys, tabwire.queue.durable; assert 'sqlalchemy.orm' in sys.modules"
    subprocess.run([sys.executable, "-c", there], check=True)


async def test_whoever_gives_up_while_a_late_one_begins_leaves_it_whole(lasting):
    work = Work()
    async with running(LateEngine(lasting()), work) as engine:
        with anyio.CancelScope() as gives_up:  # as an assistant does: at every wait, not once
            gives_up.cancel()
            await engine.add("one", lane="a", position=1)
        await engine.add("two", lane="a", position=2)
        await work.until(lambda: "two" in work.now)


async def test_a_late_one_is_warm_after_a_moment():
    inner = Counted(width=1)
    async with running(LateEngine(inner), Work()) as engine:
        await engine.warm(0.0)
        assert inner.starts == 1


async def test_a_late_one_that_cannot_begin_says_so_to_whoever_asks(tmp_path, caplog):
    folder = tmp_path / "queue.db"
    folder.mkdir()
    async with running(LateEngine(DurableEngine(folder, width=1)), Work()) as engine:
        await engine.warm(0.0)
        assert "did not start" in caplog.text
        with pytest.raises(StoreNotWritable):
            await engine.add("one", lane="a", position=1)


# --- the durable one only ------------------------------------------------------------------------


async def test_what_a_stopped_engine_left_is_gone_on_with_in_order(lasting):
    before, after = Work(), Work()
    async with running(lasting(), before) as engine:
        for name, position in (("over", 0), ("runs", 1), ("d", 9), ("c", 5), ("b", 3), ("no", 4)):
            await engine.add(name, lane="a", position=position)
        before.let_go("over")
        await before.until(lambda: before.now == {"runs"})
        await engine.drop("no")
    async with running(lasting(), after):
        after.let_go("runs", "b", "c", "d")
        await after.until(lambda: "d" in after.begun)
    assert after.begun == ["runs", "b", "c", "d"]


def killed(file, width, *jobs, until):
    """A process that put in these and was killed after it said so."""
    command = [sys.executable, str(CHILD), str(file), str(width), *jobs]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        try:
            said = []
            while not until <= set(said):
                line = process.stdout.readline()
                assert line, said
                said.append(line.strip())
        finally:
            process.kill()
    return said


async def test_what_a_killed_process_left_is_carried_out_again_in_order(tmp_path):
    file = tmp_path / "queue.db"
    jobs = ("one:a:1", "three:a:3", "two:a:2")
    await asyncio.to_thread(killed, file, 1, *jobs, until={"ready", "begun one"})
    work = Work()
    async with running(DurableEngine(file, width=1), work) as engine:
        work.let_go("one", "two", "three")
        await engine.add("two", lane="a", position=2)  # the hub puts in what its store has
        await engine.add("four", lane="a", position=4)
        await work.until(lambda: "four" in work.begun)
    assert work.begun == ["one", "two", "three", "four"]


async def test_two_workflows_of_one_job_carry_it_out_once(lasting):
    """Of two hubs that had the database one after the other, say. Both are left to the next."""
    before, after = Work(), Work()
    async with running(lasting(), before) as engine:
        await engine.add("one", lane="a", position=1)
        await before.until(lambda: before.now == {"one"})
        await engine._dbos.call(durable._begin("one", "a", 1))
    async with running(lasting(), after) as engine:
        await after.until(lambda: after.now == {"one"})
        await engine.add("two", lane="a", position=2)
        after.let_go("one")
        await after.until(lambda: "two" in after.begun)
    assert (before.begun, after.begun) == (["one"], ["one", "two"])


async def test_killed_again_and_again_it_is_still_carried_out(tmp_path):
    file = tmp_path / "queue.db"
    await asyncio.to_thread(killed, file, 1, "one:a:1", until={"begun one"})
    for _ in range(2):
        await asyncio.to_thread(killed, file, 1, until={"begun one"})
    work = Work()
    async with running(DurableEngine(file, width=1), work):
        work.let_go("one")
        await work.until(lambda: work.begun == ["one"] and not work.now)
    quiet = Work()
    async with running(DurableEngine(file, width=1), quiet) as engine:
        await engine.add("other", lane="a", position=9)
        await quiet.until(lambda: "other" in quiet.begun)
    assert quiet.begun == ["other"]


async def test_its_file_is_for_one_person_only_and_blocks_no_reader(tmp_path):
    file = tmp_path / "queue.db"
    async with running(DurableEngine(file, width=1), Work()):
        assert file.stat().st_mode & 0o077 == 0
        with sqlite3.connect(file) as line:
            assert line.execute("PRAGMA journal_mode").fetchone() == ("wal",)
        line.close()


async def test_it_says_nothing_and_leaves_the_loop_as_it_was(tmp_path, capfd, caplog):
    caplog.set_level("DEBUG")
    async with running(DurableEngine(tmp_path / "queue.db", width=1), Work()):
        pass
    assert await asyncio.to_thread(lambda: 3) == 3
    assert capfd.readouterr() == ("", "")
    assert [one for one in caplog.records if one.name.startswith("dbos")] == []


async def test_two_at_once_in_one_process_are_refused(tmp_path):
    async with running(DurableEngine(tmp_path / "queue.db", width=1), Work()):
        with pytest.raises(RuntimeError, match="one engine at a time"):
            await DurableEngine(tmp_path / "other.db", width=1).start(Work().carry)


async def test_one_that_cannot_start_leaves_room_for_the_next(tmp_path):
    folder = tmp_path / "queue.db"
    folder.mkdir()
    with pytest.raises(Exception, match="not a file"):
        await DurableEngine(folder, width=1).start(Work().carry)
    async with running(DurableEngine(tmp_path / "other.db", width=1), Work()):
        pass


async def test_a_damaged_file_is_named_and_left_as_it_is(tmp_path):
    file = tmp_path / "queue.db"
    file.write_bytes(b"no database at all " * 500)
    before = file.read_bytes()
    with pytest.raises(StoreDamaged) as raised:
        await DurableEngine(file, width=1).start(Work().carry)
    assert "queue.db" in raised.value.what_to_do
    assert file.read_bytes() == before


@pytest.mark.parametrize(
    "words, whole", [((), True), (("now",), True), (("subsec",), False), (("now", "subsec"), False)]
)
async def test_seconds_have_parts_where_they_are_asked_for(words, whole):
    assert isinstance(durable._unixepoch(*words), int) is whole


async def test_dbos_is_not_imported_before_it_is_needed():
    program = "import sys, tabwire.queue.durable; sys.exit('dbos' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", program], check=False, env=os.environ)
    assert done.returncode == 0
