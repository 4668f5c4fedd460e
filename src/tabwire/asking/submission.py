"""Press Send, and know whether the prompt left.

It has left when a request with our prompt in it was heard, or, where the site asks at an
address we do not know, when the page answers our question. Then nothing is ever sent again. It
has not left when the page still holds our text with Send awake and made no request since that
can carry a prompt (pages prepare, poll and count in any case): then, and only then, Send is
tried once more. Everything else is unknown, and whoever comes next looks in the conversation
before anything is sent.
"""

import asyncio
from collections.abc import Coroutine
from dataclasses import dataclass
from typing import Any

from tabwire.asking.composer import standing
from tabwire.asking.context import Given
from tabwire.asking.ear import Ear
from tabwire.asking.prompt_match import same_prompt
from tabwire.asking.tab import Place
from tabwire.asking.timeouts import Wait
from tabwire.browser.page.click import Pressing
from tabwire.browser.page.errors import Covered, NotClicked, NotFound, PageWentAway
from tabwire.model.ask import Step
from tabwire.model.ask_errors import (
    AskError,
    DialogInTheWay,
    LayoutChanged,
    SendNotConfirmed,
    TextNotTaken,
)
from tabwire.model.errors import Retry, TabwireError
from tabwire.sites.page import Layout
from tabwire.sites.site import Site

SWALLOWED_SECONDS = 2.0
"""A page that took a click shows or asks something within this; one that did not still holds
the text after it. Real pages clear their composer in the same frame."""

TRIES = 2

ANSWERED_SECONDS = 30.0
"""For the browser to answer a press of Send. Busy, or over a slow line, it answers late, and a
press that is given up may still be done. The wait ends as soon as our request is heard."""

LET_GO_SECONDS = 5.0
"""For the rest of a press whose request was heard already: a key that is down is let go."""

AIMED = 3
"""How often we ask for what comes before the press, where the answer is late."""

READ = 2
"""How often we read what stands in the composer, where the answer is late."""


@dataclass(frozen=True, slots=True)
class Left:
    """The prompt left. `by` is how we know: the request, or the page."""

    by: str


async def submit(
    place: Place,
    site: Site,
    layout: Layout,
    given: Given,
    prompt: str,
    *,
    by_key: bool,
    files: bool,
) -> Left:
    """Send what stands in the composer, once. `by_key`: no Send was found, Enter must do."""
    ear = place.ear
    new_chat = site.conversation_in_url(place.tab.url) is None
    press = ear.before_press(given.wall(), place.tab.target, new_chat=new_chat)
    await given.checkpoint(Step.SENDING, press=press)
    await _still_ours(place, site, layout, prompt)
    for number in range(TRIES):
        ear.pressing()
        pressing = Pressing(ANSWERED_SECONDS)
        key, again = (by_key or number > 0) and not files, number > 0
        try:
            pressed = _pressed(place, site, layout, prompt, pressing, by_key=key, again=again)
            await _tried(ear, pressing, pressed, again=again)
        except TabwireError as exc:
            nothing = isinstance(exc, AskError) or not pressing.began
            if nothing and ear.attempt is None:
                # of the try before that is not said: it may have been taken meanwhile
                if not again or await _swallowed(place, layout, prompt):
                    raise _not_pressed(site, exc) from exc
            elif not pressing.done:
                # it may have been, before the page stopped to answer; or it is done yet
                await ear.until(
                    lambda: ear.attempt or ear.befell, Wait.SENT.seconds(site.page.timings)
                )
                if ear.attempt is None:
                    raise SendNotConfirmed(site.name, str(exc), unknown=True) from exc
        if await ear.until(lambda: ear.attempt or ear.befell, SWALLOWED_SECONDS) and ear.attempt:
            return Left("request")
        if not await _swallowed(place, layout, prompt):
            return await _left_late(place, site, layout, prompt)
    raise SendNotConfirmed(
        site.name, f"Send was pressed {TRIES} times and the page did nothing", unknown=False
    )


def _not_pressed(site: Site, exc: TabwireError) -> AskError:
    """Why nothing was pressed."""
    if isinstance(exc, AskError):
        return exc
    return SendNotConfirmed(site.name, str(exc), unknown=False)


