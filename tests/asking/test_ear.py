"""What an ask hears of its tab: which prompt is ours, and waiting without missing anything."""

import asyncio
import json

import pytest

from tabwire.asking.ear import Ear
from tabwire.browser import tab_events as life
from tabwire.browser.observed import PageState
from tabwire.browser.tap.events import Request
from tabwire.fusion.table import Cause, State
from tabwire.fusion.verdict import Judgement, Verdict
from tabwire.monitor import sightings as told
from tabwire.sites.known import SITES
from tabwire.sites.site import RequestKind

pytestmark = pytest.mark.asyncio
PROMPT = "Why is the sky blue?"
NAMED = "0b6b4a4e-6d2c-4c4c-9a55-0d9f8d6b1c11"
STREAM = "/_/BardChatUi/data/assistant.lamda.BardFrontendService/StreamGenerate"


def chatgpt_body(prompt):
    message = {"id": NAMED, "author": {"role": "user"}, "content": {"parts": [prompt]}}
    return json.dumps({"action": "next", "messages": [message]}).encode()


def asked(prompt=PROMPT, attempt="a1", at=5.0):
    return told.Asked(at, attempt, None, prompt)


def judged(attempt="a1", judgement=Judgement.COMPLETE):
    return told.Judged(6.0, attempt, State.COMPLETED_HINT, Verdict(judgement, "x", "Because."), ())


async def test_a_prompt_is_ours_only_after_send_was_pressed():
    ear = Ear(PROMPT)
    ear.hear(asked())
    assert ear.attempt is None
    ear.pressing()
    ear.hear(asked("Something else", "a2"))
    ear.hear(asked(None, "a3"))
    assert ear.attempt is None
    ear.hear(asked(attempt="a4", at=7.0))
    assert (ear.attempt, ear.left_at, ear.times_left) == ("a4", 7.0, 1)


async def test_verdicts_of_others_are_not_ours():
    ear = Ear(PROMPT)
    ear.pressing()
    ear.hear(asked(attempt="a2"))
    ear.hear(judged("a1"))
    ear.hear(judged("a2", Judgement.OPEN))
    assert ear.verdict is None
    ear.hear(judged("a2"))
    assert ear.verdict.complete


async def test_only_sightings_of_our_attempt_are_passed_on():
    ear, heard = Ear(PROMPT), []
    ear.on_sighting = heard.append
    ear.hear(told.Grew(1.0, "a1", "old"))
    ear.pressing()
    ear.hear(asked(attempt="a2"))
    ear.hear(told.Grew(2.0, "a1", "of another"))
    ear.hear(told.Grew(3.0, "a2", "Be"))
    assert [one.text for one in heard if isinstance(one, told.Grew)] == ["Be"]
    assert ear.answer_began


async def test_a_prompt_that_left_twice_is_counted():
    ear = Ear(PROMPT)
    ear.pressing()
    ear.hear(asked())
    ear.hear(asked(attempt="a2"))
    assert (ear.attempt, ear.times_left) == ("a1", 2)


async def test_an_attempt_nobody_heard_asked_can_be_taken_up():
    ear = Ear(PROMPT)
    ear.pressing()
    ear.hear(asked("Another", "a1"))
    ear.hear(told.StateMoved(1.0, "a1", State.IDLE, State.PROMPT_SENT, Cause.PROMPT_LEFT))
    assert ear.unasked is None
    ear.hear(told.StateMoved(1.0, "a2", State.IDLE, State.STREAMING, Cause.PAGE_BUSY))
    assert ear.unasked == "a2"
    ear.adopt()
    assert ear.attempt == "a2"


