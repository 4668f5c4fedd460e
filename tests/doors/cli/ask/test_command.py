"""`tabwire ask` as it is called: what it prints, where, and with which exit code."""

import asyncio
import io
import json
import sys

import pytest

from doors.cli.ask.scripted import CONVERSATION, URL, WHOLE, ScriptedHub, answer, story
from tabwire.doors.cli.ask import progress as ask_progress
from tabwire.doors.cli.ask.board import Board
from tabwire.model.ask import (
    Answered,
    AskRequest,
    Completeness,
    OtherText,
    Phase,
    PhaseBegan,
    StillWaiting,
    TextCame,
)
from tabwire.model.ask_errors import (
    AnswerTimedOut,
    BadAsk,
    ChallengeShown,
    LimitReached,
    LoginRequired,
    ModelNotAvailable,
    SiteFailed,
)
from tabwire.model.errors import BrowserNotFound
from tabwire.model.phases import PHASE_WORDS

HALF = answer("gemini", "Half", Completeness.PARTIAL, thinking=None)
OTHER = answer("grok", "Another\n")
EVIL = "\x1b]0;owned\x07\x1b[2J\x9b31m\r\x7f text"


def failed(kind=SiteFailed, site="gemini", *arguments):
    error = kind(site, *arguments)
    error.attempt_id = "a9"
    return error


# -- the providers' terms ---------------------------------------------------------------------


@pytest.mark.parametrize("how", [(), ("--json",), ("--json", "--stream")])
def test_the_terms_of_a_site_that_is_new_are_said_on_stderr_alone(asked, how):
    hub = ScriptedHub(WHOLE, OTHER, terms=("grok",))
    code, out, err = asked(hub, "ask", "What?", "--to", "chatgpt,grok", *how)
    assert code == 0
    assert err.splitlines()[0] == "tabwire: grok's terms."
    assert "terms" not in out.decode()
    assert "terms" not in asked(hub, "ask", "What?", "--to", "chatgpt", "--dry-run")[2]


# -- exit codes -------------------------------------------------------------------------------

EXITS = [
    # id                         what came of each column                          exit code
    ("complete", [WHOLE], 0),
    ("all complete", [WHOLE, OTHER], 0),
    ("partial", [HALF], 3),
    ("stopped", [answer(completeness=Completeness.STOPPED)], 3),
    ("one of two partial", [WHOLE, HALF], 3),
    ("one of two failed", [WHOLE, failed(SiteFailed, "gemini", "no")], 3),
    ("one of two needs you", [WHOLE, failed(LoginRequired)], 3),
    ("partial and failed", [HALF, failed(SiteFailed, "grok", "no")], 3),
    ("failed", [failed(SiteFailed, "gemini", "no")], 1),
    ("login", [failed(LoginRequired)], 4),
    ("challenge", [failed(ChallengeShown)], 4),
    ("limit", [failed(LimitReached)], 5),
    ("no end in time", [failed(AnswerTimedOut, "gemini", 60.0, "it writes")], 3),
    ("a slip", [failed(BadAsk, "gemini", "no", "Say it otherwise.")], 2),
    ("limit and login", [failed(LimitReached), failed(LoginRequired, "grok")], 4),
    ("limit and failed", [failed(LimitReached), failed(SiteFailed, "grok", "no")], 1),
    ("limit and limit", [failed(LimitReached), failed(LimitReached, "grok")], 5),
]


@pytest.mark.parametrize("results, code", [c[1:] for c in EXITS], ids=[c[0] for c in EXITS])
def test_the_exit_code_is_that_of_the_worst_column(asked, results, code):
    sites = ",".join(one.site for one in results)
    assert asked(ScriptedHub(*results), "ask", "Why?", "--to", sites)[0] == code
    got, out, _ = asked(ScriptedHub(*results), "ask", "Why?", "--to", sites, "--json")
    assert (got, json.loads(out)["exit_code"]) == (code, code)


# -- into a pipe ------------------------------------------------------------------------------


def test_a_pipe_gets_the_markdown_alone_and_stderr_the_rest(asked):
    code, out, err = asked(ScriptedHub(WHOLE), "ask", "Why?", "--to", "chatgpt")
    assert (code, out) == (0, b"A **tab** holds a page.\n")
    assert "chatgpt: complete: end of turn · evidence: end_turn, stored conversation" in err
    assert (
        "sent after 100 ms · first token after 1.2 s · end detected after 2 ms · total 9.9 s" in err
    )
    assert URL in err
    assert "chatgpt: connecting to the browser" in err