async def _tried(
    ear: Ear, pressing: Pressing, pressed: Coroutine[Any, Any, None], *, again: bool
) -> None:
    """Press, until it is done, or until our request is heard. A press that was not begun by then,
    or by when an earlier one turns out to have done something, is not begun any more."""
    press = asyncio.get_running_loop().create_task(pressed)

    def ended(press: asyncio.Task[None]) -> None:
        if not press.cancelled():
            press.exception()  # heard of, also where something else ends the ask
        ear.wake()

    def over() -> bool:
        heard = ear.attempt is not None or (again and ear.carriers > 0 and not pressing.began)
        return heard or press.done()

    press.add_done_callback(ended)
    try:
        await ear.until(over, None)
        if pressing.began and not press.done():  # what is pressed is let go again
            await asyncio.wait([press], timeout=LET_GO_SECONDS)
    finally:
        if not press.done():
            press.cancel()
            await asyncio.wait([press])
    if not press.cancelled():
        press.result()


async def _pressed(
    place: Place,
    site: Site,
    layout: Layout,
    prompt: str,
    pressing: Pressing,
    *,
    by_key: bool,
    again: bool,
) -> None:
    """Look for Send, aim and press. A page or a line that is late with what comes before the
    press is asked once more: nothing was pressed."""
    for left in reversed(range(AIMED)):
        try:
            if again or left < AIMED - 1:
                await _still_ours(place, site, layout, prompt)
            await _press(place, site, layout, pressing, by_key=by_key)
            return
        except PageWentAway:
            if not pressing.began and not again:
                raise
            return  # a press led to another document: what is heard tells the rest
        except AskError:
            raise
        except TabwireError:
            if pressing.began or not left:
                raise


async def _still_ours(place: Place, site: Site, layout: Layout, prompt: str) -> None:
    """Nothing but our prompt is sent."""
    if not same_prompt(await standing(place, layout), prompt):
        raise TextNotTaken(site.name, "it now contains different text: someone is typing there")


async def _press(
    place: Place, site: Site, layout: Layout, pressing: Pressing, *, by_key: bool
) -> None:
    """A trusted click; at the second try Enter, which sends files that are not ready."""
    try:
        if by_key:
            await place.page.click(layout.composer, decoys=layout.decoys, part="composer")
            await place.page.press("Enter", pressing=pressing)
            return
        await place.page.click(
            layout.send, decoys=layout.stop, part="send button", pressing=pressing
        )
    except Covered as exc:
        raise DialogInTheWay(site.name, "send button", exc.by) from exc
    except NotFound as exc:
        raise LayoutChanged(site.name, "send button", exc.tried) from exc
    except NotClicked as exc:
        if by_key or exc.retry is Retry.SAME:  # nothing was pressed
            raise SendNotConfirmed(site.name, str(exc), unknown=False) from exc


async def _swallowed(place: Place, layout: Layout, prompt: str) -> bool:
    """Whether the press surely did nothing: the text stands, Send is awake, and no
    request left that can carry a prompt."""
    for left in reversed(range(READ)):
        if not _idle(place):
            return False
        try:
            return same_prompt(await standing(place, layout), prompt) and _idle(place)
        except TabwireError:
            if not left:
                return False
    return False


def _idle(place: Place) -> bool:
    """Whether nothing was heard of a press, and the page shows none."""
    ear = place.ear
    state = ear.state
    if ear.befell is not None or ear.attempt is not None or ear.carriers or state is None:
        return False
    return state.send and not (state.generating and not ear.marked)


async def _left_late(place: Place, site: Site, layout: Layout, prompt: str) -> Left:
    """The page did something: wait for the request, and look for the question in the page."""
    ear, timings = place.ear, site.page.timings
    known = lambda: ear.attempt or ear.befell or ear.page_answers  # noqa: E731
    await ear.until(known, Wait.SENT.seconds(timings))
    if ear.attempt is not None:
        return Left("request")
    if ear.befell is not None:
        raise SendNotConfirmed(site.name, ear.befell.words, unknown=True)
    # that the question stands in the page proves nothing: pages draw it before they ask
    if ear.page_answers and await _in_page(place, layout, prompt):
        ear.adopt()
        return Left("page")
    if await _swallowed(place, layout, prompt):
        raise SendNotConfirmed(site.name, "the prompt is still in the composer", unknown=False)
    raise SendNotConfirmed(
        site.name,
        f"no request was seen within {timings.sent_seconds:g} s (wait `{Wait.SENT}`)",
        unknown=True,
    )


async def _in_page(place: Place, layout: Layout, prompt: str) -> bool:
    """Whether the newest question in the page is ours."""
    try:
        questions = await place.page.read(layout.user_message)
    except TabwireError:
        return False
    return bool(questions) and _letters(prompt) in _letters(questions[-1])


def _letters(text: str) -> str:
    return "".join(filter(str.isalnum, text.casefold()))
