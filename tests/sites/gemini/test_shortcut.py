"""Reading only what is new gives the same signals as reading everything, only sooner."""

import json
from unittest.mock import patch

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kit.cuts import random_cuts
from tabwire.lab.speak.gemini import speak_chunks, speak_stream
from tabwire.model.signals import Noted, TextGrew, TextReplaced
from tabwire.sites.gemini import shortcut, stream
from tabwire.sites.gemini.stream import GeminiStream
from tabwire.sites.memory import Memory
from tabwire.wire.framed import Again, Chunk
from tabwire.wire.text import join_surrogates

LONG = "An answer long enough to be worth it. " * 6  # over MIN_TEXT


def play(pieces, *, shortcuts):
    reader = GeminiStream(None, Memory(), shortcuts=shortcuts)
    signals = [signal for piece in pieces for signal in reader.feed(piece)]
    return [*signals, *reader.close()], reader.conversation()


def reads_in_full(pieces):
    """How many chunks were parsed whole while the shortcut was on."""
    with patch.object(stream, "read_json", wraps=stream.read_json) as read:
        play(pieces, shortcuts=True)
    return sum(isinstance(call.args[0], bytes) for call in read.call_args_list)


def cumulative(text, steps):
    return [text[: len(text) * step // steps] for step in range(1, steps + 1)]


def chunk(node, *, ascii_only=False):
    """A chunk with one payload; half a character cannot be UTF-8 and is always escaped."""
    inner = json.dumps(node, ensure_ascii=ascii_only, separators=(",", ":"))
    inner = "".join(f"\\u{ord(c):04x}" if "\ud800" <= c <= "\udfff" else c for c in inner)
    return [["wrb.fr", None, inner]]


def payload(text, *, rc="rc_1", state=1, after=(), rest=()):
    candidates = [[rc, [text], *[None] * 6, [state]], *after]
    return [None, ["c_abc", "r_1"], None, None, candidates, *rest]


@pytest.mark.parametrize("repeated", [True, False])
@pytest.mark.parametrize(
    "words", ["plain words, ", 'a "quote" \\ and\n\n', "你好😄\n\n", "<=&'>\n"]
)
def test_a_growing_answer_is_hardly_read_in_full(words, repeated):
    """Without this the whole module could silently do nothing."""
    texts = cumulative(words * 400, 60)
    pieces = speak_stream(texts, conversation_id="abc", repeated=repeated)
    signals, conversation = play(pieces, shortcuts=True)
    assert [type(signal) for signal in signals].count(TextGrew) == 60
    assert conversation.turns[0].text == texts[-1]
    assert reads_in_full(pieces) < 15  # the short beginning, and the books at the end


def test_repeated_paragraphs_are_cut_out():
    """What is parsed of a chunk stays small however long both copies of the answer grow."""
    texts = cumulative("Some words of a paragraph.\n\n" * 2000, 40)
    sizes = []
    parse = shortcut._parse

    def watched(raw, base):
        sizes.append(len(raw))
        return parse(raw, base)

    with patch.object(shortcut, "_parse", watched):
        play(speak_stream(texts, conversation_id="abc"), shortcuts=True)
    assert len(sizes) > 30
    assert sorted(sizes)[-6] < 8000  # one step of growth, twice, with its brackets


def rewritten(text):
    """The last paragraph is rewritten when its bold part ends, as the site does."""
    *done, last = text.split("\n\n")
    return [*done, last.replace("**", "") if last.count("**") % 2 == 0 else last]


def test_paragraphs_may_be_rewritten():
    text = "One **bold** word and so on. " * 12 + "\n\n"
    texts = cumulative(text * 30, 200)
    chunks = [
        chunk(payload(one, rest=[None] * 21 + [[[[None, [None, 0, p]] for p in rewritten(one)]]]))
        for one in texts
    ]
    pieces = speak_chunks(chunks)
    assert play(pieces, shortcuts=True) == play(pieces, shortcuts=False)
    assert reads_in_full(pieces) < 15


def test_paragraphs_at_several_depths_are_followed():
    """Lists and tables nest deeper; a cut from one depth to another would not be JSON."""
    texts = cumulative("A paragraph of some words.\n\n" * 200, 60)
    chunks = [
        chunk(
            payload(
                one,
                rest=[None] * 21 + [[p if n % 3 else [[p]] for n, p in enumerate(one.split("\n"))]],
            )
        )
        for one in texts
    ]
    pieces = speak_chunks(chunks)
    assert play(pieces, shortcuts=True) == play(pieces, shortcuts=False)
    assert reads_in_full(pieces) < 15


def carded(text, card):
    node = payload("http://googleusercontent.com/card_content/0" + text)
    node[4][0] += [None] * 13 + [[card]]
    return node


DOUBTS = [
    # id, payloads of chunks in a row
    ("replaced", [payload(LONG), payload("Other " + LONG), payload("Other " + LONG + "!")]),
    ("shortened", [payload(LONG), payload(LONG[:-9]), payload(LONG[:-9] + "?")]),
    ("emptied", [payload(LONG), payload(""), payload(LONG + "!")]),
    ("another candidate", [payload(LONG), payload(LONG + "a", rc="rc_2"), payload(LONG + "b")]),
    ("state changes", [payload(LONG), payload(LONG, state=2), payload(LONG + "!", state=2)]),
    (
        "ends with a backslash",
        [payload(LONG + "\\"), payload(LONG + "\\\\"), payload(LONG + '\\"')],
    ),
    ("ends with a quote", [payload(LONG + '"'), payload(LONG + '""'), payload(LONG + '"],null')]),
    ("looks like what follows", [payload(LONG + t) for t in ("", '"]', '"],null', '"]]],[[')]),
    (
        "emoji in halves",
        [payload(LONG + t) for t in ("\ud83d", "\ud83d\ude04", "\ud83d\ude04\ud83d")],
    ),
    (
        "halves that never meet",
        [payload(LONG + t) for t in ("\ude04", "\ude04\ud83d", "\ude04\ud83dx")],
    ),
    ("a card with its text", [carded(LONG + t, "Card" + t * 2) for t in ("", "a", "ab")]),
    (
        "a card, text elsewhere",
        [payload("http://googleusercontent.com/card_content/0" + LONG + t) for t in "abc"],
    ),
    (
        "a card inside",
        [payload(LONG), payload(LONG + "http://googleusercontent.com/card_content/0")],
    ),
    ("two candidates", [payload(LONG + t, after=[["rc_2", ["x" + t]]]) for t in ("", "a", "ab")]),
    ("thoughts grow too", [payload(LONG + t, rest=[t]) for t in ("", "a", "ab")]),
    (
        "an element grows before the copy",
        [payload(LONG + t, rest=[t * 9]) for t in ("", "a", "ab")],
    ),
    ("a title beside growth", [payload(LONG), payload(LONG + "!", rest=[None] * 5 + [["T"]])]),
    (
        "objects in the copy",
        [payload(LONG + t, rest=[None] * 21 + [[{"a": LONG + t}]]) for t in "abc"],
    ),
]


@pytest.mark.parametrize("payloads", [c[1] for c in DOUBTS], ids=[c[0] for c in DOUBTS])
@pytest.mark.parametrize("ascii_only", [True, False])
def test_any_doubt_gives_what_a_full_reading_gives(payloads, ascii_only):
    pieces = speak_chunks([chunk(one, ascii_only=ascii_only) for one in payloads])
    assert play(pieces, shortcuts=True) == play(pieces, shortcuts=False)


def raw_chunks(*lines):
    return [b"".join(line + b"\n" for line in lines)]


BYTES = [
    # id, chunks in a row as they are on the wire
    ("a quote in disguise", [b"", b"\\u0022", b'\\u0022]]]]"]]'[:6]]),
    ("a backslash in disguise", [b"", b"\\u005c", b'\\u005c\\"']),
    ("other escapes of the outer string", [b"", b"\\u003d", b"\\u003d\\/", b"\\u003d\\/\\n"]),
    ("half a UTF-8 character", [b"", b"\xe4", b"\xe4\xbd", b"\xe4\xbd\xa0"]),
    ("a bad UTF-8 byte", [b"", b"\xff", b"\xff\xff"]),
    (
        "an escape of the inner string",
        [b"", b"\\\\u003d", b"\\\\u003d\\\\n", b"\\\\u003d\\\\n\\\\/"],
    ),
    ("half an escape", [b"", b"\\\\u00", b"\\\\u003d"]),
    ("an open escape", [b"", b"\\\\", b"\\\\n"]),
    ("a raw control character", [b"", b"\t", b"\t\t"]),
]


@pytest.mark.parametrize("ends", [c[1] for c in BYTES], ids=[c[0] for c in BYTES])
def test_odd_bytes_give_what_a_full_reading_gives(ends):
    lines = [
        b'[["wrb.fr",null,"[null,[\\"c_1\\"],null,null,[[\\"rc_1\\",[\\"%b%b\\"]]]]"]]'
        % (LONG.encode(), end)
        for end in ends
    ]
    pieces = raw_chunks(*lines)
    assert play(pieces, shortcuts=True) == play(pieces, shortcuts=False)


def test_a_text_closed_by_a_quote_in_disguise_does_not_go_on_in_the_next_string():
    lines = [
        b'[["wrb.fr",null,"[null,[\\"c_1\\"],null,null,'
        b'[[\\"rc_1\\",[\\"%b\\u0022],[\\u0022%b\\"]]]]"]]' % (LONG.encode(), b"x" * size)
        for size in (1, 2, 3)
    ]
    signals, conversation = play(raw_chunks(*lines), shortcuts=True)
    assert conversation.turns[0].text == LONG
    assert sum(isinstance(one, TextGrew) for one in signals) == 1


def test_records_are_counted_also_where_they_are_not_read():
    """The closing frame's record count says that a body with other line ends lost nothing."""
    pieces = speak_stream(cumulative(LONG * 4, 30), conversation_id="abc", repeated=False)
    raw = b"".join(pieces).replace(b"\n\n", b"\n")
    signals, _ = play([raw], shortcuts=True)
    assert [one.problem.lossy for one in signals if isinstance(one, Noted)] == [False]
    assert signals == play([raw], shortcuts=False)[0]


SAME_AFTER = [
    # id, shared, again, the text's end before and now, bytes that follow it as before
    ("no growth", 30, None, (20, 20), 10),
    ("growth", 20, Again(25, 20, 7), (20, 25), 7),
    ("growth begins with a backslash, as a closing quote does", 21, Again(26, 21, 7), (20, 25), 8),
    ("the chunk goes on, but elsewhere", 20, Again(27, 20, 7), (20, 25), 0),
    ("it went on before the text's end", 24, Again(29, 24, 7), (20, 25), 0),
    ("it does not go on", 20, None, (20, 25), 0),
]


@pytest.mark.parametrize(
    "shared, again, ends, same", [c[1:] for c in SAME_AFTER], ids=[c[0] for c in SAME_AFTER]
)
def test_only_what_is_known_to_be_the_same_is_followed(shared, again, ends, same):
    assert shortcut._same_after(Chunk(b"", shared, again), *ends) == same


def test_a_chunk_in_between_makes_the_next_one_read_in_full():
    """What is known is known of the chunk before, and of no older one."""
    first = chunk(payload(LONG))
    other = chunk(payload("X" * len(LONG)))
    grown = chunk(payload("X" * len(LONG) + "y"))
    broken = json.dumps(other, separators=(",", ":"))[:-3].encode()
    for between in ([other], [[["di", 1]], other], []):
        pieces = speak_chunks([first, *between, grown])
        assert play(pieces, shortcuts=True) == play(pieces, shortcuts=False)
    lines = [json.dumps(one, separators=(",", ":")).encode() for one in (first, grown)]
    pieces = raw_chunks(lines[0], broken, lines[1])
    signals, conversation = play(pieces, shortcuts=True)
    assert (signals, conversation) == play(pieces, shortcuts=False)
    assert any(isinstance(one, Noted) for one in signals)
    assert conversation.turns[0].text == "X" * len(LONG) + "y"


def test_two_answers_in_one_chunk_are_both_read():
    rows = [
        [chunk(payload(LONG + "a"))[0], chunk(payload("Second " + LONG))[0]],
        [chunk(payload(LONG + "ab"))[0], chunk(payload("Second " + LONG + "!"))[0]],
        chunk(payload("Second " + LONG + "!!")),
    ]
    for first in range(2):
        pieces = speak_chunks([chunk(payload(LONG)), *rows[first:], chunk(payload(LONG + "abc"))])
        assert play(pieces, shortcuts=True) == play(pieces, shortcuts=False)
    both = [chunk(payload(LONG + "ab"))[0], chunk(payload("Second " + LONG))[0]]
    pieces = speak_chunks([chunk(payload(LONG)), both, chunk(payload(LONG + "abc"))])
    assert play(pieces, shortcuts=True) == play(pieces, shortcuts=False)


def test_a_stream_that_never_repeats_itself_is_not_prepared_for_over_and_over():
    texts = [f"{number} {LONG}" for number in range(60)]
    with patch.object(shortcut, "_parse", wraps=shortcut._parse) as parse:
        play(speak_stream(texts, conversation_id="abc", repeated=False), shortcuts=True)
    assert parse.call_count <= shortcut.MAX_MISSES + 1


BITS = ["a", " ", "\n\n", '"', "\\", "/", "=", "你", "😄", "\ud83d", "\ude04", "*", "]", "}"]
GROWTH = st.lists(st.sampled_from(BITS), max_size=12).map("".join)
STEP = st.one_of(
    st.tuples(st.just("grow"), GROWTH),
    st.tuples(st.just("grow"), GROWTH),
    st.tuples(st.just("cut"), st.integers(1, 40)),
    st.tuples(st.just("replace"), GROWTH),
    st.tuples(st.just("think"), GROWTH),
    st.tuples(st.just("finish"), st.booleans()),
    st.tuples(st.just("candidate"), st.integers(1, 2)),
    st.tuples(st.just("model"), st.sampled_from(["Fast", "3 Pro", "Thinking"])),
    st.tuples(st.just("books"), st.none()),
)


def spoken(steps, *, repeated, ascii_only, second):
    text, thoughts, state, rc, model = LONG, None, 1, 1, None
    rows = []
    for what, value in steps:
        match what:
            case "grow":
                text += value
            case "cut":
                text = text[:-value]
            case "replace":
                text = value + text
            case "think":
                thoughts = (thoughts or "**T**\n\n") + value
            case "finish":
                state = 2 if value else 1
            case "candidate":
                rc = value
            case "model":
                model = value
            case "books":
                rows.append([["di", len(rows)]])
        after = [["rc_9", [text[::-1]]]] if second else []
        node = payload(text, rc=f"rc_{rc}", state=state, after=after)
        if thoughts:
            node[4][0] += [None] * 28 + [[[thoughts]]]
        if repeated:
            node += [None] * 21 + [[[[None, [None, 0, part]] for part in text.split("\n\n")]]]
            icons = [[[1004, "longer", 5, [None, "https://x/expand.svg"]]]]
            node += [icons, icons] + [None] * 10 + ["0123456789abcdef", None, None, model]
        rows.append(chunk(node, ascii_only=ascii_only))
    return b"".join(speak_chunks(rows)), text


@given(
    st.lists(STEP, min_size=1, max_size=25),
    st.booleans(),
    st.booleans(),
    st.booleans(),
    st.integers(0, 2**32),
)
def test_both_readings_agree_on_any_story(steps, repeated, ascii_only, second, seed):
    raw, text = spoken(steps, repeated=repeated, ascii_only=ascii_only, second=second)
    # Every comparison is worth it here: small numbers reach what large answers reach.
    with patch.multiple(shortcut, MIN_CUT=1), patch("tabwire.wire.framed.AGAIN_FROM", 8):
        short = play(random_cuts(raw, seed), shortcuts=True)
    full = play([raw], shortcuts=False)
    assert short == full
    said = ""
    for signal in full[0]:
        if isinstance(signal, TextGrew):
            said += signal.text
        elif isinstance(signal, TextReplaced):
            said = signal.text
    assert join_surrogates(said) == full[1].turns[0].text
    assert full[1].turns[0].text == join_surrogates(text) or not text
