"""Every kind of file through the hub: what is told, and what informs what."""

import json

import pytest

from files.spoken import (
    ANSWER,
    BODIES,
    BOTH,
    CHATGPT_URL,
    GEMINI_CHAT,
    GROK_CHAT,
    GROK_URL,
    QUESTION,
    X_CHAT,
    about,
    batchexecute,
    chatgpt_stored,
    exported,
    ndjson,
    read_all,
    read_one,
    said,
    sse,
    stream_generate,
)
from kit.chatgpt import CONVERSATION, OTHER, message, stored, thoughts
from tabwire.hub import Kind, read_files
from tabwire.lab.speak import gemini as speak_gemini
from tabwire.lab.speak import grok as speak_grok
from tabwire.model.products import product

ONLY_ANSWER = BOTH[1:]  # Gemini's stream does not repeat the question

KINDS = [
    # kind                 site       conversation  messages
    (Kind.SSE, "chatgpt", CONVERSATION, BOTH),
    (Kind.NDJSON, "grok", GROK_CHAT, BOTH),
    (Kind.STREAM_GENERATE, "gemini", GEMINI_CHAT, ONLY_ANSWER),
    (Kind.BATCHEXECUTE, "gemini", GEMINI_CHAT, BOTH),
    (Kind.CANONICAL_JSON, "chatgpt", CONVERSATION, BOTH),
    (Kind.X_GRAPHQL, "grok", X_CHAT, BOTH),
    (Kind.HAR, "chatgpt", CONVERSATION, BOTH),
    (Kind.EXPORT, "chatgpt", CONVERSATION, BOTH),
]


@pytest.mark.parametrize("kind, site, named, messages", KINDS, ids=[str(c[0]) for c in KINDS])
def test_every_kind_gives_its_conversation(tmp_path, kind, site, named, messages):
    body = BODIES[kind]
    for settings in ({}, {"kind": kind}, {"kind": kind, "site": site}, {"site": site}):
        report = read_all(tmp_path, body, **settings)[0]
        assert (report.site, report.kind, report.conversation_id) == (site, kind, named), settings
        assert said(report) == messages
        assert (report.complete, report.terminal, report.damaged) == (True, True, False)
        assert report.evidence
        assert report.problems == ()


SEED_EXAMPLE = b"""event: delta_encoding
data: "v1"

event: delta
data: {"p": "/message/content/parts/0", "o": "append", "v": "Hello"}

event: delta
data: {"v": " world"}

data: [DONE]

"""


def test_deltas_that_name_nothing_are_told_with_what_they_lack(tmp_path):
    report = read_one(tmp_path, SEED_EXAMPLE)
    assert said(report) == [("unknown", "Hello world")]
    assert (report.conversation_id, report.complete, report.damaged) == (None, False, False)
    lacks = " ".join(report.problems)
    assert "without an id" in lacks
    assert "name its author" in lacks


def test_private_marks_are_links_in_what_is_told(tmp_path):
    mark = "\ue200cite\ue202turn0search0\ue201"
    source = {"url": "https://example.com/a", "title": "A", "attribution": "Example"}
    entry = {"matched_text": mark, "type": "grouped_webpages", "items": [source]}
    answer = message(
        "a",
        parts=[f"It is so{mark}."],
        end_turn=True,
        metadata={"content_references": [entry]},
    )
    body = json.dumps(stored(message("u", "user", ["Q"]), answer)).encode()
    assert said(read_one(tmp_path, body)) == [
        ("user", "Q"),
        ("assistant", "It is so ([Example](https://example.com/a))."),
    ]


def test_an_address_may_be_given_without_its_scheme(tmp_path):
    loaded = {"responses": [{"responseId": "a", "message": "Hi", "sender": "assistant"}]}
    report = read_one(tmp_path, json.dumps(loaded).encode(), urls=[GROK_URL.split("://")[1]])
    assert report.conversation_id == GROK_CHAT


def test_a_body_is_read_whatever_it_is_called(tmp_path):
    path = tmp_path / "page.html"
    path.write_bytes(sse())
    (report,) = read_files([path])
    assert (report.file, report.conversation_id) == (str(path), CONVERSATION)


def test_what_no_body_says_stays_unknown(tmp_path):
    """No default model, no invented title."""
    (report,) = read_all(tmp_path, stream_generate())
    assert (report.title, report.model) == (None, None)
    (report,) = read_all(tmp_path, json.dumps(exported(CONVERSATION, title=None)).encode())
    assert (report.title, report.model) == (None, None)


def test_what_the_body_says_of_title_and_model_is_told(tmp_path):
    (report,) = read_all(tmp_path, ndjson(title="Tabs", model="grok-9"))
    assert (report.title, report.model) == ("Tabs", "grok-9")


