"""The prompt into the composer, whole, and read back before anything is sent.

What a person left in the composer is not ours: it is kept on disk, taken out, and put back
when our prompt has gone, or when it will not go. What we typed and did not send is taken out
again.
"""

from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager, suppress

from tabwire.asking.context import Given
from tabwire.asking.prompt_match import bare, same_prompt
from tabwire.asking.tab import Place
from tabwire.asking.timeouts import Wait
from tabwire.browser.page.errors import Covered, NotClicked, NotFilled, NotFound, PageWentAway
from tabwire.model.ask import Step
from tabwire.model.ask_errors import (
    DialogInTheWay,
    LayoutChanged,
    SiteBusy,
    TextNotTaken,
    WaitRanOut,
)
from tabwire.model.errors import TabwireError
from tabwire.sites.page import Layout
from tabwire.sites.site import Site

TAKEN_BACK = 3  # how often a page that comes alive may take back what was typed
CLEARED_SECONDS = 2.0  # a page clears its composer when it sends
SEND_SOON_SECONDS = 5.0  # a page that knows our text has its Send on the screen by then


class Draft:
    """What a person wrote in the composer, to be put back. It may turn up late: a page that
    comes alive shows what it kept."""

    def __init__(self, given: Given, prompt: str) -> None:
        self.text = ""
        self._given = given
        self._prompt = prompt

    async def keep(self, stands: str, *, typed: bool = False) -> None:
        """Keep what stands there, on disk, but for what of it is ours.

        Ours is our whole prompt; and its beginning, once we `typed`.
        """
        if not stands or same_prompt(stands, self._prompt):
            return
        if typed and bare(self._prompt).startswith(bare(stands)):
            return
        theirs = stands.replace(self._prompt, "").strip()
        if bare(theirs) != bare(self.text):
            self.text = theirs
            await self._given.checkpoint(Step.NEW, draft=theirs)


@asynccontextmanager
async def foreign_draft(
    place: Place, site: Site, layout: Layout, given: Given, prompt: str
) -> AsyncIterator[Draft]:
    """Keep what stands in the composer, and put it back at the end of the block.

    Inside the block the prompt is typed and sent. Whatever happens there, at the end the
    composer holds the person's draft, or nothing: never our prompt.
    """
    draft = Draft(given, prompt)
    await draft.keep(await standing(place, layout))
    ear = place.ear
    try:
        yield draft
    finally:
        with suppress(TabwireError):  # the tab may be gone; the draft is on disk
            if ear.attempt is None:
                await _put(place, site, layout, draft.text, prompt)
            elif draft.text:
                empty = lambda: ear.state is not None and ear.state.composer_empty  # noqa: E731
                await ear.until(empty, CLEARED_SECONDS)
                await _put(place, site, layout, draft.text, prompt)
            if draft.text and same_prompt(await standing(place, layout), draft.text):
                await given.checkpoint(Step.NEW, draft="")


async def _put(place: Place, site: Site, layout: Layout, draft: str, prompt: str) -> None:
    """The draft into a composer that is empty or holds what we typed; else somebody types."""
    now = await standing(place, layout)
    if bare(now) != bare(draft) and (not now or same_prompt(now, prompt)):
        await fill(place, site, layout, draft)


async def standing(place: Place, layout: Layout) -> str:
    """What stands in the composer now."""
    texts = await place.page.read(layout.composer, decoys=layout.decoys)
    return texts[0].strip() if texts else ""


async def fill(place: Place, site: Site, layout: Layout, text: str) -> None:
    """Put this there instead of what stands there. Raises what a person can act on."""
    try:
        await place.page.fill(layout.composer, text, decoys=layout.decoys, part="composer")
    except NotFound as exc:
        raise LayoutChanged(site.name, "composer", exc.tried) from exc
    except Covered as exc:
        raise DialogInTheWay(site.name, "composer", exc.by) from exc
    except NotFilled as exc:
        raise TextNotTaken(site.name, str(exc)) from exc


