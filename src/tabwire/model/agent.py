"""What an agent panel shows and what befalls the runs in it, as data.

A *panel* holds a conversation of *turns*; a turn is a question and the *rows* that follow it. A
*card* is what asks for a decision. A *run* is one piece of the agent's work, from its begin to
its end; two streams are told of it, the *output* (what it says) and the *log* (what it does).
"""

import hashlib
from dataclasses import dataclass, field
from enum import StrEnum


class RowKind(StrEnum):
    """What a row is, by where it stands."""

    PROSE = "prose"  # what the agent says: the only kind that is output
    THINKING = "thinking"
    TOOL = "tool"
    COMMAND = "command"
    TASK = "task"
    NOTE = "note"  # prose inside a task: a step of it
    NARRATION = "narration"  # prose in folded work
    FOLD = "fold"  # a line that stands for folded work
    PLAN = "plan"
    ARTIFACT = "artifact"
    FILES = "files"
    NOTICE = "notice"
    IMAGE = "image"
    GAP = "gap"  # rows that are not drawn now
    ENTRY = "entry"  # a log entry told by words alone, where the structure is not known


@dataclass(frozen=True, slots=True)
class Row:
    """One row of a turn. `token` names its element for as long as that lives."""

    token: int
    kind: RowKind
    label: str = ""
    text: str = ""
    target: str = ""
    command: str = ""
    cwd: str = ""
    shortened: bool = False
    """The command is not there whole: an ellipsis stands in it."""
    exit_code: int | None = None
    state: str = ""  # waiting, running, done, failed, rejected
    src: str = ""
    width: int = 0
    height: int = 0

    @property
    def line(self) -> str:
        """The row as one entry of the log."""
        if self.kind is RowKind.COMMAND:
            where = f"{self.cwd} $ " if self.cwd else "$ "
            end = "" if self.exit_code is None else f" (exit code {self.exit_code})"
            return (
                f"{self.label}: {where}{self.command}{end}"
                if self.label
                else f"{where}{self.command}{end}"
            )
        if self.kind is RowKind.TOOL:
            return self.text
        return "\n".join(part for part in (self.label, self.text) if part)


@dataclass(frozen=True, slots=True)
class Control:
    """A control of a card. `rule` is what its label means, "" where that is not known."""

    token: int
    label: str
    name: str
    role: str
    rule: str
    popup: str = ""
    visible: bool = False
    enabled: bool = False
    onscreen: bool = False
    occluded: bool = False
    rect: tuple[int, int, int, int] = (0, 0, 0, 0)


@dataclass(frozen=True, slots=True)
class Card:
    """What asks for a decision. `id` stays with this very card; `hash` is of all it says."""

    id: str
    kind: str
    """command, permission, plan, question, accept, continue or hidden_step, for which the agent
    waits; files, error or quota, for which it does not."""
    text: str
    hash: str
    command: str = ""
    cwd: str = ""
    shortened: bool = False
    title: str = ""
    place: str = "panel"  # or overlay
    controls: tuple[Control, ...] = ()
    token: int = 0
    turn: int = 0
    """The token of the turn it stands in; 0 beside or over the turns."""

    def control(self, *rules: str) -> Control | None:
        """The first control that means one of these."""
        return next((one for one in self.controls if one.rule in rules), None)


def card_hash(kind: str, text: str, cwd: str, command: str) -> str:
    """What the page makes of a card's words; whoever clicks compares it."""
    said = f"{kind}\n{text}\n{cwd}\n{command}"
    return hashlib.sha256(said.encode("utf-8", "replace")).hexdigest()


@dataclass(frozen=True, slots=True)
class TurnSeen:
    """One turn in the list, as its head says. `user` is a hash of the question."""

    token: int
    user: str = ""
    gap: bool = False
    rows: int = 0


@dataclass(frozen=True, slots=True)
class OpenTurn:
    """A turn that may still change, with its rows."""

    token: int
    user: str = ""
    rows: tuple[Row, ...] = ()


@dataclass(frozen=True, slots=True)
class Loose:
    """What words and scores make of a panel whose structure is not known."""

    text: str | None = None
    logs: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Panel:
    """The panel at one moment."""

    url: str = ""
    title: str = ""
    panel: bool = False
    pack: str | None = None
    recognised: bool = False
    conversation: str = ""
    stop: bool = False
    send: bool = False
    composer: bool = False
    status: str = ""
    closed: bool = False
    """The newest turn can be called good or bad: the page itself says that it is over."""
    presses: int = 0
    """How often somebody pressed what stops the agent, in this document since it is watched."""
    stopped: bool = False
    """The last thing in the newest turn says that somebody stopped it."""
    model: str = ""
    mode: str = ""
    hidden: bool = False
    frame: bool = False
    older: bool = False
    turns: tuple[TurnSeen, ...] = ()
    open: tuple[OpenTurn, ...] = ()
    cards: tuple[Card, ...] = ()
    quota: tuple[str, ...] = ()
    loose: Loose | None = None
    at: float = 0.0


