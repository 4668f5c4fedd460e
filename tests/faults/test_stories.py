"""`watch` says the right thing in every story of the lab, at every site that plays it.

Each play is a real tab, a scripted person, and the watcher; the outcome is compared with what
the story promises, the text with the lab's own, the prompts with the ledger's. Plays mostly
wait, so several run at once beside the tests, and each test waits for its own. `make test`
plays each story at one of its sites, `make soak` at all the others.
"""

import asyncio
import zlib
from concurrent.futures import Future

import pytest

from kit.chromium import Aside
from tabwire.lab.play.play import play
from tabwire.lab.play.played import Played
from tabwire.lab.serve import Lab
from tabwire.lab.stories.known import STORIES

pytestmark = pytest.mark.xdist_group("stories")

AT_ONCE = 5  # tabs; with more, two cores are busy and pages draw late
LONG = ("gigantic",)  # five megabytes at each site: played by `make soak`
PLAYS = {
    f"{site}-{story.name}": (site, story) for story in STORIES.values() for site in story.sites
}
PLAY_SECONDS = 3600  # all plays together take less


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


@pytest.fixture(scope="module")
def plays(
    request: pytest.FixtureRequest, aside: Aside, lab: Lab, lab_browser_url: str
) -> dict[str, "Future[Played]"]:
    """Every play that was asked for, begun."""
    here = request.node.nodeid
    items = [one for one in request.session.items if one.nodeid.startswith(here)]
    wanted = [one.callspec.params["name"] for one in items if hasattr(one, "callspec")]
    free = asyncio.Semaphore(AT_ONCE)

    async def played(name: str) -> Played:
        site, story = PLAYS[name]
        async with free:
            return await play(lab_browser_url, lab, story, site)

    return {name: aside.begin(played(name)) for name in wanted}


@pytest.mark.parametrize(
    "name", [pytest.param(name, marks=marks(*play)) for name, play in PLAYS.items()]
)
def test_the_watcher_says_what_the_story_promises(plays, name):
    played = plays[name].result(timeout=PLAY_SECONDS)
    told = [str(one)[:200] for one in played.sightings[-12:]]
    assert played.as_promised, (played.why, told)
