"""What the autopilot did and what it asks, in each database that can be a store."""

import asyncio
from dataclasses import replace

import pytest
from sqlalchemy import delete, update

from tabwire.model.autopilot import Act, Approval, ApprovalState, AuditLine, Statistics
from tabwire.store.errors import StoreError
from tabwire.store.opening import opened
from tabwire.store.tables import AUDIT

pytestmark = pytest.mark.asyncio

LINE = AuditLine(100.0, Act.CLICKED, "9004/w1", "s1", "c-1", "command", "run", "allow", "known")
ASKED = Approval(
    "a1", "9004/w1", "shop", "c-1", "h" * 64, "k" * 64, "command", "", "Run command?",
    "echo \ud83d \0 日本", "~/shop", "ask", "package.install", "installs", ("Run", "Reject"),
    100.0, 1000.0,
)  # fmt: skip


async def test_lines_are_numbered_in_the_order_they_were_written(store, place):
    first = await store.autopilot.append(LINE)
    second = await store.autopilot.append(replace(LINE, note="\ud83d\0", away=True))
    assert second.number == first.number + 1
    async with opened(place) as another:
        assert await another.autopilot.lines() == [first, second]
        assert await another.autopilot.lines(1) == [second]
        assert await another.autopilot.lines(window="other") == []
        assert await another.autopilot.lines(acts=[Act.REFUSED]) == []


@pytest.mark.parametrize("change", [update(AUDIT).values(act="on"), delete(AUDIT)])
async def test_a_line_is_never_changed_or_removed(store, change):
    line = await store.autopilot.append(LINE)
    with pytest.raises(Exception, match=r"stay as they are|database") as caught:
        await store._transactions.change(lambda connection: connection.execute(change).rowcount)
    assert "stay as they are" in f"{caught.value} {caught.value.__cause__}"
    assert await store.autopilot.lines() == [line]


STATISTICS = [
    # id, lines, what they amount to
    ("nothing", [], Statistics()),
    ("S2-023 run", [LINE], Statistics(1, 1, 0, sessions=1)),
    ("S2-023 accept", [replace(LINE, kind="accept")], Statistics(1, 0, 1, sessions=1)),
    ("all files", [replace(LINE, kind="files")], Statistics(1, 0, 1, sessions=1)),
    ("a retry is a click", [replace(LINE, kind="error")], Statistics(1, sessions=1)),
    ("away", [LINE, replace(LINE, away=True)], Statistics(2, 2, 0, 1, sessions=1)),
    ("not verified", [replace(LINE, act=Act.UNVERIFIED)], Statistics(sessions=1)),
    ("about to", [replace(LINE, act=Act.CLICK)], Statistics(sessions=1)),
    ("by a person", [replace(LINE, by="cli:me")], Statistics(sessions=1)),
    (
        "S2-012 blocked once for each card",
        [replace(LINE, act=Act.REFUSED, card=card) for card in ("c-1", "c-1", "c-2")],
        Statistics(blocked=2, sessions=1),
    ),
]


@pytest.mark.parametrize("lines, told", [c[1:] for c in STATISTICS], ids=[c[0] for c in STATISTICS])
async def test_statistics_are_counted_from_the_lines_and_reading_resets_nothing(store, lines, told):
    for line in lines:
        await store.autopilot.append(line)
    assert await store.autopilot.statistics() == told
    assert await store.autopilot.statistics() == told
    assert told.time_saved_seconds == 5.0 * told.clicks


async def test_statistics_of_a_session_and_since_a_moment(store):
    await store.autopilot.append(LINE)
    await store.autopilot.append(replace(LINE, session="s2", at=200.0))
    assert (await store.autopilot.statistics(session="s2")).clicks == 1
    assert (await store.autopilot.statistics(since=150.0)).clicks == 1
    assert (await store.autopilot.statistics()).sessions == 2


async def test_an_approval_is_kept_as_it_was_asked(store, place):
    await store.autopilot.open(ASKED)
    async with opened(place) as another:
        assert await another.autopilot.approval("a1") == ASKED
        assert await another.autopilot.approvals() == [ASKED]
        assert await another.autopilot.approval("a2") is None


async def test_the_first_answer_wins(store, place):
    await store.autopilot.open(ASKED)
    async with opened(place) as another, asyncio.TaskGroup() as group:
        claims = [
            group.create_task(one.autopilot.claim("a1", f"door {at}", 200.0))
            for at, one in enumerate([store, another] * 4)
        ]
    (won,) = [claim.result() for claim in claims if claim.result() is not None]
    assert won.state is ApprovalState.ANSWERING
    assert won.by.startswith("door ")


CLAIMS = [
    ("in time", 999.0, True),
    ("expired", 1000.0, False),
]


@pytest.mark.parametrize("now, claimed", [c[1:] for c in CLAIMS], ids=[c[0] for c in CLAIMS])
async def test_what_expired_cannot_be_answered(store, now, claimed):
    await store.autopilot.open(ASKED)
    assert (await store.autopilot.claim("a1", "me", now) is not None) is claimed


async def test_what_has_ended_stays_ended(store):
    await store.autopilot.open(ASKED)
    await store.autopilot.claim("a1", "me", 200.0)
    closed = await store.autopilot.close("a1", ApprovalState.APPROVED, "done", 201.0)
    assert (closed.state, closed.by, closed.answered_at) == (ApprovalState.APPROVED, "me", 201.0)
    assert await store.autopilot.close("a1", ApprovalState.GONE, "", 202.0) is None
    assert await store.autopilot.claim("a1", "other", 203.0) is None
    assert await store.autopilot.approvals() == []
    assert await store.autopilot.approvals(living=False) == [closed]


async def test_an_answer_that_could_not_be_carried_out_leaves_it_open(store):
    await store.autopilot.open(ASKED)
    await store.autopilot.claim("a1", "me", 200.0)
    back = await store.autopilot.close("a1", ApprovalState.OPEN, "covered", 201.0)
    assert (back.state, back.by, back.answered_at) == (ApprovalState.OPEN, "", None)
    assert await store.autopilot.claim("a1", "other", 203.0) is not None


async def test_f36_what_was_asked_or_being_answered_when_its_process_died_is_lost(store):
    """Never approved by itself: neither an open one nor one somebody had claimed."""
    other = replace(ASKED, id="a3", window="9004/w2")
    for approval in (ASKED, replace(ASKED, id="a2"), other):
        await store.autopilot.open(approval)
    await store.autopilot.claim("a2", "me", 200.0)
    assert await store.autopilot.lose("9004/w1", "another one drives it now", 300.0) == 2
    assert await store.autopilot.approvals() == [other]
    for said in ("a1", "a2"):
        assert (await store.autopilot.approval(said)).state is ApprovalState.LOST
        assert await store.autopilot.claim(said, "me", 301.0) is None


async def test_refused_cards_are_known_by_window_and_time(store):
    await store.autopilot.append(replace(LINE, act=Act.REFUSED, card_hash="x"))
    assert await store.autopilot.refused("9004/w1", 0.0) == {"x"}
    assert await store.autopilot.refused("9004/w1", 101.0) == frozenset()
    assert await store.autopilot.refused("9004/w2", 0.0) == frozenset()


async def test_nothing_is_said_to_be_written_that_is_not(store):
    """Promise `keep`: whoever clicks waits for the line, and does not click where it fails."""
    await store.close()
    with pytest.raises((RuntimeError, StoreError)):
        await store.autopilot.append(LINE)
