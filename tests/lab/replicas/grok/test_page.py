"""The lab's Grok in a real browser: somebody types, sends, watches, stops and comes back."""

import json

import pytest

from lab.requests_seen import requests_of
from tabwire.lab.plan import Plan, plan_for
from tabwire.lab.replicas.grok.server import ids_of
from tabwire.lab.room import Standing
from tabwire.sites.grok import SITE
from tabwire.sites.page import Selector
from tabwire.sites.site import RequestKind

pytestmark = pytest.mark.asyncio

(LAYOUT,) = SITE.page.layouts
COMPOSER = LAYOUT.composer[0].css
STOP = LAYOUT.stop[0].css
SUBMIT = LAYOUT.send[0].css
EXCHANGE = LAYOUT.exchange[0].css
QUESTION = LAYOUT.user_message[0].css
ANSWER = LAYOUT.assistant_message[0].css
TEXT = f"{ANSWER} .response-content-markdown"
REGENERATE = LAYOUT.actions[0].css
HOME = SITE.page.home
FAST = "lab: pieces=12 every=0.01 first=0.02"
SLOW = "lab: pieces=4000 every=0.02 first=0.02 think=1"

# How much of an answer is drawn each time the page takes a new address.
NOTE_ADDRESSES = f"""addresses = [], history.pushState = new Proxy(history.pushState, {{
  apply(push, self, given) {{
    addresses.push(document.querySelector({json.dumps(ANSWER)})?.innerText.length ?? 0);
    return Reflect.apply(push, self, given);
  }},
}}), 1"""


def found(*selectors: Selector) -> str:
    """An expression: the first of these that matches anything."""
    listed = json.dumps([one.css for one in selectors])
    return f"{listed}.find((css) => document.querySelector(css)) ?? null"


def all_of(css: str) -> str:
    return f"[...document.querySelectorAll({json.dumps(css)})]"


def over(count: int = 1) -> str:
    """An expression: this many answers have their bar, and nothing can be stopped."""
    bars = f"{all_of(REGENERATE)}.length === {count}"
    return f"{bars} && !document.querySelector({json.dumps(STOP)})"


async def test_before_anything_is_asked_the_page_is_recognised_and_waits(lab_tab):
    person = await lab_tab(HOME)
    await person.sees("document.querySelector('.is-editor-empty')")
    for name in ("recognise", "composer", "new_chat", "scroller", "logged_in", "model_picker"):
        first = getattr(LAYOUT, name)[0]
        assert await person.finds(found(first)) == first.css, name
    for name in ("stop", "exchange", "user_message", "assistant_message", "text_root", "actions"):
        assert await person.finds(found(*getattr(LAYOUT, name))) is None, name
    assert await person.finds("document.title") == "Grok"


async def test_a_question_is_sent_once_and_its_answer_is_drawn_whole(lab_tab, lab):
    prompt = "Grok, what is a tab good for?"
    person = await lab_tab(HOME)
    await person.writes(COMPOSER, prompt)
    await person.clicks(SUBMIT)
    await person.sees(f"document.querySelector({json.dumps(STOP)})")
    await person.sees(over())
    assert lab.ledger.prompts("grok").count(prompt) == 1
    assert await person.finds(f"{all_of(QUESTION)}.map((one) => one.innerText)") == [prompt]
    shown = await person.finds(f"document.querySelector({json.dumps(TEXT)}).innerText")
    assert "the answer is invented" in shown
    assert "def answer(pieces):" in shown
    for tag, count in (("ol > li", 3), ("ol ul > li", 3), ("td", 6), ("h2", 1), ("strong", 2)):
        assert await person.counts(f"{TEXT} {tag}") == count, tag


