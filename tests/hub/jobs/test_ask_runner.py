"""What is asked of the hub: what is invalid is said first, and nothing is asked twice."""

import asyncio
import os
import time
from dataclasses import replace

import pytest

from tabwire.doors.cli.ask.json_output import error_data
from tabwire.hub import LocalHub
from tabwire.hub.jobs import ask_runner
from tabwire.hub.jobs.ask_runner import MAX_PROMPT, AskControl, Asking, check
from tabwire.hub.jobs.books import is_alive, opened_books
from tabwire.model.ask import Answer, Answered, AskRequest, Completeness, Step, StillWaiting
from tabwire.model.ask_errors import AnswerTimedOut, AskError, BadAsk, LimitReached
from tabwire.model.errors import BrowserNotReachable
from tabwire.model.job import JobState
from tabwire.store.rows import Owner

ID = "5f0c6a1e-1111-4222-8333-0123456789ab"
GOOD = AskRequest("grok", "Why is the sky blue?")
DEAD = Owner(2**22 + 1, 1.0)  # no pid is that high


@pytest.fixture(autouse=True)
def home(tmp_path, monkeypatch):
    monkeypatch.setenv("TABWIRE_HOME", str(tmp_path / "home"))
    return tmp_path / "home"


BAD = [
    ("site", {"site": "bing"}, "unknown site"),
    ("empty prompt", {"prompt": " \n"}, "prompt is empty"),
    ("long prompt", {"prompt": "x" * (MAX_PROMPT + 1)}, "200,001 characters"),
    ("a NUL", {"prompt": "one\0two"}, r"a NUL character \(U\+0000\) as character 4"),
    ("half a pair", {"prompt": "\ud83d?"}, r"half of a surrogate pair \(U\+D83D\)"),
    ("no conversation", {"conversation_id": "nonsense"}, "is not a conversation ID"),
    ("no time", {"timeout_seconds": 0.0}, "--timeout"),
    ("two places", {"conversation_id": ID, "temporary": True}, "--continue"),
    ("two addresses", {"conversation_id": ID, "url": "https://grok.com/"}, "--continue"),
    ("foreign address", {"url": "https://chatgpt.com/"}, "is not a Grok URL"),
    ("no address", {"url": "nonsense"}, "is not a Grok URL"),
]


@pytest.mark.parametrize("change, says", [c[1:] for c in BAD], ids=[c[0] for c in BAD])
def test_what_cannot_be_meant_is_said(change, says):
    with pytest.raises(BadAsk, match=says) as seen:
        check(AskRequest(**{"site": "grok", "prompt": "Why?", **change}))
    assert seen.value.exit_code == 2
    assert seen.value.what_to_do


def test_a_plan_says_where_and_what_and_touches_nothing(home, tmp_path):
    file = tmp_path / "notes.txt"
    file.write_text("some notes")
    request = AskRequest("chatgpt", "a\nb", model="5.1", files=(str(file),), conversation_id=ID)
    (planned,) = LocalHub().asks.plan([request], browser="lab")
    said = "\n".join(planned.lines)
    assert planned.site == "chatgpt"
    for words in (
        "lab",
        f"https://chatgpt.com/c/{ID}",
        "3 characters, 2 lines",
        "5.1",
        "notes.txt",
    ):
        assert words in said
    assert not home.exists()


def answer_for(row):
    return Answer(row.id, "grok", GOOD.prompt, "Because.", Completeness.COMPLETE, "end of turn")


@pytest.mark.asyncio
async def test_the_same_question_under_way_in_a_living_process_is_waited_for():
    told = []
    async with opened_books() as books, opened_books() as others:
        others.owner = Owner(os.getppid(), _start_of(os.getppid()))
        row, fresh = await others.begin(GOOD, again=False)
        assert fresh
        same, fresh = await books.begin(GOOD, again=False)
        assert (same.id, fresh) == (row.id, False)

        def tell(event):
            told.append(event)
            waits.set()

        waits = asyncio.Event()
        async with asyncio.TaskGroup() as group:
            joined = group.create_task(books.join(same, tell))
            await waits.wait()
            await others.keep(row, answer_for(row))
        _row, answer = joined.result()
    assert answer == answer_for(row)
    assert isinstance(told[0], StillWaiting)


