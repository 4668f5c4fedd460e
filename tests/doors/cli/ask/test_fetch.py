"""`tabwire fetch`, `tabwire login` and `tabwire history` as they are called."""

import json
from dataclasses import dataclass

import pytest

from doors.cli.ask.scripted import CONVERSATION, URL, WHOLE, ScriptedHub, answer
from tabwire.model.ask import Answer, AskRequest, Completeness, Phase, PhaseBegan, Step
from tabwire.model.ask_errors import ConversationGone, LoginRequired
from tabwire.model.failure import Failure

# -- fetch ------------------------------------------------------------------------------------


SAID = [
    # arguments                                what the hub is told
    (["last"], "last", None),
    (["last", "--to", "chatgpt"], "last", "chatgpt"),
    ([CONVERSATION], CONVERSATION, None),
    ([URL], URL, "chatgpt"),
    ([URL, "--to", "ChatGPT"], URL, "chatgpt"),
]


@pytest.mark.parametrize("arguments, said, site", SAID)
def test_what_is_said_reaches_the_hub(asked, arguments, said, site):
    hub = ScriptedHub(WHOLE)
    code, out, err = asked(hub, "fetch", *arguments, "--browser", "lab")
    assert (code, out) == (0, b"A **tab** holds a page.\n"), err
    assert hub.given == {"said": said, "site": site, "browser": "lab"}
    assert "chatgpt: complete" in err


WRONG = [
    (["last", "--to", "claude"], "expected one of chatgpt, gemini, grok"),
    (["last", "--to", "grok,gemini"], "expected one site"),
    ([URL, "--to", "grok"], "belongs to ChatGPT"),
    (["https://chatgpt.com/"], "not the address of a conversation"),
    (["https://example.org/c/1"], "not the address of a supported site"),
    (["last", "--stream"], "requires --json"),
]


@pytest.mark.parametrize("arguments, said", WRONG)
def test_what_cannot_be_meant_is_told(asked, arguments, said):
    hub = ScriptedHub(WHOLE)
    code, out, err = asked(hub, "fetch", *arguments)
    assert (code, out, hub.given) == (2, b"", {})
    assert said in " ".join(err.replace("│", " ").split())


def test_an_answer_is_fetched_as_json_with_the_prompt_it_had(asked):
    out = asked(ScriptedHub(WHOLE), "fetch", "last", "--json")[1]
    told = json.loads(out)
    assert told["prompt"] == "What is a tab?"
    assert told["answers"][0]["text"] == "A **tab** holds a page."


def test_it_may_be_partial_still(asked):
    half = answer("gemini", "Half", Completeness.PARTIAL)
    assert asked(ScriptedHub(half), "fetch", "last")[:2] == (3, b"Half\n")


def test_an_answer_is_written_to_a_file(asked, tmp_path):
    code, out, _ = asked(ScriptedHub(WHOLE), "fetch", "last", "--out", "a.md", "--plain")
    assert (code, out) == (0, b"")
    assert (tmp_path / "a.md").read_bytes() == b"A tab holds a page.\n"


@pytest.mark.parametrize(
    "error, code", [(ConversationGone("grok", "c1", "404"), 1), (LoginRequired("grok"), 4)]
)
def test_what_cannot_be_fetched_says_why(asked, error, code):
    got, out, err = asked(ScriptedHub(cannot_begin=error), "fetch", "c1")
    assert (got, out) == (code, b"")
    assert str(error) in err
    assert error.what_to_do in err
    got, out, _ = asked(ScriptedHub(cannot_begin=error), "fetch", "c1", "--json")
    (told,) = json.loads(out)["answers"]
    assert (got, told["site"], told["error"]["code"]) == (code, "grok", error.code)


def test_ctrl_c_leaves_everything_as_it_was(asked):
    hub = ScriptedHub(stories={"grok": [PhaseBegan("grok", Phase.RECOVERING, 0.0), 1]})
    code, out, err = asked(hub, "fetch", "last")
    assert (code, out) == (130, b"")
    assert "nothing was sent" in err
    assert "Fetch it again: `tabwire fetch last`." in err


def test_ctrl_c_before_a_site_is_known_says_the_same(asked):
    code, out, _ = asked(ScriptedHub(stories={"grok": [1]}), "fetch", "last", "--json")
    assert (code, json.loads(out)["answers"][0]["error"]["code"]) == (130, "interrupted")


# -- login ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "logged_in, code, said", [(True, 0, "logged in to Grok"), (False, 4, "closed")]
)
def test_login_ends_with_what_came_of_it(asked, logged_in, code, said):
    hub = ScriptedHub(logged_in, stories={"grok": []})
    got, out, err = asked(hub, "login", "Grok")
    assert (got, out, hub.given) == (code, b"", {"site": "grok"})
    assert "tabwire: log in in the window" in err
    assert said in err


def test_login_at_an_unknown_site_is_told(asked):
    code, _, err = asked(ScriptedHub(True, stories={"x": []}), "login", "claude")
    assert code == 2
    assert "expected one of chatgpt, gemini, grok" in err


# -- history ----------------------------------------------------------------------------------


@dataclass
class Row:
    id: str
    request: AskRequest
    step: Step = Step.DONE
    created_at: float = 1_800_000_000.0
    conversation_id: str | None = None
    url: str | None = None
    answer: Answer | None = None
    failure: Failure | None = None


PAST = (
    Row("a3", AskRequest("chatgpt", "What\nis a \x1b[2Jtab? " + "x" * 500), answer=WHOLE, url=URL,
        conversation_id=CONVERSATION),
    Row("a2", AskRequest("grok", "Two?"), Step.FAILED, failure=Failure("timeout", "too long")),
    Row("a1", AskRequest("grok", "One?"), Step.SENT, conversation_id="c1"),
)  # fmt: skip


def test_history_is_a_few_lines_for_each_question(asked):
    code, out, err = asked(ScriptedHub(past=PAST), "history")
    assert (code, err) == (0, "")
    lines = out.decode().splitlines()
    assert [line[18:].strip() for line in lines if line.startswith("20")] == [
        "chatgpt a3  complete, 23 characters",
        "grok    a2  failed: timeout",
        "grok    a1  sent, no answer yet",
    ]
    assert lines[1].startswith("  What is a \N{REPLACEMENT CHARACTER}[2Jtab? xxx")
    assert len(lines[1]) <= 110
    assert lines[2].strip() == URL


def test_history_as_json_has_the_whole_prompt_and_no_answer(asked):
    out = asked(ScriptedHub(past=PAST), "history", "--json")[1]
    rows = [json.loads(line) for line in out.splitlines()]
    assert rows[0] == {
        "id": "a3",
        "lab": False,
        "browser": None,
        "site": "chatgpt",
        "prompt": PAST[0].request.prompt,
        "asked_at": 1_800_000_000.0,
        "step": "done",
        "conversation_id": CONVERSATION,
        "url": URL,
        "completeness": "complete",
        "characters": 23,
        "error_code": None,
        "error": None,
    }
    assert (rows[1]["error_code"], rows[1]["completeness"]) == ("timeout", None)


def test_history_of_one_site_and_so_many(asked):
    hub = ScriptedHub(past=PAST)
    out = asked(hub, "history", "--site", "grok", "--limit", "1", "--json")[1]
    assert [json.loads(line)["id"] for line in out.splitlines()] == ["a2"]
    assert hub.given == {"limit": 1, "site": "grok"}


def test_an_empty_history_says_so(asked):
    assert asked(ScriptedHub(stories={"x": []}), "history") == (0, b"", "no questions yet\n")
