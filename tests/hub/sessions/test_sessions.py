"""Which chats belong to which agent, for how long, and for how many (seed 001, section 8)."""

import asyncio
import shutil
import subprocess
import sys

import pytest
import pytest_asyncio

from tabwire.config.settings import Settings
from tabwire.hub.sessions.sessions import Chat, Session, Sessions
from tabwire.store.opening import opened, prepare

pytestmark = pytest.mark.asyncio

MINUTE = 60.0
URL = "https://chatgpt.com/c/1"


class Clock:
    """A time of day that a test moves."""

    def __init__(self):
        self.now = 1_800_000_000.0

    def __call__(self):
        return self.now

    def after(self, minutes):
        self.now += minutes * MINUTE


@pytest.fixture
def clock():
    return Clock()


@pytest.fixture(scope="module")
def empty(tmp_path_factory):
    """A store with nothing in it, to copy: its tables are made once, not for every test."""
    path = tmp_path_factory.mktemp("empty") / "tabwire.db"
    prepare(path)
    return path


@pytest_asyncio.fixture
async def store(tmp_path, empty):
    async with opened(shutil.copy(empty, tmp_path / "tabwire.db")) as store:
        yield store


@pytest.fixture
def sessions(store, clock):
    return Sessions(store, Settings(session_ttl_minutes=30, max_agents=3), clock=clock)


def agents(found):
    return [one.agent for one in found]


async def test_an_agent_that_comes_has_a_session_from_then_on(sessions, clock):
    made = await sessions.touch("a", client="claude-code", project="/src/x")
    assert made == Session("a", clock.now, "/src/x", "claude-code", ())
    clock.after(1)
    again = await sessions.touch("a")
    assert again == Session("a", clock.now, "/src/x", "claude-code", ())
    assert await sessions.session("a") == again
    assert (await sessions.touch("a", project="/src/y")).project == "/src/y"
    assert await sessions.session("b") is None


async def test_where_an_ask_ended_is_where_its_agent_goes_on(sessions, clock):
    await sessions.touch("a", client="c", project="p")
    await sessions.used("a", "grok", url="https://grok.com/c/9", conversation_id="9", tab="T9")
    clock.after(1)
    await sessions.used("a", "chatgpt", url=URL, conversation_id="1", tab=None)
    found = await sessions.session("a")
    assert found.chat("grok") == Chat("grok", "9", "https://grok.com/c/9", "T9", clock.now - MINUTE)
    assert found.chat("chatgpt") == Chat("chatgpt", "1", URL, None, clock.now)
    assert found.chat("gemini") is None
    assert (found.client, found.project, found.last_access) == ("c", "p", clock.now)
    await sessions.used("a", "grok", url="https://grok.com/c/8", conversation_id="8", tab="T8")
    assert (await sessions.session("a")).chat("grok").conversation_id == "8"
    assert len((await sessions.session("a")).chats) == 2


async def test_agents_do_not_see_each_others_chats(sessions):
    for agent in "ab":
        await sessions.used(agent, "chatgpt", url=f"{URL}{agent}", conversation_id=None, tab=None)
    found = {one.agent: one.chat("chatgpt").url for one in await sessions.all()}
    assert found == {"a": f"{URL}a", "b": f"{URL}b"}


async def test_a_failed_reuse_clears_its_entry_alone(sessions):
    await sessions.used("b", "grok", url="https://grok.com/", conversation_id="2", tab=None)
    for site in ("chatgpt", "grok"):
        await sessions.used("a", site, url=f"https://{site}.com/", conversation_id="1", tab=None)
    assert await sessions.forget("a", "grok")
    assert not await sessions.forget("a", "grok")
    assert [chat.site for chat in (await sessions.session("a")).chats] == ["chatgpt"]
    assert await sessions.forget("a")
    assert await sessions.session("a") is None
    assert not await sessions.forget("a")
    assert not await sessions.forget("never", "grok")
    assert (await sessions.session("b")).chat("grok") is not None


EXPIRY = [
    # id, minutes without use, whether it is there
    ("just used", 0, True),
    ("at its last moment", 30, True),
    ("a moment later", 30.001, False),
    ("long gone", 5000, False),
]


@pytest.mark.parametrize("minutes, there", [c[1:] for c in EXPIRY], ids=[c[0] for c in EXPIRY])
async def test_an_agent_is_forgotten_after_a_while_without_use(sessions, clock, minutes, there):
    await sessions.used("a", "chatgpt", url=URL, conversation_id="1", tab=None)
    clock.after(minutes)
    assert (await sessions.session("a") is not None) == there
    assert agents(await sessions.all()) == (["a"] if there else [])
    assert bool((await sessions.touch("a")).chats) == there


