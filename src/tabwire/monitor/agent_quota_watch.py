"""From banners and readings, and from time: which model is used up, and when to go on.

Two witnesses. The panel's banner says that the model in use is used up and never that it is back;
the language server says both. A banner whose model the server calls available at the same time
is believed for a while: it is shown before the server has counted. Without the server, a banner
is believed until a run of that model gets on, or until the time it names.

An *episode* is one time of being used up. When it is over, whoever waits for it is told once:
the queue, or `Continue`. Pure; time is an argument.
"""

import re
from dataclasses import dataclass, field

from tabwire.monitor.agent_quota import UNKNOWN, Allowance, Quota, QuotaState

BANNER_SECONDS = 90.0
"""How long a banner is believed against a server that says there is something left: the
server's numbers are a minute old."""


@dataclass(frozen=True, slots=True)
class QuotaChanged:
    """The state of one model changed. `by` is `banner`, `server` or `run`."""

    at: float
    model: str
    before: QuotaState
    quota: Quota
    by: str


@dataclass(frozen=True, slots=True)
class QuotaBack:
    """A model that was used up is back: once for each episode."""

    at: float
    model: str
    episode: int


@dataclass(frozen=True, slots=True)
class Continued:
    """A window was told to go on, or why it was not."""

    at: float
    window: str
    model: str
    sent: bool
    why: str = ""


QuotaEvent = QuotaChanged | QuotaBack | Continued


@dataclass(slots=True)
class _Known:
    server: Quota = UNKNOWN
    banner_at: float | None = None
    banner_until: float | None = None
    told: QuotaState = QuotaState.UNKNOWN
    episode: int = 0
    open: bool = False  # an episode that is not over


@dataclass(slots=True)
class QuotaWatch:
    """All models of one account. Times are seconds since 1970."""

    allowance: Allowance | None = None
    _models: dict[str, _Known] = field(default_factory=dict)

    def of(self, model: str, now: float) -> Quota:
        """What is known of a model now. A model nobody spoke of is unknown."""
        known = self._models.get(model)
        if known is None:
            return self.allowance.of(model) if self.allowance else UNKNOWN
        until = known.banner_until
        if known.banner_at is not None and (until is None or now < until):
            return Quota(QuotaState.EXHAUSTED, 0.0, until or known.server.resets_at)
        return known.server

    def blocks(self, model: str, now: float) -> bool:
        """Whether nothing should be sent to this model. Only the model in use is ever asked
        for, and unknown blocks nothing."""
        return self.of(model, now).state is QuotaState.EXHAUSTED

    def banner(self, model: str, text: str, now: float) -> tuple[QuotaChanged | QuotaBack, ...]:
        """The panel says that the model in use is used up."""
        known = self._known(model)
        known.banner_at = now
        known.banner_until = reset_in(text, now)
        return self._told(model, now, "banner")

    def reading(
        self, allowance: Allowance, now: float, using: tuple[str, ...] = ()
    ) -> tuple[QuotaChanged | QuotaBack, ...]:
        """The server's numbers. `using`: models in use, whose names may not be among its own."""
        self.allowance = allowance
        events: list[QuotaChanged | QuotaBack] = []
        for model in dict.fromkeys(
            (*using, *(one.label for one in allowance.models), *self._models)
        ):
            known = self._known(model)
            known.server = allowance.of(model)
            there = known.server.state is QuotaState.AVAILABLE
            if known.banner_at is not None and there and now >= known.banner_at + BANNER_SECONDS:
                known.banner_at = known.banner_until = None
            events += self._told(model, now, "server")
        return tuple(events)

    def ran(self, model: str, now: float) -> tuple[QuotaChanged | QuotaBack, ...]:
        """A run of this model got on: it is not used up, whatever was said."""
        known = self._models.get(model)
        if known is None or known.banner_at is None:
            return ()
        known.banner_at = known.banner_until = None
        return self._told(model, now, "run")

    def tick(self, now: float) -> tuple[QuotaChanged | QuotaBack, ...]:
        """Let time pass: a banner that named its end is over then, where nobody else counts."""
        events: list[QuotaChanged | QuotaBack] = []
        for model, known in self._models.items():
            if known.banner_until is not None and now >= known.banner_until:
                known.banner_at = known.banner_until = None
                if known.server.state is QuotaState.UNKNOWN:
                    known.server = Quota(QuotaState.AVAILABLE)
                events += self._told(model, now, "banner")
        return tuple(events)

    def _known(self, model: str) -> _Known:
        return self._models.setdefault(model, _Known())

    def _told(self, model: str, now: float, by: str) -> tuple[QuotaChanged | QuotaBack, ...]:
        known = self._known(model)
        quota = self.of(model, now)
        before, known.told = known.told, quota.state
        if before is quota.state:
            return ()
        changed = QuotaChanged(now, model, before, quota, by)
        if quota.state is QuotaState.EXHAUSTED and not known.open:
            known.episode, known.open = known.episode + 1, True
        if quota.state is QuotaState.AVAILABLE and known.open:
            known.open = False
            if by != "run":  # somebody went on already
                return changed, QuotaBack(now, model, known.episode)
        return (changed,)


_UNITS = {"d": 86400, "h": 3600, "m": 60, "s": 1}
_SPAN = re.compile(
    r"(\d+)\s*(d(?=\W|\d|$)|days?|h(?=\W|\d|$)|hours?|hrs?|m(?=\W|\d|$)|min(?:ute)?s?|s(?=\W|$)|sec(?:ond)?s?|日|時間|分|秒)",
    re.IGNORECASE,
)
_JAPANESE = {"日": "d", "時間": "h", "分": "m", "秒": "s"}
_LEADS = re.compile(
    r"(?:reset\w*|refresh\w*|available|again|try again|back)\s+(?:\w+\s+)?in\s+(.{1,60})", re.I
)
_LEADS_JA = re.compile(r"(.{1,40})後に(?:リセット|回復|利用|再)")


def reset_in(text: str, now: float) -> float | None:
    """When a limit ends, where a banner says `resets in 2h 30m`; nothing else is guessed."""
    found = _LEADS.search(text) or _LEADS_JA.search(text)
    if found is None:
        return None
    spans = _SPAN.findall(found[1])
    seconds = sum(
        int(count) * _UNITS[_JAPANESE.get(unit, unit[0].lower())] for count, unit in spans
    )
    return now + seconds if seconds else None
