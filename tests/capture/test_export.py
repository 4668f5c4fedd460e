"""Every turn of every branch is in every export; each says what it is worth."""

import json
from dataclasses import replace
from pathlib import Path
from random import Random

import jsonschema
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from capture.spoken import SITES_SPOKEN, spoken
from kit.chatgpt import CONVERSATION, message, stored, thoughts
from tabwire.capture.common import read_common
from tabwire.capture.export import Format, NothingKept, NotReady, export
from tabwire.capture.gathered import Gathered, digest_of
from tabwire.capture.rebuild import rebuild, write_heard
from tabwire.model.captured import (
    Body,
    BodyKind,
    Captured,
    CaptureSource,
    Origin,
    Title,
    TitleFrom,
    Wholeness,
)
from tabwire.model.conversation import Conversation, Role, Standing, Turn
from tabwire.sites.known import SITES
from tabwire.sites.memory import Memory
from tabwire.wire.text import showable

ROOT = Path(__file__).resolve().parents[2]
SCHEMA = json.loads((ROOT / "docs" / "common.schema.json").read_text())
VALIDATOR = jsonschema.Draft202012Validator(SCHEMA)
EVERY_KIND = pytest.mark.parametrize("kind", SITES_SPOKEN)


def captured(kind, seed=1, **more):
    site, conversation_id, bodies = spoken(kind, Random(seed))
    values = {
        "digest": "d",
        "ready": True,
        "source": CaptureSource.CANONICAL,
        "completeness": Wholeness.COMPLETE,
        "origin": Origin.EXTENSION,
        "captured_at": 1.79e9,
        "title": Title("Blue", TitleFrom.SITE),
        "bodies": tuple(Body(BodyKind.STORED, url, raw) for url, raw in bodies),
    }
    return Captured(site, conversation_id, **{**values, **more})


def whole(one):
    return rebuild(SITES[one.site], one.conversation_id, one.bodies)


def as_written(turn):
    return (turn.id, turn.parent, turn.role, showable(turn.text), turn.thinking, turn.state)


def same(found, wanted):
    assert [as_written(turn) for turn in found.turns] == [as_written(turn) for turn in wanted.turns]
    assert found.visible == wanted.visible
    assert found.standing == wanted.standing


@settings(max_examples=60, deadline=None)
@given(st.sampled_from(SITES_SPOKEN), st.integers(0, 10_000))
def test_the_common_form_keeps_every_turn_and_fits_its_schema(kind, seed):
    one = captured(kind, seed)
    form = json.loads(export(one, Format.COMMON).text)
    assert list(VALIDATOR.iter_errors(form)) == []
    assert form["exportMeta"]["captureSource"] == "canonical_api"
    same(read_common(form), whole(one))


@settings(max_examples=60, deadline=None)
@given(st.sampled_from(SITES_SPOKEN), st.integers(0, 10_000))
def test_the_original_keeps_every_turn_and_reads_like_the_sites_own(kind, seed):
    one = captured(kind, seed)
    text = export(one, Format.ORIGINAL).text
    url = one.bodies[-1].url
    (found,) = SITES[one.site].read_body(text.encode(), url, Memory()).conversations
    wanted = whole(one)
    assert {as_written(turn) for turn in found.turns} == {as_written(t) for t in wanted.turns}
    assert found.visible == wanted.visible


def test_the_schema_is_one():
    jsonschema.Draft202012Validator.check_schema(SCHEMA)
    assert list(VALIDATOR.iter_errors({"format": "tabwire-conversation"})), "and it refuses"


@EVERY_KIND
@pytest.mark.parametrize("form", Format)
def test_what_a_file_is_worth_stands_in_it(kind, form):
    meta = json.loads(export(captured(kind), form).text)["exportMeta"]
    assert (meta["captureSource"], meta["fidelity"], meta["completeness"]) == (
        "canonical_api",
        "high",
        "complete",
    )
    assert (meta["capturedFrom"], meta["title"]) == ("extension", "Blue")
    forced = export(captured(kind, ready=False), form, force=True)
    meta = json.loads(forced.text)["exportMeta"]
    assert (meta["fidelity"], meta["completeness"]) == ("degraded", "partial")