async def test_a_request_that_is_heard_late_takes_the_place_of_what_the_page_told():
    ear = Ear(PROMPT)
    ear.pressing()
    ear.hear(told.StateMoved(1.0, "a1", State.IDLE, State.STREAMING, Cause.PAGE_BUSY))
    ear.adopt()
    ear.hear(judged("a1", Judgement.PARTIAL))
    ear.hear(asked(attempt="a2", at=9.0))
    assert (ear.attempt, ear.left_at, ear.times_left) == ("a2", 9.0, 1)
    assert ear.verdict is None
    ear.hear(asked(attempt="a3"))
    assert (ear.attempt, ear.times_left) == ("a2", 2)


BACKEND = "https://chatgpt.com/backend-api"
CALLS = "https://gemini.google.com/_/BardChatUi/data/batchexecute?rpcids="
GROK = "https://grok.com/rest"
CARRIERS = [
    # site      method  url                                  the prompt in it   can carry ours
    ("chatgpt", "POST", f"{BACKEND}/f/conversation", None, True),
    ("chatgpt", "POST", f"{BACKEND}/f/conversation", "ours", True),
    ("chatgpt", "POST", "https://chatgpt.com/backend-anon/f/conversation", None, True),
    ("chatgpt", "POST", f"{BACKEND}/g/conversation", "ours", True),  # renamed
    ("chatgpt", "POST", f"{BACKEND}/g/conversation", None, False),
    ("chatgpt", "POST", f"{BACKEND}/f/conversation/prepare", "ours", False),
    ("chatgpt", "POST", f"{BACKEND}/conversation/init", None, False),
    ("chatgpt", "POST", f"{BACKEND}/sentinel/ping", None, False),
    ("chatgpt", "GET", f"{BACKEND}/conversations?offset=0", None, False),
    ("chatgpt", "GET", f"{BACKEND}/conversation/{NAMED}", None, False),
    ("chatgpt", "GET", f"{BACKEND}/conversation/{NAMED}/stream_status", None, False),
    ("chatgpt", "POST", "https://chatgpt.com/ces/v1/t", "other", False),
    ("chatgpt", "POST", "https://o1.ingest.sentry.io/api/1/envelope/", None, False),
    ("gemini", "POST", f"https://gemini.google.com{STREAM}", None, True),
    ("gemini", "POST", f"{CALLS}ESY5D", None, False),
    ("gemini", "POST", f"{CALLS}MaZiqc", None, False),
    ("gemini", "POST", "https://play.google.com/log?format=json", None, False),
    ("grok", "POST", f"{GROK}/app-chat/conversations/new", None, True),
    ("grok", "GET", f"{GROK}/app-chat/conversations?pageSize=60", None, False),
    ("grok", "POST", f"{GROK}/rate-limits", None, False),
    ("grok", "POST", "https://grok.com/monitoring", None, False),
]


@pytest.mark.parametrize("site, method, url, says, carries", CARRIERS)
async def test_only_a_request_that_can_carry_a_prompt_makes_a_send_unknown(
    site, method, url, says, carries
):
    known = SITES[site]
    ear = Ear(PROMPT, known.prompt_in_request)
    prompt = {"ours": PROMPT, "other": "Something else"}.get(says)
    body = None if prompt is None else chatgpt_body(prompt)
    request = Request("r", method, url, "Fetch", 1.0, body, has_body=method == "POST")
    kind = known.sort_request(method, url)
    ear.request(request, kind)
    assert ear.carriers == 0, "Send was not pressed yet"
    ear.pressing()
    ear.request(request, kind)
    assert bool(ear.carriers) is carries
    ear.pressing()
    assert ear.carriers == 0


async def test_what_an_asking_request_carried_is_kept():
    ear = Ear(PROMPT)
    ear.pressing()
    ear.request(Request("r", "POST", "https://x", "Fetch", 1.0, b"body"), RequestKind.ANSWER)
    ear.request(Request("s", "POST", "https://x", "Fetch", 1.0, b"none"), RequestKind.IGNORED)
    assert ear.bodies == [b"body"]


