"""Browsers reached from this process, and commands judged in it."""

from collections.abc import AsyncIterator, Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from tabwire.hub.interface import Say

if TYPE_CHECKING:
    from tabwire.hub.browsers.access import HubLines
    from tabwire.hub.browsers.doctor import Check, ReadExtensionStatus
    from tabwire.hub.browsers.routes import InUse
    from tabwire.hub.browsers.snapshot import Elements, Kept
    from tabwire.hub.browsers.watch import TabRow
    from tabwire.model.extensions import ExtensionStatus
    from tabwire.monitor.sightings import Befell, Sighting
    from tabwire_guard.verdict import Judgement


class LocalGuard:
    """The guard with the person's own rules, which lie in this person's home."""

    def judge(
        self,
        command: str,
        *,
        shell: str = "",
        cwd: str | None = None,
        workspace: str | None = None,
    ) -> "Judgement":
        """Allow, ask or deny, and why. Nothing is run."""
        from tabwire.hub.guard import judged

        return judged(command, shell=shell, cwd=cwd, workspace=workspace)


class LocalBrowsers:
    """Browsers reached from this process; the extension's through the hub.

    The hub's own process gives its lines to browsers, and what it says of its extensions.
    """

    def __init__(
        self,
        hub_lines: "HubLines | None" = None,
        extension_status: "ReadExtensionStatus | None" = None,
    ) -> None:
        self._hub_lines = hub_lines
        self._extension_status = extension_status or _status_from_running_hub

    async def tabs_in_use(self) -> "tuple[InUse, ...]":
        """The tabs that the hub of this process uses now, and for whom."""
        return () if self._hub_lines is None else tuple(await self._hub_lines.tabs_in_use())

    async def tabs(
        self, browser: str | None = None, *, every: bool = False, on_wait: Say | None = None
    ) -> "tuple[TabRow, ...]":
        """The chat tabs of a running browser; with `every`, all its tabs."""
        from tabwire.hub.browsers.watch import list_tabs

        return await list_tabs(browser, every=every, on_wait=on_wait, hub_lines=self._hub_lines)

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
        """Follow a tab until it ends, reporting what happens. Cancel to stop sooner."""
        from tabwire.hub.browsers.watch import watch_tab

        return await watch_tab(
            tab,
            tell,
            browser=browser,
            requests=requests,
            discover=discover,
            profile=profile,
            on_wait=on_wait,
            hub_lines=self._hub_lines,
        )

    async def snapshot(
        self,
        tab: str,
        *,
        browser: str | None = None,
        folder: Path | None = None,
        text: bool = False,
        on_wait: Say | None = None,
    ) -> "Kept":
        """Save a screenshot of a page and a report on our selectors."""
        from tabwire.hub.browsers.snapshot import snapshot

        return await snapshot(
            tab,
            browser=browser,
            folder=folder,
            text=text,
            on_wait=on_wait,
            hub_lines=self._hub_lines,
        )

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
            tab,
            selector,
            browser=browser,
            limit=limit,
            html=html,
            on_wait=on_wait,
            hub_lines=self._hub_lines,
        )

    def doctor(
        self, sites: Sequence[str], *, browser: str | None = None, on_wait: Say | None = None
    ) -> "AsyncIterator[Check]":
        """Check the browser, the profile and each site, one after the other."""
        from tabwire.hub.browsers.doctor import examine

        return examine(
            sites,
            self._extension_status,
            browser=browser,
            on_wait=on_wait,
            hub_lines=self._hub_lines,
        )

    async def login(self, site: str, *, say: Say) -> bool:
        """Open a window of our own profile in which the person logs in; whether they did."""
        from tabwire.hub.browsers.login import login

        return await login(site, say=say)


async def _status_from_running_hub() -> "ExtensionStatus":
    """What the hub of this person says of its extensions. Raises where none runs."""
    from tabwire.hub.remote.hub import RemoteHub

    hub = RemoteHub(start=False)
    await hub.status()  # at once, where there is none
    return await hub.extensions.status()