@EVERY_KIND
def test_what_is_not_ready_is_not_given_out_unasked(kind):
    with pytest.raises(NotReady, match="awaiting_second_sample") as raised:
        export(captured(kind, ready=False, reasons=("awaiting_second_sample",)), Format.COMMON)
    assert "--force" in raised.value.what_to_do


def test_other_branches_are_in_the_file_and_not_in_what_is_shown():
    one = next(
        one for one in (captured("gemini", n) for n in range(50)) if len(whole(one).turns) > 4
    )
    form = json.loads(export(one, Format.COMMON).text)
    assert len(form["turns"]) > len(form["shown"])


def test_what_only_a_stream_told_stands_beside_the_sites_own():
    answer = Turn("a9", Role.ASSISTANT, "Only heard \ud83d", parent=None)
    heard = Conversation(
        "chatgpt", "x", Standing(True, True, "w"), turns=(answer,), visible=("a9",)
    )
    base = captured("chatgpt")
    bodies = (*base.bodies, Body(BodyKind.HEARD, "", write_heard(heard)))
    one = captured("chatgpt", bodies=bodies, ready=False, source=CaptureSource.STREAM)
    assert whole(one).visible[-1] == "a9"
    written = json.loads(export(one, Format.ORIGINAL, force=True).text)
    assert [turn["text"] for turn in written["heard"]] == ["Only heard \ufffd"]
    assert written["mapping"]
    form = json.loads(export(one, Format.COMMON, force=True).text)
    assert list(VALIDATOR.iter_errors(form)) == []
    assert form["shown"][-1] == "a9"
    assert form["exportMeta"]["captureSource"] == "stream"


def test_a_title_that_says_nothing_gives_way_to_the_first_question():
    one = captured("grok", title=Title("New conversation", TitleFrom.SITE))
    form = json.loads(export(one, Format.COMMON).text)
    assert form["title"].startswith("Q")
    assert form["title_from"] == "prompt"


def test_bodies_that_tell_nothing_are_named():
    one = captured("chatgpt", bodies=(Body(BodyKind.STORED, "", b"{}"),))
    with pytest.raises(NothingKept):
        export(one, Format.COMMON)


NASTY = [
    ("deep", b'{"mapping":' + b"[" * 100_000 + b"]" * 100_000 + b"}"),
    (
        "deep in a turn",
        b'{"mapping":{"a":{"message":' + b'{"x":' * 3000 + b"1" + b"}" * 3002 + b"}}",
    ),
    ("no JSON", b"\x00\xff\xfe"),
    ("empty", b""),
    ("a list", b"[1,2]"),
    ("wrong shapes", b'{"mapping":{"a":5,"b":{"message":{"author":7,"content":"x"}}}}'),
]


@pytest.mark.parametrize("raw", [c[1] for c in NASTY], ids=[c[0] for c in NASTY])
def test_hostile_bodies_are_no_conversation(raw):
    """T26: rejected."""
    for name, site in SITES.items():
        url = spoken("chatgpt", Random(1))[2][0][0] if name == "chatgpt" else ""
        assert site.read_body(raw, url, Memory()).conversations in ((),) or name == "chatgpt"
        found = rebuild(site, "x", [Body(BodyKind.STORED, url, raw)])
        assert found is None


def test_numbers_and_keys_that_mean_something_elsewhere_are_inert():
    """T26: 1e400, a key twice, `__proto__`, a constructor."""
    base = captured("chatgpt")
    raw = base.bodies[0].raw.rstrip(b"}").rstrip() + (
        b'}, "create_time": 1e400, "title": "first", "title": "second",'
        b' "__proto__": {"admin": true}, "constructor": {"prototype": 1}}'
    )
    raw = base.bodies[0].raw[:-1] + raw[raw.index(b', "create_time": 1e400') :]
    one = captured("chatgpt", bodies=(Body(BodyKind.STORED, base.bodies[0].url, raw),))
    found = whole(one)
    assert found.title == "second"
    for form in Format:
        written = export(one, form).text
        assert "Infinity" not in written
        json.loads(written, parse_constant=lambda name: pytest.fail(name))
    assert list(VALIDATOR.iter_errors(json.loads(export(one, Format.COMMON).text))) == []
    assert json.loads(export(one, Format.ORIGINAL).text)["__proto__"] == {"admin": True}


