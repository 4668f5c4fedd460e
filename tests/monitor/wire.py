"""What a tap would hear of an answer, made from the lab's own speakers. No browser."""

import itertools
import json
from urllib.parse import urlencode

from tabwire.browser.tap import events as t
from tabwire.lab.speak import chatgpt as speak_chatgpt
from tabwire.lab.speak import gemini as speak_gemini
from tabwire.lab.speak import grok as speak_grok
from tabwire.monitor import sightings as told
from tabwire.monitor.requests import RequestBook
from tabwire.monitor.traffic import Traffic
from tabwire.sites.known import SITES

UUID = "5f0c6a1e-1111-4222-8333-0123456789ab"
HEX = "0a1b2c3d4e5f6071"
PROMPT = "Why is the sky blue?"
PIECES = ("Air scatters ", "**short** waves ", "more. 空は青い。 😀")
TEXT = "".join(PIECES)
THOUGHTS = ("Short waves scatter. ", "So it is blue.")

ASK = {
    "chatgpt": "https://chatgpt.com/backend-api/f/conversation",
    "gemini": "https://gemini.google.com/_/BardChatUi/data/"
    "assistant.lamda.BardFrontendService/StreamGenerate?bl=x&rt=c",
    "grok": "https://grok.com/rest/app-chat/conversations/new",
}
HOME = {
    "chatgpt": "https://chatgpt.com/",
    "gemini": "https://gemini.google.com/app",
    "grok": "https://grok.com/",
}
ID = {"chatgpt": UUID, "gemini": HEX, "grok": UUID}


def body(site, prompt=PROMPT):
    """What the page sends with the prompt."""
    match site:
        case "chatgpt":
            parts = {"content_type": "text", "parts": [prompt]}
            message = {"author": {"role": "user"}, "content": parts}
            return json.dumps({"action": "next", "messages": [message]}).encode()
        case "gemini":
            inner = json.dumps([[prompt, 0, None, None, None, None, 0], ["en"], ["", "", ""]])
            return urlencode({"f.req": json.dumps([None, inner]), "at": "x"}).encode()
        case _:
            return json.dumps({"message": prompt, "modelName": "grok-4"}).encode()


def pieces(site, *, complete=True, thoughts=THOUGHTS, texts=PIECES):
    """The response, piece by piece."""
    speak = {"chatgpt": speak_chatgpt, "gemini": speak_gemini, "grok": speak_grok}[site]
    if site == "gemini":
        texts = list(itertools.accumulate(texts))
        thoughts = list(itertools.accumulate(thoughts))
        return speak.speak_stream(
            texts, conversation_id=HEX, thoughts=thoughts, title="Blue", complete=complete
        )
    return speak.speak_stream(
        texts,
        conversation_id=ID[site],
        prompt=PROMPT,
        thoughts=thoughts,
        title="Blue",
        complete=complete,
    )


def stored(site, text=TEXT):
    """(url, method, body) of the stored conversation."""
    match site:
        case "chatgpt":
            raw = speak_chatgpt.speak_stored(text, conversation_id=UUID, prompt=PROMPT)
            return f"https://chatgpt.com/backend-api/conversation/{UUID}", "GET", raw
        case "gemini":
            answer = speak_gemini.SpokenAnswer("rc_1", text)
            exchange = speak_gemini.SpokenExchange("r_1", PROMPT, (answer,))
            raw = speak_gemini.speak_history(HEX, [exchange])
            url = "https://gemini.google.com/_/BardChatUi/data/batchexecute?rpcids=hNvQHb"
            return f"{url}&source-path=%2Fapp%2F{HEX}", "POST", raw
        case _:
            raw = speak_grok.speak_stored(text, prompt=PROMPT)
            url = f"https://grok.com/rest/app-chat/conversations/{UUID}/load-responses"
            return url, "POST", raw


class Tab:
    """A tab that is followed, without a tab: time and events are handed in."""

    def __init__(self, site, *, discover=None):
        self.now = 100.0
        self.url = HOME[site]
        self.told = []
        self.wanted_readings = []
        self._ids = itertools.count(1)
        self.site = site
        book = RequestBook(discover=discover) if discover is not None else None
        self.traffic = Traffic(
            SITES[site],
            tell=self.told.append,
            clock=lambda: self.now,
            page_url=lambda: self.url,
            book=book,
            wants_reading=self.wanted_readings.append,
        )

    def ask(self, *, posted=None, url=None, has_body=False, method="POST", kind="Fetch"):
        """A request leaves; its id."""
        name = f"r{next(self._ids)}"
        request = t.Request(
            name, method, url or ASK[self.site], kind, self.now, posted, has_body=has_body
        )
        self.traffic.hear(t.RequestLeft(request))
        return name

    def prompt(self):
        """The prompt leaves."""
        return self.ask(posted=body(self.site))

    def respond(self, name, chunks, *, status=200, how=t.End.WHOLE, mime="text/event-stream"):
        """The response comes and ends."""
        self.begin(name, status, mime)
        for chunk in chunks:
            self.bytes(name, chunk)
        self.end(name, how, status)

    def begin(self, name, status=200, mime="text/event-stream", retry_after=""):
        self.traffic.hear(
            t.ResponseBegan(name, status, mime, "", self.now, retry_after=retry_after)
        )

    def bytes(self, name, chunk):
        self.now += 0.01
        self.traffic.hear(t.BytesCame(name, chunk, self.now))

    def end(self, name, how=t.End.WHOLE, status=200):
        self.now += 0.01
        self.traffic.hear(t.ResponseEnded(name, self.now, how, status=status))

    def load_stored(self, text=TEXT):
        """The page loads the stored conversation."""
        url, method, raw = stored(self.site, text)
        self.respond(self.ask(url=url, method=method), [raw], mime="application/json")

    def wait(self, seconds):
        """Let fusion's clocks run."""
        until = self.now + seconds
        fusion = self.traffic.fusion
        while (at := fusion.next_deadline()) is not None and at <= until:
            self.now = max(self.now, at)
            self.traffic.relay(fusion.tick(self.now))
        self.now = until

    def of(self, shape):
        return [one for one in self.told if isinstance(one, shape)]

    def text(self, *, thinking=False):
        """The text as whoever listens has it at the end."""
        said = ""
        for one in self.told:
            if isinstance(one, told.Grew) and one.thinking == thinking:
                said += one.text
            elif isinstance(one, told.Rewritten) and one.thinking == thinking:
                said = one.text
        return said

    @property
    def states(self):
        return [str(one.after) for one in self.of(told.StateMoved)]

    @property
    def verdict(self):
        return self.of(told.Judged)[-1].verdict
