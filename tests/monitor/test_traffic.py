"""From what a tap hears to what a watcher is told: stories of requests, no browser."""

import itertools

import pytest

from monitor.wire import (
    ASK,
    HEX,
    ID,
    PIECES,
    PROMPT,
    TEXT,
    THOUGHTS,
    UUID,
    Tab,
    body,
    pieces,
    stored,
)
from tabwire.browser.tap import events as t
from tabwire.fusion.table import State
from tabwire.lab.replicas.chatgpt.socket import stream_item
from tabwire.lab.speak import gemini as speak_gemini
from tabwire.lab.speak.chatgpt import Ids
from tabwire.lab.speak.chatgpt.frames import SOCKET, handoff
from tabwire.monitor import sightings as told
from tabwire.sites.known import SITES

EVERY_SITE = pytest.mark.parametrize("site", SITES)


@EVERY_SITE
def test_an_answer_is_told_as_it_grows_and_judged_by_its_own_end(site):
    tab = Tab(site)
    tab.respond(tab.prompt(), pieces(site))
    (asked,) = tab.of(told.Asked)
    assert asked.prompt == PROMPT
    assert tab.text() == TEXT
    assert tab.text(thinking=True).replace("\n", "").startswith(THOUGHTS[0].strip())
    assert tab.states[:3] == ["prompt_sent", "streaming", "completed_hint"]
    assert tab.verdict.complete
    assert tab.verdict.text == TEXT
    assert tab.verdict.conversation_id == ID[site]
    assert tab.of(told.Judged)[0].history


@EVERY_SITE
def test_the_text_is_told_before_the_verdict_on_it(site):
    tab = Tab(site)
    tab.respond(tab.prompt(), [b"".join(pieces(site))])
    kinds = [type(one) for one in tab.told]
    last_growth = max(i for i, kind in enumerate(kinds) if kind in (told.Grew, told.Rewritten))
    assert last_growth < kinds.index(told.Judged)
    assert tab.verdict.complete


@EVERY_SITE
@pytest.mark.parametrize("how", [t.End.FAILED, t.End.CANCELED, t.End.LOST])
def test_a_response_that_breaks_off_is_partial_and_never_complete(site, how):
    """Promise: truth."""
    tab = Tab(site)
    chunks = pieces(site, complete=False)
    tab.respond(tab.prompt(), chunks, how=how)
    assert not tab.of(told.Judged)
    tab.wait(10)
    assert tab.verdict.judgement == "partial"
    assert tab.verdict.text == TEXT
    assert tab.states[-1] == "terminated_partial"


@EVERY_SITE
def test_after_a_break_the_stored_conversation_completes_the_answer(site):
    tab = Tab(site)
    tab.respond(tab.prompt(), pieces(site, complete=False), how=t.End.CANCELED)
    tab.load_stored()
    assert tab.verdict.complete
    assert tab.verdict.text == TEXT


@EVERY_SITE
def test_a_stored_reading_asked_for_before_the_prompt_is_no_witness(site):
    """It would tell the answer of the turn before."""
    tab = Tab(site)
    url, method, raw = stored(site, "An old one.")
    early = tab.ask(url=url, method=method)
    tab.now += 1
    prompt = tab.prompt()
    tab.begin(prompt)
    tab.respond(early, [raw], mime="application/json")
    for chunk in pieces(site):
        tab.bytes(prompt, chunk)
    tab.end(prompt)
    assert tab.verdict.complete
    assert tab.verdict.text == TEXT
    tab.wait(10)
    assert tab.verdict.complete


@EVERY_SITE
def test_a_stored_conversation_nobody_asked_in_is_told_as_such(site):
    tab = Tab(site)
    tab.load_stored()
    (seen,) = tab.of(told.Stored)
    assert seen.conversation_id == ID[site]
    assert seen.messages == 2
    assert seen.complete
    assert not tab.of(told.Judged)


NOT_STORED = [
    # site, status, body, whether the site says that there is no such conversation
    ("chatgpt", 404, b'{"detail":{"code":"conversation_not_found"}}', True),
    ("chatgpt", 422, b"{}", True),
    ("chatgpt", 500, b"{}", False),
    ("chatgpt", 403, b"<!doctype html><title>Just a moment...</title>", False),
    ("gemini", 200, speak_gemini.speak_calls([("hNvQHb", [])]), True),
    ("gemini", 200, b"nothing that can be read", False),
    ("grok", 404, b'{"code":5,"message":"Conversation not found"}', True),
    ("grok", 200, b'{"responses":[]}', False),  # told in several bodies: others may follow
]


