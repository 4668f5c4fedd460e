"""What the hub may do with the browser through the extension, and what it may not."""

import asyncio
import json
import re
from urllib.parse import urlsplit
from urllib.request import urlopen

import pytest

from kit.extension import FOLDER
from kit.scripted_hub import Refusal, scripted_hub
from tabwire.model.extension import EXTENSION_ID

pytestmark = [pytest.mark.asyncio, pytest.mark.xdist_group("extension")]

COMMAND = re.compile(r'"([A-Z]\w+\.[a-z]\w+)"')
STOOD_IN_FOR = {  # by cdp/relay, for the browser as a whole
    "Browser.close",
    "Browser.getVersion",
    "Target.attachToTarget",
    "Target.closeTarget",
    "Target.createTarget",
    "Target.detachFromTarget",
    "Target.getTargets",
    "Target.setDiscoverTargets",
}


async def refused(hub, verb, **given):
    with pytest.raises(Refusal) as caught:
        await hub.ask(verb, **given)
    return caught.value.code


def commands_of(url):
    """Every command this browser knows; its events have names of the same form."""
    with urlopen(f"http://{urlsplit(url).netloc}/json/protocol") as said:
        domains = json.load(said)["domains"]
    return {f"{one['domain']}.{cmd['name']}" for one in domains for cmd in one["commands"]}


async def test_the_list_of_commands_is_exactly_what_python_uses(root, extension_browser_url):
    source = root / "src" / "tabwire"
    used = set()
    for path in source.rglob("*.py"):
        if "lab" not in path.relative_to(source).parts:
            used |= set(COMMAND.findall(path.read_text()))
    commands = used & await asyncio.to_thread(commands_of, extension_browser_url)
    entry = re.compile(r'^  "(\w+\.\w+)": (?:true|false),$', re.MULTILINE)
    listed = set(entry.findall((FOLDER / "worker" / "verbs.js").read_text()))
    assert listed == commands - STOOD_IN_FOR


async def test_a_tab_is_opened_behind_in_a_group_of_its_client_and_closed(extension):
    async with scripted_hub() as hub:
        await extension.join(hub)
        one = await hub.ask("tabs.create", url="about:blank", client="a client")
        other = await hub.ask("tabs.create", url="https://grok.com/", client="a client")
        groups = await extension.evaluate(
            f"""Promise.all([{one["tab"]}, {other["tab"]}].map((tab) => chrome.tabs.get(tab)))
              .then(async (all) => [all.map((one) => [one.groupId === all[0].groupId, one.active]),
                (await chrome.tabGroups.get(all[0].groupId)).title])"""
        )
        assert groups == [[[True, False], [True, False]], "Tabwire · a client"]
        listed = await hub.ask("tabs.list")
        assert [(tab["tab"], tab["opened"]) for tab in listed] == [
            (one["tab"], True),
            (other["tab"], True),
        ]
        await hub.ask("tabs.close", tab=one["tab"])
        await hub.event("tab.gone", tab=one["tab"])
        await hub.ask("getVersion")
        assert not [event for event in hub.events if event.get("on") == "tab.withdrawn"]


async def test_two_opened_at_once_share_their_group(extension):
    async with scripted_hub() as hub:
        await extension.join(hub)
        begun = [hub.begin("tabs.create", url="about:blank", client="both") for _ in range(10)]
        for one in begun:
            await one
        assert (
            await extension.evaluate(
                "chrome.tabGroups.query({title: 'Tabwire · both'}).then((all) => all.length)"
            )
            == 1
        )


async def test_out_of_its_group_a_tab_is_no_longer_ours(extension):
    async with scripted_hub() as hub:
        await extension.join(hub)
        made = await hub.ask("tabs.create", url="https://grok.com/", client="a client")
        await hub.ask("debugger.attach", tab=made["tab"])
        await extension.evaluate(f"chrome.tabs.ungroup({made['tab']})")
        await hub.event("tab.withdrawn", tab=made["tab"])
        await hub.event("debugger.detached", tab=made["tab"], reason="ours")
        assert await hub.ask("tabs.list") == []
        how = {"method": "Page.reload", "params": {}}
        assert await refused(hub, "debugger.send", tab=made["tab"], **how) == -32001
        assert await refused(hub, "tabs.close", tab=made["tab"]) == -32001
        await extension.evaluate(f"chrome.tabs.remove({made['tab']})")


