"""A person who knows nothing of any site: sees a box, a button that wakes up, and words.

Raw CDP only. `Eyes` finds its way by what can be seen, so it works in every layout and language,
and under every drift; the wire is read by readers of its own (`wire_text`), a few lines each,
which share nothing with Tabwire's parsers.
"""

import asyncio
import base64
import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

from kit.lab import SEE_SECONDS, Person
from kit.leaving import looked
from tabwire.cdp.protocol import Event, Reply

CLICKS = 5  # on a Send that does nothing, until somebody gives up
SCRIPT = Path(__file__).with_name("eyes.js").read_text(encoding="utf-8")
ANSWERS = re.compile(
    r"/backend-(api|anon)/[fg]/conversation(/resume)?$|StreamGenerate"
    r"|/conversations/new$|/responses$|/app-chat/turns/|reconnect-response|add_response"
)


class Eyes:
    """A person before a tab."""

    def __init__(self, person: Person) -> None:
        self.person = person
        self.sent: list[str] = []  # answering requests, in order, by id
        self.urls: dict[str, str] = {}
        self.ended: set[str] = set()
        self._bytes: dict[str, list[bytes]] = {}
        self._told: dict[str, bool] = {}  # whether we could listen, once the browser said so
        self._news = asyncio.Event()
        person.session.listen("Network.requestWillBeSent", self._left)
        person.session.listen("Network.dataReceived", self._came)
        person.session.listen("Network.loadingFinished", self._over)
        person.session.listen("Network.loadingFailed", self._over)

    @classmethod
    async def open(cls, person: Person) -> "Eyes":
        """Look at a tab from now on, on every page that is loaded in it."""
        eyes = cls(person)
        call = person.session.call
        await call("Network.enable", {"maxTotalBufferSize": 200_000_000})
        await call("Page.enable")
        await call("Page.addScriptToEvaluateOnNewDocument", {"source": SCRIPT})
        await call("Runtime.evaluate", {"expression": SCRIPT})
        return eyes

    async def until(self, test: str, seconds: float = SEE_SECONDS) -> Any:
        """Wait until something is true of the page."""
        how = {
            "expression": f"eyes.until(() => ({test}))",
            "awaitPromise": True,
            "returnByValue": True,
        }
        found = await looked(self.person.session, how, seconds=seconds)
        assert "exceptionDetails" not in found, found["exceptionDetails"]
        return found["result"].get("value")

    async def ask(self, prompt: str) -> None:
        """Write into the box, wait for Send to wake up, and click it; again if it did nothing."""
        letters = json.dumps(_letters(prompt))
        while True:
            await self.until("eyes.box()")
            await self.person.finds("(eyes.look(), eyes.takeUp())")
            await self.person.session.call("Input.insertText", {"text": prompt})
            # a page that comes alive only now puts another box there, without what was typed
            if await self.until(f"eyes.held() !== {letters} ? 2 : eyes.send() ? 1 : 0") == 1:
                break
        asked = len(self.sent)
        for _ in range(CLICKS):
            if len(self.sent) > asked:
                return
            await self._click(await self.until("eyes.send() && eyes.middle(eyes.send())"))
            await self._left_soon(asked)
        assert len(self.sent) > asked, f"{CLICKS} clicks on what looks like Send, and nothing left"

    async def sees(self, text: str, seconds: float = SEE_SECONDS) -> None:
        """Wait until an answer stands in the page, all its lines in order."""
        await self.until(f"eyes.shows({json.dumps(lines_of(text))})", seconds)

    async def shown(self) -> str:
        """The letters of the whole page."""
        return str(await self.person.finds("eyes.letters(eyes.text())"))

    def wire(self) -> list[tuple[str, bytes]]:
        """What the answering responses have brought so far: address and body of each."""
        return [(self.urls[name], b"".join(self._bytes[name])) for name in self.sent]

    async def over(self, count: int = 1) -> None:
        """Wait until so many answering responses have ended."""
        async with asyncio.timeout(SEE_SECONDS):
            while len(self.ended & self._told.keys()) < count:
                self._news.clear()
                await self._news.wait()
        for name in [name for name in self.ended if self._told.get(name) is False]:
            self._told[name] = True  # it ended before we could listen; it is stored now
            body = await self.person.session.call("Network.getResponseBody", {"requestId": name})
            raw = body["body"]
            self._bytes[name] = [base64.b64decode(raw) if body["base64Encoded"] else raw.encode()]

    async def _click(self, place: list[float]) -> None:
        where = {"x": place[0], "y": place[1], "button": "left", "clickCount": 1}
        for kind in ("mousePressed", "mouseReleased"):
            await self.person.session.call("Input.dispatchMouseEvent", {"type": kind, **where})

    async def _left_soon(self, asked: int) -> None:
        """Give the request a moment to leave. A person whose click did nothing clicks again."""
        try:
            async with asyncio.timeout(2.0):
                while len(self.sent) == asked:
                    self._news.clear()
                    await self._news.wait()
        except TimeoutError:
            return

    def _left(self, event: Event) -> None:
        told = event.read()
        url = told["request"]["url"].partition("?")[0]
        if told["request"]["method"] != "OPTIONS" and ANSWERS.search(url):
            self.sent.append(told["requestId"])
            self.urls[told["requestId"]] = url
            self._bytes[told["requestId"]] = []
            self.person.session.send(
                "Network.streamResourceContent",
                {"requestId": told["requestId"]},
                on_reply=lambda said: self._buffered(told["requestId"], said),
            )
            self._news.set()

    def _buffered(self, name: str, said: object) -> None:
        self._told[name] = isinstance(said, Reply)
        if isinstance(said, Reply):
            self._bytes[name].insert(0, base64.b64decode(said.read()["bufferedData"]))
        self._news.set()

    def _came(self, event: Event) -> None:
        told = event.read()
        if told["requestId"] in self._bytes and "data" in told:
            self._bytes[told["requestId"]].append(base64.b64decode(told["data"]))

    def _over(self, event: Event) -> None:
        self.ended.add(event.read()["requestId"])
        self._news.set()


