"""Act in one window of Antigravity: its panel looked at, its controls pressed as a hand does.

prompt.py   a prompt, once, proven by the new turn
lists.py  conversations, models and modes by their exact names

Everything looked for is looked for inside the panel. A press is the browser's own input, at a
point that was seen to belong to the control; the window need not be in front and is not brought
there.
"""

import asyncio
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager, suppress
from typing import Any, TypeVar

from tabwire.browser.agent.connection import PanelWorld
from tabwire.browser.agent.errors import AgentBusy, NotDone, PanelNotShown
from tabwire.browser.agent.window import AgentWindow, Attachment, WindowChange
from tabwire.browser.page.elements import css_of
from tabwire.browser.page.errors import Covered, NotClicked, NotFound
from tabwire.browser.page.find import Finder
from tabwire.browser.page.page import Page
from tabwire.browser.world import SCRIPT_SECONDS
from tabwire.cdp.connection import Session
from tabwire.model.agent import Panel
from tabwire.sites.antigravity.page import APPROVALS, PACKS, Pack, drive
from tabwire.sites.page import Selector

T = TypeVar("T")

SHOWN_SECONDS = 5.0
"""How long a panel may take to show what a press came to."""

GLANCE_SECONDS = 0.5
"""We look at least so often, whatever we hear."""


class PanelFinder(Finder):
    """Looks in the frame of the panel; where a press is aimed is told for the window."""

    async def ask(
        self, function: str, argument: Any, shape: type[T], *, seconds: float = SCRIPT_SECONDS
    ) -> T:
        """Call `page.<function>`. A point comes with the place of its frame added."""
        aimed = await super().ask(function, argument, shape, seconds=seconds)
        if function == "aim":
            by = await self.world.call("drive_box.offset")
            for name in ("x", "y"):
                setattr(aimed, name, getattr(aimed, name) + by[name])
        return aimed


class PanelPage(Page):
    """The verbs of a page, for the frame that has the panel."""

    def __init__(self, session: Session) -> None:
        super().__init__(session)
        self.world = PanelWorld(session)
        self._finder = PanelFinder(self.world)


class Driver:
    """One window that is attached. Made by `driving`."""

    def __init__(self, attachment: Attachment, packs: tuple[Pack, ...] = PACKS) -> None:
        self.page = PanelPage(attachment.session)
        self._packs = {one.name: one for one in packs}
        self._watch = attachment.watch
        self._changed = asyncio.Event()
        self._panel = attachment.panel

    # --- looking ----------------------------------------------------------------

    def hear(self, change: WindowChange) -> None:
        """What happens in the window."""
        if isinstance(change, Panel):
            self._panel = change
            self._changed.set()

    async def look(self) -> Panel:
        """The panel as it is now. Raises `PanelNotShown`."""
        self._panel = await self._watch.look()
        return self.panel

    @property
    def panel(self) -> Panel:
        """As it was last heard of. Raises `PanelNotShown`."""
        if not self._panel.panel or self._panel.pack is None:
            raise PanelNotShown
        return self._panel

    async def until(
        self, so: Callable[[Panel], T | None], seconds: float = SHOWN_SECONDS
    ) -> T | None:
        """What `so` says of the panel, once it says something; None when time is over."""
        try:
            async with asyncio.timeout(seconds):
                while not (found := so(await self.look())):
                    self._changed.clear()
                    with suppress(TimeoutError):
                        async with asyncio.timeout(GLANCE_SECONDS):
                            await self._changed.wait()
                return found
        except TimeoutError:
            return None

    def within(self, part: str) -> tuple[str, ...]:
        """The selectors of a part, inside the panel only, or in its own box of the composer."""
        pack = self._packs[self.panel.pack or ""]
        selectors: tuple[Selector, ...] = getattr(pack, part)
        roots = css_of(pack.root)
        inside = [f"{root} :is({one.css})" for one in selectors for root in roots]
        return (*inside, *(one.css for one in selectors if one.css.startswith(drive.BOX)))

    def free(self, why_not: str = "") -> None:
        """Raise `AgentBusy` where the agent works or waits."""
        panel = self.panel
        if any(one.kind in APPROVALS for one in panel.cards):
            raise AgentBusy("it is waiting for your decision")
        if panel.stop:
            raise AgentBusy(why_not or "it is working")

    # --- doing ------------------------------------------------------------------

    async def stop(self) -> bool:
        """Press the control that stops the agent. False: nothing runs. Raises `NotDone`."""
        if not (await self.look()).stop:
            return False
        await self.press(self.within("stop"), "stop control")
        if not await self.until(lambda panel: not panel.stop):
            raise NotDone("the stop control", "the agent is still working")
        return True

    async def new_chat(self, *, leave_running: bool = False) -> bool:
        """Begin an empty conversation. False: it is empty already. Raises `AgentBusy` where a
        run would go on out of sight, unless that is wanted."""
        panel = await self.look()
        if not panel.turns and not panel.older:
            return False
        if not leave_running:
            self.free()
        try:
            await self.press(css_of(drive.NEW_CHAT), "new chat control")
        except NotFound:
            await self.page.press("l", ("Control", "Shift"))
        if not await self.until(lambda now: not now.turns):
            raise NotDone("a new chat", "the panel still shows the previous conversation")
        return True

    async def press(self, candidates: Sequence[str], part: str) -> None:
        """A trusted press. Raises `NotFound`; what kept a press from landing is `NotDone`."""
        try:
            await self.page.click(candidates, part=part)
        except (Covered, NotClicked) as exc:
            raise NotDone(f"the {part}", str(exc)) from exc

    async def press_number(self, number: int, part: str) -> None:
        """The same for an element that was numbered."""
        try:
            hit = await self.page.click_number(number, part=part)
        except (Covered, NotClicked) as exc:
            raise NotDone(f"the {part}", str(exc)) from exc
        if not hit:
            raise NotDone(f"the {part}", "it disappeared before it was pressed")

    async def picture(self) -> bytes:
        """The window as PNG."""
        return await self.page.screenshot()


@asynccontextmanager
async def driving(window: AgentWindow) -> AsyncIterator[Driver]:
    """A driver for the length of a block, over the attachment the window has. Raises why there
    is none."""
    async with window.attached() as attachment:
        driver = Driver(attachment)
        async with window.listening(driver.hear):
            yield driver
