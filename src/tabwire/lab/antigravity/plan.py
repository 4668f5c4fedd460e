"""What the scripted agent does in one turn: steps in seconds, as data.

A plan is JSON or these classes; the same plan plays the same way each time. Each step names
its kind in the field `step`: `{"step": "say", "text": "Done."}`.
"""

from typing import Any, Literal

import msgspec

Variant = Literal["once", "plain", "split", "arrow", "choices", "script", "address"]
State = Literal["", "disabled", "aria-disabled", "untouchable", "hidden", "covered"]


class _Step(
    msgspec.Struct,
    frozen=True,
    tag_field="step",
    tag=str.lower,
    omit_defaults=True,
    forbid_unknown_fields=True,
):
    pass


class Think(_Step, frozen=True):
    """A thinking block. The words of a `Say` that follows stand in the same row."""

    text: str
    seconds: float = 0.4
    pieces: int = 4
    said: str = ""  # the label when it is over; without it from `seconds`


class Say(_Step, frozen=True):
    """Narration, or the answer: text (Markdown) that grows."""

    text: str
    seconds: float = 0.4
    pieces: int = 6


class Tool(_Step, frozen=True):
    """A tool row: `Analyzed`, `Edited`, `Created`, `Searched`, or a tool of an MCP server."""

    verb: str
    target: str = ""
    detail: str = ""  # `#L1-75`, `+1 -0`, `4 results`
    seconds: float = 0.1
    during: str = ""  # the verb while it runs
    bare: bool = False  # nothing turns while it runs, and done it stands in other nodes


class Command(_Step, frozen=True):
    """A command: a card that asks, or one that the settings let through (`ask=False`)."""

    command: str
    cwd: str = "~/shop"
    ask: bool = True
    output: str = ""
    exit_code: int = 0
    run_seconds: float = 0.1
    label: str = ""  # of the button, where it is not the language's own: `Accept`, `Execute`
    hint: str = "⌥⏎"  # the key beside the label
    header: str = ""
    policy: str = ""  # what the list box says: `Ask every time`, `Always run`
    shown: str = ""  # what stands in the card, where it is not the whole command
    nested: bool = False  # as `pre > code`
    unreadable: bool = False  # no command stands in the card at all
    labelled: bool = False  # it stands in the aria-label of the button only
    swaps: tuple[tuple[float, str], ...] = ()  # after so many seconds it is another command
    state: State = ""  # of the buttons
    state_seconds: float = 0.0  # for how long; 0 is until the end
    collapsed: bool = False  # behind "1 Step Requires Input" until somebody expands it
    reuse: bool = False  # in the very nodes of the card before
    wrapped: bool = False  # each button in a box of its own that is called a button, too
    goes_seconds: float = 0.0  # how long it stands there after it was pressed


class Permit(_Step, frozen=True):
    """A permission. `variant` is the shape of the dialog."""

    question: str = ""
    variant: Variant = "once"
    bare: bool = False  # no dialog around it, as some versions have it
    state: State = ""
    state_seconds: float = 0.0
    collapsed: bool = False
    goes_seconds: float = 0.0


class Change(_Step, frozen=True):
    """The changes bar: files with lines added and taken away. Nobody need answer it."""

    files: tuple[tuple[str, int, int], ...]
    plain: bool = False  # its buttons are boxes without any sign that they are some


class Propose(_Step, frozen=True):
    """A plan card with Open and Proceed."""

    title: str
    summary: str = ""
    body: str = ""  # shown once opened
    wait: bool = True
    goes_seconds: float = 0.0


class Notify(_Step, frozen=True):
    """A message of the agent in a plan's container, with nothing to press."""

    text: str


class Fail(_Step, frozen=True):
    """The error popup: Dismiss, Copy debug info, Retry. So many retries fail again."""

    text: str = ""
    times: int = 1  # popups before a retry helps; 0 is without end
    where: Literal["dialog", "overlay"] = "dialog"


class Limit(_Step, frozen=True):
    """The invocation limit: Continue. So many of them."""

    times: int = 1


class Quota(_Step, frozen=True):
    """The model's quota is used up: a banner, an inline error, a toast, a bare line over the
    composer, or a popup as of an error, with Retry. Ends the turn."""

    where: Literal["banner", "inline", "toast", "line", "popup"] = "banner"
    title: str = ""
    text: str = ""
    ends: bool = True


class Busy(_Step, frozen=True):
    """The servers are busy, says a row; the turn ends."""


class Picture(_Step, frozen=True):
    """A generated image."""

    width: int = 320
    height: int = 200
    alt: str = "Generated image"


class Imitate(_Step, frozen=True):
    """The answer holds what looks like a dialog, buttons and all. It is only text."""

    question: str = "Allow the agent to run this command?"
    command: str = "rm -rf /"
    buttons: tuple[str, ...] = ("Accept", "Run", "Allow Once")


class Task(_Step, frozen=True):
    """A task block with its own progress, in which further steps stand."""

    title: str
    summary: str = ""
    steps: tuple["Step", ...] = ()


class Pause(_Step, frozen=True):
    """Nothing for a while."""

    seconds: float


class Stall(_Step, frozen=True):
    """Nothing any more, until somebody stops it."""


class Flicker(_Step, frozen=True):
    """The stop control goes and comes back while the agent works on."""

    times: int = 2
    gone_seconds: float = 0.15
    back_seconds: float = 0.15


class Rerender(_Step, frozen=True):
    """All nodes of the conversation are replaced by others that say the same."""


class Virtual(_Step, frozen=True):
    """The list keeps so many turns; older ones are unmounted."""

    keep: int = 1


class Fill(_Step, frozen=True):
    """So many more nodes in the panel."""

    nodes: int = 20_000


class Title(_Step, frozen=True):
    """The conversation gets a title."""

    text: str


Step = (
    Think
    | Say
    | Tool
    | Command
    | Permit
    | Change
    | Propose
    | Notify
    | Fail
    | Limit
    | Quota
    | Busy
    | Picture
    | Imitate
    | Task
    | Pause
    | Stall
    | Flicker
    | Rerender
    | Virtual
    | Fill
    | Title
)


class Plan(msgspec.Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True):
    """One turn of the agent."""

    steps: tuple[Step, ...]
    name: str = ""
    about: str = ""
    prompt: str = "Please do it."  # where the turn starts without anybody typing
    lang: Literal["en", "ja"] | None = None  # of the labels; else the window's


class BadPlan(ValueError):
    """What was given is no plan; the words say where."""


def plan_from(told: Any) -> Plan:
    """A plan from JSON: text, bytes, or what it decodes to. Raises BadPlan."""
    try:
        if isinstance(told, str | bytes):
            return msgspec.json.decode(told, type=Plan)
        return msgspec.convert(told, Plan)
    except (msgspec.ValidationError, msgspec.DecodeError) as problem:
        raise BadPlan(str(problem)) from problem


def plan_json(plan: Plan) -> str:
    """A plan as JSON."""
    return msgspec.json.encode(plan).decode()
