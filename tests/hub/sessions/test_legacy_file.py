"""The seed's sessions.json: taken in from both versions, given in the second (seed 001, 8.1)."""

import json
import shutil

import msgspec
import pytest
import pytest_asyncio

from tabwire.config.settings import Settings
from tabwire.hub.sessions.legacy_file import PLACE, javascript_time, read_sessions
from tabwire.hub.sessions.sessions import Sessions
from tabwire.model.errors import Unreadable
from tabwire.store.opening import opened, prepare

pytestmark = pytest.mark.asyncio

NOW = 1_800_000_000.0  # 2027-01-15T08:00:00Z: long after everything in the files

# As in seed 001, section 8.1, to the letter.
SEED_V2 = """{
  "version": 2,
  "agents": {
    "agent-abc123": {
      "lastAccess": "2026-02-07T12:34:56.789Z",
      "chatgpt": {
        "url": "https://chatgpt.com/c/xxx-xxx",
        "tabId": 123,
        "lastUsed": "2026-02-07T12:34:56.789Z"
      },
      "gemini": null
    },
    "legacy-chrome-ai-bridge": {
      "lastAccess": "2026-02-07T12:30:00.000Z",
      "chatgpt": {
        "url": "https://chatgpt.com/c/yyy-yyy",
        "tabId": 456
      },
      "gemini": {
        "url": "https://gemini.google.com/app/xxx",
        "tabId": 789
      }
    }
  },
  "config": {
    "sessionTtlMinutes": 30,
    "maxAgents": 10
  }
}"""


@pytest.fixture(scope="module")
def empty(tmp_path_factory):
    path = tmp_path_factory.mktemp("empty") / "tabwire.db"
    prepare(path)
    return path


@pytest_asyncio.fixture
async def sessions(tmp_path, empty):
    async with opened(shutil.copy(empty, tmp_path / "tabwire.db")) as store:
        yield Sessions(store, Settings(), clock=lambda: NOW)


@pytest.fixture
def write(tmp_path):
    def written(content, place=PLACE):
        path = tmp_path / place
        path.parent.mkdir(parents=True, exist_ok=True)
        if isinstance(content, bytes):
            path.write_bytes(content)
        else:
            path.write_text(content if isinstance(content, str) else json.dumps(content))
        return path

    return written


def v2(**agents):
    return {"version": 2, "agents": agents, "config": {}}


def agent(**sites):
    return {"lastAccess": "2026-02-07T12:34:56.789Z", "chatgpt": None, "gemini": None, **sites}


async def test_the_seeds_own_example_comes_out_as_it_went_in(sessions, write):
    """Keys, their order, dates, numbers and what is left out."""
    assert await sessions.take_in(write(SEED_V2)) == 2
    given = msgspec.json.format(msgspec.json.encode(await sessions.as_v2()), indent=2)
    assert given.decode() == SEED_V2


async def test_what_is_taken_in_can_be_gone_on_with(sessions, write):
    """Its last use was long ago, and all the same it is kept as long as one of today."""
    await sessions.take_in(write(SEED_V2))
    found = await sessions.session("agent-abc123")
    assert found.last_access == 1770467696.789
    assert found.chat("chatgpt").url == "https://chatgpt.com/c/xxx-xxx"
    assert found.chat("chatgpt").conversation_id is None  # the seed's x are no id of ChatGPT
    assert found.chat("chatgpt").tab == "123"
    legacy = await sessions.session("legacy-chrome-ai-bridge")
    assert legacy.chat("gemini").conversation_id == "xxx"
    assert legacy.chat("gemini").last_used == 0


async def test_projects_of_version_1_become_legacy_agents(sessions, write):
    projects = {
        "chrome-ai-bridge": {"chatgpt": {"url": "https://chatgpt.com/c/y", "tabId": 4}},
        "my site": {
            "gemini": {"url": "https://gemini.google.com/app/z", "lastUsed": "2026-01-02T03:04:05Z"}
        },
        "empty": {},
    }
    assert await sessions.take_in(write({"projects": projects})) == 3
    given = await sessions.as_v2()
    assert given["agents"] == {
        "legacy-chrome-ai-bridge": {
            "lastAccess": "2027-01-15T08:00:00.000Z",
            "chatgpt": {"url": "https://chatgpt.com/c/y", "tabId": 4},
            "gemini": None,
        },
        "legacy-my site": {
            "lastAccess": "2026-01-02T03:04:05.000Z",
            "chatgpt": None,
            "gemini": {
                "url": "https://gemini.google.com/app/z",
                "lastUsed": "2026-01-02T03:04:05.000Z",
            },
        },
        "legacy-empty": {
            "lastAccess": "2027-01-15T08:00:00.000Z",
            "chatgpt": None,
            "gemini": None,
        },
    }


