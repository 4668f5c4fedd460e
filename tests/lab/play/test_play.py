"""A story played in a real tab. All stories are in tests/faults/test_stories.py; here is how."""

from dataclasses import replace

import pytest

from tabwire.lab.play.hand import Hands, hands_of
from tabwire.lab.play.play import play
from tabwire.lab.room import Exchange, Room
from tabwire.lab.stories.known import STORIES
from tabwire.lab.stories.steps import Fate
from tabwire.lab.stories.story import Outcome
from tabwire.monitor import sightings as told

pytestmark = [pytest.mark.asyncio, pytest.mark.xdist_group("browser")]


async def test_a_plain_answer_comes_out_complete_and_is_told_live(lab, lab_browser_url):
    heard = []
    played = await play(lab_browser_url, lab, "plain", "chatgpt", tell=heard.append)
    assert played.as_promised, played.why
    assert played.outcome is Outcome.COMPLETE
    assert played.verdict.text == played.expected_text
    assert played.prompt in [entry.prompt for entry in played.entries]
    assert tuple(heard) == played.sightings
    last = [one for one in heard if not isinstance(one, told.Listed)][-1]  # read at any time
    assert isinstance(last, told.Judged | told.Witnessed | told.StateMoved | told.Ready)


async def test_an_outcome_that_was_not_promised_is_said(lab, lab_browser_url):
    """The judge itself can fail: the same play, measured by another promise."""
    other = replace(STORIES["plain"], outcome=Outcome.LIMIT)
    played = await play(lab_browser_url, lab, other, "chatgpt", patience=0.5)
    assert not played.as_promised
    assert "complete instead of limit" in played.why


async def test_what_befalls_the_tab_is_done_to_it(lab, lab_browser_url):
    played = await play(lab_browser_url, lab, "tab-closed", "chatgpt")
    assert played.as_promised, played.why
    (befell,) = (one for one in played.sightings if isinstance(one, told.Befell) and one.over)
    assert befell.what == "closed"
    assert 0 < len(played.verdict.text) < len(played.expected_text)


async def test_a_browser_that_is_ended_is_never_the_one_given(lab, lab_browser_url):
    played = await play(lab_browser_url, lab, "browser-killed", "chatgpt")
    assert played.as_promised, played.why
    again = await play(lab_browser_url, lab, "instant", "chatgpt")
    assert again.as_promised, again.why


async def test_a_prompt_of_ones_own_is_asked_as_it_is(lab, lab_browser_url):
    prompt = "My own words in a play\nlab: pieces=5 every=0.01 first=0.01"
    played = await play(lab_browser_url, lab, "plain", "chatgpt", prompt=prompt)
    assert played.as_promised, played.why
    assert played.prompt == prompt
    assert len(played.verdict.text) == 60


async def test_each_prompt_has_its_own_hand():
    room, mine, others = Room(), [], []
    hands = hands_of(room)
    assert hands_of(room) is hands
    assert isinstance(room.on_fate, Hands)
    plan = room.plan_for("mine")
    with hands.at("mine", mine.append), hands.at("others", others.append):
        room.on_fate("grok", Exchange("mine", plan), Fate.CLOSE)
        room.on_fate("grok", Exchange("nobody's", plan), Fate.CRASH)
    room.on_fate("grok", Exchange("mine", plan), Fate.KILL)
    assert (mine, others) == ([Fate.CLOSE], [])
