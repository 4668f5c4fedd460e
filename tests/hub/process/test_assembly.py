"""A whole hub in this process, with a real browser and the lab's sites."""

import asyncio

import pytest

from kit.asking import home_at, new_prompt, prompts_in
from tabwire.config.settings import settings
from tabwire.hub.process.assembly import running_hub
from tabwire.lab.plan import plan_for
from tabwire.model.ask import AskRequest, Completeness, TextCame
from tabwire.model.job import Asker, Door, JobState
from tabwire.sites.known import SITES

pytestmark = [pytest.mark.asyncio, pytest.mark.xdist_group("asking-doors")]

ASK_SECONDS = 90.0  # an ask with all its waits, on a busy machine
ME = Asker("agent-1", Door.MCP)


@pytest.fixture
def home(tmp_path):
    with home_at(tmp_path / "home") as home:
        yield home


@pytest.fixture
def now(home, lab_browser_url):
    return settings(browser=f"attach={lab_browser_url}")


def right(lab, job):
    assert job.state is JobState.COMPLETED, job.error
    assert job.answer.complete
    assert job.answer.text == plan_for(job.request.prompt).text
    assert len(prompts_in(lab, job.request.prompt)) == 1


async def test_several_agents_ask_several_sites_over_one_line(lab, now):
    requests = [AskRequest(site, new_prompt(pieces=10)) for site in SITES]
    async with running_hub(now) as hub:
        ids = []
        for number, request in enumerate(requests):
            asker = Asker(f"agent-{number}", Door.MCP)
            ids += [job.id for job in await hub.jobs.submit([request], asker)]
        jobs = await hub.jobs.wait(ids, ASK_SECONDS)
        for job in jobs:
            right(lab, job)
        assert [job.request for job in jobs] == requests
        # a question in the same chat goes on there
        (first,) = [job for job in jobs if job.request.site == "chatgpt"]
        more = AskRequest("chatgpt", new_prompt("And then?"), conversation_id=first.conversation_id)
        (second,) = await hub.jobs.submit([more], ME)
        (second,) = await hub.jobs.wait([second.id], ASK_SECONDS)
        right(lab, second)
        assert second.conversation_id == first.conversation_id
        # tabs are looked at over the same line: this browser is not asked for twice
        assert len(await hub.browsers.tabs()) >= 3
    async with running_hub(now) as hub:  # all is there in the next
        assert [job.id for job in await hub.jobs.recent()] == [second.id, *reversed(ids)]


async def test_each_agent_has_a_tab_of_its_own_that_it_comes_back_to(lab, now):
    async def ask(hub, *agents):
        ids = []
        for agent in agents:
            request = AskRequest("grok", new_prompt(pieces=5))
            ids += [job.id for job in await hub.jobs.submit([request], Asker(agent, Door.MCP))]
        for job in await hub.jobs.wait(ids, ASK_SECONDS):
            right(lab, job)
            async for _news in hub.jobs.news(job.id):
                pass  # until nothing more happens to it: its tab is kept by then
        return [(await hub.sessions.session(agent)).chat("grok").tab for agent in agents]

    async with running_hub(now, durable=False) as hub:
        first, second = await ask(hub, "a", "b")  # at once: two tabs
        assert first != second
        for agent, tab in (("b", second), ("a", first), ("a", first), ("b", second)):
            assert await ask(hub, agent) == [tab]


async def test_a_hub_that_is_stopped_while_it_writes_is_gone_on_with(lab, now):
    prompt = new_prompt(seed=500, pieces=60, every=0.03)
    async with running_hub(now) as hub:
        (job,) = await hub.jobs.submit([AskRequest("grok", prompt)], ME)
        async for news in hub.jobs.news(job.id):
            if isinstance(news.event, TextCame):
                break
    async with running_hub(now) as hub:
        (job,) = await hub.jobs.wait([job.id], ASK_SECONDS)
        right(lab, job)
        assert hub.jobs.under_way <= 1


async def test_stop_is_pressed_at_the_site(lab, now):
    prompt = new_prompt(seed=500, pieces=2000, every=0.05)
    async with running_hub(now, durable=False) as hub:
        (job,) = await hub.jobs.submit([AskRequest("chatgpt", prompt)], ME)
        async with asyncio.timeout(ASK_SECONDS):
            async for news in hub.jobs.news(job.id):
                if isinstance(news.event, TextCame):
                    break
        await hub.jobs.stop(job.id)
        (job,) = await hub.jobs.wait([job.id], ASK_SECONDS)
    assert job.state is JobState.COMPLETED, job.error
    assert job.answer.completeness is Completeness.STOPPED
    assert plan_for(prompt).text.startswith(job.answer.text[:20])


async def test_without_a_browser_a_person_is_asked_for_one(home):
    async with running_hub(settings(browser="attach=http://127.0.0.1:9"), durable=False) as hub:
        (job,) = await hub.jobs.submit([AskRequest("grok", "Why?")], ME)
        (job,) = await hub.jobs.wait([job.id], ASK_SECONDS)
    assert (job.state, job.error.code) == (JobState.INPUT_REQUIRED, "no_browser")
    assert job.error.what_to_do
