"""Choose a model and an effort in the page, and prove that the page took it.

In:  names as people say them.      Out: what the page calls what is chosen now.

Theory of operation. The button of the picker opens a menu; rows in it are choices or open
further menus. A choice is found by its name: its first line, a name for machines, or one of the
names the site is known to use for the same thing, always compared whole. Where the page has a
menu of efforts, its rows are also known by their order, from least to most; such a guess counts
only if the button says afterwards that the wanted effort is chosen. After a click we look again
what is chosen: a click alone proves nothing.
"""

from collections.abc import AsyncIterator
from dataclasses import dataclass

from tabwire.asking.menus import ButtonSays, Menu, Row, Shown, Slider
from tabwire.asking.model_names import fits, same
from tabwire.browser.page.errors import Covered, NotClicked, NotFound
from tabwire.browser.page.page import Page
from tabwire.model.ask import AskRequest
from tabwire.model.ask_errors import DialogInTheWay, ModelNotAvailable
from tabwire.sites.choices import Models
from tabwire.sites.page import Layout
from tabwire.sites.site import Site

__all__ = ["Chosen", "check_effort", "choose", "fits"]

PART = "model picker"
NO_EFFORTS = "this site has no effort setting besides the model"

DEEPEST = 3
"""Menus inside menus. Two have been seen."""

TAKES = 2
"""How often a choice is clicked: a page that renders anew under us may swallow a click."""


@dataclass(frozen=True, slots=True)
class Chosen:
    """As the page names what is chosen; None where nothing was wanted."""

    model_label: str | None = None
    effort_label: str | None = None


@dataclass(frozen=True, slots=True)
class _Group:
    """The choices of one menu. `above`: the row that opened it, where it is one of a model."""

    rows: tuple[Row, ...]
    above: str
    is_effort: bool


@dataclass(frozen=True, slots=True)
class _Found:
    row: Row
    guessed: bool = False  # by its place in the menu


async def choose(
    page: Page, site: Site, layout: Layout, *, model: str | None, effort: str | None
) -> Chosen:
    """See to it that this model and this effort are chosen. Raises `ModelNotAvailable`.

    What is chosen already is not clicked. Menus are closed afterwards, whatever happens.
    """
    if model is None and effort is None:
        return Chosen()
    chooser = _Chooser(page, site, layout)
    model_label = effort_label = None
    async with page.focused():
        try:
            if model is not None:
                model_label = await chooser.settle(model, effort=False, alone=effort is None)
            if effort is not None:
                effort_label = await chooser.settle(effort, effort=True, alone=model is None)
        except Covered as exc:
            raise DialogInTheWay(site.name, PART, exc.by) from exc
        except (NotFound, NotClicked) as exc:
            wanted = " ".join(filter(None, (model, effort)))
            raise ModelNotAvailable(site.name, wanted, str(exc)) from exc
        finally:
            await chooser.menu.close()
    return Chosen(model_label, effort_label)


def check_effort(site: Site, request: AskRequest) -> None:
    """Raise `ModelNotAvailable` at once where the site surely has no such effort: it has none at
    all, and the wish is no other name for one of its modes."""
    wanted, models = request.effort, site.choices.models
    if wanted is None or request.model_best_effort:
        return
    if any(picker.efforts for picker in site.choices.pickers):
        return
    a_mode = any(same(wanted, mode, models) for mode in models.modes)
    if request.model is not None or not a_mode:
        raise ModelNotAvailable(site.name, wanted, NO_EFFORTS, offered=models.modes)


