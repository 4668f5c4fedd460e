"""`tabwire parse` as it is called: what it prints, where, and with which exit code."""

import io
import json
import os
import sys
from pathlib import Path

import pytest

from files.spoken import (
    ANSWER,
    BODIES,
    CHATGPT_URL,
    GROK_CHAT,
    QUESTION,
    chatgpt_stored,
    export,
    exported,
    ndjson,
    sse,
    stream_generate,
)
from kit.chatgpt import CONVERSATION, OTHER
from tabwire.__main__ import run
from tabwire.doors.cli import parse
from tabwire.hub import Kind
from tabwire.lab.speak.gemini import speak_error, speak_list

KEYS = (
    "file site kind conversation_id title model complete terminal evidence messages problems"
).split()


@pytest.fixture
def tabwire(tmp_path, monkeypatch, capsys):
    """Run `tabwire parse …` in this process: (exit code, stdout, stderr).

    Arguments that are bytes become files, named by their place.
    """
    monkeypatch.chdir(tmp_path)

    def call(*arguments):
        words = ["parse"]
        for place, argument in enumerate(arguments):
            if isinstance(argument, bytes):
                Path(f"{place}.body").write_bytes(argument)
                argument = f"{place}.body"
            words.append(argument)
        with pytest.raises(SystemExit) as left:
            run(words)
        out, err = capsys.readouterr()
        return left.value.code or 0, out, err

    return call


def objects(out: str):
    assert out == "" or out.endswith("\n")
    return [json.loads(line) for line in out.split("\n")[:-1]]


# -- --json ---------------------------------------------------------------------------------


@pytest.mark.parametrize("kind", Kind, ids=str)
def test_the_object_has_exactly_the_promised_keys_in_order(tabwire, kind):
    code, out, err = tabwire(BODIES[kind], "--json")
    assert (code, err) == (0, "")
    for told in objects(out):
        assert list(told) == KEYS
        assert (told["file"], told["kind"]) == ("0.body", kind)
        assert isinstance(told["complete"], bool)
        assert isinstance(told["terminal"], bool)
        assert isinstance(told["evidence"], list)
        assert all(isinstance(one, str) for one in told["evidence"] + told["problems"])
        for message in told["messages"]:
            assert list(message) == ["role", "text", "thinking"]
            assert message["role"] in ("user", "assistant")
            assert isinstance(message["thinking"], str | None)


def test_one_object_in_full(tabwire):
    body = sse(thoughts=["Hm."], title="Tabs", model="gpt-test")
    _, out, _ = tabwire(body, "--json")
    assert objects(out) == [
        {
            "file": "0.body",
            "site": "chatgpt",
            "kind": "sse",
            "conversation_id": CONVERSATION,
            "title": "Tabs",
            "model": "gpt-test",
            "complete": True,
            "terminal": True,
            "evidence": ["end_turn", "finished_successfully", "message_stream_complete"],
            "messages": [
                {"role": "user", "text": QUESTION, "thinking": None},
                {"role": "assistant", "text": ANSWER, "thinking": "Hm."},
            ],
            "problems": [],
        }
    ]


def test_an_object_without_a_conversation_in_full(tabwire):
    code, out, err = tabwire(b"Dear reader,\n", "--json")
    assert code == 2
    assert objects(out) == [
        dict.fromkeys(KEYS)
        | {"file": "0.body", "complete": False, "terminal": False, "evidence": [], "messages": []}
        | {"problems": ["not a known format"]}
    ]
    assert err == "0.body: not a known format\n"


def test_json_lines_one_object_for_each_conversation_of_each_file(tabwire):
    code, out, err = tabwire(export(), ndjson(), b"", chatgpt_stored(), "--json")
    assert code == 2
    assert [(told["file"], told["conversation_id"]) for told in objects(out)] == [
        ("0.body", CONVERSATION),
        ("0.body", OTHER),
        ("1.body", GROK_CHAT),
        ("2.body", None),
        ("3.body", CONVERSATION),
    ]
    assert err == "2.body: the file is empty\n"


