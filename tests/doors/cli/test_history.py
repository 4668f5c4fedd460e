"""`tabwire history` on a real store: found by its words, shown in full, as lines of the seed."""

import asyncio
import json
import time
from dataclasses import replace
from functools import partial

import pytest

from doors.cli.ask.scripted import CONVERSATION, URL, WHOLE
from doors.cli.calling import called
from tabwire.hub.jobs.books import opened_books
from tabwire.hub.jobs.history_lines import history_line
from tabwire.model.ask import AskRequest, Completeness, Step, Timings
from tabwire.model.failure import Failure
from tabwire.model.job import Asker, Door
from tabwire.store.rows import Attempt, Owner

ASKED_AT = 1_800_000_000.25


@pytest.fixture
def tabwire(monkeypatch, tmp_path, capfdbinary):
    """Run `tabwire history …`: (exit code, stdout, stderr with its frames taken off)."""
    monkeypatch.setenv("TABWIRE_HOME", str(tmp_path / "home"))

    return partial(called, monkeypatch, capfdbinary, "history")


@pytest.fixture
def past(tabwire):
    """Three questions: one answered, one sent, one failed; their ids, oldest first."""

    async def make():
        async with opened_books() as books:
            ids = []
            for site, prompt in [
                ("chatgpt", "What is a Tab?"),
                ("grok", "Two\x1b[2J?\nOr?"),
                ("grok", "Three?"),
            ]:
                row, _ = await books.store.begin(
                    AskRequest(site, prompt), books.owner, ASKED_AT + len(ids)
                )
                ids.append(row.id)
            await books.store.keep(ids[0], replace(WHOLE, id=ids[0]), time.time())
            await books.store.note(ids[1], Step.SENT, time.time(), conversation_id="c1")
            await books.store.note(
                ids[2], Step.FAILED, time.time(), failure=Failure("timeout", "too \x1b[2Jlong")
            )
            return ids

    return asyncio.run(make())


def lines(out):
    return [json.loads(line) for line in out.splitlines()]


LISTS = [
    # id, arguments, which of the three, in order
    ("all", [], [2, 1, 0]),
    ("list", ["list"], [2, 1, 0]),
    ("newest", ["list", "--limit", "1"], [2]),
    ("more than the limit", ["--limit", "1", "--all"], [2, 1, 0]),
    ("a site", ["--site", "grok"], [2, 1]),
    ("a word of a question", ["search", "two"], [1]),
    ("a word of an answer", ["search", "PAGE"], [0]),
    ("a word of each", ["search", "what", "page"], [0]),
    ("words in one", ["search", "what page"], [0]),
    ("a word that is not there", ["search", "page", "three"], []),
    ("part of a word", ["search", "hree"], [2]),
    ("at a site", ["search", "?", "--site", "chatgpt"], [0]),
    ("the newest of them", ["search", "?", "--limit", "2"], [2, 1]),
]


@pytest.mark.parametrize("arguments, which", [c[1:] for c in LISTS], ids=[c[0] for c in LISTS])
def test_what_is_listed_and_what_is_found(tabwire, past, arguments, which):
    code, out, err = tabwire(*arguments, "--json")
    assert (code, err) == (0, "")
    assert [one["id"] for one in lines(out)] == [past[number] for number in which]


def test_nothing_found_says_so(tabwire, past):
    said = "no question or answer contains these words"
    assert tabwire("search", "nowhere") == (0, "", said)


SHOWN = (
    "What is a Tab?",
    "A tab holds a page.",
    "Hm. A tab.",
    "gpt-test",
    "complete: end of turn",
    "evidence: end_turn, stored conversation",
    "total 9.9 s",
    URL,
)


def test_one_question_is_shown_in_full(tabwire, past):
    code, out, err = tabwire("show", past[0])
    assert (code, err) == (0, "")
    for words in SHOWN:
        assert words in out


UNANSWERED = [
    (1, "sent, no answer yet", "look for its answer"),
    (1, "[2J?", "  Or?\n"),
    (2, "failed: timeout", "[2Jlong"),
]


@pytest.mark.parametrize("number, worth, more", UNANSWERED)
def test_one_without_an_answer_says_what_came_of_it(tabwire, past, number, worth, more):
    code, out, _ = tabwire("show", past[number])
    assert code == 0
    assert worth in out
    assert more in out
    assert "\x1b" not in out


