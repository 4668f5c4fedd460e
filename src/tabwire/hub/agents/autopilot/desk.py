"""The autopilot of the hub's process, for the doors: on, off, stop, what it did, what it asks.

It drives the windows that `hub/agents/agents.py` follows, while the person allows it. Off until
somebody turns it on, in this process: a hub that starts anew begins with nothing switched on, and
says what was on before.
"""

import time
from dataclasses import dataclass
from datetime import datetime, timedelta

from tabwire.hub.agents.autopilot.autopilot import Autopilot
from tabwire.hub.agents.consent import require_consent
from tabwire.model.autopilot import (
    Answerer,
    AnswerResult,
    Approval,
    AutopilotState,
    StatisticsBySpan,
    Switch,
    Switches,
    WindowAutopilot,
)
from tabwire.model.errors import TabwireError
from tabwire.model.exits import USAGE

EVERYTHING = "all"


class NoSuchSwitch(TabwireError):
    """Not something that can go on by itself."""

    exit_code = USAGE

    def __init__(self, said: str) -> None:
        names = ", ".join([*(one.value for one in Switch), EVERYTHING])
        super().__init__(
            f"{said!r} cannot be continued automatically"
            if said
            else "choose what may continue automatically",
            what_to_do=f"Choose one or more of {names}.",
        )


def switches_of(names: list[str]) -> Switches:
    """What these words switch on. Raises `NoSuchSwitch`, also for none."""
    if not names:
        raise NoSuchSwitch("")
    known = {one.value for one in Switch}
    for name in names:
        if name not in (*known, EVERYTHING):
            raise NoSuchSwitch(name)
    wanted = known if EVERYTHING in names else set(names)
    return Switches(**{name: name in wanted for name in known})


@dataclass(frozen=True, slots=True)
class PilotDesk:
    """What doors may ask of the autopilot. Every method is awaited (hub/process/startup.py)."""

    autopilot: Autopilot

    async def state(self) -> AutopilotState:
        """What is on, which windows it drives, how many questions wait, and what was on when the
        hub before this one ended."""
        pilot = self.autopilot
        windows = tuple(
            WindowAutopilot(
                driven.seat.name,
                pilot.switches(key, driven.seat.name).on,
                driven.pilot is not None,
                driven.stands_by.pid if driven.stands_by else None,
            )
            for key, driven in pilot.windows.items()
        )
        on = {*pilot.switches().on, *(switch for window in windows for switch in window.on)}
        left = await pilot.left_on()
        return AutopilotState(
            tuple(one for one in Switch if one in on),
            windows,
            len(await pilot.approvals()),
            left.told() if left is not None else None,
        )

    async def turn_on(self, names: list[str], window: str = "", by: str = "") -> AutopilotState:
        """Let these go on by themselves, in one window or in all."""
        require_consent()
        await self.autopilot.on(switches_of(names), window=window, by=by)
        return await self.state()

    async def turn_off(self, window: str = "", by: str = "") -> AutopilotState:
        """Nothing goes on by itself any more."""
        await self.autopilot.off(window=window, by=by)
        return await self.state()

    async def stop(self, why: str = "", by: str = "") -> AutopilotState:
        """Stop everything, people's answers included, until it is turned on again."""
        await self.autopilot.panic(why, by=by)
        return await self.state()

    async def statistics(self) -> StatisticsBySpan:
        """Verified clicks: of this session, of this week, of all time. Reading changes nothing."""
        pilot = self.autopilot
        return StatisticsBySpan(
            session=await pilot.statistics(session=True),
            week=await pilot.statistics(since=_week_began(time.time())),
            all=await pilot.statistics(),
        )

    async def approvals(self) -> list[Approval]:
        """What waits for a person."""
        return await self.autopilot.approvals()

    async def answer(self, said: str, *, approve: bool, who: Answerer) -> AnswerResult:
        """A person's answer; whether something was clicked, and what to tell them."""
        answer = self.autopilot.approve if approve else self.autopilot.reject
        answered = await answer(said, who)
        state = answered.approval.state if answered.approval else None
        return AnswerResult(answered.done, answered.said, state)


def _week_began(now: float) -> float:
    """Sunday, as seed 002 counts weeks."""
    today = datetime.fromtimestamp(now).astimezone()
    sunday = today - timedelta(days=(today.weekday() + 1) % 7)
    return sunday.replace(hour=0, minute=0, second=0, microsecond=0).timestamp()
