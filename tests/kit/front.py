"""A person's own tab in front of a browser, which notes whatever is done to that."""

import json
from collections.abc import Awaitable, Callable
from typing import Any

from tabwire.cdp.connection import Connection

Sees = Callable[[], Awaitable[tuple[str, dict[str, Any]]]]

PERSON = "data:text/html,<title>person</title><input autofocus>"
LOOK = """JSON.stringify({
  seen: document.visibilityState,
  focus: document.hasFocus(),
  element: document.activeElement.tagName,
  changes,
})"""
NOTE = """changes = [];
for (const name of NAMES) addEventListener(name, () => changes.push(name));
document.addEventListener("visibilitychange", () => changes.push("visibility"));
document.querySelector("input").focus()"""


async def tab_in_front(line: Connection, *, barred: bool = False) -> Sees:
    """A person's tab, in front, that notes whatever changes about that.

    `barred`: an extension debugs tabs there. Chrome says so in a bar, for which it takes some
    height from every page.
    """
    names = ["blur", "focus"] if barred else ["blur", "focus", "resize"]
    target = (await line.call("Target.createTarget", {"url": "about:blank"}))["targetId"]
    attached = {"targetId": target, "flatten": True}
    session = line.session((await line.call("Target.attachToTarget", attached))["sessionId"])
    await session.call("Page.enable")
    with session.subscribe(["Page.loadEventFired"]) as loaded:
        await session.call("Page.navigate", {"url": PERSON})
        await anext(aiter(loaded))
    await line.call("Target.activateTarget", {"targetId": target})

    async def sees() -> tuple[str, dict[str, Any]]:
        said = await session.call("Runtime.evaluate", {"expression": LOOK})
        window = await line.call("Browser.getWindowForTarget", {"targetId": target})
        return said["result"]["value"], window

    note = NOTE.replace("NAMES", json.dumps(names))
    await session.call("Runtime.evaluate", {"expression": note})
    await session.call("Runtime.evaluate", {"expression": "changes.length = 0"})
    return sees
