"""`Hub.ask` says the right thing in every story of the lab, at every site that plays it.

Each play is one ask in a real tab under its story. The result is compared with what an ask must
come to (`EXPECTED`), the text with the lab's own, and always with the ledger: nothing is sent
twice, and what may be asked again was never taken. Asks mostly wait, so several run at once
beside the tests, and each test waits for its own. `make test` asks in each story at one of its
sites, `make soak` at all the others, and at all of them through the extension.
"""

import os
import signal
import zlib
from concurrent.futures import Future
from dataclasses import dataclass

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
from kit.carriers import AllAt, both_for_all
from kit.chromium import Aside
from kit.cited import as_read, as_told
from kit.plays import begun_plays, wanted_plays
from tabwire.hub import LocalHub
from tabwire.lab.play.play import planned, prompt_for
from tabwire.lab.play.played import letters
from tabwire.lab.serve import Lab
from tabwire.lab.stories.known import STORIES
from tabwire.lab.stories.script import text_of
from tabwire.lab.stories.steps import Fate
from tabwire.lab.stories.story import Outcome, Story
from tabwire.model.ask import Answer, AskEvent, AskRequest, TextCame
from tabwire.model.ask_errors import (
    AnswerTimedOut,
    Blocked,
    ChallengeShown,
    DialogInTheWay,
    GeminiStuckNoResponse,
    LayoutChanged,
    LimitReached,
    LoginRequired,
    SiteFailed,
)

__all__ = ["asking_home", "both_for_all"]

pytestmark = [pytest.mark.xdist_group("asking-stories"), pytest.mark.usefixtures("asking_home")]

AT_ONCE = 4  # tabs; with more, two cores are busy and pages draw late
LONG = ("gigantic",)  # five megabytes at each site: asked for by `make soak`
ASK_SECONDS = 3600  # all asks together take less
ENDLESS_SECONDS = 25.0  # --timeout where no end ever comes: the prompt has left long before
NEVER_ENDS = ("stall", "unconfirmed", "cut-for-good", "no-end-for-good")
ENDS_BROWSER = (Fate.KILL, Fate.QUIT)
PLAYS = {
    f"{site}-{story.name}": (site, story) for story in STORIES.values() for site in story.sites
}

# What an ask must come to, where that is not what the story promises to whoever only watches.
# A tuple of errors: any of them, and no answer.
COMPLETE, PARTIAL, STOPPED = "complete", "partial", "stopped_by_user"
ENDLESS = (AnswerTimedOut, GeminiStuckNoResponse)
EXPECTED = {
    # -- the answer is found by its conversation --
    "tab-crashed": COMPLETE,
    "tab-closed": COMPLETE,
    "leave": COMPLETE,
    "renamed-endpoint": COMPLETE,
    "handoff-unheard": COMPLETE,
    # -- the page let go of it, and the site has no more --
    "stopped-unsaid": STOPPED,
    # -- nothing is there to be found --
    "browser-killed": PARTIAL,
    "browser-closed": PARTIAL,
    "stall": ENDLESS,
    "unconfirmed": ENDLESS,
    # -- errors whose class the outcome does not name --
    "blocked": (Blocked,),
    "overlay": (DialogInTheWay,),
    "upsell": (DialogInTheWay,),
    "update": (DialogInTheWay,),
}
BY_OUTCOME = {
    Outcome.COMPLETE: COMPLETE,
    Outcome.PARTIAL: PARTIAL,
    Outcome.STOPPED: STOPPED,
    Outcome.LIMIT: (LimitReached,),
    Outcome.LOGIN: (LoginRequired,),
    Outcome.CHALLENGE: (ChallengeShown,),
    Outcome.ERROR: (SiteFailed,),
}
SAYS_SO = ("renamed-endpoint",)  # the answer is whole, and still something is to be said of it
MAY_STOP = {"drift-breaking": (LayoutChanged,)}  # works, or stops before anything is sent


@dataclass
class Came:
    """What came of one ask, and of looking for its answer in another browser later."""

    request: AskRequest
    result: Result
    events: list[AskEvent]
    expected_text: str
    later: Answer | None = None


def chosen(story: Story) -> str:
    """The site of `make test`: by turns, and another than in test_stories.py where it can."""
    turn = zlib.crc32(story.name.encode()) + 2
    return story.sites[turn % len(story.sites)]


def marks(site: str, story: Story):
    """What is left to `make soak`."""
    left = story.name in LONG or site != chosen(story)
    return pytest.mark.soak if left else ()


