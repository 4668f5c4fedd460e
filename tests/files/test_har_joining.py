"""Several requests of one HAR that tell of one conversation: streams, stored bodies, sockets."""

import json
from typing import Any

import pytest

from files.hars import (
    CHATGPT_ANSWER,
    GEMINI_ANSWER,
    GEMINI_CALLS,
    GROK_ANSWER,
    asked_gemini,
    entry,
    har,
)
from files.spoken import (
    ANSWER,
    BOTH,
    CHATGPT_URL,
    GEMINI_CHAT,
    GROK_CHAT,
    GROK_URL,
    QUESTION,
    batchexecute,
    chatgpt_stored,
    ndjson,
    read_one,
    said,
    sse,
    stream_generate,
)
from kit.chatgpt import CONVERSATION, message, stored
from tabwire.lab.speak import gemini as speak_gemini
from tabwire.lab.speak import grok as speak_grok
from tabwire.lab.speak.gemini import SpokenAnswer, SpokenExchange

GEMINI_STORED = ("POST", f"{GEMINI_CALLS}hNvQHb&source-path=%2Fapp%2F{GEMINI_CHAT}")
GEMINI_LIST = ("POST", f"{GEMINI_CALLS}MaZiqc")
GROK_FOLLOW_UP = ("POST", GROK_URL.replace("load-responses", "responses"))


def answered(place: int, prompt: str, answer: str) -> bytes:
    """A ChatGPT stream of one turn, with message ids of its own."""
    body = sse(answer, prompt=prompt)
    return body.replace(b'"m-', f'"m{place}-'.encode())


def tree(*chain: tuple[str, str, str], others: tuple[dict[str, Any], ...] = ()) -> bytes:
    """A stored ChatGPT conversation: (id, role, text) on show, other branches beside them."""
    found = stored(
        *(
            message(named, role, [text], end_turn=True if role == "assistant" else None)
            for named, role, text in chain
        )
    )
    for other in others:
        node = {"id": other["id"], "message": other, "parent": "root", "children": []}
        found["mapping"][other["id"]] = node
    return json.dumps(found).encode()


# -- several bodies of one conversation -------------------------------------------------------


def test_a_stream_and_the_stored_conversation_that_followed_it_become_one(tmp_path):
    stored_body = entry("GET", CHATGPT_URL, chatgpt_stored(title="Tabs"))
    report = read_one(tmp_path, har(entry(*CHATGPT_ANSWER, sse()), stored_body))
    assert (report.title, report.complete, said(report)) == ("Tabs", True, BOTH)


def test_a_stored_conversation_read_before_the_stream_becomes_one_with_it(tmp_path):
    stored_body = entry("GET", CHATGPT_URL, chatgpt_stored("Erstens.", prompt="Eins?", title="T"))
    stream = entry(*CHATGPT_ANSWER, answered(2, "Zwei?", "Zweitens."))
    report = read_one(tmp_path, har(stored_body, stream))
    assert [text for _, text in said(report)] == ["Eins?", "Erstens.", "Zwei?", "Zweitens."]
    assert (report.title, report.complete) == ("T", True)


def test_the_stored_conversation_completes_a_stream_that_broke_off(tmp_path):
    stream = entry(*CHATGPT_ANSWER, sse("Ein", complete=False))
    report = read_one(tmp_path, har(stream, entry("GET", CHATGPT_URL, chatgpt_stored("Ein Tab."))))
    assert (report.complete, said(report)[-1]) == (True, ("assistant", "Ein Tab."))


@pytest.mark.parametrize("count", [2, 3, 5])
def test_follow_up_answers_are_joined_in_order(tmp_path, count):
    turns = [(f"Frage {n}?", f"Antwort {n}.") for n in range(count)]
    entries = [entry(*CHATGPT_ANSWER, answered(n, *turn)) for n, turn in enumerate(turns)]
    report = read_one(tmp_path, har(*entries))
    assert [text for _, text in said(report)] == [text for turn in turns for text in turn]
    assert report.complete


def test_asking_the_same_twice_is_two_questions(tmp_path):
    """`Continue` is what people say most."""
    entries = [entry(*CHATGPT_ANSWER, answered(n, "Weiter.", f"Teil {n}")) for n in range(3)]
    report = read_one(tmp_path, har(*entries))
    assert [text for _, text in said(report)] == [
        *("Weiter.", "Teil 0"),
        *("Weiter.", "Teil 1"),
        *("Weiter.", "Teil 2"),
    ]


