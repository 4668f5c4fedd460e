"""Asks through the hub in a real browser, and what the lab received of them.

    async with begun(url, AskRequest("grok", prompt)) as ask:
        await ask.until(TextCame)
        ...                            # cut, kill, reload, close the tab, type in it
        answer = await ask.result()
    assert len(prompts_in(lab, prompt)) == 1

Nothing here polls: `until` is woken by each event of the ask. The home of the asks is what
TABWIRE_HOME says; the fixture `asking_home` makes one for a file of tests.
"""

import asyncio
import os
import secrets
from collections.abc import AsyncIterator, Callable, Iterator, Sequence
from contextlib import asynccontextmanager, contextmanager, suppress
from pathlib import Path
from typing import Any, TypeVar

import pytest

from kit.chromium import connect_to
from tabwire.browser.tab import Tab
from tabwire.browser.tabs import TabInfo, Tabs
from tabwire.hub import LocalHub
from tabwire.lab.ledger import Entry
from tabwire.lab.play.hand import Hand, hands_of
from tabwire.lab.serve import Lab
from tabwire.lab.stories.stage import stage_from
from tabwire.lab.stories.steps import Fate
from tabwire.model.ask import Answer, AskEvent, AskRequest, TextCame
from tabwire.model.ask_errors import AskError
from tabwire.model.errors import Retry
from tabwire.sites.known import SITES

E = TypeVar("E")

SEE_SECONDS = 60.0  # an ask with all its waits, on a busy machine
Result = Answer | AskError
Heard = Callable[[AskEvent], None]


