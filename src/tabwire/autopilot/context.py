"""What a pilot is handed. It never sees the store, the guard's files or who else runs."""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass

from tabwire.autopilot.ruling import Judge
from tabwire.model.autopilot import (
    Approval,
    ApprovalState,
    AuditLine,
    AutopilotEvent,
    Switches,
)


@dataclass(frozen=True, slots=True)
class Given:
    """Callables of whoever runs a pilot."""

    judge: Judge | None
    """The guard with the person's rules; None: there is none, and nothing is clicked."""
    audit: Callable[[AuditLine], Awaitable[None]]
    """Write a line down; on disk when it returns. Where it raises, nothing is clicked."""
    open: Callable[[Approval], Awaitable[None]]
    """Keep a question, before anybody is told of it."""
    close: Callable[[str, ApprovalState, str], Awaitable[Approval | None]]
    """Bring a question to its end, if it is still open; what it is then."""
    tell: Callable[[AutopilotEvent], None]
    switches: Callable[[], Switches]
    """What goes on by itself, at this moment. All off: nothing does."""
    stopped: Callable[[], str]
    """Why nothing at all may be clicked now, "" where it may: stopped, or another one drives."""
    session: str = ""
    rules: Callable[[], object] = tuple
    """What the guard goes by at this moment: another value, and a card is judged anew."""
    refused: frozenset[str] = frozenset()
    """Hashes of cards that were refused in this window before: counted once, also by the next."""
