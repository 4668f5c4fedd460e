"""One menu of a page: open it, go into the menus inside it, take a row, close it again.

Only rows that came with our click are rows of the menu. Which of them are choices is read off
their structure: a row that leads elsewhere, such as an offer to pay, is none.
"""

from collections.abc import Sequence

import msgspec

from tabwire.browser.page.elements import Candidates, css_of
from tabwire.browser.page.page import Page
from tabwire.browser.world import SCRIPT_SECONDS
from tabwire.sites.page import Selector

BUTTON_SECONDS = 5.0
"""How long a page that can be written in may take to show the button beside it."""

OPEN_SECONDS = 2.0
"""How long a menu may take to open. Sites take a few frames."""

OPEN_TRIES = 2
"""A click on a page that is not awake yet is lost."""

CLOSE_SECONDS = 1.0
"""How long a menu may take to go, animation included."""

ESCAPES = 3
"""A menu in a menu in a menu closes one by one."""


class Row(msgspec.Struct, frozen=True):
    """One row. `checked` is None where it does not say; `values` are names for machines."""

    at: int
    lines: tuple[str, ...]
    label: str
    notes: tuple[str, ...]
    values: tuple[str, ...]
    radio: bool
    checked: bool | None
    off: bool
    opens: bool
    slides: bool
    leads: bool

    @property
    def title(self) -> str:
        """What a person calls it: its first line."""
        return self.lines[0] if self.lines else self.label


class Slider(msgspec.Struct, frozen=True):
    """How many steps, and at which one is, from 0."""

    steps: int
    now: int


class Shown(msgspec.Struct, frozen=True):
    """The rows that came, from top to bottom."""

    rows: tuple[Row, ...] = ()
    sliders: tuple[Slider, ...] = ()

    @property
    def choices(self) -> tuple[Row, ...]:
        """The rows one chooses by a click.

        Where some say that they can be checked, a row that cannot be is none of them.
        """
        plain = [row for row in self.rows if not (row.opens or row.slides or row.leads)]
        told = [row for row in plain if row.radio or row.checked is not None]
        return tuple(told or plain)

    @property
    def openers(self) -> tuple[Row, ...]:
        """The rows that open a menu of their own."""
        return tuple(row for row in self.rows if row.opens and not row.off)


class ButtonSays(msgspec.Struct, frozen=True):
    """What stands on the button, and in the attribute asked for."""

    lines: tuple[str, ...] = ()
    value: str | None = None
    open: bool = False


class Menu:
    """The menu behind one button. Used inside `focused`."""

    def __init__(
        self,
        page: Page,
        button: Sequence[Selector],
        options: Sequence[Selector] = (),
        more: Sequence[Selector] = (),
        *,
        part: str = "model picker",
    ) -> None:
        self._page = page
        self._options = css_of(options)
        self._more = css_of(more)
        # what is a row is no button, though a site's page data may list both
        self._button = tuple(css for css in css_of(button) if css not in self._options)
        self._part = part
        self._begun = False

    async def says(self, attribute: str = "") -> ButtonSays | None:
        """The button as it is now; None where none comes."""
        if not self._button:
            return None
        number = await awaited(self._page, self._button, BUTTON_SECONDS)
        if not number:
            return None
        wish = {"number": number, "attribute": attribute}
        return msgspec.convert(await self._page.evaluate("menus.button", wish), ButtonSays)

    async def open(self) -> Shown:
        """Its rows; none where it does not open. Raises what a click raises."""
        await self.close()
        says = await self.says()
        if says is not None and says.open:
            await self._page.press("Escape")  # somebody left it open
        await self._page.evaluate("menus.begin", {"options": self._options})
        self._begun = True
        shown = Shown()
        for _ in range(OPEN_TRIES):
            await self._page.click(self._button, part=self._part)
            shown = await self._opened()
            if shown.rows:
                break
        return shown

    async def enter(self, row: Row) -> Shown | None:
        """The rows of the menu this row opens; None where the row is gone."""
        await self._page.evaluate("menus.mark", {"options": self._options})
        return await self._opened() if await self.take(row) else None

    async def take(self, row: Row) -> bool:
        """Click this row. False where it is gone: nothing was clicked."""
        number = await self._page.evaluate("menus.row", {"at": row.at})
        return bool(number) and await self._page.click_number(number, part=row.title or "row")

    async def hold_slider(self) -> bool:
        """Give the keys to the slider of the open menu. False where there is none."""
        return bool(await self._page.evaluate("menus.slide"))

    async def slide(self, key: str) -> None:
        """Press a key there, and let the page take it up."""
        await self._page.press(key)
        await self._page.evaluate("menus.settled")

    async def gone(self, seconds: float = CLOSE_SECONDS) -> bool:
        """Wait until nothing of it is seen any more."""
        return await self._fewer(1, seconds) == 0

    async def close(self) -> None:
        """Close it, where it is open: by Escape, else by its own button."""
        if not self._begun:
            return
        for _ in range(ESCAPES):
            standing = int(await self._page.evaluate("menus.standing"))
            if not standing:
                return
            await self._page.press("Escape")
            if not await self._fewer(standing, CLOSE_SECONDS):
                return
        says = await self.says()
        if says is not None and says.open:
            await self._page.click(self._button, part=self._part)
            await self.gone()

    async def _fewer(self, than: int, seconds: float) -> int:
        wish = {"than": than, "ms": seconds * 1000}
        return int(await self._page.evaluate("menus.fewer", wish, seconds=seconds + 5.0))

    async def _opened(self) -> Shown:
        wish = {"options": self._options, "more": self._more, "ms": OPEN_SECONDS * 1000}
        said = await self._page.evaluate("menus.opened", wish, seconds=OPEN_SECONDS + 5.0)
        return msgspec.convert(said, Shown)


async def awaited(page: Page, candidates: Candidates, seconds: float) -> int:
    """The number of a control that can be used, waited for if need be; 0 where none comes."""
    wait = {"candidates": css_of(candidates), "ms": seconds * 1000}
    found: int = await page.evaluate("menus.awaited", wait, seconds=seconds + SCRIPT_SECONDS)
    return found
