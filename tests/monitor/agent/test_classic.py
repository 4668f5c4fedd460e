"""Seed 000, sections 3 and 4, as such: the classic profile on a scripted panel and clock."""

import asyncio
from dataclasses import replace

import pytest

from tabwire.fusion.monitor_phases import MAX_RUN_SECONDS, POLL_SECONDS
from tabwire.model.agent import AgentEnded, AgentLog, AgentPhase, AgentProgress
from tabwire.model.errors import TabwireError
from tabwire.monitor.agent.callbacks import Callbacks
from tabwire.monitor.agent.classic import Baseline, ClassicRun

pytestmark = pytest.mark.asyncio


class Script:
    """A panel that shows one poll after the other: (stop, quota, text, logs)."""

    def __init__(self, polls, text="Old", logs=("Reading old.py",)):
        self.polls = list(polls)
        self.before = (text, logs)
        self.asked = []
        self.at = 0.0
        self.started = False
        self.connected = True

    def _now(self, what, at):
        self.asked.append(what)
        if not self.started:
            return self.before[at - 2]
        value = self.polls[0][at]
        if isinstance(value, Exception):
            raise value
        return value

    async def stop(self):
        return self._now("stop", 0)

    async def quota(self):
        return self._now("quota", 1)

    async def text(self):
        return self._now("text", 2)

    async def logs(self):
        return self._now("logs", 3)

    def clock(self):
        return self.at

    async def sleep(self, seconds):
        self.at += seconds
        if self.started and len(self.polls) > 1:
            self.polls.pop(0)
        self.started = True


async def followed(script, seconds=1000.0, **options):
    run = ClassicRun(
        script, clock=script.clock, sleep=script.sleep, connected=lambda: script.connected
    )
    events = []
    async for event in run.events(**options):
        events.append(event)
        if script.at > seconds:
            break
    return events


def of(events, kind):
    return [one for one in events if isinstance(one, kind)]


S = (True, False, "Old", ())


def stop(text="Old", logs=()):
    return (True, False, text, logs)


def gone(text="Old", logs=()):
    return (False, False, text, logs)


async def test_s0_001_two_evaluations_at_the_start_and_the_phase_is_waiting():
    script = Script([gone()])
    run = ClassicRun(script, clock=script.clock, sleep=script.sleep)
    events = run.events()
    first = await anext(events)
    assert (first.phase, script.asked) == ("waiting", ["text", "logs"])
    await events.aclose()


async def test_s0_002_none_with_a_baseline_passed_in():
    script = Script([gone()])
    events = ClassicRun(script, clock=script.clock, sleep=script.sleep).events(Baseline("Old"))
    await anext(events)
    assert script.asked == []
    await events.aclose()


