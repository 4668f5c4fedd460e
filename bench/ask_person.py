"""A scripted person who asks in a page by hand: attach, type, wait for Send, click. Raw CDP.

What asking is compared with. This person trusts everything: that the tab is well, the composer
is the right one, the text was taken, the click landed, and that the prompt left.
"""

import json
from typing import Any

from tabwire.browser.line import BrowserLine
from tabwire.cdp.connection import Session
from tabwire.sites.page import Selector
from tabwire.sites.site import Site

SEE_SECONDS = 30.0

# Settles with what is found, looked for whenever the page changes.
_UNTIL = """new Promise((settle) => {
  const look = () => { const seen = FIND; if (seen) { watch.disconnect(); settle(seen); } };
  const watch = new MutationObserver(look);
  watch.observe(document, { subtree: true, childList: true, attributes: true });
  look();
})"""

_AWAKE = """(() => {
  const one = document.querySelector(CSS);
  if (!one || one.disabled || one.ariaDisabled === "true") return null;
  const box = one.getBoundingClientRect();
  return box.width > 0 ? [box.x + box.width / 2, box.y + box.height / 2] : null;
})()"""

_FOCUSED = "(() => { const one = document.querySelector(CSS); one?.focus(); return !!one; })()"


async def ask_by_hand(line: BrowserLine, target: str, site: Site, prompt: str) -> None:
    """Ask in a tab that stands at its start page; done when the mouse was released."""
    layout = site.page.layouts[0]
    call = line.connection.call
    said = await call("Target.attachToTarget", {"targetId": target, "flatten": True})
    session = line.connection.session(said["sessionId"])
    await session.call("Emulation.setFocusEmulationEnabled", {"enabled": True})
    await _seen(session, _FOCUSED, layout.composer)
    await session.call("Input.insertText", {"text": prompt})
    x, y = await _seen(session, _AWAKE, layout.send)
    where = {"x": x, "y": y, "button": "left", "clickCount": 1}
    for kind in ("mouseMoved", "mousePressed", "mouseReleased"):
        await session.call("Input.dispatchMouseEvent", {"type": kind, **where})
    await call("Target.detachFromTarget", {"sessionId": session.id})


async def _seen(session: Session, find: str, parts: tuple[Selector, ...]) -> Any:
    css = json.dumps(", ".join(one.css for one in parts))
    how = {
        "expression": _UNTIL.replace("FIND", find.replace("CSS", css)),
        "awaitPromise": True,
        "returnByValue": True,
    }
    return (await session.call("Runtime.evaluate", how, seconds=SEE_SECONDS))["result"]["value"]
