"""The hook at the lab's replicas: a person asks, and our copy is the browser's, byte for byte."""

import asyncio
import uuid

import pytest

from extension.control_seen import Control
from extension.page_lab import Attempt, stub_extension, tabs_at
from kit.extension import flags_for_extension
from kit.eyes import Eyes, wire_text
from kit.lab import Person
from kit.turns import by_turns
from lab.test_honest import LAYOUTS, address, exchange_of, prompt_of
from tabwire.browser.launch import Launch, launched

pytestmark = [pytest.mark.asyncio, pytest.mark.xdist_group("pages")]


@pytest.fixture(scope="session")
def hooked_lab_url(aside, chromium, lab, tmp_path_factory):
    """A browser with the page scripts, for which the sites are the lab's."""
    folder = stub_extension(tmp_path_factory.mktemp("stub") / "extension")
    flags = (*lab.flags, *flags_for_extension(folder))
    return aside.enter(launched(Launch(chromium, more_flags=flags))).endpoint.url


@pytest.mark.parametrize("site, layout", by_turns("hooked", LAYOUTS, 3))
async def test_a_person_asks_and_every_byte_of_the_answer_is_copied(
    lab, hooked_lab_url, site, layout
):
    async with tabs_at(hooked_lab_url) as tabs:
        session = await tabs.open("about:blank")
        person = Person(session, tabs.opened[0])
        await person.goes_to(address(site, layout=layout))
        eyes = await Eyes.open(person)
        prompt = prompt_of(site, layout, "through the hook", uuid.uuid4().hex)
        await eyes.ask(prompt)
        await eyes.over()
        exchange = exchange_of(lab, prompt)
        await eyes.sees(exchange.plan.text)
        ((url, body),) = eyes.wire()
        async with asyncio.timeout(60):
            found = Attempt(
                await tabs.stub.until(f"""(all) => {{
                  const one = all.find((m) => m.kind === "sent" && m.url.split('?')[0] === {url!r});
                  return one && all.some((m) => m.kind === "ended" && m.attempt === one.attempt)
                    && all.filter((m) => m.attempt === one.attempt);
                }}""")
            )
        assert found.end == ("whole", "")
        assert found.body == body
        assert wire_text(site, found.body) == exchange.plan.text
        assert found.asked is not None
        assert found.sent["attempt"].startswith(f"{site}:")
        control = Control(session)
        await control.lives("completed")
        composer = await eyes.until("eyes.box() && eyes.middle(eyes.box())")
        box = await control.part()
        inside = (
            0 <= composer[0] - box["x"] <= box["width"]
            and 0 <= composer[1] - box["y"] <= box["height"]
        )
        assert box["seen"]
        assert not inside
