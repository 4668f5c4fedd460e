"""`Hub`: everything Tabwire can do, for the doors."""

from collections.abc import AsyncIterator, Callable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from tabwire.hub.detect import Kind
from tabwire.hub.reading import FileReader
from tabwire.hub.report import Report, report
from tabwire.sites.known import SITES

if TYPE_CHECKING:
    from tabwire.hub.doctor import Check
    from tabwire.hub.looking import Elements, Kept
    from tabwire.hub.watching import TabRow
    from tabwire.monitor.told import Befell, Sighting

Say = Callable[[str], None]


class Hub:
    """Everything Tabwire can do, for the doors. Adding to it is a decision.

    What needs a browser is imported when it is asked for: reading files needs none of it.
    `browser` is what a person said of the browser to use; None means the setting. `on_wait`
    is told what a person has to do before things go on.
    """

    site_names = tuple(SITES)
    profile_names = ("default", "classic")

    def read_files(
        self,
        paths: Sequence[Path],
        *,
        site: str | None = None,
        urls: Sequence[str] = (),
        kind: Kind | None = None,
        title_fallback: bool = False,
        progress: Callable[[Path, int, int], None] | None = None,
    ) -> Iterator[Report]:
        """Every conversation in these files, in order.

        A file without one gives a single report that says so. `urls` is empty, one URL
        for all files, or one for each. `progress` is told (file, bytes read, bytes in
        all) now and then.
        """
        reader = FileReader(site=site, kind=kind, progress=progress)
        for index, path in enumerate(paths):
            url = urls[index] if len(urls) == len(paths) else next(iter(urls), None)
            for result in reader.read(path, url):
                yield report(result, title_fallback=title_fallback)

    async def watch(
        self,
        tab: str,
        tell: "Callable[[Sighting], None]",
        *,
        browser: str | None = None,
        requests: bool = False,
        discover: bool = False,
        profile: str = "default",
        on_wait: Say | None = None,
    ) -> "Befell":
        """Follow a tab until it ends, telling what happens as it does. Cancel to stop sooner."""
        from tabwire.hub.watching import watch_tab

        return await watch_tab(
            tab,
            tell,
            browser=browser,
            requests=requests,
            discover=discover,
            profile=profile,
            on_wait=on_wait,
        )

    async def tabs(
        self, browser: str | None = None, *, every: bool = False, on_wait: Say | None = None
    ) -> "tuple[TabRow, ...]":
        """The chat tabs of a browser that runs; with `every`, all its tabs."""
        from tabwire.hub.watching import list_tabs

        return await list_tabs(browser, every=every, on_wait=on_wait)

    async def snapshot(
        self,
        tab: str,
        *,
        browser: str | None = None,
        folder: Path | None = None,
        text: bool = False,
        on_wait: Say | None = None,
    ) -> "Kept":
        """Keep a picture of a page and of how our selectors do on it."""
        from tabwire.hub.looking import snapshot

        return await snapshot(tab, browser=browser, folder=folder, text=text, on_wait=on_wait)

    async def dom(
        self,
        tab: str,
        selector: str,
        *,
        browser: str | None = None,
        limit: int = 20,
        html: bool = False,
        on_wait: Say | None = None,
    ) -> "Elements":
        """What a CSS selector finds on a page, shadow roots included."""
        from tabwire.hub.looking import find_elements

        return await find_elements(
            tab, selector, browser=browser, limit=limit, html=html, on_wait=on_wait
        )

    def doctor(
        self, sites: Sequence[str], *, browser: str | None = None, on_wait: Say | None = None
    ) -> "AsyncIterator[Check]":
        """Check the browser, the profile and each site, one after the other."""
        from tabwire.hub.doctor import examine

        return examine(sites, browser=browser, on_wait=on_wait)
