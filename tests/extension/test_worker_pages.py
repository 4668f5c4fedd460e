"""What pages say on its way through the worker: in order, once, bounded, and only where wanted.

The pages here are a scripted side of the port, run in the extension's own isolated world of a
replica's page; what the real script does is in test_channel.py.
"""

import asyncio
import json
import secrets

import pytest

from kit.lab import SEE_SECONDS
from kit.scripted_hub import scripted_hub

pytestmark = [pytest.mark.asyncio, pytest.mark.xdist_group("extension")]

OPEN = """(() => {
  const port = chrome.runtime.connect({name: "page"});
  globalThis.spoken ??= {heard: []};
  spoken.port = port;
  port.onMessage.addListener((said) => spoken.heard.push(said));
  spoken.hello = {t: "hello", page: PAGE, site: "grok", url: location.href, title: "x"};
  port.postMessage(spoken.hello);
})()"""


class Page:
    """A replica's page, in our isolated world."""

    def __init__(self, session, context):
        self._session = session
        self._context = context
        self.name = f"p-{secrets.token_hex(4)}"  # the worker remembers those that closed

    async def runs(self, expression):
        how = {"expression": expression, "awaitPromise": True, "returnByValue": True}
        said = await self._session.call("Runtime.evaluate", {**how, "contextId": self._context})
        assert "exceptionDetails" not in said, said
        return said["result"].get("value")

    async def opens(self, name=None):
        await self.runs(OPEN.replace("PAGE", json.dumps(name or self.name)))

    async def says(self, *messages):
        """Each a number and what is said."""
        for k, message in messages:
            said = json.dumps({"t": "say", "k": k, "message": message})
            await self.runs(f"spoken.port.postMessage({said})")

    async def hears(self, **wanted):
        """Wait until the port has brought such a thing."""
        fits = json.dumps(wanted)
        return await self.runs(
            f"""new Promise((done) => {{ const look = () => {{
              const found = spoken.heard.find((one) => Object.entries({fits}).every(
                ([name, value]) => one[name] === value));
              found ? done(found) : setTimeout(look, 20); }}; look(); }})"""
        )


@pytest.fixture
def page_of(extension):
    async def opened(hub, url="https://grok.com/"):
        made = await hub.ask("tabs.create", url=url, client="a test")
        await hub.event("tab.changed", tab=made["tab"], title="Grok")
        how = {"targetId": made["target"], "flatten": True}
        found = await extension.line.call("Target.attachToTarget", how)
        session = extension.line.session(found["sessionId"])
        with session.subscribe(["Runtime.executionContextCreated"]) as created:
            await session.call("Runtime.enable")
            async with asyncio.timeout(SEE_SECONDS):
                async for event in created:
                    context = event.read()["context"]
                    if context["auxData"]["type"] == "isolated" and context["name"] == "Tabwire":
                        return Page(session, context["id"])
        raise AssertionError("our script is not in the page")

    return opened


def said_in(hub, name):
    said = [one for one in hub.events if one.get("page") == name and "message" in one]
    return [one["message"]["at"] for one in said]


async def test_what_a_page_says_arrives_in_order_and_is_confirmed(extension, page_of):
    async with scripted_hub() as hub:
        await extension.join(hub)
        page = await page_of(hub)
        await page.opens()
        opened = await hub.event("page.opened", page=page.name)
        assert (opened["site"], opened["url"]) == ("grok", "https://grok.com/")
        assert (await page.hears(t="line", connected=True))["on"]
        await page.says(*((k, {"kind": "visible", "at": k}) for k in range(1, 6)))
        await page.hears(t="taken", k=5)
        assert said_in(hub, page.name) == [1, 2, 3, 4, 5]
        await hub.ask("page.tell", page=page.name, message={"kind": "state"})
        await page.hears(t="tell")
        await page.runs("spoken.port.disconnect()")
        await hub.event("page.closed", page=page.name)


