"""A StreamGenerate body to signals: what was said, when it ended, and who said no."""

import json

import pytest

from kit.cuts import every_cut
from tabwire.lab.speak.gemini import speak_chunks, speak_error, speak_stream
from tabwire.model.conversation import Message, Role, TurnState
from tabwire.model.problems import Problem
from tabwire.model.signals import (
    ConversationNamed,
    ModelNamed,
    Noted,
    Refusal,
    Refused,
    StreamClosed,
    TextGrew,
    TextReplaced,
    ThoughtGrew,
    ThoughtReplaced,
    TitleNamed,
    ToolStepped,
    TurnConfirmed,
    TurnEnded,
)
from tabwire.sites.gemini.stream import GeminiStream
from tabwire.sites.memory import Memory

RC = "rc_1"
NAMED = ConversationNamed("abc")
ENDED = TurnEnded("candidate_complete", RC)
TOKEN = TurnConfirmed("context_token")
COUNTED = TurnConfirmed("byte_count")
CLOSED = StreamClosed(True, 0)


def grew(text):
    return TextGrew(text, RC)


def candidate(text, state=1, *, rc=RC, thoughts=None, card=None, media=None):
    node = [rc, [text], None, None, None, None, True, None, [state], "en"]
    node += [None] * 28
    node[12], node[22], node[37] = media, card and [card], thoughts and [[thoughts]]
    return node


def payload(*candidates, ids=("c_abc", "r_1"), **fields):
    """Fields by index: `f6=…` is the payload's seventh."""
    node = [None, list(ids), None, None, list(candidates)] + [None] * 40
    for name, value in fields.items():
        node[int(name[1:])] = value
    return node


def body(*payloads):
    chunks = [[["wrb.fr", None, json.dumps(one)]] for one in payloads]
    return b"".join(speak_chunks(chunks))


def play(raw, **options):
    stream = GeminiStream(options.pop("url", None), Memory(), **options)
    return [*stream.feed(raw), *stream.close()], stream


HELLO = candidate("Hello")
HELLO_WORLD = candidate("Hello world", 2)
PICTURE = [None, None, None, [None, None, None, "https://x/1.png"]]
TOOL = [None, ["data_analysis_tool"]]
ONE = "**A**\n\none"