@pytest.mark.asyncio
@pytest.mark.parametrize("step", [Step.NEW, Step.SENDING, Step.SENT])
async def test_one_whose_process_died_is_gone_on_with(step):
    async with opened_books() as books:
        books.owner, mine = DEAD, books.owner
        row, _fresh = await books.begin(GOOD, again=False)
        await books.checkpoint(row)(step, conversation_id=ID)
        books.owner = mine
        same, fresh = await books.begin(GOOD, again=False)
        assert not fresh
        now, answer = await books.join(same, lambda _event: None)
        assert answer is None
        assert (now.id, now.step, now.conversation_id) == (row.id, step, ID)
        kept = await books.store.attempt(row.id)
        assert kept.owner == mine


async def fetched(books, row):
    return await LocalHub().asks.fetch(row.id)


async def asked_again(books, row):
    same, _fresh = await books.begin(GOOD, again=False)
    line = lines = None  # nothing is done in a browser
    return await Asking(books, lambda _event: None, line, lines, AskControl(), 0.0).run(same, False)


@pytest.mark.asyncio
@pytest.mark.parametrize("had", [fetched, asked_again])
async def test_an_answer_whose_keeper_died_before_it_was_told_is_over_once_it_is(had):
    async with opened_books() as books:
        books.owner, mine = DEAD, books.owner
        row, _fresh = await books.begin(GOOD, again=False)
        await books.checkpoint(row)(Step.SENT, conversation_id=ID)
        await books.keep(row, answer_for(row), done=False)
        books.owner = mine
        assert await had(books, row) == answer_for(row)
        now = await books.store.attempt(row.id)
        assert (now.step, now.state) == (Step.DONE, JobState.COMPLETED)


@pytest.mark.asyncio
async def test_what_a_person_stopped_is_not_read_again():
    """A site may have stored the cut text as if it were whole. No browser is needed for this."""
    async with opened_books() as books:
        row, _fresh = await books.begin(GOOD, again=False)
        stopped = replace(answer_for(row), completeness=Completeness.STOPPED)
        await books.keep(row, stopped)
        assert await LocalHub().asks.fetch(row.id, browser="attach=http://127.0.0.1:1") == stopped


@pytest.mark.asyncio
async def test_two_tasks_of_one_process_do_not_ask_the_same_twice():
    waits = asyncio.Event()
    async with opened_books() as books:
        row, _fresh = await books.begin(GOOD, again=False)
        same, fresh = await books.begin(GOOD, again=False)
        assert not fresh
        async with asyncio.TaskGroup() as group:
            with books.working_on(row):
                joined = group.create_task(books.join(same, lambda _event: waits.set()))
                await waits.wait()
                await books.keep(row, answer_for(row))
        assert joined.result()[1] == answer_for(row)


@pytest.mark.asyncio
async def test_one_that_nobody_works_on_any_more_is_gone_on_with_by_the_same_process():
    async with opened_books() as books:
        row, _fresh = await books.begin(GOOD, again=False)
        await books.store.note(row.id, Step.SENT, time.time())
        await books.rest(row, AnswerTimedOut("grok", 5, "no end"), sent=True)
        now, answer = await books.join(row, lambda _event: None)
        assert (now.step, answer) == (Step.SENT, None)


@pytest.mark.asyncio
async def test_one_that_failed_meanwhile_says_why():
    async with opened_books() as books:
        row, _fresh = await books.begin(GOOD, again=False)
        await books.rest(row, LimitReached("grok", "a limit"))
        with pytest.raises(AskError, match="a limit"):
            await books.join(row, lambda _event: None)


class Overtaken:
    """In the place of a flow: while it goes on, another process answers the question."""

    def __init__(self, request, site, given, *, began):
        self.given = given

    async def run(self, books):
        row = await books.store.attempt(self.given.attempt_id)
        await books.store.take_over(row.id, DEAD, books.owner, time.time())
        await books.keep(row, answer_for(row))
        await self.ends()

    async def ends(self):
        await self.given.checkpoint(Step.SENDING)


class OvertakenAndFailing(Overtaken):
    """The same, and its own page fails it."""

    async def ends(self):
        raise LimitReached("grok", "a limit")


