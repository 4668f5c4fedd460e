"""Press Send, and know whether the prompt left.

It has left when a request with our prompt in it was heard, or, where the site asks at an
address we do not know, when the page answers our question. Then nothing is ever sent again. It
has not left when the page still holds our text with Send awake and made no request since that
can carry a prompt (pages prepare, poll and count in any case): then, and only then, Send is
tried once more. Everything else is unknown, and whoever comes next looks in the conversation
before anything is sent.
"""

from dataclasses import dataclass

from tabwire.asking.composer import standing
from tabwire.asking.context import Given
from tabwire.asking.prompt_match import same_prompt
from tabwire.asking.tab import Place
from tabwire.asking.timeouts import Wait
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
    if not same_prompt(await standing(place, layout), prompt):
        raise TextNotTaken(site.name, "it now contains different text: someone is typing there")
    for number in range(TRIES):
        ear.pressing()
        try:
            await _press(place, site, layout, by_key=(by_key or number > 0) and not files)
        except AskError:
            raise  # nothing was pressed
        except TabwireError as exc:
            # it may have been, before the page stopped to answer; or a busy browser presses yet
            await ear.until(lambda: ear.attempt or ear.befell, Wait.SENT.seconds(site.page.timings))
            if ear.attempt is None:
                raise SendNotConfirmed(site.name, str(exc), unknown=True) from exc
        if await ear.until(lambda: ear.attempt or ear.befell, SWALLOWED_SECONDS) and ear.attempt:
            return Left("request")
        if not await _swallowed(place, layout, prompt):
            return await _left_late(place, site, layout, prompt)
    raise SendNotConfirmed(
        site.name, f"Send was pressed {TRIES} times and the page did nothing", unknown=False
    )


async def _press(place: Place, site: Site, layout: Layout, *, by_key: bool) -> None:
    """A trusted click; at the second try Enter, which sends files that are not ready."""
    try:
        if by_key:
            await place.page.click(layout.composer, decoys=layout.decoys, part="composer")
            await place.page.press("Enter")
            return
        await place.page.click(layout.send, decoys=layout.stop, part="send button")
    except Covered as exc:
        raise DialogInTheWay(site.name, "send button", exc.by) from exc
    except NotFound as exc:
        raise LayoutChanged(site.name, "send button", exc.tried) from exc
    except NotClicked as exc:
        if exc.retry is Retry.SAME:  # nothing was pressed
            raise SendNotConfirmed(site.name, str(exc), unknown=False) from exc
    except PageWentAway:
        return  # the press led to another document: what is heard tells the rest


async def _swallowed(place: Place, layout: Layout, prompt: str) -> bool:
    """Whether the press surely did nothing: the text stands, Send is awake, and no
    request left that can carry a prompt."""
    ear = place.ear
    state = ear.state
    if ear.befell is not None or ear.attempt is not None or ear.carriers or state is None:
        return False
    if (state.generating and not ear.marked) or not state.send:
        return False
    try:
        return same_prompt(await standing(place, layout), prompt) and not ear.carriers
    except TabwireError:
        return False


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
