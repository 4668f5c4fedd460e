"""Asks over three sites, one of three with a fault, seeded: 0 wrong, 0 foreign, 0 doubled, 0 lost.

A short run in `make test`; 200 asks in `make soak`, which goes on where a stopped run was, over
each carrier.
"""

import asyncio
import random
import secrets
from dataclasses import dataclass, field

import pytest

from kit.asking import (
    Result,
    asked,
    asking_home,
    fated,
    in_words,
    ledger_faults,
    prompts_in,
    staged_url,
)
from kit.carriers import both_carriers
from kit.cited import as_read
from tabwire.hub import LocalHub
from tabwire.lab.play.play import planned, prompt_for
from tabwire.lab.play.played import letters
from tabwire.lab.serve import Lab
from tabwire.lab.stories.known import STORIES
from tabwire.lab.stories.script import text_of
from tabwire.model.ask import Answer, AskRequest
from tabwire.model.errors import Retry
from tabwire.sites.known import SITES

__all__ = ["asking_home", "both_carriers"]

pytestmark = [
    pytest.mark.asyncio,
    pytest.mark.xdist_group("asking-soak"),
    pytest.mark.usefixtures("asking_home"),
]

FEW, MANY = 12, 200
AT_ONCE = 3
# What may befall an ask and still leave an answer to be had, and what may refuse it.
BEARABLE = (
    "cut", "no-end", "handoff-socket", "handoff-resume", "handoff-poll", "preamble", "early-hint",
    "flicker", "flash", "shrink", "toast", "swallow", "double", "late-page", "late-address",
    "transient-address", "late-message", "nameless-stop", "renamed-endpoint", "drift-cosmetic",
    "drift-structural", "in-ja", "in-ar", "odd-characters", "says-skip", "echo", "instant",
    "tab-crashed", "tab-closed", "reload-early", "reload", "reload-late", "leave", "frozen",
)  # fmt: skip
REFUSING = ("limit", "limit-until", "session-over", "challenged", "blocked", "fault", "overlay",
            "login-wall", "challenge")  # fmt: skip


@dataclass
class Tally:
    """What was not as it must be. All four stay empty."""

    wrong: list[str] = field(default_factory=list)  # complete, and not the lab's text
    foreign: list[str] = field(default_factory=list)  # words of another answer
    doubled: list[str] = field(default_factory=list)  # sent more than once
    lost: list[str] = field(default_factory=list)  # taken by the site, and no answer found

    @property
    def clean(self) -> bool:
        return not (self.wrong or self.foreign or self.doubled or self.lost)


@dataclass(frozen=True)
class Wanted:
    """One ask of a run. `story` is "" where all is well."""

    number: int
    site: str
    story: str


def drawn(seed: int, count: int) -> list[Wanted]:
    """The asks of a run: the same for the same seed, and a longer one begins like a shorter."""
    rng = random.Random(seed)
    made: list[Wanted] = []
    while len(made) < count:
        sites = rng.sample(list(SITES), len(SITES))
        troubled = rng.choice(sites)
        for site in sites:
            pool = BEARABLE if rng.random() < 0.75 else REFUSING
            story = rng.choice([name for name in pool if site in STORIES[name].sites])
            made.append(Wanted(len(made), site, story if site == troubled else ""))
    return made[:count]


async def ask_one(lab: Lab, url: str, wanted: Wanted, tally: Tally) -> None:
    """Ask, look for the answer later where that is said to help, and judge what came of it."""
    story = STORIES[wanted.story or "plain"]
    prompt = prompt_for(story, wanted.site)
    if not wanted.story:
        prompt = f"Number {secrets.token_hex(4)}.\nlab: first=0.05 every=0.01 seed={wanted.number}"
    address = staged_url(wanted.site, f"story:{wanted.story}" if wanted.story else "")
    request = AskRequest(wanted.site, prompt, url=address, timeout_seconds=120.0)
    async with fated(lab, url, request):
        (result,), _events = await asked(url, request)
    if isinstance(result, Answer) and not result.complete:
        result = await LocalHub().asks.fetch(result.id, browser=f"attach={url}")
    text = text_of(planned(prompt, story, wanted.site), story.script)
    judge(lab, wanted, request, result, text, tally)


def judge(
    lab: Lab, wanted: Wanted, request: AskRequest, result: Result, text: str, tally: Tally
) -> None:
    """Where a result belongs in the tally, if anywhere."""
    text = as_read(request.site, text)
    said = f"{wanted}: {in_words(result)}"
    entries = prompts_in(lab, request.prompt)
    if len(entries) > 1:
        tally.doubled.append(said)
    tally.wrong += [f"{said}: {fault}" for fault in ledger_faults(lab, request, result)]
    if isinstance(result, Answer):
        if result.complete and result.text != text:
            tally.wrong.append(said)
        if not letters(text).startswith(letters(result.text)):
            tally.foreign.append(said)
        if not result.complete:
            tally.lost.append(said)
    elif wanted.story not in REFUSING:
        taken = [one for one in entries if not one.refused]
        (tally.lost if taken or result.retry is not Retry.SAME else tally.wrong).append(said)


async def run(lab: Lab, url: str, asks: list[Wanted]) -> Tally:
    """Several at once."""
    tally = Tally()
    free = asyncio.Semaphore(AT_ONCE)

    async def one(wanted: Wanted) -> None:
        async with free:
            await ask_one(lab, url, wanted, tally)

    async with asyncio.TaskGroup() as group:
        for wanted in asks:
            group.create_task(one(wanted))
    return tally


async def test_a_few_asks_with_faults_among_them_come_out_right(lab, lab_browser_url, seed):
    tally = await run(lab, lab_browser_url, drawn(seed, FEW))
    assert tally.clean, tally


@pytest.mark.soak
async def test_many_asks_with_faults_among_them_come_out_right(
    lab, lab_browser_url, seed, root, request
):
    """Goes on where a stopped run was: how many were right is noted."""
    notes = root / ".soak"
    notes.mkdir(exist_ok=True)
    note = notes / f"asking-{request.node.callspec.id}-{seed}"
    right = int(note.read_text()) if note.exists() else 0
    asks = drawn(seed, MANY)
    while right < MANY:
        batch = asks[right : right + 2 * AT_ONCE]
        tally = await run(lab, lab_browser_url, batch)
        assert tally.clean, tally
        right += len(batch)
        note.write_text(str(right))
    note.unlink()
