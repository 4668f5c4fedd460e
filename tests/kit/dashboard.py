"""The dashboard in a real browser: opened with a ticket, looked at, and used.

async with opened_board(url, await ticket_of(hub)) as page:
    await until(page, LIVE)
"""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

from kit.chromium import connect_to
from kit.extension import value_of
from kit.http_door import Open
from kit.leaving import LOOK_SECONDS
from tabwire.cdp.connection import Session
from tabwire.cdp.errors import CommandFailed, CommandTimedOut

SEE_SECONDS = 60.0
LIVE = "document.body?.dataset.state === 'live'"
"""That the page has heard of the hub."""


async def ticket_of(door: Open) -> str:
    """An address that opens the dashboard of this hub, as `tabwire dashboard` gets one."""
    answer = await door.ask("POST", "/api/v1/dashboard", b"{}", local=True)
    assert answer.status == 201, answer.raw
    return str(answer.json["url"])


async def session_of(door: Open) -> dict[str, str]:
    """The headers of a session, as the page's requests have them: cookie, and key."""
    _, _, path = (await ticket_of(door)).partition(f":{door.port}")
    answer = await door.ask("GET", path, authorization=None)
    assert answer.status == 303, answer.raw
    (said,) = (line for line in answer.raw.split(b"\r\n") if line.lower().startswith(b"set-cookie"))
    cookie = said.partition(b":")[2].partition(b";")[0].strip().decode()
    (place,) = (line for line in answer.raw.split(b"\r\n") if line.lower().startswith(b"location"))
    return {"cookie": cookie, "x_tabwire_page": place.partition(b"#")[2].decode()}


async def cookie_of(door: Open) -> str:
    """The cookie of a session, as a browser sends it by itself."""
    return (await session_of(door))["cookie"]


@asynccontextmanager
async def tab_at(browser: str, url: str, *, context: str | None = None) -> AsyncIterator[Session]:
    """A tab of that browser at an address, closed afterwards."""
    async with await connect_to(browser) as line:
        where: dict[str, Any] = {"url": "about:blank", "background": True}
        if context is not None:
            where["browserContextId"] = context
        target = (await line.call("Target.createTarget", where))["targetId"]
        how = {"targetId": target, "flatten": True}
        page = line.session((await line.call("Target.attachToTarget", how))["sessionId"])
        await page.call("Page.enable")
        try:
            await go(page, url)
            yield page
        finally:
            if line.gone is None:
                await line.call("Target.closeTarget", {"targetId": target})


async def go(page: Session, url: str) -> None:
    """As a person who types an address, until the page is there."""
    with page.subscribe(["Page.loadEventFired"]) as loaded:
        await page.call("Page.navigate", {"url": url, "transitionType": "typed"})
        async with asyncio.timeout(SEE_SECONDS):
            await anext(aiter(loaded))


async def until(page: Session, want: str) -> Any:
    """Wait until an expression is true, looked at whenever the page changes."""
    looking = f"""new Promise((done) => {{
      const look = () => {{
        const seen = ({want});
        if (seen) {{ watch.disconnect(); done(seen); }}
      }};
      const watch = new MutationObserver(look);
      watch.observe(document, {{subtree: true, childList: true, attributes: true, characterData: true}});
      look();
    }})"""  # noqa: E501
    async with asyncio.timeout(SEE_SECONDS):
        while True:
            try:
                return await value_of(page, looking, seconds=LOOK_SECONDS)
            except (CommandFailed, CommandTimedOut):
                continue  # between two documents there is none to look at


async def text_of(page: Session, selector: str) -> str:
    """What a person reads there."""
    return str(await value_of(page, f"document.querySelector({selector!r}).innerText"))


async def press(page: Session, selector: str) -> None:
    """A click on what a person would see there."""
    shown = f"document.querySelector({selector!r}).checkVisibility()"
    assert await value_of(page, shown), f"{selector} is not to be seen"
    await value_of(page, f"document.querySelector({selector!r}).click()")
