"""What a tab's requests are to us, as the site's rules sort them."""

import asyncio
from collections.abc import Callable
from typing import Any

from tabwire.cdp.connection import Session
from tabwire.cdp.protocol import Event
from tabwire.sites.site import RequestKind, Site

ANSWER_SECONDS = 20.0  # for the lab to answer a request, on a busy machine


class Requests:
    """The requests of a tab from now on, in order: their kinds, addresses and bodies."""

    def __init__(self, session: Session, site: Site) -> None:
        self.sent: list[tuple[RequestKind, str, str]] = []
        self._site = site
        self._answered: list[str] = []
        self._changed = asyncio.Event()
        session.listen("Network.requestWillBeSent", self._sent)
        session.listen("Network.responseReceived", self._received)

    @property
    def kinds(self) -> list[RequestKind]:
        """What each was."""
        return [kind for kind, _, _ in self.sent]

    async def answered(self, wanted: Callable[[str], bool]) -> None:
        """Wait until a request to such an address has its answer."""
        async with asyncio.timeout(ANSWER_SECONDS):
            while not any(map(wanted, self._answered)):
                self._changed.clear()
                await self._changed.wait()

    def _sent(self, event: Event) -> None:
        request: dict[str, Any] = event.read()["request"]
        kind = self._site.sort_request(request["method"], request["url"])
        self.sent.append((kind, request["url"], request.get("postData", "")))

    def _received(self, event: Event) -> None:
        self._answered.append(event.read()["response"]["url"])
        self._changed.set()


async def requests_of(session: Session, site: Site) -> Requests:
    """Begin to look."""
    seen = Requests(session, site)
    await session.call("Network.enable")
    return seen