async def test_one_broken_project_of_three_is_told_and_spoils_no_other(sessions, write):
    """The corpus: ses-v1-migration."""
    good = {"chatgpt": {"url": "https://chatgpt.com/c/y"}}
    path = write({"version": 1, "projects": {"a": good, "b": "torn", "c": good}})
    before = path.read_bytes()
    taken = await sessions.bring_in(path)
    assert (taken.version, taken.agents) == (1, ("legacy-a", "legacy-c"))
    assert taken.problems == ("projects.b is not an object but a text",)
    assert path.read_bytes() == before


UUID = "c0ffee00-0000-4000-8000-000000000001"
CHAT = {"url": f"https://chatgpt.com/c/{UUID}"}

WRONG = [
    # id, an agent of version 2, what is told, which sites it has all the same
    ("not a date", agent(lastAccess="soon", chatgpt=CHAT), "lastAccess is not a date", ["chatgpt"]),
    ("date missing", {"chatgpt": CHAT}, "lastAccess is not a date", ["chatgpt"]),
    ("date a number", agent(lastAccess=17), "lastAccess is not a date", []),
    ("chat a text", agent(chatgpt="x"), "chatgpt is not an object but a text", []),
    (
        "chat a list",
        agent(chatgpt=CHAT, gemini=[]),
        "gemini is not an object but a list",
        ["chatgpt"],
    ),
    ("no url", agent(chatgpt={"tabId": 1}), "chatgpt.url is not text but nothing", []),
    ("empty url", agent(chatgpt={"url": ""}), "chatgpt.url is not a ChatGPT URL", []),
    ("a bank", agent(chatgpt={"url": "https://bank.test/c/1"}), "not a ChatGPT URL", []),
    ("another site", agent(gemini=CHAT), "gemini.url is not a Gemini URL", []),
    ("a lookalike", agent(chatgpt={"url": "https://chatgpt.com.test/"}), "not a ChatGPT URL", []),
    ("a script", agent(chatgpt={"url": "javascript://chatgpt.com/%0a1"}), "not a ChatGPT URL", []),
    (
        "tab a text",
        agent(chatgpt={**CHAT, "tabId": "9"}),
        "chatgpt.tabId is not a tab number",
        ["chatgpt"],
    ),
    (
        "tab true",
        agent(chatgpt={**CHAT, "tabId": True}),
        "chatgpt.tabId is not a tab number",
        ["chatgpt"],
    ),
    (
        "tab below nothing",
        agent(chatgpt={**CHAT, "tabId": -1}),
        "tabId is not a tab number",
        ["chatgpt"],
    ),
    ("used never", agent(chatgpt={**CHAT, "lastUsed": "x"}), "lastUsed is not a date", ["chatgpt"]),
]


@pytest.mark.parametrize("one, told, sites", [c[1:] for c in WRONG], ids=[c[0] for c in WRONG])
async def test_what_is_wrong_in_an_agent_is_told_with_its_place(sessions, write, one, told, sites):
    taken = await sessions.bring_in(write(v2(good=agent(chatgpt=CHAT), odd=one)))
    (problem,) = taken.problems
    assert problem.startswith("agents.odd.")
    assert told in problem
    assert taken.agents == ("good", "odd")
    assert [chat.site for chat in (await sessions.session("odd")).chats] == sites


async def test_an_agent_that_is_none_is_left_out(sessions, write):
    taken = await sessions.bring_in(write(v2(odd=[], good=agent())))
    assert (taken.agents, taken.problems) == (
        ("good",),
        ("agents.odd is not an object but a list",),
    )


async def test_what_a_file_says_beyond_the_seed_is_passed_over(sessions, write):
    more = {**v2(a=agent(chatgpt={**CHAT, "pinned": True}, claude={"url": 1}, note=[1])), "x": 1}
    taken = await sessions.bring_in(write("\ufeff" + json.dumps(more)))
    assert (taken.agents, taken.problems) == (("a",), ())


UNREADABLE = [
    # id, what the file holds, what is said
    ("cut off", '{"version": 2,\n "agents": {', "line 2, column 13"),
    ("nothing", "", "line 1, column 1"),
    ("no text", b"\xff\xfe\x00", "invalid JSON"),
    ("too deep", "[" * 100_000, "invalid JSON"),
    ("a list", "[]", "it contains a list, not an object"),
    ("neither version", "{}", "neither `version` nor `projects`"),
    ("version 3", '{"version": 3, "agents": {}}', "its version is 3"),
    ("named version", '{"version": "2", "agents": {}}', 'its version is "2"'),
    ("no agents", '{"version": 2}', "`agents` is not an object but nothing"),
    ("agents in a list", '{"version": 2, "agents": []}', "`agents` is not an object but a list"),
    ("projects in a text", '{"projects": "x"}', "`projects` is not an object but a text"),
]


