"""A page of the extension without an extension: messages are handed in, time is a number."""

import base64
import itertools
import uuid

from monitor.wire import ASK, HOME, ID, PROMPT, TEXT, body, pieces, stored
from tabwire.capture import page_messages as m
from tabwire.capture.page import RecordedPage
from tabwire.capture.shelf import Known
from tabwire.lab.speak import chatgpt as speak_chatgpt
from tabwire.lab.speak import gemini as speak_gemini
from tabwire.lab.speak import grok as speak_grok
from tabwire.model.captured import Title
from tabwire.sites.known import SITES

WALL = 1_790_000_000.0

CHAT = {
    "chatgpt": "https://chatgpt.com/c/{}",
    "gemini": "https://gemini.google.com/app/{}",
    "grok": "https://grok.com/c/{}",
}


def b64(raw):
    return base64.b64encode(raw).decode()


def chat_url(site):
    return CHAT[site].format(ID[site])


class Page:
    """One page. `captured` is all that was told to be kept, `wanted` every reading wanted."""

    def __init__(self, site, url=None, *, heard_body=lambda _body: None, clock=None):
        self.site = site
        self.time = clock or [100.0]
        self.captured, self.wanted = [], []
        self._ids = itertools.count()
        self.page = RecordedPage(
            SITES[site],
            url or HOME[site],
            clock=lambda: self.time[0],
            wall=lambda: WALL + self.time[0],
            captured=self.captured.append,
            wants_reading=lambda conversation, attempt: self.wanted.append((conversation, attempt)),
            heard_body=heard_body,
        )

    def say(self, **message):
        found = m.read_message(message)
        assert found is not None, message
        self.page.take(found)

    @property
    def at(self):
        return WALL + self.time[0]

    def send(self, url=None, method="POST", raw=None, via="fetch"):
        """A request leaves; its attempt."""
        name = f"{self.site}:{uuid.uuid5(uuid.NAMESPACE_OID, f'{id(self)} {next(self._ids)}')}"
        self.say(
            kind="sent",
            attempt=name,
            method=method,
            url=url or ASK[self.site],
            via=via,
            body=None if raw is None else b64(raw),
            at=self.at,
            page_url=self.page.url,
        )
        return name

    def prompt(self, prompt=PROMPT):
        return self.send(raw=body(self.site, prompt))

    def respond(self, name, chunks, *, how="whole", status=200, order=None):
        """The response comes, its pieces in `order` where one is given, and ends."""
        chunks = list(chunks)
        self.say(kind="head", attempt=name, status=status, mime="x", url="", at=self.at)
        for seq in order if order is not None else range(len(chunks)):
            self.piece(name, seq, chunks[seq])
        self.say(kind="ended", attempt=name, how=how, why="", at=self.at, seqs=len(chunks))

    def piece(self, name, seq, chunk):
        self.time[0] += 0.01
        self.say(kind="bytes", attempt=name, seq=seq, data=b64(chunk), at=self.at)

    def answer(self, **wish):
        """A prompt and its whole answer; the attempt."""
        name = self.prompt()
        self.respond(name, pieces(self.site, **wish))
        return name

    def load(self, text=TEXT, *, raw=None, url=None, chunks=None):
        """The page reads the stored conversation."""
        where, method, said = stored(self.site, text)
        name = self.send(url or where, method)
        self.respond(name, chunks or [raw if raw is not None else said])

    def move(self, url):
        self.say(kind="moved", url=url, title="", at=self.at)

    def wait(self, seconds):
        until = self.time[0] + seconds
        while (at := self.page.next_deadline()) is not None and at <= until:
            self.time[0] = max(self.time[0], at)
            self.page.tick()
        self.time[0] = until

    def know(self, captured, *, ready=True, title=None):
        """As if the store had told what it keeps."""
        known = Known(captured.digest, ready, title or captured.title)
        self.page.recorder.know(captured.conversation_id, known)

    @property
    def last(self):
        return self.captured[-1]

    @property
    def shown(self):
        """With everything that was told to be kept on the disk."""
        ready = [one.digest for one in self.captured if one.ready]
        return self.page.shown(ready[-1] if ready else None)


def two_turns(site, first=TEXT, second="And that is all."):
    """The same conversation, one exchange longer, as it is stored."""
    match site:
        case "chatgpt":
            ids = speak_chatgpt.Ids("m-user-2", "m-thoughts-2", "m-answer-2")
            turns = [
                speak_chatgpt.SpokenTurn(PROMPT, first),
                speak_chatgpt.SpokenTurn("And?", second, ids=ids, at=2.0),
            ]
            return speak_chatgpt.speak_conversation(ID[site], turns)
        case "gemini":
            answers = [
                speak_gemini.SpokenAnswer(f"rc_{n}", text) for n, text in ((1, first), (2, second))
            ]
            return speak_gemini.speak_history(
                ID[site],
                [
                    speak_gemini.SpokenExchange("r_1", PROMPT, (answers[0],)),
                    speak_gemini.SpokenExchange("r_2", "And?", (answers[1],)),
                ],
            )
        case _:
            one, two = speak_grok.USER_RESPONSE, speak_grok.ANSWER_RESPONSE
            three, four = (f"0a0a0a0a-0000-4000-8000-00000000000{n}" for n in (3, 4))
            at = speak_grok.ASKED_AT
            spoken = speak_grok.SpokenResponse
            return speak_grok.speak_responses(
                [
                    spoken(one, PROMPT, speak_grok.HUMAN),
                    spoken(two, first, speak_grok.ASSISTANT, one, at + 4),
                    spoken(three, "And?", speak_grok.HUMAN, two, at + 60),
                    spoken(four, second, speak_grok.ASSISTANT, three, at + 64),
                ]
            )


NO_TITLE = Title()
