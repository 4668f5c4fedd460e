"""A page of the lab with somebody who asks in it, and what its requests said."""

import asyncio
import json
from typing import Any

from kit.lab import SEE_SECONDS, Person
from tabwire.browser.page.page import Page
from tabwire.cdp.protocol import Event
from tabwire.sites.known import SITES
from tabwire.sites.page import Layout
from tabwire.sites.site import RequestKind, Site

HOMES = {
    "turn_key": ("chatgpt", "https://chatgpt.com/?lab=layout:turn_key"),
    "classic": ("chatgpt", "https://chatgpt.com/?lab=layout:classic"),
    "octane": ("chatgpt", "https://chatgpt.com/?lab=layout:octane"),
    "app": ("gemini", "https://gemini.google.com/app?lab=lang:en"),
    "grok.com": ("grok", "https://grok.com/?lab=lang:en"),
}


class Asked:
    """What the page's answering requests carried."""

    def __init__(self, site: Site, person: Person) -> None:
        self._site = site
        self.bodies: list[bytes] = []
        self._ids: set[str] = set()
        person.session.listen("Network.requestWillBeSent", self._left)
        person.session.listen("Network.responseReceived", self._came)
        self._came_in = asyncio.Event()

    def _left(self, event: Event) -> None:
        said: Any = event.read()
        request = said["request"]
        if self._site.sort_request(request["method"], request["url"]) is RequestKind.ANSWER:
            self._ids.add(said["requestId"])
            self.bodies.append(request.get("postData", "").encode())

    def _came(self, event: Event) -> None:
        if event.read()["requestId"] in self._ids:
            self._came_in.set()

    async def next(self) -> None:
        """Wait until the server has begun to answer one more."""
        async with asyncio.timeout(SEE_SECONDS):
            await self._came_in.wait()
        self._came_in.clear()


class Asking:
    """A page, whoever sits before it, and all that the functions under test want."""

    def __init__(self, name: str, person: Person) -> None:
        self.site: Site = SITES[HOMES[name][0]]
        layouts = self.site.page.layouts
        self.layout: Layout = next(one for one in layouts if one.name == name)
        self.person = person
        self.page = Page(person.session)
        self.asked = Asked(self.site, person)

    @property
    def given(self) -> tuple[Page, Site, Layout]:
        """The first three arguments of everything."""
        return self.page, self.site, self.layout

    async def ask(self, prompt: str) -> None:
        """Write and send, and wait until the server answers."""
        await self.page.fill(self.layout.composer, prompt, decoys=self.layout.decoys)
        send = json.dumps([one.css for one in self.layout.send])
        usable = "!one.disabled && one.ariaDisabled !== 'true'"
        await self.person.sees(
            f"{send}.some((css) => [...document.querySelectorAll(css)].some((one) => {usable}))"
        )
        await self.page.click(self.layout.send, decoys=self.layout.decoys)
        await self.asked.next()

    async def clicked(self) -> list[str]:
        """What was clicked so far: rows by their titles, and buttons."""
        return list(await self.person.finds("globalThis.clicked"))


CLICKS = """globalThis.clicked = [];
document.addEventListener("click", (event) => {
  const hit = event.target.closest("button, [role^=menuitem], a");
  const what = hit?.matches("[role^=menuitem]") ? "" : "button ";
  if (hit) globalThis.clicked.push(what + (hit.innerText.split("\\n")[0].trim() || hit.ariaLabel));
}, true);"""


async def at(lab_tab: Any, name: str, *stage: str) -> Asking:
    """The page of this layout, on this stage."""
    person = await lab_tab(",".join((HOMES[name][1], *stage)))
    asking = Asking(name, person)
    await person.session.call("Network.enable")
    await person.finds(f"{{ {CLICKS} }}")
    layout = asking.layout
    alive = json.dumps([one[0].css for one in (layout.composer, layout.model_picker) if one])
    await person.sees(f"{alive}.every((css) => document.querySelector(css))")
    if name == "octane":  # its composer stands there before the page is alive
        await person.sees("document.querySelector('[data-send-label]')")
    return asking