@pytest.mark.parametrize("held, said", [c[1:] for c in UNREADABLE], ids=[c[0] for c in UNREADABLE])
async def test_a_file_nothing_can_be_read_of_changes_nothing(sessions, write, held, said):
    await sessions.touch("here")
    path = write(held)
    with pytest.raises(Unreadable) as raised:
        await sessions.take_in(path)
    assert str(raised.value).startswith(f"{path} is not a valid sessions file: ")
    assert said in str(raised.value)
    assert "nothing was imported" in raised.value.what_to_do
    assert [one.agent for one in await sessions.all()] == ["here"]


async def test_a_file_that_is_not_there_is_told(sessions, tmp_path):
    with pytest.raises(Unreadable, match="No such file"):
        await sessions.take_in(tmp_path / "nowhere.json")


async def test_the_newer_of_two_chats_stays(sessions, write):
    await sessions.used(
        "a", "chatgpt", url="https://chatgpt.com/c/now", conversation_id="now", tab=None
    )
    old, new = "2026-02-07T12:34:56.789Z", "2027-02-07T12:34:56.789Z"
    await sessions.take_in(write(v2(a=agent(
        chatgpt={**CHAT, "lastUsed": old},
        gemini={"url": "https://gemini.google.com/app/x", "lastUsed": old},
    ))))  # fmt: skip
    found = await sessions.session("a")
    assert found.chat("chatgpt").conversation_id == "now"
    assert found.chat("gemini").conversation_id == "x"
    assert found.last_access == NOW
    await sessions.take_in(write(v2(a=agent(chatgpt={**CHAT, "lastUsed": new}))))
    assert (await sessions.session("a")).chat("chatgpt").conversation_id == UUID


async def test_taken_in_twice_is_taken_in_once(sessions, write):
    path = write(SEED_V2)
    await sessions.take_in(path)
    once = await sessions.as_v2()
    assert await sessions.take_in(path) == 2
    assert await sessions.as_v2() == once


async def test_an_import_pushes_out_nobody_who_is_here(sessions, write):
    for number in range(8):
        await sessions.touch(f"here-{number}")
    many = {
        f"file-{number}": agent(lastAccess=f"2026-02-07T12:00:0{number}.000Z")
        for number in range(5)
    }
    taken = await sessions.bring_in(write(v2(**many)))
    assert taken.agents == ("file-3", "file-4")
    assert taken.problems[0] == "file-0: there is no room for it: max_agents is 10"
    assert len(taken.problems) == 3
    assert len(await sessions.all()) == 10


async def test_a_file_is_offered_until_it_is_taken_in_and_never_taken_by_looking(
    sessions, write, tmp_path
):
    path = write(SEED_V2)
    (offer,) = await sessions.offered(tmp_path, tmp_path)
    assert (offer.path, offer.agents) == (str(path), 2)
    assert await sessions.all() == ()
    await sessions.take_in(path)
    assert await sessions.offered(tmp_path) == ()
    write(v2(another=agent()))
    assert [one.agents for one in await sessions.offered(tmp_path)] == [1]


async def test_a_damaged_file_is_offered_too_for_its_import_says_what_is_wrong(
    sessions, write, tmp_path
):
    path = write("{")
    assert [(one.path, one.agents) for one in await sessions.offered(tmp_path)] == [
        (str(path), None)
    ]
    assert await sessions.offered(tmp_path / "elsewhere") == ()


async def test_what_the_seed_has_no_place_for_is_given_only_where_it_is_used(sessions):
    await sessions.used("a", "grok", url="https://grok.com/c/1", conversation_id="1", tab="A7F0")
    given = (await sessions.as_v2())["agents"]["a"]
    moment = "2027-01-15T08:00:00.000Z"
    assert given == {
        "lastAccess": moment,
        "chatgpt": None,
        "gemini": None,
        "grok": {"url": "https://grok.com/c/1", "lastUsed": moment},
    }
    assert list(given) == ["lastAccess", "chatgpt", "gemini", "grok"]


async def test_settings_stand_in_the_file_as_numbers(tmp_path, empty):
    async with opened(shutil.copy(empty, tmp_path / "tabwire.db")) as store:
        sessions = Sessions(store, Settings(session_ttl_minutes=45.0, max_agents=3))
        assert (await sessions.as_v2())["config"] == {"sessionTtlMinutes": 45, "maxAgents": 3}
        sessions = Sessions(store, Settings(session_ttl_minutes=0.5))
        assert (await sessions.as_v2())["config"] == {"sessionTtlMinutes": 0.5, "maxAgents": 10}


TIMES = [
    (0.0, "1970-01-01T00:00:00.000Z"),
    (1770467696.789, "2026-02-07T12:34:56.789Z"),
    (1770467696.7896, "2026-02-07T12:34:56.790Z"),
    (1770467696.9996, "2026-02-07T12:34:57.000Z"),
]


@pytest.mark.parametrize("seconds, written", TIMES)
async def test_a_moment_as_javascript_writes_it(seconds, written, write):
    assert javascript_time(seconds) == written
    one = read_sessions(write(v2(a=agent(lastAccess=written))), NOW).sessions[0]
    assert one.last_access == pytest.approx(seconds, abs=0.001) or seconds == 0
