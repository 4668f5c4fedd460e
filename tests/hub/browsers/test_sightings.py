"""What a watcher is told, as JSON: every kind, nothing that cannot be written."""

from dataclasses import replace

import msgspec

from tabwire.fusion.agreement import Account
from tabwire.fusion.history import Record
from tabwire.fusion.table import Cause, State
from tabwire.fusion.verdict import Judgement, Mode, Readiness, Reason, Verdict
from tabwire.hub.browsers.sightings import EVENTS, as_data
from tabwire.model.problems import Problem
from tabwire.model.signals import Refusal, Refused, Source
from tabwire.monitor import sightings as told

VERDICT = Verdict(
    Judgement.REFUSED,
    "rate_limit",
    "text",
    thinking="hm",
    evidence=("network_stream: x",),
    refusal=Refused(Refusal.RATE_LIMIT, "too many", "429"),
    accounts=(Account(Source.STREAM, "a"), Account(Source.PAGE, "b")),
    problems=(Problem("odd"),),
)
HISTORY = (Record(101.0, "PromptSent", State.IDLE, State.PROMPT_SENT, Cause.PROMPT_LEFT),)

ONE_OF_EACH = [
    told.Watching(101.0, "grok", "https://grok.com/", "Grok", "grok.com", None),
    told.Asked(101.0, "a1", None, "Hi"),
    told.Named(101.0, "a1", "c"),
    told.StateMoved(101.0, "a1", State.IDLE, State.STREAMING, Cause.OUTPUT_GREW),
    told.Grew(101.0, "a1", "He", False, 100.5),
    told.Rewritten(101.0, "a1", "Ho", True),
    told.Judged(101.0, "a1", State.ERROR, VERDICT, HISTORY, 100.9),
    told.Witnessed(101.0, "a1", Source.PAGE, ("x",)),
    told.Ready(101.0, "a1", Readiness(Mode.AWAITING_STABILIZATION, (Reason.NO_CANONICAL_DATA,))),
    told.Stored(101.0, "c", "T", 2, True, "end_turn"),
    told.NotStored(101.0, "c", "the site answered 404"),
    told.Listed(101.0, ("c", "d")),
    told.Spent(101.0, 1800.0, None),
    told.Waiting(101.0, "a1", "why"),
    told.PageNotice(101.0, "login", "a", "Log in"),
    told.Moved(101.0, "https://grok.com/c/1", None),
    told.RequestTold(101.0, "GET", "u", "list", 200, "whole", 1, 2, 0.5, "page"),
    told.Unheard(101.0, "why"),
    told.Befell(101.0, "closed", "the tab was closed", "Open it again.", True),
]


def test_every_kind_of_sighting_can_be_written_and_names_itself():
    assert [type(one) for one in ONE_OF_EACH] == list(EVENTS)
    for one in ONE_OF_EACH:
        data = msgspec.json.decode(msgspec.json.encode(as_data(one, 100.0)))
        assert data["event"] == EVENTS[type(one)]
        assert data["seconds"] == 1.0
        assert "at" not in data


def test_a_verdict_is_told_whole():
    data = as_data(ONE_OF_EACH[6], 100.0)
    assert data["event_at"] == 0.9
    verdict = data["verdict"]
    assert verdict["judgement"] == "refused"
    assert verdict["complete"] is False
    assert verdict["refusal"] == {"kind": "rate_limit", "message": "too many", "code": "429"}
    assert verdict["accounts"] == [["network_stream", "a"], ["dom_hint", "b"]]
    (record,) = data["history"]
    assert (record["seconds"], record["after"], record["cause"]) == (
        1.0,
        "prompt_sent",
        "prompt_left",
    )


def test_when_a_limit_is_over_is_told_where_it_is_known():
    refusal = replace(VERDICT.refusal, resets_at=1_800_000_000.0, resets_in=0.0)
    judged = next(one for one in ONE_OF_EACH if isinstance(one, told.Judged))
    judged = replace(judged, verdict=replace(VERDICT, refusal=refusal))
    told_of = as_data(judged, 100.0)["verdict"]["refusal"]
    assert (told_of["resets_at"], told_of["resets_in"]) == (1_800_000_000.0, 0.0)


def test_times_are_counted_from_the_first_sighting_or_unknown():
    assert as_data(ONE_OF_EACH[4], 100.0)["event_at"] == 0.5
    assert as_data(ONE_OF_EACH[5], 100.0)["event_at"] is None