CONTROLS = "".join(map(chr, range(32))) + "\x7f\x85\x9b\u2028\u2029"


def test_any_character_gives_valid_json_on_one_line(tabwire):
    answer = f"{CONTROLS} \ud83d alone \ud83d\ude42 joined \udc00"
    tree = exported(CONVERSATION, answer, title=f"T\n\ud83d{CONTROLS}")
    tree["mapping"]["a"]["message"]["metadata"]["model_slug"] = "m\ud83d\0"
    code, out, _ = tabwire(json.dumps(tree).encode(), "--json")
    assert code == 0
    (told,) = objects(out)
    assert told["messages"][-1]["text"] == f"{CONTROLS} \ufffd alone 🙂 joined \ufffd"
    assert told["title"] == f"T\n\ufffd{CONTROLS}"
    assert told["model"] == "m\ufffd\0"


def test_problems_and_names_with_odd_characters_give_valid_json(tabwire):
    tree = exported("\ud83d\x1b[31m")
    code, out, err = tabwire(json.dumps(tree).encode(), "--json")
    assert code == 2
    (told,) = objects(out)
    assert told["conversation_id"] is None
    assert told["problems"]
    assert "\x1b" not in err


@pytest.mark.parametrize("named", ["\ud83d", "a\nb\x1b[31m", "x" * 5000])
def test_an_odd_name_of_a_conversation_can_be_printed(tabwire, named):
    """Grok's ids are taken as they come; a tree of another site's may state any."""
    stream = ndjson(conversation_id=named)
    tree = json.dumps(exported(named)).encode()
    for body, options in ((stream, []), (tree, ["--site", "grok"])):
        code, out, _ = tabwire(body, *options, "--json")
        assert code in (0, 2)
        assert len(objects(out)) == 1
        code, out, err = tabwire(body, *options)
        assert code in (0, 2)
        assert "\x1b" not in out + err


@pytest.mark.skipif(sys.platform in ("darwin", "win32"), reason="names are always text here")
def test_a_file_name_that_is_no_text_can_be_told(tabwire, tmp_path):
    name = os.fsdecode(b"\xff.sse")
    Path(name).write_bytes(sse())
    code, out, _ = tabwire(name, "--json")
    assert (code, objects(out)[0]["file"]) == (0, "\ufffd.sse")


# -- exit codes -----------------------------------------------------------------------------

CUT = sse()[: sse().index(b'"/message/end_turn"')]

EXITS = [
    # id                         file                                        exit code
    ("a conversation", sse(), 0),
    ("a list of titles", speak_list([("0123456789abcdef", "T")]), 0),
    ("a refusal", speak_error(1037), 0),
    ("nothing", b"", 2),
    ("blanks", b"\n\n", 2),
    ("zeros", bytes(1 << 20), 2),
    ("html", b"<!doctype html><html></html>", 2),
    ("prose", b"Dear reader,\n", 2),
    ("other json", b'{"name": "x"}', 2),
    ("cut inside a record", CUT, 2),
    ("a cut stored body", chatgpt_stored()[:-5], 2),
    ("a cut export", export()[:-5], 2),
    ("a conversation id that is none", json.dumps(exported("x")).encode(), 2),
]


@pytest.mark.parametrize("body, wanted", [c[1:] for c in EXITS], ids=[c[0] for c in EXITS])
def test_the_exit_code_says_whether_everything_was_read(tabwire, body, wanted):
    for options in ([], ["--json"]):
        code, out, err = tabwire(body, *options)
        assert code == wanted
        if code:
            assert out or err
        if options:
            assert objects(out)


def test_one_bad_file_among_good_ones_is_exit_code_2(tabwire):
    for files in ((b"", sse()), (sse(), b""), (CUT, sse())):
        assert tabwire(*files)[0] == 2
        assert tabwire(*files, "--json")[0] == 2


def test_a_missing_file_is_exit_code_2_with_its_name(tabwire):
    code, out, err = tabwire("gone.har")
    assert (code, out) == (2, "")
    assert err == "gone.har: No such file or directory\n"