def test_the_same_answer_twice_is_two_answers(tmp_path):
    entries = [entry(*CHATGPT_ANSWER, answered(n, f"Frage {n}", "Ja.")) for n in range(2)]
    report = read_one(tmp_path, har(*entries))
    assert [text for _, text in said(report)] == ["Frage 0", "Ja.", "Frage 1", "Ja."]


def test_a_body_read_again_adds_nothing(tmp_path):
    again = [entry("GET", CHATGPT_URL, chatgpt_stored(title="T"))] * 3
    assert said(read_one(tmp_path, har(entry(*CHATGPT_ANSWER, sse()), *again))) == BOTH


def test_the_last_answer_decides_how_the_conversation_stands(tmp_path):
    first = entry(*CHATGPT_ANSWER, answered(0, "Eins?", "Ja."))
    unfinished = answered(1, "Zwei?", "Ja und").partition(b'{"p": "/message/status"')[0]
    second = entry(*CHATGPT_ANSWER, unfinished)
    report = read_one(tmp_path, har(first, second))
    assert report.complete is False
    assert said(report)[:2] == [("user", "Eins?"), ("assistant", "Ja.")]


OLD = (
    message("u1", "user", ["Eins?"]),
    message("a1", parts=["Ja."], end_turn=True),
    message("u2", "user", ["Zwei?"]),
    message("a2", parts=["Nein."], end_turn=True),
)
LONG = (
    ("u1", "user", "Eins?"),
    ("a1", "assistant", "Ja."),
    ("u2", "user", "Zwei?"),
    ("a2", "assistant", "Nein."),
)
NEW = (("u1b", "user", "Anders?"), ("a1b", "assistant", "Gewiss."))


def test_what_the_stored_conversation_shows_last_is_what_is_told(tmp_path):
    """The first question was edited: the turns after it are on a branch the person left."""
    before = entry("GET", CHATGPT_URL, tree(*LONG))
    after = entry("GET", CHATGPT_URL, tree(*NEW, others=OLD))
    assert said(read_one(tmp_path, har(before, after))) == [
        ("user", "Anders?"),
        ("assistant", "Gewiss."),
    ]


def test_a_stored_conversation_on_another_branch_of_the_same_length(tmp_path):
    before = entry("GET", CHATGPT_URL, tree(*LONG[:2]))
    after = entry("GET", CHATGPT_URL, tree(*NEW, others=OLD[:2]))
    assert [text for _, text in said(read_one(tmp_path, har(before, after)))] == [
        *("Anders?", "Gewiss.")
    ]


def test_grok_puts_its_own_bodies_together(tmp_path):
    first = ndjson("Eins.", prompt="Eins?", title="Tabs")
    asked, answered = "0b0b0b0b-0000-4000-8000-000000000001", "0b0b0b0b-0000-4000-8000-000000000002"
    second = ndjson("Zwei.", prompt="Zwei?").decode()
    second = second.replace(speak_grok.USER_RESPONSE, asked)
    second = second.replace(speak_grok.ANSWER_RESPONSE, answered)
    parent = f'"parentResponseId":"{speak_grok.ANSWER_RESPONSE}","sender":"human"'
    second = second.replace('"sender":"human"', parent)
    report = read_one(tmp_path, har(entry(*GROK_ANSWER, first), entry(*GROK_FOLLOW_UP, second)))
    assert (report.conversation_id, report.title) == (GROK_CHAT, "Tabs")
    assert [text for _, text in said(report)] == ["Eins?", "Eins.", "Zwei?", "Zwei."]


def test_titles_learned_anywhere_in_the_file_are_used(tmp_path):
    listed = json.dumps({"items": [{"id": CONVERSATION, "title": "Tabs"}]})
    chats = "https://chatgpt.com/backend-api/conversations?offset=0"
    for entries in (
        [entry(*CHATGPT_ANSWER, sse()), entry("GET", chats, listed)],
        [entry("GET", chats, listed), entry(*CHATGPT_ANSWER, sse())],
    ):
        report = read_one(tmp_path, har(*entries))
        assert (report.title, report.problems) == ("Tabs", ())


