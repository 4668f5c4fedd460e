"""What the page shows -> a witness of the newest answer.

The page is the last of the witnesses: it hints and confirms, it never proves. What it shows
is about the newest attempt only once the page has been seen at it: while an answer is asked
for, the exchange before still stands there with its action bar, finished and still.
"""

import re
from collections.abc import Callable

from tabwire.browser.observed import PageState, PageText
from tabwire.fusion.verdict import Judgement
from tabwire.model.signals import PageSaw, Source
from tabwire.monitor import sightings as told
from tabwire.monitor.sightings import Sighting
from tabwire.monitor.traffic import Traffic

UNHEARD = (
    "the page is writing an answer whose request was sent before Tabwire was listening: only the "
    "page can show it"
)
COMPARED = 60  # letters at the beginning of a prompt that must be in the question shown

_OTHER = re.compile(r"[\W_]+")


class Glances:
    """Turns states of the page into signals for the newest attempt.

    `wants_text` is called when the page shows the answer finished and its text would be
    evidence; `wants_patience` when the page writes an answer whose request we have not heard.
    A page shows its stop control a moment before its request leaves, so that is no news at
    first: `unheard` is to be called a little later.
    """

    def __init__(
        self,
        traffic: Traffic,
        *,
        tell: Callable[[Sighting], None],
        clock: Callable[[], float],
        wants_text: Callable[[], None],
        wants_patience: Callable[[], None],
    ) -> None:
        self.state: PageState | None = None
        self._traffic = traffic
        self._tell = tell
        self._clock = clock
        self._wants_text = wants_text
        self._wants_patience = wants_patience
        self._attempt: str | None = None
        self._newest_before = ""
        self._at_it = False  # the page has been seen at this attempt
        self._seen_finished = False
        self._patient = False  # the page writes what no attempt accounts for
        self._text: str | None = None
        self._notices: frozenset[tuple[str, str]] = frozenset()

    def hear(self, state: PageState) -> None:
        """Take one state of the page."""
        before, self.state = self.state, state
        self._tell_notices(state)
        if state.generating and self._unaccounted():
            self._patient = True
            self._wants_patience()
            return
        if self._patient and state.actions and state.text_length and self._unaccounted():
            self.unheard()  # it was over before our patience was
        if self._traffic.newest is None:
            return
        if self._traffic.newest != self._attempt:
            self._turn_to(self._traffic.newest, before.newest if before is not None else "")
        changed = before is not None and state.newest != self._newest_before
        self._at_it = self._at_it or state.generating or changed
        if self._at_it:
            self.look_again()
            if self.finished:
                self._seen_finished = True
                self._wants_text()

    @property
    def finished(self) -> bool:
        """Whether the page shows the newest answer finished."""
        state = self.state
        return self._at_it and state is not None and state.actions and not state.generating

    def look_again(self) -> None:
        """What was shown last still stands: stillness is evidence too."""
        if self.state is None or self._attempt is None or not self._at_it:
            return
        saw = PageSaw(self.state.generating, self.state.actions, self._text)
        self._traffic.feed(self._attempt, saw, Source.PAGE)

    def hear_text(self, shown: PageText | None) -> None:
        """Take the text of the newest answer as the page shows it."""
        if shown is None or not self.finished or self._attempt is None:
            return
        machine = self._traffic.fusion.machine(self._attempt)
        if machine is None or not _answers(shown.question, machine.findings.prompt):
            return
        self._text = shown.text
        self.look_again()

    def unheard(self) -> None:
        """The request of an answer that the page writes did not come: the page must do."""
        patient, self._patient = self._patient, False
        if self.state is None or not patient or not self._unaccounted():
            return
        if not (self.state.generating or self.state.text_length):
            return  # it showed a stop control, and nothing came of it
        self._tell(told.Unheard(self._clock(), UNHEARD))
        self._turn_to(self._traffic.follow_page(), "")
        self._at_it = True
        self.look_again()

    def _turn_to(self, attempt: str, newest_before: str) -> None:
        self._patient = False
        self._attempt, self._text = attempt, None
        self._newest_before = newest_before
        self._at_it = self._seen_finished = False

    def _unaccounted(self) -> bool:
        """Whether no attempt accounts for the answer that the page writes.

        An attempt that is judged may still be drawn: the page lags behind the wire. It
        accounts for what is written until the page has shown it finished.
        """
        name = self._traffic.newest
        machine = self._traffic.fusion.machine(name) if name is not None else None
        if machine is None:
            return True
        if machine.judgement is Judgement.OPEN and not machine.over:
            return False
        return self._attempt == name and self._seen_finished

    def _tell_notices(self, state: PageState) -> None:
        seen = frozenset((str(notice.kind), notice.which) for notice in state.notices)
        for notice in state.notices:
            if (str(notice.kind), notice.which) not in self._notices:
                kind = str(notice.kind)
                self._tell(told.PageNotice(self._clock(), kind, notice.which, notice.text))
        self._notices = seen


def _answers(question: str | None, prompt: str | None) -> bool:
    """Whether the question shown can be the prompt that was sent."""
    if question is None or prompt is None:
        return True
    asked = _OTHER.sub("", prompt.casefold())[:COMPARED]
    return asked in _OTHER.sub("", question.casefold())
