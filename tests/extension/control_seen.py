"""The control as a person and a screen reader have it, though its shadow root is closed."""

import asyncio
from collections.abc import Iterator
from typing import Any

from extension.page_lab import SEE_SECONDS, value_of
from tabwire.cdp.connection import Session

_PART = """function (css) {
  const one = css === ".box" ? this : this.querySelector(css);
  const box = one.getBoundingClientRect();
  const seen = one.checkVisibility({ visibilityProperty: true });
  return { text: one.textContent, seen, off: one.disabled === true, life: this.dataset.life,
    x: box.x, y: box.y, width: box.width, height: box.height, label: one.getAttribute("aria-label"),
    focused: one.matches(":focus") };
}"""

# Settles when a part is as wanted, looked at whenever the control changes.
_UNTIL = """function (css, want) {
  return new Promise((done) => {
    const wanted = eval(want);
    const look = () => {
      const one = css === ".box" ? this : this.querySelector(css);
      if (!wanted(one, this)) return;
      watch.disconnect();
      done(true);
    };
    const watch = new MutationObserver(look);
    watch.observe(this, { subtree: true, childList: true, attributes: true, characterData: true });
    look();
  });
}"""


def _closed(node: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """The closed shadow roots in a document."""
    for root in node.get("shadowRoots", []):
        if root["shadowRootType"] == "closed":
            yield root
    for child in node.get("children", []):
        yield from _closed(child)


class Control:
    """The one control of a page."""

    def __init__(self, page: Session) -> None:
        self.page = page

    async def _box(self) -> str:
        async with asyncio.timeout(SEE_SECONDS):
            while True:
                said = await self.page.call("DOM.getDocument", {"depth": -1, "pierce": True})
                for root in _closed(said["root"]):  # of a plain element, wherever it is by now
                    find = {"nodeId": root["nodeId"], "selector": ".box"}
                    found = await self.page.call("DOM.querySelector", find)
                    if found["nodeId"]:
                        node = await self.page.call("DOM.resolveNode", found)
                        return str(node["object"]["objectId"])
                # it comes when the page is drawn: the next change of the document
                await value_of(
                    self.page,
                    """new Promise((done) => { const watch = new MutationObserver(() => {
                      watch.disconnect(); done(0); });
                      watch.observe(document.documentElement, {childList: true});
                      if (document.querySelector('html > div')) done(0); })""",
                )

    async def _on(self, function: str, *given: Any) -> Any:
        how = {
            "functionDeclaration": function,
            "objectId": await self._box(),
            "arguments": [{"value": one} for one in given],
            "awaitPromise": True,
            "returnByValue": True,
        }
        found = await self.page.call("Runtime.callFunctionOn", how, seconds=SEE_SECONDS)
        assert "exceptionDetails" not in found, found
        return found["result"].get("value")

    async def part(self, css: str = ".box") -> dict[str, Any]:
        """One part of it, as it is."""
        return await self._on(_PART, css)

    async def until(self, css: str, want: str) -> None:
        """Wait until a part is as wanted: `want` is a function of it and the whole."""
        await self._on(_UNTIL.replace("eval(want)", f"({want})"), css, "")

    async def lives(self, life: str) -> None:
        """Wait until the badge says so."""
        await self.until(".box", f"(one) => one.dataset.life === '{life}'")

    async def click(self, css: str) -> None:
        """Click into the middle of a part, with a mouse, when it was seen for a moment."""
        await self.until(".box", "(one) => 'steady' in one.dataset")
        one = await self.part(css)
        await press(self.page, one["x"] + one["width"] / 2, one["y"] + one["height"] / 2)

    async def drag(self, to: tuple[float, float]) -> None:
        """Drag it by its badge."""
        one = await self.part(".dot")
        x, y = one["x"] + 4, one["y"] + 4
        await mouse(self.page, "mousePressed", x, y)
        for step in (0.5, 1.0):
            await mouse(self.page, "mouseMoved", x + (to[0] - x) * step, y + (to[1] - y) * step)
        await mouse(self.page, "mouseReleased", *to)


async def mouse(page: Session, kind: str, x: float, y: float) -> None:
    """One event of the mouse."""
    how = {"type": kind, "x": x, "y": y, "button": "left", "buttons": 1, "clickCount": 1}
    await page.call("Input.dispatchMouseEvent", how)


async def press(page: Session, x: float, y: float) -> None:
    """A click."""
    await mouse(page, "mousePressed", x, y)
    await mouse(page, "mouseReleased", x, y)


async def key(page: Session, name: str, code: int) -> None:
    """A key, pressed and let go."""
    what = {"key": name, "code": name, "windowsVirtualKeyCode": code}
    if name == "Enter":
        what["text"] = "\r"
    await page.call("Input.dispatchKeyEvent", {"type": "keyDown", **what})
    await page.call("Input.dispatchKeyEvent", {"type": "keyUp", **what})