@pytest.fixture(scope="module")
def asking_home(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """A home of its own for the asks of one file, in which nobody has asked anything yet."""
    with home_at(tmp_path_factory.mktemp("home")) as home:
        yield home


@contextmanager
def home_at(folder: Path) -> Iterator[Path]:
    """Tabwire's home is here for the length of a block."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("TABWIRE_HOME", str(folder))
        yield folder


def new_prompt(question: str = "What comes of this?", told: str = "", **more: Any) -> str:
    """A question nobody has asked before; `told` and `more` direct the lab's answer."""
    named = {"first": 0.05, "every": 0.02, **more}
    words = " ".join([told, *(f"{name}={said}" for name, said in named.items())]).strip()
    return f"{question} Number {secrets.token_hex(4)}.\nlab: {words}"


def staged_url(site: str, words: str) -> str:
    """The start page of a site under a stage, at an address no other tab has."""
    mark = f"upload_seconds:0.3{secrets.randbelow(10**9):09}"
    return f"{SITES[site].page.home}?lab={','.join(filter(None, (words, mark)))}"


async def asked(
    url: str, *requests: AskRequest, tell: Heard | None = None, again: bool = False
) -> tuple[tuple[Result, ...], list[AskEvent]]:
    """Ask all at once in this browser; the results in order, and everything that was told."""
    events: list[AskEvent] = []

    def hear(event: AskEvent) -> None:
        events.append(event)
        if tell is not None:
            tell(event)

    results = await LocalHub().asks.ask(requests, hear, browser=f"attach={url}", again=again)
    return results, events


async def answered(url: str, request: AskRequest) -> Answer:
    """Ask one, and have an answer."""
    ((result,), _events) = await asked(url, request)
    assert isinstance(result, Answer), in_words(result)
    return result


class Asking:
    """Asks under way. `until` waits for one of their events."""

    def __init__(self) -> None:
        self.events: list[AskEvent] = []
        self.task: asyncio.Task[tuple[Result, ...]] | None = None
        self._news = asyncio.Event()

    def hear(self, event: AskEvent) -> None:
        """Take one event."""
        self.events.append(event)
        self._news.set()

    def wake(self) -> None:
        """Whoever waits looks again."""
        self._news.set()

    async def until(
        self,
        shape: type[E],
        fits: Callable[[E], bool] = lambda _one: True,
        *,
        seconds: float = SEE_SECONDS,
    ) -> E:
        """The first event of this kind that fits, waited for if need be."""
        assert self.task is not None
        try:
            async with asyncio.timeout(seconds):
                while True:
                    self._news.clear()
                    for one in self.events:
                        if isinstance(one, shape) and fits(one):
                            return one
                    assert not self.task.done(), f"it ended before: {self.story()}"
                    await self._news.wait()
        except TimeoutError:
            raise AssertionError(f"no such {shape.__name__} in {self.story()}") from None

    async def results(self, seconds: float = SEE_SECONDS) -> tuple[Result, ...]:
        """What came of all, in order."""
        assert self.task is not None
        try:
            async with asyncio.timeout(seconds):
                return await asyncio.shield(self.task)
        except TimeoutError:
            raise AssertionError(f"not over after {seconds} s: {self.story()}") from None

    async def result(self, seconds: float = SEE_SECONDS) -> Result:
        """What came of the only one."""
        (one,) = await self.results(seconds)
        return one

    async def answer(self, seconds: float = SEE_SECONDS) -> Answer:
        """The answer of the only one."""
        one = await self.result(seconds)
        assert isinstance(one, Answer), (in_words(one), self.story())
        return one

    def text(self, site: str | None = None) -> str:
        """The answer as whoever listens has it."""
        said = ""
        for one in self.events:
            if isinstance(one, TextCame) and not one.thinking and site in (None, one.site):
                said = one.text if one.anew else said + one.text
        return said

    def story(self) -> list[str]:
        """What was told, in short, for a failing test."""
        return [str(one)[:160] for one in self.events if not isinstance(one, TextCame)][-25:]


@asynccontextmanager
async def begun(
    url: str, *requests: AskRequest, again: bool = False, control: Any = None
) -> AsyncIterator[Asking]:
    """Asks under way, for the length of a block. Those not over at its end are cancelled."""
    asking = Asking()
    work = LocalHub().asks.ask(
        requests, asking.hear, browser=f"attach={url}", again=again, control=control
    )
    async with asyncio.TaskGroup() as group:
        asking.task = group.create_task(work)
        # whoever waits for an event learns also that there will be none
        asking.task.add_done_callback(lambda _task: asking.wake())
        try:
            yield asking
        finally:
            asking.task.cancel()


# --- a hand of somebody else in the same browser -------------------------------------------------


@asynccontextmanager
async def tabs_of(url: str) -> AsyncIterator[Tabs]:
    """The tabs of a browser, over a line of our own."""
    async with await connect_to(url) as line:
        tabs = Tabs(line)
        await tabs.discover()
        yield tabs


async def tab_where(
    tabs: Tabs, fits: Callable[[TabInfo], bool], *, seconds: float = SEE_SECONDS
) -> Tab:
    """Attach to the first tab that fits, waited for if need be: an address is told late."""
    news = ["Target.targetCreated", "Target.targetInfoChanged"]
    try:
        async with asyncio.timeout(seconds):
            with tabs.connection.subscribe(news) as changes:
                while True:
                    found = [info for info in await tabs.list() if fits(info)]
                    if found:
                        return await tabs.attach(found[0].target)
                    await anext(aiter(changes))
    except TimeoutError:
        raise AssertionError(f"no such tab: {[one.url for one in tabs.known]}") from None


@asynccontextmanager
async def fated(
    lab: Lab, url: str, request: AskRequest, kill: Callable[[], None] = lambda: None
) -> AsyncIterator[None]:
    """Do to the tab of this ask what its story wants, for the length of a block.

    The tab is known by its address: the request's own, from `staged_url`.
    """
    assert request.url is not None
    words = request.url.partition("?")[2]
    fates: asyncio.Queue[Fate] = asyncio.Queue()
    loop = asyncio.get_running_loop()

    def befall(fate: Fate) -> None:
        with suppress(RuntimeError):  # the ask is over, and its loop closed
            loop.call_soon_threadsafe(fates.put_nowait, fate)

    async def work() -> None:
        fate = await fates.get()
        async with tabs_of(url) as tabs:
            tab = await tab_where(tabs, lambda info: words in info.url)
            hand = Hand(tabs, tab, SITES[request.site].page, request.url or "", kill)
            hand.befall(fate)
            await hand.work()

    with hands_of(lab.room).at(request.prompt, befall):
        async with asyncio.TaskGroup() as group:
            task = group.create_task(work())
            try:
                yield
            finally:
                task.cancel()


@contextmanager
def lab_stage(lab: Lab, words: str) -> Iterator[None]:
    """Every page that is loaded inside the block is on this stage, whatever its address."""
    before = lab.room.stage
    lab.room.stage = stage_from(words, before)
    try:
        yield
    finally:
        lab.room.stage = before


# --- what the lab received -----------------------------------------------------------------------


def prompts_in(lab: Lab, prompt: str) -> tuple[Entry, ...]:
    """How often this prompt came to the lab, refused or not, to the letter."""
    return tuple(entry for entry in lab.ledger.asked() if entry.prompt == prompt)


def ledger_faults(lab: Lab, request: AskRequest, result: Result) -> list[str]:
    """What the ledger says against a result, in words: nothing is ever sent twice, an answer
    was asked for, and what may be asked again was never taken."""
    entries = prompts_in(lab, request.prompt)
    taken = [entry for entry in entries if not entry.refused]
    found = []
    if len(entries) > 1:
        found.append(f"the prompt is in the ledger {len(entries)} times")
    if isinstance(result, Answer) and not entries:
        found.append("there is an answer to what was never asked")
    if not isinstance(result, Answer) and result.retry is Retry.SAME and taken:
        found.append(f"{result.code} says SAME, and the site has taken the prompt")
    return found


def in_words(result: Result) -> str:
    """A result in short, for a failing test."""
    if isinstance(result, Answer):
        return f"{result.completeness} ({result.why}), {len(result.text)} characters"
    return f"{type(result).__name__}: {result} ({result.retry})"


def environment(home: Path) -> dict[str, str]:
    """For a process of its own that has its home here."""
    return {**os.environ, "TABWIRE_HOME": str(home)}


def all_once(lab: Lab, prompts: Sequence[str]) -> bool:
    """Whether each of these came exactly once."""
    return all(len(prompts_in(lab, prompt)) == 1 for prompt in prompts)
