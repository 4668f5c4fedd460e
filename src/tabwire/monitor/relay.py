"""What became of attempts and requests, in the words of this room. Pure."""

from tabwire.fusion import outcomes as o
from tabwire.fusion.machine import Machine
from tabwire.monitor import sightings as told
from tabwire.monitor.requests import Entry
from tabwire.monitor.sightings import Sighting


def as_sighting(
    outcome: o.Outcome | o.Bound, attempt: str, machine: Machine | None, now: float, event_at: float
) -> Sighting | None:
    """What a watcher is told of an outcome; None where that is nothing."""
    match outcome:
        case o.Bound(conversation_id=named):
            return told.Named(now, attempt, named)
        case o.Moved(before=before, after=after, cause=cause):
            return told.StateMoved(now, attempt, before, after, cause)
        case o.Judged(verdict=verdict) if machine is not None:
            return told.Judged(now, attempt, machine.state, verdict, machine.history, event_at)
        case o.ReadinessChanged(readiness=readiness):
            return told.Ready(now, attempt, readiness)
        case o.Stalled(why=why):
            return told.Waiting(now, attempt, why)
        case o.Unwitnessed(why=why):
            return told.Waiting(now, attempt, why, unwitnessed=True)
        case _:
            return None


def request_sighting(now: float, entry: Entry) -> Sighting:
    """What a watcher is told of a request at its end."""
    return told.RequestTold(
        now,
        entry.method,
        entry.url,
        entry.kind,
        entry.status,
        entry.how,
        entry.bytes,
        entry.characters,
        entry.seconds,
        entry.where,
        entry.like,
    )
