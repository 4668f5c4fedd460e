"""What goes wrong with a tab.

TabwireError
├── TabLost             the tab we were in is gone, or no longer answers through our session
├── TabLeased           somebody else uses this tab
├── TabDidNotOpen       a new tab was asked for and did not come
├── DidNotLoad          the document did not come in time
└── TabNotResponding    the tab is there and says nothing: frozen, discarded or busy

What goes wrong in a page is in `page/errors.py`, on the line to the browser in `cdp/errors.py`.
"""

from tabwire.browser.tab_events import LifeEvent
from tabwire.model.errors import Retry, TabwireError


class TabLost(TabwireError):
    """What befell the tab is in `life`."""

    def __init__(self, life: LifeEvent) -> None:
        super().__init__(life.words, what_to_do=life.remedy, retry=Retry.RESUME)
        self.life = life


class TabLeased(TabwireError):
    """One user per tab. `owner` has it for another `left_seconds`, unless it is renewed."""

    def __init__(self, target: str, owner: str, pid: int, left_seconds: float) -> None:
        super().__init__(
            f"this tab is in use by {owner} (process {pid}) for another {left_seconds:.0f} s",
            what_to_do="Wait until it is free, or use another tab.",
            retry=Retry.SAME,
        )
        self.target = target
        self.owner = owner
        self.pid = pid
        self.left_seconds = left_seconds


class TabDidNotOpen(TabwireError):
    """All tries failed; none left a tab behind."""

    def __init__(self, url: str, tries: int, why: str) -> None:
        super().__init__(
            f"no new tab for {url} after {tries} attempts: {why}",
            what_to_do="Check that the browser still responds: run `tabwire doctor`.",
            retry=Retry.SAME,
        )
        self.url = url


class DidNotLoad(TabwireError):
    """The network, or the site, is too slow."""

    def __init__(self, what: str, seconds: float) -> None:
        super().__init__(
            f"{what} within {seconds:g} s",
            what_to_do="Check the network connection, then reload the tab.",
            retry=Retry.SAME,
        )


class TabNotResponding(TabwireError):
    """The others are not held up by it."""

    def __init__(self, target: str, why: str) -> None:
        super().__init__(
            f"the tab does not answer: {why}",
            what_to_do="Look at the tab: it may be frozen, discarded or busy. Reload it.",
            retry=Retry.SAME,
        )
        self.target = target
