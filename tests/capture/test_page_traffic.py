"""Pieces in any order, twice, or not at all; clocks of others; words that are no messages."""

import base64
import itertools
import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from capture.pages import Page
from monitor.wire import ASK, pieces
from tabwire.browser.tap import events as t
from tabwire.capture import page_messages as m
from tabwire.capture import page_traffic
from tabwire.capture.page_traffic import (
    MAX_EARLY,
    MAX_OPEN,
    MISSING,
    PATIENCE_SECONDS,
    PageTraffic,
)
from tabwire.sites.known import SITES

NAME = "chatgpt:00000000-0000-4000-8000-000000000001"


class Line:
    """A PageTraffic, its events, and a clock."""

    def __init__(self):
        self.now = 100.0
        self.events = []
        self.pieces = PageTraffic(
            "chatgpt",
            hear=self.events.append,
            clock=lambda: self.now,
            wall=lambda: 1000.0 + self.now,
        )

    def say(self, **message):
        found = m.read_message(message)
        assert found is not None, message
        return self.pieces.take(found)

    def sent(self, name=NAME, **more):
        message = {"method": "POST", "url": ASK["chatgpt"], "at": 1000.0 + self.now}
        return self.say(kind="sent", attempt=name, **{**message, **more})

    def piece(self, seq, text, name=NAME):
        data = base64.b64encode(text.encode()).decode()
        return self.say(kind="bytes", attempt=name, seq=seq, data=data, at=1000.0 + self.now)

    def ended(self, seqs, name=NAME, how="whole"):
        return self.say(kind="ended", attempt=name, how=how, at=1000.0 + self.now, seqs=seqs)

    @property
    def bytes(self):
        return b"".join(one.chunk for one in self.events if isinstance(one, t.BytesCame)).decode()

    @property
    def end(self):
        found = [one for one in self.events if isinstance(one, t.ResponseEnded)]
        return (str(found[0].how), found[0].why) if found else None


@given(st.permutations(range(8)), st.lists(st.integers(0, 7), max_size=8), st.integers(0, 8))
def test_pieces_in_any_order_and_twice_are_told_once_and_in_order(order, again, end_at):
    line = Line()
    line.sent()
    said = [*order, *again]
    random.Random(7).shuffle(again)
    for place, seq in enumerate(said):
        if place == end_at:
            line.ended(8)
        line.piece(seq, str(seq))
    if end_at >= len(said):
        line.ended(8)
    assert line.bytes == "01234567"
    assert line.end == ("whole", "")


def test_a_piece_that_never_comes_is_a_loss_and_not_a_gap():
    line = Line()
    line.sent()
    line.piece(0, "a")
    line.piece(2, "c")
    line.ended(3)
    assert line.end is None
    assert line.pieces.next_deadline() == line.now + PATIENCE_SECONDS
    line.now += PATIENCE_SECONDS
    line.pieces.tick()
    assert line.bytes == "a"
    assert line.end == ("lost", MISSING)
    assert not line.piece(1, "b"), "what comes now is nobody's"


def test_what_comes_within_the_patience_completes_it():
    line = Line()
    line.sent()
    line.piece(1, "b")
    line.ended(2)
    line.now += PATIENCE_SECONDS / 2
    line.piece(0, "a")
    assert (line.bytes, line.end) == ("ab", ("whole", ""))


def test_too_many_early_pieces_are_a_loss():
    line = Line()
    line.sent()
    for seq in range(1, MAX_EARLY + 3):
        line.piece(seq, "x")
    assert line.end == ("lost", MISSING)


def test_too_many_responses_at_once_lose_the_oldest():
    line = Line()
    for number in range(MAX_OPEN + 1):
        line.sent(f"chatgpt:0000000000{number}")
    (ended,) = [one for one in line.events if isinstance(one, t.ResponseEnded)]
    assert ended.id == "chatgpt:00000000000"