async def test_an_answer_that_took_longer_brings_back_nothing_that_expired(sessions, clock):
    await sessions.used("a", "chatgpt", url=URL, conversation_id="1", tab=None)
    clock.after(31)
    await sessions.used("a", "grok", url="https://grok.com/", conversation_id="2", tab=None)
    assert [chat.site for chat in (await sessions.session("a")).chats] == ["grok"]


async def test_use_keeps_a_session_alive(sessions, clock):
    await sessions.used("a", "chatgpt", url=URL, conversation_id="1", tab=None)
    for _ in range(3):
        clock.after(29)
        await sessions.touch("a")
    assert (await sessions.session("a")).chat("chatgpt") is not None


async def test_cleaning_up_names_those_that_expired_and_only_those(sessions, clock):
    await sessions.touch("old")
    await sessions.used("older", "chatgpt", url=URL, conversation_id=None, tab=None)
    clock.after(20)
    await sessions.touch("young")
    clock.after(20)
    assert await sessions.clean() == ("old", "older")
    assert await sessions.clean() == ()
    assert agents(await sessions.all()) == ["young"]


async def test_the_agent_beyond_the_maximum_takes_the_place_of_the_longest_idle(sessions, clock):
    for agent in "abc":
        clock.after(1)
        await sessions.touch(agent)
    clock.after(1)
    await sessions.touch("a")  # now b is idle longest
    clock.after(1)
    await sessions.touch("d")
    assert agents(await sessions.all()) == ["d", "a", "c"]
    await sessions.used("e", "chatgpt", url=URL, conversation_id=None, tab=None)
    assert set(agents(await sessions.all())) == {"e", "d", "a"}


async def test_an_expired_agent_takes_nobodys_place(sessions, clock):
    await sessions.touch("gone")
    clock.after(31)
    for agent in "abc":
        await sessions.touch(agent)
    assert set(agents(await sessions.all())) == set("abc")


async def test_an_agent_may_be_called_anything(sessions):
    name = "名前 \x00\ud800 '; DROP TABLE sessions; --"
    await sessions.used(name, "chatgpt", url=URL, conversation_id=None, tab=None)
    assert agents(await sessions.all()) == [name]
    assert await sessions.forget(name)


PROCESS = """
import asyncio, sys
from pathlib import Path
from tabwire.config.settings import Settings
from tabwire.hub.sessions.sessions import Sessions
from tabwire.store.opening import opened, prepare

async def main(path, name):
    async with opened(Path(path)) as store:
        sessions = Sessions(store, Settings(max_agents=4))
        for turn in range(12):
            agent = f"{name}-{turn % 6}"
            await sessions.touch(agent, client=name)
            await sessions.used(agent, "chatgpt", url="https://chatgpt.com/", conversation_id=None,
                                tab=None)
            await sessions.forget(agent, "chatgpt" if turn % 2 else None)
            assert len(await sessions.all()) <= 4

asyncio.run(main(*sys.argv[1:]))
"""


async def test_two_processes_at_once_keep_within_the_maximum(tmp_path):
    path = tmp_path / "home" / "tabwire.db"
    both = [
        await asyncio.create_subprocess_exec(
            sys.executable, "-c", PROCESS, str(path), name, stderr=subprocess.PIPE
        )
        for name in ("one", "two")
    ]
    for process in both:
        _, err = await process.communicate()
        assert process.returncode == 0, err.decode()


async def test_an_agent_of_the_lab_never_goes_on_in_a_chat_of_the_site(store, clock):
    """One database, a hub that was set to the lab and then to a real browser: each side has its
    own chats, and forgets its own."""
    settings = Settings(session_ttl_minutes=30, max_agents=3)
    real, lab = (Sessions(store, settings, clock=clock, lab=one) for one in (False, True))
    for sessions, number in ((lab, 1), (real, 2)):
        named = f"https://chatgpt.com/c/{number}"
        await sessions.used("a", "chatgpt", url=named, conversation_id=str(number), tab=None)
    await lab.used("a", "grok", url="https://grok.com/c/3", conversation_id="3", tab="T")
    in_lab, at_site = await lab.session("a"), await real.session("a")
    assert [(one.site, one.conversation_id) for one in at_site.chats] == [("chatgpt", "2")]
    assert {(one.site, one.conversation_id) for one in in_lab.chats} == {
        ("chatgpt", "1"),
        ("grok", "3"),
    }
    assert (await real.touch("a")).chats == at_site.chats
    assert await real.whole("a") == (await real.all())[0]
    assert {one.lab for one in (await real.all())[0].chats} == {True, False}, "a list says which"
    written = (await real.as_v2())["agents"]["a"]
    assert (written["chatgpt"]["url"], "grok" in written) == ("https://chatgpt.com/c/2", False)
    assert await lab.forget("a", "chatgpt")
    assert [one.conversation_id for one in (await real.session("a")).chats] == ["2"]
    assert [one.conversation_id for one in (await lab.session("a")).chats] == ["3"]
