"""`Hub`: everything Tabwire can do, for the doors."""

from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

from tabwire.hub.detect import Kind
from tabwire.hub.reading import FileReader
from tabwire.hub.report import Report, report
from tabwire.sites.known import SITES


class Hub:
    """Everything Tabwire can do, for the doors. Adding to it is a decision."""

    site_names = tuple(SITES)

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
