"""Hold back the request that carries the prompt until it is seen to ask for a private chat.

Only for `--temporary`: a page may not know the mode, or may have left it, and shows that in no
way we could rely on; its request says it in one field. The browser pauses the requests of the
page from before Send is pressed (`Fetch.enable`); one that would put the prompt into a kept chat
is failed and never leaves, all others go on at once.
"""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from urllib.parse import urlsplit

from tabwire.asking.prompt_match import same_prompt
from tabwire.asking.tab import BLANK, Place
from tabwire.browser.page.errors import CannotHold
from tabwire.browser.page.request_hold import holding
from tabwire.browser.tap.messages import Asked
from tabwire.model.ask import AskRequest
from tabwire.model.ask_errors import NotPrivate
from tabwire.model.errors import TabwireError
from tabwire.sites.site import RequestKind, Site

SEEN_SECONDS = 3.0  # a request that was heard to leave is paused in the same moment
CARRY = (RequestKind.ANSWER, RequestKind.FOREIGN, RequestKind.IGNORED)
ANNOUNCES = "prepare"  # the last part of an address at which a prompt is only announced


class Gate:
    """`refused` is why the request did not leave; `passed`: it was looked at and went on."""

    def __init__(self, place: Place, site: Site, prompt: str) -> None:
        self.refused = ""
        self.passed = False
        self._place = place
        self._site = site
        self._prompt = prompt
        self._decided = asyncio.Event()

    def may_leave(self, asked: Asked) -> bool:
        """Whether a request may. Inside the receive loop."""
        if not self._carries(asked):
            return True
        body = asked.body
        private = self._site.is_temporary(body) if body is not None else None
        if private is True:
            self.passed = True
        elif private is False:
            self.refused = "its request asks for a chat that is saved"
        else:
            self.refused = "its request does not say whether the chat is saved"
        self._decided.set()
        return private is True

    async def check(self) -> None:
        """The prompt was heard to leave, or not: raise `NotPrivate` where it was held back."""
        if not self.refused and not self.passed:
            with suppress(TimeoutError):
                async with asyncio.timeout(SEEN_SECONDS):
                    await self._decided.wait()
        if self.refused:
            with suppress(TabwireError):  # the page must not try again when nobody looks
                await self._place.tab.navigate(BLANK)
            raise NotPrivate(self._site.name, "temporary", self.refused)

    def _carries(self, asked: Asked) -> bool:
        """Whether a request is the one that puts our prompt into a chat."""
        kind = self._site.sort_request(asked.method, asked.url)
        if kind is RequestKind.ANSWER:
            return True
        body = asked.body
        if kind not in CARRY or body is None or asked.method != "POST":
            return False
        if urlsplit(asked.url).path.rstrip("/").endswith(ANNOUNCES):
            return False
        return same_prompt(self._site.prompt_in_request(body), self._prompt)


@asynccontextmanager
async def gated(place: Place, site: Site, request: AskRequest) -> AsyncIterator[Gate | None]:
    """The gate is up inside the block; None where the ask needs none. Raises `NotPrivate` where
    the browser does not let us look."""
    if not request.temporary:
        yield None
        return
    gate = Gate(place, site, request.prompt)
    try:
        async with holding(place.tab.session, site.hosts, gate.may_leave):
            yield gate
    except CannotHold as exc:
        why = f"the browser does not let Tabwire check the request first ({exc})"
        raise NotPrivate(site.name, "temporary", why) from exc