@pytest.mark.parametrize("site, status, raw, missing", NOT_STORED)
def test_a_site_that_has_no_such_conversation_is_heard_to_say_so(site, status, raw, missing):
    tab = Tab(site)
    url, method, _whole = stored(site)
    tab.respond(tab.ask(url=url, method=method), [raw], status=status, mime="application/json")
    assert [one.conversation_id for one in tab.of(told.NotStored)] == [ID[site]] * missing


@EVERY_SITE
def test_a_conversation_that_is_loaded_is_not_said_to_be_missing(site):
    tab = Tab(site)
    tab.load_stored()
    assert not tab.of(told.NotStored)


def test_after_a_break_the_answer_before_is_not_taken_for_this_one():
    """Promise: truth. The page asked for it before the prompt left; it comes after the break."""
    tab = Tab("chatgpt")
    tab.url = f"https://chatgpt.com/c/{UUID}"
    url, method, raw = stored("chatgpt", "The answer of the turn before.")
    early = tab.ask(url=url, method=method)
    tab.now += 1
    tab.respond(tab.prompt(), [], how=t.End.FAILED)
    tab.respond(early, [raw], mime="application/json")
    tab.wait(20)
    assert tab.verdict.judgement == "partial"
    assert tab.verdict.text == ""


def test_a_stored_body_that_did_not_come_whole_is_no_witness():
    tab = Tab("chatgpt")
    tab.respond(tab.prompt(), pieces("chatgpt", complete=False), how=t.End.FAILED)
    url, method, raw = stored("chatgpt")
    tab.respond(tab.ask(url=url, method=method), [raw], how=t.End.LOST)
    assert not tab.of(told.Judged)


def test_a_hint_about_an_answer_not_judged_yet_is_no_further_witness():
    tab = Tab("chatgpt")
    tab.respond(tab.prompt(), pieces("chatgpt", complete=False), how=t.End.FAILED)
    url = f"https://chatgpt.com/backend-api/conversation/{UUID}/stream_status"
    tab.respond(tab.ask(url=url, method="GET"), [b"{}"], mime="application/json")
    assert tab.states[-1] == "completed_hint"
    assert not tab.of(told.Witnessed)


def test_a_witness_that_brings_the_verdict_is_told_once():
    tab = Tab("grok")
    tab.respond(tab.prompt(), pieces("grok", complete=False), how=t.End.CANCELED)
    tab.load_stored()
    assert len(tab.of(told.Judged)) == 1
    assert not tab.of(told.Witnessed)


def test_a_prompt_that_comes_apart_from_its_request_is_still_known():
    tab = Tab("chatgpt")
    name = tab.ask(has_body=True)
    assert not tab.of(told.Asked)
    tab.traffic.hear(t.BodyKnown(name, body("chatgpt")))
    assert [one.prompt for one in tab.of(told.Asked)] == [PROMPT]
    tab.respond(name, pieces("chatgpt"))
    assert len(tab.of(told.Asked)) == 1


def test_a_prompt_that_is_never_known_is_told_when_the_answer_begins():
    tab = Tab("chatgpt")
    name = tab.ask(has_body=True)
    tab.begin(name)
    assert [one.prompt for one in tab.of(told.Asked)] == [None]


def test_a_second_question_supersedes_the_first_in_the_same_conversation():
    tab = Tab("chatgpt")
    tab.respond(tab.prompt(), pieces("chatgpt"))
    tab.url = f"https://chatgpt.com/c/{UUID}"
    tab.traffic.moved("https://chatgpt.com/", tab.url)
    tab.respond(tab.prompt(), pieces("chatgpt", texts=("Another.",)))
    first = tab.traffic.fusion.machine("a1")
    assert first is not None
    assert first.state is State.SUPERSEDED
    assert tab.verdict.text == "Another."
    assert tab.of(told.Judged)[-1].attempt == "a2"


def test_a_refusal_by_status_alone_is_named():
    for status, kind in ((429, "rate_limit"), (401, "login"), (403, "blocked"), (500, "error")):
        tab = Tab("grok")
        tab.respond(tab.prompt(), [b""], status=status, mime="text/plain")
        assert tab.verdict.judgement == "refused"
        assert tab.verdict.refusal is not None
        assert tab.verdict.refusal.kind == kind


LATER = [
    # the header, the body, what is known of the end of the limit
    ("1800", b"", (1800.0, None)),
    ("1800", b'{"error": {"code": 8, "message": "Too many requests"}}', (1800.0, None)),
    ("1800", b'{"error": {"code": 8, "waitTimeSeconds": 60}}', (60.0, None)),
    ("Fri, 15 Jan 2027 08:00:00 GMT", b"", (None, 1_800_000_000.0)),
    ("", b"", (None, None)),
    ("soon", b"", (None, None)),
]