STORIES = [
    # id, payloads, signals before the stream closes well
    (
        "a text grows and is whole",
        [payload(HELLO), payload(HELLO_WORLD)],
        [NAMED, grew("Hello"), grew(" world"), ENDED, COUNTED],
    ),
    (
        "the same text again is no news",
        [payload(HELLO), payload(HELLO)],
        [NAMED, grew("Hello"), COUNTED],
    ),
    (
        "another text replaces",
        [payload(HELLO), payload(candidate("Help"))],
        [NAMED, grew("Hello"), TextReplaced("Help", RC), COUNTED],
    ),
    (
        "a shorter text replaces",
        [payload(HELLO), payload(candidate("Hell"))],
        [NAMED, grew("Hello"), TextReplaced("Hell", RC), COUNTED],
    ),
    (
        "a text left out is not gone",
        [payload(HELLO), payload(candidate("")), payload(ids=("c_abc", "r_1"))],
        [NAMED, grew("Hello"), COUNTED],
    ),
    (
        "another candidate is shown",
        [payload(HELLO), payload(candidate("Hello you", rc="rc_2"))],
        [NAMED, grew("Hello"), TextGrew(" you", "rc_2"), COUNTED],
    ),
    (
        "the second candidate is not shown",
        [payload(HELLO, candidate("Other", 2, rc="rc_2"))],
        [NAMED, grew("Hello"), COUNTED],
    ),
    (
        "a candidate goes on after it was whole",
        [payload(candidate("Hello", 2)), payload(HELLO), payload(HELLO_WORLD)],
        [NAMED, grew("Hello"), ENDED, grew(" world"), ENDED, COUNTED],
    ),
    (
        "whole without a word is no end",
        [payload(candidate("", 2)), payload(candidate("  \n", 2))],
        [NAMED, grew("  \n"), COUNTED],
    ),
    (
        "thoughts are apart",
        [payload(candidate("", thoughts=ONE)), payload(candidate("Hi", thoughts=f"{ONE} two"))],
        [NAMED, ThoughtGrew(ONE, RC), ThoughtGrew(" two", RC), grew("Hi"), COUNTED],
    ),
    (
        "thoughts are rewritten",
        [payload(candidate("", thoughts=ONE)), payload(candidate("", thoughts="**B**\n\n"))],
        [NAMED, ThoughtGrew(ONE, RC), ThoughtReplaced("**B**\n\n", RC), COUNTED],
    ),
    (
        "a card's address stands for text elsewhere",
        [payload(candidate("http://googleusercontent.com/card_content/0", 2, card="The card"))],
        [NAMED, grew("The card"), ENDED, COUNTED],
    ),
    (
        "text beside a card is text",
        [payload(candidate("See the card:", 2, card="The card"))],
        [NAMED, grew("See the card:"), ENDED, COUNTED],
    ),
    (
        "a card that never comes is left as it is",
        [payload(candidate("http://googleusercontent.com/card_content/0"))],
        [NAMED, grew("http://googleusercontent.com/card_content/0"), COUNTED],
    ),
    (
        "a picture is an answer",
        [payload(candidate("", 2, media=[None] * 7 + [[[[PICTURE]]]]))],
        [NAMED, TurnEnded("media_complete", RC), COUNTED],
    ),
    (
        "a video is an answer",
        [payload(candidate("", 2, media=[None] * 59 + [[[["https://x/1.mp4"]]]]))],
        [NAMED, TurnEnded("media_complete", RC), COUNTED],
    ),
    (
        "an unfinished picture is not",
        [payload(candidate("", 2, media=[None] * 6 + [[0], []]))],
        [NAMED, COUNTED],
    ),
    (
        "the id comes late",
        [[None, [None, "r_1"], {"18": "r_1"}], payload(HELLO)],
        [NAMED, grew("Hello"), COUNTED],
    ),
    (
        "an answer's id is no conversation's",
        [payload(HELLO, ids=("r_1", "r_1"))],
        [grew("Hello"), COUNTED],
    ),
    (
        "a title, sparse",
        [payload(HELLO), [None, ["c_abc", "r_1"], {"11": ["Greetings"], "44": False}]],
        [NAMED, grew("Hello"), TitleNamed("Greetings", "abc"), COUNTED],
    ),
    (
        "a title, in place",
        [payload(HELLO, f10=["Greetings"])],
        [NAMED, TitleNamed("Greetings", "abc"), grew("Hello"), COUNTED],
    ),
    (
        "a title before the candidates",
        [payload(HELLO, f2={"11": ["Greetings"]})],
        [NAMED, TitleNamed("Greetings", "abc"), grew("Hello"), COUNTED],
    ),
    (
        "a generic title is no title",
        [payload(HELLO, f10=["Google Gemini"])],
        [NAMED, grew("Hello"), COUNTED],
    ),
    (
        "the model by its label",
        [payload(HELLO, f39="fedcba9876543210", f42="3 Pro")],
        [NAMED, ModelNamed("gemini-3-pro"), grew("Hello"), COUNTED],
    ),
    (
        "a label without its key is something else",
        [payload(HELLO, f42="3 Pro")],
        [NAMED, grew("Hello"), COUNTED],
    ),
    (
        "a tool works",
        [payload(f6=TOOL), payload(HELLO, f6=TOOL)],
        [NAMED, ToolStepped("data_analysis_tool"), grew("Hello"), COUNTED],
    ),
    (
        "the context token, in place and sparse",
        [payload(HELLO_WORLD, f25="Aw"), [None, ["c_abc", "r_1"], {"26": "Aw"}]],
        [NAMED, grew("Hello world"), ENDED, TOKEN, COUNTED],
    ),
    (
        "an envelope with something before it",
        [["metadata", None, ["c_abc", "r_1"], None, None, [HELLO_WORLD]]],
        [NAMED, grew("Hello world"), ENDED, COUNTED],
    ),
    (
        "a payload of another kind",
        [{"a": 1}, "text", [], 5],
        [COUNTED],
    ),
]


@pytest.mark.parametrize("payloads, signals", [c[1:] for c in STORIES], ids=[c[0] for c in STORIES])
@pytest.mark.parametrize("shortcuts", [True, False])
def test_a_stream_tells_its_story(payloads, signals, shortcuts):
    assert play(body(*payloads), shortcuts=shortcuts)[0] == [*signals, CLOSED]


