"""`tabwire conversations` and `tabwire export`, as a person runs them. No browser."""

import asyncio
import json
from random import Random
from typing import NamedTuple

import pytest

from capture.spoken import spoken
from doors.cli.calling import called
from tabwire.capture.rebuild import write_heard
from tabwire.capture.titles import better
from tabwire.capture.under_way import UNDER_WAY
from tabwire.hub.jobs.books import opened_books
from tabwire.model.ask import Answer, AskRequest, Completeness, Step
from tabwire.model.captured import (
    Body,
    BodyKind,
    Captured,
    CaptureSource,
    Origin,
    Title,
    TitleFrom,
    Wholeness,
)
from tabwire.model.conversation import Conversation, Role, Standing, Turn
from tabwire.store.rows import Owner


@pytest.fixture(autouse=True)
def home(tmp_path, monkeypatch):
    monkeypatch.setenv("TABWIRE_HOME", str(tmp_path / "home"))
    monkeypatch.chdir(tmp_path)
    return tmp_path


class Done(NamedTuple):
    """How a command ended."""

    exit_code: int
    stdout: str
    stderr: str


@pytest.fixture
def run(monkeypatch, capfdbinary):
    """Run a command, as a person does."""
    return lambda *said: Done(*called(monkeypatch, capfdbinary, *said))


def keep(kind="chatgpt", **more):
    """Put one into the store; how it is named."""
    site, conversation_id, bodies = spoken(kind, Random(1))
    values = {
        "digest": "d",
        "ready": True,
        "source": CaptureSource.CANONICAL,
        "completeness": Wholeness.COMPLETE,
        "origin": Origin.EXTENSION,
        "captured_at": 1.79e9,
        "updated_at": 1.79e9,
        "title": Title("Blue \x1b[31m skies", TitleFrom.SITE),
        "turns": 4,
        "bodies": tuple(Body(BodyKind.STORED, url, raw) for url, raw in bodies),
    }
    captured = Captured(site, more.pop("conversation_id", conversation_id), **{**values, **more})

    async def put():
        async with opened_books() as books:
            await books.store.conversations.keep(captured, better)

    asyncio.run(put())
    return captured


def test_nothing_is_kept_at_first(run):
    done = run("conversations")
    assert (done.exit_code, done.stdout) == (0, "")
    assert "no conversations saved yet" in done.stderr
    done = run("export", "last")
    assert done.exit_code == 1
    assert "there is no saved conversation last" in done.stderr
    assert "tabwire conversations" in done.stderr


def test_they_are_listed_with_what_they_wait_for(run):
    keep()
    keep("gemini", ready=False, reasons=("awaiting_second_sample",), captured_at=1.8e9)
    done = run("conversations")
    assert done.exit_code == 0
    assert done.stdout.index("gemini") < done.stdout.index("chatgpt")
    assert "not ready: awaiting_second_sample" in done.stdout
    assert "ready" in done.stdout
    assert "\x1b[31m skies" not in done.stdout
    lines = [json.loads(line) for line in run("conversations", "--json").stdout.splitlines()]
    assert [line["site"] for line in lines] == ["gemini", "chatgpt"]
    assert lines[0]["waits_for"] == ["awaiting_second_sample"]
    assert lines[1]["captured_from"] == "extension"
    assert run("conversations", "--site", "grok").stdout == ""


def test_one_is_written_and_never_written_over_unasked(run, home):
    one = keep()
    done = run("export", "last", "--out", "chats")
    assert done.exit_code == 0, done.stderr
    (path,) = (home / "chats").iterdir()
    assert path.name in done.stdout
    whole = json.loads(path.read_text())
    assert whole["exportMeta"]["title"].startswith("Blue")
    assert whole["mapping"]
    for said in (
        "last",
        one.name,
        one.conversation_id,
        f"https://chatgpt.com/c/{one.conversation_id}",
    ):
        again = run("export", said, "--out", "chats")
        assert again.exit_code == 2
        assert "--force" in again.stderr
    done = run("export", "last", "--out", "chats", "--force", "--format", "common", "--json")
    assert done.exit_code == 0
    assert json.loads(done.stdout)["format"] == "common"
    assert json.loads(path.read_text())["format"] == "tabwire-conversation"


def test_to_standard_output_nothing_else_is_written_there(run, home):
    keep()
    done = run("export", "last", "--out", "-", "--format", "common")
    assert json.loads(done.stdout)["version"] == 1
    assert {one.name for one in home.iterdir()} == {"home"}


def test_what_is_not_ready_is_refused_and_by_force_marked(run):
    keep(ready=False, reasons=("awaiting_second_sample",))
    done = run("export", "last")
    assert done.exit_code == 1
    assert "awaiting_second_sample" in done.stderr
    assert "--force" in done.stderr
    done = run("export", "last", "--force", "--json")
    assert done.exit_code == 3
    told = json.loads(done.stdout)
    assert (told["fidelity"], told["completeness"]) == ("degraded", "partial")


