"""Everything a browser's network panel saved: which conversations are in it."""

import base64
import json

import pytest

from files.hars import (
    CHATGPT_ANSWER,
    GEMINI_ANSWER,
    GROK_ANSWER,
    asked_gemini,
    entry,
    har,
)
from files.spoken import (
    BOTH,
    CHATGPT_URL,
    GEMINI_CHAT,
    GROK_CHAT,
    QUESTION,
    X_CHAT,
    about,
    chatgpt_stored,
    ndjson,
    read_all,
    read_one,
    said,
    sse,
    stream_generate,
    x_graphql,
)
from kit.chatgpt import CONVERSATION, OTHER
from tabwire.doors.cli import report_output as show

X_STORED = (
    "GET",
    "https://x.com/i/api/graphql/abc/GrokConversationItemsByRestId?variables="
    + f"%7B%22restId%22%3A%22{X_CHAT}%22%7D",
)


def coded(body: bytes) -> tuple[str, dict[str, str]]:
    """A body as a HAR has it when the browser took it for no text."""
    return base64.b64encode(body).decode(), {"encoding": "base64"}


def test_every_conversation_of_every_site_in_the_order_they_were_met(tmp_path):
    text, encoding = coded(ndjson(title="Tabs"))
    body = har(
        entry(*CHATGPT_ANSWER, sse()),
        entry("GET", "https://example.com/", "<html>"),
        entry(*GROK_ANSWER, text, **encoding),
        entry(*GEMINI_ANSWER, stream_generate(), posted=asked_gemini(QUESTION)),
        entry(
            "GET", CHATGPT_URL.replace(CONVERSATION, OTHER), chatgpt_stored(conversation_id=OTHER)
        ),
        entry(*X_STORED, x_graphql()),
    )
    reports = read_all(tmp_path, body)
    assert about(reports) == [CONVERSATION, GROK_CHAT, GEMINI_CHAT, OTHER, X_CHAT]
    assert [report.site for report in reports] == ["chatgpt", "grok", "gemini", "chatgpt", "grok"]
    for report in reports:
        assert (report.kind, report.complete, report.problems) == ("har", True, ())
        assert said(report) == BOTH
    assert reports[1].title == "Tabs"


@pytest.mark.parametrize("encode", [False, True], ids=["as text", "as base64"])
def test_characters_survive_however_the_body_is_kept(tmp_path, encode):
    answer = "标签 🙂 é \u2028 \\ \" ' \t end"
    body = sse(answer)
    text, extra = coded(body) if encode else (body.decode(), {})
    report = read_one(tmp_path, har(entry(*CHATGPT_ANSWER, text, **extra)))
    assert report.messages[-1].text == answer


# -- what is not looked at ----------------------------------------------------------------------

ELSEWHERE = [
    "https://chatgpt.com.evil.example/backend-api/f/conversation",
    "https://evil.example/chatgpt.com/backend-api/f/conversation",
    "https://evil.example/?u=https://chatgpt.com/backend-api/f/conversation",
    "https://notchatgpt.com/backend-api/f/conversation",
    "https://chatgpt.com@evil.example/backend-api/f/conversation",
    "https://chatgpt.com/backend-api/f/conversation/prepare",
    "https://chatgpt.com/backend-api/conversation/init",
    "https://chatgpt.com/ces/v1/t",
    "http://[bad",
    "",
]


@pytest.mark.parametrize("url", ELSEWHERE)
def test_a_body_from_elsewhere_is_not_read(tmp_path, url):
    report = read_one(tmp_path, har(entry("POST", url, sse())))
    assert (report.conversation_id, report.messages, report.damaged) == (None, (), True)
    assert report.problems == ("it contains no conversation of a known site",)
    (report,) = read_all(tmp_path, har(entry("POST", url, "{}"), entry(*CHATGPT_ANSWER, sse())))
    assert (report.conversation_id, report.problems) == (CONVERSATION, ())


def test_an_old_host_is_still_ours(tmp_path):
    url = CHATGPT_ANSWER[1].replace("chatgpt.com", "chat.openai.com")
    assert read_one(tmp_path, har(entry("POST", url, sse()))).conversation_id == CONVERSATION


def test_nothing_of_cookies_and_headers_is_ever_told(tmp_path, capsys):
    """Not in what is printed, not in what is said to be wrong."""
    broken = entry(*CHATGPT_ANSWER, "<html>Just a moment...</html>")
    odd = entry(*CHATGPT_ANSWER, sse()) | {"response": "S3CRET"}
    body = har(
        entry(*CHATGPT_ANSWER, sse()),
        entry(*GEMINI_ANSWER, stream_generate(), posted=asked_gemini("Q")),
        broken,
        odd,
    )
    for cut in (body, body[:-50]):
        for report in read_all(tmp_path, cut):
            assert "S3CRET" not in repr(report)
            print(show.as_line(report).decode())
            show.as_text(report)
    out, err = capsys.readouterr()
    assert CONVERSATION in out
    assert "S3CRET" not in out + err


# -- damage -----------------------------------------------------------------------------------


