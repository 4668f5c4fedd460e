"""The events of agent runs by their names, and read back from JSON.

A hub tells them as flat objects (hub/agents/events.py): `event` is the name, `seconds` counts from
the moment the hub says, and the other fields are those of the event.
"""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any

import msgspec

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
)

NAMES: Mapping[type, str] = MappingProxyType(
    {
        AgentAttached: "attached",
        AgentPhase: "phase",
        AgentProgress: "output",
        AgentLog: "log",
        AgentImage: "image",
        AgentCard: "card",
        AgentQuota: "limit",
        AgentEnded: "ended",
        AgentShown: "panel",
        AgentLost: "lost",
    }
)
KINDS: Mapping[str, type[Any]] = MappingProxyType({name: kind for kind, name in NAMES.items()})


def read_agent_event(data: bytes, *, began: float) -> AgentEvent | None:
    """The event, from JSON; None for any other event. `began` is the monotonic time of this
    process from which its `seconds` count."""
    told = msgspec.json.decode(data, type=dict[str, Any])
    kind = KINDS.get(told["event"])
    if kind is None:
        return None
    event: AgentEvent = msgspec.convert(told | {"at": began + told["seconds"]}, kind)
    return event
