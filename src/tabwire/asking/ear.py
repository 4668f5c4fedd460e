"""What an ask hears of its tab, and ways to wait for it. Nothing polls.

`follow` tells sightings, states of the page and requests, all inside the receive loop. The
ear keeps the newest of each and wakes whoever waits.
"""

import asyncio
from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace
from typing import TypeVar

from tabwire.asking.prompt_match import same_prompt
from tabwire.asking.recovery.proof import MOST_KNOWN, questions_of
from tabwire.browser.observed import PageState
from tabwire.browser.patience import Patience
from tabwire.browser.tab_events import DialogClosed, DialogOpened, LifeEvent, Navigated, Reloaded
from tabwire.browser.tap.events import Request
from tabwire.fusion.table import State
from tabwire.fusion.verdict import Judgement, Verdict
from tabwire.model.ask import Press
from tabwire.model.conversation import Conversation
from tabwire.model.signals import Source, TurnStopped
from tabwire.monitor import sightings as told
from tabwire.monitor.sightings import Befell, Sighting
from tabwire.monitor.traffic import Traffic
from tabwire.sites.site import RequestKind

T = TypeVar("T")

UNDER_WAY = (State.IDLE, State.PROMPT_SENT, State.STREAMING)


class Ear:
    """One tab, heard for one ask. `on_sighting` gets every sighting of our own attempt.

    `prompt_in` reads the prompt out of a request's body (`Site.prompt_in_request`).
    """

    def __init__(
        self, prompt: str, prompt_in: Callable[[bytes], str | None] = lambda _body: None
    ) -> None:
        self.prompt = prompt
        self._prompt_in = prompt_in
        self.state: PageState | None = None
        self.watching = False
        self.befell: Befell | None = None  # the tab is over
        self.attempt: str | None = None  # fusion's name for our attempt, once it left
        self.left_at = 0.0
        self.times_left = 0  # how often our prompt left: more than once is a fault
        self.judged: told.Judged | None = None
        self.unwitnessed = ""  # why nobody tells our answer any more, though it is not over
        self.dialog: DialogOpened | None = None  # stands in the page, which stands still
        self.stored: list[Conversation] = []  # read by the page itself, newest last
        self.not_stored: dict[str, str] = {}  # conversations the site does not have: why
        self.answer_began = False
        self.spent: told.Spent | None = None  # the page asked what is left, and nothing is
        self.carriers = 0  # requests since Send was pressed that can carry a prompt
        self.bodies: list[bytes] = []  # of answering requests since Send was pressed
        self.press: Press | None = None  # what was known then, and how ours is named since
        self.on_sighting: Callable[[Sighting], None] = lambda _one: None
        self.on_dialog: Callable[[DialogOpened | DialogClosed], None] = lambda _event: None
        self.fault: BaseException | None = None
        self.pressed = False  # Send was, or is about to be
        self._unasked: str | None = None
        self._adopted = False
        self._others: set[str] = set()
        self._under_way: set[str] = set()  # answers to others that the wire tells of
        self._listed: dict[str, None] = {}  # conversations that were there before, in order
        self._list_heard = False
        self._questions: dict[str, None] = {}
        self.marked = False  # before the press an answer looked unfinished, and nothing wrote it
        self._newest = ""  # the exchange that stood last in the page before
        self._undrawn = False  # there were turns before, and the page showed none
        self._changed = asyncio.Event()
        self._traffic: Traffic | None = None
        self._loaded_anew = False  # since our prompt left

    def begin(self) -> None:
        """Another tab is about to be heard: what was seen is of the one before."""
        self.state, self.watching, self.befell, self.dialog = None, False, None, None

    # --- told by `follow` ------------------------------------------------------------------

    def attend(self, traffic: Traffic) -> None:
        """This is what our tab is heard by."""
        self._traffic = traffic

    def see(self, state: PageState) -> None:
        """The page shows something else."""
        self.state = state
        self._changed.set()

    def befall(self, event: LifeEvent) -> None:
        """A new document: what was seen before is of another page. Or a dialog, until which
        is answered nothing more is seen."""
        if isinstance(event, Reloaded) or (
            isinstance(event, Navigated) and not event.same_document
        ):
            self.state = self.dialog = None
            self._loaded_anew = self.attempt is not None
        elif isinstance(event, DialogOpened | DialogClosed):
            self.dialog = None
            if isinstance(event, DialogOpened):
                self.dialog = event
                asyncio.get_running_loop().call_at(event.until, self._stood, event)
            self.on_dialog(event)
            self._changed.set()

    def _stood(self, dialog: DialogOpened) -> None:
        """Nobody answered it in all that time: of an answer under way the page tells nothing."""
        if self.dialog is dialog and self.attempt is not None:
            self.unwitnessed = dialog.words
            self._changed.set()

    def request(self, request: Request, kind: RequestKind) -> None:
        """A request leaves. Only one that can carry a prompt says anything of ours: pages
        prepare, poll and count in any case."""
        if not self.pressed or not self._can_carry(request, kind):
            return
        self.carriers += 1
        if kind is RequestKind.ANSWER and request.body is not None:
            self.bodies.append(request.body)
        self._changed.set()

    def _can_carry(self, request: Request, kind: RequestKind) -> bool:
        """One that asks for an answer; or one to an address we do not know, with our prompt
        in it as the site words prompts."""
        if kind is not RequestKind.FOREIGN or request.body is None:
            return kind is RequestKind.ANSWER
        return same_prompt(self._prompt_in(request.body), self.prompt)

    def hear(self, sighting: Sighting) -> None:
        """Take one sighting."""
        match sighting:
            case told.Watching():
                self.watching = True
            case told.Asked():
                self._asked(sighting)
            case told.Judged(attempt=attempt, verdict=verdict) if attempt == self.attempt:
                if verdict.judgement is not Judgement.OPEN:
                    self.judged = sighting
            case told.Waiting(attempt=attempt, why=why, unwitnessed=True) if (
                attempt == self.attempt
            ):
                self.unwitnessed = why
            case told.Grew(attempt=attempt) if attempt == self.attempt:
                self.unwitnessed = ""
            case told.Stored(conversation=conversation) if conversation is not None:
                self.stored.append(conversation)
                self._was_there(conversation)
            case told.Listed(conversation_ids=named) if not self.pressed:
                self._listed.update(dict.fromkeys(named))
                self._list_heard = True
            case told.NotStored(conversation_id=named, why=why):
                self.not_stored[named] = why
            case told.StateMoved(attempt=attempt, after=after):
                if after not in UNDER_WAY:
                    self._under_way.discard(attempt)
                if self.pressed and self.attempt is None:
                    self._unasked = attempt
            case told.Spent() if self.pressed:
                self.spent = sighting
            case told.Befell(over=True):
                self.befell = sighting
        if getattr(sighting, "attempt", None) == self.attempt is not None:
            self.answer_began = self.answer_began or isinstance(sighting, told.Grew)
            self.on_sighting(sighting)
        elif isinstance(sighting, told.PageNotice | told.Unheard | told.Moved):
            self.on_sighting(sighting)
        self._changed.set()

    def _asked(self, asked: told.Asked) -> None:
        if not self.pressed or not same_prompt(asked.prompt, self.prompt):
            self._others.add(asked.attempt)  # somebody else's question in the same tab
            self._under_way.add(asked.attempt)
            return
        self.times_left += 1
        if self.attempt is None or self._adopted:
            self.attempt, self._adopted = asked.attempt, False
            self.left_at = asked.at
            if self.press is not None:
                self.press = replace(self.press, question_id=asked.question_id)
            self.judged = None  # of what only the page told

    def _was_there(self, conversation: Conversation) -> None:
        if self.pressed:
            return
        if conversation.id is not None:
            self._listed[conversation.id] = None
        self._questions.update(dict.fromkeys(one.id for one in questions_of(conversation)))

    def broke(self, fault: BaseException) -> None:
        """What runs beside the ask has failed: nothing more will be heard."""
        self.fault = self.fault or fault
        self._changed.set()

    # --- for the flow ------------------------------------------------------------------------

    def before_press(self, at: float, tab: str, *, new_chat: bool) -> Press:
        """What is known now, which no press has changed yet. `at`: seconds since 1970."""
        listed, questions = tuple(self._listed), tuple(self._questions)
        fresh = self._list_heard if new_chat else bool(questions)
        known = (listed[:MOST_KNOWN], questions[-MOST_KNOWN:])
        self.press = Press(at, tab, *known, fresh=fresh)
        state = self.state
        self._newest = state.newest if state is not None else ""
        self.marked = state is not None and state.generating and not state.stop
        self._undrawn = not new_chat and (state is None or state.exchanges == 0)
        return self.press

    def stopped(self, how: str) -> None:
        """The person's Stop was pressed, and the page has let go of our answer."""
        if self._traffic is not None and self.attempt is not None:
            self._traffic.feed(self.attempt, TurnStopped(how), Source.PAGE)

    @property
    def writing(self) -> bool:
        """Whether our answer comes over the wire, and the page shows that it does."""
        traffic, name, state = self._traffic, self.attempt, self.state
        machine = traffic.fusion.machine(name) if traffic is not None and name else None
        shown = state is not None and (state.generating or state.thinking)
        return machine is not None and machine.stream_open and shown

    @property
    def let_go(self) -> bool:
        """Whether the page itself let go of our answer and shows none being written: as after a
        Stop. One that is loaded anew lets go as well, and goes on with it."""
        verdict, state = self.verdict, self.state
        if self.befell is not None or self._loaded_anew or state is None or verdict is None:
            return False
        return verdict.hung_up and not state.generating

    def pressing(self) -> None:
        """Send is about to be pressed: from here on a request may be ours."""
        self.pressed = True
        self.carriers = 0

    @property
    def busy(self) -> bool:
        """Whether another answer is being written: the wire or a stop control says so. That one
        looks unfinished is no sign of it: a page that nobody sees draws late."""
        return bool(self._under_way) or (self.state is not None and self.state.stop)

    @property
    def unasked(self) -> str | None:
        """An attempt that began after Send was pressed and whose request nobody heard."""
        return None if self._unasked in self._others else self._unasked

    def adopt(self) -> None:
        """Our question was seen in the page: the attempt nobody heard asked is ours."""
        self.attempt, self._adopted = self.unasked, True

    @property
    def page_answers(self) -> bool:
        """Whether the page shows an answer to a question whose request nobody heard, in an
        exchange that was not there before the press."""
        state = self.state
        if self.unasked is None or state is None or self._undrawn:
            return False
        return state.text_length > 0 and state.newest != self._newest

    @property
    def verdict(self) -> Verdict | None:
        """What our answer is worth, once that is known."""
        return self.judged.verdict if self.judged is not None else None

    async def until(self, fits: Callable[[], T | None], seconds: float | None) -> T | None:
        """Wait until `fits` says something true; what is false where it did not in time. While a
        dialog stands in the page, that time stands still.

        Raises what broke the following of the tab: nothing more will be heard.
        """
        with suppress(TimeoutError):
            async with asyncio.timeout(seconds) as bound:
                patience = Patience(bound)
                while True:
                    self._changed.clear()
                    if found := fits():
                        return found
                    if self.fault is not None:
                        raise self.fault
                    patience.hold(self.dialog.until if self.dialog is not None else None)
                    await self._changed.wait()
        return fits()

    async def changed(self) -> None:
        """Wait until anything changes."""
        self._changed.clear()
        await self._changed.wait()

    def wake(self) -> None:
        """Somebody changed what is waited for."""
        self._changed.set()
