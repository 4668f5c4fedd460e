"""`lab play` in words and as JSON."""

import json
from dataclasses import replace

import pytest
from rich.console import Console

from tabwire.fusion.verdict import Judgement, Verdict
from tabwire.lab.ledger import Deed, Entry
from tabwire.lab.play.played import Played
from tabwire.lab.play.show import MAX_FLOW, Lines, Wish, run, summary
from tabwire.lab.stories.known import STORIES
from tabwire.lab.stories.story import Outcome
from tabwire.monitor import sightings as told

TEXT = "Because."
ENTRIES = (
    Entry("grok", "c1", "Why?", 0.0),
    Entry("grok", "c1", "", 0.0, Deed.READ),
    Entry("grok", "c1", "", 0.0, Deed.READ),
)
GOOD = Played(
    STORIES["cut"],
    "grok",
    "Why?",
    Outcome.COMPLETE,
    Verdict(Judgement.COMPLETE, "end of turn", TEXT),
    (),
    ENTRIES,
    TEXT,
    why="",
    seconds=1.25,
)


def test_the_summary_says_what_came_and_what_the_ledger_holds():
    assert summary(GOOD) == (
        "cut at grok: complete, as promised; the lab's own text, 8 characters; "
        "in the ledger: 1 prompt, 2 reads; 1.2 s"
    )
    bad = replace(GOOD, why="partial instead of complete", entries=())
    assert summary(bad) == (
        "cut at grok: NOT as promised: partial instead of complete; in the ledger: nothing; 1.2 s"
    )
    part = replace(GOOD, verdict=Verdict(Judgement.PARTIAL, "cut", "Be"))
    assert "2 of the lab's 8 characters" in summary(part)
    none = replace(GOOD, verdict=None, sightings=(told.Grew(0.0, "a", "Bec"),))
    assert "3 of the lab's 8 characters" in summary(none)
    assert "no text" in summary(replace(none, sightings=()))
    silent = replace(none, outcome=Outcome.NOTHING)
    assert "cut at grok: no verdict, as promised" in summary(silent)


def lines(*sightings):
    console = Console(width=100, highlight=False)
    with console.capture() as captured:
        teller = Lines(console, STORIES["cut"], "grok")
        for one in sightings:
            teller.tell(one)
        teller.end(GOOD)
    return captured.get().splitlines()


def test_what_happens_is_told_in_lines_and_the_text_flows():
    said = lines(
        told.Watching(5.0, "grok", "https://grok.com/", "", "grok.com", logged_in=True),
        told.Asked(5.5, "a", None, "Why?\nlab: first=0"),
        told.Grew(5.6, "a", "thought", thinking=True),
        told.Grew(5.7, "a", "Be"),
        told.Grew(5.8, "a", "cause."),
        told.PageNotice(6.0, "limit", "one", "Too much"),
    )
    assert said == [
        f"cut at grok: {STORIES['cut'].about}",
        "   0.000 s  watching (grok.com)",
        "   0.500 s  asked: Why? lab: first=0",
        "thought",
        "Because.",
        "   1.000 s  the page shows a limit notice: Too much",
        summary(GOOD),
    ]


def test_an_answer_cannot_drive_the_terminal_nor_flood_it():
    said = "\n".join(lines(*(told.Grew(1.0, "a", "\x1b[31m" + "x" * 995) for _ in range(5))))
    assert "\x1b[31m" not in said
    assert said.count("x" * 995) == MAX_FLOW // 1000
    assert said.count("…") == 1


@pytest.mark.xdist_group("browser")
def test_a_real_play_as_json(chromium, capsys):
    """The whole command: its own lab, its own browser, one story, one line of result."""
    wish = Wish([(STORIES["instant"], "chatgpt")], as_json=True)
    assert run(wish, Console())
    said = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert {(one["story"], one["site"]) for one in said} == {("instant", "chatgpt")}
    assert [one["event"] for one in said].count("verdict") >= 1
    played = said[-1]
    assert (played["event"], played["outcome"], played["as_promised"]) == (
        "played",
        "complete",
        True,
    )
    assert (played["text_is_the_labs"], played["characters"]) == (True, 1)
    assert played["ledger"]["prompt"] == 1