@pytest.mark.parametrize("text", [EVIL, "a\r\nb\r\n", "\ufeffx", "标签 🙂 \x00", "no end", "end\n"])
def test_a_pipe_gets_every_byte_as_the_site_sent_it(asked, text):
    _, out, err = asked(ScriptedHub(answer(text=text)), "ask", "Why?", "--to", "chatgpt")
    assert out == text.encode() + (b"" if text.endswith("\n") else b"\n")
    assert not set("\x1b\x07\x9b\x7f\x00") & set(err)


def test_half_a_character_is_no_crash(asked):
    """A stream can be cut inside a pair."""
    out = asked(ScriptedHub(answer(text="cut \ud83d")), "ask", "Why?", "--to", "chatgpt")[1]
    assert out == b"cut ?\n"


def test_several_answers_have_headings_in_the_order_asked_for(asked):
    _, out, _ = asked(ScriptedHub(WHOLE, OTHER), "ask", "Why?", "--to", "grok,chatgpt")
    assert out.decode() == "# grok\n\nAnother\n\n# chatgpt\n\nA **tab** holds a page.\n"


def test_one_failed_column_spoils_no_other(asked):
    hub = ScriptedHub(WHOLE, failed(LoginRequired))
    _, out, err = asked(hub, "ask", "Why?", "--to", "chatgpt,gemini")
    assert out.decode() == "# chatgpt\n\nA **tab** holds a page.\n"
    assert "\nGemini requires a login" in err
    assert "tabwire login gemini" in err
    assert "code login_required · attempt a9" in err


KEPT = [(WHOLE, "The answer is saved"), (HALF, "The partial answer is saved")]


@pytest.mark.parametrize("kept, said", KEPT, ids=["whole", "half"])
def test_an_answer_that_came_though_something_was_wrong_can_be_fetched(asked, kept, said):
    error = failed(ModelNotAvailable, "gemini", "Pro", "it took another")
    error.answer = kept
    code, out, err = asked(ScriptedHub(error), "ask", "Why?", "--to", "gemini")
    assert (code, out) == (1, b"")
    assert f"{said}: `tabwire fetch a9`." in err
    (told,) = json.loads(asked(ScriptedHub(error), "ask", "?", "--to", "gemini", "--json")[1])[
        "answers"
    ]
    assert (told["error"]["code"], told["answer"]["text"]) == ("model_not_available", kept.text)


def test_thinking_is_left_out_unless_wanted(asked):
    hub = ScriptedHub(answer(thinking="One.\n\nTwo."))
    assert b"One." not in asked(hub, "ask", "Why?", "--to", "chatgpt")[1]
    out = asked(hub, "ask", "Why?", "--to", "chatgpt", "--thinking")[1]
    assert out == b"> One.\n>\n> Two.\n\nA **tab** holds a page.\n"


def test_plain_is_made_by_the_hub(asked):
    out = asked(ScriptedHub(WHOLE), "ask", "Why?", "--to", "chatgpt", "--plain")[1]
    assert out == b"A tab holds a page.\n"


def test_a_partial_answer_is_given_and_says_how_to_get_the_rest(asked):
    code, out, err = asked(ScriptedHub(HALF), "ask", "Why?", "--to", "gemini")
    assert (code, out) == (3, b"Half\n")
    assert f"gemini: fetch the rest: tabwire fetch {CONVERSATION} --site gemini" in err


def test_what_makes_an_answer_doubtful_is_told(asked):
    doubtful = answer(
        suspicious=("very short",), problems=("a record lost",), others=(OtherText("page", "xy"),)
    )
    err = asked(ScriptedHub(doubtful), "ask", "Why?", "--to", "chatgpt")[2]
    assert "check this: very short" in err
    assert "! a record lost" in err
    assert "page has a different text of 2 characters" in err


def test_debug_is_told_field_by_field(asked):
    found = answer(
        debug={
            "debug_pageUrl": "https://chatgpt.com/",
            "debug_bodySnippet": "Chat\nNew" + "x" * 900,
        }
    )
    err = asked(ScriptedHub(found), "ask", "Why?", "--to", "chatgpt", "--debug")[2]
    assert "debug_pageUrl: https://chatgpt.com/" in err
    assert "debug_bodySnippet: Chat New" + "x" * 392 + "…" in err


