"""What the autopilot may do, what it did, and what it asks a person, as data."""

from dataclasses import asdict, dataclass, field
from enum import StrEnum
from typing import Any


class Switch(StrEnum):
    """What a person can let go on by itself, each apart."""

    COMMANDS = "commands"
    EDITS = "edits"
    PERMISSIONS = "permissions"
    PLANS = "plans"
    RETRIES = "retries"


@dataclass(frozen=True, slots=True)
class Switches:
    """What goes on by itself. Nothing does until somebody says so."""

    commands: bool = False
    edits: bool = False
    permissions: bool = False
    plans: bool = False
    retries: bool = False

    def has(self, switch: Switch) -> bool:
        """Whether this one is on."""
        return bool(getattr(self, switch.value))

    @property
    def on(self) -> tuple[Switch, ...]:
        """Those that are on."""
        return tuple(one for one in Switch if self.has(one))


ALL_ON = Switches(*(True,) * len(Switch))


class Act(StrEnum):
    """What a line of the audit is about."""

    CLICK = "click"  # is about to be clicked: on disk before it is
    CLICKED = "clicked"  # … and what was clicked went on
    UNVERIFIED = "unverified"  # … and nothing changed within the time
    NOT_CLICKED = "not_clicked"  # … and the page did not let it: `note` says why
    REFUSED = "refused"  # the guard denies it
    ASKED = "asked"  # a person has to say
    ANSWERED = "answered"  # a person said; `note` says what
    STOPPED = "stopped"  # too many retries
    ON = "on"
    OFF = "off"
    PANIC = "panic"
    STANDBY = "standby"  # another one drives this window
    DRIVES = "drives"


@dataclass(frozen=True, slots=True)
class AuditLine:
    """One line of the audit. Commands are in it by their hash alone."""

    at: float  # seconds since 1970
    act: Act
    window: str
    session: str = ""
    card: str = ""
    kind: str = ""
    control: str = ""
    verdict: str = ""
    rule: str = ""
    command_hash: str = ""
    card_hash: str = ""
    approval: str = ""
    by: str = ""  # who decided; "" is the autopilot itself
    away: bool = False  # nobody sat before the window
    note: str = ""
    number: int = 0  # in the order they were written; given by the store


class ApprovalState(StrEnum):
    """Where an approval stands. All but the first two are ends."""

    OPEN = "open"
    ANSWERING = "answering"  # somebody answered and the card is being looked at again
    APPROVED = "approved"
    REJECTED = "rejected"
    EXPIRED = "expired"
    GONE = "gone"  # the card went: somebody answered it in the window, or the agent went on
    CHANGED = "changed"  # the card says something else now
    FAILED = "failed"  # it was answered, and the click had no effect
    LOST = "lost"  # whoever asked is no more; the card, if it is still there, asks anew

    @property
    def is_open(self) -> bool:
        """Whether it can still be answered."""
        return self is ApprovalState.OPEN


@dataclass(frozen=True, slots=True)
class Approval:
    """A question to a person, bound to one card, to what it says, and to a time."""

    id: str
    window: str  # the key of the window
    workspace: str
    card: str
    card_hash: str
    command_hash: str
    kind: str
    title: str
    text: str
    command: str
    cwd: str
    verdict: str
    rule: str
    reason: str
    actions: tuple[str, ...]  # the labels on the card, for whoever shows it
    created_at: float
    expires_at: float
    state: ApprovalState = ApprovalState.OPEN
    by: str = ""
    answered_at: float | None = None
    note: str = ""

    @property
    def denied(self) -> bool:
        """The guard says never: only a person before the machine may approve it."""
        return self.verdict == "deny"


@dataclass(frozen=True, slots=True)
class Answerer:
    """Who answers, and from where. `from_chat`: over the network, by somebody's account."""

    name: str
    door: str = "cli"
    from_chat: bool = False
    channel: str = ""


@dataclass(frozen=True, slots=True)
class Answered:
    """What came of an answer: whether something was clicked, and what to tell who answered."""

    done: bool
    said: str
    approval: Approval | None = None


@dataclass(frozen=True, slots=True)
class AnswerResult:
    """The same, as doors tell it: of the approval only where it stands now."""

    done: bool
    said: str
    state: ApprovalState | None = None


# --- how it is ------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class WindowAutopilot:
    """What goes on by itself in one window, and whether this hub drives it."""

    window: str
    on: tuple[Switch, ...]
    drives: bool
    stands_by_for: int | None = None
    """The process that drives it instead."""


@dataclass(frozen=True, slots=True)
class WindowSwitches:
    """What was on in a window, or in all of them ("")."""

    window: str
    switches: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class WasOn:
    """What was on when the last hub ended. `turn_on`: the commands that turn it on again."""

    on: tuple[WindowSwitches, ...]
    since: float
    ended_at: float
    turn_on: tuple[str, ...]
    says: str


@dataclass(frozen=True, slots=True)
class AutopilotState:
    """What is on, in which windows, and how many questions wait."""

    on: tuple[Switch, ...] = ()
    windows: tuple[WindowAutopilot, ...] = ()
    asks: int = 0
    was_on: WasOn | None = None
    in_hub: bool = field(default=True, kw_only=True)
    """Of a hub; without one nothing is on, and only `was_on` is known."""

    def as_data(self) -> dict[str, Any]:
        """For JSON. Without a hub only what is known is in it."""
        facts = asdict(self)
        facts.pop("in_hub")
        if self.in_hub:
            return facts
        return {"on": facts["on"], "was_on": facts["was_on"]} if self.was_on is not None else {}


SECONDS_PER_CLICK = 5.0
"""What a click is taken to save, as seed 002 counts it."""


@dataclass(frozen=True, slots=True)
class Statistics:
    """Verified clicks of the autopilot, by what they were."""

    clicks: int = 0
    terminal_commands: int = 0
    file_edits: int = 0
    away: int = 0
    blocked: int = 0
    asked: int = 0
    sessions: int = 0

    @property
    def time_saved_seconds(self) -> float:
        """An estimate, and called one."""
        return self.clicks * SECONDS_PER_CLICK

    def as_data(self) -> dict[str, Any]:
        """For JSON."""
        return {**asdict(self), "time_saved_seconds": self.time_saved_seconds}


@dataclass(frozen=True, slots=True)
class StatisticsBySpan:
    """The same of this session of the hub, of this week, and of all time."""

    session: Statistics
    week: Statistics
    all: Statistics

    def as_data(self) -> dict[str, Any]:
        """For JSON."""
        spans = {"session": self.session, "week": self.week, "all": self.all}
        return {name: one.as_data() for name, one in spans.items()}


# --- what is told ---------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Asked:
    """A person has to say."""

    approval: Approval


@dataclass(frozen=True, slots=True)
class Closed:
    """An approval has come to its end; its state says which."""

    approval: Approval


@dataclass(frozen=True, slots=True)
class Did:
    """A line of the audit was written."""

    line: AuditLine


@dataclass(frozen=True, slots=True)
class Halted:
    """The autopilot does nothing more in a window (or in all, ""), and why."""

    window: str
    why: str


@dataclass(frozen=True, slots=True)
class StandsBy:
    """Another one drives this window: nothing is done here."""

    window: str
    pid: int


@dataclass(frozen=True, slots=True)
class Drives:
    """This window is ours from now on."""

    window: str


AutopilotEvent = Asked | Closed | Did | Halted | StandsBy | Drives
