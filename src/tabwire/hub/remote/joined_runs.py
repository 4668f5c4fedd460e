"""Events of agent runs from one source after another, as if one had told them all.

The hub that told of a window may end; then another source tells of it from its own beginning.
Runs go on being counted. A run that is still under way there is the same run; one that is not
ended unseen, and that is said. No clock, no I/O.
"""

from dataclasses import replace
from typing import Any

from tabwire.model.agent import AgentEnded, AgentEvent, AgentPhase, AgentProgress

CUT = "the hub ended"
UNSEEN = "it ended while no hub followed it"
IDLE = ("waiting", "disconnected")


class JoinedRuns:
    """Of one window."""

    def __init__(self) -> None:
        self._window = ""
        self._run = 0  # the newest, as it was told
        self._before = 0  # how many were told before those of this source
        self._text = ""
        self._under_way = False
        self._is_cut = False

    def cut(self, now: float) -> tuple[AgentEvent, ...]:
        """The source is gone: what is to be told of that."""
        self._is_cut = True
        if not self._run:
            return ()
        return (AgentPhase(now, self._window, self._run, "disconnected", self._text, CUT),)

    def told(self, event: AgentEvent) -> tuple[AgentEvent, ...]:
        """The event as it is to be told, after whatever has to be told before it."""
        self._window = event.window
        run: int | None = getattr(event, "run", None)
        if run is None:
            return (event,)
        before: tuple[AgentEvent, ...] = ()
        if self._is_cut and isinstance(event, AgentPhase):
            before = self._resumed(event)
        anew: Any = event  # all that have a run are dataclasses
        told: AgentEvent = replace(anew, run=self._before + run)
        self._remember(told)
        return (*before, told)

    def _resumed(self, event: AgentPhase) -> tuple[AgentEvent, ...]:
        self._is_cut = False
        goes_on = self._under_way and event.phase not in IDLE
        self._before = self._run - 1 if goes_on else self._run
        if not self._under_way or goes_on:
            return ()
        self._under_way = False
        return (
            AgentEnded(
                event.at, event.window, self._run, "timeout", self._text, self._text,
                why=UNSEEN, why_no_log=UNSEEN, lost=True,
            ),
        )  # fmt: skip

    def _remember(self, event: AgentEvent) -> None:
        match event:
            case AgentPhase(run=run, phase=phase, text=text):
                self._run, self._text = run, text or self._text
                if phase == "waiting":
                    self._under_way, self._text = False, ""
                elif phase not in IDLE:
                    self._under_way = True
            case AgentEnded():
                self._under_way = False
            case AgentProgress(text=text):
                self._text = text
            case _:
                pass
