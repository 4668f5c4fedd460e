"""What the messages of one exchange are called, and the words the site uses for its states."""

import uuid
from dataclasses import dataclass

from tabwire.lab.stories.steps import Tool

MODEL = "gpt-5-6-thinking"
ROOT = "client-created-root"

RUNNING = "in_progress"
WHOLE = "finished_successfully"
STOPPED = "finished_partial_completion"
FAILED = "error"


@dataclass(frozen=True, slots=True)
class Ids:
    """What the messages of one exchange are called. Fresh ones for each, within a conversation."""

    user: str = "m-user"
    thoughts: str = "m-thoughts"
    answer: str = "m-answer"

    def step(self, kind: str, number: int) -> str:
        """One of the messages between question and answer, counted from 1 for each kind."""
        if kind == "thoughts" and number == 1:
            return self.thoughts
        return str(uuid.uuid5(uuid.NAMESPACE_OID, f"{self.answer} {kind} {number}"))

    @property
    def turn(self) -> str:
        """What the exchange as a whole is called (`turn_exchange_id`)."""
        return self.step("turn", 1)

    @property
    def request(self) -> str:
        """What the request that asked is called."""
        return self.step("request", 1)


FIRST = Ids()


@dataclass(frozen=True, slots=True)
class Thoughts:
    """Thoughts that follow each other."""

    texts: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Recap:
    """The thinking is over, and the site says how long it took."""


Step = Thoughts | Tool | Recap


@dataclass(frozen=True, slots=True)
class SpokenTurn:
    """One exchange as it is stored. `status` is the answer's; without text there is none yet.

    `steps` is everything between question and answer in order; where it is empty, `thoughts`
    are all there was.
    """

    prompt: str
    answer: str
    thoughts: tuple[str, ...] = ()
    ids: Ids = FIRST
    status: str = WHOLE
    at: float = 1.0
    model: str = MODEL
    steps: tuple[Step, ...] = ()
    files: tuple[str, ...] = ()

    def walked(self) -> tuple[Step, ...]:
        """Everything between question and answer."""
        if self.steps or not self.thoughts:
            return self.steps
        return (Thoughts(self.thoughts), *((Recap(),) if self.answer else ()))
