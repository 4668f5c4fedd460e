"""Promise: keep. Whatever is killed, nothing that was acknowledged is lost, and nothing half
written is ever read."""

import os
import random
import signal
import sqlite3
import subprocess
import sys
from pathlib import Path

import pytest

from store.killed import digest, some_text
from tabwire.model.ask import Step
from tabwire.store.opening import opened

PROGRAM = Path(__file__).with_name("killed.py")
ENVIRONMENT = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}  # it sees what we see
ROUNDS = 8
MANY_ROUNDS = 400
MOMENTS = 90  # within the first two or three asks
BYTES = (40_000, 6_000_000)  # from the first change on, to beyond what SQLite lets gather
SPILLS = 2_000_000  # characters; SQLite holds as much before it writes
RACERS = 4
FILES = 3


def started(*arguments):
    return subprocess.Popen(
        [sys.executable, str(PROGRAM), *map(str, arguments)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
        env=ENVIRONMENT,
    )


class Told:
    """What a writer said: what is kept for certain, and what it was about to change."""

    def __init__(self):
        self.kept = {}  # id -> (step, digest)
        self.may_be = None  # (id or "-", step, digest)

    def hear(self, verb, attempt_id, step, text):
        self.may_be = (attempt_id, Step(step), text) if verb == "will" else None
        if verb == "did":
            self.kept[attempt_id] = (Step(step), text)


def one_round(writers, told, seed, moment, number):
    """Let a writer write until its moment comes, and hear what it said."""
    writers.stdin.write(f"{seed} {moment} {number}\n")
    writers.stdin.flush()
    for line in writers.stdout:
        verb, *words = line.split()
        if verb == "dead":
            assert int(words[0]) == (signal.SIGXFSZ if moment == "byte" else signal.SIGKILL)
            return
        told.hear(verb, *words)


def some_moment(dice):
    """Three of four die at a moment of the store, the others inside of a write."""
    if dice.randrange(4):
        return "any", dice.randrange(1, MOMENTS)
    return "byte", dice.randrange(*BYTES)


async def check(path, told):
    """All that was acknowledged is there; what was under way is there whole or not at all."""
    async with opened(path) as store:
        found = {attempt.id: attempt for attempt in await store.recent(100_000)}
    assert set(told.kept) <= set(found)
    under_way = told.may_be
    for attempt in found.values():
        seen = state(attempt)
        if seen == told.kept.get(attempt.id):
            continue
        # the only other thing it may be is what its writer was about to do
        about_to = "-" if attempt.id not in told.kept else attempt.id
        assert (about_to, *seen) == under_way
        told.kept[attempt.id] = seen
        under_way = None  # and only one of them
    told.may_be = None
    connection = sqlite3.connect(path)
    assert connection.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
    assert connection.execute("PRAGMA foreign_key_check").fetchall() == []
    connection.close()


def state(attempt):
    """How far it got, and what of, as a writer tells it."""
    text = attempt.request.prompt if attempt.answer is None else attempt.answer.text
    return (attempt.step, digest(text))


@pytest.mark.asyncio
@pytest.mark.parametrize(
    "rounds",
    [ROUNDS, pytest.param(MANY_ROUNDS, marks=[pytest.mark.soak, pytest.mark.timeout(3600)])],
)
async def test_a_writer_that_is_killed_loses_nothing(path, seed, rounds):
    dice, told = random.Random(seed), Told()
    with started("write", path) as writers:
        assert writers.stdout.readline() == "ready\n"
        for _ in range(rounds):
            one_round(writers, told, dice.randrange(10**9), *some_moment(dice))
            await check(path, told)
        writers.stdin.close()
    assert len(told.kept) > rounds / 2


CHANGES = (Step.NEW, Step.SENDING, Step.SENT, Step.DONE)  # of one ask, in their order


@pytest.mark.asyncio
@pytest.mark.parametrize("moment, undone", [("written", True), ("committed", False)])
async def test_a_change_is_there_when_it_is_committed_and_not_before(path, moment, undone):
    """Its writer dies one step before the commit, or one after it and before it said so. The
    questions are so long that a part of them is in the file before the commit."""
    told = Told()
    seeds = (one for one in range(100) if len(some_text(random.Random(str(one)))) > SPILLS)
    with started("write", path) as writers:
        assert writers.stdout.readline() == "ready\n"
        for number, step in enumerate(CHANGES, 1):
            before = set(told.kept)
            one_round(writers, told, next(seeds), moment, number)
            about_to = told.may_be
            assert about_to[1] is step
            assert path.with_name(f"{path.name}-wal").stat().st_size > 0
            await check(path, told)
            kept = [told.kept[one] for one in told.kept if one not in before]
            if undone:
                assert [one[0] for one in kept] == list(CHANGES[number - 2 : number - 1])
            else:
                assert kept == [about_to[1:]]
        writers.stdin.close()


@pytest.mark.asyncio
async def test_processes_that_open_a_new_file_at_once_share_it(tmp_path):
    paths = [tmp_path / str(number) / "tabwire.db" for number in range(FILES)]
    with started("race", RACERS, *paths) as racers:
        rounds = racers.stdout.read().split("over\n")
    for path, said in zip(paths, rounds, strict=False):
        got = [line.split() for line in said.splitlines()]
        assert [words[0] for words in got] == ["got"] * RACERS, said
        assert len({words[1] for words in got}) == 1  # all have the same attempt,
        assert sorted(words[2] for words in got) == ["False"] * (RACERS - 1) + ["True"]
        async with opened(path) as store:  # and each one of its own
            kept = {attempt.id for attempt in await store.recent()}
        assert kept == {words[1] for words in got} | {words[3] for words in got}