@dataclass(frozen=True, slots=True)
class PartHealth:
    """One part of a selector pack on this page. `rung` 1 is its best selector, 0 none."""

    part: str
    css: str
    rung: int
    count: int
    known: int


@dataclass(frozen=True, slots=True)
class PackHealth:
    """One pack on this page."""

    name: str
    parts: tuple[PartHealth, ...]

    @property
    def found(self) -> tuple[str, ...]:
        """Parts that are there."""
        return tuple(one.part for one in self.parts if one.rung)

    @property
    def missing(self) -> tuple[str, ...]:
        """Parts that are known and not there. Many come and go: a stop control, a card."""
        return tuple(one.part for one in self.parts if one.known and not one.rung)


@dataclass(frozen=True, slots=True)
class SelfTest:
    """Which pack was taken, and which of its parts were recognised."""

    url: str
    panel: bool
    pack: str | None
    recognised: bool
    packs: tuple[PackHealth, ...] = ()

    @property
    def taken(self) -> PackHealth | None:
        """How the pack that was taken fares."""
        return next((one for one in self.packs if one.name == self.pack), None)


# --- what is told of runs -------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class AgentAttached:
    """A window is followed."""

    at: float
    window: str
    test: SelfTest
    conversation: str = ""
    model: str = ""


@dataclass(frozen=True, slots=True)
class AgentPhase:
    """The phase of a run changed. `text` is its output so far."""

    at: float
    window: str
    run: int
    phase: str
    text: str = ""
    why: str = ""


@dataclass(frozen=True, slots=True)
class AgentProgress:
    """The output of a run, whole, as it stands now."""

    at: float
    window: str
    run: int
    text: str


@dataclass(frozen=True, slots=True)
class LogEntry:
    """One line of the log. `revision` above 1: the same row says more now (its exit code)."""

    id: str
    kind: RowKind
    text: str
    command: str = ""
    cwd: str = ""
    shortened: bool = False
    exit_code: int | None = None
    state: str = ""
    target: str = ""
    revision: int = 1


@dataclass(frozen=True, slots=True)
class AgentLog:
    """New or changed lines of the log, in their order."""

    at: float
    window: str
    run: int
    entries: tuple[LogEntry, ...]


@dataclass(frozen=True, slots=True)
class AgentImage:
    """The agent made a picture."""

    at: float
    window: str
    run: int
    src: str
    alt: str
    width: int
    height: int
    token: int


@dataclass(frozen=True, slots=True)
class AgentCard:
    """A card appeared, once for each card; `gone` when it asks no more."""

    at: float
    window: str
    run: int
    card: Card
    gone: bool = False


@dataclass(frozen=True, slots=True)
class AgentQuota:
    """The page says that a limit is reached. `model` is the one in use."""

    at: float
    window: str
    run: int
    text: str
    model: str


@dataclass(frozen=True, slots=True)
class AgentEnded:
    """A run ended: `complete`, `stopped`, `failed`, `timeout` or `quota_reached`.

    `quota`: a limit was reached, also after words. `lost`: its window went and stayed away.
    `why_no_log` says why the log is empty, where it is.
    """

    at: float
    window: str
    run: int
    phase: str
    text: str
    answer: str = ""
    """What it said after the last thing it did; the end of `text`."""
    log: tuple[LogEntry, ...] = ()
    quota: bool = False
    error: str = ""
    why: str = ""
    why_no_log: str = ""
    images: int = 0
    lost: bool = False


@dataclass(frozen=True, slots=True)
class AgentShown:
    """An agent panel is shown in the window, or none is any more: `why` says what to do."""

    at: float
    window: str
    shown: bool
    why: str = ""


@dataclass(frozen=True, slots=True)
class AgentLost:
    """The window stayed away for longer than it is waited for: it is followed no more."""

    at: float
    window: str
    after_seconds: float
    why: str = ""


AgentEvent = (
    AgentAttached
    | AgentPhase
    | AgentProgress
    | AgentLog
    | AgentImage
    | AgentCard
    | AgentQuota
    | AgentEnded
    | AgentShown
    | AgentLost
)


@dataclass(frozen=True, slots=True)
class Candidate:
    """One text the classic profile looked at, for whoever asks why it was not taken."""

    selector: str
    score: int
    classified: str
    text: str = field(repr=False)
