"""One question, one tab, one answer: the whole way, in order.

place -> ready -> choose -> files -> compose -> submit -> watch -> collect, and where the tab is
lost on the way, recover. Before Send is pressed every failure means that nothing was sent; after
the request left nothing is ever sent again, and a failure means: look for the answer.
"""

import asyncio
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import replace

from tabwire.asking.anomaly import SUSPICIOUS, bundle, debug_fields, extraction, kept
from tabwire.asking.answer_watch import Watch
from tabwire.asking.background import beside
from tabwire.asking.composer import Draft, compose, foreign_draft
from tabwire.asking.context import Given, NotOurs
from tabwire.asking.ear import Ear
from tabwire.asking.model_choice import check_effort, choose, fits
from tabwire.asking.model_names import same
from tabwire.asking.page_readiness import StaleTab, ready
from tabwire.asking.privacy_gate import gated
from tabwire.asking.recovery.recovery import recover
from tabwire.asking.recovery.second_look import second_look
from tabwire.asking.submission import submit
from tabwire.asking.tab import Place, placed
from tabwire.asking.timings import Stopwatch
from tabwire.asking.uploads import check_files, give_files, standing_files, take_back_files
from tabwire.browser.line import BrowserLine
from tabwire.browser.tab_events import DialogClosed, DialogOpened
from tabwire.model.ask import Amended, Answer, AskRequest, Phase, PromptLeft, Step
from tabwire.model.ask_errors import (
    AnswerTimedOut,
    AskError,
    DialogInTheWay,
    GeminiStuckNoResponse,
    GeminiStuckStopButton,
    LayoutChanged,
    ModelNotAvailable,
    SendNotConfirmed,
    TabClosed,
    TextNotTaken,
    WaitRanOut,
)
from tabwire.model.errors import Retry, TabwireError
from tabwire.sites.page import Layout
from tabwire.sites.site import Site

ODD = (
    LayoutChanged,
    SendNotConfirmed,
    TextNotTaken,
    WaitRanOut,
    AnswerTimedOut,
    GeminiStuckStopButton,
    GeminiStuckNoResponse,
)
"""Errors that say that our knowledge of the page may be wrong: a bundle of facts is kept."""


STOP_SECONDS = 5.0
"""For a page to let go of its answer once Stop was pressed."""

UPLOAD_SECONDS = 600.0
"""How long files may take: a large one over a slow line. A site that never says done is told."""


