"""A window of Tabwire's own profile, in which a person logs in once by hand.

Nothing is typed, read or copied: we look whether the page has come to show a person who is
logged in, and the profile keeps what the site left in it.
"""

import asyncio
from dataclasses import replace

from tabwire.browser.choose import LaunchOwn
from tabwire.browser.line import BrowserLine, open_line
from tabwire.browser.observe import Observer
from tabwire.browser.observed import PageState
from tabwire.browser.tab_events import ENDS, LifeEvent
from tabwire.config.settings import settings
from tabwire.hub.browsers.access import Say, machine_with, own_browser
from tabwire.model.ask_errors import BadAsk
from tabwire.model.errors import BrowserNotFound
from tabwire.sites.known import SITES

WINDOWLESS = "HeadlessChrome"  # in the name under which such a browser goes


async def login(site_name: str, *, say: Say) -> bool:
    """Open the window and wait; whether the person logged in before it was closed."""
    site = SITES.get(site_name)
    if site is None:
        raise BadAsk(site_name, f"unknown site {site_name!r}", f"Choose {', '.join(SITES)}.")
    now = settings()
    machine = machine_with(now)
    if not machine.has_display:
        raise BrowserNotFound(
            "there is no display to show a window on",
            what_to_do="Run it where you can see a browser, or attach to a browser in which you "
            "are logged in: `--browser attach`.",
        )
    wish = replace(own_browser(machine, now), headless=False)
    async with open_line(LaunchOwn(), machine, wish=lambda: wish) as line:
        if line.own is None and await _is_headless(line):
            raise BrowserNotFound(
                "Tabwire's own browser is already running, without a window",
                what_to_do="Stop it, then try again: `tabwire stop`.",
            )
        tab = await line.tabs.open(site.page.home)
        done: asyncio.Future[bool] = asyncio.get_running_loop().create_future()

        def settle(logged_in: bool) -> None:
            if not done.done():
                done.set_result(logged_in)

        def saw(state: PageState) -> None:
            if state.logged_in is True:
                settle(True)

        def befell(event: LifeEvent) -> None:
            if isinstance(event, ENDS):
                settle(False)

        stop = tab.on_life(befell)
        observer = Observer(tab.session, site.page, saw)
        try:
            await observer.arm()
            # tabs open in the background, and this one is for a person to see
            await tab.session.call("Page.bringToFront")
            say(
                f"Log in to {site_name} in the window that opened. Tabwire reads and copies "
                "nothing; close the window when you are done, or wait until Tabwire notices."
            )
            return await done
        finally:
            stop()
            observer.close()


async def _is_headless(line: BrowserLine) -> bool:
    """Of a browser of ours that ran before: the hub started it where there was no screen."""
    return WINDOWLESS in str((await line.connection.call("Browser.getVersion"))["userAgent"])