def test_the_bytes_under_way_in_one_page_are_bounded(monkeypatch):
    """T26: 64 MB, many times over."""
    monkeypatch.setattr(page_traffic, "MAX_BYTES", 1000)
    line = Line()
    for number in range(4):
        name = f"chatgpt:000000000{number}"
        line.sent(name)
        line.piece(0, "x" * 300, name)
    lost = [one for one in line.events if isinstance(one, t.ResponseEnded)]
    assert [(str(one.how), one.why) for one in lost] == [("lost", "too much at once")]
    line.ended(1, "chatgpt:0000000000")
    line.sent("chatgpt:0000000009")
    assert line.piece(0, "x" * 300, "chatgpt:0000000009"), "room was made"


def test_what_the_page_script_dropped_is_counted_once_and_by_known_names():
    page = Page("chatgpt")
    for forged in (1, 5, 3):
        page.say(kind="dropped", counts={"forged": forged, "anything": 9})
    assert page.page.dropped["forged"] == 5
    assert "anything" not in page.page.dropped


REFUSED = [
    # id, what is said, why it is refused
    ("bytes of nobody", lambda line: line.piece(0, "x", "chatgpt:00000000ff"), "unknown attempt"),
    ("end of nobody", lambda line: line.ended(0, "chatgpt:00000000ff"), "unknown attempt"),
    (
        "an attempt of another site",
        lambda line: line.sent("grok:0000000000"),
        "attempt of another page",
    ),
    ("the same again", lambda line: line.sent(), "duplicate attempt"),
    ("not base64", lambda line: line.sent("chatgpt:0000000002", body="%%%"), "not base64"),
    (
        "bytes that are none",
        lambda line: line.say(kind="bytes", attempt=NAME, seq=0, data="*", at=1.0),
        "not base64",
    ),
    (
        "a frame without a socket",
        lambda line: line.say(kind="frame", attempt=NAME, sent=False, text="x", at=1.0),
        "unknown attempt",
    ),
]


@pytest.mark.parametrize("say, why", [c[1:] for c in REFUSED], ids=[c[0] for c in REFUSED])
def test_what_does_not_fit_is_refused_and_counted(say, why):
    line = Line()
    line.sent()
    told = len(line.events)
    assert say(line) is False
    assert line.pieces.refused == {why: 1}
    assert len(line.events) == told


def test_a_socket_is_told_as_one():
    line = Line()
    line.sent(via="socket", url="wss://ws.chatgpt.com/x")
    line.say(kind="frame", attempt=NAME, sent=False, text="hello", at=1.0)
    line.say(kind="frame", attempt=NAME, sent=True, data="aGk=", at=1.0)
    line.ended(None)
    kinds = [type(one).__name__ for one in line.events]
    assert kinds == ["SocketOpened", "SocketFrame", "SocketFrame", "SocketClosed"]
    assert line.events[2].data == b"hi"


def test_messages_of_a_socket_are_put_in_order_too():
    line = Line()
    line.sent(via="socket", url="wss://ws.chatgpt.com/x")
    for seq in (1, 0, 1, 3):
        line.say(kind="frame", attempt=NAME, sent=False, text=str(seq), at=1.0, seq=seq)
    line.ended(4)
    assert [one.data for one in line.events if isinstance(one, t.SocketFrame)] == ["0", "1"]
    line.now += PATIENCE_SECONDS
    line.pieces.tick()
    assert line.events[-1].why == MISSING


def test_the_pages_clock_is_put_on_ours():
    line = Line()
    line.sent(at=1000.0 + line.now - 30)  # heard while the hub was away
    line.sent("chatgpt:0000000002", at=1000.0 + line.now + 9e9)  # a clock that is wrong
    line.sent("chatgpt:0000000003", at=-1e300)
    times = [one.request.at for one in line.events]
    assert times == [70.0, 100.0, 100.0]


