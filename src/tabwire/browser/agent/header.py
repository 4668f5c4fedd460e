"""What the stand-alone program shows of where it works. Editors say it in their window's title.

Looked at and not subscribed to: a person opens another conversation, of another project, in the
same window, so whoever depends on it looks when it matters.
"""

import asyncio
from collections.abc import Iterable
from dataclasses import replace

import msgspec

from tabwire.browser.agent.connection import PanelWorld, open_window
from tabwire.cdp.connection import Session
from tabwire.model.errors import TabwireError
from tabwire.sites.antigravity.page import Place, Window, named
from tabwire.sites.antigravity.page.head import HEAD, project_name

LOOK_SECONDS = 3.0


class Head(msgspec.Struct, frozen=True):
    """A project as it is shown, a path or a name, and the title of the conversation."""

    project: str
    conversation: str


async def head_of(session: Session) -> Head | None:
    """What the head of this window says; None where it is not built as we know it."""
    told = await PanelWorld(session).call("agent/head.read", HEAD, seconds=LOOK_SECONDS)
    return None if told is None else msgspec.convert(told, Head)


async def called(windows: Iterable[Window]) -> tuple[Window, ...]:
    """These windows; those of the stand-alone program by the project they show now."""
    return named(await asyncio.gather(*(_called(one) for one in windows)))


async def _called(window: Window) -> Window:
    if window.place is not Place.APP:
        return window
    try:
        async with asyncio.timeout(LOOK_SECONDS):
            session = await open_window(window)
            try:
                head = await head_of(session)
            finally:
                await session.connection.close()
    except (TabwireError, TimeoutError):  # it is called as it was listed
        return window
    name = project_name(head.project) if head else ""
    return replace(window, name=name, workspace=name) if name else window