async def compose(
    place: Place, site: Site, layout: Layout, prompt: str, draft: Draft, *, files: bool
) -> bool:
    """The prompt stands in the composer and Send is awake; whether Enter must do instead.

    A page whose Send we do not know any more still sends by Enter, unless files are with it.
    """
    ear, timings = place.ear, site.page.timings
    slow = False  # the page did not show in its time that it took up what was typed
    for _ in range(TAKEN_BACK):
        try:
            await _touch(place, site, layout)
            await fill(place, site, layout, prompt)
        except PageWentAway:
            continue  # the page came anew under us: once more
        slow = not await _taken_up(place, site)
        wrote = _Wrote()

        def settled(wrote: _Wrote = wrote) -> str | None:
            state = ear.state
            if ear.befell is not None:
                return "gone"
            if state is None:
                return None
            if state.send and not state.composer_empty:
                return "ready"
            wrote.seen = wrote.seen or not state.composer_empty
            return "taken back" if wrote.seen and state.composer_empty else None

        how = await ear.until(settled, SEND_SOON_SECONDS)
        if how is None and not same_prompt(await standing(place, layout), prompt):
            how = "taken back"  # before the page ever showed it
        if (
            how is None
            and not _generating(place)
            and not files
            and not await _has_send(place, layout)
        ):
            how = "by key"
        how = how or await ear.until(settled, Wait.SEND.seconds(timings))
        if how == "gone":
            raise TextNotTaken(site.name, "the tab is gone")
        stands = await standing(place, layout)
        if how in ("ready", "by key") and same_prompt(stands, prompt):
            return how == "by key"
        await draft.keep(stands, typed=True)
        if how == "taken back":  # a page that comes alive draws its own composer: let it
            await ear.until(_can_be_written(place), Wait.SETTLE.seconds(timings))
        if how is None:
            raise _never_awake(site, layout, generating=_generating(place))
    waits = [Wait.SETTLE, Wait.AFTER_INPUT] if slow else [Wait.SETTLE]
    named = ", ".join(f"wait `{wait}`, {wait.seconds(timings):g} s" for wait in waits)
    why = f"the page removes what is typed, or someone is typing in it ({named})"
    raise TextNotTaken(site.name, why)


async def _taken_up(place: Place, site: Site) -> bool:
    """Whether the page itself shows in time that something is written. What stands there is read
    back in any case."""
    ear = place.ear
    shown = lambda: ear.state is not None and not ear.state.composer_empty  # noqa: E731
    return bool(await ear.until(shown, Wait.AFTER_INPUT.seconds(site.page.timings)))


def _can_be_written(place: Place) -> Callable[[], bool]:
    ear = place.ear
    return lambda: ear.state is not None and ear.state.composer and ear.state.composer_empty


async def _touch(place: Place, site: Site, layout: Layout) -> None:
    """A real click into the composer, as a person begins: some editors wake up only then."""
    try:
        await place.page.click(layout.composer, decoys=layout.decoys, part="composer")
    except NotFound as exc:
        raise LayoutChanged(site.name, "composer", exc.tried) from exc
    except Covered as exc:
        raise DialogInTheWay(site.name, "composer", exc.by) from exc
    except NotClicked:
        return  # it moves; what is typed is read back all the same


async def _has_send(place: Place, layout: Layout) -> bool:
    """Whether there is a Send at all, awake or not."""
    surveyed = await place.page.survey(layout.send, decoys=layout.stop)
    return any(one.matched for one in surveyed)


class _Wrote:
    """Whether the page has shown what was typed."""

    def __init__(self) -> None:
        self.seen = False


def _generating(place: Place) -> bool:
    return place.ear.state is not None and place.ear.state.generating


def _never_awake(site: Site, layout: Layout, *, generating: bool) -> TabwireError:
    seconds = site.page.timings.send_seconds
    if generating:
        return SiteBusy(site.name, seconds)
    if not layout.send:
        return LayoutChanged(site.name, "send button", [one.css for one in layout.send])
    return WaitRanOut(site.name, Wait.SEND, seconds, "the Send button was not enabled")
