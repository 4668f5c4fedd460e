"""Which question in a conversation is ours: by its name or by not having been there, never by
its words alone, and never by our own clock."""

from email.utils import formatdate

import pytest

from tabwire.asking.recovery.proof import SiteClock, Sought
from tabwire.model.ask import Press
from tabwire.model.conversation import Conversation, Role, Standing, Turn

PROMPT = "Why is the sky blue?"
PRESSED = 1_000_000.25
WHOLE = Standing(True, True, "end of turn")


def chat(named="c", *asked, began=None):
    """A conversation with these questions, oldest first: (id, text, when)."""
    turns = []
    for name, text, at in asked:
        turns.append(Turn(name, Role.USER, text, created_at=at))
        turns.append(Turn(f"{name}-answer", Role.ASSISTANT, "Because.", ends_turn=True))
    visible = tuple(turn.id for turn in turns)
    return Conversation("grok", named, WHOLE, turns=tuple(turns), visible=visible, created_at=began)


def clock(ahead=0.0):
    told = SiteClock()
    told.ahead = told.ahead_at_most = ahead
    return told


def sought(chat=None, named=None, *, fresh=True, **known):
    return Sought(PROMPT, Press(PRESSED, fresh=fresh, **known), chat, named)


def after(seconds):
    return PRESSED + seconds


NEW_CHATS = [
    # id                                     what is sought          found                  ours
    ("begun after the press", sought(), ("q", PROMPT, after(0.3)), True),
    ("begun a second before it", sought(), ("q", PROMPT, after(-1.0)), False),
    ("begun a minute before it", sought(), ("q", PROMPT, after(-60.0)), False),
    ("other words", sought(), ("q", "Why is it green?", after(1.0)), False),
    ("listed before", sought(conversations=("c",)), ("q", PROMPT, after(1.0)), False),
    ("the site does not say when", sought(), ("q", PROMPT, None), False),
    ("whole seconds", sought(), ("q", PROMPT, 1_000_000.0), True),
    ("our request named it", sought(question_id="q"), ("q", PROMPT, after(-9.0)), True),
    ("our request named another", sought(question_id="z"), ("q", PROMPT, after(9.0)), False),
    ("our own answer named the chat", sought(named="c"), ("q", PROMPT, None), True),
    (
        "our own answer named it, and it was there before",
        sought(named="c", conversations=("c",)),
        ("q", PROMPT, after(-60.0)),
        False,
    ),
]


@pytest.mark.parametrize("what, question, ours", [one[1:] for one in NEW_CHATS], ids=[
    one[0] for one in NEW_CHATS
])  # fmt: skip
def test_a_new_chat_is_ours_by_a_name_or_because_it_was_not_there(what, question, ours):
    assert what.is_in(chat("c", question), clock()) is ours


def test_a_new_chat_of_ours_begins_with_our_question():
    before = ("p", "Hello", after(-50.0))
    found = chat("c", before, ("q", PROMPT, after(1.0)), began=after(-50.0))
    assert not sought().is_in(found, clock())
    assert not sought().is_in(chat("c", before, ("q", PROMPT, after(1.0))), clock())


GOING_ON = [
    ("asked after the press", sought("c"), ("q", PROMPT, after(0.3)), True),
    ("asked before it", sought("c"), ("q", PROMPT, after(-3.0)), False),
    ("seen before it", sought("c", questions=("q",)), ("q", PROMPT, after(3.0)), False),
    ("no time", sought("c", questions=("p",)), ("q", PROMPT, None), False),
    ("another chat", sought("d"), ("q", PROMPT, after(3.0)), False),
    ("named by our request", sought("c", question_id="q"), ("q", PROMPT, None), True),
    ("its name is not there", sought("c", question_id="z"), ("q", PROMPT, after(3.0)), False),
    # that a chat we went on in was named by our answer says nothing of the turn
    ("the chat is named", sought("c", "c"), ("q", PROMPT, after(-3.0)), False),
]


@pytest.mark.parametrize("what, question, ours", [one[1:] for one in GOING_ON], ids=[
    one[0] for one in GOING_ON
])  # fmt: skip
def test_in_a_chat_that_was_there_the_turn_has_to_be_ours(what, question, ours):
    found = chat("c", ("p", PROMPT, after(-500.0)), question)
    assert what.is_in(found, clock()) is ours


def test_a_question_that_was_asked_again_since_is_not_answered_by_the_newer_answer():
    found = chat("c", ("q", PROMPT, after(1.0)), ("r", PROMPT, after(9.0)))
    assert not sought(question_id="q", named="c").is_in(found, clock())


@pytest.mark.parametrize("ahead", [-7200.0, -5.0, 0.0, 5.0, 7200.0])
def test_a_clock_that_is_wrong_changes_nothing(ahead):
    """The site's times and ours are compared on one clock."""
    just_after = chat("c", ("q", PROMPT, after(0.3) + ahead))
    just_before = chat("c", ("q", PROMPT, after(-2.0) + ahead))
    assert sought().is_in(just_after, clock(ahead))
    assert not sought().is_in(just_before, clock(ahead))


def test_without_the_sites_clock_no_time_is_proof():
    assert not sought().is_in(chat("c", ("q", PROMPT, after(60.0))), SiteClock())


@pytest.mark.parametrize("chat_id", [None, "c"], ids=["a new chat", "one gone on in"])
@pytest.mark.parametrize(
    "fresh, seconds, ours",
    [
        (True, 0.2, True),
        (True, -0.3, True),  # in doubt: the page would have loaded what was there before
        (True, -2.0, False),
        (False, 0.2, False),  # in doubt, and the page was loaded long ago
        (False, -0.3, False),
        (False, 1.5, True),
    ],
)
def test_in_doubt_only_what_the_page_has_loaded_for_this_ask_speaks_for_us(
    fresh, seconds, ours, chat_id
):
    rough = SiteClock()
    rough.ahead, rough.ahead_at_most = -0.6, 0.7
    found = chat("c", ("q", PROMPT, after(seconds)))
    assert sought(chat_id, fresh=fresh).is_in(found, rough) is ours


def test_the_clock_of_a_site_is_learnt_from_its_responses():
    told = SiteClock()
    told.hear("gibberish", 1000.0)
    told.hear(formatdate(1000, usegmt=True), 0.0)  # nobody says when it came
    assert told.ahead is None
    told.hear(formatdate(3000, usegmt=True), 1000.0)  # kept in a cache on the way
    told.hear(formatdate(5000, usegmt=True), 1000.75)  # 3,999.25 to 4,000.55 ahead
    assert told.ahead == pytest.approx(3999.25)
    assert told.ahead_at_most == pytest.approx(4000.55)
    told.hear(formatdate(4000, usegmt=True), 1001.0)  # from a cache again
    told.hear(formatdate(5005, usegmt=True), 1005.1)  # cut at another moment of the second
    assert told.ahead == pytest.approx(3999.9)
    assert told.ahead_at_most == pytest.approx(4000.55)
    told.hear(formatdate(5008, usegmt=True), 1008.9)
    assert told.ahead_at_most == pytest.approx(4000.4)
