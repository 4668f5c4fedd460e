"""Promise: keep. A database has one hub, also when its server was restarted under it."""

import asyncio
import signal
import time
from contextlib import contextmanager

import pytest

from kit.hub_process import kill_hub, program, tabwire
from tabwire.config.home import home_mark
from tabwire.model.ask import AskRequest
from tabwire.store.opening import opened
from tabwire.store.rows import Owner

pytestmark = pytest.mark.xdist_group("pg")

WAIT_SECONDS = 90.0


@pytest.fixture
def homes(tmp_path):
    places = [tmp_path / name for name in ("one", "two")]
    for place in places:
        place.mkdir(mode=0o700)
    yield places
    for place in places:
        kill_hub(place)


@contextmanager
def serving(home, database, **more):
    """A hub that is there, with its store."""
    more["TABWIRE_DATABASE"] = database
    with program(home, "-m", "tabwire", "serve", **more) as process:
        said = [next(process.stderr) for _ in range(2)]
        assert "listening" in "".join(said)
        # of its own home: it speaks to the hub, and both have the store
        asked = tabwire(home, "status", **more)
        assert asked.returncode == 0, asked.stderr
        yield process


def heard(process, *words):
    """Its log says so; all it said until then."""
    said = []
    for line in process.stderr:
        said.append(line)
        if all(word in line for word in words):
            return said
    raise AssertionError(f"it never said {words}: {said}")


def test_a_second_home_has_no_hub_and_no_questions_at_a_database_in_use(homes, postgres):
    one, two = homes
    with serving(one, postgres):
        second = tabwire(two, "serve", TABWIRE_DATABASE=postgres)
        assert second.returncode == 1
        assert "another Tabwire home" in second.stderr
        asked = tabwire(two, "ask", "Why?", "--to", "grok", TABWIRE_DATABASE=postgres)
        assert asked.returncode == 1
        assert "another Tabwire home" in asked.stderr
        assert "Traceback" not in asked.stderr
        kept = tabwire(two, "history", TABWIRE_DATABASE=postgres)
        assert "Why?" not in kept.stdout


def test_the_hub_keeps_its_place_over_a_restart_of_the_server(homes, postgres, postgres_server):
    one, two = homes
    with serving(one, postgres) as first:
        postgres_server.restart()
        heard(first, "warn", "held again")
        second = tabwire(two, "serve", TABWIRE_DATABASE=postgres)
        assert second.returncode == 1
        assert "another Tabwire home" in second.stderr
        assert tabwire(one, "status", TABWIRE_DATABASE=postgres).returncode == 0


async def left_behind(database):
    """A job that a hub on another machine had taken up when it went: its id."""
    async with opened(database, home_mark()) as store:
        gone = Owner(2**30, 1.0)
        row, _fresh = await store.begin(AskRequest("grok", "Why?"), gone, time.time())
        await store.queue(row.id)
        return row.id


def test_a_hub_resumes_what_was_left_when_it_holds_its_place_again(
    homes, postgres, postgres_server, monkeypatch
):
    one, _ = homes
    monkeypatch.setenv("TABWIRE_HOME", str(one))
    with serving(one, postgres, TABWIRE_BROWSER="attach=127.0.0.1:1") as hub:
        job = asyncio.run(left_behind(postgres))
        postgres_server.restart()
        heard(hub, "warn", "held again")
        heard(hub, job, "failed")  # no browser listens there: it was taken up, and says so


def test_a_hub_whose_place_another_took_ends_and_says_why(homes, postgres, postgres_server):
    """It is stopped, as a laptop that sleeps is, while the server is restarted."""
    one, two = homes
    with serving(one, postgres) as first:
        first.send_signal(signal.SIGSTOP)
        postgres_server.restart()
        with serving(two, postgres) as second:
            first.send_signal(signal.SIGCONT)
            said = "".join(heard(first, "tabwire: another Tabwire home"))
            assert first.wait(WAIT_SECONDS) == 1
            assert "the hub is stopping" in said
            assert second.poll() is None