async def test_the_address_the_title_and_the_ids_come_from_the_wire(lab_tab, lab):
    prompt = f"Grok names things\n{FAST} think=2"
    person = await lab_tab(HOME)
    await person.finds(NOTE_ADDRESSES)
    await asked(person, prompt)
    await person.sees(over())
    (shown_before,) = await person.finds("addresses")
    assert shown_before, "the address came before the answer"
    (entry,) = [one for one in lab.ledger.entries if one.prompt == prompt]
    assert await person.finds("location.href") == f"https://grok.com/c/{entry.conversation_id}"
    assert await person.finds("document.title") == "Grok names things - Grok"
    await person.sees(
        "document.querySelector('nav [aria-current]')?.textContent === 'Grok names things'"
    )
    question, answer = await person.finds(f"{all_of(EXCHANGE)}.map((one) => one.id)")
    chat = lab.room.chat("grok", entry.conversation_id)
    assert (question, answer) == tuple(f"response-{one}" for one in ids_of(chat.exchanges[0]))


async def test_thinking_is_drawn_apart_from_the_text(lab_tab):
    prompt = f"Grok thinks first\n{FAST} think=2"
    person = await lab_tab(HOME)
    await asked(person, prompt)
    await person.sees(over())
    thinking = await person.finds("document.querySelector('.thinking-body').textContent")
    plan = plan_for(prompt)
    assert thinking == "".join(plan.thoughts)
    shown = await person.finds(f"document.querySelector({json.dumps(TEXT)}).innerText")
    assert words(shown) == words(plan.text)


async def test_a_source_is_drawn_as_a_citation_and_a_link_is_not(lab_tab, lab, monkeypatch):
    text = "Seen [1](https://example.com/a) and [more](https://example.com/b)."
    monkeypatch.setattr(lab.room, "plan_for", lambda prompt: Plan((text[:20], text[20:])))
    person = await lab_tab(HOME)
    await asked(person, "Grok cites")
    await person.sees(over())
    cited = await person.finds(f"{all_of(LAYOUT.citation[0].css)}.map((one) => one.textContent)")
    assert cited == ["\u20601"]
    assert await person.counts(f"{TEXT} a") == 2


async def test_several_turns_in_one_conversation(lab_tab, lab):
    prompts = [f"Grok turn {count}\n{FAST}" for count in range(3)]
    person = await lab_tab(HOME)
    for count, prompt in enumerate(prompts, start=1):
        await asked(person, prompt)
        await person.sees(over(count))
    entries = [one for one in lab.ledger.entries if one.prompt in prompts]
    assert [one.prompt for one in entries] == prompts
    assert len({one.conversation_id for one in entries}) == 1
    assert await texts(person) == [words(plan_for(prompt).text) for prompt in prompts]
    ids = await person.finds(f"{all_of(EXCHANGE)}.map((one) => one.id)")
    assert len(set(ids)) == 6


async def test_the_person_stops_an_answer_and_asks_again(lab_tab, lab):
    prompt = f"Grok is interrupted\n{SLOW}"
    person = await lab_tab(HOME)
    await asked(person, prompt)
    await person.sees(f"document.querySelector({json.dumps(TEXT)})?.innerText")
    assert await person.counts(REGENERATE) == 0
    requests = await requests_of(person.session, SITE)
    await person.clicks(STOP)
    await person.sees(f"!document.querySelector({json.dumps(STOP)})")
    await requests.answered(lambda url: SITE.sort_request("POST", url) is RequestKind.STOP)
    (entry,) = [one for one in lab.ledger.entries if one.prompt == prompt]
    (stopped,) = lab.room.chat("grok", entry.conversation_id).exchanges
    assert stopped.standing is Standing.STOPPED
    await asked(person, f"Grok goes on\n{FAST}")
    await person.sees(over(2))
    shown = (await texts(person))[0]
    assert shown
    assert words(stopped.text).startswith(shown)


