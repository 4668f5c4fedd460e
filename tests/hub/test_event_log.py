"""Every question and every run leaves its lines in the log, and no words but in debug lines."""

import pytest

from store.asked import answer
from tabwire.config.logs import close_log, open_log
from tabwire.hub.agents.board import Board
from tabwire.hub.jobs.board import JobBoard
from tabwire.model.agent import AgentEnded, AgentPhase, AgentProgress, AgentQuota
from tabwire.model.ask import (
    Answered,
    AskRequest,
    Phase,
    PhaseBegan,
    PromptLeft,
    Step,
    TextCame,
)
from tabwire.model.errors import Retry
from tabwire.model.failure import Failure
from tabwire.model.job import Asker, Door, Job, JobState

QUESTION, WORDS = "Where is the treasure?", "Under the old oak"


@pytest.fixture
def lines(tmp_path):
    """Opens a log at a level; gives (level, rest) of each line in it."""
    path = tmp_path / "hub.log"

    def at(level):
        open_log(level, file=path)

        def read():
            return [tuple(line.split(maxsplit=2)[1:]) for line in path.read_text().splitlines()]

        return read

    yield at
    close_log()


def job(**facts):
    asker = Asker("me", Door.CLI)
    request = AskRequest("grok", QUESTION)
    return Job("j1", request, asker, JobState.WORKING, Step.NEW, 1.0, 1.0, **facts)


def asked(entry):
    for phase in (Phase.CONNECT, Phase.SEND):
        entry.hear(PhaseBegan("grok", phase, 1.0))
    entry.hear(PromptLeft("grok", "j1", "c1", 2.0))
    entry.hear(PhaseBegan("grok", Phase.ANSWERING, 2.0))
    entry.hear(TextCame("grok", WORDS, False, False, 3.0))


def test_a_question_leaves_its_phases_and_its_end(lines):
    told = lines("info")
    entry = JobBoard(lambda: 1.0).put(job(), 0)
    asked(entry)
    entry.hear(Answered("grok", answer("j1", WORDS, thinking="by the river?"), 4.0))
    said = [(level, text.partition("  ")[0]) for level, text in told()]
    assert said == [
        ("info", "question accepted"),
        ("phase", "new -> connect"),
        ("phase", "connect -> send"),
        ("info", "question sent"),
        ("phase", "send -> answering"),
        ("done", "answered: complete"),
    ]
    everything = "".join(text for _level, text in told())
    assert "job=j1" in everything
    assert QUESTION not in everything
    assert WORDS not in everything


def test_debug_lines_have_the_words(lines):
    told = lines("debug")
    entry = JobBoard(lambda: 1.0).put(job(), 0)
    asked(entry)
    entry.hear(Answered("grok", answer("j1", WORDS, thinking="by the river?"), 4.0))
    debug = [text for level, text in told() if level == "debug"]
    assert any(QUESTION in text for text in debug)
    assert any(text.startswith("output") and WORDS in text for text in debug)
    assert not any(WORDS in text for level, text in told() if level != "debug")


ENDS = [
    # state, level, what stands there
    (JobState.FAILED, "error", "question failed"),
    (JobState.INPUT_REQUIRED, "warn", "question waits for a person"),
    (JobState.CANCELLED, "info", "question cancelled"),
]


@pytest.mark.parametrize("state, level, text", ENDS)
def test_an_end_without_an_answer_is_said_with_its_code(lines, state, level, text):
    told = lines("info")
    entry = JobBoard(lambda: 1.0).put(job(), 0)
    error = Failure("login_required", "you are logged out", "Log in.", Retry.SAME)
    gone = job(error=error)
    object.__setattr__(gone, "state", state)
    entry.be(gone)
    assert told()[-1][0] == level
    assert told()[-1][1].startswith(text)
    assert state is JobState.CANCELLED or "login_required" in told()[-1][1]


def test_a_run_leaves_its_phases_and_its_end(lines):
    told = lines("info")
    board = Board()
    for phase in ("waiting", "thinking", "generating"):
        board.publish(AgentPhase(1.0, "w", 1, phase))
    board.publish(AgentProgress(1.0, "w", 1, WORDS))
    board.publish(AgentQuota(1.0, "w", 1, "used up", "m"))
    board.publish(AgentEnded(2.0, "w", 1, "complete", WORDS))
    board.publish(AgentEnded(2.0, "w", 2, "timeout", ""))
    said = [(level, text.partition("  ")[0]) for level, text in told()]
    assert said == [
        ("phase", "new -> waiting"),
        ("phase", "waiting -> thinking"),
        ("phase", "thinking -> generating"),
        ("warn", "limit reached"),
        ("done", "run ended: complete"),
        ("warn", "run ended: timeout"),
    ]
    assert WORDS not in "".join(text for _level, text in told())
