"""Asks and watched tabs are recorded too: a real browser, the lab's sites."""

import asyncio

import pytest

from kit.asking import answered, home_at, new_prompt
from kit.watched import watching
from tabwire.browser.choose import parse_choice
from tabwire.browser.find import this_machine
from tabwire.browser.line import open_line
from tabwire.capture.export import Format, export
from tabwire.capture.rebuild import rebuild
from tabwire.hub.conversations.follow_up import AfterAsks
from tabwire.hub.conversations.recorders import recorded
from tabwire.hub.jobs.books import opened_books
from tabwire.lab.plan import plan_for
from tabwire.model.ask import AskRequest
from tabwire.model.captured import CaptureSource, Origin
from tabwire.monitor.follow import Wish
from tabwire.sites.known import SITES

pytestmark = [pytest.mark.asyncio, pytest.mark.xdist_group("asking")]

OTHERS = ("chatgpt", "gemini")
FIRST = ["grok", *(pytest.param(site, marks=pytest.mark.soak) for site in OTHERS)]


@pytest.fixture
def home(tmp_path):
    with home_at(tmp_path / "home") as home:
        yield home


def texts(row):
    found = rebuild(SITES[row.site], row.conversation_id, row.bodies)
    return [one.text for one in found.messages()]


async def kept(site, conversation_id):
    async with opened_books() as books:
        return await books.store.conversations.conversation(site, conversation_id, bodies=True)


@pytest.mark.parametrize("site", FIRST)
async def test_what_was_asked_is_kept_and_read_again_when_it_is_quiet(home, lab_browser_url, site):
    prompt = new_prompt(pieces=8)
    answer = await answered(lab_browser_url, AskRequest(site, prompt))
    row = await kept(site, answer.conversation_id)
    assert row.origin is Origin.ASK
    assert not row.ready
    assert texts(row)[-1] == plan_for(prompt).text

    def line():
        choice = parse_choice(f"attach={lab_browser_url}")
        return open_line(choice, this_machine(), wish=pytest.fail)

    async with opened_books() as books:
        keeper, ready = books.conversations, asyncio.Event()
        keeper.kept = lambda row: ready.set() if row.ready else None
        after = AfterAsks(
            line,
            keeper,
            busy=lambda: False,
            is_open=lambda: True,
            idle_seconds=0.0,
            only_own=False,
        )
        reading = asyncio.get_running_loop().create_task(after.run())
        try:
            after.asked(site, answer.conversation_id)
            async with asyncio.timeout(60):
                await ready.wait()
        finally:
            reading.cancel()
    row = await kept(site, answer.conversation_id)
    assert (row.ready, row.source) == (True, CaptureSource.CANONICAL)
    assert texts(row)[-1] == plan_for(prompt).text
    assert export(row, Format.COMMON).text


async def test_a_temporary_ask_is_kept_by_nobody(home, lab_browser_url):
    await answered(lab_browser_url, AskRequest("chatgpt", new_prompt(pieces=4), temporary=True))
    async with opened_books() as books:
        assert await books.store.conversations.recent() == []


async def test_an_attached_browser_has_no_tab_opened_without_need(home):
    async with opened_books() as books:
        after = AfterAsks(
            lambda: pytest.fail("a line was opened"),
            books.conversations,
            busy=lambda: False,
            is_open=lambda: False,
            idle_seconds=0.0,
        )
        reading = asyncio.get_running_loop().create_task(after.run())
        after.asked("grok", "x")
        for _ in range(20):
            await asyncio.sleep(0)
        assert not reading.done()
        reading.cancel()


@pytest.mark.parametrize("site", FIRST)
async def test_what_is_watched_is_kept(home, lab_browser_url, site):
    prompt = new_prompt(pieces=8)
    async with (
        recorded(Origin.WATCH) as records,
        watching(lab_browser_url, site, Wish(records=records)) as tab,
    ):
        await tab.ask(prompt)
        verdict = await tab.verdict()
    row = await kept(site, verdict.conversation_id)
    assert row.origin is Origin.WATCH
    assert texts(row) == [prompt, plan_for(prompt).text]


async def test_watching_without_an_answer_needs_no_disk(home):
    async with recorded(Origin.WATCH):
        pass
    assert not home.exists()


async def test_what_fails_while_it_is_recorded_fails_as_it_is(home):
    with pytest.raises(ConnectionError):
        async with recorded(Origin.WATCH):
            raise ConnectionError
