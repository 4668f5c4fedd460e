"""Small pages around the selectors of seed 001, and a tab that is looked at the classic way."""

from collections.abc import Iterable
from typing import Any

from tabwire.browser.classic import ClassicPage
from tabwire.cdp.connection import Session
from tabwire.sites.classic import Classic, Poll, Rung, pick, read_look, read_poll


async def show(session: Session, body: str) -> None:
    """Make this the page. Shadow roots may be written as templates."""
    page = await session.call("Runtime.evaluate", {"expression": "globalThis"})
    call = {
        "functionDeclaration": "function (html) { document.body.setHTMLUnsafe(html); }",
        "arguments": [{"value": body}],
        "objectId": page["result"]["objectId"],
    }
    assert "exceptionDetails" not in await session.call("Runtime.callFunctionOn", call)


async def evaluate(session: Session, expression: str) -> Any:
    """What the page's own world makes of an expression."""
    wish = {"expression": expression, "returnByValue": True, "awaitPromise": True}
    done = await session.call("Runtime.evaluate", wish)
    assert "exceptionDetails" not in done
    return done["result"].get("value")


class Shown:
    """A tab that shows what it is given, one page after the other."""

    def __init__(self, session: Session, classic: Classic) -> None:
        self.session = session
        self.classic = classic
        self.page = ClassicPage(session, classic.marks)

    async def poll(self, body: str) -> Poll:
        """What one look sees."""
        await show(self.session, body)
        return read_poll(await self.page.poll())

    async def read(self, body: str, **wish: Any) -> Rung | None:
        """The rung the text comes from."""
        await show(self.session, body)
        async with self.page.focused():
            return pick(self.classic, read_look(await self.page.read(**wish)))

    async def polls(self, cases: Iterable[tuple[str, str, dict[str, Any]]]) -> dict[str, Any]:
        """Of each case by its name, what was seen of what is expected."""
        seen = {}
        for name, body, expected in cases:
            poll = await self.poll(body)
            seen[name] = {part: getattr(poll, part) for part in expected}
        return seen

    async def rungs(self, cases: Iterable[tuple[str, str, Any]]) -> dict[str, Any]:
        """Of each case by its name, the number of the rung and the text."""
        read = {}
        for name, body, _ in cases:
            rung = await self.read(body)
            read[name] = rung and (rung.number, rung.text)
        return read


def turn(number: int, answer: str, before: str = "") -> str:
    """One exchange as seed 001, 3.6 and 3.7 draw it."""
    return f"""
    <article data-turn="user"><div data-message-author-role="user">Question {number}</div></article>
    <article data-turn="assistant"><div data-message-author-role="assistant">
      {before}<div class="markdown prose">{answer}</div>
    </div></article>"""


def shadow(tag: str, inside: str) -> str:
    """An element whose content is in an open shadow root."""
    return f'<{tag}><template shadowrootmode="open">{inside}</template></{tag}>'


def answer(text: str, feedback: bool = True) -> str:
    """One answer: text and buttons in a shadow root, as the seed found them."""
    icon = '<img alt="thumb_{}" src="data:,">'
    buttons = f"""<div><button aria-label="良い回答">{icon.format("up")}</button>
        <button aria-label="悪い回答">{icon.format("down")}</button></div>"""
    inside = f"<div class='response'>{text}{buttons if feedback else ''}</div>"
    return shadow("model-response", inside)
