"""Programs that a test starts, to kill or to crowd.

    killed.py write PATH    forks a writer for every line on stdin, tells what it does
    killed.py race N PATH…  N processes open the same new file at once and ask the same

What a writer says goes out in one piece and before it goes on: `will ID STEP DIGEST` before a
change, `did …` after the store said that it is kept; at its end `dead SIGNAL` is said for it.

A line is `SEED MOMENT NUMBER`: what is written, and when the writer dies. Nothing of that
depends on the clock:

    any         with kill -9 at the so many-th moment of any kind below
    statement   … after the so many-th statement, most of them inside of a transaction
    written     … with everything of the so many-th change written, and not committed
    committed   … with that committed, and nobody told
    byte        by the system, inside of the write that would make a file longer than this
"""

import asyncio
import hashlib
import os
import random
import resource
import signal
import sys
import time
from pathlib import Path

import alembic.command  # noqa: F401  before the forks, so that all racers start level
from sqlalchemy import Engine, Pool, event

from store.asked import answer, ask
from tabwire.model.ask import Step
from tabwire.store.opening import open_store, opened
from tabwire.store.rows import Owner

SIZES = (10, 5_000, 1_500_000)  # of the last SQLite writes a part before the commit
OFTEN = (3, 2, 2)


def say(*words):
    os.write(1, (" ".join(map(str, words)) + "\n").encode())


def some_text(dice):
    (size,) = dice.choices(SIZES, OFTEN)
    return dice.randbytes(size).hex()


def digest(text):
    return hashlib.sha256(text.encode()).hexdigest()[:16]


class Death:
    """Waits in the store for its moment."""

    def __init__(self, moment, number):
        self._moment = moment
        self._left = int(number)

    def come(self, moment):
        """One moment has come; the last one is not outlived."""
        if self._moment in (moment, "any"):
            self._left -= 1
            if self._left == 0:
                os.kill(os.getpid(), signal.SIGKILL)

    def lie_in_wait(self):
        """From now on moments count."""
        if self._moment == "byte":
            signal.signal(signal.SIGXFSZ, signal.SIG_DFL)  # Python would have it ignored
            resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
            resource.setrlimit(resource.RLIMIT_FSIZE, (self._left, self._left))
            return
        event.listen(Engine, "after_cursor_execute", lambda *_: self.come("statement"))
        event.listen(Engine, "commit", lambda *_: self.come("written"))
        event.listen(Pool, "checkin", lambda *_: self.come("committed"))


async def write(path, seed, death):
    """Ask and ask, until killed."""
    dice = random.Random(seed)
    store = await open_store(path)
    death.lie_in_wait()
    while True:
        prompt = some_text(dice)
        say("will", "-", Step.NEW, digest(prompt))
        attempt, _ = await store.begin(ask(prompt), Owner(os.getpid(), 1.0), time.time())
        say("did", attempt.id, Step.NEW, digest(prompt))
        for step in (Step.SENDING, Step.SENT):
            say("will", attempt.id, step, digest(prompt))
            await store.note(attempt.id, step, time.time(), conversation_id=digest(prompt))
            say("did", attempt.id, step, digest(prompt))
        for _ in range(dice.choice((1, 2))):  # the second is an amendment
            text = some_text(dice)
            say("will", attempt.id, Step.DONE, digest(text))
            await store.keep(attempt.id, answer(attempt.id, text, prompt=prompt), time.time())
            say("did", attempt.id, Step.DONE, digest(text))


def writers(path):
    """One after the other; each is a fork, because importing takes longer than writing."""
    say("ready")
    for line in sys.stdin:
        if (pid := os.fork()) == 0:
            try:
                seed, *moment = line.split()
                asyncio.run(write(path, seed, Death(*moment)))
            finally:
                os._exit(1)  # not into the loop of its parent
        _, status = os.waitpid(pid, 0)
        say("dead", os.WTERMSIG(status))


async def ask_once(path, number):
    async with opened(path) as store:
        attempt, new = await store.begin(ask("all the same"), Owner(1, 1.0), 1.0)
        own, _ = await store.begin(ask(f"by {number}"), Owner(1, 1.0), 1.0)
        say("got", attempt.id, new, own.id)


def race(path, racers):
    """All wait for the same pipe to close, then open."""
    start, shot = os.pipe()
    for number in range(racers):
        if os.fork() == 0:
            os.close(shot)
            os.read(start, 1)
            try:
                asyncio.run(ask_once(path, number))
            finally:
                os._exit(0)  # not into the loop of its parent
    os.close(shot)
    for _ in range(racers):
        os.wait()


if __name__ == "__main__":
    match sys.argv[1:]:
        case ["write", path]:
            writers(Path(path))
        case ["race", racers, *paths]:
            for path in paths:
                race(Path(path), int(racers))
                say("over")
