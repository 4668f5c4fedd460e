"""The events of runs as the five callbacks of seed 000 (section 5).

What an agent says and does is told apart in the panel itself. A line of its log that stands in
the text all the same is found once more here, as the seed has it, and goes to the log.
"""

from collections.abc import Callable
from dataclasses import dataclass

from tabwire.model.agent import AgentEnded, AgentEvent, AgentLog, AgentPhase, AgentProgress
from tabwire.sites.antigravity.filters import split_output_and_logs


def _nothing(*_: object) -> None:
    """Nobody listens."""


@dataclass(frozen=True, slots=True)
class Callbacks:
    """Who wants to hear what. An instance is itself a listener to events."""

    on_phase_change: Callable[[str, str], None] = _nothing
    on_process_log: Callable[[str], None] = _nothing
    on_progress: Callable[[str], None] = _nothing
    on_complete: Callable[[str], None] = _nothing
    on_timeout: Callable[[str], None] = _nothing

    def __call__(self, event: AgentEvent) -> None:
        """Tell it to whom it concerns. A run that met its limit, was stopped or failed is over
        with what it has; its phase was told before."""
        match event:
            case AgentPhase(phase=phase, text=text):
                self.on_phase_change(phase, text)
            case AgentLog(entries=entries):
                self.on_process_log("\n\n".join(one.text for one in entries))
            case AgentProgress(text=text):
                self._progress(text)
            case AgentEnded(phase="timeout", text=text):
                self.on_timeout(text)
            case AgentEnded(text=text):
                self.on_complete(text)
            case _:
                pass

    def _progress(self, text: str) -> None:
        split = split_output_and_logs(text)
        if split.logs and split.output:
            self.on_process_log(split.logs)
            text = split.output
        self.on_progress(text)