async def test_a_reloaded_conversation_is_read_from_the_site_and_drawn_again(lab_tab):
    prompts = [f"Grok remembers {count}\n{FAST} think=1" for count in range(2)]
    person = await lab_tab(HOME)
    for count, prompt in enumerate(prompts, start=1):
        await asked(person, prompt)
        await person.sees(over(count))
    before = await person.finds(f"{all_of(EXCHANGE)}.map((one) => [one.id, one.innerText])")
    requests = await requests_of(person.session, SITE)
    await person.goes_to(await person.finds("location.href"))
    await person.sees(over(2))
    after = await person.finds(f"{all_of(EXCHANGE)}.map((one) => [one.id, one.innerText])")
    assert [one[0] for one in after] == [one[0] for one in before]
    assert await texts(person) == [words(plan_for(prompt).text) for prompt in prompts]
    assert await person.finds("document.title") == "Grok remembers 0 - Grok"
    assert requests.kinds.count(RequestKind.CANONICAL) == 2
    assert RequestKind.ANSWER not in requests.kinds


async def test_an_answer_goes_on_while_its_page_is_reloaded(lab_tab, lab):
    prompt = f"Grok goes on without me\n{SLOW}"
    person = await lab_tab(HOME)
    await asked(person, prompt)
    await person.sees(f"document.querySelector({json.dumps(TEXT)})?.innerText")
    (before,) = await texts(person)
    requests = await requests_of(person.session, SITE)
    await person.goes_to(await person.finds("location.href"))
    await person.sees(f"document.querySelector({json.dumps(STOP)})")
    longer = f"document.querySelector({json.dumps(TEXT)})?.innerText.length > {len(before)}"
    await person.sees(longer)
    (after,) = await texts(person)
    assert words(plan_for(prompt).text).startswith(after)
    assert RequestKind.RESUME in requests.kinds
    await person.clicks(STOP)
    await person.sees(f"!document.querySelector({json.dumps(STOP)})")
    assert lab.ledger.prompts("grok").count(prompt) == 1


async def test_a_new_chat_is_another_conversation_and_the_way_back_is_open(lab_tab, lab):
    prompts = [f"Grok chat {count}\n{FAST}" for count in range(2)]
    person = await lab_tab(HOME)
    await asked(person, prompts[0])
    await person.sees(over())
    await person.clicks(LAYOUT.new_chat[0].css)
    await person.sees(f"{all_of(EXCHANGE)}.length === 0")
    assert await person.finds("location.href") == HOME
    await asked(person, prompts[1])
    await person.sees(over())
    ids = [one.conversation_id for one in lab.ledger.entries if one.prompt in prompts]
    assert len(set(ids)) == 2
    # the newer chat goes before it in the list: only then does the link stay where it is
    await person.sees(f"document.querySelector(\"nav a[href='/c/{ids[1]}']\")")
    await person.clicks(f"nav a[href='/c/{ids[0]}']")
    await person.sees(f"document.title === 'Grok chat 0 - Grok' && {over()}")
    assert await texts(person) == [words(plan_for(prompts[0]).text)]


async def test_lines_pasted_and_written_arrive_as_they_were(lab_tab, lab):
    prompt = f"Grok, two lines:\n\n  <b>&\"'日本語😀 \\ `x`\n{FAST}"
    person = await lab_tab(HOME)
    await asked(person, prompt)
    await person.sees(over())
    assert lab.ledger.prompts("grok").count(prompt) == 1


async def test_nothing_is_sent_while_nothing_is_written_or_an_answer_comes(lab_tab, lab):
    person = await lab_tab(HOME)
    await person.writes(COMPOSER, " ")
    await person.presses("Enter")
    assert await person.counts(QUESTION) == 0
    await asked(person, f"Grok is busy\n{SLOW}")
    await person.sees(f"document.querySelector({json.dumps(STOP)})")
    await asked(person, "Grok is asked too early")
    assert await person.counts(QUESTION) == 1
    await person.clicks(STOP)
    await person.sees(f"!document.querySelector({json.dumps(STOP)})")
    assert "Grok is asked too early" not in lab.ledger.prompts("grok")


async def asked(person, prompt):
    await person.writes(COMPOSER, prompt)
    await person.presses("Enter")


async def texts(person):
    shown = await person.finds(f"{all_of(TEXT)}.map((one) => one.innerText)")
    return [words(text) for text in shown]


def words(text):
    """What is said, whatever the page makes of the lines."""
    return " ".join(text.split())