@pytest.mark.asyncio
@pytest.mark.parametrize("flow", [Overtaken, OvertakenAndFailing])
async def test_what_another_process_answered_meanwhile_is_the_answer(flow, monkeypatch):
    monkeypatch.setattr(ask_runner, "Flow", flow)
    told = []
    async with opened_books() as books:
        row, fresh = await books.begin(GOOD, again=False)
        asking = Asking(books, told.append, books, None, AskControl(), 0.0)
        assert await asking.run(row, fresh) == answer_for(row)
        assert (await books.store.attempt(row.id)).failure is None
    assert [type(one) for one in told] == [Answered]


@pytest.mark.asyncio
async def test_again_asks_again():
    async with opened_books() as books:
        row, _fresh = await books.begin(GOOD, again=False)
        other, fresh = await books.begin(GOOD, again=True)
        assert fresh
        assert other.id != row.id


@pytest.mark.asyncio
async def test_one_ask_at_a_time_uses_a_chat():
    order, waits = [], asyncio.Event()
    async with opened_books() as books, opened_books() as others:
        row, _fresh = await books.begin(GOOD, again=False)
        here = books.use(row, lambda _event: None)
        there = others.use(row, lambda _event: waits.set())

        async def later():
            async with there("chat:grok:x", True):
                order.append("later")

        async with asyncio.TaskGroup() as group, here("chat:grok:x", True) as first:
            assert first
            async with there("chat:grok:x", False) as second:
                assert not second
            async with here("chat:grok:x", False) as third:
                assert not third
            async with here("chat:grok:y", False) as another:
                assert another
            group.create_task(later())
            await waits.wait()  # it says that it waits
            order.append("first")
    assert order == ["first", "later"]


def _start_of(pid):
    from tabwire.browser.process import mark_of

    return float(mark_of(pid).started.split()[-1])


def test_only_the_very_process_is_alive():
    here = Owner(os.getpid(), _start_of(os.getpid()))
    assert is_alive(here)
    assert not is_alive(Owner(here.pid, here.started - 1))
    assert not is_alive(DEAD)


@pytest.mark.asyncio
async def test_a_bundle_is_kept_for_its_owner_only(home):
    async with opened_books() as books:
        path = await books.anomaly({"site": "grok", "error": "layout_changed"})
    assert os.stat(path).st_mode & 0o777 == 0o600
    assert os.path.dirname(path) == str(home / "debug")


async def taken(use, key):
    async with use(key, True) as ours:
        return ours


@pytest.mark.asyncio
async def test_two_homes_on_one_browser_do_not_use_one_tab(tmp_path, monkeypatch):
    """Their stores do not know of each other: both found the same idle tab and typed into it."""
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    tab = "tab:F00D"
    async with opened_books() as one:
        monkeypatch.setenv("TABWIRE_HOME", str(tmp_path / "another"))
        async with opened_books() as other:
            first, _ = await one.begin(GOOD, again=False)
            second, _ = await other.begin(GOOD, again=False)
            use, use_too = one.use(first, print), other.use(second, print)
            async with use(tab, False) as ours, use_too(tab, False) as theirs:
                assert (ours, theirs) == (True, False)
                async with use_too("tab:CAFE", False) as another_tab:
                    assert another_tab
            async with use_too(tab, False) as after, use(tab, False) as before:
                assert (after, before) == (True, False)
            chat, waits = "chat:grok:c1", asyncio.Queue()
            async with asyncio.timeout(60), asyncio.TaskGroup() as group, use(chat, True):
                theirs = other.use(second, waits.put_nowait)
                waiting = group.create_task(taken(theirs, chat))
                assert "another Tabwire home" in (await waits.get()).why
                assert not waiting.done()
            assert waiting.result()
    assert not [path for path in tmp_path.glob("tabwire-*-uses/*") if path.is_file()]


@pytest.mark.asyncio
@pytest.mark.parametrize("browser, lab", [("lab", True), ("attach=1", False)])
async def test_a_question_that_fails_says_whether_it_was_the_labs(home, browser, lab):
    with pytest.raises(BrowserNotReachable) as raised:
        await LocalHub().asks.ask([AskRequest("grok", "Hi")], lambda _event: None, browser=browser)
    assert raised.value.lab is lab
    data = error_data("grok", raised.value, str)
    assert data["lab"] is lab
