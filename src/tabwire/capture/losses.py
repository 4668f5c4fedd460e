"""What was not taken of the pages of a browser, by reason, and which of their caches fill up.

Nothing is lost without being counted. `tabwire extension status` and `tabwire doctor` show the
counts; a cache that is nearly full is told once, to the log.
"""

from collections import Counter
from collections.abc import Callable, Iterable

from tabwire.capture.page import RecordedPage


class Losses:
    """Counts for as long as the hub lives. `pages` are those that are open now."""

    def __init__(self, pages: Callable[[], Iterable[RecordedPage]]) -> None:
        self._pages = pages
        self._dropped: Counter[str] = Counter()
        self._warned: set[str] = set()

    def add(self, reason: str) -> None:
        """One message was not taken."""
        self._dropped[reason] += 1

    def closed(self, page: RecordedPage) -> None:
        """A page is gone: what it lost stays counted."""
        self._dropped += _of(page)

    def check(self, page: RecordedPage, warn: Callable[[str], object]) -> None:
        """Warn of a cache that is nearly full, once for each: its oldest entry leaves next."""
        for said in page.warnings:
            cache = said.partition(":")[0]
            if cache not in self._warned:
                self._warned.add(cache)
                warn(f"a cache for a captured page is nearly full ({said})")

    def counts(self) -> dict[str, int]:
        """All of it, by reason, the most frequent first."""
        return dict(sum(map(_of, self._pages()), self._dropped).most_common())


def _of(page: RecordedPage) -> Counter[str]:
    return page.refused + page.dropped
