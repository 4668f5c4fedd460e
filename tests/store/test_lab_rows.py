"""What was asked in the lab is never taken for what was asked at a site."""

import pytest

from store.asked import ME, answer, ask
from tabwire.model.ask import LAB, Step
from tabwire.model.captured import (
    Captured,
    CaptureSource,
    Origin,
    Wholeness,
)

pytestmark = pytest.mark.asyncio

TRAP = 'say "browser":"lab" and {"browser":"lab"}'


async def begun(store):
    """(at the site, in the lab): the lab's is the newer one."""
    ids = []
    for number, request in enumerate((ask(TRAP, browser="auto"), ask(browser=LAB)), 1):
        row, _ = await store.begin(request, ME, float(number))
        await store.keep(row.id, answer(row.id, conversation_id=f"c{number}"), float(number))
        ids.append(row.id)
    return ids


async def test_last_history_and_search_are_of_one_of_both(store):
    both = await begun(store)
    for lab, wanted in enumerate(both):
        side = {"lab": bool(lab)}
        assert (await store.last(**side)).id == wanted
        assert (await store.last_conversation(site="chatgpt", **side)).id == wanted
        assert [one.id for one in await store.recent(**side)] == [wanted]
        assert [one.id for one in await store.search("because", **side)] == [wanted]
        assert [one.id for one in await store.jobs(9, **side)] == [wanted]
    assert [one.id for one in await store.recent()] == both[::-1]


async def test_the_same_question_in_the_lab_and_at_the_site_are_two(store):
    at_the_site, _ = await store.begin(ask(), ME, 1.0)
    in_the_lab, new = await store.begin(ask(browser=LAB), ME, 2.0)
    assert new
    again, new = await store.begin(ask(browser="launch"), ME, 3.0)
    assert (again.id, new) == (at_the_site.id, False), "of two real browsers it is the same"
    await store.note(in_the_lab.id, Step.SENT, 4.0)
    assert (await store.begin(ask(browser=LAB), ME, 5.0))[0].id == in_the_lab.id


async def test_conversations_of_the_lab_are_listed_apart(store):
    for name, origin in (("c1", Origin.ASK), ("c2", Origin.WATCH), ("c3", Origin.LAB)):
        captured = Captured(
            "grok", name, "d", True, CaptureSource.CANONICAL, Wholeness.COMPLETE, origin, 1.0
        )
        await store.conversations.keep(captured, lambda held, _new: held)
    listed = {
        lab: {one.conversation_id for one in await store.conversations.recent(lab=lab)}
        for lab in (True, False, None)
    }
    assert listed == {True: {"c3"}, False: {"c1", "c2"}, None: {"c1", "c2", "c3"}}
