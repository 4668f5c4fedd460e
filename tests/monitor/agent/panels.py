"""Panels written by hand, and a machine that is shown them at given seconds."""

from itertools import count

from tabwire.model.agent import (
    AgentCard,
    AgentEnded,
    AgentLog,
    AgentPhase,
    AgentProgress,
    Card,
    OpenTurn,
    Panel,
    Row,
    RowKind,
    TurnSeen,
    card_hash,
)
from tabwire.monitor.agent.runs import Runs

_tokens = count(1000)


def prose(text, token=None):
    return Row(token or next(_tokens), RowKind.PROSE, text=text)


def think(text, label="Thinking", token=None):
    return Row(token or next(_tokens), RowKind.THINKING, label=label, text=text)


def tool(label, target, more="", token=None, state="done"):
    text = " ".join(filter(None, [label, target, more]))
    return Row(token or next(_tokens), RowKind.TOOL, label, text, target, state=state)


def command(line, state="done", exit_code=None, token=None, label="Ran command"):
    return Row(
        token or next(_tokens), RowKind.COMMAND, label, command=line, cwd="~/shop", state=state,
        exit_code=exit_code,
    )  # fmt: skip


def gap(token=None):
    return Row(token or next(_tokens), RowKind.GAP)


def card(kind="command", line="npm test", id_="c1", turn=0, text="Run command?"):
    return Card(id_, kind, text, card_hash(kind, text, "~/shop", line), line, "~/shop", turn=turn)


def panel(*turns, stop=False, cards=(), quota=(), hidden=False, **more):
    """Turns are (question, rows) or (question, rows, token); None is one that is not drawn."""
    seen, opened = [], []
    for at, one in enumerate(turns):
        if one is None:
            seen.append(TurnSeen(10 + at, "", True, 1))
            continue
        user, rows, token = (*one, 10 + at)[:3]
        seen.append(TurnSeen(token, f"h:{user}" if user else "", False, len(rows)))
        opened.append(OpenTurn(token, user, tuple(rows)))
    return Panel(
        panel=True, recognised=True, pack="side-panel", stop=stop, turns=tuple(seen),
        open=tuple(opened[-2:]), cards=tuple(cards), quota=tuple(quota), hidden=hidden, **more,
    )  # fmt: skip


class Story:
    """A window that is shown panels; events are kept."""

    def __init__(self, first, **options):
        self.runs = Runs("w", first, 0.0, **options)
        self.now = 0.0
        self.events = list(self.runs.opening(0.0))

    def at(self, now, shown=None):
        """Time passes to `now`, deadline by deadline; then the panel is `shown`."""
        while (due := self.runs.next_deadline()) is not None and due <= now:
            self.now = max(due, self.now)
            self.events += self.runs.tick(self.now)
        self.now = now
        if shown is not None:
            self.events += self.runs.feed(shown, now)
        return self

    def of(self, kind):
        return [one for one in self.events if isinstance(one, kind)]

    @property
    def phases(self):
        return [one.phase for one in self.of(AgentPhase)]

    @property
    def progress(self):
        return [one.text for one in self.of(AgentProgress)]

    @property
    def log(self):
        """Entries as they were told, a changed one once more."""
        return [entry.text for one in self.of(AgentLog) for entry in one.entries]

    @property
    def rows(self):
        """Names of the rows that were told, each once."""
        return list(dict.fromkeys(e.id for one in self.of(AgentLog) for e in one.entries))

    @property
    def ends(self):
        return [(one.phase, one.text) for one in self.of(AgentEnded)]

    @property
    def cards(self):
        return [(one.card.id, one.gone) for one in self.of(AgentCard)]
