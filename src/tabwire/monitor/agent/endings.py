"""How a run ended, and whether it has: what a panel says beside its stop control.

The control may be gone for a while although the agent works on: then a step still runs, or the
status line says so, and it is waited for. Somebody who presses it, or words that say so, make an
end a stop. An error that stands there at the end, with nothing said after it, makes it a failure.
"""

from collections.abc import Iterable, Mapping

from tabwire.fusion.monitor_phases import Phase
from tabwire.model.agent import Card, Panel, RowKind
from tabwire.monitor.agent.ledger import KnownRow

BUSY_SECONDS = 8.0
"""For so long a panel that shows work is believed, though its stop control is gone."""

WORKS_ON_SECONDS = 3.0
"""A stop control that is there for so long after somebody pressed it has stopped nothing."""

_BESIDE = frozenset({RowKind.IMAGE, RowKind.ARTIFACT, RowKind.FILES, RowKind.GAP, RowKind.FOLD})


class Endings:
    """Of one run. `see` each state of the panel first."""

    def __init__(self, panel: Panel, cards: Iterable[str]) -> None:
        self._presses = panel.presses
        self._pressed_at: float | None = None
        self._gone_at: float | None = None
        self._said_before = panel.stopped
        self._before = frozenset(cards)  # errors of before are not this run's

    def see(self, panel: Panel, now: float) -> None:
        """The panel as it is now."""
        if panel.presses > self._presses:
            self._pressed_at = now
        self._presses = panel.presses  # another document counts anew
        self._said_before = self._said_before and panel.stopped
        if panel.stop:
            self._gone_at = None
            if self._pressed_at is not None and now >= self._pressed_at + WORKS_ON_SECONDS:
                self._pressed_at = None
        elif self._gone_at is None:
            self._gone_at = now

    def stopped(self, panel: Panel) -> bool:
        """Whether somebody stopped it."""
        return self._pressed_at is not None or (panel.stopped and not self._said_before)

    def busy_until(self, panel: Panel) -> float | None:
        """Till when it is at work for all we know; None where nothing says so."""
        if self._gone_at is None or self.stopped(panel):
            return None
        rows = panel.open[-1].rows if panel.open else ()
        works = bool(panel.status) or any(one.state == "running" for one in rows)
        return self._gone_at + BUSY_SECONDS if works else None

    def failure(
        self, cards: Mapping[str, Card], rows: Iterable[KnownRow], log: Iterable[str]
    ) -> str:
        """What went wrong, where that is the last word. `rows`: of the newest turn; `log`: ids of
        those that are of this run."""
        open_errors = [
            one.text for one in cards.values() if one.kind == "error" and one.id not in self._before
        ]
        if open_errors:
            return open_errors[0]
        mine, failed = frozenset(log), []
        for one in reversed([one for one in rows if one.row.kind not in _BESIDE]):
            if one.row.kind is not RowKind.NOTICE or one.id not in mine:
                break
            if one.row.state == "failed":
                failed.append(one.row.text)
        return "; ".join(reversed(failed))

    def how(self, panel: Panel, failure: str) -> Phase:
        """The phase of a run that is over now."""
        if self.stopped(panel):
            return Phase.STOPPED
        return Phase.FAILED if failure else Phase.COMPLETE


def why_no_log(panel: Panel, connected: bool = True) -> str:
    """Why a log stays empty: seed 000, section 9, as an answer."""
    if not connected:
        return "the window is not connected"
    if not panel.panel:
        return NO_PANEL
    if panel.loose is not None and not panel.recognised:
        return (
            "the panel's structure is unknown, and none of its text looks like a log: run "
            "`tabwire antigravity doctor` and `tabwire antigravity dump`"
        )
    if panel.older and not panel.open:
        return "the messages are not rendered: scroll the panel to its end"
    return "the agent used no tool and showed no thinking in this run"


NO_PANEL = "no agent panel is open in this window"
