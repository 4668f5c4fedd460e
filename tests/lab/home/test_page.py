"""The lab's own page as a person uses it: find a story, play it, see what arrives."""

import json

import pytest
import pytest_asyncio

from tabwire.lab.stories.known import STORIES
from tabwire.lab.stories.stage import DEFAULT

pytestmark = [pytest.mark.asyncio, pytest.mark.xdist_group("browser")]

READY = "document.documentElement.dataset.ready === ''"
OPENS = "[...document.querySelectorAll('[data-story=%s] a')].map((one) => one.href)"


@pytest_asyncio.fixture
async def home(lab, lab_tab):
    """Somebody before the lab's own page; what they let play is taken back."""
    person = await lab_tab(lab.home)
    await person.sees(READY)
    yield person
    lab.room.stage = DEFAULT


async def test_every_site_and_story_is_there_to_open(home):
    shown = await home.finds(
        "[...document.querySelectorAll('[data-story] .name')].map((o) => o.textContent)"
    )
    assert shown == list(STORIES)
    assert await home.finds(OPENS % "cut") == [
        "https://chatgpt.com/?lab=story:cut",
        "https://gemini.google.com/app?lab=story:cut",
        "https://grok.com/?lab=story:cut",
    ]
    assert await home.finds(OPENS % "handoff-socket") == [
        "https://chatgpt.com/?lab=story:handoff-socket"
    ]
    links = await home.finds("[...document.querySelectorAll('#sites a')].map((one) => one.href)")
    assert {"https://chatgpt.com/?lab=layout:octane", "https://grok.com/?lab=lang:ja"} <= set(links)


async def test_a_story_can_be_found_and_played_everywhere(home, lab):
    await home.writes("#find", "F23 stored later")
    visible = "[...document.querySelectorAll('[data-story]')].filter((o) => o.checkVisibility())"
    await home.sees(f"{visible}.map((one) => one.dataset.story).join() === 'no-end'")
    assert await home.finds("document.querySelector('#matching').textContent") == (
        f"1 of {len(STORIES)}"
    )
    # not by its place: the live ledger above it may push it down at any moment
    await home.finds("document.querySelector('[data-story=no-end] button').click()")
    await home.sees("document.querySelector('#now').textContent.includes('no-end')")
    assert lab.room.stage.story == "no-end"
    assert await home.finds("document.querySelector('[data-story=no-end] button').ariaPressed") == (
        "true"
    )
    await home.clicks("#now button")
    await home.sees("document.querySelector('#now').textContent.includes('as usual')")
    assert lab.room.stage.story == ""


async def test_what_arrives_is_shown_as_it_comes(home, lab):
    lab.ledger.record("grok", "c1", "The home page shows <b>this</b>", story="cut")
    await home.sees("document.querySelector('#entries li .words')?.textContent.includes('<b>this')")
    line = await home.finds("document.querySelector('#entries li .line').textContent")
    assert "Grok" in line
    assert "prompt" in line
    assert "cut" in line
    lab.ledger.record("gemini", "c2", "And the home page shows this first", refused="limit")
    await home.sees(
        "document.querySelector('#entries li').textContent.includes('refused: limit') && "
        "document.querySelector('#entries li').textContent.includes('shows this first')"
    )


async def test_a_browser_without_the_flags_is_not_sent_to_the_real_sites(lab, lab_tab):
    """Under the port's own address the names of the sites would be the real ones."""
    person = await lab_tab(f"https://127.0.0.1:{lab.port}/")
    await person.sees(READY)
    assert await person.counts("a[href]") == 0
    assert await person.counts("[data-story] a") > len(STORIES)
    assert await person.finds("document.querySelector('#blind').checkVisibility()")


async def test_no_page_of_a_site_reads_or_steers_it(lab, lab_tab):
    """Promise: prompts in the ledger are not for strangers, not even in the lab's own browser."""
    person = await lab_tab("https://chatgpt.com/")
    for path in ("ledger", "stage", "ledger/live"):
        tried = f"fetch('{lab.home}{path}').then(() => 'read', () => 'refused')"
        assert await person.finds(tried) == "refused", path
        blind = f"fetch('{lab.home}{path}', {{mode: 'no-cors'}}).then(() => 'got', () => 'refused')"
        assert await person.finds(blind) == "refused", path
    body = json.dumps({"story": "cut"})
    for kind in ("application/json", "text/plain"):
        headers = f"{{'content-type': '{kind}'}}"
        sent = f"{{method: 'POST', mode: 'no-cors', body: '{body}', headers: {headers}}}"
        await person.finds(f"fetch('{lab.home}stage', {sent}).catch(() => null).then(() => 1)")
    assert lab.room.stage == DEFAULT


@pytest.mark.parametrize("width", [360, 768, 1280])
async def test_nothing_is_cut_off_at_any_width(home, width):
    size = {"width": width, "height": 800, "deviceScaleFactor": 1, "mobile": False}
    await home.session.call("Emulation.setDeviceMetricsOverride", size)
    assert await home.finds("document.documentElement.scrollWidth <= innerWidth")
