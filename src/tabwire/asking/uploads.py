"""Give files to the page, and wait until it has them.

In:  paths.      Out: nothing, once every file is shown as uploaded; else `UploadRefused`.

Before any browser is touched, `check_files` looks whether the files can be sent at all. Then
they come to the page by its own file input, by the row of its menu that asks for files, or as a
paste with a transfer of its own. That Send can be pressed proves nothing: sites allow it while
files still upload. What proves it are the chips: one for each file, none of them still turning,
none that failed, and so for a while.
"""

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

import msgspec

from tabwire.asking.menus import OPEN_SECONDS, OPEN_TRIES, awaited
from tabwire.browser.page.elements import css_of
from tabwire.browser.page.errors import Covered, NoChooser, NotClicked, NotFound
from tabwire.browser.page.page import Page
from tabwire.model.ask_errors import BadAsk, DialogInTheWay, LayoutChanged, UploadRefused
from tabwire.model.errors import TabwireError, Unreadable
from tabwire.sites.choices import MEGABYTE, Upload
from tabwire.sites.page import Layout
from tabwire.sites.site import Site

PART = "upload control"

CALM_SECONDS = 0.3
"""How long all must be done without a change: a chip may stand there before it begins to turn."""

GLANCE_SECONDS = 1.0
"""We look at least so often: a change between our look and our waiting is not told again."""

APPEAR_SECONDS = 10.0
"""How long a page may take to show a chip for a file it was given."""

REMOVE_SECONDS = 2.0
"""How long a chip may take to go."""


class Chip(msgspec.Struct, frozen=True):
    """One file as the page shows it. `name` is "" where it shows none of ours."""

    name: str
    state: str  # going, done, failed
    why: str = ""
    text: str = ""


class Shown(msgspec.Struct, frozen=True):
    """Our files as the page shows them, and what it has said since they were given."""

    chips: tuple[Chip, ...] = ()
    notices: tuple[str, ...] = ()


# --- before any browser ------------------------------------------------------------------------


def check_files(site: Site, paths: Sequence[str]) -> tuple[Path, ...]:
    """The files, or what is wrong with one: `BadAsk` for a slip, `UploadRefused` for the site."""
    files = tuple(Path(path).expanduser() for path in paths)
    limits = site.choices.limits
    if len(files) > limits.count:
        extra = files[limits.count]
        why = f"it accepts {limits.count} files per question, not {len(files)}"
        raise UploadRefused(site.name, extra.name, why)
    for path in files:
        _check(site, path)
    names = [path.name for path in files]
    for name in names:
        if names.count(name) > 1:
            what = f"two files are named {name}: they would be indistinguishable in the page"
            raise BadAsk(site.name, what, "Give one of them another name.")
    return files


def _check(site: Site, path: Path) -> None:
    try:
        if path.is_dir():
            raise BadAsk(site.name, f"{path} is a folder", "Name the files in it one by one.")
        with path.open("rb") as opened:
            empty = not opened.read(1)
        size = path.stat().st_size
    except FileNotFoundError as exc:
        raise BadAsk(site.name, f"file not found: {path}", "Name a file that exists.") from exc
    except (OSError, ValueError) as exc:
        reason = getattr(exc, "strerror", None) or str(exc)
        what = f"{path} cannot be read: {reason}"
        raise BadAsk(site.name, what, "Check the path and its permissions.") from exc
    if empty:
        raise UploadRefused(site.name, path.name, "it is empty")
    limits = site.choices.limits
    ending = path.suffix.lower()
    if ending in limits.refused:
        raise UploadRefused(site.name, path.name, f"it does not accept {ending} files")
    most = next((most for some, most in limits.by_ending if ending in some), limits.each_bytes)
    if size > most:
        why = f"it is {size / MEGABYTE:.1f} MB; the maximum is {most // MEGABYTE} MB"
        raise UploadRefused(site.name, path.name, why)


# --- in the page -------------------------------------------------------------------------------


async def give_files(
    page: Page,
    site: Site,
    layout: Layout,
    files: Sequence[Path],
    *,
    seconds: float,
    changed: Callable[[], Awaitable[None]],
) -> None:
    """Return when the page shows every file as uploaded. Raises `UploadRefused`.

    `changed` returns when the page has changed. Files that stand in the composer already are
    somebody else's: nothing is given then, because they would be sent as well.
    """
    if not files:
        return
    giving = _Giving(page, site, layout, files)
    async with page.focused():
        await page.evaluate("chips.forget")
        if standing := await giving.standing():
            why = f"the composer already contains another file ({standing[0]})"
            raise UploadRefused(site.name, files[0].name, why)
        await giving.give()
        await giving.until_done(seconds, changed)


async def standing_files(page: Page, site: Site, layout: Layout) -> tuple[str, ...]:
    """What stands in the composer and is not ours: it would be sent as well."""
    return await _Giving(page, site, layout, ()).standing()


async def take_back_files(page: Page, site: Site, layout: Layout) -> None:
    """Remove the files we gave, and no others. Never raises for a page that will not."""
    giving = _Giving(page, site, layout, ())
    with suppress(TabwireError):
        async with page.focused():
            await giving.take_back()


