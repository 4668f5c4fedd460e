"""Events of agent runs, told as JSON and read back."""

from typing import get_args

import msgspec
import pytest

from tabwire.hub.agents.events import as_data
from tabwire.model.agent import (
    AgentAttached,
    AgentCard,
    AgentEnded,
    AgentEvent,
    AgentImage,
    AgentLog,
    AgentLost,
    AgentPhase,
    AgentProgress,
    AgentQuota,
    AgentShown,
    Card,
    Control,
    LogEntry,
    PackHealth,
    PartHealth,
    RowKind,
    SelfTest,
)
from tabwire.model.agent_events import KINDS, NAMES, read_agent_event
from tabwire.model.autopilot import Halted

ENTRY = LogEntry("1.2", RowKind.COMMAND, "$ ls", command="ls", exit_code=0, state="done")
CARD = Card(
    "c1",
    "command",
    "Run?",
    "h",
    command="ls",
    controls=(Control(3, "Run", "Run", "button", "run"),),
)
TEST = SelfTest("u", True, "one", True, (PackHealth("one", (PartHealth("root", "#x", 1, 1, 1),)),))

EVENTS = [
    AgentAttached(12.5, "shop", TEST, "Fix login", "Gemini"),
    AgentPhase(12.5, "shop", 1, "thinking", "text", "why"),
    AgentProgress(12.5, "shop", 1, "half\nand whole"),
    AgentLog(12.5, "shop", 1, (ENTRY,)),
    AgentImage(12.5, "shop", 1, "data:x", "a cat", 10, 20, 7),
    AgentCard(12.5, "shop", 1, CARD, gone=True),
    AgentQuota(12.5, "shop", 1, "limit", "Gemini"),
    AgentEnded(12.5, "shop", 1, "complete", "text", log=(ENTRY,), images=1, lost=True),
    AgentShown(12.5, "shop", False, "closed"),
    AgentLost(12.5, "shop", 120.0, "gone"),
]


@pytest.mark.parametrize("event", EVENTS, ids=lambda one: type(one).__name__)
def test_what_was_told_is_read_as_the_same_event(event):
    data = msgspec.json.encode(as_data(event, 10.0))
    assert read_agent_event(data, began=10.0) == event
    later = read_agent_event(data, began=100.0)
    assert later.at == 102.5


def test_every_event_is_among_them():
    assert {type(one) for one in EVENTS} == set(get_args(AgentEvent)) == set(NAMES)
    assert len(KINDS) == len(NAMES)


def test_what_is_no_event_of_a_run_is_none():
    data = msgspec.json.encode(as_data(Halted("", "said so"), 0.0))
    assert read_agent_event(data, began=0.0) is None
    assert read_agent_event(b'{"event": "of a newer version", "seconds": 1}', began=0.0) is None
