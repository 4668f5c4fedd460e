"""docs/ask.md says what the code does: options, events, fields, codes, waits."""

from dataclasses import fields
from typing import get_args

import pytest

from conftest import ROOT
from doors.cli.ask.scripted import WHOLE
from tabwire.asking import anomaly
from tabwire.asking.timeouts import Wait
from tabwire.doors.cli.app import COMMANDS
from tabwire.doors.cli.ask.interrupt import AGAIN_SECONDS, CODE
from tabwire.doors.cli.ask.json_output import END, answer_data, error_data
from tabwire.doors.cli.ask.text_output import WORST
from tabwire.doors.cli.history import as_data
from tabwire.doors.cli.lazy import lazy_commands
from tabwire.hub.jobs.prompt import MAX_PROMPT_CHARS
from tabwire.model.ask import EVENT_NAMES, AskEvent, AskRequest, Completeness, Phase, Timings
from tabwire.model.ask_errors import AskError
from tabwire.model.exits import COMPLETE, INTERRUPTED
from tabwire.sites.known import SITES

PAGE = (ROOT / "docs" / "ask.md").read_text(encoding="utf-8")
OPTIONS = {
    command.name: [
        option
        for parameter in command.load().params
        if parameter.param_type_name == "option" and parameter.name != "help"
        for option in parameter.opts
    ]
    for command in lazy_commands(COMMANDS)
    if command.name in ("ask", "fetch", "login", "history")
}


def tables(heading):
    """The rows of each table under a heading, each without its first two lines."""
    _, _, below = PAGE.partition(f"\n## {heading}\n")
    assert below, f"no section {heading}"
    found, rows = [], []
    for line in [*below.split("\n## ")[0].splitlines(), ""]:
        if line.startswith("|"):
            rows.append([cell.strip() for cell in line.strip("|").split("|")])
        elif rows:
            found.append(rows[2:])
            rows = []
    return found


def first(rows):
    return [row[0].strip("`") for row in rows]


def section(heading):
    return PAGE.partition(f"\n## {heading}\n")[2].split("\n## ")[0]


def test_every_option_of_ask_is_there_in_the_order_of_its_help():
    (rows,) = tables("Options of ask")
    assert first(rows) == OPTIONS["ask"]


@pytest.mark.parametrize("name", ["fetch", "login", "history"])
def test_every_option_of_its_neighbours_is_there(name):
    told = section("Fetching, logging in, looking back")
    assert f"`tabwire {name}`" in told
    assert [one for one in OPTIONS[name] if f"`{one}`" not in told] == []


def test_every_event_is_there():
    (rows,) = tables("Events")
    assert first(rows) == [*EVENT_NAMES.values(), END]
    for kind, row in zip(get_args(AskEvent), rows, strict=False):
        names = {one.name for one in fields(kind)} - {"site", "at", "answer"}
        assert [one for one in names if f"`{one}`" not in row[2]] == [], kind


def test_every_phase_is_there():
    (rows,) = tables("Phases")
    assert first(rows) == [str(phase) for phase in Phase]


def test_every_field_of_an_answer_and_of_an_error_is_there():
    answer, error = tables("JSON")
    assert first(answer) == list(answer_data(WHOLE, str))
    told = error_data("grok", AskError("grok", "x", what_to_do="y"), str)
    assert list(told) == ["site", "lab", "error"]
    assert first(error) == list(told["error"])
    (worth,) = (row[1] for row in answer if row[0] == "`completeness`")
    assert [one for one in Completeness if f"`{one}`" not in worth] == []


def test_every_timing_is_there():
    (rows,) = tables("Timings")
    assert first(rows) == [one.name for one in fields(Timings)]


def test_every_exit_code_is_there():
    (rows,) = tables("Exit codes")
    assert sorted(map(int, first(rows))) == sorted(WORST)
    order = [str(code) for code in WORST if code not in (INTERRUPTED, COMPLETE)]
    assert f"the first of {', '.join(order)} that one of them has" in section("Exit codes")


def test_every_error_is_there_with_its_exit_code():
    (rows,) = tables("Errors")
    errors = [AskError, *AskError.__subclasses__()]
    told = {row[2].strip("`"): (row[0].strip("`"), int(row[1])) for row in rows}
    assert told.pop("") == (CODE, INTERRUPTED)
    assert told == {one.__name__: (one.code, one.exit_code) for one in errors}


def test_every_wait_is_there_with_its_seconds_at_each_site():
    (rows,) = tables("Waits")
    assert rows == [
        [f"`{wait}`", row[1], *(f"{wait.seconds(site.page.timings):g}" for site in SITES.values())]
        for wait, row in zip(Wait, rows, strict=True)
    ]


def test_every_debug_field_is_there():
    (rows,) = tables("Debug fields")
    assert first(rows) == list(anomaly._FIELDS)


def test_every_field_of_the_history_is_there():
    class Row:
        id = step = conversation_id = url = failure = created_at = answer = None
        request = AskRequest("grok", "?")

    told = section("Fetching, logging in, looking back")
    assert [one for one in as_data(Row()) if f"`{one}`" not in told] == []


def test_numbers_in_words_are_those_of_the_code():
    assert f"within {AGAIN_SECONDS:.0f} seconds" in PAGE
    assert f"at most {MAX_PROMPT_CHARS:,} characters" in PAGE
