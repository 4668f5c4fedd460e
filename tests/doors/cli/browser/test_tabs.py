"""`tabwire tabs`: what a browser has open, for a person and for a program."""

import json

import pytest

from tabwire.hub.browsers.watch import TabRow
from tabwire.hub.local.browsers import LocalBrowsers
from tests.doors.cli.calling import called

ROWS = (
    TabRow("A1", "chatgpt", "A \x1b[31mtitle", "https://chatgpt.com/c/1", "1", False),
    TabRow("B2", None, "Elsewhere", "https://example.com/", None, False),
)


@pytest.fixture
def tabs(monkeypatch, capfdbinary):
    def run(rows, *options):
        async def listed(_browsers, _browser=None, **_how):
            return rows

        monkeypatch.setattr(LocalBrowsers, "tabs", listed)
        return called(monkeypatch, capfdbinary, "tabs", "--browser", "lab", *options)

    return run


def test_a_program_gets_one_object_per_tab(tabs):
    code, out, err = tabs(ROWS, "--json")
    assert code == 0
    assert err == ""
    assert [json.loads(line)["id"] for line in out.splitlines()] == ["A1", "B2"]


def test_a_person_gets_the_id_and_no_control_characters_of_a_title(tabs):
    code, out, _err = tabs(ROWS)
    assert code == 0
    assert "A1" in out
    assert "https://chatgpt.com/c/1" in out
    assert "\x1b[31m" not in out


def test_no_tab_at_all_is_said_and_is_no_failure(tabs):
    code, out, err = tabs(())
    assert (code, out) == (0, "")
    assert "no chat tabs open" in err
