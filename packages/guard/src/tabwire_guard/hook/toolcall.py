"""A tool call as the guard sees it, and what is decided about it."""

TYPE_CHECKING = False  # importing `typing` costs as much as reading the call
if TYPE_CHECKING:
    from collections.abc import Sequence


class InputError(ValueError):
    """What came in is not a tool call of that assistant."""


class ToolCall:
    """What a tool is about to do. A call that does none of these things is not judged."""

    __slots__ = ("asks", "command", "cwd", "event", "reads", "roots", "searches", "shell", "writes")

    def __init__(self, event: str, *, cwd: str, roots: "Sequence[str]" = (), asks: bool) -> None:
        self.event = event
        self.cwd = cwd
        """Where a command would run and relative paths begin."""
        self.roots = tuple(roots) or (cwd,)
        """The folders of the project."""
        self.asks = asks
        """Whether the assistant can ask the person at this event."""
        self.command: str | None = None
        """A command for a shell."""
        self.shell = "bash"
        self.writes: tuple[str, ...] = ()
        """Files that are written, changed, moved or deleted."""
        self.reads: tuple[str, ...] = ()
        self.searches: tuple[str, ...] = ()
        """Folders that are searched as a whole."""

    @property
    def judged(self) -> bool:
        """Whether there is anything to judge."""
        return self.command is not None or bool(self.writes or self.reads or self.searches)


NO_DECISION, ALLOW, ASK, DENY = "none", "allow", "ask", "deny"
_ORDER = (NO_DECISION, ALLOW, ASK, DENY)


class Decision:
    """A verdict on a tool call; `none` leaves it to the assistant's own permissions."""

    __slots__ = ("reason", "rule", "segment", "verdict")

    def __init__(self, verdict: str, reason: str = "", rule: str = "", segment: str = "") -> None:
        self.verdict = verdict
        self.reason = reason
        self.rule = rule
        self.segment = segment

    def worse(self, other: "Decision") -> "Decision":
        """The stricter of two."""
        return other if _ORDER.index(other.verdict) > _ORDER.index(self.verdict) else self
