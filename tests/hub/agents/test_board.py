"""Events of Antigravity have numbers, are kept for a while, and a gap is told."""

import asyncio
import re

import msgspec
import pytest

from tabwire.hub.agents import board as antigravity_board
from tabwire.hub.agents.board import GAP, Board
from tabwire.hub.agents.event_stream import NOW
from tabwire.hub.agents.events import EVENTS
from tabwire.model.agent import AgentEnded, AgentPhase, AgentProgress
from tabwire.model.autopilot import Halted

BEGAN = 1_800_000_000.0
FIRST = 1_800_000_000_000


@pytest.fixture
def board():
    return Board(lambda: BEGAN)


def halted(board, *words):
    for word in words:
        board.publish(Halted("", word))


def said(told):
    """Of each: number, kind, and what is in it."""
    data = [msgspec.json.decode(one.data) for one in told]
    assert [one["event"] for one in data] == [one.kind for one in told]
    return [
        (one.number - FIRST, one.kind, about.get("why") or about.get("text"))
        for one, about in zip(told, data, strict=True)
    ]


def test_numbers_rise_by_one_and_begin_with_the_hubs_time(board):
    halted(board, "a", "b")
    both = [(1, "autopilot_halted", "a"), (2, "autopilot_halted", "b")]
    assert said(board.missed(FIRST)) == both
    assert said(board.missed(FIRST + 1)) == both[1:]
    assert board.missed(FIRST + 2) == []
    assert Board(lambda: BEGAN + 60).number > board.number


GAPS = [
    # id, the number that was seen last, why there is a gap
    ("too long away", FIRST + 1, antigravity_board.AWAY),
    ("never heard anything of this hub", FIRST, antigravity_board.AWAY),
    ("of an earlier hub", FIRST - 5, antigravity_board.ANOTHER),
    ("of a hub whose clock was ahead", FIRST + 99, antigravity_board.ANOTHER),
    ("one too few", FIRST + 2, antigravity_board.AWAY),
    ("just in time", FIRST + 3, None),
]


@pytest.mark.parametrize("seen, why", [c[1:] for c in GAPS], ids=[c[0] for c in GAPS])
def test_who_was_away_too_long_is_told_of_the_gap(board, monkeypatch, seen, why):
    monkeypatch.setattr(antigravity_board, "MAX_KEPT", 2)
    halted(board, "a", "b", "c", "d", "e")
    kept = [(4, "autopilot_halted", "d"), (5, "autopilot_halted", "e")]
    gap = [] if why is None else [(3, "gap", why)]
    assert said(board.missed(seen)) == [*gap, *kept]


def test_what_is_kept_is_bounded_in_bytes_and_the_newest_always_is(board, monkeypatch):
    monkeypatch.setattr(antigravity_board, "MAX_BYTES", 1000)
    for text in ("x" * 300, "y" * 300, "z" * 300, "w" * 5000):
        board.publish(AgentEnded(0.0, "shop", 1, "complete", text))
    assert [(number, kind) for number, kind, _ in said(board.missed(FIRST))] == [
        (3, "gap"),
        (4, "ended"),
    ]
    halted(board, "a")
    assert [number for number, _, _ in said(board.missed(FIRST + 4))] == [5]


def test_of_the_output_of_a_run_the_newest_is_kept_and_that_is_no_gap(board):
    board.publish(AgentPhase(0.0, "shop", 1, "generating"))
    for text in ("a", "ab", "abc"):
        board.publish(AgentProgress(0.0, "shop", 1, text))
        board.publish(AgentProgress(0.0, "docs", 1, text.upper()))
    board.publish(AgentProgress(0.0, "shop", 2, "next"))
    assert said(board.missed(FIRST + 1)) == [
        (6, "output", "abc"),
        (7, "output", "ABC"),
        (8, "output", "next"),
    ]
    assert board.phases == {"shop": "generating"}


@pytest.mark.asyncio
async def test_who_listens_too_slowly_is_told_of_the_gap(board, monkeypatch):
    monkeypatch.setattr(antigravity_board, "MAX_KEPT", 2)
    halted(board, "a")
    news = board.news(FIRST)
    async with asyncio.timeout(60):
        heard = [await anext(news)]
        halted(board, "b", "c", "d", "e")
        heard += [await anext(news) for _ in range(3)]
        asyncio.get_running_loop().call_later(0.05, halted, board, "f")
        heard.append(await anext(news))
    assert [(number, why) for number, _, why in said(heard)] == [
        (1, "a"),
        (3, antigravity_board.AWAY),
        (4, "d"),
        (5, "e"),
        (6, "f"),
    ]


def test_every_event_is_in_the_docs(root):
    text = (root / "docs/antigravity.md").read_text(encoding="utf-8")
    table = text.partition("| event | meaning |")[2].partition("\n\n")[0]
    rows = re.findall(r"^\| (`[^|]+`) \|", table, re.M)
    written = [name for row in rows for name in re.findall(r"`(\w+)`", row)]
    assert sorted(written) == sorted([*EVENTS.values(), NOW, GAP])