def test_of_a_damaged_file_what_can_be_read_is_still_printed(tabwire):
    code, out, _ = tabwire(CUT, "--json")
    (told,) = objects(out)
    assert (code, told["conversation_id"], told["complete"]) == (2, CONVERSATION, False)
    assert ANSWER.startswith(told["messages"][-1]["text"])
    assert told["problems"]
    code, out, _ = tabwire(CUT)
    assert code == 2
    assert "not complete" in out
    assert "! cut off" in out
    assert "Ein" in out


# -- options --------------------------------------------------------------------------------


def test_site_kind_and_url_reach_the_reading(tabwire):
    nameless = exported(CONVERSATION)
    del nameless["conversation_id"], nameless["id"]
    body = json.dumps(nameless).encode()
    options = "--url", CHATGPT_URL, "--site", "chatgpt", "--kind", "canonical_json", "--json"
    code, out, _ = tabwire(body, *options)
    assert (code, objects(out)[0]["conversation_id"]) == (0, CONVERSATION)
    assert objects(tabwire(body, "--json")[1])[0]["conversation_id"] is None


def test_a_site_or_a_kind_that_is_stated_is_believed(tabwire):
    assert tabwire(b"[]")[0] == 2
    assert tabwire(b"[]", "--kind", "export")[0] == 0
    tree = json.dumps(exported("any-id")).encode()
    _, out, _ = tabwire(tree, "--site", "gemini", "--json")
    assert (objects(out)[0]["site"], objects(out)[0]["conversation_id"]) == ("gemini", "any-id")
    code, _, err = tabwire(sse(), "--site", "grok")
    assert (code, err) == (2, "0.body: a body of kind sse belongs to ChatGPT, not to Grok\n")


def test_one_address_for_each_file(tabwire):
    nameless = exported(CONVERSATION)
    del nameless["conversation_id"], nameless["id"]
    body = json.dumps(nameless).encode()
    other = CHATGPT_URL.replace(CONVERSATION, OTHER)
    _, out, _ = tabwire(body, body, "--url", CHATGPT_URL, "--url", other, "--json")
    assert [told["conversation_id"] for told in objects(out)] == [CONVERSATION, OTHER]


def test_a_title_from_the_question_only_when_asked_for(tabwire):
    assert objects(tabwire(sse(), "--json")[1])[0]["title"] is None
    assert objects(tabwire(sse(), "--json", "--title-fallback")[1])[0]["title"] == QUESTION
    assert "(no title)" in tabwire(sse())[1]
    assert tabwire(sse(), "--title-fallback")[1].startswith(QUESTION)


MISUSES = [
    # id                   arguments                                        what is said
    ("no file", [], ["FILE"]),
    ("unknown site", [b"x", "--site", "claude"], ["--site", "claude", "chatgpt, gemini, grok"]),
    ("unknown kind", [b"x", "--kind", "pdf"], ["--kind", "pdf", "sse", "export"]),
    (
        "too many addresses",
        [b"x", b"y", b"z", "--url", "a", "--url", "b"],
        ["--url", "2 URLs for 3 files"],
    ),
    ("unknown option", [b"x", "--jsonl"], ["--jsonl", "--json"]),
]


@pytest.mark.parametrize("arguments, words", [c[1:] for c in MISUSES], ids=[c[0] for c in MISUSES])
def test_wrong_use_is_exit_code_2_and_says_what_would_be_right(tabwire, arguments, words):
    code, out, err = tabwire(*arguments)
    assert (code, out) == (2, "")
    flat = " ".join(err.replace("│", " ").split())
    for word in words:
        assert word in flat


def test_help_teaches(tabwire, monkeypatch):
    monkeypatch.setenv("COLUMNS", "240")  # wide enough for the list of kinds on one line
    code, out, _ = tabwire("--help")
    assert code == 0
    for option in ("--site", "--url", "--kind", "--json", "--title-fallback", "--help"):
        assert option in out
    for kind in Kind:
        assert kind in out
    assert "Examples" in out
    assert "tabwire parse conversation.sse" in out
    assert "Exit code" in out
    assert "Usage: tabwire parse [OPTIONS]" in out
    assert "FILE" in out


