"""Why something was not done in an agent panel, in a way a person can act on.

TabwireError
└── DriveError
    ├── PanelNotShown     no agent panel in this window: nothing was touched
    ├── AgentBusy         the agent works, or waits for a decision
    ├── PromptNotSent     it surely did not leave; what a person had typed is there again
    ├── PromptMaybeSent   nobody can know: look before anything is sent again
    ├── NoSuchName        no conversation, model or mode of exactly this name, or several
    └── NotDone           it was pressed, and the panel does not show it
"""

from collections.abc import Sequence

from tabwire.model.errors import Retry, TabwireError
from tabwire.model.exits import PARTIAL, USAGE

MAX_NAMES = 12  # of which an error reminds


class DriveError(TabwireError):
    """Of an agent panel."""


class PanelNotShown(DriveError):
    """Never guessed at: without the panel nothing in the window is."""

    def __init__(self) -> None:
        super().__init__(
            "no agent panel is open in this window",
            what_to_do="Open it in Antigravity (Ctrl+L, on a Mac Cmd+L), then try again.",
            retry=Retry.SAME,
        )


class AgentBusy(DriveError):
    """`why` says what it does."""

    def __init__(self, why: str) -> None:
        super().__init__(
            f"the agent is busy: {why}",
            what_to_do="Wait until it is done, answer what it asks, or stop it: "
            "`tabwire antigravity stop`. Nothing was sent.",
            retry=Retry.SAME,
        )


class PromptNotSent(DriveError):
    """It did not leave."""

    def __init__(self, why: str) -> None:
        super().__init__(
            f"the prompt was not sent: {why}",
            what_to_do="Look at the panel, then send it again.",
            retry=Retry.SAME,
        )


class PromptMaybeSent(DriveError):
    """It was pressed once, and the panel does not say."""

    exit_code = PARTIAL

    def __init__(self, why: str) -> None:
        super().__init__(
            f"cannot tell whether the prompt was sent: {why}",
            what_to_do="Look for it in the conversation before you send it again.",
            retry=Retry.RESUME,
        )


class NoSuchName(DriveError):
    """Never taken for another one, least of all for the one that is open."""

    exit_code = USAGE

    def __init__(self, kind: str, name: str, there: Sequence[str], *, why: str = "") -> None:
        some = ", ".join(repr(one) for one in there[:MAX_NAMES]) or "none"
        more = f" and {len(there) - MAX_NAMES} more" if len(there) > MAX_NAMES else ""
        super().__init__(
            f"there is no {kind} named {name!r}" if not why else f"{kind} {name!r}: {why}",
            what_to_do=f"Give one of these exactly: {some}{more}.",
        )
        self.names = tuple(there)


class NotDone(DriveError):
    """`what` was tried."""

    def __init__(self, what: str, seen: str) -> None:
        super().__init__(
            f"{what} had no effect: {seen}",
            what_to_do="Look at the window; `tabwire antigravity doctor` shows which parts of the "
            "panel are recognised.",
            retry=Retry.SAME,
        )