def test_a_file_with_titles_only_is_no_damage(tmp_path):
    report = read_one(
        tmp_path, har(entry(*GEMINI_LIST, speak_gemini.speak_list([(GEMINI_CHAT, "Tabs")])))
    )
    assert (report.conversation_id, report.site, report.damaged) == (None, None, False)
    assert "names 1" in report.problems[0]


# -- questions ------------------------------------------------------------------------------


def test_the_question_comes_from_the_request_where_the_stream_does_not_repeat_it(tmp_path):
    body = har(entry(*GEMINI_ANSWER, stream_generate(), posted=asked_gemini("Was & wie? 🙂")))
    assert said(read_one(tmp_path, body)) == [("user", "Was & wie? 🙂"), ("assistant", ANSWER)]


def test_a_question_the_stream_repeats_is_told_once(tmp_path):
    posted = {"messages": [{"author": {"role": "user"}, "content": {"parts": [QUESTION]}}]}
    body = har(entry(*CHATGPT_ANSWER, sse(), posted=json.dumps(posted)))
    assert said(read_one(tmp_path, body)) == BOTH


@pytest.mark.parametrize("posted", [None, "", "f.req=%5B", "nonsense", '{"f.req": 1}'])
def test_a_request_that_tells_no_question_costs_nothing_else(tmp_path, posted):
    body = har(entry(*GEMINI_ANSWER, stream_generate(), posted=posted))
    report = read_one(tmp_path, body)
    assert (said(report), report.complete) == (BOTH[1:], True)


def gemini_turn(place: int, prompt: str, answer: str) -> dict[str, Any]:
    ids = {"response_id": f"r_{place}", "candidate_id": f"rc_{place}"}
    return entry(*GEMINI_ANSWER, stream_generate(answer, **ids), posted=asked_gemini(prompt))


def test_gemini_follow_ups_are_joined_with_their_questions(tmp_path):
    report = read_one(
        tmp_path, har(gemini_turn(1, "Eins?", "Ja."), gemini_turn(2, "Zwei?", "Nein."))
    )
    assert [text for _, text in said(report)] == ["Eins?", "Ja.", "Zwei?", "Nein."]


def test_geminis_stored_conversation_and_the_stream_after_it(tmp_path):
    stored_body = entry(*GEMINI_STORED, batchexecute(("Eins?", "Ja."), ("Zwei?", "Nein.")))
    report = read_one(tmp_path, har(stored_body, gemini_turn(9, "Drei?", "Doch.")))
    assert [text for _, text in said(report)] == [
        *("Eins?", "Ja."),
        *("Zwei?", "Nein."),
        *("Drei?", "Doch."),
    ]


def test_geminis_stream_and_the_stored_conversation_after_it(tmp_path):
    """The stored turn has the question under another id: it is the same question."""
    stored_body = entry(*GEMINI_STORED, batchexecute(("Eins?", "Ja.")))
    report = read_one(tmp_path, har(gemini_turn(0, "Eins?", "Ja."), stored_body))
    assert said(report) == [("user", "Eins?"), ("assistant", "Ja.")]


def gemini_page(*places: int) -> dict[str, Any]:
    """Some turns of a long chat: Gemini sends ten at a time, and older ones when scrolled to."""
    exchanges = [
        SpokenExchange(
            f"r_{n}", f"Frage {n}", (SpokenAnswer(f"rc_{n}", f"Antwort {n}"),), seconds=1000 + n
        )
        for n in places
    ]
    return entry(*GEMINI_STORED, speak_gemini.speak_history(GEMINI_CHAT, exchanges))


@pytest.mark.parametrize(
    "pages", [[(3, 4), (1, 2)], [(1, 2), (3, 4)], [(3, 4), (2, 3), (1,)], [(1, 2, 3, 4), (3, 4)]]
)
def test_pages_of_a_long_gemini_chat_are_put_together(tmp_path, pages):
    report = read_one(tmp_path, har(*(gemini_page(*page) for page in pages)))
    wanted = [text for n in (1, 2, 3, 4) for text in (f"Frage {n}", f"Antwort {n}")]
    assert [text for _, text in said(report)] == wanted
    assert report.complete


# -- handed over ------------------------------------------------------------------------------

TOPIC = "conversation-turn-1"


