"""The lab's Gemini in a real browser: somebody types, sends, watches, stops and comes back."""

import json

import pytest

from lab.replicas.gemini.reader import (
    ACTIONS,
    COMPOSER,
    EXCHANGE,
    FAST,
    HOME,
    LAYOUT,
    QUESTION,
    SEND,
    SLOW,
    STOP,
    TEXT,
    deep,
    over,
    words,
)
from lab.requests_seen import requests_of
from tabwire.lab.plan import plan_for
from tabwire.lab.replicas.gemini.server import STOP as STOP_CALL
from tabwire.lab.replicas.gemini.server import ids_of
from tabwire.lab.room import Standing
from tabwire.sites.gemini import SITE
from tabwire.sites.gemini.requests import prompt_in_request
from tabwire.sites.site import RequestKind

pytestmark = pytest.mark.asyncio

# How much of an answer is drawn each time the page takes a new address.
NOTE_ADDRESSES = f"""addresses = [], history.pushState = new Proxy(history.pushState, {{
  apply(push, self, given) {{
    addresses.push(deepAll({json.dumps(TEXT)})[0]?.innerText.length ?? 0);
    return Reflect.apply(push, self, given);
  }},
}}), 1"""


async def matching(reader, selectors):
    listed = json.dumps([one.css for one in selectors])
    return await reader.person.finds(f"{listed}.find((css) => deepAll(css).length) ?? null")


async def test_before_anything_is_asked_the_page_is_recognised_and_waits(gemini):
    reader = await gemini("/")
    assert await reader.person.finds("location.href") == HOME
    names = ("recognise", "composer", "decoys", "send", "scroller", "logged_in", "model_picker")
    for name in (*names, "new_chat", "upload"):
        selectors = getattr(LAYOUT, name)
        assert await matching(reader, selectors) == selectors[0].css, name
    gone = ("stop", "exchange", "user_message", "assistant_message", "text_root", "actions")
    for name in (*gone, "streaming", "thinking"):
        without_last_resort = [one for one in getattr(LAYOUT, name) if "last" not in one.note]
        assert await matching(reader, without_last_resort) is None, name
    blank = "document.querySelector('.ql-editor').classList.contains('ql-blank')"
    assert await reader.person.finds(blank)


async def test_a_question_is_sent_once_and_its_answer_is_drawn_whole(gemini, lab):
    prompt = "Gemini, what is a tab good for?"
    reader = await gemini()
    await reader.person.writes(COMPOSER, prompt)
    await reader.person.clicks(SEND)
    await reader.sees(f"{deep(STOP)}.length")
    assert await reader.counts(SEND) == 0
    await reader.sees(over())
    assert lab.ledger.prompts("gemini").count(prompt) == 1
    assert await reader.questions() == [prompt]
    (shown,) = await reader.finds(TEXT)
    assert "the answer is invented" in shown
    assert "def answer(pieces):" in shown
    for tag, count in (("ol > li", 3), ("ol ul > li", 3), ("td", 6), ("h2", 1), ("strong", 2)):
        assert await reader.counts(f"{TEXT} {tag}") == count, tag
    for one in LAYOUT.actions[:6]:
        assert await reader.counts(one.css) == 1, one.css
    assert await reader.counts(SEND) == 1


async def test_the_history_is_only_found_through_shadow_roots(gemini):
    reader = await gemini()
    await reader.asks(f"Gemini hides\n{FAST}")
    await reader.sees(over())
    for css in (QUESTION, EXCHANGE, TEXT, ACTIONS, LAYOUT.scroller[0].css):
        assert await reader.person.counts(css) == 0, css
        assert await reader.counts(css) == 1, css
    hidden = f"{deep(QUESTION)}[0].querySelector('.query-text') === null"
    assert await reader.person.finds(hidden)


async def test_the_address_the_title_and_the_ids_come_from_the_wire(gemini, lab):
    prompt = f"Gemini names things\n{FAST} think=2"
    reader = await gemini()
    await reader.person.finds(NOTE_ADDRESSES)
    await reader.asks(prompt)
    await reader.sees(over())
    (shown_before,) = await reader.person.finds("addresses")
    assert shown_before, "the address came before the words"
    (entry,) = [one for one in lab.ledger.entries if one.prompt == prompt]
    assert await reader.person.finds("location.href") == f"{HOME}/{entry.conversation_id}"
    assert await reader.person.finds("document.title") == "Gemini names things - Gemini"
    assert await reader.finds(LAYOUT.title[0].css) == ["Gemini names things"]
    await reader.sees(f"{deep(LAYOUT.title[1].css)}[0]?.textContent === 'Gemini names things'")
    chat = lab.room.chat("gemini", entry.conversation_id)
    response_id, _ = ids_of(chat.exchanges[0])
    ids = await reader.person.finds(f"{deep(TEXT)}.map((one) => one.id)")
    assert ids == [f"message-content-id-{response_id}"]


async def test_the_prompt_leaves_as_the_real_request_has_it(gemini):
    prompt = f"Gemini, 3 < 4 & “日本語” 😀 = ?\n\n  x\\y\n{FAST}"
    reader = await gemini()
    requests = await requests_of(reader.session, SITE)
    await reader.asks(prompt)
    await reader.sees(over())
    (body,) = [body for kind, _, body in requests.sent if kind is RequestKind.ANSWER]
    assert prompt_in_request(body.encode()) == prompt


