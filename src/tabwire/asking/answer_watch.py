"""Follow our own attempt to its verdict, and tell what comes as it comes."""

import asyncio
from collections.abc import Callable
from dataclasses import replace

from tabwire.asking.answer import LET_GO, collect, link, was_stopped
from tabwire.asking.context import Given
from tabwire.asking.ear import Ear
from tabwire.asking.mark_filter import Unmarked
from tabwire.asking.refusal import error_of
from tabwire.asking.timeouts import Wait
from tabwire.asking.timings import Stopwatch
from tabwire.fusion.agreement import Match, compare
from tabwire.fusion.verdict import Judgement, Verdict
from tabwire.model.ask import (
    Amended,
    Answer,
    Answered,
    AskRequest,
    Completeness,
    ConversationKnown,
    Phase,
    Step,
    StillWaiting,
    TextCame,
)
from tabwire.model.ask_errors import AnswerTimedOut
from tabwire.model.conversation import Conversation
from tabwire.model.signals import Refusal, Source
from tabwire.monitor import sightings as told
from tabwire.monitor.sightings import Sighting
from tabwire.sites.site import Site
from tabwire.sites.witness import as_witness

WITNESS_SECONDS = 1.0
"""How long we stay after the answer was given: the page's own witness comes within it."""

GEMINI = "gemini"


