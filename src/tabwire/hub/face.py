"""`Hub`: everything Tabwire can do, for the doors."""

from collections.abc import AsyncIterator, Callable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, ClassVar

from tabwire.files.detection import Kind
from tabwire.files.reader import FileReader
from tabwire.files.report import Report, report
from tabwire.sites.known import SITES

if TYPE_CHECKING:
    from tabwire.capture.export import Exported
    from tabwire.hub.browsers.doctor import Check
    from tabwire.hub.browsers.snapshot import Elements, Kept
    from tabwire.hub.browsers.watch import TabRow
    from tabwire.hub.comparing import Comparison
    from tabwire.hub.jobs.ask_runner import AskControl, PlannedAsk
    from tabwire.model.ask import Answer, AskEvent, AskRequest
    from tabwire.model.ask_errors import AskError
    from tabwire.model.captured import Captured
    from tabwire.monitor.sightings import Befell, Sighting
    from tabwire.store.rows import Attempt

Say = Callable[[str], None]


class Hub:
    """Everything Tabwire can do, for the doors. Adding to it is a decision.

    What needs a browser is imported when it is asked for: reading files needs none of it.
    `browser` is what a person said of the browser to use; None means the setting. `on_wait`
    is told what a person has to do before things go on.
    """

    site_names = tuple(SITES)
    site_hosts: ClassVar = {name: site.hosts[0] for name, site in SITES.items()}
    profile_names = ("default", "classic")
    export_formats = ("original", "common")

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
        from tabwire.hub.browsers.watch import watch_tab

        return await watch_tab(
            tab,
            tell,
            browser=browser,
            requests=requests,
            discover=discover,
            profile=profile,
            on_wait=on_wait,
        )

    async def ask(
        self,
        requests: "Sequence[AskRequest]",
        tell: "Callable[[AskEvent], None]",
        *,
        browser: str | None = None,
        on_wait: Say | None = None,
        control: "AskControl | None" = None,
        again: bool = False,
    ) -> "tuple[Answer | AskError, ...]":
        """Ask all at once; one result per request, in order. One failure spoils no other.

        `again`: also where the same question is on its way already.
        """
        from tabwire.hub.jobs.ask_runner import ask_all

        return await ask_all(
            requests, tell, browser=browser, on_wait=on_wait, control=control, again=again
        )

    async def ask_by_hub(
        self,
        requests: "Sequence[AskRequest]",
        tell: "Callable[[AskEvent], None]",
        *,
        browser: str | None = None,
        say: Say,
        control: "AskControl | None" = None,
        again: bool = False,
    ) -> "tuple[Answer | AskError, ...]":
        """As `ask`, carried out by the hub's own process where there is one to use: whoever
        waits may then be killed, and the answer is kept. `say` is told why, where not."""
        from tabwire.hub.remote.asks import ask_by, hub_for

        if (by := await hub_for(browser, say=say)) is not None:
            return await ask_by(by, requests, tell, browser=browser, control=control, again=again)
        return await self.ask(
            requests, tell, browser=browser, on_wait=say, control=control, again=again
        )

    def first_words(self, sites: Sequence[str], *, browser: str | None = None) -> tuple[str, ...]:
        """What the terms of these sites' providers say, once per home and site. Not in the lab."""
        from tabwire.hub.terms import first_words

        return first_words(sites, browser=browser)

    def plan_ask(
        self, requests: "Sequence[AskRequest]", *, browser: str | None = None
    ) -> "tuple[PlannedAsk, ...]":
        """What asking would do, and where. Touches nothing."""
        from tabwire.hub.jobs.ask_runner import plan

        return plan(requests, browser)

    async def fetch(
        self,
        said: str,
        *,
        site: str | None = None,
        browser: str | None = None,
        tell: "Callable[[AskEvent], None]" = lambda _event: None,
        on_wait: Say | None = None,
    ) -> "Answer":
        """An answer asked for before: `last`, an attempt, a conversation or its address."""
        from tabwire.hub.jobs.retrieval import fetch

        return await fetch(said, site=site, browser=browser, tell=tell, on_wait=on_wait)

    async def login(self, site: str, *, say: Say) -> bool:
        """A window of our own profile in which the person logs in by hand; whether they did."""
        from tabwire.hub.browsers.login import login

        return await login(site, say=say)

    async def history(
        self, limit: int = 20, *, site: str | None = None, browser: str | None = None
    ) -> "tuple[Attempt, ...]":
        """What was asked, newest first: in the lab, where that is the browser, else at the
        sites."""
        from tabwire.hub.browsers.access import is_lab
        from tabwire.hub.jobs.books import opened_books

        async with opened_books() as books:
            return tuple(await books.store.recent(limit, site=site, lab=is_lab(browser)))

    async def search_history(
        self,
        words: str,
        limit: int = 20,
        *,
        site: str | None = None,
        browser: str | None = None,
    ) -> "tuple[Attempt, ...]":
        """What was asked with these words in the question or the answer, newest first."""
        from tabwire.hub.browsers.access import is_lab
        from tabwire.hub.jobs.books import opened_books

        async with opened_books() as books:
            lab = is_lab(browser)
            return tuple(await books.store.search(words, site=site, limit=limit, lab=lab))

    async def remembered(self, attempt_id: str) -> "Attempt | None":
        """One question of the past and what came of it, by its id."""
        from tabwire.hub.jobs.books import opened_books

        async with opened_books() as books:
            return await books.store.attempt(attempt_id)

    async def last_conversation(self, site: str, *, browser: str | None = None) -> "Attempt | None":
        """The newest ask of a site whose conversation is known: `--continue last`."""
        from tabwire.hub.browsers.access import is_lab
        from tabwire.hub.jobs.books import opened_books

        async with opened_books() as books:
            return await books.store.last_conversation(site=site, lab=is_lab(browser))

    async def conversations(
        self, limit: int = 20, *, site: str | None = None, browser: str | None = None
    ) -> "tuple[Captured, ...]":
        """The conversations that are kept, those captured last first: those of the lab, where
        that is the browser, else all others."""
        from tabwire.hub.conversations.catalogue import recent

        return await recent(limit, site, browser=browser)

    async def export(
        self,
        said: str,
        form: str = "original",
        *,
        site: str | None = None,
        force: bool = False,
        browser: str | None = None,
    ) -> "tuple[Captured, Exported]":
        """One of them (`last`, an id, `site/id`, an address), and a file of it. `force`: also
        where it is not ready."""
        from tabwire.hub.conversations.catalogue import exported

        return await exported(said, form, site=site, force=force, browser=browser)

    def write_export(self, folder: Path, made: "Exported", *, force: bool = False) -> Path:
        """Put such a file into a folder. `force`: over one that is there."""
        from tabwire.hub.conversations.catalogue import write

        return write(folder, made, force=force)

    def compare(self, answers: "Sequence[Answer]") -> "Comparison":
        """What all said, what only one said, and where they differ."""
        from tabwire.hub.comparing import compare

        return compare(answers)

    def plain(self, text: str) -> str:
        """Markdown as plain text."""
        from tabwire.text.plain import plain

        return plain(text)

    def read_prompt(
        self,
        argument: str | None,
        files: Sequence[Path] = (),
        context: Sequence[Path] = (),
        stdin: str | None = None,
    ) -> str:
        """The prompt from where it was given, with context files inlined."""
        from tabwire.hub.jobs.prompt import read_prompt

        return read_prompt(argument, files, context, stdin)

    async def tabs(
        self, browser: str | None = None, *, every: bool = False, on_wait: Say | None = None
    ) -> "tuple[TabRow, ...]":
        """The chat tabs of a browser that runs; with `every`, all its tabs."""
        from tabwire.hub.browsers.watch import list_tabs

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
        from tabwire.hub.browsers.snapshot import snapshot

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
        from tabwire.hub.browsers.snapshot import find_elements

        return await find_elements(
            tab, selector, browser=browser, limit=limit, html=html, on_wait=on_wait
        )

    def doctor(
        self, sites: Sequence[str], *, browser: str | None = None, on_wait: Say | None = None
    ) -> "AsyncIterator[Check]":
        """Check the browser, the profile and each site, one after the other."""
        from tabwire.hub.browsers.doctor import examine

        return examine(sites, browser=browser, on_wait=on_wait)
