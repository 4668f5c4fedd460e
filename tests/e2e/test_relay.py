"""Asks through the real extension: the same answers as over a debugging port, each prompt once.

All other tests of asking run over it too, in `make soak` (kit/carriers.py).
"""

import asyncio

import pytest

from kit.asking import asked, asking_home, begun, in_words, new_prompt, prompts_in
from kit.lab import Person
from tabwire.fusion.verdict import Judgement
from tabwire.hub import LocalHub
from tabwire.hub.jobs.ask_runner import AskControl
from tabwire.lab.ledger import Deed
from tabwire.lab.plan import plan_for
from tabwire.model.ask import Answer, AskRequest, Completeness, TextCame
from tabwire.monitor.sightings import Grew, Judged, Watching

__all__ = ["asking_home"]

pytestmark = [
    pytest.mark.asyncio,
    pytest.mark.xdist_group("extension"),
    pytest.mark.usefixtures("asking_home"),
]

SITES = ("chatgpt", "gemini", "grok")
SEE_SECONDS = 60.0


async def test_three_sites_are_asked_at_once_and_each_prompt_arrives_once(
    lab, relay, extension_browser_url, tmp_path
):
    """One with a file, which the browser itself reads."""
    file = tmp_path / "notes.txt"
    file.write_text("some notes")
    prompts = {site: new_prompt(seed=801, pieces=10) for site in SITES}
    files = {"grok": (str(file),)}
    requests = [AskRequest(site, prompts[site], files=files.get(site, ())) for site in SITES]
    results, _events = await asked(extension_browser_url, *requests)
    for result, prompt in zip(results, prompts.values(), strict=True):
        assert isinstance(result, Answer), in_words(result)
        assert result.completeness == "complete", in_words(result)
        assert result.text.strip() == plan_for(prompt).text.strip()
        assert len(prompts_in(lab, prompt)) == 1
    assert any(file.name in one.files for one in lab.ledger.of(Deed.UPLOAD, "grok"))
    shown = "chrome.tabs.query({active: true}).then((all) => all.map((one) => one.url ?? ''))"
    assert not any(await relay.extension.evaluate(shown)), "a tab was brought to the front"


async def test_an_answer_is_stopped_when_the_person_wants_it(lab, relay, extension_browser_url):
    prompt = new_prompt(pieces=1200, every=0.05)
    control = AskControl()
    async with begun(extension_browser_url, AskRequest("chatgpt", prompt), control=control) as ask:
        await ask.until(TextCame, lambda one: not one.thinking)
        control.stop_site()
        answer = await ask.answer()
    assert answer.completeness is Completeness.STOPPED
    assert plan_for(prompt).text.startswith(answer.text)


async def test_a_tab_the_person_offered_is_listed_and_watched(lab, relay, extension_browser_url):
    """What they ask there themselves is followed to its proven end; other tabs are not there."""
    extension, browser = relay.extension, f"attach={extension_browser_url}"
    where = {"url": "about:blank", "background": True}
    made = [await extension.line.call("Target.createTarget", where) for _ in range(2)]
    targets = [one["targetId"] for one in made]
    person = None
    for target in targets:
        how = {"targetId": target, "flatten": True}
        session = (await extension.line.call("Target.attachToTarget", how))["sessionId"]
        person = Person(extension.line.session(session), target)
        await person.goes_to("https://grok.com/")
    assert await LocalHub().browsers.tabs(browser, every=True) == ()
    await extension.offer(targets[-1])
    (row,) = await LocalHub().browsers.tabs(browser)
    assert (row.id, row.site) == (targets[-1], "grok")
    prompt = new_prompt(pieces=6)
    told, news = [], asyncio.Event()

    def hear(sighting):
        told.append(sighting)
        news.set()

    async def until(shape, fits=lambda _one: True):
        while not any(isinstance(one, shape) and fits(one) for one in told):
            news.clear()
            await news.wait()

    async with asyncio.timeout(SEE_SECONDS), asyncio.TaskGroup() as group:
        watching = group.create_task(LocalHub().browsers.watch(row.id, hear, browser=browser))
        await until(Watching)
        await person.writes("textarea, [contenteditable='true']", prompt)
        await person.presses("Enter")
        await until(Judged, lambda one: one.verdict.judgement is Judgement.COMPLETE)
        watching.cancel()
    assert "".join(one.text for one in told if isinstance(one, Grew) and not one.thinking)
    assert len(prompts_in(lab, prompt)) == 1
    for target in targets:
        await extension.line.call("Target.closeTarget", {"targetId": target})
