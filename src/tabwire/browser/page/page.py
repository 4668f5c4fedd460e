"""What we can do in a tab: find, fill, click, press, attach files, read, take a picture.

In:  selectors, as candidates best first.      Out: results; errors say what was missing.

Everything happens in the session's own tab and nowhere else: the person's tab and window
stay in front. While we act or read the tab believes it is in front itself (focus.py).
Our functions run in a world of our own (world.py), input comes from the browser, so the
page sees what it would see from a person.
"""

from collections.abc import Iterable, Sequence
from contextlib import AbstractAsyncContextManager
from pathlib import Path
from typing import Any

import msgspec

from tabwire.browser.page import click as page_click
from tabwire.browser.page import files as page_files
from tabwire.browser.page.click import Pressing
from tabwire.browser.page.elements import (
    Attached,
    Candidates,
    Filled,
    Found,
    Surveyed,
    Wish,
    css_of,
)
from tabwire.browser.page.fill import Filler
from tabwire.browser.page.find import Finder
from tabwire.browser.page.focus import focused
from tabwire.browser.page.keys import strokes
from tabwire.browser.page.screenshot import take_picture
from tabwire.browser.world import SCRIPT_SECONDS, World
from tabwire.cdp.connection import Session

PRESS_SECONDS = 5.0
"""How long the page may take over one key; its own handlers run meanwhile."""

LONGEST_PICTURE = 16_000
"""Pixels of height: beyond, graphics cards draw nothing."""


class _Read(msgspec.Struct):
    texts: list[str]


class _Size(msgspec.Struct):
    width: float
    height: float


class _Metrics(msgspec.Struct):
    content: _Size = msgspec.field(name="cssContentSize")


class Page:
    """Verbs for one tab. `decoys` look right and must not be used; `part` is for errors."""

    def __init__(self, session: Session) -> None:
        self.session = session
        self.world = World(session)
        self._finder = Finder(self.world)

    def focused(self) -> AbstractAsyncContextManager[None]:
        """The tab believes it is in front, inside the block. Blocks may be nested."""
        return focused(self.session)

    async def find(self, *candidates: Candidates, decoys: Candidates = ()) -> Found | None:
        """The first candidate, of one list after the other, with a visible, enabled match."""
        wish = Wish(css_of(*candidates), css_of(decoys))
        return (await self._finder.look(wish)).found

    async def survey(self, *candidates: Candidates, decoys: Candidates = ()) -> list[Surveyed]:
        """For every candidate, how many elements it matches: is our knowledge still right?"""
        return await self._finder.survey(Wish(css_of(*candidates), css_of(decoys)))

    async def fill(
        self,
        candidates: Candidates,
        text: str,
        *,
        decoys: Candidates = (),
        part: str = "text field",
    ) -> Filled:
        """Put the text there instead of what stands there, and read it back.

        Raises `NotFound` or `NotFilled`. Never presses Enter.
        """
        wish = Wish(css_of(candidates), css_of(decoys), part, editable=True)
        async with self.focused():
            return await Filler(self._finder, wish, text).fill()

    async def click(
        self,
        candidates: Candidates,
        *,
        decoys: Candidates = (),
        part: str = "button",
        pressing: Pressing | None = None,
    ) -> Found:
        """A real click on it. Raises `NotFound`, `Covered` or `NotClicked`. `pressing` is told
        how far it has come."""
        wish = Wish(css_of(candidates), css_of(decoys), part)
        async with self.focused():
            return await page_click.click(self._finder, wish, pressing)

    async def click_number(self, number: int, *, part: str = "button") -> bool:
        """A real click on an element that has a number already. False where it is gone."""
        async with self.focused():
            return await page_click.click_number(self._finder, number, part)

    async def press(
        self, key: str, modifiers: Iterable[str] = (), *, pressing: Pressing | None = None
    ) -> None:
        """Press a key where the caret is: a name as in `KeyboardEvent.key`, or a character."""
        pressing = pressing or Pressing()
        seconds = pressing.seconds or PRESS_SECONDS
        async with self.focused():
            pressing.began, pressing.done = True, False
            for stroke in strokes(key, modifiers):
                await self.session.call("Input.dispatchKeyEvent", stroke, seconds=seconds)
            pressing.done = True

    async def attach_files(
        self,
        candidates: Candidates,
        paths: Sequence[Path | str],
        *,
        decoys: Candidates = (),
        part: str = "upload control",
    ) -> Attached:
        """Give these files to the page: to a file input, or to the button that opens one."""
        wish = Wish(css_of(candidates), css_of(decoys), part, upload=True)
        async with self.focused():
            return await page_files.attach(self._finder, wish, [Path(one) for one in paths])

    async def read(self, candidates: Candidates, *, decoys: Candidates = ()) -> list[str]:
        """The texts of all elements of the first candidate that matches any, seen or unseen."""
        wish = Wish(css_of(candidates), css_of(decoys))
        async with self.focused():
            return (await self._finder.ask("read", wish.said(), _Read)).texts

    async def screenshot(self, *, full: bool = False) -> bytes:
        """A picture of the tab as PNG; `full` also shows what one would have to scroll to."""
        params: dict[str, Any] = {"format": "png", "captureBeyondViewport": full}
        async with self.focused():
            if full:
                params["clip"] = await self._whole()
            return await take_picture(self.session, params)

    async def evaluate(
        self, function: str, argument: Any = None, *, seconds: float = SCRIPT_SECONDS
    ) -> Any:
        """Call `file.function` of `file`.js in browser/inpage; see `World.call`."""
        return await self.world.call(function, argument, seconds=seconds)

    async def _whole(self) -> dict[str, float]:
        size = (await self.session.call("Page.getLayoutMetrics", shape=_Metrics)).content
        height = min(size.height, LONGEST_PICTURE)
        return {"x": 0, "y": 0, "width": size.width, "height": height, "scale": 1}
