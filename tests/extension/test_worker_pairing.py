"""Pairing, and who is refused: the real extension before a scripted hub."""

import asyncio

import pytest

from kit.scripted_hub import scripted_hub
from kit.turns import by_turns

pytestmark = [pytest.mark.asyncio, pytest.mark.xdist_group("extension")]

SEE_SECONDS = 60.0


async def phase_is(extension, wanted):
    """Wait until the worker says so of itself."""
    watched = (
        "new Promise((done) => { const look = () => { if (tabwire.line.phase === WANTED) done();"
        " else setTimeout(look, 20); }; look(); })"
    )
    async with asyncio.timeout(SEE_SECONDS):
        await extension.evaluate(watched.replace("WANTED", f"'{wanted}'"))


async def connect_pages(extension):
    """How many connect pages are open."""
    found = await extension.line.call("Target.getTargets")
    return sum(one["url"].endswith("/ui/connect.html") for one in found["targetInfos"])


async def close_connect_pages(extension):
    for one in (await extension.line.call("Target.getTargets"))["targetInfos"]:
        if one["url"].endswith("/ui/connect.html"):
            await extension.line.call("Target.closeTarget", {"targetId": one["targetId"]})


async def test_a_code_pairs_once_and_the_key_proves_it_from_then_on(extension):
    async with scripted_hub() as hub:
        hub.code = "ABCD-2345"
        await extension.point_at(hub.port)
        answer = await extension.says(what="pair", code="abcd 2345")
        assert answer["ok"], answer
        await hub.joined()
        install = hub.hellos[-1]["install"]
        assert len(hub.keys[install]) == 32
        hub.code = None
        hub.cut()
        await hub.joined(2)
        assert hub.hellos[-1]["paired"] == hub.id
        assert (await extension.says(what="status"))["connected"]
        await close_connect_pages(extension)


async def test_a_wrong_code_is_refused_and_said(extension):
    async with scripted_hub() as hub:
        hub.code = "ABCD-2345"
        await extension.point_at(hub.port)
        answer = await extension.says(what="pair", code="WXYZ-9999")
        assert (answer["ok"], answer["why"]) == (False, "key")
        assert hub.keys == {}
        assert (await extension.says(what="pair", code="ABCD2345"))["ok"]
        await close_connect_pages(extension)


async def test_a_hub_without_the_key_is_told_nothing(extension):
    async with scripted_hub() as hub:
        key = bytes(32)
        hub.keys[await extension.know(hub.id, key)] = key
        hub.impostor = True
        await extension.point_at(hub.port)
        await hub.greeted(1)
        await phase_is(extension, "away")
        status = await extension.says(what="status")
        assert status["trouble"]["why"] == "impostor"
        assert not hub.ready.is_set()
        assert hub.events == []


async def test_the_connect_page_opens_once_for_each_hub_behind_what_the_person_does(extension):
    async with scripted_hub() as hub:
        await extension.point_at(hub.port)
        await phase_is(extension, "pairing")
        in_front = """new Promise((done) => { const look = async () => {
          const all = await chrome.runtime.getContexts({contextTypes: ["TAB"]});
          const page = all.find((one) => one.documentUrl.includes("connect"));
          page ? done((await chrome.tabs.get(page.tabId)).active) : setTimeout(look, 20);
          }; look(); })"""
        assert await extension.evaluate(in_front) is False
        await close_connect_pages(extension)
        await extension.point_at(hub.port)
        await hub.greeted(2)
        await phase_is(extension, "pairing")
        await extension.says(what="status")
        assert await connect_pages(extension) == 0


async def test_a_hub_that_ran_before_the_browser_opens_no_connect_page(extension):
    """Else every start of the browser brings a page nobody asked for (seed 001, section 11.3)."""
    await extension.evaluate("tabwire.line.redial().then(() => true)")  # no dial is left to come
    await extension.evaluate("void tabwire.keepSession({browserStartedAt: 2000})")
    dials = "tabwire.keepLocal({port: PORT}).then(() => void tabwire.line.dial())"
    async with scripted_hub() as hub:
        hub.discovery = {"wsUrl": "…", "startedAt": 1000}
        await extension.evaluate(dials.replace("PORT", str(hub.port)))
        await phase_is(extension, "pairing")
        await extension.says(what="status")
        assert await connect_pages(extension) == 0
    async with scripted_hub() as anew:
        anew.discovery = {"wsUrl": "…", "startedAt": 3000}
        await extension.evaluate("tabwire.line.redial().then(() => true)")
        await extension.evaluate(dials.replace("PORT", str(anew.port)))
        await phase_is(extension, "pairing")
        there = """new Promise((done) => { const look = async () => {
          const all = await chrome.runtime.getContexts({contextTypes: ["TAB"]});
          const open = all.some((one) => one.documentUrl.includes("connect"));
          open ? done(true) : setTimeout(look, 20);
          }; look(); })"""
        assert await extension.evaluate(there)
        await close_connect_pages(extension)


@pytest.mark.parametrize("why", by_turns("refusals", ["busy", "protocol", "locked", "off"]))
async def test_a_refusal_is_kept_for_the_person_and_not_asked_about_again_at_once(extension, why):
    async with scripted_hub() as hub:
        hub.refusal = {"why": why, "message": "Because.", "what_to_do": "This."}
        await extension.point_at(hub.port)
        await hub.greeted(1)
        await phase_is(extension, "away")
        trouble = await extension.evaluate("tabwire.line.trouble")
        assert trouble == {"ok": False, "why": why, "message": "Because.", "what_to_do": "This."}


async def test_unpairing_forgets_the_key(extension):
    async with scripted_hub() as hub:
        await extension.join(hub)
        await extension.says(what="unpair")
        assert await extension.evaluate(f"tabwire.secrets.findKey('{hub.id}')") is None
        assert (await extension.says(what="status"))["paired"] is None
        hello = await hub.greeted(2)
        assert hello["paired"] is None


async def test_a_web_page_is_not_answered(extension, lab):
    """Not even by the script of ours in it: who asks is what Chrome says."""
    async with scripted_hub() as hub:
        await extension.join(hub)
        made = await hub.ask("tabs.create", url="https://grok.com/", client="a test")
        await hub.event("tab.changed", tab=made["tab"], title="Grok")
        ask = """chrome.runtime ? chrome.runtime.sendMessage({what: "status"}).then(
          (said) => said ?? "nothing", () => "nothing") : "nothing" """
        found = await extension.line.call(
            "Target.attachToTarget", {"targetId": made["target"], "flatten": True}
        )
        page = extension.line.session(found["sessionId"])
        contexts = []
        with page.subscribe(["Runtime.executionContextCreated"]) as created:
            await page.call("Runtime.enable")
            async with asyncio.timeout(SEE_SECONDS):
                async for event in created:
                    contexts.append(event.read()["context"])
                    if contexts[-1]["auxData"]["type"] == "isolated" and "Tabwire" in str(
                        contexts[-1]["name"]
                    ):
                        break
        how = {"expression": ask, "awaitPromise": True, "returnByValue": True}
        for context in contexts:
            said = await page.call("Runtime.evaluate", {**how, "contextId": context["id"]})
            assert said["result"].get("value") == "nothing", context