def test_the_cut_does_not_matter():
    raw = b"".join(
        speak_stream(
            ["你好", '你好 😄 "\\'],
            conversation_id="abc",
            thoughts=["**A**\n\n="],
            title="問候",
            model="Fast",
        )
    )
    expected, _ = play(raw)
    assert expected == [
        NAMED,
        ThoughtGrew("**A**\n\n=", RC),
        grew("你好"),
        grew(' 😄 "\\'),
        ModelNamed("gemini-fast"),
        ENDED,
        TitleNamed("問候", "abc"),
        TOKEN,
        COUNTED,
        CLOSED,
    ]
    for pieces in every_cut(raw):
        stream = GeminiStream(None, Memory())
        got = [signal for piece in pieces for signal in stream.feed(piece)]
        assert [*got, *stream.close()] == expected


def test_an_answer_becomes_a_conversation():
    raw = b"".join(
        speak_stream(
            ["Hi", "Hi there"],
            conversation_id="abc",
            thoughts=["Hm"],
            title="Greetings",
            model="3 Pro",
        )
    )
    memory = Memory()
    stream = GeminiStream(None, memory)
    assert stream.conversation() is None
    stream.feed(raw)
    stream.close()
    found = stream.conversation()
    assert (found.id, found.title, found.model) == ("abc", "Greetings", "gemini-3-pro")
    assert found.messages() == (Message(Role.ASSISTANT, "Hi there", "Hm"),)
    assert (found.standing.complete, found.standing.terminal) == (True, True)
    assert found.standing.evidence == ("candidate_complete", "context_token", "byte_count")
    assert found.turns[0].state is TurnState.FINISHED
    assert memory.title("gemini", "abc", None) == "Greetings"
    assert memory.newest("gemini") == "abc"


WHOLE = b"".join(speak_stream(["Hello"], conversation_id="abc"))
UNFINISHED = b"".join(speak_stream(["Hello"], conversation_id="abc", complete=False))
PARTS = speak_stream(["Hello"], conversation_id="abc")
UNCLOSED = b"".join(PARTS[:3])

STANDINGS = [
    # id, body, complete, terminal
    ("whole", WHOLE, True, True),
    ("closed, yet never whole", UNFINISHED, False, True),
    ("no sign of the end", UNCLOSED, False, False),
    ("whole, then cut", b"".join(PARTS[:4]), True, True),
    ("cut inside the chunk that makes it whole", b"".join(PARTS[:4])[:-30], False, False),
    ("an error after some text", UNCLOSED + speak_error(1013), False, True),
    ("an error alone", speak_error(1096), False, True),
    ("whole but empty", body(payload(candidate("", 2))), False, True),
]


@pytest.mark.parametrize(
    "raw, complete, terminal", [c[1:] for c in STANDINGS], ids=[c[0] for c in STANDINGS]
)
def test_an_answer_is_complete_only_by_its_own_word(raw, complete, terminal):
    _, stream = play(raw)
    standing = stream.conversation().standing
    assert (standing.complete, standing.terminal) == (complete, terminal)


CODES = [
    (1013, Refusal.ERROR),
    (1037, Refusal.RATE_LIMIT),
    (1060, Refusal.BLOCKED),
    (1050, Refusal.ERROR),
    (9999, Refusal.ERROR),
]


@pytest.mark.parametrize("code, kind", CODES)
def test_an_error_frame_is_a_refusal(code, kind):
    signals, _ = play(speak_error(code))
    refused, *rest = signals
    assert (refused.kind, refused.code) == (kind, str(code))
    assert refused.message
    assert rest == [COUNTED, CLOSED]


def test_an_error_of_the_envelope_is_a_refusal():
    signals, _ = play(b"".join(speak_chunks([[["er", None, None, None, None, 400, None]]])))
    assert isinstance(signals[0], Refused)
    assert signals[0].code == "400"


def test_a_session_that_is_over_is_a_login():
    signals, _ = play(b"".join(speak_chunks([[["er", None, None, None, None, 401, None]]])))
    assert (signals[0].kind, signals[0].code) == (Refusal.LOGIN, "401")


PAGES = [
    (b'<!doctype html><form id="captcha-form" action="index">', Refusal.CHALLENGE),
    (b'\n<html><a href="https://www.google.com/sorry/index?q=1">', Refusal.CHALLENGE),
    (b'<html><a href="https://accounts.google.com/ServiceLogin?x">', Refusal.LOGIN),
    (b"<html><title>Error 502</title>" + b"x" * 100_000, Refusal.ERROR),
]


