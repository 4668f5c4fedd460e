"""Conversations, models and modes of an agent panel: listed, and chosen by their exact names.

A name that is not there is an error, never the nearest one and never the one that is open; so is
a name that two have. What was chosen is read back from the panel.
"""

import asyncio
import unicodedata
from collections.abc import Awaitable, Callable
from contextlib import suppress
from typing import Any, Literal, TypeVar

import msgspec

from tabwire.browser.agent.drive import SHOWN_SECONDS, Driver
from tabwire.browser.agent.errors import NoSuchName, NotDone
from tabwire.browser.page.elements import css_of
from tabwire.browser.page.errors import NotFound
from tabwire.model.agent import Panel
from tabwire.model.errors import TabwireError
from tabwire.sites.antigravity.page import drive

T = TypeVar("T")
TRY_SECONDS = 0.1

What = Literal["model", "mode"]
HEADS = {"model": ("model",), "mode": ("conversation mode", "会話モード")}


class Conversation(msgspec.Struct, frozen=True):
    """A past conversation. `here`: of this window's workspace."""

    name: str
    when: str = ""
    here: bool = True
    active: bool = False
    number: int = 0


class _Listed(msgspec.Struct, frozen=True):
    floating: bool
    rows: tuple[Conversation, ...]


class Choice(msgspec.Struct, frozen=True):
    """A row of a picker."""

    name: str
    number: int = 0


class _Picker(msgspec.Struct, frozen=True):
    trigger: int
    shows: str
    open: bool
    rows: tuple[Choice, ...]


def same_name(one: str, other: str) -> bool:
    """Exactly the same; only blanks and the way letters are put together do not matter."""
    return _named(one) == _named(other)


def _named(name: str) -> str:
    return " ".join(unicodedata.normalize("NFC", name).split())


# --- conversations -----------------------------------------------------------------------------


async def list_conversations(driver: Driver) -> tuple[Conversation, ...]:
    """Those the window offers, the newest first."""
    await driver.look()
    listed = await _opened(driver)
    await _closed(driver, listed)
    return listed.rows


async def select_conversation(driver: Driver, name: str) -> Panel:
    """Open the one of exactly this name, and see that it is open. Raises `NoSuchName`."""
    panel = await driver.look()
    listed = await _opened(driver)
    try:
        row = _the_one(listed.rows, name)
        if same_name(panel.conversation, name) and (row.active or not listed.floating):
            await _closed(driver, listed)
            return panel
        if not same_name(panel.conversation, name):
            driver.free("it is working in another conversation, which would be hidden")
        await driver.press_number(row.number, "conversation")
    except TabwireError:
        with suppress(TabwireError):
            await _closed(driver, listed)
        raise
    shown = await driver.until(lambda now: now if same_name(now.conversation, name) else None)
    if shown is None:
        raise NotDone(f"opening {name!r}", f"the panel shows {driver.panel.conversation!r} instead")
    return shown


def _the_one(rows: tuple[Conversation, ...], name: str) -> Conversation:
    named = [one for one in rows if same_name(one.name, name)]
    here = [one for one in named if one.here]
    if len(here) == 1:
        return here[0]
    there = tuple(one.name for one in rows if one.here)
    if len(here) > 1:
        raise NoSuchName(
            "conversation", name, there, why=f"{len(here)} have this name, so none is chosen"
        )
    if named:
        why = "it belongs to another workspace; open that workspace's window"
        raise NoSuchName("conversation", name, there, why=why)
    raise NoSuchName("conversation", name, there)


async def _opened(driver: Driver) -> _Listed:
    """The list, opened where it must be."""
    if (listed := await _listed(driver)) is not None:
        return listed
    try:
        await driver.press(css_of(drive.HISTORY), "control for past conversations")
    except NotFound as exc:
        raise NotDone("listing conversations", "the window has no such control") from exc
    listed = await _awaited(lambda: _listed(driver))
    if listed is None:
        raise NotDone("the control for past conversations", "no list appeared")
    return listed


async def _listed(driver: Driver) -> _Listed | None:
    said = await driver.page.evaluate("drive_lists.conversations", drive.LISTS)
    return None if said is None else msgspec.convert(said, _Listed)


async def _closed(driver: Driver, listed: _Listed) -> None:
    if listed.floating:
        await driver.page.press("Escape")


# --- pickers -----------------------------------------------------------------------------------


async def list_choices(driver: Driver, what: What) -> tuple[str, tuple[str, ...]]:
    """The one that is chosen, and all there are."""
    await driver.look()
    picker = await _picker(driver, what)
    shown = picker
    if not picker.rows:
        shown = await _unfolded(driver, what, picker)
        await _folded(driver, what)
    return picker.shows, tuple(one.name for one in shown.rows)


async def choose(driver: Driver, what: What, name: str) -> str:
    """Choose the one of exactly this name; its name, read back. Raises `NoSuchName`."""
    await driver.look()
    picker = await _picker(driver, what)
    if same_name(picker.shows, name):
        return picker.shows
    if picker.rows:
        _choice(picker, what, name)  # said before anything is opened
    picker = await _unfolded(driver, what, picker)
    try:
        row = _choice(picker, what, name)
        await driver.press_number(row.number, f"{what} {row.name}")
    except TabwireError:
        with suppress(TabwireError):
            await _folded(driver, what)
        raise
    chosen = await _awaited(lambda: _shows(driver, what, name))
    if chosen is None:
        shows = (await _picker(driver, what)).shows
        raise NotDone(f"choosing the {what} {name!r}", f"the panel shows {shows!r}")
    return chosen


def _choice(picker: _Picker, what: What, name: str) -> Choice:
    found = [one for one in picker.rows if same_name(one.name, name)]
    if len(found) != 1:
        raise NoSuchName(what, name, tuple(one.name for one in picker.rows))
    return found[0]


async def _shows(driver: Driver, what: What, name: str) -> str | None:
    picker = await _look(driver, what)
    return picker.shows if picker and same_name(picker.shows, name) else None


async def _picker(driver: Driver, what: What) -> _Picker:
    picker = await _look(driver, what)
    if picker is None:
        raise NotDone(f"choosing a {what}", f"this panel has no {what} picker")
    return picker


async def _look(driver: Driver, what: What) -> _Picker | None:
    about: dict[str, Any] = {
        "faces": driver.within(what),
        "heads": HEADS[what],
        **drive.PICKERS[what],
    }
    if what == "mode":  # its selector finds every picker: known by what it shows
        about["shows"] = driver.panel.mode
    said = await driver.page.evaluate("drive_lists.picker", about)
    return None if said is None else msgspec.convert(said, _Picker)


async def _unfolded(driver: Driver, what: What, picker: _Picker) -> _Picker:
    if picker.open:
        return picker
    await driver.press_number(picker.trigger, f"{what} picker")

    async def opened() -> _Picker | None:
        now = await _look(driver, what)
        return now if now and now.open and now.rows else None

    found = await _awaited(opened)
    if found is None:
        raise NotDone(f"the {what} picker", "no list appeared")
    return found


async def _folded(driver: Driver, what: What) -> None:
    now = await _look(driver, what)
    if now is not None and now.open:
        await driver.press_number(now.trigger, f"{what} picker")


async def _awaited(look: Callable[[], Awaitable[T | None]]) -> T | None:
    """What a look finds, once it finds something."""
    for _ in range(int(SHOWN_SECONDS / TRY_SECONDS)):
        if (found := await look()) is not None:
            return found
        await asyncio.sleep(TRY_SECONDS)
    return None