class Flow:
    """Carries out one ask. `run` once; `stop_site` at any time."""

    def __init__(self, request: AskRequest, site: Site, given: Given, *, began: float) -> None:
        self.request = request
        self.site = site
        self.given = given
        self.ear = Ear(request.prompt, site.prompt_in_request)
        self.clock = Stopwatch(site.name, given.tell, given.clock, began=began)
        self.watch = Watch(self.ear, self.clock, site, request, given)
        self.ear.on_dialog = self._tell_dialog
        self.sent = False
        self._effort: str | None = None  # as the page shows it chosen
        self._stop_wanted = asyncio.Event()
        self._layout: Layout | None = None
        self._facts: dict[str, object] | None = None  # of a tab that told no answer
        self._shown: dict[str, object] | None = None  # and the debug fields of its page

    async def run(self, line: BrowserLine) -> Answer:
        """The answer. Raises `AskError`, and `NotOurs`; what was sent is never sent again."""
        files = [str(path) for path in check_files(self.site, self.request.files)]
        check_effort(self.site, self.request)
        self.clock.phase(Phase.NAVIGATE)
        unknown: AskError | None = None
        try:
            try:
                answer = await self._placed(line, files)
            except StaleTab:
                answer = await self._placed(line, files, ours_only=True)
            if answer is not None:
                return answer
        except SendNotConfirmed as exc:
            if not exc.unknown:
                raise
            unknown = exc  # look for the question before anything else
            self.watch.problems.append(str(exc))
        except AskError as exc:
            if (dialog := self._dialog_error()) is not None:
                raise dialog from exc
            raise
        except TabwireError as exc:
            if not self.sent:
                raise self._before_sending(exc) from exc
        try:
            return await recover(
                self.watch, line, self.site, self.request, self.given, otherwise=unknown
            )
        except AskError as exc:
            await self._explain_lost(exc)
            raise

    async def _placed(
        self, line: BrowserLine, files: list[str], *, ours_only: bool = False
    ) -> Answer | None:
        async with (
            placed(
                line, self.site, self.request, self.given, self.ear, ours_only=ours_only
            ) as place,
            beside(self.watch.keep_notes(), self.ear.broke),
            beside(self._stopper(place), self.ear.broke),
        ):
            return await self._in_tab(place, line, files)

    async def _in_tab(self, place: Place, line: BrowserLine, files: list[str]) -> Answer | None:
        """The answer as its own tab tells it; None where it must be looked for elsewhere."""
        try:
            await self._ask(place, files)
            answer = await self.watch.answer()
            if answer is not None:
                return await self._given_out(answer, place, line)
            if (
                self.watch.silent is not None
            ):  # while the page is there; whether it is needed shows later
                self._facts = await self._bundle(place, GeminiStuckNoResponse.code)
                if self.request.debug:
                    self._shown = await self._debug(place)
            return None
        except AskError as exc:
            if (dialog := self._dialog_error()) is not None:
                raise dialog from exc  # whatever was waited for: the page stands still
            await self._explain(exc, place)
            raise

    def _tell_dialog(self, event: DialogOpened | DialogClosed) -> None:
        """The page stands still, or goes on. Inside the receive loop."""
        words = event.words.rstrip(" :.")
        self.clock.note(f"{words}. {event.remedy}" if isinstance(event, DialogOpened) else words)

    def _dialog_error(self) -> AskError | None:
        """That a dialog of the page was in the way before anything was sent, if one is."""
        if self.ear.dialog is None or self.sent or self.ear.pressed:
            return None
        error = DialogInTheWay(self.site.name, "page", self.ear.dialog.words.rstrip(" :."))
        error.attempt_id = self.given.attempt_id
        return error

    def stop_site(self) -> None:
        """Have the site's own Stop pressed, for the person who asked for it."""
        self._stop_wanted.set()

    async def _stopper(self, place: Place) -> None:
        await self._stop_wanted.wait()
        layout, ear = self._layout, self.ear
        if layout is None or not self.sent or ear.judged is not None:
            return
        try:
            await place.page.click(layout.stop, decoys=layout.send, part="stop button")
        except TabwireError:
            return  # there is none to press
        # a site says by itself that it was stopped, or its page just lets go of the answer
        over: Callable[[], bool] = lambda: bool(ear.judged or ear.befell)  # noqa: E731
        await ear.until(lambda: over() or not ear.writing, STOP_SECONDS)
        if not over() and not ear.writing:
            ear.stopped("Stop was pressed, as you asked")

    async def _ask(self, place: Place, files: list[str]) -> None:
        """Until the prompt has left."""
        self.clock.phase(Phase.WAIT_INPUT)
        layout = self._layout = await ready(place, self.site, self.request)
        async with place.page.focused():
            await self._choose(place, layout)
            async with foreign_draft(
                place, self.site, layout, self.given, self.request.prompt
            ) as draft:
                try:
                    await self._send(place, layout, files, draft)
                except (TabwireError, NotOurs) as exc:
                    if files and (isinstance(exc, NotOurs) or exc.retry is not Retry.RESUME):
                        with suppress(TabwireError):
                            await take_back_files(place.page, self.site, layout)
                    raise

    async def _choose(self, place: Place, layout: Layout) -> None:
        request = self.request
        if request.model is None and request.effort is None:
            return
        self.clock.phase(Phase.CHOOSE)
        try:
            chosen = await choose(
                place.page, self.site, layout, model=request.model, effort=request.effort
            )
            self._effort = chosen.effort_label
            labels = filter(None, (chosen.model_label, chosen.effort_label))
            self.clock.phase(Phase.CHOOSE, f"the page has selected {', '.join(labels)}")
        except ModelNotAvailable:
            if not request.model_best_effort:
                raise

    async def _send(self, place: Place, layout: Layout, files: list[str], draft: Draft) -> None:
        request = self.request
        if files:
            self.clock.phase(Phase.UPLOAD)
            paths = check_files(self.site, files)
            await give_files(
                place.page,
                self.site,
                layout,
                paths,
                seconds=min(request.timeout_seconds, UPLOAD_SECONDS),
                changed=self.ear.changed,
            )
        elif foreign := await standing_files(place.page, self.site, layout):
            what = f"it holds a file that is not ours and would be sent too ({foreign[0]})"
            raise TextNotTaken(self.site.name, what)
        self.clock.phase(Phase.INPUT)
        by_key = await compose(place, self.site, layout, request.prompt, draft, files=bool(files))
        self.clock.phase(Phase.SEND)
        async with gated(place, self.site, request) as gate:
            try:
                left = await submit(
                    place,
                    self.site,
                    layout,
                    self.given,
                    request.prompt,
                    by_key=by_key,
                    files=bool(files),
                )
            except AskError as exc:
                if gate is not None:
                    await gate.check()
                self.sent = isinstance(exc, SendNotConfirmed) and exc.unknown
                raise
            if gate is not None:
                await gate.check()
        self.sent = True
        self.clock.left_at = self.ear.left_at or self.given.clock()
        conversation = self.site.conversation_in_url(place.tab.url) or request.conversation_id
        self.watch.left(conversation, left.by)
        self.given.tell(
            PromptLeft(self.site.name, self.given.attempt_id, conversation, self.clock.left_at)
        )
        self._check_body(len(files))
        press = self.ear.press
        await self.given.checkpoint(Step.SENT, conversation_id=conversation, press=press)

    def _check_body(self, files: int) -> None:
        """Whether the request says what was wanted. It is gone: this can only be told."""
        if (press := self.ear.press) is not None:
            named = [self.site.effort_in_request(body) for body in self.ear.bodies[:1]]
            self.ear.press = replace(press, effort=next(filter(None, named), self._effort))
        if not self.ear.bodies:
            return
        body = self.ear.bodies[0]
        carried = self.site.files_in_request(body)
        if carried is not None and carried < files:
            self.watch.problems.append(
                f"the request carried {carried} of {files} files: the site dropped the rest"
            )
        if self.request.temporary and self.site.is_temporary(body) is False:
            self.watch.problems.append("the request asks for a saved chat, not a temporary one")
        wanted, said = self.request.effort, self.site.effort_in_request(body)
        if wanted and said and not same(wanted, said, self.site.choices.models):
            self.watch.problems.append(f"the request asks for the effort {said}, not {wanted}")

    async def _given_out(self, answer: Answer, place: Place, line: BrowserLine) -> Answer:
        """Tell the answer at once; then stay a moment for the witnesses that come later."""
        self._check_model(answer)
        answer = replace(answer, debug=await self._debug(place) if self.request.debug else None)
        answer = await self._suspected(answer, place)
        answer, raw = await self.watch.give_out(answer), self.watch.raw()
        layout = self._layout
        assert layout is not None, "nothing is sent before the page is recognised"
        seen = await second_look(answer, raw, line, place.page, self.site, layout, self.given)
        now = await self._suspected(seen, place)
        if self.request.debug:
            known = {**(now.debug or {}), "extraction": extraction(self.ear, self.watch.size)}
            now = replace(now, debug=known)
        more = now.problems != answer.problems  # it could not be compared in time
        if more or now.debug != seen.debug:
            await self.given.keep(now)
        if more or now.suspicious != answer.suspicious:  # nobody was told of it, or of the bundle
            self.given.tell(Amended(self.site.name, now, self.given.clock()))
        return now

    async def _suspected(self, answer: Answer, place: Place) -> Answer:
        """With a bundle of facts, where a person should look at it twice."""
        if not answer.suspicious or (answer.debug or {}).keys() & {"bundle", "bundle_not_kept"}:
            return answer
        facts = await self._bundle(place, SUSPICIOUS, answer.suspicious)
        return replace(answer, debug={**(answer.debug or {}), **await kept(self.given, facts)})

    def _check_model(self, answer: Answer) -> None:
        wanted, named = self.request.model, answer.model
        if wanted is None or named is None or self.request.model_best_effort:
            return
        if not fits(wanted, named, self.site.choices.models):
            error = ModelNotAvailable(
                self.site.name, wanted, f"the answer came from {named}", retry=Retry.RESUME
            )
            error.answer = answer
            raise error

    async def _debug(self, place: Place) -> dict[str, object]:
        """What the page looks like, and where the text was looked for."""
        tries: dict[str, object] = {"extraction": extraction(self.ear, self.watch.size)}
        with suppress(TabwireError):
            return await debug_fields(place.page) | tries
        return tries

    async def _bundle(
        self, place: Place, code: str, reasons: Sequence[str] = ()
    ) -> dict[str, object]:
        return await bundle(place, self.site, code, reasons, heard=self.watch.size)

    async def _explain(self, error: AskError, place: Place) -> None:
        """Add what helps to find the cause, while the page is still there."""
        error.attempt_id = self.given.attempt_id
        error.conversation_id = error.conversation_id or self.watch.conversation_id
        if isinstance(error, ODD):
            error.debug = await kept(self.given, await self._bundle(place, error.code))
        if self.request.debug:
            error.debug = {**(error.debug or {}), **await self._debug(place)}

    async def _explain_lost(self, error: AskError) -> None:
        """The same, where the answer was looked for elsewhere and the page is given back."""
        if self._facts is not None:
            facts = {**self._facts, "error": error.code}
            error.debug = {**(error.debug or {}), **await kept(self.given, facts)}
        if self._shown is not None:
            error.debug = {**(error.debug or {}), **self._shown}

    def _before_sending(self, exc: Exception) -> AskError:
        """What broke before Send was pressed, in words of an ask."""
        befell = self.ear.befell
        if (dialog := self._dialog_error()) is not None:
            return dialog
        if befell is not None:
            error: AskError = TabClosed(self.site.name, befell.words, sent=False)
        else:
            what_to_do = getattr(exc, "what_to_do", "Ask again.")
            error = AskError(self.site.name, str(exc), what_to_do=what_to_do, retry=Retry.SAME)
        error.attempt_id = self.given.attempt_id
        return error
