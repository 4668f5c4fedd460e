"""Who is on the line: what the pump said of its client, or what came with an HTTP request."""

import json
import re
from collections.abc import Mapping
from contextvars import ContextVar
from dataclasses import dataclass, field
from typing import Any

from tabwire.model.job import Asker, Door

AGENT_HEADER = "x-tabwire-agent"
SESSION_HEADER = "mcp-session-id"
MAX_NAME = 80  # characters of an agent's name


@dataclass(frozen=True, slots=True)
class Visitor:
    """A client, as far as its line tells. `opened`: requests that an earlier hub left open.

    `number` tells two clients of the same name apart: the pid of the pump, or the HTTP session.
    Without a number and a name nobody can tell: over HTTP the protocol of 2026-07-28 has no
    sessions. Such a client is no agent, and has no chats of its own.
    """

    number: str
    started: float = 0.0  # seconds since 1970, where it is known
    agent: str = ""
    cwd: str = ""
    opened: Mapping[str | int, float] = field(default_factory=dict)  # id -> seconds since 1970

    def asker(self, client: str) -> Asker:
        """Who asks: as the environment named it, else its client and number, else by number."""
        return Asker(self._agent(client)[:MAX_NAME], Door.MCP, client, self.cwd)

    def _agent(self, client: str) -> str:
        if self.agent or not self.number:
            return self.agent
        if client:
            return f"{_plain(client)}-{self.number}"
        since = f"-{int(self.started * 1000)}" if self.started else ""
        return f"agent-{self.number}{since}"


ON_THE_LINE: ContextVar[Visitor | None] = ContextVar("tabwire_mcp_visitor", default=None)
"""Set for each connection of a pump; nobody for HTTP."""


def visitor_from(line: bytes) -> Visitor | None:
    """Who a pump says it is, in its first line; None where that is no such line."""
    try:
        said = json.loads(line)
        return Visitor(
            number=str(int(said["pid"])),
            started=float(said["started"]),
            agent=str(said.get("agent") or "").strip(),
            cwd=str(said.get("cwd") or ""),
            opened={request: float(at) for request, at in said.get("open") or ()},
        )
    except (ValueError, TypeError, KeyError, AttributeError):
        return None


def visitor_now(request: Any) -> Visitor:
    """Who makes the call that is being answered; `request` is its HTTP request, if it has one."""
    visitor = ON_THE_LINE.get()
    if visitor is not None:
        return visitor
    headers: Mapping[str, str] = getattr(request, "headers", {})
    session = headers.get(SESSION_HEADER, "")[:8]
    return Visitor(session, agent=_plain(headers.get(AGENT_HEADER, "")) if headers else "")


def _plain(name: str) -> str:
    """A name that can stand in a file name and on a command line."""
    return re.sub(r"[^a-z0-9._]+", "-", name.strip().lower()).strip("-")[:MAX_NAME]
