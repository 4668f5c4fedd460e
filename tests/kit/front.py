"""A person's own tab in front of a browser, which notes whatever is done to that."""

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
NOTE = """changes = 0;
for (const name of ["blur", "focus", "resize"]) addEventListener(name, () => changes++);
document.addEventListener("visibilitychange", () => changes++);
document.querySelector("input").focus()"""


async def tab_in_front(line: Connection) -> Sees:
    """A person's tab, in front, that notes whatever changes about that."""
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

    await session.call("Runtime.evaluate", {"expression": NOTE})
    await session.call("Runtime.evaluate", {"expression": "changes = 0"})
    return sees