def test_a_comparison_stands_below_the_answers(asked):
    hub = ScriptedHub(WHOLE, OTHER)
    out = asked(hub, "ask", "Why?", "--to", "chatgpt,grok", "--compare")[1].decode()
    assert out.partition("\n# Comparison\n")[2].split() == [
        *"## All agree - Both. ## Differences - **chatgpt**: It is 1. - **grok**: It is 2.".split(),
        *"## Only grok - Mine.".split(),
    ]


def test_one_answer_is_compared_with_nothing(asked):
    hub = ScriptedHub(WHOLE, failed(LoginRequired))
    code, out, _ = asked(hub, "ask", "Why?", "--to", "chatgpt,gemini", "--compare")
    assert code == 3
    assert b"comparison" not in out


# -- progress ---------------------------------------------------------------------------------


def test_every_phase_is_a_line_on_stderr(asked):
    steps = [PhaseBegan("chatgpt", phase, 0.0, "a note") for phase in Phase]
    waits = [StillWaiting("chatgpt", f"it\nthinks {EVIL}", 0.0)]
    hub = ScriptedHub(WHOLE, stories={"chatgpt": [*steps, *waits, *story(WHOLE)]})
    err = asked(hub, "ask", "Why?", "--to", "chatgpt")[2]
    lines = [line.partition(" s  ")[2] for line in err.splitlines() if " s  " in line]
    assert len(lines) == len(Phase) + 1 + 4
    assert lines[: len(Phase)] == [f"chatgpt: {words} (a note)" for words in PHASE_WORDS.values()]
    assert "it thinks" in lines[len(Phase)]
    assert "\x1b" not in err


def test_it_is_never_silent_for_long(capfd):
    now = [0.0]
    board = Board((AskRequest("grok", "?"), AskRequest("gemini", "?")), lambda: now[0])
    lines = ask_progress.Lines(board)
    for event in (
        PhaseBegan("grok", Phase.ANSWERING, 0.0),
        TextCame("grok", "x" * 4812, False, False, 0.0),
    ):
        board.take(event)
        lines.tell(event)
    capfd.readouterr()
    now[0] = 59.0
    lines.tick()
    assert capfd.readouterr().err == ""
    now[0] = 61.0
    lines.tick()
    assert capfd.readouterr().err.replace("\xa0", " ") == (
        "   61.0 s  grok: answering · 4 812 characters · 61 s\n   61.0 s  gemini: starting 61 s\n"
    )
    lines.tick()
    assert capfd.readouterr().err == ""


@pytest.mark.parametrize("options", [[], ["--json"]], ids=["markdown", "json"])
def test_a_silence_is_broken_while_it_lasts(asked, monkeypatch, options):
    broken = asyncio.Event()
    monkeypatch.setattr(ask_progress, "SILENT_SECONDS", 0.0)
    monkeypatch.setattr(ask_progress.Lines, "tick", lambda _: broken.set())

    class Slow(ScriptedHub):
        async def ask(self, *arguments, **others):
            async with asyncio.timeout(60):
                await broken.wait()
            return await super().ask(*arguments, **others)

    assert asked(Slow(WHOLE), "ask", "Why?", "--to", "chatgpt", *options)[0] == 0


def test_when_all_is_over_there_is_nothing_to_say_and_no_hurry(capfd):
    now = [0.0]
    board = Board((AskRequest("chatgpt", "?"),), lambda: now[0])
    lines = ask_progress.Lines(board)
    board.take(Answered("chatgpt", WHOLE, 0.0))
    now[0] = 61.0
    assert lines.silent_for() == 0
    lines.tick()
    assert lines.silent_for() == ask_progress.SILENT_SECONDS
    assert capfd.readouterr().err == ""


# -- where the question comes from ------------------------------------------------------------


class Piped(io.StringIO):
    def __init__(self, data, tty=False):
        super().__init__()
        self.buffer = io.BytesIO(data)
        self._tty = tty

    def isatty(self):
        return self._tty


SOURCES = [
    # id                        arguments                              piped in          the prompt
    ("argument", ["Why?"], b"not read", "Why?"),
    ("dash", ["-"], b"Why?\n", "Why?\n"),
    ("pipe", [], "Wärum?".encode(), "Wärum?"),
    ("byte order mark", [], b"\xef\xbb\xbfWhy?", "Why?"),
    ("file", ["--prompt-file", "q.txt"], b"not read", "From a file"),
    ("context", ["Why?", "--context", "q.txt"], b"not read", "Why?\nFrom a file"),
]


