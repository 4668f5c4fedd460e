"""A command that fails says it in our words, and with `--json` as an object on stdout."""

import json

import pytest

from tabwire.doors.cli.usage_errors import wants_json
from tests.doors.cli.calling import called

REFUSED = {
    "a site nobody knows": (["ask", "hi", "--to", "nope"], "'nope': expected one of chatgpt"),
    "a time that is none": (["ask", "hi", "--to", "grok", "--timeout", "x"], "expected a duration"),
    "a file that is not there": (["ask", "--to", "grok", "--prompt-file", "/no/x"], "/no/x"),
    "an option nobody has": (["doctor", "--sites"], "No such option: --sites"),
    "a command nobody has": (["no-such-command"], "No such command"),
    "an argument left away": (["dom", "chatgpt"], "Missing argument"),
    "one argument too many": (["tabs", "all"], "unexpected extra argument"),
    "no browser, for a question": (
        ["ask", "hi", "--to", "grok", "--browser", "nope"],
        "Invalid value for '--browser': unknown browser 'nope'. Choose auto",
    ),
    "no browser, to fetch": (["fetch", "last", "--browser", "lab=1"], "lab takes no value"),
    "no browser, to look": (["tabs", "--browser", "nope"], "unknown browser 'nope'"),
    "no browser, to snapshot": (["snapshot", "grok", "--browser", "9222"], "Write attach=9222"),
    "no browser, to find": (["dom", "grok", "a", "--browser", ""], "unknown browser"),
    "no browser, to watch": (["watch", "grok", "--browser", "attach="], "needs an address"),
    "no browser, to check": (["doctor", "--browser", "nope"], "unknown browser 'nope'"),
    "a number too small": (["history", "--limit", "0"], "'0': expected 1 or more"),
    "a number too large": (["dom", "grok", "a", "--limit", "1001"], "expected 1000 or less"),
    "no whole number": (["conversations", "--limit", "1.5"], "'1.5': expected a whole number"),
    "no number": (["watch", "grok", "--for", "long"], "'long': expected a duration"),
    "none of the kinds": (["parse", "x", "--kind", "y"], "--kind': 'y' is not one of 'sse'"),
    "a file for a folder": (["snapshot", "grok", "--out", __file__], "is a file"),
    "no way to list": (["history", "lists"], "'lists': expected list, search or show"),
    "a story nobody wrote": (["lab", "play", "nope"], "there is no story 'nope'"),
}
FAILED = {
    "no such tab": (["watch", "nope"], 2, "no_such_tab"),
    "no file of sessions": (["sessions", "import", "/no/x"], 2, "unreadable"),
    "no such agent to show": (["sessions", "show", "nope"], 1, "tabwire_error"),
    "no such agent to forget": (["sessions", "clear", "nope"], 1, "tabwire_error"),
    "no such question": (["history", "show", "nope"], 1, "tabwire_error"),
    "nothing asked yet": (["history", "show", "last"], 1, "tabwire_error"),
    "no such rule": (["guard", "forget", "nope"], 1, "tabwire_error"),
    "nothing to fetch": (["fetch", "last"], 2, "bad_request"),
    "nobody at an address": (["tabs", "--browser", "attach=1"], 1, "browser_not_reachable"),
}
LIBRARY = ("Input should", "Value error", "Traceback", "[type=", "pydantic")


@pytest.fixture
def tabwire(monkeypatch, capfdbinary, tmp_path):
    """Run a command that must not reach a browser: (exit code, stdout, stderr)."""
    monkeypatch.setenv("TABWIRE_HOME", str(tmp_path / "home"))
    monkeypatch.setenv("TABWIRE_HUB", "off")
    monkeypatch.chdir(tmp_path)

    def unreachable(*_args, **_settings):
        raise AssertionError("it connects before it refuses")

    monkeypatch.setattr("tabwire.hub.browsers.access.own_browser", unreachable)
    return lambda *said: called(monkeypatch, capfdbinary, *said)


@pytest.mark.parametrize("said, words", REFUSED.values(), ids=list(REFUSED))
def test_what_cannot_be_meant_is_refused_in_our_words_and_as_json(tabwire, said, words, tmp_path):
    """Promise: say."""
    code, out, err = tabwire(*said)
    assert (code, out) == (2, "")
    assert words in err
    assert not [one for one in LIBRARY if one in err]
    assert "connecting" not in err
    code, out, err = tabwire(*said, "--json")
    told = json.loads(out)
    assert code == told["exit_code"] == 2
    assert told["error"]["code"] == "bad_request"
    assert told["error"]["what_to_do"]
    assert " ".join(told["error"]["what"].split()) in err
    assert not (tmp_path / "home" / "tabwire.db").exists(), "nothing was begun"


@pytest.mark.parametrize("said, code, name", FAILED.values(), ids=list(FAILED))
def test_a_failure_is_an_object_on_stdout_with_json_and_only_words_without(
    tabwire, said, code, name
):
    left, out, err = tabwire(*said)
    assert (left, out) == (code, "")
    assert err
    left, out, _ = tabwire(*said, "--json")
    told = json.loads(out)
    error = told["error"] if "error" in told else told["answers"][0]["error"]
    assert (left, told["exit_code"], error["code"]) == (code, code, name)
    assert error["what"]
    assert error["what_to_do"]


@pytest.mark.parametrize("command", ["history", "conversations"])
def test_more_than_a_database_can_count_is_all_of_it(tabwire, command):
    assert tabwire(command, "--limit", "9" * 30, "--json") == (0, "", "")


def test_json_behind_the_end_of_options_is_no_option():
    assert wants_json(["ask", "hi", "--json"])
    assert not wants_json(["guard", "check", "--", "ls", "--json"])


@pytest.mark.parametrize("command", ["status", "logs", "history", "config"])
def test_a_variable_that_is_no_setting_is_said_even_while_nothing_runs(
    monkeypatch, tabwire, command
):
    monkeypatch.setenv("TABWIRE_BROWSRE", "lab")
    code, out, err = tabwire(command)
    assert (code, out) == (2, "")
    assert "Did you mean TABWIRE_BROWSER?" in err
