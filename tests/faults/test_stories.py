"""`watch` says the right thing in every story of the lab, at every site that plays it.

Each play is a real tab, a scripted person, and the watcher; the outcome is compared with what
the story promises, the text with the lab's own, the prompts with the ledger's. Plays mostly
wait, so several run at once beside the tests, and each test waits for its own. `make test`
plays each story at one of its sites, `make soak` at all the others, and all of them with a watcher
behind the extension.
"""

import zlib
from concurrent.futures import Future

import pytest

from kit.carriers import AllAt, both_for_all, tabs_over
from kit.chromium import Aside
from kit.plays import begun_plays, wanted_plays
from tabwire.lab.play.play import ENDS_BROWSER, play
from tabwire.lab.play.played import Played
from tabwire.lab.serve import Lab
from tabwire.lab.stories.known import STORIES

__all__ = ["both_for_all"]

pytestmark = pytest.mark.xdist_group("stories")

AT_ONCE = 5  # tabs; with more, two cores are busy and pages draw late
LONG = ("gigantic",)  # five megabytes at each site: played by `make soak`
PLAYS = {
    f"{site}-{story.name}": (site, story) for story in STORIES.values() for site in story.sites
}
PLAY_SECONDS = 3600  # all plays together take less
NOT_OVER_THE_RELAY = (
    "an extension whose browser is gone may come back for half a minute, longer than a play "
    "waits; asks wait for it (test_asking_stories.py)"
)


def chosen(story):
    """The site of `make test`: by turns, and another than in lab/test_honest.py where it can."""
    turn = zlib.crc32(story.name.encode()) + 1
    return story.sites[turn % len(story.sites)]


def marks(site, story):
    """What is left to `make soak`. In `make test` all stories are asked in, with the same eyes
    (test_asking_stories.py), so that watching alone is played in every third of them."""
    is_third = zlib.crc32(story.name[::-1].encode()) % 3 == 0
    left = story.name in LONG or site != chosen(story) or not is_third
    return pytest.mark.soak if left else ()


def is_left_out(there, name):
    """Whether a play has nothing to show over that carrier."""
    return there.carrier == "relay" and PLAYS[name][1].fate in ENDS_BROWSER


def alone(there):
    """One relay carries all tabs: a line full of megabytes lets whatever else is said wait."""
    if there.carrier == "direct":
        return ()
    return [name for name, (_site, story) in PLAYS.items() if story.name in LONG]


@pytest.fixture(scope="module")
def plays(
    request: pytest.FixtureRequest, aside: Aside, lab: Lab, all_at: AllAt
) -> dict[str, "Future[Played]"]:
    """Every play that was asked for, begun."""
    wanted = [one for one in wanted_plays(request, all_at) if not is_left_out(all_at, one)]

    async def played(name: str) -> Played:
        site, story = PLAYS[name]
        by = tabs_over if all_at.carrier == "relay" else None
        return await play(all_at.url, lab, story, site, watched_by=by)

    return begun_plays(aside, played, wanted, at_once=AT_ONCE, alone=alone(all_at))


@pytest.mark.parametrize(
    "name", [pytest.param(name, marks=marks(*play)) for name, play in PLAYS.items()]
)
@pytest.mark.rows(3, first=1)
def test_the_watcher_says_what_the_story_promises(plays, all_at, name):
    if is_left_out(all_at, name):
        pytest.skip(NOT_OVER_THE_RELAY)
    played = plays[name].result(timeout=PLAY_SECONDS)
    told = [str(one)[:200] for one in played.sightings[-12:]]
    assert played.as_promised, (played.why, told)