async def test_on_a_new_port_a_page_is_heard_from_its_beginning(extension, page_of):
    """The hub took it for closed and forgot it; by the numbers it knows what it has heard."""
    async with scripted_hub() as hub:
        await extension.join(hub)
        page = await page_of(hub)
        await page.opens()
        await page.says((1, {"kind": "visible", "at": 1}), (2, {"kind": "visible", "at": 2}))
        await page.says((2, {"kind": "visible", "at": 2}))
        await page.hears(t="taken", k=2)
        since = len(hub.events)
        await page.runs("spoken.port.disconnect(), spoken.heard.length = 0")
        await page.opens()
        await page.says(*((k, {"kind": "visible", "at": k}) for k in (1, 2, 3)))
        await page.hears(t="taken", k=3)
        told = [one for one in hub.events[since:] if one.get("page") == page.name]
        assert [one["on"] for one in told] == ["page.closed", "page.opened", *["page.said"] * 3]
        assert [one["k"] for one in told[2:]] == [1, 2, 3]
        assert said_in(hub, page.name) == [1, 2, 1, 2, 3]


async def test_what_is_said_while_the_hub_is_away_waits_for_it(extension, page_of):
    """And for one that knows nothing of before: it hears of the page first."""
    async with scripted_hub() as hub:
        await extension.join(hub)
        page = await page_of(hub)
        hub.acks = False  # of its first introduction it is not known whether it arrived
        await page.opens()
        await hub.event("page.opened", page=page.name)
        await extension.evaluate(
            "tabwire.keepLocal({port: 9}).then(() => void tabwire.line.redial())"
        )
        await page.hears(t="line", connected=False)
        await page.says((1, {"kind": "visible", "at": 1}), (2, {"kind": "visible", "at": 2}))
        hub.acks = True
        hub.forget()
        since = len(hub.events)
        await extension.point_at(hub.port)
        await page.hears(t="again")
        await page.says((3, {"kind": "visible", "at": 3}))  # it had not heard that yet
        await page.runs("spoken.port.postMessage({...spoken.hello, again: true, asks: true})")
        await page.says(*((k, {"kind": "visible", "at": k}) for k in (1, 2, 3)))
        await hub.until(lambda one: one.get("message", {}).get("at") == 3, since)
        told = [one for one in hub.events[since:] if one.get("page") == page.name]
        assert [one["on"] for one in told] == ["page.opened", *["page.said"] * 3]
        assert (told[0]["again"], told[0]["asks"]) == (True, True)
        await page.hears(t="taken", k=3)


async def test_without_room_a_page_is_told_and_says_it_again_in_order(extension, page_of):
    async with scripted_hub() as hub:
        await extension.join(hub)
        page = await page_of(hub)
        await page.opens()
        await hub.event("page.opened", page=page.name)
        await extension.evaluate("tabwire.LIMITS.replay = 2000")
        hub.acks = False
        await page.says((1, {"kind": "visible", "at": 1, "data": "x" * 1500}))
        await page.says((2, {"kind": "visible", "at": 2, "data": "x" * 1500}))
        await page.hears(t="refused", k=2)
        await page.says((3, {"kind": "visible", "at": 3}))
        hub.acks = True
        hub.say({"ack": hub.highest})
        await page.hears(t="taken", k=1)
        await page.says((2, {"kind": "visible", "at": 2}), (3, {"kind": "visible", "at": 3}))
        await page.hears(t="taken", k=3)
        await extension.evaluate("tabwire.LIMITS.replay = 16 * 1024 * 1024")
        assert said_in(hub, page.name) == [1, 2, 3]


async def test_switched_off_a_page_is_told_and_nothing_leaves_it(extension, page_of):
    async with scripted_hub() as hub:
        await extension.join(hub)
        page = await page_of(hub)
        await page.opens()
        await extension.says(what="switch", site="grok", on=False)
        await page.hears(t="line", on=False)
        await page.says((1, {"kind": "visible", "at": 1}))
        await page.hears(t="taken", k=1)
        assert said_in(hub, page.name) == []


