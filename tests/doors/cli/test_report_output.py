"""How a report is shown."""

import json

import pytest

from tabwire.doors.cli import report_output as show
from tabwire.hub import Report, ToldMessage
from tabwire.model.conversation import Role

ASKED = ToldMessage(Role.USER, "Why?")
ANSWERED = ToldMessage(Role.ASSISTANT, "So.", "Hm.")

WHOLE = Report(
    file="a.sse",
    site="grok",
    kind="ndjson",
    conversation_id="c-1",
    title="T",
    model="m",
    complete=True,
    terminal=True,
    reason="terminal",
    evidence=("end", "stored"),
    messages=(ASKED, ANSWERED),
    damaged=False,
)


def test_a_line_holds_the_report_and_nothing_of_the_inside():
    line = show.as_line(WHOLE)
    assert line.endswith(b"}\n")
    assert line.count(b"\n") == 1
    assert json.loads(line) == {
        "file": "a.sse",
        "site": "grok",
        "kind": "ndjson",
        "conversation_id": "c-1",
        "title": "T",
        "model": "m",
        "complete": True,
        "terminal": True,
        "evidence": ["end", "stored"],
        "messages": [
            {"role": "user", "text": "Why?", "thinking": None},
            {"role": "assistant", "text": "So.", "thinking": "Hm."},
        ],
        "problems": [],
    }


def test_an_empty_report_says_null_for_what_is_unknown():
    told = json.loads(show.as_line(Report(file="x", site=None, kind=None, problems=("p", "q"))))
    unknown = ("site", "kind", "conversation_id", "title", "model")
    assert {key for key, value in told.items() if value is None} == set(unknown)
    assert told["problems"] == ["p", "q"]


VERDICTS = [
    # id             complete terminal reason            evidence    the line
    ("complete", True, True, "terminal", ("end_turn",), "complete: end_turn"),
    ("two proofs", True, True, "terminal", ("a", "b"), "complete: a, b"),
    ("stopped", False, True, "stopped", (), "ended, not complete: stopped"),
    ("running", False, False, "in-progress", ("x",), "not complete: in-progress"),
]


@pytest.mark.parametrize(
    "complete, terminal, reason, evidence, line",
    [c[1:] for c in VERDICTS],
    ids=[c[0] for c in VERDICTS],
)
def test_the_verdict_is_one_line(capsys, complete, terminal, reason, evidence, line):
    show.as_text(
        Report(
            file="x",
            site="grok",
            kind="sse",
            conversation_id="c",
            complete=complete,
            terminal=terminal,
            reason=reason,
            evidence=evidence,
        )
    )
    assert capsys.readouterr().out.splitlines()[2].rstrip() == line


def test_what_is_unknown_is_left_out_of_the_facts(capsys):
    show.as_text(Report(file="x", site="grok", kind="ndjson", conversation_id="c", reason="r"))
    lines = [line.rstrip() for line in capsys.readouterr().out.splitlines()]
    assert lines[:3] == ["(no title)", "grok · c · ndjson", "not complete: r"]


def test_messages_come_in_order_with_thinking_before_its_answer(capsys):
    show.as_text(WHOLE)
    lines = [line.rstrip() for line in capsys.readouterr().out.splitlines()]
    assert [line for line in lines[3:] if line] == [
        *("You", "  Why?"),
        *("Assistant", "  Hm.", "  So."),
    ]


def test_a_question_is_shown_as_it_was_typed(capsys):
    """What a person typed is no Markdown: its stars and lines stay."""
    asked = ToldMessage(Role.USER, "# not a heading\n* 2 * 3\nend")
    show.as_text(Report("x", "grok", "sse", "c", reason="r", messages=(asked,)))
    out = capsys.readouterr().out
    assert [line.strip() for line in out.splitlines()][5:8] == [
        *("# not a heading", "* 2 * 3", "end")
    ]


@pytest.mark.parametrize("extra", [0, 1])
def test_long_thinking_is_cut_for_a_person_and_whole_for_a_program(capsys, extra):
    thinking = "x" * (show.MAX_THINKING + extra)
    told = Report(
        "x", "grok", "sse", "c", reason="r", messages=(ToldMessage(Role.ASSISTANT, "A", thinking),)
    )
    show.as_text(told)
    out = "".join(capsys.readouterr().out.split())
    assert out.count("x") == show.MAX_THINKING
    assert ("--jsonhasall" in out) is bool(extra)
    assert json.loads(show.as_line(told))["messages"][0]["thinking"] == thinking


def test_a_report_without_a_conversation_goes_to_stderr_with_its_file(capsys):
    show.as_text(Report(file="a.sse", site=None, kind=None, problems=("one", "two")))
    out, err = capsys.readouterr()
    assert (out, err) == ("", "a.sse: one\na.sse: two\n")


def test_problems_of_a_conversation_stand_below_it(capsys):
    show.as_text(Report("x", "grok", "sse", "c", reason="r", problems=("cut off: 5 bytes",)))
    out, err = capsys.readouterr()
    assert out.rstrip().endswith("! cut off: 5 bytes")
    assert err == ""
