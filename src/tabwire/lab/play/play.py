"""One story in one tab, from its first page to what came out of it.

    played = await play(url, lab, STORIES["cut"], "chatgpt")
    assert played.as_promised, played.why

The tab is opened under the story, a watcher follows it as `tabwire watch` does, the scripted
person asks, the hand does what the story's fate wants. It is over when the watcher has said
what the story promises and did not take it back, or when there was time enough to say it.
"""

import asyncio
import os
import secrets
import signal
import time
from collections.abc import Callable
from contextlib import AbstractAsyncContextManager, nullcontext, suppress

from tabwire.browser.find import find_browser, this_machine
from tabwire.browser.launch import Launch, Launched, launched
from tabwire.browser.tab import Tab
from tabwire.browser.tabs import Tabs
from tabwire.cdp.connection import Connection
from tabwire.cdp.websocket import connect
from tabwire.lab.plan import Plan, plan_for, plan_in_story
from tabwire.lab.play.hand import Hand, hands_of
from tabwire.lab.play.person import Arrivals, send
from tabwire.lab.play.played import Played, faults, outcome_of, told_text, verdicts
from tabwire.lab.serve import Lab
from tabwire.lab.stories.known import STORIES
from tabwire.lab.stories.script import cues, text_of
from tabwire.lab.stories.stage import DEFAULT, Stage, stage_from, staged
from tabwire.lab.stories.steps import Fate, Pause
from tabwire.lab.stories.story import Outcome, Story
from tabwire.model.errors import TabwireError
from tabwire.monitor import sightings as told
from tabwire.monitor.follow import follow
from tabwire.monitor.sightings import Sighting
from tabwire.sites.known import SITES
from tabwire.sites.site import Site

ENDS_BROWSER = (Fate.KILL, Fate.QUIT)
PATIENCE_SECONDS = 20.0  # beyond the story itself: for re-reads, and for a slow machine
SLOW = 50_000  # characters a second: what a busy machine draws and reads of a very long answer
OPEN_SECONDS = 20.0  # until the tab is followed
QUIET_SECONDS = 1.5  # after its last word, in a story that never comes to an end
LINGER_SECONDS = 0.4  # after what was promised: it may be taken back
PAUSE_SECONDS = 2.0  # all pauses of a story together take no longer
QUICK_EVERY, SLOW_EVERY = 0.02, 0.08  # seconds between two pieces
OWN_PACE = ("gigantic",)  # kinds of answers that come as fast as they must

Tell = Callable[[Sighting], None]
Reach = Callable[[str], AbstractAsyncContextManager[Tabs]]


async def play(
    url: str | None,
    lab: Lab,
    story: Story | str,
    site: str,
    *,
    stage: str = "",
    prompt: str | None = None,
    tell: Tell | None = None,
    patience: float = PATIENCE_SECONDS,
    watched_by: Reach | None = None,
) -> Played:
    """Play a story at a site; what came of it.

    `url` is the DevTools address of a browser that sees the lab. Without one a headless browser
    is started for it, and always for stories that end the browser: nobody else's is ended.
    `stage` says more of the page (`layout:octane,lang:ja`), `prompt` what is asked instead of
    the story's own prompt, `tell` hears each sighting as it comes. `watched_by` is how the watcher
    reaches the browser, if not by the same socket as the person and the hand.
    """
    chosen = STORIES[story] if isinstance(story, str) else story
    play_one = _Play(lab, chosen, site, stage, prompt, tell, patience, watched_by)
    if url is not None and chosen.fate not in ENDS_BROWSER:
        return await play_one.at(url)
    wish = Launch(find_browser(this_machine()), more_flags=lab.flags)
    async with launched(wish) as own:
        return await play_one.at(own.endpoint.url, own)