WRONG = [
    ("format", ["export", "last", "--format", "exe"], "expected one of original, common"),
    ("both outputs", ["export", "last", "--out", "-", "--json"], "cannot be combined with --out -"),
    ("site", ["conversations", "--site", "claude"], "claude"),
]


@pytest.mark.parametrize("said, why", [c[1:] for c in WRONG], ids=[c[0] for c in WRONG])
def test_what_cannot_be_meant_is_said(run, said, why):
    keep()
    done = run(*said)
    assert done.exit_code == 2
    assert why in done.stderr


def test_an_id_that_two_sites_have_is_asked_back(run):
    one = keep("chatgpt")
    keep("grok")
    done = run("export", one.conversation_id)
    assert done.exit_code == 1
    assert f"grok/{one.conversation_id}" in done.stderr
    assert run("export", one.conversation_id, "--site", "grok").exit_code == 0


CHAT = "5f0c6a1e-1111-4222-8333-0123456789ab"
PROMPT = "Why is the sky blue?"


def asked(prompt=PROMPT, text="It scatters.", *, into=None, completeness=Completeness.COMPLETE):
    """An ask and its answer, as the store has them after `tabwire ask`."""

    async def put():
        async with opened_books() as books:
            request = AskRequest("chatgpt", prompt, conversation_id=into)
            row, _ = await books.store.begin(request, Owner(1, 1.0), 1.0, again=True)
            await books.store.note(row.id, Step.SENT, 2.0, conversation_id=CHAT)
            if text is not None:
                answer = Answer(
                    row.id, "chatgpt", prompt, text, completeness, "why", conversation_id=CHAT
                )
                await books.store.keep(row.id, answer, 3.0)

    asyncio.run(put())


def heard(*said, **more):
    """What the streams of these exchanges told."""
    turns = tuple(
        Turn(f"{place}", Role.ASSISTANT if place % 2 else Role.USER, text)
        for place, text in enumerate(said)
    )
    told = Conversation(
        "chatgpt",
        CHAT,
        Standing(True, True, "end of turn"),
        turns=turns,
        visible=tuple(turn.id for turn in turns),
    )
    return keep(
        conversation_id=CHAT,
        ready=False,
        source=CaptureSource.STREAM,
        completeness=Wholeness.PARTIAL,
        origin=Origin.ASK,
        bodies=(Body(BodyKind.HEARD, "", write_heard(told)),),
        **{"reasons": ("no_canonical_data",), **more},
    )


def test_right_after_a_complete_ask_the_conversation_can_be_exported(run):
    asked()
    heard(PROMPT, "It scatters.")
    done = run("export", "last", "--format", "common", "--json")
    assert done.exit_code == 0
    told = json.loads(done.stdout)
    assert (told["ready"], told["source"]) == (False, "stream")
    assert (told["fidelity"], told["completeness"]) == ("degraded", "complete")
    assert "degraded fidelity" in done.stderr
    form = json.loads(run("export", "last", "--out", "-").stdout)
    assert form["exportMeta"]["captureSource"] == "stream"
    assert form["exportMeta"]["fidelity"] == "degraded"


def test_after_an_ask_in_an_older_chat_the_export_says_that_it_may_lack_turns(run):
    asked(into=CHAT)
    heard(PROMPT, "It scatters.")
    done = run("export", "last", "--json")
    assert done.exit_code == 3
    assert json.loads(done.stdout)["completeness"] == "partial"


UNPROVEN = [
    # id                        what was asked, and what is kept
    ("nothing was asked", lambda: heard(PROMPT, "It scatters.")),
    ("not complete", lambda: (asked(completeness=Completeness.PARTIAL), heard(PROMPT, "It sca"))),
    ("another text is kept", lambda: (asked(), heard(PROMPT, "It sca"))),
    ("somebody asked on", lambda: (asked(), heard(PROMPT, "It scatters.", "And then?"))),
    (
        "the newest ask is under way",
        lambda: (asked(), asked("More?", None, into=CHAT), heard(PROMPT, "It scatters.")),
    ),
]


@pytest.mark.parametrize("reason", [UNDER_WAY, "canonical_not_terminal"])
def test_while_more_is_being_written_no_older_answer_is_a_proof(run, reason):
    asked()
    heard(PROMPT, "It scatters.", reasons=(reason,))
    assert run("export", "last").exit_code == 1


@pytest.mark.parametrize("prepare", [c[1] for c in UNPROVEN], ids=[c[0] for c in UNPROVEN])
def test_what_no_ask_proved_is_refused_as_before(run, prepare):
    prepare()
    done = run("export", "last")
    assert done.exit_code == 1
    assert "no_canonical_data" in done.stderr
