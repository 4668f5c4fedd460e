"""Columns on a terminal, of any size, as they stand at some moment."""

import io

import pytest
from rich.cells import cell_len
from rich.console import Console

from doors.cli.ask.scripted import WHOLE, answer
from tabwire.doors.cli.ask import columns as ask_columns
from tabwire.doors.cli.ask import text_output as ask_print
from tabwire.doors.cli.ask.board import TAIL, Board, Growing
from tabwire.doors.cli.ask.columns import Columns
from tabwire.model.ask import (
    Answered,
    AskRequest,
    Completeness,
    Failed,
    Phase,
    PhaseBegan,
    StillWaiting,
    TextCame,
)
from tabwire.model.ask_errors import LoginRequired

SITES = ("chatgpt", "gemini", "grok")
EVIL = "\x1b]0;owned\x07\x1b[2J\x9b31m\x08\r\x7f text"


def board(*events, sites=SITES, now=100.0):
    times = iter([88.0])  # it begins then
    made = Board([AskRequest(site, "?") for site in sites], lambda: next(times, now))
    for event in events:
        made.take(event)
    return made


def terminal(width, height):
    return Console(
        file=io.StringIO(), width=width, height=height, force_terminal=True, no_color=True,
        highlight=False, color_system=None,
    )  # fmt: skip


def drawn(made, width=140, height=30, **options):
    console = terminal(width, height)
    console.print(Columns(made, console, **options).drawn(), end="")
    return console.file.getvalue().split("\n")[:-1]


@pytest.mark.parametrize("height", [4, 10, 24, 60])
@pytest.mark.parametrize("width", [20, 40, 80, 113, 114, 140, 300])
@pytest.mark.parametrize("sites", [SITES[:1], SITES[:2], SITES], ids=["one", "two", "three"])
def test_a_picture_fits_its_terminal(sites, width, height):
    events = [
        event
        for site in sites
        for event in (
            PhaseBegan(site, Phase.ANSWERING, 90.0),
            TextCame(site, "Hm.\nHm hm.", True, False, 90.0),
            TextCame(site, "Wörter 标签页 und\n\nmehr. " * 200, False, False, 90.0),
            StillWaiting(site, "it thinks " * 30, 90.0),
        )
    ]
    lines = drawn(board(*events, sites=sites), width, height)
    assert max(cell_len(line) for line in lines) <= width
    rows = width // len(sites) < ask_columns.LEAST_WIDTH
    least = ask_columns.LEAST_HEIGHT * (len(sites) if rows else 1)
    assert len(lines) <= max(height - 1, least + 1)
    assert lines[-1] == ""
    assert all(any(site in line for line in lines) for site in sites)


@pytest.mark.parametrize("width, beside", [(140, True), (114, True), (113, False), (80, False)])
def test_a_narrow_terminal_has_rows_in_place_of_columns(width, beside):
    lines = drawn(board(), width)
    assert any(all(site in line for site in SITES) for line in lines) is beside


WORDS = [
    # id             events                                                    the first line
    ("not begun", [], "starting 12 s"),
    ("thinking", [PhaseBegan("grok", Phase.THINKING, 88.0)], "thinking 12 s"),
    (
        "answering",
        [
            PhaseBegan("grok", Phase.ANSWERING, 97.0),
            TextCame("grok", "x" * 4812, False, False, 97.0),
        ],
        "answering · 4 812 characters · 3 s",
    ),
    ("sending", [PhaseBegan("grok", Phase.SEND, 99.6)], "sending 0 s"),
    ("answered", [Answered("grok", answer("grok"), 99.0)], "complete · 23 characters · 11.0 s"),
    (
        "stopped",
        [Answered("grok", answer("grok", completeness=Completeness.STOPPED), 99.0)],
        "stopped by user · 23 characters · 11.0 s",
    ),
    ("failed", [Failed("grok", LoginRequired("grok"), 99.0)], "failed"),
]


@pytest.mark.parametrize("events, words", [c[1:] for c in WORDS], ids=[c[0] for c in WORDS])
def test_the_first_line_says_the_phase_and_how_long(events, words):
    lines = drawn(board(*events, sites=("grok",)))
    assert lines[1].strip("│ ").replace("\xa0", " ") == words


def inside(made, **options):
    return [line.strip("│ ") for line in drawn(made, 60, 13, **options)[1:-2]]


def test_thinking_is_folded_to_its_newest_line_unless_wanted():
    events = [
        PhaseBegan("grok", Phase.THINKING, 90.0),
        TextCame("grok", "One thought.\nAnother one.\n", True, False, 90.0),
    ]
    made = board(*events, sites=("grok",))
    assert inside(made)[1:4] == ["Another one.", "", ""]
    assert inside(made, thinking=True)[1:4] == ["One thought.", "Another one.", ""]
    made.take(TextCame("grok", "Text.", False, False, 91.0))
    assert inside(made)[1:4] == ["Another one.", "Text.", ""]


