"""What may befall a tab, as data. `at` is monotonic seconds, when we heard of it.

What Chromium 156 says (seen on 2026-11-16):
- A tab somebody is attached to is never discarded ("Tab is currently using DevTools"), not
  even on demand. One nobody is attached to is replaced: a new target with the same address
  and, at once, a title, then the old target is destroyed. The new one answers nothing until
  it is reloaded.
- A frozen page runs none of its own tasks, yet answers DevTools; only the page itself is
  told that it froze.
- After a crash the session lives on and answers nothing; a reload revives it.
"""

from dataclasses import dataclass
from typing import ClassVar

DIALOG_SECONDS = 120.0
"""How long a person has to find a dialog of the page and answer it: so long it is waited for."""

_NEW_TAB = "Open the conversation in a new tab."


@dataclass(frozen=True, slots=True)
class _Befallen:
    """What all have: a time, and sentences for whoever hears of it."""

    at: float

    said: ClassVar[str]
    remedy: ClassVar[str]
    """What helps."""

    @property
    def words(self) -> str:
        """As a sentence would say it."""
        return self.said.format(it=self)


@dataclass(frozen=True, slots=True)
class Crashed(_Befallen):
    """The tab's process died. A reload brings it back into the same session."""

    said = "the tab crashed"
    remedy = "Reload the tab."


@dataclass(frozen=True, slots=True)
class Closed(_Befallen):
    """The tab was closed, or the browser took it away from us."""

    said = "the tab was closed"
    remedy = _NEW_TAB


@dataclass(frozen=True, slots=True)
class Cancelled(_Befallen):
    """The person pressed Cancel on the bar in which Chrome says that a tab is debugged. They are
    obeyed: whoever used the tab gets no other one by itself."""

    said = "you pressed Cancel on the bar in which Chrome says that the tab is being debugged"
    remedy = "Tabwire does nothing more in your browser. Ask again when it may continue."


@dataclass(frozen=True, slots=True)
class Withdrawn(_Befallen):
    """The person took the tab out of our group, or offers it no more."""

    said = (
        "you took the tab back from Tabwire: it was removed from its group or is no longer offered"
    )
    remedy = "Offer the tab in the extension's popup, or ask again in a new one."


@dataclass(frozen=True, slots=True)
class Unheard(_Befallen):
    """Something the tab said was lost on its way, so what follows cannot be trusted."""

    said = "the extension was disconnected for too long; data from the tab was lost"
    remedy = "Read the conversation again."


@dataclass(frozen=True, slots=True)
class Discarded(_Befallen):
    """The browser put the tab to sleep to save memory; `target` is what stands in its place."""

    target: str = ""

    said = "the browser discarded the tab to save memory"
    remedy = "Reload the tab, or open the conversation in a new one."


@dataclass(frozen=True, slots=True)
class Disconnected(_Befallen):
    """The line to the browser is gone, and every tab with it."""

    why: str

    said = "the connection to the browser was lost: {it.why}"
    remedy = "Check that the browser is still running; restart it if it is not."


@dataclass(frozen=True, slots=True)
class Reloaded(_Befallen):
    """The same page once more: all that was under way in it is gone."""

    url: str

    said = "the tab was reloaded: {it.url}"
    remedy = "Read the conversation again."


@dataclass(frozen=True, slots=True)
class Navigated(_Befallen):
    """Another address. Within the same document the page itself lives on."""

    url: str
    same_document: bool

    said = "the tab {it.how}: {it.url}"
    remedy = "Go back to the conversation, or open it in a new tab."

    @property
    def how(self) -> str:
        """In which way it went."""
        return "changed its address" if self.same_document else "went to another page"


@dataclass(frozen=True, slots=True)
class Frozen(_Befallen):
    """The browser suspended the page; nothing happens in it until it thaws."""

    said = "the browser froze the tab"
    remedy = "Switch to the tab to unfreeze it."


@dataclass(frozen=True, slots=True)
class Thawed(_Befallen):
    """The page goes on where it stopped."""

    said = "the tab is awake again"
    remedy = "Nothing is wrong."


@dataclass(frozen=True, slots=True)
class NotLoaded(_Befallen):
    """The browser shows its own page in the place of the one that was wanted."""

    url: str

    said = "the page did not load: {it.url}"
    remedy = "Check the address and the network, then reload the tab."


@dataclass(frozen=True, slots=True)
class DialogOpened(_Befallen):
    """A dialog of the page's script: an alert, a question. Until it is answered the page stands
    still, and with it all that is asked of it."""

    kind: str
    message: str

    said = "the page shows a dialog ({it.kind}) and is blocked until it is answered: {it.message}"
    remedy = "Answer it in the tab."

    @property
    def until(self) -> float:
        """How long it is waited for, by the clock of `at`."""
        return self.at + DIALOG_SECONDS


@dataclass(frozen=True, slots=True)
class DialogClosed(_Befallen):
    """Somebody answered it."""

    said = "the dialog is closed; the page continues"
    remedy = "Nothing is wrong."


TakenAway = Cancelled | Withdrawn | Unheard
"""The tab is there, and the extension's relay says that it is no more ours."""

TAKEN: dict[str, type[TakenAway]] = {
    "canceled_by_user": Cancelled,
    "withdrawn": Withdrawn,
    "lost": Unheard,
}
"""By the relay's reasons."""

End = Crashed | Closed | Discarded | Disconnected | TakenAway
LifeEvent = End | Reloaded | Navigated | NotLoaded | Frozen | Thawed | DialogOpened | DialogClosed

ENDS = (Crashed, Closed, Discarded, Disconnected, Cancelled, Withdrawn, Unheard)
"""After one of these the tab can no longer be read through its session. `Crashed` alone is
taken back: by the `Reloaded` or `Navigated` that brings the page back into the session."""