async def test_s0_021_four_evaluations_a_poll_every_two_seconds():
    script = Script([stop(), stop("a"), gone("a")])
    await followed(script)
    polls = script.asked[2:]
    assert polls == ["stop", "quota", "text", "logs"] * (len(polls) // 4)
    assert script.at == POLL_SECONDS * (len(polls) // 4)


POLLS = [
    ("s0-003 stop", [stop()] * 2, ["waiting", "thinking"], [], None),
    ("s0-004 text", [stop(), stop("a")], ["waiting", "thinking", "generating"], ["a"], None),
    ("s0-005 fast", [gone("a")], ["waiting", "generating", "complete"], ["a"], "a"),
    ("s0-006/7", [stop("a"), gone("a")], ["waiting", "generating", "complete"], ["a"], "a"),
    ("s0-008", [stop("a"), gone("a"), gone("a"), stop("a"), gone("a"), gone("a"), stop("a")],
     ["waiting", "generating"], ["a"], None),
    ("s0-009", [stop("a"), gone("ab"), gone("abc"), gone("abcd")],
     ["waiting", "generating", "complete"], ["a", "ab", "abc", "abcd"], "abcd"),
    ("s0-010", [gone()], ["waiting"], [], None),
    ("s0-011", [stop(), gone()], ["waiting", "thinking", "complete"], [], ""),
    ("s0-012", [stop()], ["waiting", "thinking"], [], None),
    ("s0-018", [(True, True, None, ())], ["waiting", "quota_reached"], [], ""),
    ("s0-019", [stop("a"), (True, True, "a", ()), gone("a")],
     ["waiting", "generating", "complete"], ["a"], "a"),
]  # fmt: skip


@pytest.mark.parametrize(
    "polls, phases, progress, final", [c[1:] for c in POLLS], ids=[c[0] for c in POLLS]
)
async def test_polls(polls, phases, progress, final):
    events = await followed(Script(polls), seconds=60)
    seen = [one.phase for one in of(events, AgentPhase)]
    assert [one for one in seen if one not in ("timeout",)] == phases
    assert [one.text for one in of(events, AgentProgress)] == progress
    ends = [one for one in of(events, AgentEnded) if one.phase != "timeout"]
    assert [one.text for one in ends] == ([] if final is None else [final])


async def test_three_confirmations_are_six_seconds():
    events = await followed(Script([stop("a"), gone("a")]))
    assert of(events, AgentEnded)[0].at == 2.0 + 3 * POLL_SECONDS


async def test_s0_013_only_entries_that_were_not_there():
    logs = ("Reading old.py", "Reading b", "Ran c")
    events = await followed(Script([stop("a", logs), gone("a", logs)]))
    entries = [entry.text for one in of(events, AgentLog) for entry in one.entries]
    assert entries == ["Reading b", "Ran c"]


async def test_an_entry_is_known_by_its_first_200_characters():
    long = "Reading " + "x" * 200
    polls = [stop("a", (long,)), stop("a", (long + "y",)), gone("a", (long + "z",))]
    events = await followed(Script(polls))
    assert len(of(events, AgentLog)) == 1


async def test_the_whole_run_has_300_seconds_even_while_it_works():
    events = await followed(Script([stop("a")]))
    (ended,) = of(events, AgentEnded)
    assert (ended.phase, ended.text, ended.at) == ("timeout", "a", MAX_RUN_SECONDS)


async def test_s0_023_a_look_that_fails_is_followed_by_the_next_poll():
    broken = TabwireError("no", what_to_do="-")
    polls = [stop("a"), (broken, False, broken, broken), stop("ab"), gone("ab")]
    events = await followed(Script(polls))
    assert of(events, AgentEnded)[0].text == "ab"


async def test_s0_024_and_025_no_poll_while_the_line_is_down():
    script = Script([stop("Hello")])
    run = ClassicRun(
        script, clock=script.clock, sleep=script.sleep, connected=lambda: script.connected
    )
    phases = []
    async for event in run.events():
        if isinstance(event, AgentPhase):
            phases.append((event.phase, event.text))
        if isinstance(event, AgentPhase) and event.phase == "generating" and script.connected:
            if len(phases) > 3:
                break
            script.connected = False
            asked = len(script.asked)
        elif phases[-1] == ("disconnected", "Hello"):
            assert len(script.asked) == asked
            script.connected = True
    assert phases[1:] == [
        ("generating", "Hello"),
        ("disconnected", "Hello"),
        ("generating", "Hello"),
    ]


async def test_s0_027_a_line_that_stays_down_ends_the_run():
    script = Script([stop("Hello")])
    script.connected = False
    events = await followed(script)
    assert of(events, AgentEnded)[0].at <= 40


async def test_s0_029_passive_begins_at_generating():
    events = await followed(Script([stop("a"), gone("a")]), passive=True)
    assert of(events, AgentPhase)[0].phase == "generating"


async def test_a_line_of_the_log_in_the_text_is_told_as_log():
    """Seed 000, section 5: onProgress splits the text once more."""
    told = []
    hear = Callbacks(
        on_process_log=lambda text: told.append(("log", text)),
        on_progress=lambda text: told.append(("progress", text)),
    )
    said = AgentProgress(1.0, "w", 1, "Thought for 38 seconds\nThe build is green.")
    hear(said)
    hear(replace(said, text="Only words."))
    assert told == [
        ("log", "Thought for 38 seconds"),
        ("progress", "The build is green."),
        ("progress", "Only words."),
    ]


async def test_the_five_callbacks():
    told = []
    hear = Callbacks(
        lambda phase, text: told.append(("phase", phase)),
        lambda text: told.append(("log", text)),
        lambda text: told.append(("progress", text)),
        lambda text: told.append(("complete", text)),
        lambda text: told.append(("timeout", text)),
    )
    for event in await followed(Script([stop("a", ("Ran b",)), gone("a", ("Ran b",))])):
        hear(event)
    assert told == [
        ("phase", "waiting"), ("log", "Ran b"), ("progress", "a"), ("phase", "generating"),
        ("phase", "complete"), ("complete", "a"),
    ]  # fmt: skip
    await asyncio.sleep(0)