@pytest.mark.parametrize("form", [None, [], {}, {"format": "tabwire-conversation", "version": 2}])
def test_what_is_not_of_this_version_is_not_read(form):
    with pytest.raises(ValueError, match="common form"):
        read_common(form)
    with pytest.raises(ValueError, match="damaged"):
        read_common({"format": "tabwire-conversation", "version": 1})


def test_the_digest_tells_words_and_branches_and_not_titles():
    one = whole(captured("chatgpt", 3))
    assert digest_of(one) == digest_of(whole(captured("chatgpt", 3)))
    assert digest_of(one) != digest_of(whole(captured("chatgpt", 4)))


def kept_as(*chain):
    body = json.dumps(stored(*chain)).encode()
    url = f"https://chatgpt.com/backend-api/conversation/{CONVERSATION}"
    found = captured("chatgpt")
    return replace(found, conversation_id=CONVERSATION, bodies=(Body(BodyKind.STORED, url, body),))


HIDDEN = {"is_visually_hidden_from_conversation": True}
PICTURE = {"content_type": "image_asset_pointer", "asset_pointer": "file-service://f1"}
STEPS = [
    # id, who, what, is it shown
    message("s", "system", [""], metadata=HIDDEN),
    message("u", "user", ["Q"]),
    thoughts("t", ("Plan", "Hm")),
    message("call", parts=["{}"], recipient="web"),
    message("tool", "tool", ["found"], name="web"),
    message("drawn", "tool", content={"content_type": "multimodal_text", "parts": [PICTURE]}),
    message("hidden", parts=["not for you"], metadata=HIDDEN),
    message("a", parts=["A"], end_turn=True),
]


def test_only_what_a_person_sees_is_shown():
    form = json.loads(export(kept_as(*STEPS), Format.COMMON).text)
    VALIDATOR.validate(form)
    assert form["shown"] == ["u", "drawn", "a"]
    assert form["chain"] == [one["id"] for one in STEPS]
    turns = {turn["id"]: turn for turn in form["turns"]}
    assert {name for name, turn in turns.items() if not turn["is_message"]} == {"t", "call"}
    assert read_common(form).visible == tuple(one["id"] for one in STEPS)


def test_a_form_without_a_chain_is_read_by_what_is_shown():
    form = json.loads(export(kept_as(*STEPS), Format.COMMON).text)
    del form["chain"]
    assert read_common(form).visible == ("u", "drawn", "a")


def test_a_question_and_its_answer_are_two_turns():
    gathered = Gathered(SITES["chatgpt"], CONVERSATION)
    found = whole(kept_as(*[one for one in STEPS if one["id"] != "drawn"]))
    gathered.hear(found, "")
    row = gathered.captured(ready=False, reasons=(), origin=Origin.ASK, now=1.0)
    assert row is not None
    assert row.turns == 2


@pytest.mark.parametrize(
    "conversation_id, url",
    [
        ("2013295304527827227", "https://x.com/i/grok?conversation=2013295304527827227"),
        (CONVERSATION, f"https://grok.com/c/{CONVERSATION}"),
    ],
)
def test_a_link_leads_to_the_home_its_id_is_of(conversation_id, url):
    heard = Conversation(
        "grok",
        conversation_id,
        Standing(True, True, "terminal"),
        turns=(Turn("a", Role.ASSISTANT, "A"),),
        visible=("a",),
    )
    found = replace(
        captured("grok"),
        conversation_id=conversation_id,
        bodies=(Body(BodyKind.HEARD, "", write_heard(heard)),),
    )
    assert json.loads(export(found, Format.COMMON).text)["url"] == url
    assert SITES["grok"].conversation_in_url(url) == conversation_id
