"""How long each part of an ask took."""

from collections.abc import Callable

from tabwire.model.ask import AskEvent, Phase, PhaseBegan, Timings


class Stopwatch:
    """Notes when each phase began, and tells it."""

    def __init__(
        self,
        site: str,
        tell: Callable[[AskEvent], None],
        clock: Callable[[], float],
        *,
        began: float | None = None,
    ) -> None:
        self._site = site
        self._tell = tell
        self._clock = clock
        self._began = clock() if began is None else began
        self._marks: list[tuple[Phase, float]] = []
        self.left_at: float | None = None
        self.first_at: float | None = None
        self.heard_at: float | None = None  # the browser's time of what decided the verdict
        self.judged_at: float | None = None
        self._last: tuple[Phase, str] | None = None

    def phase(self, phase: Phase, note: str = "") -> None:
        """The ask does this now. Told once where nothing changes."""
        if self._last == (phase, note):
            return
        if self._last is None or self._last[0] is not phase:
            self._marks.append((phase, self._clock()))
        self._last = phase, note
        self._tell(PhaseBegan(self._site, phase, self._clock(), note))

    def note(self, words: str) -> None:
        """Something is to be said of what the ask does now."""
        if self._last is not None:
            self.phase(self._last[0], words)

    def look_on(self) -> None:
        """The verdict was not the end: whoever asked goes on waiting."""
        self.judged_at = self.heard_at = None

    def timings(self) -> Timings:
        """What is known now, in milliseconds."""
        now = self.judged_at or self._clock()
        spans: dict[Phase, float] = {}
        ends = [*[at for _phase, at in self._marks[1:]], now]
        for (phase, at), end in zip(self._marks, ends, strict=False):
            spans[phase] = spans.get(phase, 0.0) + max(0.0, end - at)
        first_mark = self._marks[0][1] if self._marks else now

        def span(phase: Phase) -> float | None:
            return _ms(spans[phase]) if phase in spans else None

        return Timings(
            connect=_ms(first_mark - self._began),
            navigate=span(Phase.NAVIGATE),
            wait_input=span(Phase.WAIT_INPUT),
            input=span(Phase.INPUT),
            send=span(Phase.SEND),
            wait_response=_ms(now - self.left_at) if self.left_at is not None else None,
            first_token=self._between(self.left_at, self.first_at),
            detect=self._between(self.heard_at, self.judged_at),
            total=_ms(now - self._began),
        )

    @staticmethod
    def _between(start: float | None, end: float | None) -> float | None:
        return _ms(end - start) if start is not None and end is not None else None


def _ms(seconds: float) -> float:
    return round(max(0.0, seconds) * 1000, 3)