def test_thinking_stands_apart_and_tool_steps_are_no_messages(tmp_path):
    code = {"content_type": "code", "text": "print(1)"}
    tree = stored(
        message("u", "user", ["Q"]),
        thoughts("t", ("Plan", "First this.")),
        message("c", content=code, recipient="python"),
        message("r", "tool", ["1"], name="python"),
        message("h", parts=["unseen"], metadata={"is_visually_hidden_from_conversation": True}),
        message("e", parts=[" \n"]),
        message("a", parts=["A"], end_turn=True),
    )
    report = read_one(tmp_path, json.dumps(tree).encode())
    assert said(report) == [("user", "Q"), ("assistant", "A")]
    assert [one.thinking for one in report.messages] == [None, "First this."]


def test_a_branch_the_person_left_is_not_told(tmp_path):
    tree = stored(message("u", "user", ["Q"]), message("old", parts=["Old"], end_turn=True))
    tree["mapping"]["new"] = {
        "id": "new",
        "message": message("new", parts=["New"], end_turn=True),
        "parent": "u",
        "children": [],
    }
    tree["current_node"] = "new"
    assert said(read_one(tmp_path, json.dumps(tree).encode())) == [
        ("user", "Q"),
        ("assistant", "New"),
    ]


# -- titles ---------------------------------------------------------------------------------

LONG = "word " * 40
TITLES = [
    # id                    the site's title   question           without      with fallback
    ("none", None, "What is a tab?", None, "What is a tab?"),
    ("generic", "New chat", "What is a tab?", None, "What is a tab?"),
    ("specific", "Tabs", "What is a tab?", "Tabs", "Tabs"),
    ("blank", "  ", " a \n\n b ", None, "a b"),
    ("long question", None, LONG, None, LONG[:77] + "..."),
    ("no question either", "New chat", "", None, None),
]


@pytest.mark.parametrize("title, asked, without, wanted", [c[1:] for c in TITLES])
def test_a_title_comes_from_the_question_only_when_asked_for(
    tmp_path, title, asked, without, wanted
):
    body = chatgpt_stored(prompt=asked, title=title)
    assert read_one(tmp_path, body).title == without
    assert read_one(tmp_path, body, title_fallback=True).title == wanted


def test_a_fallback_title_is_cut_between_characters_and_can_be_written(tmp_path):
    tree = exported(CONVERSATION, title=None)
    tree["mapping"]["u"]["message"]["content"]["parts"] = ["\ud83d ok"]
    assert read_one(tmp_path, json.dumps(tree).encode(), title_fallback=True).title == "\ufffd ok"


# -- several files --------------------------------------------------------------------------


def grok_follow_up() -> bytes:
    """A second answer's stream, which nothing in it names."""
    lines = ndjson("Noch eins.").splitlines(keepends=True)
    return b"".join(line for line in lines if b'"conversation":' not in line)


def test_a_list_of_titles_names_the_stream_that_follows(tmp_path):
    listed = json.dumps({"items": [{"id": CONVERSATION, "title": "Tabs"}]}).encode()
    titles, stream = read_all(tmp_path, listed, sse())
    assert (titles.conversation_id, titles.damaged) == (None, False)
    assert (stream.conversation_id, stream.title) == (CONVERSATION, "Tabs")


def test_a_later_file_does_not_change_what_was_told_of_an_earlier_one(tmp_path):
    listed = json.dumps({"items": [{"id": CONVERSATION, "title": "Tabs"}]}).encode()
    stream, _ = read_all(tmp_path, sse(), listed)
    assert stream.title is None


def test_a_specific_title_survives_a_generic_one(tmp_path):
    first, second = read_all(
        tmp_path, chatgpt_stored(title="Tabs"), chatgpt_stored(title="New chat")
    )
    assert (first.title, second.title) == ("Tabs", "Tabs")


def test_a_grok_metadata_body_before_its_stream_names_it(tmp_path):
    about_it = {"conversation": {"conversationId": GROK_CHAT, "title": "Tabs"}}
    metadata, stream = read_all(tmp_path, json.dumps(about_it).encode(), grok_follow_up())
    assert metadata.conversation_id is None
    assert not metadata.damaged
    assert (stream.conversation_id, stream.title) == (GROK_CHAT, "Tabs")
    assert ("assistant", "Noch eins.") in said(stream)


def test_gemini_titles_inform_the_answer(tmp_path):
    titles = speak_gemini.speak_list([(GEMINI_CHAT, "Tabs")])
    listed, stream = read_all(tmp_path, titles, stream_generate())
    assert (listed.conversation_id, listed.damaged) == (None, False)
    assert listed.kind == "batchexecute"
    assert listed.problems == ("this body contains no conversation; it names 1",)
    assert (stream.conversation_id, stream.title) == (GEMINI_CHAT, "Tabs")


