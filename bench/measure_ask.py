"""Asking: what it costs over doing it by hand, from the prompt to the delivered answer.

In real tabs of the lab's replicas, with the line and the store open, as in a hub that runs:
neither the start of a process nor the way to the browser is counted.

1. By hand and by `ask` in turns, in the same tab at its start page: from the prompt being given
   to the lab having it. By hand is raw CDP without any check (ask_person.py).
2. In the same asks: from the browser's own time of the last byte to the answer being delivered,
   with all on disk; against the same to the watcher's verdict.
3. A long prompt composed and verified against a short one, in turns.
4. Three sites at once against the slowest of them alone, through `Hub.ask`.
"""

import asyncio
import time
from itertools import count
from statistics import median

from bench.ask_bed import Asked, Bed, bed, opened, warm
from bench.ask_person import ask_by_hand
from bench.table import Row, meets
from tabwire.asking.composer import Draft, compose, fill
from tabwire.asking.ear import Ear
from tabwire.asking.page_readiness import ready
from tabwire.asking.tab import placed
from tabwire.browser.tab import Tab
from tabwire.hub import LocalHub
from tabwire.lab.plan import plan_for
from tabwire.model.ask import Answer, AskRequest
from tabwire.sites.known import SITES
from tabwire.sites.site import Site

ROUNDS = 7  # asks by hand and by us at each site
COMPOSED = 5  # times each length at each site
TOGETHER = 3  # rounds of three alone and three at once
ALL_SECONDS = 1200.0

QUICK = "lab: pieces=8 every=0.02 first=0.05 think=0 seed={}"
USUAL = "lab: pieces=80 every=0.05 first=0.3 think=2 seed={}"  # four seconds: a short answer
QUICK_SECONDS = 0.5  # until such an answer is over

LENGTHS = ((1_000, 13), (100_000, 1_250))  # characters, lines
WORDS = "every line of this prompt is as long as all the others and says the same again "

_seeds = count(1)


def measure() -> list[Row]:
    """All of it; some minutes."""
    return asyncio.run(_all())


async def _all() -> list[Row]:
    async with asyncio.timeout(ALL_SECONDS), bed() as here:
        rows: list[Row] = []
        asked: list[Asked] = []
        for site in SITES.values():
            tab = await opened(here, site)
            by_hand, by_us = await _in_turns(here, site, tab)
            asked += by_us
            rows.append(_to_the_request(site, by_hand, [one.left - one.given for one in by_us]))
            rows.append(await _composing(here, site, tab))
        rows.append(_to_the_answer(asked))
        rows.append(await _at_once(here))
        return rows


# --- by hand and by us ---------------------------------------------------------------------


async def _in_turns(here: Bed, site: Site, tab: Tab) -> tuple[list[float], list[Asked]]:
    """Seconds to the request by hand, and our asks, each in the same warm tab."""
    by_hand, by_us = [], []
    for turn in range(ROUNDS + 1):
        await warm(tab, site)
        prompt = QUICK.format(next(_seeds))
        began = time.monotonic()
        await ask_by_hand(here.line, tab.target, site, prompt)
        took = await here.until_left(prompt) - began
        await asyncio.sleep(QUICK_SECONDS)
        await warm(tab, site)
        prompt = QUICK.format(next(_seeds))
        asked = await here.ask(site, prompt)
        assert asked.answer is not None
        assert asked.answer.text == plan_for(prompt).text, "an answer that is wrong is not fast"
        if turn:  # the first one fills caches
            by_hand.append(took)
            by_us.append(asked)
    return by_hand, by_us


def _to_the_request(site: Site, by_hand: list[float], by_us: list[float]) -> Row:
    name = f"ask {site.name}, warm tab, open line: prompt given to sent, ms over doing it by hand"
    return _over(name, median(by_us), median(by_hand), "<= 400")


def _to_the_answer(asked: list[Asked]) -> Row:
    delivered = median(one.delivered - one.ended for one in asked)
    judged = median(one.judged - one.ended for one in asked)
    more = median(one.delivered - one.judged for one in asked)
    row = _over(
        "end of answer to answer delivered, ms over the watcher", delivered, judged, "<= 10"
    )
    # the two medians may be of different answers: what is judged is the excess in each
    return Row(
        row.name, row.value, "ms", row.baseline, more * 1000, row.goal, meets(more * 1000, row.goal)
    )


def _over(name: str, seconds: float, baseline: float, goal: str) -> Row:
    """A row that judges the difference, in milliseconds."""
    more = (seconds - baseline) * 1000
    return Row(name, seconds * 1000, "ms", baseline * 1000, more, goal, meets(more, goal))


# --- composing -----------------------------------------------------------------------------


async def _composing(here: Bed, site: Site, tab: Tab) -> Row:
    """A short and a long prompt in turns, each in a page just loaded, as asks find it."""
    times: list[list[float]] = [[] for _ in LENGTHS]
    for turn in range(COMPOSED + 1):
        for kept, (characters, lines) in zip(times, LENGTHS, strict=True):
            await warm(tab, site)
            took = await _compose(here, site, prompt_of(characters, lines))
            if turn:
                kept.append(took)
    short, long = map(median, times)
    ratio = long / short
    name = f"compose {LENGTHS[1][0]:,} characters at {site.name}, against {LENGTHS[0][0]:,}"
    return Row(name, long * 1000, "ms", short * 1000, ratio, "<= 10", meets(ratio, "<= 10"))


async def _compose(here: Bed, site: Site, prompt: str) -> float:
    """Until the text stands there, was read back, and Send is awake. It is not sent."""
    request, ear = AskRequest(site.name, prompt), Ear(prompt)
    given = await here.given(request, lambda _event: None)
    draft = Draft(given, prompt)
    async with placed(here.line, site, request, given, ear) as place:
        layout = await ready(place, site, request)
        async with place.page.focused():
            began = time.monotonic()
            by_key = await compose(place, site, layout, prompt, draft, files=False)
            took = time.monotonic() - began
            await fill(place, site, layout, "")
    assert not by_key, "Send was not found"
    return took


def prompt_of(characters: int, lines: int) -> str:
    """A text of exactly so many characters in so many lines, no two of them the same."""
    each, rest = divmod(characters - (lines - 1), lines)
    widths = [each] * (lines - 1) + [each + rest]
    said = (
        f"{number:05} {WORDS * (1 + width // len(WORDS))}" for number, width in enumerate(widths)
    )
    return "\n".join(f"{text[: width - 1]}." for text, width in zip(said, widths, strict=True))


# --- three at once -------------------------------------------------------------------------


async def _at_once(here: Bed) -> Row:
    """Through the whole hub: the store is opened and the browser reached each time."""
    pairs = []
    for turn in range(TOGETHER + 1):
        alone = max([await _asked(here, name) for name in SITES])
        together = await _asked(here, *SITES)
        if turn:
            pairs.append((together, alone))
    together, alone = sorted(pairs, key=lambda pair: pair[0] / pair[1])[len(pairs) // 2]
    ratio = together / alone
    name = "three sites at once, against the slowest of them alone"
    return Row(name, together, "s", alone, ratio, "<= 1.15", meets(ratio, "<= 1.15"))


async def _asked(here: Bed, *names: str) -> float:
    requests = [AskRequest(name, USUAL.format(next(_seeds))) for name in names]
    began = time.monotonic()
    results = await LocalHub().asks.ask(requests, lambda _event: None, browser=here.browser)
    took = time.monotonic() - began
    for request, result in zip(requests, results, strict=True):
        assert isinstance(result, Answer), f"{request.site}: {result}"
        assert result.text == plan_for(request.prompt).text
    return took