def lines_of(text: str) -> list[str]:
    """The letters of each line, as `eyes.shows` wants them."""
    return [line for line in map(_letters, text.splitlines()) if line]


def _letters(words: str) -> str:
    return "".join(filter(str.isalnum, words))


# --- the wire, read with other eyes than Tabwire's --------------------------------------------


def wire_text(site: str, body: bytes) -> str:
    """The answer that one body tells, as simply as it can be read.

    Of a body that is still coming the last line may not be whole, and says nothing yet.
    """
    return READERS[site](body[: body.rfind(b"\n") + 1].decode())


def _chatgpt(body: str) -> str:
    texts: dict[int, str] = {}
    channel, path, operation = 0, "", ""
    answers: set[int] = set()

    def apply(where: str, how: str, value: Any) -> None:
        if how == "patch":
            for one in value:
                apply(one["p"], one["o"], one["v"])
        elif where == "/message/content/parts/0" and how == "append":
            texts[channel] = texts.get(channel, "") + value

    for line in body.split("\n"):
        if not line.startswith('data: {"') or '"v":' not in line:
            continue
        delta = json.loads(line[6:])
        if isinstance(delta.get("v"), dict) and "message" in delta["v"]:
            channel = delta.get("c", channel)
            message = delta["v"]["message"]
            path, operation = "", "add"
            content = message["content"]
            to_all = message.get("recipient", "all") == "all"
            spoken = message["author"]["role"] == "assistant" and to_all
            if spoken and content["content_type"] == "text":
                answers.add(channel)
                texts[channel] = content["parts"][0]
            continue
        channel = delta.get("c", channel)
        path, operation = delta.get("p", path), delta.get("o", operation)
        patches = isinstance(delta["v"], list) and delta.get("o", "patch") == "patch"
        apply(path, "patch" if patches else operation, delta["v"])
        if patches:  # bare strings go on where the patch appended
            path, operation = "/message/content/parts/0", "append"
    return texts[max(answers)] if answers else ""


def _gemini(body: str) -> str:
    text = ""
    for line in body.split("\n"):
        if not line.startswith("[["):
            continue
        for record in json.loads(line):
            if record[0] == "wrb.fr" and record[2]:
                payload = json.loads(record[2])
                if len(payload) > 4 and payload[4]:
                    text = payload[4][0][1][0] or text
    return text


def _grok(body: str) -> str:
    pieces, whole = [], None
    for line in filter(None, body.split("\n")):  # JSON may hold other ends of lines
        result = json.loads(line).get("result", {})
        said = result.get("response", result)
        if not said.get("isThinking") and said.get("messageTag") == "final":
            pieces.append(said.get("token", ""))
        answer = said.get("modelResponse") or {}
        whole = answer.get("message") or whole
    return "".join(pieces) if whole is None else whole


READERS: dict[str, Callable[[str], str]] = {
    "chatgpt": _chatgpt,
    "gemini": _gemini,
    "grok": _grok,
}
