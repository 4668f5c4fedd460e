"""What ChatGPT's marks stand for, as its streams and its store tell it.

The shapes are those of stored conversations and streams that people have published, of 2025-05
to 2026-09, with other words in them.
"""

import json
from typing import Any

import pytest

from kit.chatgpt import CONVERSATION, DONE, ENCODING, delta, frame, message, opened, stored
from kit.cuts import every_cut
from tabwire.lab.speak.chatgpt import Ids, Speaker, SpokenTurn, Style, speak_conversation
from tabwire.model.citations import Citation, Reference
from tabwire.model.signals import Cited, TurnEnded
from tabwire.sites.chatgpt.cites import read_references
from tabwire.sites.chatgpt.history import read_body
from tabwire.sites.chatgpt.stream import ChatGptStream
from tabwire.sites.memory import Memory
from tabwire.sites.witness import as_witness

MARK = "\ue200cite\ue202turn0search0\ue201"
OTHER = "\ue200cite\ue202turn0search1\ue202turn0view2\ue201"
ENTITY = '\ue200entity\ue202["city","Assur"]\ue201'
PLACE = "/message/metadata/content_references"
PARTS = "/message/content/parts/0"
EPA = {"title": "Air", "url": "https://epa.example/air", "attribution": "US EPA"}
FORUM = {"title": "Talk", "url": "https://forum.example/", "attribution": None}
EPA_CITED = Citation("https://epa.example/air", "Air", "US EPA")
FORUM_CITED = Citation("https://forum.example/", "Talk")


def entry(mark: str = MARK, **fields: Any) -> dict[str, Any]:
    """One entry; what is not given is as the site has it for web pages."""
    return {
        "matched_text": mark,
        "start_idx": 5,
        "end_idx": 24,
        "safe_urls": [],
        "refs": [],
        "alt": "([US EPA](https://epa.example/air))",
        "prompt_text": None,
        "type": "grouped_webpages",
        "items": [],
        **fields,
    }


WEB = entry(items=[EPA])
HIDDEN = entry(type="hidden", alt="", items=None)
KNOWN = Reference(MARK, citations=(EPA_CITED,))

CASES = [
    # id, the entry, what it says
    ("a web page", WEB, KNOWN),
    (
        "several, and what supports them",
        entry(items=[{**EPA, "supporting_websites": [FORUM, EPA]}, FORUM]),
        Reference(MARK, citations=(EPA_CITED, FORUM_CITED)),
    ),
    ("an older shape", entry(type="webpage", items=None, **EPA), KNOWN),
    ("items to fall back to", entry(items=None, fallback_items=[FORUM]),
     Reference(MARK, citations=(FORUM_CITED,))),
    ("only the site's own link", entry(items=None),
     Reference(MARK, citations=(Citation("https://epa.example/air", "", "US EPA"),))),
    ("words", entry(ENTITY, type="entity", alt="Assur", items=None), Reference(ENTITY, "Assur")),
    ("words around a link", entry(alt="See [x](https://x.example/).", items=None),
     Reference(MARK, "See [x](https://x.example/).",
               (Citation("https://x.example/", "", "x"),))),
    ("a file", entry(type="file", alt=None, name="a.pdf", items=None), Reference(MARK, "(a.pdf)")),
    ("hidden", HIDDEN, None),
    ("hidden with words", entry(type="hidden", alt="x"), None),
    ("no source", entry(alt=None), None),
    ("an address one cannot open", entry(alt="", items=[{"url": "javascript:alert(1)"}]), None),
    ("a footnote", entry(" ", type="sources_footnote", alt="", sources=[EPA]), None),
    ("plain text", entry("ask me more", type="followup_a", alt="ask me more"), None),
    ("no mark", {**WEB, "matched_text": None}, None),
    ("damaged items", entry(alt="", items=[None, {"url": 5, "supporting_websites": 7}]), None),
    ("damaged support", entry(items=[{**EPA, "supporting_websites": [None, EPA]}]), KNOWN),
    ("no entry", "x", None),
]  # fmt: skip


@pytest.mark.parametrize("told, reference", [c[1:] for c in CASES], ids=[c[0] for c in CASES])
def test_an_entry_says_what_its_mark_stands_for(told, reference):
    read = read_references({"content_references": [told]})
    assert read == ((reference,) if reference is not None else ())


@pytest.mark.parametrize("metadata", [{}, {"content_references": None}, {"content_references": {}}])
def test_no_entries_are_no_references(metadata):
    assert read_references(metadata) == ()


# --- in a stream --------------------------------------------------------------------------------

ANSWER = message("a", parts=[""], status="in_progress", channel="final")
ANSWER["metadata"] = {"content_references": []}
TEXT = delta(p=PARTS, o="append", v=f"Known{MARK}.")
END = delta(
    p="",
    o="patch",
    v=[
        {"p": "/message/status", "o": "replace", "v": "finished_successfully"},
        {"p": "/message/end_turn", "o": "replace", "v": True},
    ],
)
FULL = {**ANSWER, "metadata": {"content_references": [WEB]}}

