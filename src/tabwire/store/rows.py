"""What the store takes and gives. Data only."""

from dataclasses import dataclass
from enum import Enum

from tabwire.model.ask import Answer, AskRequest, Phase, Press, Step
from tabwire.model.failure import Failure
from tabwire.model.job import Asker, Door, JobState

NOBODY = Asker("", Door.CLI)
"""Who asks where nobody said it: a person at a terminal."""

UNFINISHED = (Step.NEW, Step.SENDING, Step.SENT)
"""Somebody works on these, or died while doing so."""


class Keep(Enum):
    """Says "leave it as it is" where None means "there is none"."""

    KEEP = "keep"


KEEP = Keep.KEEP


@dataclass(frozen=True, slots=True)
class Owner:
    """A process. Its start time tells it from a later one with the same pid."""

    pid: int
    started: float


@dataclass(frozen=True, slots=True)
class Attempt:
    """One ask, and how far it got.

    `conversation_id` and `url` are what was learnt on the way; what was asked for stands in
    `request`. An attempt that is done has no failure, even if it had failed before.
    """

    id: str  # sorts by time
    request: AskRequest
    step: Step
    owner: Owner
    created_at: float  # seconds since 1970
    updated_at: float
    conversation_id: str | None
    url: str | None
    draft: str | None  # a foreign draft we took out of the composer and have not put back
    failure: Failure | None
    answer: Answer | None
    # --- as a job (model/job.py) ---
    asker: Asker = NOBODY
    state: JobState = JobState.WORKING
    position: int | None = None  # in the queue of a hub; None where none was asked
    carried: int = 0  # how often a hub took it up
    phase: Phase | None = None
    phase_at: float | None = None
    note: str = ""
    characters: int = 0
    rested_at: float | None = None
    press: Press | None = None  # what was known when Send was pressed


@dataclass(frozen=True, slots=True)
class Use:
    """The right to use a tab or a conversation. `number` tells it from every other use."""

    key: str
    number: str
    owner: Owner
    holder: str
    until: float  # as it was when taken; `renew_use` moves it on disk only


@dataclass(frozen=True, slots=True)
class Holder:
    """Who has it instead."""

    key: str
    owner: Owner
    holder: str
    until: float