async def test_a_persons_tab_is_used_only_when_offered(extension):
    async with scripted_hub() as hub:
        await extension.join(hub)
        tab = await extension.evaluate(
            "chrome.tabs.create({url: 'https://grok.com/', active: false}).then((one) => one.id)"
        )
        assert await refused(hub, "debugger.attach", tab=tab) == -32001
        await extension.evaluate(
            f"""new Promise((done) => {{ const look = () => chrome.tabs.get({tab}).then((one) =>
              one.url ? done() : setTimeout(look, 20)); look(); }})"""
        )
        assert await extension.says(what="offer", tab=tab, on=True) == {"ok": True}
        assert (await hub.event("tab.changed", tab=tab))["offered"]
        await hub.ask("debugger.attach", tab=tab)
        assert await refused(hub, "tabs.close", tab=tab) == -32001
        await extension.says(what="offer", tab=tab, on=False)
        await hub.event("tab.withdrawn", tab=tab)
        assert await refused(hub, "debugger.attach", tab=tab) == -32001
        await extension.evaluate(f"chrome.tabs.remove({tab})")


async def test_what_is_not_listed_is_not_done(extension):
    async with scripted_hub() as hub:
        await extension.join(hub)
        made = await hub.ask("tabs.create", url="https://grok.com/", client="a client")
        tab = made["tab"]
        await hub.ask("debugger.attach", tab=tab)
        send = {"tab": tab, "params": {}}
        cases = [
            (await refused(hub, "tabs.query"), -32601),
            (await refused(hub, "constructor"), -32601),
            (await refused(hub, "tabs.create", url="https://example.org/", client="x"), -32003),
            (await refused(hub, "tabs.create", url="file:///etc/passwd", client="x"), -32003),
            (await refused(hub, "tabs.create", url="http://grok.com/", client="x"), -32003),
            (await refused(hub, "tabs.create", url="about:blank", client=""), -32602),
            (await refused(hub, "tabs.reread", url="https://x.com/i/grok"), -32602),
            (await refused(hub, "debugger.send", method="Network.getCookies", **send), -32003),
            (await refused(hub, "debugger.send", method="Storage.getCookies", **send), -32003),
            (await refused(hub, "debugger.send", method="constructor", **send), -32003),
            (await refused(hub, "debugger.send", tab=1, method="Page.enable"), -32001),
            (await refused(hub, "page.tell", page="nobody", message={}), -32001),
        ]
        for url in (
            "https://example.org/",
            "javascript:alert(1)",
            "https://grok.com.evil.example/",
        ):
            how = {"tab": tab, "method": "Page.navigate", "params": {"url": url}}
            cases.append((await refused(hub, "debugger.send", **how), -32003))
        assert [one for one, _ in cases] == [wanted for _, wanted in cases]


async def test_a_page_elsewhere_in_our_tab_is_closed_to_the_hub(extension):
    """Where it went is told, as far as its origin: a login's address may hold secrets."""
    async with scripted_hub() as hub:
        await extension.join(hub)
        made = await hub.ask("tabs.create", url="https://grok.com/", client="a client")
        tab = made["tab"]
        await hub.ask("debugger.attach", tab=tab)
        for method in ("Page.enable", "Network.enable"):
            await hub.ask("debugger.send", tab=tab, method=method, params={})
        since = len(hub.events)
        await extension.evaluate(
            f"chrome.tabs.update({tab}, {{url: 'https://x.com/i/grok?key=1'}})"
        )

        def moved(event):
            return event.get("method") == "Page.frameNavigated" and "x.com" in str(event)

        event = await hub.until(moved, since)
        assert event["params"]["frame"]["url"] == "https://x.com/"
        how = {"method": "Runtime.evaluate", "params": {"expression": "document.cookie"}}
        assert await refused(hub, "debugger.send", tab=tab, **how) == -32003
        after = hub.events[hub.events.index(event) + 1 :]
        assert not [one for one in after if str(one.get("method")).startswith("Network.")]
        assert "key=1" not in json.dumps([one for one in after if one.get("on") == "tab.changed"])
        go = {"method": "Page.navigate", "params": {"url": "https://grok.com/"}}
        since = len(hub.events)
        await hub.ask("debugger.send", tab=tab, **go)
        await hub.until(lambda one: one.get("method") == "Page.frameNavigated", since)
        await hub.ask("debugger.send", tab=tab, method="Page.getFrameTree", params={})


async def test_who_ended_the_debugging_is_not_overruled(extension):
    async with scripted_hub() as hub:
        await extension.join(hub)
        tab = (await hub.ask("tabs.create", url="https://grok.com/", client="a client"))["tab"]
        await hub.ask("debugger.attach", tab=tab)
        # as Chrome tells it when a person presses Cancel in its bar
        await extension.evaluate(
            f"""chrome.debugger.detach({{tabId: {tab}}}).then(() =>
              tabwire.debug.wasDetached({{tabId: {tab}}}, "canceled_by_user"))"""
        )
        await hub.event("debugger.detached", tab=tab, reason="canceled_by_user")
        assert await refused(hub, "debugger.attach", tab=tab) == -32003
        await extension.says(what="offer", tab=tab, on=True)
        await hub.ask("debugger.attach", tab=tab)