def test_two_calls_share_nothing(tmp_path):
    assert read_one(tmp_path, chatgpt_stored(title="Tabs")).title == "Tabs"
    assert read_one(tmp_path, sse()).title is None


def test_a_file_that_cannot_be_read_does_not_stop_the_next(tmp_path):
    reports = read_all(tmp_path, b"prose", sse(), b"", ndjson())
    assert about(reports) == [None, CONVERSATION, None, GROK_CHAT]
    assert [report.damaged for report in reports] == [True, False, True, False]
    assert [report.file for report in reports] == [str(tmp_path / f"{n}.body") for n in range(4)]


# -- addresses ------------------------------------------------------------------------------

NAMELESS = {key: value for key, value in stored().items() if key != "conversation_id"}


def nameless(answer: str) -> bytes:
    chain = message("u", "user", ["Q"]), message("a", parts=[answer], end_turn=True)
    tree = stored(*chain)
    del tree["conversation_id"]
    return json.dumps(tree).encode()


def test_a_body_without_a_name_is_named_by_its_address(tmp_path):
    assert read_one(tmp_path, nameless("A")).conversation_id is None
    assert read_one(tmp_path, nameless("A"), urls=[CHATGPT_URL]).conversation_id == CONVERSATION


def test_one_address_serves_all_files_or_each_has_its_own(tmp_path):
    other = CHATGPT_URL.replace(CONVERSATION, OTHER)
    bodies = nameless("A"), nameless("B")
    assert about(read_all(tmp_path, *bodies)) == [None, None]
    assert about(read_all(tmp_path, *bodies, urls=[other])) == [OTHER, OTHER]
    assert about(read_all(tmp_path, *bodies, urls=[CHATGPT_URL, other])) == [CONVERSATION, OTHER]


def test_an_address_tells_whose_body_it_is_where_the_body_does_not(tmp_path):
    body = speak_grok.speak_stored(ANSWER, prompt=QUESTION)
    report = read_one(tmp_path, body, urls=[GROK_URL])
    assert (report.site, report.conversation_id, said(report)) == ("grok", GROK_CHAT, BOTH)


@pytest.mark.parametrize(
    "url",
    [
        *("https://chatgpt.com.evil.example/c/" + CONVERSATION, "https://evil.example/chatgpt.com"),
        *("not a url", "", "https://[::1", "\ud83d"),
    ],
)
def test_an_address_of_somebody_else_names_nothing(tmp_path, url):
    assert read_one(tmp_path, nameless("A"), urls=[url]).conversation_id is None
    report = read_one(tmp_path, sse(), urls=[url])
    assert (report.site, report.conversation_id) == ("chatgpt", CONVERSATION)


def test_a_conversation_already_brought_into_one_shape_keeps_its_site(tmp_path):
    tree = exported(GEMINI_CHAT)
    url = f"normalized://gemini/{GEMINI_CHAT}"
    for settings in ({"site": "gemini"}, {"urls": [url]}):
        report = read_one(tmp_path, json.dumps(tree).encode(), **settings)
        assert (report.site, report.conversation_id) == ("gemini", GEMINI_CHAT)
        assert said(report) == BOTH


# -- the wrong site, the wrong kind -----------------------------------------------------------

SPOKEN_BY = {
    Kind.SSE: "chatgpt",
    Kind.NDJSON: "grok",
    Kind.STREAM_GENERATE: "gemini",
    Kind.BATCHEXECUTE: "gemini",
    Kind.X_GRAPHQL: "grok",
    Kind.EXPORT: "chatgpt",
}
WRONG_SITES = [
    (kind, site)
    for kind, owner in SPOKEN_BY.items()
    for site in ("chatgpt", "gemini", "grok")
    if site != owner
]


@pytest.mark.parametrize("kind, site", WRONG_SITES)
def test_a_kind_of_another_site_is_refused_with_both_names(tmp_path, kind, site):
    report = read_one(tmp_path, BODIES[kind], site=site)
    assert (report.conversation_id, report.damaged) == (None, True)
    (problem,) = report.problems
    assert kind in problem
    assert product(SPOKEN_BY[kind]) in problem
    assert product(site) in problem


def test_the_face_and_the_stored_body_of_gemini_agree_on_all_turns(tmp_path):
    pairs = [("Eins?", "Eins."), ("Zwei?", "Zwei."), ("Drei?", "Drei.")]
    report = read_one(tmp_path, batchexecute(*pairs))
    wanted = [turn for q, a in pairs for turn in (("user", q), ("assistant", a))]
    assert said(report) == wanted