@pytest.mark.parametrize("header, said, known", LATER)
def test_when_a_limit_is_over_is_heard_from_the_header_where_the_body_is_silent(
    header, said, known
):
    tab = Tab("grok")
    name = tab.prompt()
    tab.begin(name, 429, "application/json", header)
    tab.bytes(name, said)
    tab.end(name)
    refusal = tab.verdict.refusal
    assert (refusal.kind, refusal.resets_in, refusal.resets_at) == ("rate_limit", *known)


def test_a_request_to_stop_makes_the_answer_stopped_not_complete():
    tab = Tab("chatgpt")
    name = tab.prompt()
    tab.begin(name)
    for chunk in pieces("chatgpt", complete=False):
        tab.bytes(name, chunk)
    stop = tab.ask(url="https://chatgpt.com/backend-api/stop_conversation", posted=b"{}")
    tab.respond(stop, [b"{}"], mime="application/json")
    assert tab.verdict.judgement == "partial"
    assert tab.verdict.why == "stopped"
    assert tab.states[-1] == "terminated_partial"


def test_what_a_service_worker_asks_on_behalf_of_the_page_counts_once():
    tab = Tab("grok")
    page = tab.prompt()
    inner = t.Request("sw", "POST", ASK["grok"], "Fetch", tab.now, body("grok"), serves=page)
    tab.traffic.hear(t.RequestLeft(inner))
    assert not tab.traffic.wanted(inner)
    tab.respond(page, pieces("grok"))
    assert len(tab.of(told.Asked)) == 1
    assert tab.verdict.complete


@pytest.mark.parametrize("where", ["service_worker", "shared_worker"])
def test_what_a_worker_of_all_tabs_asks_by_itself_is_not_this_tabs_prompt(where):
    """Promise: truth. It may be another tab's."""
    tab = Tab("grok")
    request = t.Request("w", "POST", ASK["grok"], "Fetch", tab.now, body("grok"), where=where)
    tab.traffic.hear(t.RequestLeft(request))
    assert not tab.traffic.wanted(request)
    assert not tab.told


def test_the_rest_of_a_handed_off_turn_comes_over_the_socket():
    """ChatGPT may end the response early and go on by a topic of its socket."""
    import json

    tab = Tab("chatgpt")
    chunks = pieces("chatgpt")
    frame = {
        "type": "stream_handoff",
        "conversation_id": UUID,
        "turn_exchange_id": "t1",
        "options": [{"type": "subscribe_ws_topic", "topic_id": "topic-1"}],
    }
    hand_off = b"data: " + json.dumps(frame).encode() + b"\n\n"
    half = len(chunks) // 2
    url = "wss://ws.chatgpt.com/p6/ws/user/x"
    socket = tab.ask(url=url, method="GET", kind="WebSocket")
    tab.traffic.hear(t.SocketOpened(socket, url, tab.now))
    tab.respond(tab.prompt(), [*chunks[:half], hand_off])
    assert not tab.of(told.Judged)
    for chunk in chunks[half:]:
        block = {
            "type": "message",
            "topic_id": "topic-1",
            "payload": {
                "type": "conversation-turn-stream",
                "payload": {"type": "stream-item", "encoded_item": chunk.decode()},
            },
        }
        tab.traffic.hear(t.SocketFrame(socket, False, json.dumps([block]), tab.now))
    assert tab.verdict.complete
    assert tab.verdict.text == TEXT


def test_items_of_the_socket_are_read_in_their_order_and_the_last_at_its_close():
    """Two change places; one that is never filled in does not cost what came after it."""
    tab = Tab("chatgpt")
    chunks = pieces("chatgpt")
    at = second_piece(chunks)
    away = handoff(UUID, Ids(), SOCKET, "topic-1")
    tab.respond(tab.prompt(), [*chunks[: at - 1], away])
    url = "wss://ws.chatgpt.com/p6/ws/user/x"
    socket = tab.ask(url=url, method="GET", kind="WebSocket")
    tab.traffic.hear(t.SocketOpened(socket, url, tab.now))
    items = [b": ping\n\n", b": ping\n\n", *chunks[at - 1 :]]
    ending = next(place for place, item in enumerate(items) if b"end_turn" in item)
    for place in (0, 1, 3, 2, *range(4, len(items))):
        number = place + (place >= ending)  # one is left out before the end
        said = stream_item("topic-1", number, items[place])
        tab.traffic.hear(t.SocketFrame(socket, False, said.decode(), tab.now))
    assert tab.text() == TEXT
    assert not tab.of(told.Judged)
    tab.traffic.hear(t.SocketClosed(socket, tab.now))
    assert tab.verdict.complete
    assert tab.verdict.text == TEXT


