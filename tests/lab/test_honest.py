"""The lab is honest: a person with no knowledge of any site asks under every story.

What the page shows, what the wire carried and what the ledger holds must agree. The person and
the readers of the wire share nothing with Tabwire (`kit/eyes.py`).
"""

import asyncio
import itertools
import json
import zlib
from functools import partial

import pytest

from kit.eyes import Eyes, lines_of, wire_text
from kit.lab import SEE_SECONDS, has_arrived
from kit.turns import by_turns
from tabwire.lab.ledger import Deed
from tabwire.lab.plan import plan_for
from tabwire.lab.play.hand import hands_of
from tabwire.lab.stories.known import STORIES
from tabwire.lab.stories.script import text_of
from tabwire.lab.stories.stage import LANGUAGES
from tabwire.lab.stories.steps import Fate, Pause

pytestmark = pytest.mark.asyncio

HOMES = {"chatgpt": "https://chatgpt.com/", "gemini": "https://gemini.google.com/app"}
HOMES |= {"grok": "https://grok.com/", "x": "https://x.com/i/grok"}
LAYOUTS = [("chatgpt", "turn_key"), ("chatgpt", "octane"), ("chatgpt", "classic")]
LAYOUTS += [("gemini", ""), ("grok", "")]
QUICK = "lab: pieces=30 every=0.004 first=0.02 chars=9"
PAUSE_SECONDS = 1.0  # all pauses of a story together


def address(site, **stage):
    words = ",".join(f"{name}:{said}" for name, said in stage.items() if said)
    return HOMES[site] + (f"?lab={words}" if words else "")


def prompt_of(*words, story=None, more=""):
    steps = story.script if story is not None else ()
    pauses = sum(step.seconds for step in steps if isinstance(step, Pause))
    pace = max(1.0, pauses / PAUSE_SECONDS)
    return f"A person asks {' '.join(words)}\n{QUICK} pace={pace:g}{more}"


async def arrived(lab, aside, prompt):
    """The ledger's entry of a prompt: the request left, and arrives in a moment."""
    await has_arrived(lab, prompt)
    # the lab runs in another thread, and may be in the middle of taking it
    await asyncio.wrap_future(aside.begin(asyncio.sleep(0)))
    return entry_of(lab, prompt)


def entry_of(lab, prompt):
    (entry,) = [one for one in lab.ledger.asked() if one.prompt == prompt]
    return entry


def exchange_of(lab, prompt):
    entry = entry_of(lab, prompt)
    chat = lab.room.chat(entry.site, entry.conversation_id)
    (exchange,) = [one for one in chat.exchanges if one.prompt == prompt]
    return exchange


@pytest.mark.parametrize("lang", by_turns("honest", LANGUAGES, 2))
@pytest.mark.parametrize("site, layout", LAYOUTS)
@pytest.mark.rows(3, first=1)
async def test_an_exchange_in_every_site_layout_and_language(lab, lab_tab, site, layout, lang):
    eyes = await Eyes.open(await lab_tab(address(site, layout=layout, lang=lang)))
    prompt = prompt_of(site, layout, lang)
    await eyes.ask(prompt)
    await eyes.over()
    exchange = exchange_of(lab, prompt)
    await eyes.sees(exchange.plan.text)
    ((_, body),) = eyes.wire()
    assert wire_text(site, body) == exchange.text == exchange.plan.text
    assert await eyes.person.finds("document.documentElement.lang") == lang


def played(pairs):
    """Every second story at one site, by turns; all the others are played by `make soak`.

    In `make test` each story is asked in as well (faults/test_asking_stories.py), and what the
    page shows, the wire carries and the ledger holds is compared there too.
    """
    params = []
    for site, story in pairs:
        chosen = story.sites[zlib.crc32(story.name.encode()) % len(story.sites)]
        here = site == chosen and zlib.crc32(story.name[::-1].encode()) % 2 == 0
        marks = () if here else pytest.mark.soak
        params.append(pytest.param(site, story, id=f"{site}-{story.name}", marks=marks))
    return params


# Of what a page draws as something else (Markdown, marks of sources), what stays as it is.
SHOWN = {
    "rich": "print a b c\nFirst\nThe last line",
    "cited": "the sky is blue",
    "odd": f"a NUL , a bell\nשלום עולם مرحبا بالعالم\nand one long line: {'x' * 20_000} the end.",
}
ASKED = [
    (site, story)
    for story in STORIES.values()
    for site in story.sites
    if story.asks and story.fate is None and story.name != "gigantic"
]


@pytest.mark.parametrize("site, story", played(ASKED))
@pytest.mark.rows(6, first=1)
async def test_page_wire_and_ledger_agree_in_every_story(lab, aside, lab_tab, site, story):
    eyes = await Eyes.open(await lab_tab(address(site, story=story.name)))
    prompt = prompt_of("under", story.name, "at", site, story=story)
    await eyes.ask(prompt)
    entry = await arrived(lab, aside, prompt)
    assert entry.story == ("" if story.name == "plain" else story.name)
    if story.refuse is not None:
        assert entry.refused == str(story.refuse)
        assert lab.room.chat(site, entry.conversation_id) is None
        await eyes.over()
        return
    exchange = exchange_of(lab, prompt)
    text = text_of(exchange.plan, story.script)
    await eyes.sees(SHOWN.get(story.answer, text))
    if story.answer in (*SHOWN, "one"):  # one digit stands somewhere in any page
        await eyes.over()
    for _url, body in eyes.wire():
        told = wire_text(site, body)
        assert text.startswith(told) or exchange.story.name in ("duplicate", "reorder"), told
    assert lines_of(exchange.text) == lines_of(text)