# -- for a person ---------------------------------------------------------------------------


def test_a_person_reads_title_verdict_messages_and_problems(tabwire):
    body = sse("Erst **dies**.", thoughts=["Hm."], title="Über Tabs", model="gpt-test")
    code, out, err = tabwire(body + b"data: {oops\n\n")
    assert (code, err) == (2, "")
    lines = [line.rstrip() for line in out.splitlines()]
    assert lines[0] == "Über Tabs"
    assert lines[1] == f"chatgpt · gpt-test · {CONVERSATION} · sse"
    assert lines[2].startswith("complete: end_turn, finished_successfully")
    assert lines.index("You") < lines.index(f"  {QUESTION}") < lines.index("Assistant")
    assert lines.index("Assistant") < lines.index("  Hm.") < lines.index("  Erst dies.")
    assert any(line.startswith("! unreadable record") for line in lines)
    assert "\x1b" not in out


def test_a_conversation_that_nothing_names_is_printed_too(tabwire):
    """What could be read is printed: a stream whose opening chunk is missing, say."""
    body = stream_generate().replace(b"c_0123456789abcdef", b"")
    told = objects(tabwire(body, "--json")[1])[0]
    assert told["conversation_id"] is None
    assert told["messages"][-1]["text"] == ANSWER
    _, out, _ = tabwire(body)
    assert "Ein Tab — 标签页." in out


@pytest.mark.parametrize("width", [1, 12, 40, 80, 300])
def test_a_terminal_of_any_width_shows_all_words(tabwire, monkeypatch, width):
    monkeypatch.setenv("COLUMNS", str(width))
    code, out, _ = tabwire(
        sse("Erstens und zweitens.\n\n- drittens\n\n```\ncode\n```", title="Über Tabs")
    )
    assert code == 0
    if width < 12:
        return  # no room for words; that it does not break is all
    squeezed = "".join(out.split())
    for word in ("Über", "Tabs", "complete:", "Erstens", "zweitens.", "drittens", "code"):
        assert word in squeezed
    assert max(len(line.rstrip()) for line in out.splitlines()) <= width


EVIL = "\x1b]0;owned\x07\x1b[2J\x9b31m\x08\r\x7f text"


def test_what_a_chat_says_does_not_drive_the_terminal(tabwire):
    """Escape sequences in an answer, a question, a title or a refusal are shown or dropped."""
    tree = exported(CONVERSATION, EVIL, title=EVIL, default_model_slug=EVIL)
    tree["mapping"]["u"]["message"]["content"]["parts"] = [EVIL]
    refused = json.dumps({"detail": EVIL}).encode()
    for body in (json.dumps(tree).encode(), refused, sse(EVIL, thoughts=[EVIL])):
        for options in ([], ["--json"], ["--site", "chatgpt"]):
            _, out, err = tabwire(body, *options)
            for char in "\x1b\x07\x08\x7f\x9b":
                if not (options == ["--json"] and char in "\x7f\x9b"):
                    assert char not in out, (options, char)
                assert char not in err, (options, char)


def test_markup_of_our_own_printer_in_a_chat_is_only_text(tabwire):
    body = sse("[bold]x[/bold] [/nonsense]", prompt="[red]y[/red] [/]", title="[i]z[/i] [/]")
    code, out, _ = tabwire(body)
    assert code == 0
    for text in ("[bold]x[/bold] [/nonsense]", "[red]y[/red] [/]", "[i]z[/i] [/]"):
        assert text in out


class _Terminal(io.StringIO):
    def isatty(self):
        return True


def test_a_large_file_shows_how_far_it_is_only_on_a_terminal(tabwire, monkeypatch):
    monkeypatch.setattr(parse, "SLOW_BYTES", 10)
    assert tabwire(sse(), "--json")[2] == ""
    terminal = _Terminal()
    monkeypatch.setattr(sys, "stderr", terminal)
    monkeypatch.setenv("TERM", "xterm")
    code, out, _ = tabwire(sse(), "--json")
    assert (code, len(objects(out))) == (0, 1)
    assert "reading" in terminal.getvalue()