async def test_switched_off_nothing_is_done_and_the_debugger_lets_go(extension):
    async with scripted_hub() as hub:
        await extension.join(hub)
        tab = (await hub.ask("tabs.create", url="https://grok.com/", client="a client"))["tab"]
        await hub.ask("debugger.attach", tab=tab)
        await extension.says(what="switch", on=False)
        await hub.event("debugger.detached", tab=tab)
        await hub.event("switched", enabled=False)
        assert await refused(hub, "debugger.attach", tab=tab) == -32004
        assert await refused(hub, "tabs.create", url="about:blank", client="x") == -32004
        assert (await hub.ask("getVersion"))["version"]
        await extension.says(what="switch", on=True)
        await extension.says(what="switch", site="grok", on=False)
        assert await refused(hub, "debugger.attach", tab=tab) == -32004
        assert (await hub.ask("tabs.create", url="https://gemini.google.com/app", client="x"))[
            "tab"
        ]


async def test_the_report_has_no_address_title_or_key(extension):
    async with scripted_hub() as hub:
        await extension.join(hub)
        await hub.ask("tabs.create", url="https://grok.com/?q=secret-words", client="a client")
        await hub.ask("notice", kind="a kind", text="secret-words")
        said = json.dumps(await extension.says(what="report"))
        install = hub.hellos[-1]["install"]
        for hidden in ("secret-words", "https://", install, hub.id, "a client"):
            assert hidden not in said
        assert len(said) < 20_000


async def test_the_id_of_the_manifest_is_the_one_the_hub_expects(extension):
    assert await extension.evaluate("chrome.runtime.id") == EXTENSION_ID


# --- the dashboard -------------------------------------------------------------------------------


async def addresses(extension, part):
    found = (await extension.line.call("Target.getTargets"))["targetInfos"]
    return [one["url"] for one in found if part in one["url"]]


async def test_a_ticket_opens_the_dashboard_for_whoever_asked_and_only_at_our_own_port(extension):
    ticket = "T" * 43
    async with scripted_hub() as hub:
        await extension.join(hub)
        opened = f"http://127.0.0.1:{hub.port}/dashboard/enter/"
        assert await refused(hub, "dashboard", ask="x", ticket=ticket) == -32003, "nobody asked"
        async with extension.worker() as worker:
            say = "chrome.tabs.create = (how) => (globalThis.made ??= []).push(how.url)"
            await worker.call("Runtime.evaluate", {"expression": say})
        async with extension.page("manifest.json") as page:
            expression = "chrome.runtime.sendMessage({what: 'dashboard'})"
            how = {"expression": expression, "awaitPromise": True, "returnByValue": True}
            waiting = asyncio.get_running_loop().create_task(page.call("Runtime.evaluate", how))
            ask = (await hub.event("dashboard"))["ask"]
            for wrong in (
                {"ask": "another", "ticket": ticket},
                {"ask": ask, "ticket": "../../evil"},
                {"ask": ask, "ticket": "@evil.example/"},
                {"ask": ask, "ticket": "short"},
                {"ask": ask, "ticket": "T" * 500},
                {"ask": ask, "ticket": ticket + "?x=1"},
            ):
                assert await refused(hub, "dashboard", **wrong) == -32003, wrong
            for nonsense in ({"ask": ask}, {"ask": ask, "ticket": 1}, {}):
                assert await refused(hub, "dashboard", **nonsense) == -32602
            url = {"ask": ask, "ticket": ticket, "url": "https://evil.example/"}
            assert await hub.ask("dashboard", **url) is None
            assert (await waiting)["result"]["value"] == {"ok": True}
            assert await refused(hub, "dashboard", ask=ask, ticket=ticket) == -32003, "once"
        assert await extension.evaluate("globalThis.made") == [f"{opened}{ticket}"]
    await extension.reload()
    await extension.started()


async def test_a_hub_that_does_not_know_of_a_dashboard_is_not_waited_for(extension):
    async with scripted_hub() as hub:
        await extension.join(hub)
        await extension.evaluate("void (tabwire.TIMES.answer = 50)")
        assert await extension.says(what="dashboard") == {"ok": False, "why": "silent"}
        hub.cut()
        await extension.evaluate("void (tabwire.TIMES.answer = 5000)")
    await extension.point_at(9)
    said = await extension.says(what="dashboard")
    assert said == {"ok": False, "why": "away"}