# --- what befalls a tab ------------------------------------------------------------------------

CALLS = {
    Fate.RELOAD: ("Page.reload", {}),
    Fate.LEAVE: ("Page.navigate", {"url": "about:blank"}),
    Fate.CRASH: ("Page.crash", {}),
}
FATED = [
    (site, story)
    for story in STORIES.values()
    for site in story.sites
    if story.fate in CALLS or story.fate is Fate.CLOSE
]


@pytest.mark.parametrize("site, story", played(FATED))
@pytest.mark.rows(1, first=2)
async def test_whatever_befalls_a_tab_the_site_answers_and_keeps_it(lab, lab_tab, site, story):
    """The prompt was received once, and whoever comes back finds the whole answer."""
    eyes = await Eyes.open(await lab_tab(HOMES[site]))
    words = ("while", story.name, "befalls", site)
    prompt = prompt_of(*words, story=story, more=f" story={story.name}")
    loop, befell = asyncio.get_running_loop(), asyncio.Event()
    heard = partial(loop.call_soon_threadsafe, befell.set)
    with hands_of(lab.room).at(prompt, lambda _fate: heard()):
        await eyes.ask(prompt)
        async with asyncio.timeout(SEE_SECONDS):
            await befell.wait()
    if story.fate is Fate.CLOSE:
        eyes.person.session.send("Page.close", on_reply=lambda _said: None)
    else:
        method, params = CALLS[story.fate]
        eyes.person.session.send(method, params, on_reply=lambda _said: None)
    again = await Eyes.open(await lab_tab(chat_address(site, entry_of(lab, prompt))))
    await again.sees(plan_for(prompt).text)
    assert exchange_of(lab, prompt).text == plan_for(prompt).text


def chat_address(site, entry):
    paths = {"chatgpt": "/c/{}", "gemini": "/app/{}", "grok": "/c/{}"}
    home = "/".join(HOMES[site].split("/")[:3])
    return home + paths[site].format(entry.conversation_id)


# --- two hundred at once -----------------------------------------------------------------------

SHARES = {"chatgpt": 67, "gemini": 67, "grok": 66}
ASKERS = {
    "chatgpt": """async (prompt) => (await fetch("/backend-api/f/conversation", {
      method: "POST",
      headers: { "content-type": "application/json", authorization: `Bearer ${await token()}`,
                 "oai-device-id": "d" },
      body: JSON.stringify({ action: "next", parent_message_id: "client-created-root", messages: [
        { id: crypto.randomUUID(), author: { role: "user" },
          content: { content_type: "text", parts: [prompt] } }] }),
    })).text()""",
    "gemini": """async (prompt) => (await fetch("/_/BardChatUi/data/"
        + "assistant.lamda.BardFrontendService/StreamGenerate?rt=c", {
      method: "POST",
      headers: { "content-type": "application/x-www-form-urlencoded;charset=utf-8" },
      body: new URLSearchParams({ "f.req": JSON.stringify([null, JSON.stringify(
        [[prompt, 0], ["en"], ["", "", ""]])]), at: await token() }),
    })).text()""",
    "grok": """async (prompt) => (await fetch("/rest/app-chat/conversations/new", {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ message: prompt }),
    })).text()""",
}
TOKENS = {
    "chatgpt": "(await (await fetch('/api/auth/session')).json()).accessToken",
    "gemini": "globalThis.WIZ_global_data?.SNlM0e ?? 'lab:0'",
    "grok": "''",
}


async def test_two_hundred_at_once_leave_a_consistent_ledger(lab, lab_tab):
    """Nothing is dropped, doubled or mixed up, and each answer is its own prompt's."""
    prompts = {
        site: [f"Number {n} of many at {site}\n{QUICK}" for n in range(count)]
        for site, count in SHARES.items()
    }
    seen = len(lab.ledger.entries)
    people = {site: await lab_tab(HOMES[site]) for site in SHARES}
    bodies = await asyncio.gather(
        *(
            people[site].finds(
                f"(async () => {{ const token = async () => ({TOKENS[site]}); const ask = "
                f"{ASKERS[site]}; return Promise.all({json.dumps(prompts[site])}.map(ask)); }})()"
            )
            for site in SHARES
        )
    )
    for site, answers in zip(SHARES, bodies, strict=True):
        for prompt, body in zip(prompts[site], answers, strict=True):
            assert wire_text(site, body.encode()) == plan_for(prompt).text
            assert exchange_of(lab, prompt).text == plan_for(prompt).text
    new = [entry for entry in lab.ledger.entries[seen:] if entry.kind is Deed.PROMPT]
    assert sorted(entry.prompt for entry in new) == sorted(itertools.chain(*prompts.values()))
    numbers = [entry.number for entry in lab.ledger.entries]
    assert numbers == list(range(1, len(numbers) + 1))
    times = [entry.at for entry in lab.ledger.entries]
    assert times == sorted(times)
    assert len({entry.conversation_id for entry in new}) == len(new)
