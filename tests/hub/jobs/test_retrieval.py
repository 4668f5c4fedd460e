"""Where an answer is looked for: where its question was asked, and never across the lab's wall."""

import time
from contextlib import asynccontextmanager
from dataclasses import replace

import pytest

from tabwire.hub import LocalHub
from tabwire.hub.jobs import retrieval as fetching
from tabwire.hub.jobs.ask_runner import ask_all
from tabwire.hub.jobs.books import opened_books
from tabwire.model.ask import LAB, Answer, AskRequest, Completeness, Step
from tabwire.model.ask_errors import BadAsk
from tabwire.model.errors import TabwireError

pytestmark = pytest.mark.asyncio
CHAT = "5f0c6a1e-1111-4222-8333-0123456789ab"


class Reached(Exception):
    """The browser that was asked for."""


@pytest.fixture(autouse=True)
def reached(tmp_path, monkeypatch):
    monkeypatch.setenv("TABWIRE_HOME", str(tmp_path / "home"))

    @asynccontextmanager
    async def line(said, **_settings):
        raise Reached(said)
        yield

    monkeypatch.setattr(fetching, "reached_browser", line)


async def sent(browser, site="chatgpt", chat=CHAT):
    """The id of a question that was sent, and whose command was left."""
    async with opened_books() as books:
        row, _ = await books.begin(AskRequest(site, f"in {browser}", browser=browser), again=True)
        await books.store.note(row.id, Step.SENT, time.time(), conversation_id=chat)
        return row.id


@pytest.mark.parametrize("asked", [LAB, "launch", "attach=http://127.0.0.1:9222"])
async def test_the_browser_of_a_question_is_remembered_with_it(asked):
    attempt = await sent(asked)
    for said in (attempt, CHAT, f"https://chatgpt.com/c/{CHAT}"):
        with pytest.raises(Reached, match=f"^{asked}$"):
            await LocalHub().asks.fetch(said)


async def test_what_is_said_counts_more_between_real_browsers():
    with pytest.raises(Reached, match=r"^attach$"):
        await LocalHub().asks.fetch(await sent("launch"), browser="attach")


@pytest.mark.parametrize("asked, said", [(LAB, "launch"), ("launch", LAB)])
async def test_an_answer_is_never_looked_for_on_the_other_side_of_the_lab(asked, said):
    with pytest.raises(BadAsk, match="in the lab") as seen:
        await LocalHub().asks.fetch(await sent(asked), browser=said)
    assert "without --browser" in seen.value.what_to_do


async def test_last_is_of_the_lab_only_where_that_is_said(monkeypatch):
    await sent("launch")
    await sent(LAB)
    with pytest.raises(Reached, match=r"^launch$"):
        await LocalHub().asks.fetch("last")
    with pytest.raises(Reached, match=r"^lab$"):
        await LocalHub().asks.fetch("last", browser=LAB)
    monkeypatch.setenv("TABWIRE_BROWSER", LAB)
    with pytest.raises(Reached, match=r"^lab$"):
        await LocalHub().asks.fetch("last")


async def test_with_only_the_lab_asked_nothing_was_asked_yet():
    await sent(LAB)
    with pytest.raises(BadAsk, match="nothing has been asked on ChatGPT yet"):
        await LocalHub().asks.fetch("last", site="chatgpt")
    assert await LocalHub().asks.last_conversation("chatgpt") is None
    assert await LocalHub().asks.history() == ()
    assert [one.request.in_lab for one in await LocalHub().asks.history(browser=LAB)] == [True]


async def test_a_question_is_kept_with_its_browser(monkeypatch):
    for said, kept in ((" LAB ", LAB), ("attach=1", "attach=1"), (None, "launch")):
        monkeypatch.setenv("TABWIRE_BROWSER", "launch")
        monkeypatch.setenv("TABWIRE_PROGRAM", "/no/such/browser")
        request = AskRequest("grok", f"for {said}")
        with pytest.raises(TabwireError):
            await ask_all([request], lambda _event: None, browser=said)
        (row,) = [
            one
            for lab in (LAB, None)
            for one in await LocalHub().asks.history(browser=lab)
            if one.request.prompt == request.prompt
        ]
        assert row.request == replace(request, browser=kept)


async def test_an_answer_of_the_lab_says_so():
    from tabwire.doors.cli.ask.text_output import about

    answer = Answer(
        "a1", "grok", "Why?", "So.", Completeness.COMPLETE, "w", url="https://grok.com/c/1"
    )
    said = " ".join(words for _, words in about(replace(answer, lab=True)))
    assert "asked in the lab: a local replica of Grok answered" in said
    assert "https://grok.com/c/1 (in the browser of the lab)" in said
    assert "lab" not in " ".join(words for _, words in about(answer))