async def test_nobody_speaks_under_another_tabs_name(extension, page_of):
    async with scripted_hub() as hub:
        await extension.join(hub)
        page, other = await page_of(hub), await page_of(hub)
        await page.opens()
        await other.opens(page.name)
        await other.says((1, {"kind": "visible", "at": 66}))
        await other.opens()
        await other.says((1, {"kind": "visible", "at": 2}))
        await other.hears(t="taken", k=1)
        assert said_in(hub, page.name) == []
        assert said_in(hub, other.name) == [2]


async def test_where_the_hub_has_its_hands_or_the_person_hides_it_no_control_is_shown(
    extension, page_of
):
    async with scripted_hub() as hub:
        await extension.join(hub)
        page = await page_of(hub)
        await page.opens()
        assert (await page.hears(t="line", connected=True))["shown"]
        tab = (await hub.event("page.opened", page=page.name))["tab"]
        await hub.ask("debugger.attach", tab=tab)
        assert not (await page.hears(t="line", used=True))["shown"]
        await page.runs("spoken.heard.length = 0")
        await hub.ask("debugger.detach", tab=tab)
        assert (await page.hears(t="line", used=False))["shown"]
        await page.runs("spoken.port.postMessage({t: 'hide'})")
        await page.hears(t="line", used=False, shown=False)
        await extension.says(what="show", site="grok", on=True)


async def test_an_open_page_wakes_a_worker_that_was_ended(extension, page_of):
    """F08: its own script opens its port anew; no debugger is there to do it."""
    async with scripted_hub() as hub:
        await extension.join(hub)
        await page_of(hub)
        page = (await hub.event("page.opened"))["page"]
        since = len(hub.events)
        await extension.stop_worker()
        await hub.joined(2)
        opened = await hub.event("page.opened", since, page=page)
        assert (opened["site"], opened["again"], opened["asks"]) == ("grok", True, False)


async def test_a_worker_that_was_just_woken_never_says_that_it_is_not_paired(extension, page_of):
    """Nor that a site is on which is switched off: it waits until it has read what it kept."""
    async with scripted_hub() as hub:
        await extension.join(hub)
        page = await page_of(hub)
        await page.opens()
        await page.hears(t="line", connected=True)
        await extension.says(what="switch", site="grok", on=False)
        await page.hears(t="line", on=False)
        await extension.stop_worker()
        await page.runs("spoken.heard.length = 0")
        await page.opens()
        await page.hears(t="line", connected=True)
        lines = await page.runs("spoken.heard.filter((one) => one.t === 'line')")
        await extension.says(what="switch", site="grok", on=True)
        assert {(one["paired"], one["on"]) for one in lines} == {(True, False)}


async def test_what_a_page_did_to_us_is_in_the_status_as_long_as_it_is_open(extension, page_of):
    """For the popup. Another worker hears it again, from the page; made up words are not taken."""
    async with scripted_hub() as hub:
        await extension.join(hub)
        page = await page_of(hub)
        await page.opens()
        await page.hears(t="line", connected=True)
        for what in ("removed", "removed", "<b>", 7):
            said = json.dumps({"t": "trouble", "what": what})
            await page.runs(f"spoken.port.postMessage({said})")
        await page.says((1, {"kind": "visible", "at": 1}))
        await page.hears(t="taken", k=1)
        told = await extension.says(what="status")
        assert [(one["site"], one["what"]) for one in told["troubles"]] == [("grok", "removed")]
        assert [one for one in told["events"] if one["what"] == "trouble"][-1]["kind"] == "removed"
        await page.runs("spoken.port.disconnect()")
        await hub.event("page.closed", page=page.name)
        assert (await extension.says(what="status"))["troubles"] == []