class _Chooser:
    """One visit to the picker of one page."""

    def __init__(self, page: Page, site: Site, layout: Layout) -> None:
        self._site = site
        self._layout = layout
        self._picker = site.choices.picker(layout.name)
        self._models = site.choices.models
        picker = self._picker
        self.menu = Menu(page, layout.model_picker, picker.options, picker.more, part=PART)

    async def settle(self, wanted: str, *, effort: bool, alone: bool) -> str:
        """See to one wish; what the page calls it. `alone`: the only wish there is.

        Some sites have one menu for both, and people call an effort a model ("pro"): a lone
        wish may be met by either.
        """
        before = await self._button(wanted)
        if effort and self._at_level(before, wanted):
            return _said(before)
        for _ in range(TAKES):
            try:
                found = await self._find(wanted, effort=effort, alone=alone)
            except ModelNotAvailable:
                if effort and (slid := await self._slide(wanted)):
                    return slid
                raise
            if found.row.off:
                raise self._off(wanted, found.row)
            if self._proven(found, before, wanted):
                return found.row.title
            if await self.menu.take(found.row):
                await self.menu.gone()
            after = await self._button(wanted)
            if self._shows_change(found, before, after, wanted):
                return found.row.title
            before = after
        found = await self._find(wanted, effort=effort, alone=alone)
        if self._proven(found, before, wanted):
            return found.row.title
        raise self._refused(wanted, f"it was clicked, but the page shows {_said(before)!r}")

    # --- proof -----------------------------------------------------------------------------

    def _proven(self, found: _Found, says: ButtonSays, wanted: str) -> bool:
        """Whether the open menu, or the button, says that this row is chosen."""
        at_level = self._at_level(says, wanted)
        if found.guessed or (at_level is not None and self._level(found.row.title) is not None):
            return at_level is True
        if found.row.checked is not None:
            return found.row.checked
        return same(_said(says), found.row.title)

    def _shows_change(
        self, found: _Found, before: ButtonSays, after: ButtonSays, wanted: str
    ) -> bool:
        """Whether the button alone proves that our click was taken: no need to open again."""
        if found.guessed or self._level(wanted) is not None:
            return self._at_level(after, wanted) is True
        title = found.row.title
        return same(_said(after), title) and not same(_said(before), title)

    def _at_level(self, says: ButtonSays, wanted: str) -> bool | None:
        """Whether the button's attribute says the wanted effort; None where nobody can tell."""
        now, wish = self._level(says.value or ""), self._level(wanted)
        return None if now is None or wish is None else now == wish

    def _level(self, name: str) -> int | None:
        """The place of an effort between least and most."""
        efforts = enumerate(self._picker.efforts)
        return next((at for at, one in efforts if same(name, one, self._models)), None)

    # --- sliding ---------------------------------------------------------------------------

    async def _slide(self, wanted: str) -> str:
        """Move the slider until the button says the wanted effort; "" where it never does.

        Then it is moved back. Which key means more depends on the direction of writing.
        """
        says = await self._button(wanted)
        wish, now = self._level(wanted), self._level(says.value or "")
        sliders = (await self.menu.open()).sliders
        if wish is None or now is None or not sliders or not await self.menu.hold_slider():
            return ""
        more, less = "ArrowRight", "ArrowLeft"
        pressed: list[str] = []
        for _ in range(sliders[0].steps):
            key = more if wish > now else less
            await self.menu.slide(key)
            says = await self._button(wanted)
            reached = self._level(says.value or "")
            if reached == wish:
                return _said(says)
            if reached is None or reached == now:
                break
            pressed.append(key)
            if (reached > now) is not (wish > now):
                more, less = less, more
            now = reached
        for key in reversed(pressed):
            await self.menu.slide("ArrowLeft" if key == "ArrowRight" else "ArrowRight")
        return ""

    # --- finding ---------------------------------------------------------------------------

    async def _find(self, wanted: str, *, effort: bool, alone: bool) -> _Found:
        """The row of this name, with its menu open. Raises where there is none."""
        offered: dict[str, None] = {}
        passed = False  # something was passed by that a lone wish may mean
        for strict in (True, False):
            if not strict and not (alone and passed):
                break
            async for group in self._groups(wanted):
                offered |= {row.title: None for row in group.rows if not row.off}
                if strict and group.is_effort is not effort:
                    passed = True
                elif found := self._among(group, wanted):
                    return found
        why = "it is not offered"
        if effort and not self._picker.efforts:
            why = NO_EFFORTS
        raise self._refused(wanted, why, offered)

    def _among(self, group: _Group, wanted: str) -> _Found | None:
        for models in (Models(), self._models):  # what is called so outright comes first
            for row in group.rows:
                names = [row.title, row.label]
                if group.above:
                    names = [f"{group.above} {row.title}"]
                if any(same(wanted, name, models) for name in [*names, *self._machine_names(row)]):
                    return _Found(row)
        level = self._level(wanted)
        known = group.is_effort and len(group.rows) == len(self._picker.efforts)
        if level is None or not known or not self._picker.effort_attribute:
            return None
        return _Found(group.rows[level], guessed=True)

    def _machine_names(self, row: Row) -> list[str]:
        prefixes = self._picker.prefixes
        return [
            value.removeprefix(prefix)
            for value in row.values
            for prefix in prefixes
            if value.startswith(prefix)
        ]

    async def _groups(self, wanted: str) -> AsyncIterator[_Group]:
        """All menus, the outermost first; each is open while it is told."""
        shown = await self.menu.open()
        if not shown.rows:
            raise self._refused(wanted, "the model menu does not open")
        if shown.choices:
            yield self._group(shown, "", shown.sliders)
        async for group in self._inside(shown, (), shown.sliders):
            yield group

    async def _inside(
        self, shown: Shown, path: tuple[str, ...], sliders: tuple[Slider, ...]
    ) -> AsyncIterator[_Group]:
        for opener in shown.openers:
            here = (*path, opener.title)
            inner = await self.menu.enter(opener)
            if inner is None:  # a menu that shows one level at a time
                inner = await self._walk(here)
            if inner is None or not inner.rows:
                continue
            if inner.choices:
                yield self._group(inner, _above(opener, inner), sliders)
            if len(here) < DEEPEST:
                async for group in self._inside(inner, here, sliders):
                    yield group

    async def _walk(self, path: tuple[str, ...]) -> Shown | None:
        """Open the menu anew and go the way to a menu inside."""
        shown: Shown | None = await self.menu.open()
        for title in path:
            rows = shown.openers if shown else ()
            row = next((one for one in rows if one.title == title), None)
            shown = await self.menu.enter(row) if row else None
        return shown

    def _group(self, shown: Shown, above: str, sliders: tuple[Slider, ...]) -> _Group:
        rows = shown.choices
        return _Group(rows, above, self._is_effort(rows, sliders))

    def _is_effort(self, rows: tuple[Row, ...], sliders: tuple[Slider, ...]) -> bool:
        """Whether these are efforts: by their names, or as many as the slider has steps."""
        if not self._picker.efforts:
            return False
        named = [row for row in rows if self._level(row.title) is not None]
        if len(named) > 1 and 2 * len(named) >= len(rows):
            return True
        checked = [at for at, row in enumerate(rows) if row.checked]
        return any(one.steps == len(rows) and checked == [one.now] for one in sliders)

    # --- saying no -------------------------------------------------------------------------

    async def _button(self, wanted: str) -> ButtonSays:
        says = await self.menu.says(self._picker.effort_attribute)
        if says is None:
            known = ", ".join(one.css for one in self._layout.model_picker)
            looked = f" (looked for {known})" if known else ""
            raise self._refused(wanted, f"this page has no model picker{looked}")
        return says

    def _off(self, wanted: str, row: Row) -> ModelNotAvailable:
        quoted = f': "{" ".join(row.notes)}"' if row.notes else ""
        return self._refused(wanted, f"it is disabled{quoted}")

    def _refused(
        self, wanted: str, why: str, offered: dict[str, None] | None = None
    ) -> ModelNotAvailable:
        return ModelNotAvailable(self._site.name, wanted, why, offered=tuple(offered or ()))


def _above(opener: Row, inner: Shown) -> str:
    """The model whose ways these rows are: "Grok 4 mini" > "Expert" is not any Expert.

    A row that only repeats what is chosen behind it ("Model GPT-5.5") is no model.
    """
    title = opener.title
    names_model = any(one.isdecimal() for one in title)
    repeats = any(row.title in title for row in inner.choices)
    return title if names_model and not repeats else ""


def _said(says: ButtonSays) -> str:
    return says.lines[0] if says.lines else ""
