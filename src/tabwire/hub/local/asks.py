"""Questions asked and waited for in this process."""

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from tabwire.hub.interface import Say

if TYPE_CHECKING:
    from tabwire.hub.browsers.access import HubLines
    from tabwire.hub.jobs.ask_runner import AskControl, PlannedAsk
    from tabwire.model.ask import Answer, AskEvent, AskRequest
    from tabwire.model.ask_errors import AskError
    from tabwire.store.rows import Attempt


class LocalAsks:
    """Questions asked and waited for in this process; over the lines of its hub, where it has
    one."""

    def __init__(self, hub_lines: "HubLines | None" = None) -> None:
        self._hub_lines = hub_lines

    def load(self) -> None:
        """Import what asking and fetching need, before an event loop would wait for it."""
        import tabwire.hub.jobs.retrieval  # noqa: F401

    def check_browser(self, said: str) -> None:
        """Raise where this is not a choice of browser."""
        from tabwire.hub.browsers.access import check_browser

        check_browser(said)

    def first_words(self, sites: Sequence[str], *, browser: str | None = None) -> tuple[str, ...]:
        """What the terms of these sites' providers say: once per home and site, not in the lab."""
        from tabwire.hub.terms import first_words

        return first_words(sites, browser=browser)

    def plan(
        self, requests: "Sequence[AskRequest]", *, browser: str | None = None
    ) -> "tuple[PlannedAsk, ...]":
        """What asking would do, and where. Touches nothing."""
        from tabwire.hub.jobs.ask_runner import plan

        return plan(requests, browser)

    def read_prompt(
        self,
        argument: str | None,
        files: Sequence[Path] = (),
        context: Sequence[Path] = (),
        stdin: str | None = None,
    ) -> str:
        """The prompt from argument, files and stdin, with context files inlined."""
        from tabwire.hub.jobs.prompt import read_prompt

        return read_prompt(argument, files, context, stdin)

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

        `again`: also where the same question is under way already.
        """
        from tabwire.hub.jobs.ask_runner import ask_all

        return await ask_all(
            requests,
            tell,
            browser=browser,
            on_wait=on_wait,
            control=control,
            again=again,
            hub_lines=self._hub_lines,
        )

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

        return await fetch(
            said,
            site=site,
            browser=browser,
            tell=tell,
            on_wait=on_wait,
            hub_lines=self._hub_lines,
        )

    async def history(
        self, limit: int = 20, *, site: str | None = None, browser: str | None = None
    ) -> "tuple[Attempt, ...]":
        """Questions of the past, newest first: the lab's where that is the browser."""
        from tabwire.hub.browsers.access import is_lab
        from tabwire.hub.jobs.books import opened_books

        async with opened_books() as books:
            return tuple(await books.store.recent(limit, site=site, lab=is_lab(browser)))

    async def search(
        self,
        words: str,
        limit: int = 20,
        *,
        site: str | None = None,
        browser: str | None = None,
    ) -> "tuple[Attempt, ...]":
        """Questions with these words in the question or the answer, newest first."""
        from tabwire.hub.browsers.access import is_lab
        from tabwire.hub.jobs.books import opened_books

        async with opened_books() as books:
            lab = is_lab(browser)
            return tuple(await books.store.search(words, site=site, limit=limit, lab=lab))

    async def attempt(self, attempt_id: str) -> "Attempt | None":
        """One question of the past and what came of it, by its id."""
        from tabwire.hub.jobs.books import opened_books

        async with opened_books() as books:
            return await books.store.attempt(attempt_id)

    async def last_conversation(self, site: str, *, browser: str | None = None) -> "Attempt | None":
        """The newest question of a site whose conversation is known: `--continue last`."""
        from tabwire.hub.browsers.access import is_lab
        from tabwire.hub.jobs.books import opened_books

        async with opened_books() as books:
            return await books.store.last_conversation(site=site, lab=is_lab(browser))