def test_going_elsewhere_while_an_answer_is_written_disposes_of_it():
    tab = Tab("chatgpt")
    name = tab.prompt()
    for chunk in pieces("chatgpt", complete=False):
        tab.bytes(name, chunk)
    other = "https://chatgpt.com/c/99999999-1111-4222-8333-0123456789ab"
    tab.traffic.moved(f"https://chatgpt.com/c/{UUID}", other)
    assert tab.states[-1] == "disposed"
    assert tab.of(told.Judged)[-1].verdict.judgement == "partial"


def test_a_new_chat_that_gets_its_address_is_not_disposed_of():
    tab = Tab("gemini")
    name = tab.prompt()
    chunks = pieces("gemini")
    for chunk in chunks[:2]:
        tab.bytes(name, chunk)
    address = f"https://gemini.google.com/app/{HEX}"
    tab.traffic.moved(tab.url, address)
    tab.url = address
    for chunk in chunks[2:]:
        tab.bytes(name, chunk)
    tab.end(name)
    assert tab.verdict.complete


def test_a_title_the_page_loads_later_reaches_the_answer():
    tab = Tab("chatgpt")
    tab.respond(tab.prompt(), pieces("chatgpt"))
    machine = tab.traffic.fusion.machine("a1")
    assert machine is not None
    assert machine.verdict().title == "Blue"


def test_stillness_over_a_minute_is_told_with_its_reason():
    """Promise: say."""
    tab = Tab("grok")
    tab.begin(tab.prompt())
    tab.wait(61)
    (waiting,) = tab.of(told.Waiting)
    assert waiting.why


def test_every_request_is_listed_at_its_end_with_its_class_and_sizes():
    tab = Tab("grok", discover=False)
    chunks = pieces("grok")
    tab.respond(tab.prompt(), chunks, mime="application/json")
    other = tab.ask(url="https://grok.com/static/app.js?token=secret", method="GET", kind="Script")
    tab.traffic.hear(t.ResponseBegan(other, 200, "text/javascript", "", tab.now))
    tab.traffic.hear(t.ResponseEnded(other, tab.now, t.End.WHOLE, size=1234))
    answer, script = tab.of(told.RequestTold)
    assert (answer.kind, answer.bytes) == ("answer", sum(map(len, chunks)))
    assert answer.characters >= len(TEXT)
    assert (script.kind, script.bytes, script.status) == ("foreign", 1234, 200)
    assert script.url == "https://grok.com/static/app.js"
    assert script.like is None


def test_an_answer_under_an_address_no_rule_knows_is_marked():
    tab = Tab("grok", discover=True)
    name = tab.ask(url="https://grok.com/rest/app-chat/v9/talk", posted=body("grok"))
    request = t.Request(name, "POST", "https://grok.com/rest/app-chat/v9/talk", "Fetch", tab.now)
    assert tab.traffic.wanted(request)
    tab.respond(name, pieces("grok") * 4, mime="application/x-ndjson")
    (seen,) = tab.of(told.RequestTold)
    assert seen.like == "a stream of application/x-ndjson"
    assert not tab.of(told.Judged)


RESUME = "https://chatgpt.com/backend-api/f/conversation/resume"


def cut_off(tab, chunks):
    """A first response that breaks after some text; the page has its address by then."""
    tab.respond(tab.prompt(), chunks, how=t.End.FAILED)
    tab.url = f"https://chatgpt.com/c/{UUID}"


def second_piece(chunks):
    """The number of the event in which the answer goes on."""
    return next(place for place, chunk in enumerate(chunks) if PIECES[1].encode() in chunk)


def test_an_answer_resumed_from_its_beginning_is_not_doubled():
    """After a reload the page asks with offset 0, and everything comes once more."""
    tab = Tab("chatgpt")
    chunks = pieces("chatgpt")
    cut_off(tab, chunks[: second_piece(chunks)])
    tab.respond(tab.ask(url=RESUME, posted=b'{"offset": 0}'), chunks)
    assert tab.verdict.complete
    assert tab.verdict.text == TEXT == tab.text()
    assert len(tab.of(told.Asked)) == 1