async def test_a_new_document_takes_what_was_seen_with_it():
    ear = Ear(PROMPT)
    for event, keeps in [
        (life.Navigated(1.0, "u", same_document=True), True),
        (life.Navigated(1.0, "u", same_document=False), False),
        (life.Reloaded(1.0, "u"), False),
    ]:
        ear.state = object()
        ear.befall(event)
        assert (ear.state is not None) == keeps


async def test_whoever_waits_is_woken_by_what_comes():
    ear = Ear(PROMPT)
    ear.pressing()

    async def act():
        ear.hear(asked())

    async with asyncio.TaskGroup() as group:
        waiting = group.create_task(ear.until(lambda: ear.attempt, None))
        group.create_task(act())
    assert waiting.result() == "a1"


async def test_a_fault_beside_is_raised_to_whoever_waits_and_not_before_what_is_there():
    ear = Ear(PROMPT)
    ear.broke(LookupError("first"))
    ear.broke(KeyError("second"))
    assert await ear.until(lambda: "there", None) == "there"
    with pytest.raises(LookupError, match="first"):
        await ear.until(lambda: None, None)


async def test_what_does_not_come_in_time_is_nothing():
    assert await Ear(PROMPT).until(lambda: None, 0.001) is None


async def test_another_answer_is_under_way_where_the_wire_or_a_stop_control_says_so():
    ear = Ear(PROMPT)
    assert not ear.busy
    ear.hear(asked("Something else", "a1"))
    assert ear.busy
    ear.hear(told.StateMoved(1.0, "a1", State.IDLE, State.STREAMING, Cause.PROMPT_LEFT))
    assert ear.busy
    ear.hear(told.StateMoved(2.0, "a1", State.STREAMING, State.COMPLETED_HINT, Cause.PROMPT_LEFT))
    assert not ear.busy
    ear.see(shown(generating=True))  # drawn late, or marked by a page that nobody sees
    assert not ear.busy
    ear.see(shown(generating=True, stop=True))
    assert ear.busy


async def test_an_exchange_that_stood_in_the_page_before_the_press_is_not_ours():
    """The page is the last witness, and names no question: only a new exchange can be ours."""
    moved = told.StateMoved(1.0, "a1", State.IDLE, State.STREAMING, Cause.PAGE_BUSY)
    for before, after, new_chat, ours in [
        (shown(), shown(newest="e1", exchanges=1, text_length=9), True, True),
        (shown(newest="e1", exchanges=1), shown(newest="e1", text_length=9), False, False),
        (shown(newest="e1", exchanges=1), shown(newest="e2", text_length=9), False, True),
        # a history that is drawn only after the press
        (shown(), shown(newest="e1", exchanges=1, text_length=9), False, False),
    ]:
        ear = Ear(PROMPT)
        ear.see(before)
        ear.before_press(1.0, "T", new_chat=new_chat)
        ear.pressing()
        ear.hear(moved)
        ear.see(after)
        assert ear.page_answers is ours


async def test_what_the_page_had_loaded_is_known_at_the_press_and_nothing_later():
    ear = Ear(PROMPT)
    ear.hear(told.Listed(1.0, ("c1", "c2")))
    press = ear.before_press(5.0, "T", new_chat=True)
    ear.pressing()
    ear.hear(told.Listed(6.0, ("c3", "c1")))
    assert (press.at, press.tab, press.conversations) == (5.0, "T", ("c1", "c2"))
    assert ear.press == press
    ear.hear(told.Asked(7.0, "a1", None, PROMPT, "m1"))
    assert ear.press.question_id == "m1"


def shown(**named):
    """A page with nothing in it but this."""
    blank = {"generating": False, "exchanges": 0, "answers": 0, "newest": "", "text_length": 0}
    rest = {"actions": False, "thinking": False, "composer": True, "composer_empty": True}
    more = {"send": True, "logged_in": None}
    return PageState("u", "t", "turn_key", **(blank | rest | more | named))
