"""Conversations: one row each, the site's record never given up for less."""

import pytest

from tabwire.model.captured import (
    Body,
    BodyKind,
    Captured,
    CaptureSource,
    Fidelity,
    Origin,
    Title,
    TitleFrom,
    Wholeness,
)

pytestmark = pytest.mark.asyncio

RECORD = Body(BodyKind.STORED, "https://chatgpt.com/x?a=\x00b", b"\x00\xff{}" * 1000)
HEARD = Body(BodyKind.HEARD, "", b"{}")


def captured(conversation_id="c1", site="chatgpt", **more):
    values = {
        "digest": "d1",
        "ready": False,
        "source": CaptureSource.CANONICAL,
        "completeness": Wholeness.COMPLETE,
        "origin": Origin.EXTENSION,
        "captured_at": 10.0,
        "reasons": ("awaiting_second_sample",),
        "title": Title("Blue \ud800\x00 天", TitleFrom.SITE),
        "model": "gpt",
        "turns": 2,
        "created_at": 1.0,
        "updated_at": 2.0,
        "bodies": (RECORD,),
    }
    return Captured(site, conversation_id, **{**values, **more})


def stream(**more):
    values = {"source": CaptureSource.STREAM, "completeness": Wholeness.PARTIAL, "digest": "d2"}
    return captured(**{**values, "bodies": (HEARD,), "captured_at": 20.0, **more})


def later(_held, new):
    return new


async def test_what_is_kept_comes_back(store):
    kept = await store.conversations.keep(captured(), later)
    assert kept == captured(first_at=10.0, bodies=())
    found = await store.conversations.conversation("chatgpt", "c1", bodies=True)
    assert found == captured(first_at=10.0)
    assert found.fidelity is Fidelity.HIGH
    assert await store.conversations.conversation("grok", "c1") is None


async def test_a_newer_record_takes_the_place_of_the_older(store):
    await store.conversations.keep(captured(), later)
    newer = captured(digest="d9", ready=True, reasons=(), captured_at=30.0, bodies=(RECORD, RECORD))
    await store.conversations.keep(newer, later)
    found = await store.conversations.conversation("chatgpt", "c1", bodies=True)
    assert found.ready
    assert (found.digest, found.first_at, found.captured_at) == ("d9", 10.0, 30.0)
    assert len(found.bodies) == 2
    assert len(await store.conversations.recent()) == 1


async def test_what_is_ready_and_reads_the_same_stays_ready(store):
    await store.conversations.keep(captured(ready=True, reasons=()), later)
    kept = await store.conversations.keep(captured(captured_at=30.0), later)
    assert kept.ready
    assert kept.reasons == ()
    assert kept.captured_at == 30.0
    grown = await store.conversations.keep(captured(digest="d2"), later)
    assert not grown.ready


async def test_what_a_stream_told_stands_behind_the_record_until_a_newer_one_comes(store):
    await store.conversations.keep(captured(ready=True), later)
    for _ in range(2):
        kept = await store.conversations.keep(stream(), later)
    assert (kept.ready, kept.source) == (False, CaptureSource.STREAM)
    found = await store.conversations.conversation("chatgpt", "c1", bodies=True)
    assert found.bodies == (RECORD, HEARD)
    await store.conversations.keep(captured(digest="d3"), later)
    found = await store.conversations.conversation("chatgpt", "c1", bodies=True)
    assert (found.bodies, found.source) == ((RECORD,), CaptureSource.CANONICAL)


async def test_the_rule_for_titles_is_asked(store):
    await store.conversations.keep(captured(), later)
    kept = await store.conversations.keep(
        captured(title=Title("New chat", TitleFrom.PAGE)), lambda held, _new: held
    )
    assert kept.title == Title("Blue \ud800\x00 天", TitleFrom.SITE)


async def test_they_are_listed_by_site_the_newest_first(store):
    for number, site in enumerate(("chatgpt", "grok", "chatgpt")):
        one = captured(f"c{number}", site, captured_at=float(number))
        await store.conversations.keep(one, later)
    assert [one.name for one in await store.conversations.recent()] == [
        "chatgpt/c2",
        "grok/c1",
        "chatgpt/c0",
    ]
    assert [one.name for one in await store.conversations.recent(1, site="grok")] == ["grok/c1"]
    assert [one.name for one in await store.conversations.named("c1")] == ["grok/c1"]


async def test_the_way_that_worked_at_a_site_is_kept(store):
    assert await store.conversations.step("grok") is None
    await store.conversations.keep_step("grok", "reread", 1.0)
    await store.conversations.keep_step("grok", "passive-wait", 2.0)
    assert await store.conversations.step("grok") == "passive-wait"
