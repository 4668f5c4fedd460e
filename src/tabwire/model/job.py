"""A question that is carried out for somebody, and what became of it. Data only.

A job is one question to one site. Its id is the id of its attempt in the store, so `tabwire
fetch`, `tabwire history` and every door speak of the same thing. A job is on disk before anyone
learns its id, and it outlives whoever asked.
"""

from dataclasses import dataclass, field
from enum import StrEnum

from tabwire.model.ask import Answer, AskRequest, Phase, Step
from tabwire.model.errors import TabwireError
from tabwire.model.exits import USAGE
from tabwire.model.failure import Failure


class JobState(StrEnum):
    """Named as MCP names the states of its tasks."""

    WORKING = "working"
    INPUT_REQUIRED = "input_required"  # a person has to do something; `error` says what
    COMPLETED = "completed"  # there is an answer; it says itself whether it is whole
    FAILED = "failed"
    CANCELLED = "cancelled"


AT_REST = frozenset(JobState) - {JobState.WORKING}
"""Nothing happens to these by themselves."""


class NoSuchJob(TabwireError):
    """No job has this id."""

    code = "no_such_job"
    exit_code = USAGE

    def __init__(self, job_id: str) -> None:
        super().__init__(
            f"there is no job {job_id!r}", what_to_do="Use an ID from `tabwire history`."
        )
        self.job_id = job_id


class Door(StrEnum):
    """Where a question came in."""

    MCP = "mcp"
    CLI = "cli"
    HTTP = "http"
    PYTHON = "python"


@dataclass(frozen=True, slots=True)
class Asker:
    """Who asks. `agent` names a session: its chats and tabs are its own."""

    agent: str
    door: Door
    client: str = ""  # as an MCP client calls itself
    project: str = ""  # the folder it works in


@dataclass(frozen=True, slots=True)
class Job:
    """One job as it is at a moment. Times are seconds since 1970."""

    id: str
    request: AskRequest
    asker: Asker
    state: JobState
    step: Step
    created_at: float
    updated_at: float
    phase: Phase | None = None
    phase_at: float | None = None
    note: str = ""  # more on the phase
    characters: int = 0  # of the answer so far
    conversation_id: str | None = None
    url: str | None = None
    answer: Answer | None = None
    error: Failure | None = None
    joined: bool = field(default=False, compare=False)  # the same was asked before: this is it

    @property
    def at_rest(self) -> bool:
        """Whether waiting longer brings nothing."""
        return self.state in AT_REST
