"""The columns keep up with the ask, and the page that is saved says the same."""

import io
import re

import pytest
from rich.console import Console

from tabwire.lab.demo.columns import Column, Show
from tabwire.lab.demo.keepsake import Keepsake, Tile
from tabwire.lab.demo.play import tell_end
from tabwire.lab.ledger import Entry
from tabwire.model.ask import (
    Amended,
    Answer,
    Answered,
    Completeness,
    ConversationKnown,
    Failed,
    Phase,
    PhaseBegan,
    PromptLeft,
    StillWaiting,
    TextCame,
    Timings,
)
from tabwire.model.ask_errors import SiteBusy

TIMINGS = Timings(connect=1.25, input=40.0, total=1234.5)


def answer(*evidence: str) -> Answer:
    return Answer(
        "a1",
        "x",
        "Hi?",
        "Hello",
        Completeness.COMPLETE,
        "end of turn",
        evidence=evidence,
        timings=TIMINGS,
    )


def events(site: str = "x"):
    yield PhaseBegan(site, Phase.SEND, 1.0)
    yield PromptLeft(site, "a1", None, 1.0)
    yield ConversationKnown(site, "a1", "c7", "https://x/c7", 1.5)
    yield TextCame(site, "Hm. ", True, False, 2.0)
    yield TextCame(site, "Hel", False, False, 2.0)
    yield TextCame(site, "lo", False, False, 2.1)
    yield StillWaiting(site, "nothing came", 2.2)
    yield Answered(site, answer("network_stream: x"), 3.0)
    yield Amended(site, answer("network_stream: x", "dom_hint: same text"), 3.1)


def test_a_column_keeps_up_with_its_site():
    column = Column("x")
    lines = [line for one in events() if (line := column.take(one, 0.5))]
    assert lines == [
        "sending",
        "the request left with the prompt in it",
        "conversation c7",
        "nothing came",
        "complete: end of turn; evidence: network_stream: x",
        "one more witness: dom_hint: same text",
    ]
    assert (column.text, column.thinking, column.seconds) == ("Hello", "Hm. ", 2.6)
    assert column.steps[0] == (0.5, "sending")
    assert column.answer == answer("network_stream: x", "dom_hint: same text")
    column.take(TextCame("x", "Bye", False, True, 4.0), 0.5)
    column.take(TextCame("x", "Oh", True, True, 4.0), 0.5)
    assert (column.text, column.thinking) == ("Bye", "Oh")


def on_a_terminal(height: int, told) -> str:
    console = Console(
        file=io.StringIO(), force_terminal=True, width=120, height=height, color_system=None
    )
    with Show(("left", "right"), console, 0.0) as show:
        for one in told:
            show.tell(one)
    return console.file.getvalue()


def test_on_a_terminal_the_columns_stand_side_by_side():
    error = SiteBusy("right", 3.0)
    drawn = on_a_terminal(40, [*events("left"), Failed("right", error, 4.0)])
    for words in ("left", "right", "Hello", "Hm.", "complete: end of turn", "dom_hint", "still"):
        assert words in drawn
    assert re.search(r"│ finished .*│ │ failed|│ sending .*│ │ failed", drawn)


def test_a_long_answer_stands_there_whole_at_the_end_even_on_a_small_terminal():
    text = "\n".join(f"line {number} 日本語でも" for number in range(60))
    drawn = on_a_terminal(12, [TextCame("left", text, False, False, 1.0), *events("right")])
    assert all(f"line {number} " in drawn for number in range(60))


def test_while_it_grows_a_column_shows_the_end_of_the_text_and_never_hides_the_verdict():
    """Signs that are two cells wide: counted as one, they would push the verdict out."""
    console = Console(file=io.StringIO(), width=120)
    column = Column("x", text="\n".join(f"{number} {'光' * 40}" for number in range(30)) + "END")
    column.take(Answered("x", answer("network_stream: x"), 3.0), 0.0)
    lines = [line.plain for line in column.drawn(console, 40, 12)]
    assert len(lines) == 10  # the border takes two
    assert "END" in lines[-3]
    assert lines[-2:] == ["complete: end of turn", "· network_stream: x"]


def test_without_a_terminal_each_change_is_a_line_and_answers_and_timings_come_last():
    console = Console(file=io.StringIO(), width=100)
    with Show(("x",), console, 0.0) as show:
        for one in events():
            show.tell(one)
    tell_end([Tile(show.columns["x"], b"")], console)
    shown = console.file.getvalue()
    assert "  1.000 s  x        sending\n" in shown
    assert re.search(r"^x ─+\nHello\n", shown, re.M)
    assert re.search(r"^connect +1.2\n", shown, re.M)
    assert re.search(r"^total +1,234\n", shown, re.M)
    assert re.search(r"^navigate *\n", shown, re.M), "no such part, no number"
    assert shown.endswith("x        complete: the lab's own text, asked once\n")


@pytest.mark.parametrize("differs, words", [((), "the lab's own text"), (("NOT it",), "NOT it")])
def test_the_last_words_say_whether_the_lab_agrees(differs, words):
    console = Console(file=io.StringIO(), width=100)
    tell_end([Tile(Column("x"), b"", differs)], console)
    assert f"x        no answer: {words}" in console.file.getvalue()


def test_what_an_answer_says_is_no_part_of_the_page():
    column = Column("x", text="<script>alert(1)</script>", thinking="<s>")
    column.take(PhaseBegan("x", Phase.SEND, 1.0), 0.0)
    column.take(Failed("x", SiteBusy("<em>", 3.0), 1.0), 0.0)
    entry = Entry("x", "<b>", "<i>", 0.0, number=7)
    page = Keepsake("<q>", [Tile(column, b"png", ("<a>",))], [entry], ["<u>"]).page()
    assert "<script" not in page
    assert "&lt;script&gt;alert(1)&lt;/script&gt;" in page
    assert not re.search(r"<(b|i|u|s|q|a|em)>", page)
    assert "class='bad'>no answer: &lt;a&gt;" in page


def test_the_page_shows_text_evidence_timings_and_ledger():
    column = Column("x")
    for one in events():
        column.take(one, 0.0)
    entry = Entry("x", "c7", "Hi?", 0.0, number=7)
    page = Keepsake("Hi?", [Tile(column, b"png")], [entry], []).page()
    for piece in (
        "<pre>Hello</pre>",
        "<li>dom_hint: same text</li>",
        "<td>total</td><td class='number'>1,234</td>",
        "<td>7</td><td>x</td><td>prompt</td><td>Hi?</td><td>c7</td>",
        "<li>1.00 s  sending</li>",
        "data:image/png;base64,cG5n",
        "class='good'>complete (end of turn): the same text as the lab sent",
    ):
        assert piece in page
    assert "None" not in page
