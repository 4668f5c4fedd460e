"""Give files to a page: straight into a file input, or through the chooser a button opens.

A file input is mostly hidden behind a button; files can be put into it all the same. Where
only the button can be found we let it open its chooser and take the chooser's place: no
dialog appears on the person's screen.
"""

import asyncio
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import msgspec

from tabwire.browser.page.click import click
from tabwire.browser.page.elements import Attached, Wish
from tabwire.browser.page.errors import NoChooser
from tabwire.browser.page.find import Finder
from tabwire.cdp.pending import Outcome
from tabwire.cdp.protocol import Event
from tabwire.model.errors import Unreadable

CHOOSER_SECONDS = 6.0
"""How long a button may take to open its chooser. It may do so only right after the click."""

INTERCEPT = "Page.setInterceptFileChooserDialog"


class _Opened(msgspec.Struct):
    """A file input that asked for files, and whether it takes several at once."""

    node: int = msgspec.field(default=0, name="backendNodeId")
    mode: str = "selectSingle"


async def attach(finder: Finder, wish: Wish, paths: Sequence[Path]) -> Attached:
    """Attach these files. Raises `NotFound`, `NoChooser` or what a click raises.

    To an input that takes one they are given one after another, as a person would.
    """
    left = [str(_checked(path)) for path in paths]
    how = ""
    while left:
        found = await finder.need(wish)
        held = await finder.world.hold("page.fileInput", {"number": found.number})
        whom: dict[str, Any]
        if held is not None:
            how, whom = "input", {"objectId": held.id}
            many = await finder.ask("takesMany", {"number": found.number}, bool)
        else:
            opened = await _chosen_by(finder, wish)
            how, whom = "chooser", {"backendNodeId": opened.node}
            many = opened.mode == "selectMultiple"
        some = left if many else left[:1]
        await finder.session.call("DOM.setFileInputFiles", {"files": some, **whom})
        left = left[len(some) :]
    return Attached(tuple(path.name for path in paths), how)


async def _chosen_by(finder: Finder, wish: Wish) -> _Opened:
    """Click, and say which file input asked for files."""
    session = finder.session
    opened: asyncio.Future[_Opened] = asyncio.get_running_loop().create_future()

    def hear(event: Event) -> None:
        if not opened.done():
            opened.set_result(event.read(_Opened))

    stop = session.listen("Page.fileChooserOpened", hear)
    try:
        await session.call("Page.enable")
        await session.call(INTERCEPT, {"enabled": True})
        await click(finder, wish)
        async with asyncio.timeout(CHOOSER_SECONDS):
            return await opened
    except TimeoutError:
        raise NoChooser(wish.part) from None
    finally:
        stop()
        session.send(INTERCEPT, {"enabled": False}, on_reply=_heard)


def _checked(path: Path) -> Path:
    """The browser takes any path and the page then finds nothing behind it: look first."""
    whole = path.resolve()
    if not whole.is_file():
        raise Unreadable(f"file not found: {path}", what_to_do="Name a file that exists.")
    return whole


def _heard(_: Outcome) -> None:
    """On the way out, a tab that is gone is no error."""
