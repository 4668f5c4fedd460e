"""Watch a tab: reach the browser, attach to the tab that is meant, follow it.

To watch needs no lease: it changes nothing in the tab, and any number may do it at once.
"""

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial

from tabwire.asking.mark_filter import Unmarked
from tabwire.fusion.profile import CLASSIC, DEFAULT
from tabwire.fusion.verdict import Verdict
from tabwire.hub.browsers.access import HubLines, Say, is_lab, reached_browser
from tabwire.hub.browsers.tab_choice import attached, wanted_tab
from tabwire.hub.conversations.recorders import recorded
from tabwire.model.captured import Origin
from tabwire.monitor.follow import Wish, follow
from tabwire.monitor.sightings import Befell, Grew, Judged, Rewritten, Sighting
from tabwire.sites.known import site_of_url
from tabwire.sites.links import linked
from tabwire.sites.site import Site

PROFILES = (DEFAULT.name, CLASSIC.name)


@dataclass(frozen=True, slots=True)
class TabRow:
    """A tab of the browser, as a list shows it."""

    id: str
    site: str | None
    title: str
    url: str
    conversation_id: str | None
    attached: bool


async def list_tabs(
    browser: str | None,
    *,
    every: bool = False,
    on_wait: Say | None = None,
    hub_lines: HubLines | None = None,
) -> tuple[TabRow, ...]:
    """The tabs of the chosen browser; without `every`, those of the sites we know."""
    async with reached_browser(
        browser, hub_lines=hub_lines, only_running=True, on_wait=on_wait
    ) as line:
        rows = []
        for info in await line.tabs.list():
            site = site_of_url(info.url)
            if site is None and not every:
                continue
            rows.append(
                TabRow(
                    info.target,
                    site.name if site else None,
                    info.title,
                    info.url,
                    site.conversation_in_url(info.url) if site else None,
                    info.attached,
                )
            )
        return tuple(rows)


class Readable:
    """Passes sightings on as a person reads them: without a site's private marks while a text
    grows, and with links in their place once it is judged."""

    def __init__(self, site: Site, tell: Callable[[Sighting], None]) -> None:
        self._marks = site.marks
        self._tell = tell
        self._parts: dict[tuple[str, bool], Unmarked] = {}

    def tell(self, sighting: Sighting) -> None:
        """One sighting."""
        match sighting:
            case Grew() | Rewritten():
                self._tell_text(sighting)
            case Judged(verdict=verdict):
                self._tell(replace(sighting, verdict=self._read(verdict)))
            case _:
                self._tell(sighting)

    def _tell_text(self, sighting: Grew | Rewritten) -> None:
        key = (sighting.attempt, sighting.thinking)
        part = self._parts.setdefault(key, Unmarked(self._marks))
        anew = isinstance(sighting, Rewritten)
        text = part.take(sighting.text, anew=anew)
        if text or anew:
            self._tell(replace(sighting, text=text))

    def _read(self, verdict: Verdict) -> Verdict:
        read = partial(linked, references=verdict.references, marks=self._marks)
        return replace(
            verdict,
            text=read(verdict.text)[0],
            thinking=read(verdict.thinking)[0] if verdict.thinking else verdict.thinking,
            accounts=tuple(replace(one, text=read(one.text)[0]) for one in verdict.accounts),
        )


async def watch_tab(
    said: str,
    tell: Callable[[Sighting], None],
    *,
    browser: str | None = None,
    requests: bool = False,
    discover: bool = False,
    profile: str = DEFAULT.name,
    on_wait: Say | None = None,
    hub_lines: HubLines | None = None,
) -> Befell:
    """Follow a tab until it ends; what befell it then. Cancel to stop sooner."""
    wanted_tab(said)  # a slip of the tongue is told before a browser is started
    async with reached_browser(browser, hub_lines=hub_lines, on_wait=on_wait) as line:
        tab, site = await attached(line, said)
        tell = Readable(site, tell).tell
        if profile == CLASSIC.name:
            from tabwire.monitor.classic_watch import watch_classic

            return await watch_classic(tab, site, tell)
        async with recorded(Origin.LAB if is_lab(browser) else Origin.WATCH) as records:
            wish = Wish(DEFAULT, requests, discover, records=records)
            return await follow(tab, site, tell, wish)