def handed_off() -> tuple[bytes, list[bytes]]:
    """The beginning of a stream up to its hand-off, and the blocks that follow elsewhere."""
    events = [event + b"\n\n" for event in sse().split(b"\n\n") if event]
    opening = next(n for n, event in enumerate(events) if b'"m-answer"' in event)
    option = {"type": "subscribe_ws_topic", "topic_id": TOPIC}
    handoff = {"type": "stream_handoff", "conversation_id": CONVERSATION, "options": [option]}
    head = b"".join(events[:opening]) + b"data: " + json.dumps(handoff).encode() + b"\n\n"
    return head + b"data: [DONE]\n\n", events[opening:]


def socket_entry(blocks: list[bytes], url: str = "wss://ws.chatgpt.com/p9/ws") -> dict[str, Any]:
    """A WebSocket as Chrome saves it."""
    messages = []
    for place, block in enumerate(blocks):
        item = {"type": "stream-item", "stream_item_id": str(place), "encoded_item": block.decode()}
        payload = {"type": "conversation-turn-stream", "payload": item}
        data = json.dumps([{"type": "message", "topic_id": TOPIC, "payload": payload}])
        messages.append({"type": "receive", "opcode": 1, "data": data})
    return entry("GET", url, None) | {"_webSocketMessages": messages}


def test_a_turn_that_went_on_over_a_socket_is_told_whole(tmp_path):
    head, rest = handed_off()
    for entries in (
        [entry(*CHATGPT_ANSWER, head), socket_entry(rest)],
        [socket_entry(rest), entry(*CHATGPT_ANSWER, head)],
        [entry(*CHATGPT_ANSWER, head), socket_entry(rest), socket_entry(rest)],
    ):
        report = read_one(tmp_path, har(*entries))
        assert (said(report), report.complete) == (BOTH, True)


def test_a_turn_whose_rest_is_not_in_the_file_is_not_over(tmp_path):
    head, rest = handed_off()
    report = read_one(tmp_path, har(entry(*CHATGPT_ANSWER, head)))
    assert (report.conversation_id, report.complete, report.terminal) == (
        CONVERSATION,
        False,
        False,
    )
    for url in ("wss://ws.chatgpt.com.evil.example/p9/ws", "wss://evil.example/ws.chatgpt.com"):
        report = read_one(tmp_path, har(entry(*CHATGPT_ANSWER, head), socket_entry(rest, url)))
        assert (report.complete, said(report)) == (False, BOTH[:1])


def test_the_stored_conversation_after_a_hand_off_is_the_last_word(tmp_path):
    """The socket was not saved, but the conversation was loaded again later."""
    head, _ = handed_off()
    stored_body = entry("GET", CHATGPT_URL, chatgpt_stored(title="Tabs"))
    report = read_one(tmp_path, har(entry(*CHATGPT_ANSWER, head), stored_body))
    assert (said(report), report.complete, report.title) == (BOTH, True, "Tabs")


def test_a_stream_that_only_hands_off_gives_its_conversation_and_question(tmp_path):
    frames = [line for line in handed_off()[0].split(b"\n\n") if b"stream_handoff" in line]
    asked = {
        "messages": [{"author": {"role": "user"}, "content": {"parts": [QUESTION]}}],
    }
    alone = entry(*CHATGPT_ANSWER, frames[0] + b"\n\n", posted=json.dumps(asked))
    report = read_one(tmp_path, har(alone))
    assert (report.conversation_id, said(report)) == (CONVERSATION, BOTH[:1])
    assert (report.complete, report.terminal) == (False, False)
    assert "handed off" in " ".join(report.problems)
    later = entry("GET", CHATGPT_URL, chatgpt_stored())
    report = read_one(tmp_path, har(alone, later))
    assert (said(report), report.complete) == (BOTH, True)


def test_a_turn_resumed_by_another_request_is_told_whole(tmp_path):
    head, _ = handed_off()
    resume = entry("POST", "https://chatgpt.com/backend-api/f/conversation/resume", sse())
    report = read_one(tmp_path, har(entry(*CHATGPT_ANSWER, head), resume))
    assert (said(report), report.complete) == (BOTH, True)


def test_an_answer_whose_conversation_nothing_names_is_not_dropped_silently(tmp_path):
    unnamed = ndjson().split(b"\n", 1)[1]
    report = read_one(tmp_path, har(entry(*GROK_ANSWER, unnamed)))
    assert (report.conversation_id, report.damaged) == (None, False)
    assert said(report) == BOTH
    assert "do not name" in " ".join(report.problems)
