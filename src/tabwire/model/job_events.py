"""What happens to a job: the events of its ask and its changes of state, numbered, as JSON.

There is one vocabulary: an ask's own events, unchanged. Only `Failed` is not among them, for it
holds an exception: a job that came to nothing changes its state, and that says why.
"""

from collections.abc import Mapping
from dataclasses import dataclass, fields, replace
from types import MappingProxyType
from typing import Any

import msgspec

from tabwire.model.ask import EVENT_NAMES, AskEvent, Failed
from tabwire.model.failure import Failure
from tabwire.model.job import JobState


@dataclass(frozen=True, slots=True)
class StateChanged:
    """The job is in this state now. `failure`: what stands in the way, where something does."""

    site: str
    state: JobState
    failure: Failure | None
    at: float  # monotonic seconds


NAMES: Mapping[type, str] = MappingProxyType(
    {kind: name for kind, name in EVENT_NAMES.items() if kind is not Failed}
    | {StateChanged: "state"}
)
KINDS: Mapping[str, type[Any]] = MappingProxyType({name: kind for kind, name in NAMES.items()})


@dataclass(frozen=True, slots=True)
class JobEvent:
    """One thing that happened. `number` rises by one with each, per job, from 1."""

    job_id: str
    number: int
    at: float  # seconds since 1970
    event: AskEvent | StateChanged

    @property
    def kind(self) -> str:
        """Its name."""
        return NAMES[type(self.event)]

    def as_data(self) -> dict[str, Any]:
        """As one flat object. `at` is in seconds since 1970: another process's monotonic clock
        says nothing."""
        facts = {one.name: getattr(self.event, one.name) for one in fields(self.event)}
        numbered = {"job_id": self.job_id, "number": self.number, "at": self.at}
        return {"event": self.kind, **facts, **numbered}


class _Envelope(msgspec.Struct):
    event: str
    job_id: str
    number: int
    at: float


def read_job_event(data: bytes, *, now: float, monotonic: float) -> JobEvent | None:
    """What `as_data` gave, from JSON; None for an event of a newer version. `now` and `monotonic`
    are this moment on both clocks: the event's own time becomes one of this process."""
    envelope = msgspec.json.decode(data, type=_Envelope)
    kind = KINDS.get(envelope.event)
    if kind is None:
        return None
    event = msgspec.json.decode(data, type=kind)
    at = monotonic - max(0.0, now - envelope.at)
    return JobEvent(envelope.job_id, envelope.number, envelope.at, replace(event, at=at))