WAYS = [
    # id, the events between the encoding and the end
    ("appended", [opened(ANSWER), TEXT, delta(p=PLACE, o="append", v=[WEB])]),
    ("added", [opened(ANSWER), TEXT, delta(p=PLACE, o="add", v=[WEB])]),
    ("replaced", [opened(ANSWER), TEXT, delta(p=PLACE, o="replace", v=[WEB])]),
    (
        "hidden at first",
        [
            opened(ANSWER),
            delta(p="", o="patch", v=[
                {"p": PARTS, "o": "append", "v": f"Known{MARK}."},
                {"p": PLACE, "o": "append", "v": [HIDDEN]},
            ]),
            delta(p=f"{PLACE}/0", o="replace", v=WEB),
        ],
    ),
    (
        "field by field",
        [
            opened(ANSWER),
            TEXT,
            delta(p=PLACE, o="append", v=[entry(alt="", items=[{**EPA, "title": "A"}])]),
            delta(p=f"{PLACE}/0/items/0/title", o="append", v="i"),
            delta(v="r"),
        ],
    ),
    ("with the metadata", [
        opened(ANSWER), TEXT, delta(p="/message/metadata", o="append",
                                    v={"content_references": [WEB]}),
    ]),
    ("from the beginning", [opened(FULL), TEXT]),
    ("with the end", [opened(ANSWER), TEXT, delta(p="", o="patch", v=[
        {"p": PLACE, "o": "append", "v": [WEB]},
        {"p": "/message/status", "o": "replace", "v": "finished_successfully"},
        {"p": "/message/end_turn", "o": "replace", "v": True},
    ])]),
    ("whole messages", [frame({
        "conversation_id": CONVERSATION,
        "message": {**FULL, "content": {"content_type": "text", "parts": [f"Known{MARK}."]}},
    })]),
]  # fmt: skip


def read(*chunks: bytes):
    reader = ChatGptStream(None, Memory())
    signals = [signal for chunk in chunks for signal in reader.feed(chunk)]
    return [*signals, *reader.close()], reader.conversation()


@pytest.mark.parametrize("events", [c[1] for c in WAYS], ids=[c[0] for c in WAYS])
def test_a_stream_tells_its_references_before_its_end(events):
    ending = END if b"finished" not in events[-1] else b""
    if events[0].startswith(b"data"):  # before deltas: a whole message once more, at its end
        done = json.loads(events[0][6:])
        done["message"] |= {"status": "finished_successfully", "end_turn": True}
        ending = frame(done)
    else:
        events = [ENCODING, *events]
    signals, conversation = read(*events, ending, DONE)
    kinds = [type(one) for one in signals if isinstance(one, Cited | TurnEnded)]
    assert kinds[-2:] == [Cited, TurnEnded]
    cited = [one for one in signals if isinstance(one, Cited)]
    assert (cited[-1].references, cited[-1].message_id) == ((KNOWN,), "a")
    assert conversation.turns[-1].references == (KNOWN,)


def test_references_are_told_once_and_only_of_the_answer():
    call = message("t", recipient="web", metadata={"content_references": [WEB]})
    again = delta(p=f"{PLACE}/0/status", o="replace", v="done")
    signals, _ = read(
        *(ENCODING, opened(call), opened(ANSWER, 1), TEXT),
        *(delta(p=PLACE, o="append", v=[WEB]), again, END, DONE),
    )
    assert [one for one in signals if isinstance(one, Cited)] == [Cited((KNOWN,), "a")]


@pytest.mark.parametrize("before", [b"", END], ids=["without an end", "after the end"])
def test_references_are_told_at_once(before):
    cited = delta(p=PLACE, o="append", v=[WEB])
    reader = ChatGptStream(None, Memory())
    for chunk in (ENCODING, opened(ANSWER), TEXT, before):
        reader.feed(chunk)
    assert reader.feed(cited) == [Cited((KNOWN,), "a")]


@pytest.mark.parametrize("style", Style)
def test_the_last_that_is_told_is_the_same_however_the_bytes_are_cut(style):
    speaker = Speaker(CONVERSATION, ids=Ids("u", "t", "a"), style=style)
    events = [*speaker.opening(), *speaker.text(f"Known{MARK}"), *speaker.text(f" and{OTHER}.")]
    body = b"".join([*events, *speaker.ending()])
    whole = told_last(*read(body))
    assert [one.mark for one in whole[0].references] == [MARK, OTHER]
    assert [len(one.citations) for one in whole[0].references] == [1, 2]
    for chunks in list(every_cut(body))[1::37]:  # byte by byte, and some of the two-way splits
        assert told_last(*read(*chunks)) == whole, chunks


def told_last(signals, conversation):
    cited = [one for one in signals if isinstance(one, Cited)]
    return cited[-1], conversation.turns[-1].references


# --- in the store -------------------------------------------------------------------------------


def test_the_store_tells_the_same_as_the_stream():
    text = f"Known{MARK} and{OTHER}."
    speaker = Speaker(CONVERSATION, ids=Ids("u", "t", "a"))
    signals, _ = read(*speaker.opening(), *speaker.text(text), *speaker.ending())
    kept = speak_conversation(CONVERSATION, [SpokenTurn("Q", text, ids=Ids("u", "t", "a"))])
    (found,) = read_body(kept, None, Memory()).conversations
    (cited,) = [one for one in signals if isinstance(one, Cited)]
    assert as_witness(found).references == cited.references != ()
    assert as_witness(found).text == text


def test_a_stored_answer_has_no_references_of_the_turn_before():
    first = message("a1", parts=[f"Known{MARK}."], end_turn=True)
    first["metadata"] = {"content_references": [WEB]}
    chain = [message("u1", "user", ["Q"]), first, message("u2", "user", ["R"])]
    last = message("a2", parts=["So."], end_turn=True)
    body = json.dumps(stored(*chain, last)).encode()
    (found,) = read_body(body, None, Memory()).conversations
    assert [turn.references for turn in found.turns] == [(), (KNOWN,), (), ()]
    assert as_witness(found).references == ()
