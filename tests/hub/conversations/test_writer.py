"""Captures on their way to the disk: in order, the newest wins, nothing good is given up."""

from dataclasses import replace

import pytest

from capture.pages import Page, chat_url
from monitor.wire import ID
from tabwire.capture.rebuild import rebuild, write_heard
from tabwire.hub.conversations import writer as keeping
from tabwire.hub.conversations.writer import Keeper
from tabwire.model.captured import Body, BodyKind, CaptureSource
from tabwire.model.conversation import Conversation, Role, Standing, Turn
from tabwire.sites.known import SITES
from tabwire.store.opening import opened

pytestmark = pytest.mark.asyncio


@pytest.fixture
def path(tmp_path):
    return tmp_path / "home" / "tabwire.db"


def heard():
    """What only a stream told."""
    page = Page("chatgpt")
    page.answer()
    return page.last


def read(*, twice=True):
    """The site's own record of the same."""
    page = Page("chatgpt", chat_url("chatgpt"))
    page.load()
    if twice:
        page.wait(1.2)
        page.load()
    return page.last


async def test_of_one_conversation_only_the_newest_is_written(path):
    async with opened(path) as store:
        keeper, rows = Keeper(store.conversations), []
        keeper.kept = rows.append
        keeper.put(heard())
        keeper.put(read())
        await keeper.flush()
        (row,) = rows
        assert row.ready
        await keeper.flush()
        assert len(rows) == 1, "and only once"


async def test_what_a_stream_told_late_does_not_take_the_place_of_a_record_that_has_it(path):
    """An ask and the extension hear the same answer; whichever is written last."""
    async with opened(path) as store:
        keeper = Keeper(store.conversations)
        for captured in (read(), heard()):
            keeper.put(captured)
            await keeper.flush()
        row = await store.conversations.conversation("chatgpt", ID["chatgpt"])
        assert (row.ready, row.source) == (True, CaptureSource.CANONICAL)


async def test_one_reading_of_another_tab_does_not_make_a_ready_one_unready(path):
    async with opened(path) as store:
        keeper = Keeper(store.conversations)
        keeper.put(read())
        keeper.put(read(twice=False))
        await keeper.flush()
        row = await store.conversations.conversation("chatgpt", ID["chatgpt"])
        assert row.ready


async def test_what_waits_is_bounded(path, monkeypatch):
    monkeypatch.setattr(keeping, "MAX_WAITING", 3)
    async with opened(path) as store:
        keeper = Keeper(store.conversations)
        for number in range(5):
            keeper.put(replace(heard(), conversation_id=f"c{number}"))
        await keeper.flush()
        assert keeper.lost == 2
        assert len(await store.conversations.recent()) == 3


def said_in(row):
    return [turn.text for turn in rebuild(SITES[row.site], row.conversation_id, row.bodies).shown()]


async def test_a_second_stream_does_not_take_the_place_of_the_first(path):
    """Each ask hears one turn; the site's record, which has both, was never read."""
    async with opened(path) as store:
        keeper = Keeper(store.conversations)
        first = heard()
        turns = (Turn("u2", Role.USER, "And then?"), Turn("a2", Role.ASSISTANT, "Then this."))
        told = Conversation(
            "chatgpt",
            first.conversation_id,
            Standing(True, True, "end of turn"),
            turns=turns,
            visible=("u2", "a2"),
        )
        body = Body(BodyKind.HEARD, "", write_heard(told))
        second = replace(first, digest="second", bodies=(body,), turns=2)
        for captured in (first, second, second):
            keeper.put(captured)
            await keeper.flush()
        row = await store.conversations.conversation("chatgpt", ID["chatgpt"], bodies=True)
        before = said_in(first)
        assert len(before) == 2
        assert said_in(row) == [*before, "And then?", "Then this."]
        assert row.turns == 4