def test_of_a_cut_har_what_stands_before_the_cut_is_told(tmp_path):
    entries = [
        entry(*CHATGPT_ANSWER, sse()),
        entry(*GROK_ANSWER, ndjson()),
        entry(*GEMINI_ANSWER, stream_generate(), posted=asked_gemini(QUESTION)),
    ]
    body = har(*entries)
    ends = []
    for one in entries:
        written = json.dumps(one).encode()
        ends.append(body.index(written) + len(written))
    order = [CONVERSATION, GROK_CHAT, GEMINI_CHAT]
    for size in [*range(20, len(body) - 3, 31), *ends, *(end - 1 for end in ends)]:
        reports = read_all(tmp_path, body[:size])
        whole = sum(end <= size for end in ends)
        assert about(reports) == (order[:whole] or [None]), size
        assert all(report.damaged for report in reports), size
        if whole:
            assert all(said(report) == BOTH for report in reports), size
            assert "cut off" in " ".join(reports[0].problems)


ODD = [
    # id                     an entry among good ones
    ("null", None),
    ("a number", 7),
    ("a list", [[]]),
    ("nothing", {}),
    ("no url", {"request": {"method": "GET"}}),
    ("a url that is none", {"request": {"url": 7}}),
    ("a request that is none", {"request": "GET"}),
    ("no response", {"request": {"url": CHATGPT_URL}}),
    ("a response that is none", entry("GET", CHATGPT_URL, "") | {"response": []}),
    ("no content", entry("GET", CHATGPT_URL, "") | {"response": {"status": 200}}),
    ("content that is none", entry("GET", CHATGPT_URL, None, text=5)),
    ("an encoding that is none", entry("GET", CHATGPT_URL, "x", encoding=["base64"])),
    ("not valid base64", entry("GET", CHATGPT_URL, "abc", encoding="base64")),
    ("base64 of other letters", entry("GET", CHATGPT_URL, "é\ud83d", encoding="base64")),
    ("a body that is none", entry("GET", CHATGPT_URL, "{oops")),
    ("a web page", entry(*CHATGPT_ANSWER, "<!doctype html><title>Just a moment...</title>")),
    ("an error", entry(*CHATGPT_ANSWER, '{"detail": "too many requests"}')),
    ("an empty body", entry(*CHATGPT_ANSWER, "")),
    ("deep", entry("GET", CHATGPT_URL, "[" * 5000)),
    (
        "a socket of nothing",
        entry("GET", "wss://ws.chatgpt.com/", "") | {"_webSocketMessages": [1]},
    ),
    (
        "a method that is none",
        entry("GET", CHATGPT_URL, "") | {"request": {"method": 1, "url": "x"}},
    ),
]


@pytest.mark.parametrize("odd", [c[1] for c in ODD], ids=[c[0] for c in ODD])
def test_an_odd_entry_costs_only_itself(tmp_path, odd):
    body = har(entry(*CHATGPT_ANSWER, sse()), odd, entry(*GROK_ANSWER, ndjson()))
    reports = read_all(tmp_path, body)
    assert about(reports) == [CONVERSATION, GROK_CHAT]
    assert [said(report) for report in reports] == [BOTH, BOTH]
    alone = read_all(tmp_path, har(odd))
    assert about(alone) == [None]
    assert alone[0].problems


def test_damage_inside_a_body_is_told_with_the_conversations(tmp_path):
    body = sse().replace(b"data: [DONE]", b"data: {oops\n\ndata: [DONE]")
    report = read_one(tmp_path, har(entry(*CHATGPT_ANSWER, body)))
    assert (said(report), report.complete, report.damaged) == (BOTH, True, True)
    assert "unreadable record" in report.problems[0]


def test_an_entry_that_is_no_json_costs_only_itself(tmp_path):
    body = har(entry(*CHATGPT_ANSWER, sse()), {"oops": 1}, entry(*GROK_ANSWER, ndjson()))
    reports = read_all(tmp_path, body.replace(b'{"oops": 1}', b'{"oops": oops}'))
    assert about(reports) == [CONVERSATION, GROK_CHAT]
    assert all(report.damaged for report in reports)


def test_half_a_character_in_an_entry_is_no_damage(tmp_path):
    """A browser writes it as an escape, in a question or in a title of a page."""
    posted = json.dumps(
        {"messages": [{"author": {"role": "user"}, "content": {"parts": ["\ud83d"]}}]}
    )
    one = entry(*CHATGPT_ANSWER, sse(), posted=posted) | {"comment": "\ud83d"}
    report = read_one(tmp_path, har(one))
    assert (report.conversation_id, report.problems) == (CONVERSATION, ())


@pytest.mark.parametrize(
    "body", [b'{"log":{}}', b'{"log":{"entries":{}}}', b'{"log":{"pages":[{"id":"p"}]}}']
)
def test_a_har_without_entries_says_so(tmp_path, body):
    report = read_one(tmp_path, body)
    assert (report.kind, report.conversation_id, report.damaged) == ("har", None, True)
    assert report.problems == ("a HAR file without entries",)


def test_a_har_of_no_requests_says_so(tmp_path):
    report = read_one(tmp_path, har())
    assert (report.conversation_id, report.damaged) == (None, True)


def test_entries_named_inside_a_text_are_not_the_entries(tmp_path):
    page = {"title": 'he said "entries": [ {"request": {}} ]'}
    log = {"pages": [page], "entries": [entry(*CHATGPT_ANSWER, sse('"entries": [{'))]}
    report = read_one(tmp_path, json.dumps({"log": log}).encode())
    assert (report.messages[-1].text, report.problems) == ('"entries": [{', ())


def test_a_pretty_har_is_a_har(tmp_path):
    body = json.dumps(json.loads(har(entry(*CHATGPT_ANSWER, sse()))), indent=2).encode()
    assert said(read_one(tmp_path, b"\xef\xbb\xbf" + body)) == BOTH
