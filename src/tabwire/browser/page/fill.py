"""Write a text into an element and prove that it stands there.

Three ways, each tried only if the one before did not hold: the browser's own text input,
the page's editing command, single keys. Editors keep a model of their own and put it back
over what was written past them, so each way goes through the events that editors hear, and
the text is read back after the editor had its turn. No way presses Enter: a line break is
part of the text, and Enter would send it.

A text of many lines is placed whole first, as if pasted: Chromium inserts line by line and
lays out all of it after each (seen: 400 lines in 1 s, 1200 in 7 s, 2000 in more than 20 s).
"""

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from typing import Any

import msgspec

from tabwire.browser.page.elements import Filled, Found, Wish
from tabwire.browser.page.errors import NotFilled
from tabwire.browser.page.find import Finder
from tabwire.browser.page.keys import strokes
from tabwire.browser.world import SCRIPT_SECONDS

SETTLE_SECONDS = 1.0
"""How long an editor may take to show what was written. Most take one or two frames."""

SETTLE_CHARACTERS = 10_000
"""A longer text is drawn later: so many characters more, and it may take once more as long."""

INSERT_SECONDS = 20.0
"""How long the browser and the editor may take over one insertion."""

MANY_LINES = 100
"""From here on a text is placed whole. Below, the browser's own input is quick enough, and
no site mistakes it for a paste that should become a file."""

REPLACED = 3
"""How often the element may be replaced under us by a page that renders anew."""

KEYS_MOST = 4000
"""Longest text for single keys: two commands each, about a millisecond."""

KEYS_AT_ONCE = 100
"""Keys on the way at one time."""

Way = Callable[[], Awaitable[None]]


class _Ready(msgspec.Struct):
    gone: bool = False
    refused: bool = False
    empty: bool = False


class _Stands(msgspec.Struct):
    holds: bool = False
    text: str = ""
    gone: bool = False


class Filler:
    """One text for one element. Used once, inside `focused`."""

    def __init__(self, finder: Finder, wish: Wish, text: str) -> None:
        self._finder = finder
        self._wish = wish
        self._text = text
        self._found: Found | None = None
        self._taken = False

    async def fill(self) -> Filled:
        """Try each way until the text stands there. Raises `NotFound` or `NotFilled`."""
        tried: list[str] = []
        stands = ""
        for how, way in self._ways():
            if not await self._prepare():
                stands = "nothing, because the page does not give it focus"
                continue
            tried.append(how)
            await way()
            there, found = await self._stands()
            if there.holds:
                return Filled(there.text, how, found)
            stands = there.text
            if self._taken:
                break  # the page made something else of it: not a second time
        raise NotFilled(self._wish.part, stands, ways=tried)

    def _ways(self) -> Sequence[tuple[str, Way]]:
        if not self._text:
            return (("erase", self._erase),)
        ways: list[tuple[str, Way]] = [("insert", self._insert), ("command", self._command)]
        if self._text.count("\n") >= MANY_LINES:
            return [("place", self._place), *ways]
        return [*ways, ("keys", self._keys)] if len(self._text) <= KEYS_MOST else ways

    async def _element(self) -> Found:
        if self._found is None:
            self._found = await self._finder.need(self._wish)
        return self._found

    async def _prepare(self) -> bool:
        """Caret into the element, all selected. False where the page gives it no focus."""
        for _ in range(REPLACED):
            number = (await self._element()).number
            ready = await self._finder.ask("prepare", {"number": number}, _Ready)
            if not ready.gone:
                return not ready.refused
            self._found = None
        return False

    async def _stands(self) -> tuple[_Stands, Found]:
        for _ in range(REPLACED):
            found = await self._element()
            settle = SETTLE_SECONDS * (1 + len(self._text) / SETTLE_CHARACTERS)
            wish = {"number": found.number, "text": self._text, "ms": settle * 1000}
            seconds = settle + SCRIPT_SECONDS
            there = await self._finder.ask("stands", wish, _Stands, seconds=seconds)
            if not there.gone:
                break
            self._found = None
        return there, found

    async def _insert(self) -> None:
        await self._tell("Input.insertText", {"text": self._text})

    async def _place(self) -> None:
        wish = {"number": (await self._element()).number, "text": self._text}
        self._taken = await self._finder.ask("place", wish, bool, seconds=INSERT_SECONDS)

    async def _command(self) -> None:
        wish = {"text": self._text}
        await self._finder.ask("write", wish, bool, seconds=INSERT_SECONDS)

    async def _erase(self) -> None:
        for stroke in strokes("Backspace"):
            await self._tell("Input.dispatchKeyEvent", stroke)

    async def _keys(self) -> None:
        await self._erase()
        for number, line in enumerate(self._text.replace("\r\n", "\n").split("\n")):
            if number:
                await self._finder.ask("breakLine", None, bool)
            events = [stroke for character in line for stroke in strokes(character)]
            for at in range(0, len(events), KEYS_AT_ONCE):
                some = events[at : at + KEYS_AT_ONCE]
                await asyncio.gather(*(self._tell("Input.dispatchKeyEvent", one) for one in some))

    async def _tell(self, method: str, params: dict[str, Any]) -> None:
        await self._finder.session.call(method, params, seconds=INSERT_SECONDS)
