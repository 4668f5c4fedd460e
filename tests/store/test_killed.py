"""Promise: keep. Whatever is killed, nothing that was acknowledged is lost, and nothing half
written is ever read."""

import os
import random
import signal
import sqlite3
import subprocess
import sys
import time
from pathlib import Path

import pytest

from store.killed import digest
from tabwire.model.ask import Step
from tabwire.store.opening import opened

PROGRAM = Path(__file__).with_name("killed.py")
ENVIRONMENT = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}  # it sees what we see
ROUNDS = 20
MANY_ROUNDS = 400
MOMENT_SECONDS = 0.05  # within the next few changes
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


def one_round(writers, dice, told):
    """Let a writer write, kill it in the middle of something, hear what it still said."""
    writers.stdin.write(f"{dice.randrange(10**9)}\n")
    writers.stdin.flush()
    _, pid = writers.stdout.readline().split()
    left = dice.randrange(1, 13)
    for line in writers.stdout:
        if line == "dead\n":
            return
        told.hear(*line.split())
        left -= 1
        if left == 0:
            time.sleep(dice.random() * MOMENT_SECONDS)  # no wait for anything: the moment is drawn
            os.kill(int(pid), signal.SIGKILL)


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
            one_round(writers, dice, told)
            await check(path, told)
        writers.stdin.close()
    assert len(told.kept) > rounds


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