def test_one_question_as_json_has_everything(tabwire, past):
    (told,) = lines(tabwire("show", past[0], "--json")[1])
    assert (told["id"], told["step"], told["door"]) == (past[0], "done", "cli")
    assert (told["answer"]["text"], told["answer"]["model"]) == (WHOLE.text, "gpt-test")
    assert told["answer"]["evidence"] == list(WHOLE.evidence)
    assert told["answer"]["timings"]["total"] == 9876.0
    (told,) = lines(tabwire("show", past[2], "--json")[1])
    assert (told["answer"], told["error_code"]) == (None, "timeout")


def test_an_id_that_is_not_there_is_told(tabwire, past):
    code, out, err = tabwire("show", "a0")
    assert (code, out) == (1, "")
    assert "no question has the ID a0" in err
    assert "tabwire history search" in err


# The line of seed 001, section 8.4: its keys, in its order.
KEYS = ["ts", "project", "provider", "question", "answer", "url", "timings"]
TIMES = ["connectMs", "waitInputMs", "inputMs", "sendMs", "waitResponseMs", "totalMs"]


def test_lines_of_the_seed_have_its_keys_in_its_order(tabwire, past):
    code, out, err = tabwire("--format", "history.jsonl")
    assert (code, err) == (0, "2 without an answer skipped")
    (line,) = lines(out)
    assert list(line) == KEYS
    assert list(line["timings"]) == TIMES
    assert line == {
        "ts": "2027-01-15T08:00:00.250Z",
        "project": "",
        "provider": "chatgpt",
        "question": "What is a Tab?",
        "answer": "A **tab** holds a page.",
        "url": URL,
        "timings": {
            "connectMs": 30,
            "waitInputMs": 5,
            "inputMs": 15,
            "sendMs": 50,
            "waitResponseMs": 0,
            "totalMs": 9876,
        },
    }
    assert tabwire("show", past[0], "--format", "history.jsonl")[1] == out
    assert tabwire("search", "tab", "--format", "history.jsonl")[1] == out


def attempt(project="", **answer):
    return Attempt(
        id="a1", request=AskRequest("grok", "Why?"), step=Step.DONE, owner=Owner(1, 1.0),
        created_at=ASKED_AT, updated_at=ASKED_AT, conversation_id=CONVERSATION, url="https://grok.com/c/1",
        draft=None, failure=None, answer=replace(WHOLE, **answer),
        asker=Asker("a", Door.MCP, project=project),
    )  # fmt: skip


PROJECTS = [("/src/my project", "my project"), ("C:\\code\\it", "it"), ("", ""), ("/", "")]


@pytest.mark.parametrize("folder, name", PROJECTS)
def test_a_project_is_the_name_of_the_clients_folder(folder, name):
    assert history_line(attempt(folder))["project"] == name


def test_what_is_not_known_stands_as_an_empty_text():
    assert history_line(attempt())["url"] == WHOLE.url
    assert history_line(attempt(url=None))["url"] == "https://grok.com/c/1"
    assert history_line(replace(attempt(url=None), url=None))["url"] == ""
    assert set(history_line(attempt(timings=Timings()))["timings"].values()) == {0}


def test_lines_of_the_seed_come_oldest_first_as_its_file_grows(tabwire, past):
    async def answer():
        async with opened_books() as books:
            half = replace(WHOLE, id=past[1], text="h\ud800lf", completeness=Completeness.PARTIAL)
            await books.store.keep(past[1], half, time.time())

    asyncio.run(answer())
    told = lines(tabwire("--format", "history.jsonl")[1])
    assert [line["question"] for line in told] == ["What is a Tab?", "Two\x1b[2J?\nOr?"]
    assert told[1]["answer"] == "h\ud800lf"


WRONG = [
    (["find", "x"], "'find': expected list, search or show"),
    (["--format", "csv"], "expected history.jsonl"),
    (["search"], "search needs words to search for"),
    (["show"], "show needs the ID of one question"),
    (["show", "a", "b"], "show needs the ID of one question"),
    (["list", "x"], "unexpected argument"),
    (["--json", "--format", "history.jsonl"], "use either --json or --format"),
    (["--site", "grok,gemini"], "expected one site"),
]


@pytest.mark.parametrize("arguments, said", WRONG)
def test_what_cannot_be_meant_is_told(tabwire, arguments, said):
    code, out, err = tabwire(*arguments)
    assert code == 2
    assert said in (err if "--json" not in arguments else json.loads(out)["error"]["what"])