class Watch:
    """Hears of one attempt. What is known of it outlives the tab."""

    def __init__(
        self, ear: Ear, clock: Stopwatch, site: Site, request: AskRequest, given: Given
    ) -> None:
        self.ear = ear
        self.clock = clock
        self.site = site
        self.request = request
        self.given = given
        self.conversation_id: str | None = request.conversation_id
        self.problems: list[str] = []
        self.known: Answer | None = None  # what an earlier process, or reading, knew of it
        self.silent: Wait | None = None  # we were there, and nothing began in the time it has
        self.deadline = given.clock() + request.timeout_seconds
        self._pieces: list[str] = []
        self._thoughts: list[str] = []
        self._shown = {thinking: Unmarked(site.marks) for thinking in (False, True)}
        self.size = 0  # characters of the answer that came
        self._to_keep: asyncio.Queue[tuple[str, str]] = asyncio.Queue()
        ear.on_sighting = self.hear

    @property
    def seconds_left(self) -> float:
        """Of the time the person gave."""
        return max(0.0, self.deadline - self.given.clock())

    def left(self, conversation_id: str | None, by: str) -> None:
        """The prompt has left."""
        self._know(conversation_id)
        if by != "request":
            self.problems.append(
                "the request that carried the prompt was not recognised: the site may have "
                "changed its address; run `tabwire watch --requests --discover`"
            )
        self.clock.phase(Phase.WAIT_RESPONSE)

    async def answer(self) -> Answer | None:
        """The answer, or None where it must be looked for elsewhere. Raises what refused it."""
        ear = self.ear
        if not await self._begins():
            if self.site.name == GEMINI and not self._shows_work():
                self.silent = Wait.FIRST_OUTPUT
                return None
            what = (
                "nothing but the page's own activity indicator" if self._shows_work() else "nothing"
            )
            self._ran_out(Wait.FIRST_OUTPUT, f"{what} has arrived")
        over = lambda: ear.judged or ear.befell or ear.unwitnessed  # noqa: E731
        usual = Wait.ANSWER.seconds(self.site.page.timings)
        if usual < self.seconds_left and not await ear.until(over, usual):
            self._ran_out(Wait.ANSWER, "the answer has not ended")
            if self.site.name == GEMINI and not ear.answer_began:
                self.silent = Wait.ANSWER  # its Stop may stand there for ever
                return None
        await ear.until(over, self.seconds_left)
        verdict = ear.verdict
        if verdict is None:
            if ear.befell is None and not ear.unwitnessed:
                raise self.timed_out()
            return None
        if verdict.judgement is Judgement.REFUSED:
            verdict = await self._until_when(verdict)
            error = error_of(verdict, self.site.name, self.given.wall())
            error.answer = self._collected(verdict) if verdict.text.strip() else None
            raise error
        answer = self._collected(verdict)
        lost = answer.completeness is Completeness.PARTIAL
        return None if lost else answer

    def _ran_out(self, wait: Wait, what: str) -> None:
        """Say that it takes longer than usual: whoever asked may have more patience."""
        seconds = wait.seconds(self.site.page.timings)
        why = f"{what} within {seconds:g} s (wait `{wait}`)"
        self.given.tell(StillWaiting(self.site.name, why, self.given.clock()))

    async def _until_when(self, verdict: Verdict) -> Verdict:
        """With the time at which a limit is over, where the page asks for that right after."""
        refusal = verdict.refusal
        if refusal is None or refusal.kind is not Refusal.RATE_LIMIT:
            return verdict
        if refusal.resets_in is not None or refusal.resets_at is not None:
            return verdict
        spent = await self.ear.until(lambda: self.ear.spent, WITNESS_SECONDS)
        if spent is None:
            return verdict
        refusal = replace(refusal, resets_in=spent.resets_in, resets_at=spent.resets_at)
        return replace(verdict, refusal=refusal)

    async def give_out(self, answer: Answer) -> Answer:
        """Keep it, tell it, and stay a moment for what else is known soon."""
        await self.deliver(answer)
        ear = self.ear
        confirmed = lambda: self._confirmed() or ear.befell  # noqa: E731
        await ear.until(confirmed, WITNESS_SECONDS)
        await self._to_keep.join()
        verdict = ear.verdict
        if verdict is None:
            return answer
        now = replace(self._collected(verdict), timings=answer.timings, debug=answer.debug)
        now = replace(now, evidence=self._evidence or now.evidence)
        if now != answer:
            await self.given.keep(now)
            self.given.tell(Amended(self.site.name, now, self.given.clock()))
        return now

    async def deliver(self, answer: Answer) -> None:
        """On disk first, then told, and only then done: whoever dies in between is given it
        when they ask the same again, and nothing is sent twice."""
        await self.given.keep(answer)
        self.clock.phase(Phase.FINISHED)
        self.given.tell(Answered(self.site.name, answer, self.given.clock()))
        await self.given.checkpoint(Step.DONE)

    def heard(self, *, thinking: bool) -> str:
        """What was told of the answer, or of its thinking."""
        return "".join(self._thoughts if thinking else self._pieces)

    def raw(self) -> str:
        """The text so far as the site sent it, with its marks: for comparing."""
        verdict = self.ear.verdict
        return verdict.text if verdict is not None else self.heard(thinking=False)

    def is_all(self, stored: Conversation) -> bool:
        """Whether the page let go of our answer, and the site has stored no more of it."""
        base = self.so_far("")
        return was_stopped(base, compare(self.raw(), as_witness(stored).text) is Match.SAME)

    def so_far(self, why: str) -> Answer:
        """What has been seen, as a partial answer."""
        verdict = self.ear.verdict
        if verdict is None:
            text, thoughts = self.heard(thinking=False), self.heard(thinking=True)
            if self.known is not None and not text:
                return replace(self.known, timings=self.clock.timings())
            verdict = Verdict(Judgement.PARTIAL, why, text, thinking=thoughts or None)
        answer = self._collected(verdict)
        if self.ear.let_go:
            answer = replace(answer, evidence=(*answer.evidence, LET_GO))
        named = self.conversation_id
        return replace(answer, conversation_id=named, url=link(self.site, named))

    def timed_out(self) -> AnswerTimedOut:
        """The person's patience is over; the site's may not be."""
        seen = f"{self.size} characters so far" if self.size else "nothing received yet"
        error = AnswerTimedOut(self.site.name, self.request.timeout_seconds, seen)
        if self.size:
            error.answer = self.so_far("timeout")
        return error

    # --- inside the receive loop -------------------------------------------------------------

    def hear(self, sighting: Sighting) -> None:
        """Take one sighting of our attempt."""
        match sighting:
            case told.Grew(text=text, thinking=thinking):
                self._came(text, thinking=thinking, anew=False)
            case told.Rewritten(text=text, thinking=thinking):
                self._came(text, thinking=thinking, anew=True)
            case told.Named(conversation_id=named) | told.Moved(conversation_id=named):
                self._know(named)
            case told.Waiting(why=why):
                self.given.tell(StillWaiting(self.site.name, why, self.given.clock()))
            case told.Judged(verdict=verdict, at=at, event_at=event_at):
                self._know(verdict.conversation_id)
                if self.clock.judged_at is None and verdict.judgement is not Judgement.OPEN:
                    self.clock.judged_at = at
                    self.clock.heard_at = event_at or None
            case told.Witnessed(evidence=evidence, source=source):
                self._evidence = evidence
                self._page_agreed = self._page_agreed or source is Source.PAGE

    _evidence: tuple[str, ...] = ()
    _page_agreed = False

    def _confirmed(self) -> bool:
        """Whether the page has had its say, or the verdict was amended."""
        verdict = self.ear.verdict
        return self._page_agreed or (verdict is not None and not verdict.complete)

    def _came(self, text: str, *, thinking: bool, anew: bool) -> None:
        pieces = self._thoughts if thinking else self._pieces
        if anew:
            pieces.clear()
        pieces.append(text)
        if not thinking:
            self.size = len(text) if anew else self.size + len(text)
        self.clock.phase(Phase.THINKING if thinking else Phase.ANSWERING)
        self.show(text, thinking, anew)

    def show(self, text: str, thinking: bool, anew: bool) -> None:
        """Tell what can be read of a piece: what may become a mark is held back."""
        if self.clock.first_at is None and not thinking:
            self.clock.first_at = self.given.clock()
        said = self._shown[thinking].take(text, anew=anew)
        if said or anew:
            self.given.tell(TextCame(self.site.name, said, thinking, anew, self.given.clock()))

    def _know(self, conversation_id: str | None) -> None:
        """The conversation has a name: keep it, whatever happens next."""
        if conversation_id is None or conversation_id == self.conversation_id:
            return
        if self.ear.attempt is None:
            return  # of a page before ours
        self.conversation_id = conversation_id
        url = link(self.site, conversation_id) or ""
        now = self.given.clock()
        known = ConversationKnown(self.site.name, self.given.attempt_id, conversation_id, url, now)
        self.given.tell(known)
        self._to_keep.put_nowait((conversation_id, url))

    async def keep_notes(self) -> None:
        """Keep what was learnt in the receive loop, where nothing may wait. Runs beside."""
        while True:
            conversation_id, url = await self._to_keep.get()
            await self.given.checkpoint(Step.SENT, conversation_id=conversation_id, url=url)
            self._to_keep.task_done()

    def _collected(self, verdict: Verdict) -> Answer:
        answer = collect(
            verdict, self.site, self.request, self.given.attempt_id, self.clock.timings()
        )
        named = answer.conversation_id or self.conversation_id
        return replace(
            answer,
            conversation_id=named,
            url=link(self.site, named),
            effort=self.ear.press.effort if self.ear.press is not None else None,
            problems=(*answer.problems, *self.problems, *self._sent_twice()),
        )

    def _sent_twice(self) -> tuple[str, ...]:
        if self.ear.times_left < 2:
            return ()
        return (f"the page sent the prompt {self.ear.times_left} times for one press of Send",)

    def _shows_work(self) -> bool:
        """Whether the page shows its Stop, or that it thinks. That proves no answer."""
        state = self.ear.state
        return state is not None and (state.generating or state.thinking)

    async def _begins(self) -> bool:
        """Whether anything comes at all in the time a site has for that. Gemini at times takes a
        prompt and goes silent."""
        ear = self.ear
        signs: Callable[[], bool] = lambda: bool(  # noqa: E731
            ear.answer_began or ear.judged or ear.befell or ear.unwitnessed
        )
        seconds = Wait.FIRST_OUTPUT.seconds(self.site.page.timings)
        return bool(await ear.until(signs, min(seconds, self.seconds_left)))