def test_the_end_of_the_text_is_what_is_shown():
    text = "\n".join(f"line {n}" for n in range(100))
    made = board(TextCame("grok", text, False, False, 90.0), sites=("grok",))
    assert inside(made)[1:] == [f"line {n}" for n in range(92, 100)]


def test_why_it_waits_is_shown_until_text_comes():
    made = board(StillWaiting("grok", "it is thinking", 90.0), sites=("grok",))
    assert inside(made)[1] == "still waiting: it is thinking"
    made.take(TextCame("grok", "Text.", False, False, 91.0))
    assert inside(made)[1] == "Text."


def test_a_failed_column_says_why():
    made = board(Failed("grok", LoginRequired("grok"), 99.0), sites=("grok",))
    assert inside(made)[1] == "Grok requires a login"


def test_a_site_that_is_only_known_by_its_events_gets_a_column():
    """`tabwire fetch ID`."""
    made = board(sites=())
    assert drawn(made) == []
    made.take(PhaseBegan("grok", Phase.RECOVERING, 90.0))
    assert "looking for the answer 10 s" in "".join(drawn(made))


def test_what_a_chat_says_does_not_drive_the_terminal():
    made = board(
        TextCame("chatgpt", EVIL, False, False, 90.0),
        TextCame("gemini", EVIL, True, False, 90.0),
        StillWaiting("grok", EVIL, 90.0),
    )
    console = terminal(140, 30)
    console.print(Columns(made, console).drawn())
    for thinking in (True, False):
        evil = answer(text=EVIL, why=EVIL, url=EVIL, title=EVIL, model=EVIL, evidence=(EVIL,))
        ask_print.show(console, evil, EVIL, thinking=thinking, where=EVIL)
        ask_print.show(console, evil, EVIL, thinking=thinking, where="")
    ask_print.show_so_far(console, "grok", EVIL)
    assert not set("\x1b\x07\x9b\x08\r\x7f") & set(console.file.getvalue())


def test_what_terminals_disagree_about_is_shown_so_that_they_do_not():
    """An astronaut, a heart, a waving hand and a flag: two cells here, four or one there."""
    joined = "👩\u200d🚀 ❤\ufe0f 👋🏽 🇩🇪 \u202egnp.exe"
    made = board(TextCame("grok", joined, False, False, 90.0), sites=("grok",))
    assert inside(made)[1] == "👩🚀 ❤ 👋 DE gnp.exe"
    made = board(TextCame("grok", joined, True, False, 90.0), sites=("grok",))
    assert inside(made)[1] == "👩🚀 ❤ 👋 DE gnp.exe"


def test_a_text_that_stands_anew_forgets_what_was_before():
    made = board(
        TextCame("grok", "Wrong", False, False, 90.0),
        TextCame("grok", "Right", False, True, 90.0),
        sites=("grok",),
    )
    assert inside(made)[1] == "Right"
    assert str(made.columns["grok"].text) == "Right"


def test_a_long_text_is_kept_whole_and_its_end_at_hand():
    growing = Growing()
    for number in range(10_000):
        growing.take(f"{number:9} ", anew=False)
    assert growing.length == len(str(growing)) == 100_000
    assert growing.end == str(growing)[-TAIL:]


# -- afterwards -------------------------------------------------------------------------------


def shown(result, width=80, *, thinking=False, where=""):
    console = terminal(width, 30)
    ask_print.show(console, result, result.text, thinking=thinking, where=where)
    return [line.rstrip() for line in console.file.getvalue().splitlines()]


def test_an_answer_is_printed_in_full_with_its_evidence_times_and_link():
    lines = shown(answer(text="\n\n".join(f"Paragraph {n}." for n in range(100))), 100)
    assert lines[0].startswith("chatgpt · gpt-test · Tabs ──")
    assert lines[1] == "thinking: 10 characters; --thinking shows them"
    assert [line for line in lines if line.startswith("Paragraph")] == [
        f"Paragraph {n}." for n in range(100)
    ]
    assert lines[-4:] == [
        "complete: end of turn · evidence: end_turn, stored conversation",
        "sent after 100 ms · first token after 1.2 s · end detected after 2 ms · total 9.9 s",
        WHOLE.url,
        "",
    ]


def test_thinking_is_shown_where_it_is_wanted():
    assert shown(WHOLE, thinking=True)[1] == "  Hm. A tab."


def test_a_link_shows_where_it_leads():
    found = shown(answer(text="[my bank](https://example.org/evil)"))
    assert "my bank (https://example.org/evil)" in found


def test_what_was_written_to_a_file_is_not_shown_again():
    lines = shown(WHOLE, where="a.md")
    assert "23 characters written to a.md" in lines
    assert not any("holds a page" in line for line in lines)


def test_a_huge_answer_is_shown_as_text():
    """Markdown of this size would take minutes to lay out."""
    text = "**x** " * (ask_print.MAX_MARKDOWN // 6 + 1)
    assert "**x** **x**" in shown(answer(text=text))[2]