async def test_thinking_is_drawn_apart_from_the_text(gemini):
    prompt = f"Gemini thinks first\n{FAST} think=2"
    reader = await gemini()
    await reader.asks(prompt)
    await reader.sees(over())
    plan = plan_for(prompt)
    thinking = await reader.person.finds(f"{deep('.thoughts-content')}[0].textContent")
    assert words(thinking) == words("".join(plan.thoughts))
    assert await reader.texts() == [words(plan.text)]


async def test_several_turns_in_one_conversation(gemini, lab):
    prompts = [f"Gemini turn {count}\n{FAST}" for count in range(3)]
    reader = await gemini()
    for count, prompt in enumerate(prompts, start=1):
        await reader.asks(prompt)
        await reader.sees(over(count))
    entries = [one for one in lab.ledger.entries if one.prompt in prompts]
    assert [one.prompt for one in entries] == prompts
    assert len({one.conversation_id for one in entries}) == 1
    assert await reader.questions() == prompts
    assert await reader.texts() == [words(plan_for(prompt).text) for prompt in prompts]


async def test_the_person_stops_an_answer_and_asks_again(gemini, lab):
    prompt = f"Gemini is interrupted\n{SLOW}"
    reader = await gemini()
    await reader.asks(prompt)
    await reader.sees(f"{deep(TEXT)}[0]?.innerText")
    requests = await requests_of(reader.session, SITE)
    await reader.person.clicks(STOP)
    await reader.sees(f"!{deep(STOP)}.length")
    await requests.answered(lambda url: f"rpcids={STOP_CALL}" in url)
    (entry,) = [one for one in lab.ledger.entries if one.prompt == prompt]
    (stopped,) = lab.room.chat("gemini", entry.conversation_id).exchanges
    assert stopped.standing is Standing.STOPPED
    assert await reader.counts(ACTIONS) == 0
    await reader.asks(f"Gemini goes on\n{FAST}")
    await reader.sees(over(1))
    shown = (await reader.texts())[0]
    assert shown
    assert words(stopped.text).startswith(shown)


async def test_a_reloaded_conversation_is_read_from_the_site_and_drawn_again(gemini):
    prompts = [f"Gemini remembers {count}\n{FAST} think=1" for count in range(2)]
    reader = await gemini()
    for count, prompt in enumerate(prompts, start=1):
        await reader.asks(prompt)
        await reader.sees(over(count))
    before = await reader.person.finds(f"{deep(TEXT)}.map((one) => [one.id, one.innerHTML])")
    requests = await requests_of(reader.session, SITE)
    await reader.person.goes_to(await reader.person.finds("location.href"))
    await reader.sees(over(2))
    after = await reader.person.finds(f"{deep(TEXT)}.map((one) => [one.id, one.innerHTML])")
    assert [one[0] for one in after] == [one[0] for one in before]
    assert await reader.texts() == [words(plan_for(prompt).text) for prompt in prompts]
    assert await reader.questions() == prompts
    await reader.sees("document.title === 'Gemini remembers 0 - Gemini'")
    assert requests.kinds.count(RequestKind.CANONICAL) == 1
    assert RequestKind.ANSWER not in requests.kinds


async def test_an_answer_goes_on_while_its_page_is_reloaded(gemini, lab):
    prompt = "Gemini goes on without me\nlab: pieces=60 every=0.05 first=0.02"
    reader = await gemini()
    await reader.asks(prompt)
    await reader.sees(f"{deep(TEXT)}[0]?.innerText")
    await reader.person.goes_to(await reader.person.finds("location.href"))
    await reader.sees(over())
    assert await reader.texts() == [words(plan_for(prompt).text)]
    assert lab.ledger.prompts("gemini").count(prompt) == 1


async def test_a_new_chat_is_another_conversation_and_the_way_back_is_open(gemini, lab):
    prompts = [f"Gemini chat {count}\n{FAST}" for count in range(2)]
    reader = await gemini()
    await reader.asks(prompts[0])
    await reader.sees(over())
    await reader.person.clicks(LAYOUT.new_chat[0].css)
    await reader.sees(f"{deep(EXCHANGE)}.length === 0")
    assert await reader.person.finds("location.href") == HOME
    await reader.asks(prompts[1])
    await reader.sees(over())
    ids = [one.conversation_id for one in lab.ledger.entries if one.prompt in prompts]
    assert len(set(ids)) == 2
    # the newer chat goes before it in the list: only then does the link stay where it is
    await reader.sees(deep(f"conversations-list a[href='/app/{ids[1]}']") + "[0]")
    await reader.person.clicks(f"conversations-list a[href='/app/{ids[0]}']")
    await reader.sees(f"document.title === 'Gemini chat 0 - Gemini' && {over()}")
    assert await reader.texts() == [words(plan_for(prompts[0]).text)]


async def test_nothing_is_sent_while_nothing_is_written_or_an_answer_comes(gemini, lab):
    reader = await gemini()
    await reader.asks(" ")
    await reader.person.clicks(SEND)
    assert await reader.counts(QUESTION) == 0
    await reader.person.finds("document.querySelector('.ql-editor').replaceChildren()")
    await reader.asks(f"Gemini is busy\n{SLOW}")
    await reader.sees(f"{deep(STOP)}.length")
    await reader.asks("Gemini is asked too early")
    assert await reader.counts(QUESTION) == 1
    await reader.person.clicks(STOP)
    await reader.sees(f"!{deep(STOP)}.length")
    assert "Gemini is asked too early" not in lab.ledger.prompts("gemini")