async def ask_in(lab: Lab, there: AllAt, site: str, story: Story) -> Came:
    """One ask under one story."""
    request = AskRequest(
        site,
        prompt_for(story, site),
        url=staged_url(site, f"story:{story.name}"),
        timeout_seconds=ENDLESS_SECONDS if story.name in NEVER_ENDS else 300.0,
    )
    text = "" if story.refuse else text_of(planned(request.prompt, story, site), story.script)
    if story.fate not in ENDS_BROWSER:
        async with fated(lab, there.url, request):
            (result,), events = await asked(there.url, request)
        return Came(request, result, events, text)
    async with there.own_browser(lab) as own:

        def kill() -> None:
            assert own.pid is not None
            os.kill(own.pid, signal.SIGKILL)

        async with fated(lab, own.endpoint.url, request, kill):
            (result,), events = await asked(own.endpoint.url, request)
    assert isinstance(result, Answer), in_words(result)
    later = await LocalHub().asks.fetch(result.id, browser=f"attach={there.url}")
    return Came(request, result, events, text, later)


def alone(there: AllAt) -> list[str]:
    """One relay carries all tabs: a line full of megabytes lets whatever else is said wait."""
    if there.carrier == "direct":
        return []
    return [name for name, (_site, story) in PLAYS.items() if story.name in LONG]


@pytest.fixture(scope="module")
def plays(
    request: pytest.FixtureRequest,
    aside: Aside,
    lab: Lab,
    asking_home,
    all_at: AllAt,
) -> dict[str, "Future[Came]"]:
    """Every ask that is wanted, begun."""
    wanted = wanted_plays(request, all_at)

    async def play(name: str) -> Came:
        site, story = PLAYS[name]
        return await ask_in(lab, all_at, site, story)

    return begun_plays(aside, play, wanted, at_once=AT_ONCE, alone=alone(all_at))


def faults(lab: Lab, story: Story, came: Came) -> list[str]:
    """Everything that is not as it must be, in words."""
    wanted = EXPECTED.get(story.name) or BY_OUTCOME[story.outcome]
    result, text = came.result, came.expected_text
    found = ledger_faults(lab, came.request, result)
    if isinstance(result, Answer):
        if wanted != str(result.completeness):
            found.append(f"{in_words(result)} instead of {wanted}")
        found += text_faults(result, text)
        if story.name in SAYS_SO and not result.problems:
            found.append("nothing is said of what was odd")
    elif not isinstance(result, MAY_STOP.get(story.name) or errors_of(wanted)):
        found.append(f"{in_words(result)} instead of {wanted}")
    sent = bool(prompts_in(lab, came.request.prompt))
    if not story.asks and sent:
        found.append("something was sent in a story in which nobody can ask")
    if isinstance(result, LayoutChanged | DialogInTheWay) and sent:
        found.append("something was sent although the page could not be used")
    told = told_text(came.events)
    if not as_told(came.request.site, text).startswith(told) and not story.page:
        found.append("the streamed text is not the lab's")
    if came.later is not None:
        found += text_faults(came.later, text)
        if not came.later.complete:
            found.append(f"found later: {in_words(came.later)}")
    return found


def errors_of(wanted):
    """The errors that may be; none where an answer is wanted."""
    return () if isinstance(wanted, str) else wanted


def text_faults(answer: Answer, text: str) -> list[str]:
    """The text of an answer against the lab's: whole where complete, else its beginning."""
    text = as_read(answer.site, text)
    if answer.complete:
        return [] if answer.text == text else ["complete, and not the lab's text"]
    begins = letters(text).startswith(letters(answer.text))
    return [] if begins else ["partial, and not the beginning of the lab's text"]


def told_text(events: list[AskEvent]) -> str:
    """The answer as whoever listened has it."""
    said = ""
    for one in events:
        if isinstance(one, TextCame) and not one.thinking:
            said = one.text if one.anew else said + one.text
    return said


@pytest.mark.parametrize(
    "name", [pytest.param(name, marks=marks(*play)) for name, play in PLAYS.items()]
)
@pytest.mark.rows(7, first=2)
def test_an_ask_comes_to_what_it_must_in_every_story(plays, lab, name):
    _site, story = PLAYS[name]
    came = plays[name].result(timeout=ASK_SECONDS)
    told = [str(one)[:200] for one in came.events if not isinstance(one, TextCame)]
    assert not faults(lab, story, came), (in_words(came.result), came.result, told[-14:])
