"""A hub that plays what a test wrote down, for the terminal's own behaviour.

The real hub is asked in tests/e2e; here it matters what is printed, where, and how one leaves.
"""

import asyncio
import os
import signal
import time
from dataclasses import dataclass, field, replace

from tabwire.model.ask import (
    Answer,
    Answered,
    AskRequest,
    Completeness,
    ConversationKnown,
    Failed,
    Phase,
    PhaseBegan,
    PromptLeft,
    TextCame,
    Timings,
)
from tabwire.model.citations import Citation

CONVERSATION = "c0ffee00-0000-4000-8000-000000000001"
URL = f"https://chatgpt.com/c/{CONVERSATION}"

WHOLE = Answer(
    id="a1",
    site="chatgpt",
    prompt="What is a tab?",
    text="A **tab** holds a page.",
    completeness=Completeness.COMPLETE,
    why="end of turn",
    conversation_id=CONVERSATION,
    url=URL,
    title="Tabs",
    model="gpt-test",
    effort="high",
    thinking="Hm. A tab.",
    citations=(Citation("https://tabs.example/1", "On tabs", "Tabs"),),
    evidence=("end_turn", "stored conversation"),
    timings=Timings(
        connect=10.0, navigate=20.0, wait_input=5.0, input=15.0, send=50.0, first_token=1234.0,
        detect=2.0, total=9876.0,
    ),
)  # fmt: skip


def answer(site="chatgpt", text=WHOLE.text, completeness=Completeness.COMPLETE, **others):
    return replace(WHOLE, id=f"a-{site}", site=site, text=text, completeness=completeness, **others)


def story(result, *, text=True):
    """What an untroubled ask tells, in order."""
    site = result.site
    if not isinstance(result, Answer):
        return [PhaseBegan(site, Phase.CONNECT, 0.0), Failed(site, result, 0.0)]
    came = [TextCame(site, result.text, False, False, 0.0)] if text else []
    thought = [TextCame(site, result.thinking, True, False, 0.0)] if result.thinking else []
    return [
        PhaseBegan(site, Phase.CONNECT, 0.0),
        PhaseBegan(site, Phase.SEND, 0.0),
        PromptLeft(site, result.id, None, 0.0),
        PhaseBegan(site, Phase.THINKING, 0.0),
        *thought,
        ConversationKnown(site, result.id, CONVERSATION, result.url or URL, 0.0),
        PhaseBegan(site, Phase.ANSWERING, 0.0),
        *came,
        Answered(site, result, 0.0),
    ]


@dataclass
class Planned:
    site: str
    lines: tuple[str, ...]


@dataclass
class Difference:
    texts: dict[str, str]


@dataclass
class Compared:
    agreed: tuple[str, ...] = ("Both.",)
    only: dict[str, tuple[str, ...]] = field(default_factory=lambda: {"grok": ("Mine.",)})
    shared: tuple = ()
    differ: tuple[Difference, ...] = (Difference({"chatgpt": "It is 1.", "grok": "It is 2."}),)


class ScriptedHub:
    """Plays `stories`, one list of events per site; an int in it is so many Ctrl-C.

    A story that ends without an end (`Answered`, `Failed`) waits until it is cancelled, or
    until its site is stopped: then `stopped` is its answer.
    """

    def __init__(self, *results, stories=None, cannot_begin=None, past=(), terms=()):
        self.asks = self.browsers = self
        self.results = results
        self.stories = stories or {one.site: story(one) for one in results}
        self.cannot_begin = cannot_begin
        self.past = past
        self.terms = terms
        self.asked: list[AskRequest] = []
        self.given: dict = {}
        self.cancelled = False
        self.stopped: asyncio.Event | None = None

    def first_words(self, sites, *, browser=None):
        return tuple(f"{site}'s terms." for site in sites if site in self.terms)

    def load(self):
        pass

    async def ask(self, requests, tell, *, browser=None, on_wait=None, control=None, again=False):
        self.asked = list(requests)
        self.given = {"browser": browser, "again": again}
        if self.cannot_begin is not None:
            raise self.cannot_begin
        self.stopped = asyncio.Event()
        if control is not None:
            control.add(self)
        try:
            return tuple([await self._play(one.site, tell) for one in requests])
        except asyncio.CancelledError:
            self.cancelled = True
            raise

    async def _play(self, site, tell):
        for step in self.stories[site]:
            if isinstance(step, int):
                for _ in range(step):
                    os.kill(os.getpid(), signal.SIGINT)
                    await self._heard()
                continue
            tell(replace(step, at=time.monotonic()))
        if not isinstance(step, Answered | Failed):
            await self.stopped.wait()
            step = Answered(site, answer(site, "Half", Completeness.STOPPED), time.monotonic())
            tell(step)
        return step.answer if isinstance(step, Answered) else step.error

    async def _heard(self):
        """Until the signal has come through the loop, and whoever waits for it has acted."""
        for _ in range(20):
            await asyncio.sleep(0)

    def stop_site(self):
        """What the control of a run does to each of its asks."""
        self.stopped.set()

    async def fetch(self, said, *, site=None, browser=None, tell=None, on_wait=None):
        self.given = {"said": said, "site": site, "browser": browser}
        if self.cannot_begin is not None:
            raise self.cannot_begin
        return await self._play(site or next(iter(self.stories)), tell)

    def plan(self, requests, *, browser=None):
        self.asked = list(requests)
        return tuple(Planned(one.site, ("open a new chat", "send")) for one in requests)

    async def login(self, site, *, say):
        self.given = {"site": site}
        say("log in in the window")
        return self.results[0]

    async def history(self, limit=20, *, site=None, browser=None):
        self.given = {"limit": limit, "site": site}
        return tuple(one for one in self.past if site in (None, one.request.site))[:limit]

    async def last_conversation(self, site, *, browser=None):
        found = (one for one in self.past if one.conversation_id and one.request.site == site)
        return next(found, None)

    def compare(self, answers):
        return Compared()

    def plain(self, text):
        return text.replace("*", "")

    def read_prompt(self, argument, files, context):
        parts = [argument or ""] + [one.read_text() for one in (*files, *context)]
        return "\n".join(filter(None, parts))