class _Play:
    """One play under way."""

    def __init__(
        self,
        lab: Lab,
        story: Story,
        site: str,
        stage: str,
        prompt: str | None,
        tell: Tell | None,
        patience: float,
        watched_by: Reach | None,
    ) -> None:
        self._lab = lab
        self._story = story
        self._site: Site = SITES[site]
        self._said = ",".join(filter(None, (f"story:{story.name}", stage)))
        self._stage: Stage = staged(stage_from(stage, DEFAULT), story.stage)
        self._prompt = prompt_for(story, site) if prompt is None else prompt
        self._plan = planned(self._prompt, story, site)
        self._expected = "" if story.refuse else text_of(self._plan, story.script)
        self._tell = tell
        self._patience = patience
        self._watched_by = watched_by
        self._told: list[Sighting] = []
        self._news = asyncio.Event()
        self._hindered = ""

    async def at(self, url: str, own: Launched | None = None) -> Played:
        """Play it in this browser."""
        began, first = time.monotonic(), len(self._lab.ledger.entries)
        async with Connection(await connect(url)) as line:
            tabs = Tabs(line)
            await tabs.discover()
            async with self._watched_by(url) if self._watched_by else nullcontext(tabs) as theirs:
                tab = await theirs.open(self._address)
                hand = await tabs.attach(tab.target)
                try:
                    await self._watched(tabs, tab, hand, own)
                finally:
                    if line.gone is None:
                        with suppress(TabwireError):  # closed by the story itself
                            await tabs.close(tab.target)
        entries = self._lab.ledger.entries[first:]
        found = faults(self._story, self._prompt, self._expected, self._told, entries)
        if self._hindered and self._story.asks:
            found.insert(0, f"the question could not be asked: {self._hindered}")
        all_of_them = verdicts(self._told)
        return Played(
            self._story,
            self._site.name,
            self._prompt,
            outcome_of(self._told),
            all_of_them[-1] if all_of_them else None,
            tuple(self._told),
            tuple(one for one in entries if one.site == self._site.name),
            self._expected,
            "; ".join(found),
            self._hindered,
            time.monotonic() - began,
        )

    @property
    def _address(self) -> str:
        return f"{self._site.page.home}?lab={self._said}"

    async def _watched(self, tabs: Tabs, tab: Tab, hand: Tab, own: Launched | None) -> None:
        doer = Hand(tabs, hand, self._site.page, self._address, lambda: _kill(own))
        arrived = Arrivals(self._prompt)
        async with asyncio.TaskGroup() as group:
            watching = group.create_task(follow(tab, self._site, self._hear))
            working = group.create_task(doer.work())
            with (
                arrived.heard(self._lab.ledger),
                hands_of(self._lab.room).at(self._prompt, doer.befall),
            ):
                await self._until(self._is_watched, OPEN_SECONDS)
                await self._act(hand, arrived)
                if not (self._hindered and self._story.asks):
                    await self._until(self._is_settled, self._limit)
                await self._linger()
            watching.cancel()
            working.cancel()

    async def _act(self, hand: Tab, arrived: Arrivals) -> None:
        """Ask. Where nobody can, try where there is something to try, and keep what hinders."""
        drifted = not self._stage.drift.startswith("none")
        if self._story.asks or self._story.outcome is Outcome.NOTHING:
            try:
                await send(hand, self._site, self._prompt, arrived, drifted=drifted)
            except TabwireError as exc:
                self._hindered = str(exc)

    @property
    def _limit(self) -> float:
        told = seconds_of(self._plan, self._story)
        return told + len(self._expected) / SLOW + self._patience

    def _is_watched(self) -> bool:
        return any(isinstance(one, told.Watching) for one in self._told)

    def _is_settled(self) -> bool:
        """Whether the watcher said what is promised, or all there is to say was said."""
        if self._story.outcome is not Outcome.NOTHING:
            return outcome_of(self._told) is self._story.outcome
        return not self._story.asks or told_text(self._told) == self._expected

    async def _linger(self) -> None:
        if self._story.outcome is Outcome.NOTHING:
            await asyncio.sleep(QUIET_SECONDS)
        else:
            await asyncio.sleep(LINGER_SECONDS)

    def _hear(self, sighting: Sighting) -> None:
        self._told.append(sighting)
        # growth alone settles nothing but a story without an end; a long answer has much of it
        if self._story.outcome is Outcome.NOTHING or not isinstance(sighting, told.Grew):
            self._news.set()
        if self._tell is not None:
            self._tell(sighting)

    async def _until(self, fits: Callable[[], bool], seconds: float) -> None:
        """Wait until it is so, looked at with every sighting, or the time is over."""
        with suppress(TimeoutError):
            async with asyncio.timeout(seconds):
                while not fits():
                    self._news.clear()
                    await self._news.wait()


def _kill(own: Launched | None) -> None:
    """End a browser of our own at once, as the system does when memory runs out."""
    if own is not None and own.pid is not None:
        os.kill(own.pid, getattr(signal, "SIGKILL", signal.SIGTERM))


def prompt_for(story: Story, site: str) -> str:
    """A question nobody has asked before, with the line that directs its answer.

    The line chooses the story and makes its pauses shorter; the order of things stays as it is.
    A story in which the page or a hand has something to do is told more slowly, so that there is
    an answer under way to do it to.
    """
    pauses = sum(step.seconds for step in story.script if isinstance(step, Pause))
    words = [f"story={story.name}", "first=0.1"]
    if pauses > PAUSE_SECONDS:
        words.append(f"pace={pauses / PAUSE_SECONDS:g}")
    if story.answer not in OWN_PACE:
        words.append(f"every={SLOW_EVERY if story.page or story.fate else QUICK_EVERY}")
    question = f"What is the result of “{story.name}” at {site}, number {secrets.token_hex(4)}?"
    return f"{question}\nlab: {' '.join(words)}"


def planned(prompt: str, story: Story, site: str = "chatgpt") -> Plan:
    """The plan of this prompt's answer, as the lab makes it at a site."""
    return plan_in_story(plan_for(prompt), story, prompt, site)


def seconds_of(plan: Plan, story: Story) -> float:
    """How long the whole story takes, from Send to its last word."""
    seconds = sum(cue.after for cue in cues(plan, story.script))
    return seconds + sum(one.seconds * one.times * 2 for one in story.page)
