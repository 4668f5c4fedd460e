"""All of it: a replica's page, the hook, the isolated script, the real worker, and a hub."""

import base64
import uuid

import pytest

from extension.control_seen import Control
from extension.page_lab import Tabs
from extension.test_control import STATE
from kit.eyes import Eyes
from kit.lab import Person
from kit.scripted_hub import scripted_hub
from lab.test_honest import address, exchange_of

pytestmark = [pytest.mark.asyncio, pytest.mark.xdist_group("extension")]


async def test_an_answer_is_whole_at_the_hub_though_the_worker_dies_in_its_middle(extension, lab):
    async with scripted_hub() as hub:
        await extension.join(hub)
        tabs = Tabs(extension.line, stub=None)
        session = await tabs.open("about:blank")
        person = Person(session, tabs.opened[0])
        await person.goes_to(address("grok"))
        eyes = await Eyes.open(person)
        prompt = f"A person asks {uuid.uuid4().hex}\nlab: pieces=60 every=0.05 first=0.02 chars=9"
        await eyes.ask(prompt)

        def first(event):
            said = event.get("message", {})
            return said.get("kind") == "sent" and "/conversations/new" in said["url"]

        sent = await hub.until(first)
        attempt, page = sent["message"]["attempt"], sent["page"]

        def kind(name):
            return lambda event: (
                event.get("message", {}).get("attempt") == attempt
                and (event["message"]["kind"] == name)
            )

        await hub.until(kind("bytes"))
        await extension.stop_worker()
        await eyes.over()
        end = await hub.until(kind("ended"))
        pieces = {}
        for event in hub.events:
            if kind("bytes")(event):
                data = base64.b64decode(event["message"]["data"])
                assert pieces.setdefault(event["message"]["seq"], data) == data
        ((_, body),) = eyes.wire()
        assert (end["message"]["how"], sorted(pieces)) == (
            "whole",
            list(range(end["message"]["seqs"])),
        )
        assert b"".join(pieces[seq] for seq in sorted(pieces)) == body
        await eyes.sees(exchange_of(lab, prompt).plan.text)
        control = Control(session)
        await control.lives("completed")
        assert (await control.part(".save"))["off"]
        await hub.ask("page.tell", page=page, message={**STATE, "attempt": attempt})
        await control.until(".save", "(one) => !one.disabled")
        await control.click(".save")
        await hub.until(lambda event: event.get("message", {}).get("kind") == "save")
        await extension.line.call("Target.closeTarget", {"targetId": tabs.opened[0]})


async def test_the_real_worker_keeps_what_is_hidden_and_tells_every_page(extension, lab):
    tabs = Tabs(extension.line, stub=None)  # the real one works here
    one, other = [await tabs.open("https://grok.com/") for _ in range(2)]
    await Control(one).lives("idle")
    await Control(other).lives("idle")
    await Control(one).click(".hide")
    await Control(other).until(".box", "(one) => one.hidden")
    assert await extension.evaluate("tabwire.local.hidden") == {"grok": True}
    assert await extension.says(what="show", site="grok", on=True) == {"ok": True}
    await Control(other).until(".box", "(one) => !one.hidden")
    for target in tabs.opened:
        await extension.line.call("Target.closeTarget", {"targetId": target})