@pytest.mark.parametrize(
    "arguments, piped, prompt", [c[1:] for c in SOURCES], ids=[c[0] for c in SOURCES]
)
def test_where_the_question_comes_from(asked, monkeypatch, tmp_path, arguments, piped, prompt):
    (tmp_path / "q.txt").write_text("From a file")
    monkeypatch.setattr(sys, "stdin", Piped(piped))
    hub = ScriptedHub(WHOLE)
    code, _, err = asked(hub, "ask", *arguments, "--to", "chatgpt")
    assert code == 0, err
    assert [one.prompt for one in hub.asked] == [prompt]


WRONG = [
    # id, arguments, what is piped in (None: a terminal), what is said
    ("no question", ["--to", "grok"], None, "missing question"),
    ("empty", ["", "--to", "grok"], b"", "missing question"),
    ("an empty pipe", ["--to", "grok"], b" \n", "missing question"),
    ("no text", ["-", "--to", "grok"], b"\xff\xfe\x00", "not valid UTF-8"),
    ("half characters", ["Wh\udcff?", "--to", "grok"], None, "not valid UTF-8"),
    ("two questions", ["Why?", "--prompt-file", "q.txt", "--to", "grok"], None, "not both"),
    ("nobody", ["Why?"], None, "expected a site: chatgpt, gemini, grok"),
    ("unknown site", ["Why?", "--to", "claude"], None, "expected one of chatgpt, gemini, grok"),
    ("no such file", ["Why?", "--to", "grok", "--file", "nope"], None, "does not exist"),
    ("no such context", ["Why?", "--to", "grok", "--context", "nope"], None, "does not exist"),
    ("no time", ["Why?", "--to", "grok", "--timeout", "x"], None, "expected a duration"),
    ("stream alone", ["Why?", "--to", "grok", "--stream"], None, "requires --json"),
    ("force alone", ["Why?", "--to", "grok", "--force"], None, "requires --out"),
    ("compare one", ["Why?", "--to", "grok", "--compare"], None, "several sites"),
    ("out is there", ["Why?", "--to", "grok", "--out", "q.txt"], None, "already exists"),
    ("out in a file", ["Why?", "--to", "grok", "--out", "q.txt/a.md"], None, "is not a folder"),
    ("a folder in a file", ["Why?", "--to", "grok,gemini", "--out", "q.txt"], None, "not a folder"),
]


@pytest.mark.parametrize(
    "arguments, piped, said", [c[1:] for c in WRONG], ids=[c[0] for c in WRONG]
)
def test_what_cannot_be_meant_is_told_before_anything_is_asked(
    asked, monkeypatch, tmp_path, arguments, piped, said
):
    (tmp_path / "q.txt").write_text("From a file")
    monkeypatch.setattr(sys, "stdin", Piped(piped or b"", tty=piped is None))
    hub = ScriptedHub(WHOLE)
    code, out, err = asked(hub, "ask", *arguments)
    assert (code, out, hub.asked) == (2, b"", [])
    assert said in " ".join(err.replace("│", " ").split())


# -- the rest ---------------------------------------------------------------------------------


def test_a_dry_run_says_what_would_be_done_and_does_nothing(asked):
    hub = ScriptedHub()
    code, out, err = asked(hub, "ask", "Why?", "--to", "grok,gemini", "--dry-run")
    assert (code, err) == (0, "")
    lines = ["grok", "  open a new chat", "  send", "gemini", "  open a new chat", "  send"]
    assert out.decode().splitlines() == lines
    out = asked(hub, "ask", "Why?", "--to", "grok", "--dry-run", "--json")[1]
    assert json.loads(out) == {"plan": [{"site": "grok", "lines": ["open a new chat", "send"]}]}


def test_without_a_browser_it_says_so_once(asked):
    none = BrowserNotFound("no browser", what_to_do="Install one.")
    hub = ScriptedHub(cannot_begin=none)
    assert asked(hub, "ask", "Why?", "--to", "grok,gemini") == (
        *(1, b""),
        "tabwire: no browser\nInstall one.\n",
    )


def test_browser_and_again_reach_the_hub(asked):
    hub = ScriptedHub(WHOLE)
    asked(hub, "ask", "Why?", "--to", "chatgpt", "--browser", "lab", "--again")
    assert hub.given == {"browser": "lab", "again": True}
    asked(hub, "ask", "Why?", "--to", "chatgpt")
    assert hub.given == {"browser": None, "again": False}