def test_a_page_that_goes_loses_what_was_under_way():
    line = Line()
    line.sent()
    line.pieces.close("the page is gone")
    assert line.end == ("lost", "the page is gone")


DEEP = {"kind": "named", "title": "x", "at": 1.0, "more": []}
for _ in range(500):
    DEEP["more"] = [DEEP["more"]]

NOT_MESSAGES = [
    ("nothing", {}),
    ("a list", []),
    ("another kind", {"kind": "eval", "code": "1"}),
    ("no attempt", {"kind": "bytes", "seq": 0, "data": "", "at": 1.0}),
    ("an attempt that is none", {"kind": "ended", "attempt": "../../x", "how": "whole", "at": 1.0}),
    ("a number for words", {"kind": "named", "title": 5, "at": 1.0}),
    ("words for a number", {"kind": "bytes", "attempt": NAME, "seq": "0", "data": "", "at": 1.0}),
    ("less than nothing", {"kind": "bytes", "attempt": NAME, "seq": -1, "data": "", "at": 1.0}),
    ("no time", {"kind": "named", "title": "x", "at": float("inf")}),
    ("not a time", {"kind": "named", "title": "x", "at": float("nan")}),
    ("a format there is not", {"kind": "save", "request": "1", "format": "exe"}),
    ("a long title", {"kind": "named", "title": "x" * 5000, "at": 1.0}),
    ("a long address", {"kind": "moved", "url": "x" * 20_000, "at": 1.0}),
]


@pytest.mark.parametrize("said", [c[1] for c in NOT_MESSAGES], ids=[c[0] for c in NOT_MESSAGES])
def test_what_is_no_message_is_none(said):
    assert m.read_message(said) is None


def test_what_is_added_to_a_message_is_left_out():
    found = m.read_message({**DEEP, "__proto__": {"admin": True}})
    assert found == m.Named("x", 1.0)


ODD = [
    NAME,
    0,
    1,
    -1,
    1.0,
    2**70,
    None,
    True,
    "",
    "whole",
    "aGk=",
    ASK["chatgpt"],
    [],
    {},
    "\ud800",
]
FIELDS = ["attempt", "seq", "data", "at", "url", "title", "how", "seqs", "method", "body", "text"]
KINDS = ["sent", "head", "bytes", "ended", "frame", "moved", "named", "visible", "save", "dropped"]


@settings(max_examples=150, deadline=None)
@given(st.integers(0, 2**32))
def test_no_words_of_a_page_break_anything(seed):
    chance = random.Random(seed)
    page = Page("chatgpt")
    for _ in range(30):
        message = {name: chance.choice(ODD) for name in FIELDS if chance.random() < 0.7}
        usual = {"attempt": NAME, "at": 1.0, "seq": 0, "sent": False, "url": ASK["chatgpt"]}
        if chance.random() < 0.6:
            message |= {"data": "aGk=", "method": "POST", "how": "whole", "seqs": 1, **usual}
        if (found := m.read_message({"kind": chance.choice(KINDS), **message})) is not None:
            page.page.take(found)
    page.wait(20)
    page.page.close()


@settings(max_examples=25, deadline=None)
@given(st.sampled_from(sorted(SITES)), st.randoms(use_true_random=False))
def test_any_cut_and_any_order_of_pieces_gives_the_same_capture(site, chance):
    whole = b"".join(pieces(site))
    straight = Page(site)
    straight.respond(straight.prompt(), [whole])
    places = sorted({0, len(whole), *(chance.randrange(len(whole)) for _ in range(12))})
    chunks = [whole[a:b] for a, b in itertools.pairwise(places)]
    order = list(range(len(chunks)))
    chance.shuffle(order)
    page = Page(site)
    page.respond(page.prompt(), chunks, order=order)
    assert page.last.digest == straight.last.digest
    assert page.shown.life == straight.shown.life == "completed"
    page.load(chunks=None)
    straight.load()
    assert page.last.digest == straight.last.digest