class _Giving:
    """Some files for one page."""

    def __init__(self, page: Page, site: Site, layout: Layout, files: Sequence[Path]) -> None:
        self._page = page
        self._site = site
        self._layout = layout
        self._files = files
        self._upload: Upload = site.choices.upload(layout.name)

    async def standing(self) -> tuple[str, ...]:
        """Files in the composer that are not ours."""
        said = await self._page.evaluate("chips.standing", await self._wish())
        return tuple(said)

    async def give(self) -> None:
        """By the first way this page takes."""
        await self._page.evaluate("chips.begin", await self._wish())
        self._check_still_there()
        try:
            if not await self._by_input() and not await self._by_menu() and not await self._paste():
                tried = css_of(self._upload.inputs, self._upload.row, self._layout.composer)
                raise LayoutChanged(self._site.name, PART, tried)
        except Covered as exc:
            raise DialogInTheWay(self._site.name, PART, exc.by) from exc
        except Unreadable as exc:
            self._check_still_there()
            raise UploadRefused(self._site.name, self._files[0].name, str(exc)) from exc

    def _check_still_there(self) -> None:
        for path in self._files:
            if not path.is_file():
                raise UploadRefused(self._site.name, path.name, "it is no longer there")

    async def _by_input(self) -> bool:
        if not self._upload.inputs:
            return False
        try:
            await self._page.attach_files(self._upload.inputs, self._files, part=PART)
        except NotFound:
            return False
        return True

    async def _by_menu(self) -> bool:
        if not self._upload.row:
            return False
        for _ in range(OPEN_TRIES):
            try:
                await self._page.click(self._upload.button, part=PART)
                if await awaited(self._page, self._upload.row, OPEN_SECONDS):
                    await self._page.attach_files(self._upload.row, self._files, part=PART)
                    return True
            except NoChooser:
                break  # what comes later than that nobody hears: not a second time
            except (NotFound, NotClicked):
                pass  # the page was drawn anew under us
            await self._page.press("Escape")
        return False

    async def _paste(self) -> bool:
        """As a paste into the composer, from an input that stands in no page."""
        composer = await self._page.find(self._layout.composer, decoys=self._layout.decoys)
        held = await self._page.world.hold("chips.input")
        if composer is None or held is None:
            return False
        paths = [str(path.resolve()) for path in self._files]
        whom = {"files": paths, "objectId": held.id}
        await self._page.session.call("DOM.setFileInputFiles", whom)
        return bool(await self._page.evaluate("chips.paste", {"composer": composer.number}))

    async def until_done(self, seconds: float, changed: Callable[[], Awaitable[None]]) -> None:
        """Every file has a chip, and every chip is done."""
        clock = asyncio.get_running_loop().time
        began = clock()
        seen: set[str] = set()
        while True:
            shown = await self._look()
            self._complain(shown, seen, waited=clock() - began)
            seen |= {chip.name for chip in shown.chips if chip.name}
            if self._is_whole(shown) and self._is_whole(await self._look(CALM_SECONDS)):
                return
            if clock() - began >= seconds:
                late = self._missing(shown) or self._files[0].name
                why = f"the upload did not finish within {seconds:g} s"
                raise UploadRefused(self._site.name, late, why)
            left = min(GLANCE_SECONDS, seconds - (clock() - began))
            with suppress(TimeoutError):
                async with asyncio.timeout(max(left, 0)):
                    await changed()

    def _is_whole(self, shown: Shown) -> bool:
        done = [chip for chip in shown.chips if chip.state == "done"]
        return len(done) == len(shown.chips) and len(done) >= len(self._files)

    def _missing(self, shown: Shown) -> str:
        """The first of our files that is not shown as done."""
        done = {chip.name for chip in shown.chips if chip.state == "done"}
        return next((path.name for path in self._files if path.name not in done), "")

    def _complain(self, shown: Shown, seen: set[str], *, waited: float) -> None:
        """Raise where the page says that it will not take one of them."""
        for chip in shown.chips:
            if chip.state == "failed":
                name = chip.name or self._missing(shown)
                why = chip.why or "the page shows that its upload failed"
                raise UploadRefused(self._site.name, name, why)
        if len(shown.chips) >= len(self._files):
            return
        said = f': "{shown.notices[0]}"' if shown.notices else ""
        here = {chip.name for chip in shown.chips}
        if taken := sorted(seen - here):
            raise UploadRefused(self._site.name, taken[0], f"the page removed it again{said}")
        if waited > APPEAR_SECONDS or (said and waited > GLANCE_SECONDS):
            missing = next((path.name for path in self._files if path.name not in here), "")
            why = f"the page does not show the file{said}"
            raise UploadRefused(self._site.name, missing or self._files[0].name, why)

    async def _look(self, calm_seconds: float = 0.0) -> Shown:
        wish = await self._wish()
        if not calm_seconds:
            return msgspec.convert(await self._page.evaluate("chips.shown", wish), Shown)
        calm = {"wish": wish, "ms": calm_seconds * 1000}
        return msgspec.convert(await self._page.evaluate("chips.calm", calm), Shown)

    async def take_back(self) -> None:
        """Press what removes each of our chips."""
        wish = await self._wish()
        left: list[int] = await self._page.evaluate("chips.removers", wish)
        for _ in range(len(left)):
            try:
                hit = await self._page.click_number(left[0], part="remove button")
            except (Covered, NotClicked):
                hit = False
            if not hit:
                await self._page.evaluate("chips.pressed", {"number": left[0]})
            about = {"wish": wish, "than": len(left), "ms": REMOVE_SECONDS * 1000}
            await self._page.evaluate("chips.fewer", about)
            left = await self._page.evaluate("chips.removers", wish)
            if not left:
                return

    async def _wish(self) -> dict[str, Any]:
        """Where to look. The composer is found anew: pages replace it."""
        found = await self._page.find(self._layout.composer, decoys=self._layout.decoys)
        return {
            "composer": found.number if found else 0,
            "area": css_of(self._upload.area),
            "chips": css_of(self._upload.chips),
            "names": [path.name for path in self._files],
        }