@pytest.mark.parametrize("page, kind", PAGES)
def test_a_web_page_instead_of_data_is_a_refusal(page, kind):
    for pieces in ([page], [page[:1], page[1:9], page[9:]]):
        stream = GeminiStream(None, Memory())
        assert [signal for piece in pieces for signal in stream.feed(piece)] == []
        refused, closed = stream.close()
        assert (refused.kind, closed) == (kind, StreamClosed(False, 0))
        assert stream.conversation().standing.terminal


def lossy(signals):
    return [one.problem.lossy for one in signals if isinstance(one, Noted)]


DAMAGES = [
    # id, body, whether each problem noted is lossy, lost bytes
    ("none", WHOLE, [], 0),
    ("a length lies", WHOLE.replace(b"\n73\n", b"\n74\n"), [False], 0),
    ("cut inside a chunk", b"".join(PARTS[:3])[:-50], [True], len(PARTS[2]) - 50 - 4),
    ("a line of noise", PARTS[0] + b"noise\n" + b"".join(PARTS[1:]), [True, False], 5),
    ("a chunk is missing", b"".join([*PARTS[:2], *PARTS[3:]]), [True], len(PARTS[2])),
    ("line ends changed", WHOLE.replace(b"\n", b"\r\n"), [False], 0),
    ("a blank line is gone", WHOLE.replace(b"\n\n", b"\n"), [False], 0),
    ("the last newline is gone", WHOLE[:-1], [], 0),
    ("a payload invalid JSON", b"".join(speak_chunks([[["wrb.fr", None, "{"]]])), [True], 1),
    ("a chunk invalid JSON", b"[[\n", [True], 2),
]


@pytest.mark.parametrize(
    "raw, problems, lost", [c[1:] for c in DAMAGES], ids=[c[0] for c in DAMAGES]
)
def test_damage_is_noted_and_the_rest_is_read(raw, problems, lost):
    signals, _ = play(raw)
    assert (lossy(signals), signals[-1].lost_bytes) == (problems, lost)


def test_many_lying_lengths_are_two_notes_not_many():
    raw = b"".join(b"7\n" + piece.partition(b"\n")[2] for piece in PARTS[1:-1])
    signals, stream = play(raw)
    notes = [one.problem for one in signals if isinstance(one, Noted)]
    assert len(notes) == 2
    assert notes[1] == Problem(f"{len(PARTS) - 2} length lines do not fit their chunks")
    assert stream.conversation().turns[0].text == "Hello"


def test_the_address_names_the_conversation_until_the_stream_does():
    url = "https://gemini.google.com/u/1/app/fromurl"
    memory = Memory()
    _, stream = play(body(payload(HELLO, ids=(None, "r_1"))), url=url)
    assert stream.conversation().id == "fromurl"
    _, stream = play(body(payload(HELLO)), url=url)
    assert stream.conversation().id == "abc"
    assert memory.newest("gemini") is None


def test_an_address_alone_is_no_conversation():
    _, stream = play(b"garbage\n", url="https://gemini.google.com/app/fromurl")
    assert stream.conversation() is None


def test_a_learnt_title_names_a_stream_without_one():
    memory = Memory()
    memory.learn_title("gemini", "abc", "From the list")
    stream = GeminiStream(None, memory)
    stream.feed(WHOLE)
    assert stream.conversation().title == "From the list"


def test_half_a_character_waits_for_its_other_half():
    texts = ["a\ud83d", "a\ud83d\ude04b"]
    for shortcuts in (True, False):
        raw = b"".join(speak_stream(texts, conversation_id="abc"))
        signals, stream = play(raw, shortcuts=shortcuts)
        assert [one.text for one in signals if isinstance(one, TextGrew)] == ["a\ud83d", "\ude04b"]
        assert stream.conversation().turns[0].text == "a😄b"


ELSEWHERE = [
    # id, the candidate's further elements, thoughts
    ("a heading, two lists deep", [None, None, [["\n**Plan**\nfirst"]]], "\n**Plan**\nfirst"),
    ("no heading", [None, None, [["Plan\nfirst"]]], None),
    ("bold, yet no heading", [None, None, [["**Plan** first"]]], None),
    ("one list deep", [None, None, ["**Plan**\nfirst"]], None),
    ("in their place, one list deep", [None] * 35 + [["Hm"]], "Hm"),
]


@pytest.mark.parametrize(
    "rest, thoughts", [c[1:] for c in ELSEWHERE], ids=[c[0] for c in ELSEWHERE]
)
def test_thoughts_are_known_by_their_shape(rest, thoughts):
    _, stream = play(body(payload(["rc_1", ["Hi"], *rest])))
    assert stream.conversation().turns[0].thinking == thoughts
