"""Every documented wait is a bound of something, and named where it runs out."""

import re
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace

import pytest

import tabwire
from tabwire.ask import place as room
from tabwire.ask.clockwork import Stopwatch
from tabwire.ask.ear import Ear
from tabwire.ask.waits import Wait
from tabwire.ask.watch import Watch
from tabwire.browser.errors import DidNotLoad, TabDidNotOpen, TabNotResponding
from tabwire.browser.tabs import TabInfo
from tabwire.model.ask import AskRequest
from tabwire.model.ask_errors import AnswerTimedOut, WaitRanOut
from tabwire.sites.known import SITES
from tabwire.sites.page import Timings

pytestmark = pytest.mark.asyncio

SHORT = Timings(**{f"{wait.value}_seconds": 0.01 for wait in Wait})
GROK = replace(SITES["grok"], page=replace(SITES["grok"].page, timings=SHORT))
CONNECT = "hub/relays.py"  # before any site is known, so by its number alone


async def test_each_wait_is_used_somewhere():
    root = Path(tabwire.__file__).parent
    code = "".join(path.read_text() for path in (root / "ask").glob("*.py"))
    used = set(re.findall(r"Wait\.([A-Z_]+)\b", code))
    if "connect_seconds" in (root / CONNECT).read_text():
        used.add(Wait.CONNECT.name)
    assert used == {wait.name for wait in Wait}


def given(told):
    """What a flow is handed, as far as waits need it."""
    return SimpleNamespace(
        tell=lambda event: told.append(getattr(event, "why", "")),
        clock=lambda: 0.0,
        wall=lambda: 0.0,
        attempt_id="a1",
    )


@pytest.mark.parametrize("site", ["chatgpt", "grok"])
async def test_an_answer_that_does_not_begin_or_end_is_said_by_the_name_of_its_wait(site):
    """It was said of Gemini only; the person's own --timeout ends the ask."""
    told = []
    slow = replace(SITES[site], page=replace(SITES[site].page, timings=SHORT))
    request = AskRequest(site, "Why?", timeout_seconds=0.05)
    handed = given(told)
    watch = Watch(Ear("Why?"), Stopwatch(site, handed.tell, handed.clock), slow, request, handed)
    with pytest.raises(AnswerTimedOut, match="wait `answer`"):
        await watch.answer()
    assert [re.findall("wait `([a-z_]+)`", why) for why in told] == [["first_output"], ["answer"]]


class Tabs:
    """The tabs of a browser in which everything takes too long."""

    leases = SimpleNamespace(holder=lambda _target: None)

    def __init__(self, *, lets_in):
        self.lets_in = lets_in
        self.bounds = []

    async def attach(self, target, *, seconds):
        self.bounds.append(seconds)
        if not self.lets_in:
            raise TabNotResponding(target, "it was silent")
        return SimpleNamespace(healthy=self.healthy, let_go=lambda: None)

    async def healthy(self, seconds):
        self.bounds.append(seconds)
        return False

    async def list(self):
        return ()

    async def open(self, url, *, seconds):
        self.bounds.append(seconds)
        raise TabDidNotOpen(url, 2, "nothing came")


@pytest.mark.parametrize("lets_in, wait", [(False, "reuse"), (True, "health")])
async def test_a_tab_that_is_passed_over_is_said_by_the_name_of_its_wait(lets_in, wait):
    told = []
    tabs = Tabs(lets_in=lets_in)

    async def take(_target):
        return True

    info = TabInfo("T", GROK.page.home, "Grok", attached=False)
    line, hold = SimpleNamespace(tabs=tabs), SimpleNamespace(take=take)
    assert await room._taken(line, hold, info, GROK, given(told)) is None
    assert tabs.bounds == [0.01] * (1 + lets_in)
    assert [re.findall("wait `([a-z_]+)`", why) for why in told] == [[wait]]


async def test_a_new_tab_that_does_not_open_is_said_by_the_name_of_its_wait():
    tabs = Tabs(lets_in=False)

    async def preferred():
        return None

    async def saw(*_targets):
        return None

    handed = given([])
    handed.tabs = SimpleNamespace(preferred=preferred, saw=saw)
    with pytest.raises(WaitRanOut, match="wait `open`") as seen:
        await room._tab(
            GROK,
            AskRequest("grok", "Why?"),
            SimpleNamespace(tabs=tabs),
            handed,
            None,
            set(),
            ours_only=False,
        )
    assert seen.value.wait == Wait.OPEN
    assert tabs.bounds == [0.01]


async def test_what_did_not_load_says_how_long_it_had():
    assert "within 0.01 s" in str(DidNotLoad("it did not come", 0.01))