def test_an_answer_resumed_where_it_broke_off_goes_on():
    """After a broken line the page asks for the events it has not had."""
    tab = Tab("chatgpt")
    chunks = pieces("chatgpt")
    at = second_piece(chunks)
    cut_off(tab, [*chunks[:at], chunks[at][:9]])  # the last event was cut in two
    tab.respond(tab.ask(url=RESUME, posted=b'{"offset": 9}'), chunks[at:])
    assert tab.verdict.complete
    assert tab.verdict.text == TEXT == tab.text()


def test_a_resumed_answer_that_breaks_off_too_keeps_what_was_known():
    """Promise: keep."""
    tab = Tab("chatgpt")
    chunks = pieces("chatgpt")
    cut_off(tab, chunks[: second_piece(chunks)])
    known = tab.text()
    tab.respond(tab.ask(url=RESUME, posted=b'{"offset": 0}'), chunks[:4], how=t.End.FAILED)
    tab.wait(10)
    assert tab.text() == known
    assert tab.verdict.judgement == "partial"
    assert tab.verdict.text == known


def test_a_rest_that_is_there_no_more_refuses_no_answer():
    """Grok says so to a page that asks for the rest when the last word is written: it is stored."""
    tab = Tab("grok")
    tab.respond(tab.prompt(), pieces("grok", complete=False), how=t.End.FAILED)
    tab.url = f"https://grok.com/c/{UUID}"
    rest = tab.ask(url=f"https://grok.com/rest/app-chat/conversations/reconnect-response-v2/{UUID}",
                   method="GET")  # fmt: skip
    gone = b'{"code":5,"message":"Response not found","details":[]}'
    tab.respond(rest, [gone], status=404, mime="application/json")
    assert not tab.of(told.Judged)
    tab.load_stored()
    assert tab.verdict.complete
    assert tab.verdict.text == TEXT


@pytest.mark.parametrize("first_ends", [t.End.WHOLE, t.End.FAILED, t.End.CANCELED])
@pytest.mark.parametrize("lag", [0, 5, 50])
def test_a_response_that_goes_on_beside_the_one_that_resumes_it_doubles_nothing(first_ends, lag):
    """Promise: truth. A page that lost interest in a response need not have closed it."""
    tab = Tab("chatgpt")
    chunks = pieces("chatgpt")
    at = second_piece(chunks)
    first = tab.prompt()
    tab.begin(first)
    for chunk in chunks[:at]:
        tab.bytes(first, chunk)
    tab.url = f"https://chatgpt.com/c/{UUID}"
    second = tab.ask(url=RESUME, posted=b'{"offset": 0}')
    tab.begin(second)
    end = next(place for place, chunk in enumerate(chunks) if PIECES[2].encode() in chunk) + 1
    behind = [None] * lag
    for again, further in itertools.zip_longest(chunks[:end], [*behind, *chunks[at:end]]):
        if again is not None:
            tab.bytes(second, again)
        if further is not None:
            tab.bytes(first, further)
    tab.end(first, first_ends)
    tab.wait(20)
    assert not tab.of(told.Judged)  # the second is still talking
    for chunk in chunks[end:]:
        tab.bytes(second, chunk)
    assert tab.verdict.complete
    assert tab.verdict.text == TEXT == tab.text()


def test_a_refused_request_for_the_rest_refuses_no_answer():
    """Promise: truth. The answer may be over meanwhile, and then there is no rest to give."""
    tab = Tab("chatgpt")
    tab.respond(tab.prompt(), pieces("chatgpt", complete=False), how=t.End.FAILED)
    tab.respond(tab.ask(url=RESUME, posted=b'{"offset": 0}'), [b"{}"], status=404)
    assert not [one for one in tab.of(told.Judged) if one.verdict.refusal is not None]


def test_nor_does_one_that_comes_after_the_answer_was_judged():
    tab = Tab("chatgpt")
    tab.respond(tab.prompt(), pieces("chatgpt", complete=False), how=t.End.FAILED)
    tab.wait(60)
    assert tab.verdict.judgement == "partial"
    tab.respond(tab.ask(url=RESUME, posted=b'{"offset": 0}'), [b"{}"], status=404)
    tab.wait(60)
    assert {one.verdict.judgement for one in tab.of(told.Judged)} == {"partial"}


def test_what_cannot_be_heard_is_told_once_for_each_reason():
    tab = Tab("grok")
    for why in ("began before", "began before", "a worker", "began before"):
        tab.traffic.hear(t.Unheard(why=why, at=0.0))
    assert [one.why for one in tab.of(told.Unheard)] == ["began before", "a worker"]
