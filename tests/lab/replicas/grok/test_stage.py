"""The lab's Grok on all kinds of stages: late, walled, covered, with files, with a past."""

import pytest

from kit.lab import Person, has_arrived
from lab.replicas.grok.at_grok import (
    ANSWER,
    BAR,
    COMPOSER,
    FAST,
    HOME,
    QUESTION,
    STOP,
    SUBMIT,
    TEXT,
    all_of,
    asked,
    at,
    entry_of,
    noted,
    one,
    over,
    texts,
    words,
)
from tabwire.lab.ledger import Deed
from tabwire.lab.plan import plan_for
from tabwire.lab.replicas.grok.server import PROJECT
from tabwire.lab.replicas.grok.stored import LONG, long_id
from tabwire.lab.room import Chat

pytestmark = pytest.mark.asyncio

# In every language: what Submit and the placeholder say, and which way the page runs.
LANGUAGES = [
    ("en", "Submit", "Ask anything", "ltr"),
    ("ja", "送信", "何でも聞いてください", "ltr"),
    ("de", "Absenden", "Frag etwas", "ltr"),
    ("fr", "Envoyer", "Demandez ce que vous voulez", "ltr"),
    ("ar", "إرسال", "اسأل عن أي شيء", "rtl"),
    ("zh", "提交", "随便问", "ltr"),
]


@pytest.mark.parametrize("lang, submit, placeholder, runs", LANGUAGES)
@pytest.mark.rows(1, first=2)
async def test_an_exchange_in_every_language(lab_tab, lab, lang, submit, placeholder, runs):
    prompt = f"Grok speaks {lang}\n{FAST} think=1"
    person = await lab_tab(at(f"lang:{lang}"))
    await person.sees(one(".is-editor-empty"))
    assert await person.finds(f"{one('.is-editor-empty')}.dataset.placeholder") == placeholder
    assert await person.finds("[document.documentElement.lang, document.dir]") == [lang, runs]
    await person.writes(COMPOSER, prompt)
    await person.sees(f"!{one(SUBMIT)}.disabled")
    assert await person.finds(f"{one(SUBMIT)}.getAttribute('aria-label')") == submit
    await person.clicks(SUBMIT)
    await person.sees(over())
    assert await texts(person) == [words(plan_for(prompt).text)]
    address = f"https://grok.com/c/{entry_of(lab, prompt).conversation_id}?lab=lang:{lang}"
    assert await person.finds("location.href") == address
    assert "Tabwire lab: a stand-in, not Grok" in await person.finds("document.body.innerText")


async def test_every_language_has_every_label(lab_tab):
    """Names that are the same everywhere may be left out, and nothing else."""
    person = await lab_tab(HOME)
    table = await person.finds("import('/assets/labels.js').then(({ TABLE }) => TABLE)")
    assert set(table) == {lang for lang, *_ in LANGUAGES}
    for lang, said in table.items():
        missing = set(table["en"]) - set(said)
        assert missing <= {"auto", "expert", "heavy"}, lang
        assert not set(said) - set(table["en"]), lang


async def test_before_the_page_comes_alive_a_box_stands_there_that_is_none(lab_tab, lab):
    prompt = f"Grok wakes up\n{FAST}"
    person = await lab_tab(at("hydrate:0.6"))
    await person.finds(f"{one('.query-bar textarea')}.focus()")
    await person.session.call("Input.insertText", {"text": "typed too early"})
    assert await person.counts(COMPOSER) == 0
    await asked(person, prompt)
    await person.sees(over())
    assert await person.counts(".query-bar textarea") == 0
    entry_of(lab, prompt)
    assert "typed too early" not in "".join(lab.ledger.prompts("grok"))


async def test_what_a_script_writes_into_the_box_is_not_there(lab_tab):
    person = await lab_tab(HOME)
    await person.sees(one(COMPOSER))
    await person.finds(
        f"{one(COMPOSER)}.innerText = 'by script', "
        f"{one(COMPOSER)}.dispatchEvent(new InputEvent('input', {{ bubbles: true }}))"
    )
    assert await person.finds(f"{one(SUBMIT)}.disabled")
    await person.writes(COMPOSER, "x")
    await person.sees(f"!{one(SUBMIT)}.disabled")


async def test_two_clicks_send_twice_while_send_stays_usable(lab_tab, lab):
    prompt = f"Grok twice\n{FAST}"
    person = await lab_tab(at("slow-send:5"))
    await person.writes(COMPOSER, prompt)
    await person.sees(f"!{one(SUBMIT)}.disabled")
    await person.clicks(SUBMIT)
    await person.clicks(SUBMIT)
    await person.sees(f"{all_of(QUESTION)}.length === 2")
    await person.sees(f"{all_of(BAR)}.length >= 1")
    await has_arrived(lab, prompt, times=2)


async def test_the_address_comes_late(lab_tab, lab):
    prompt = f"Grok is slow to tell where\n{FAST}"
    person = await lab_tab(at("late-address:1.5"))
    await person.finds(
        "pushed = new Promise((done) => { const push = history.pushState; history.pushState = "
        f"function (...given) {{ push.apply(this, given); done({all_of(BAR)}.length); }}; }}), 1"
    )
    await asked(person, prompt)
    assert await person.finds("pushed") == 1, "the address came before the end"
    named = entry_of(lab, prompt).conversation_id
    assert await person.finds("location.pathname") == f"/c/{named}"


async def test_the_question_comes_late(lab_tab):
    person = await lab_tab(at("late-message:1.5"))
    both = f"`${{{all_of(QUESTION)}.length}} ${{{all_of(ANSWER)}.length}}`"
    seen = await noted(person, f"Grok hides my words\n{FAST}", both)
    assert "0 1" in seen
    await person.sees(one(QUESTION))
    order = f"{all_of('[role=article]')}.map((one) => one.dataset.testid)"
    assert await person.finds(order) == ["user-message", "assistant-message"]


@pytest.mark.parametrize(
    "login, face, doors", [("in", 1, 0), ("out", 0, 1), ("pinned", 1, 1), ("wall", 0, 1)]
)
async def test_the_state_of_the_account_shows(lab_tab, login, face, doors):
    person = await lab_tab(at(f"login:{login}"))
    await person.sees(one(".wall" if login == "wall" else COMPOSER))
    assert await person.counts("img[alt='pfp']") == face
    assert await person.counts("a[href='/sign-in']") == doors
    assert await person.counts(".query-bar") == (login != "wall")


async def test_a_session_that_is_over_is_told_when_one_asks(lab_tab, lab):
    prompt = "Grok forgot me"
    person = await lab_tab(at("login:expired"))
    await asked(person, prompt)
    await person.sees(one(".banner a"))
    assert entry_of(lab, prompt).refused == "login"
    assert await person.counts(ANSWER) == 0


async def test_a_page_that_asks_whether_one_is_human(lab_tab):
    person = await lab_tab(at("challenge"))
    assert await person.finds("document.title") == "Just a moment..."
    assert await person.counts("#challenge-error-text") == 1
    assert await person.counts(COMPOSER) == 0


@pytest.mark.parametrize("kind", ["cookies", "upsell", "update"])
@pytest.mark.rows(1)
async def test_a_dialog_covers_send_until_it_is_closed(lab_tab, lab, kind):
    prompt = f"Grok under {kind}\n{FAST}"
    person = await lab_tab(at(f"overlay:{kind}"))
    await person.writes(COMPOSER, prompt)
    await person.sees(f"!{one(SUBMIT)}.disabled && {one('[role=dialog]')}")
    await person.clicks(SUBMIT)
    assert await person.counts(QUESTION) == 0
    await person.clicks("[role=dialog] button")
    await person.sees(f"!{one('[role=dialog]')}")
    await person.clicks(SUBMIT)
    await person.sees(over())
    entry_of(lab, prompt)


async def gives_file(person: Person, path) -> None:
    await person.sees(one(COMPOSER))
    found = await person.session.call(
        "Runtime.evaluate", {"expression": one("input[type='file'][name='files']")}
    )
    where = {"objectId": found["result"]["objectId"], "files": [str(path)]}
    await person.session.call("DOM.setFileInputFiles", where)


async def test_a_file_takes_its_time_and_goes_with_the_question(lab_tab, lab, tmp_path):
    path = tmp_path / "grok notes ü.txt"
    path.write_bytes(b"0123456789" * 7)
    prompt = f"Grok reads a file\n{FAST}"
    person = await lab_tab(at("upload-seconds:0.6"))
    await gives_file(person, path)
    await person.writes(COMPOSER, prompt)
    await person.sees(one(".chips [data-state='going']"))
    assert await person.finds(f"{one(SUBMIT)}.disabled")
    await person.presses("Enter")
    assert await person.counts(QUESTION) == 0, "not before the file is there"
    await person.sees(one(".chips [data-state='done']"))
    await person.clicks(SUBMIT)
    await person.sees(over())
    assert await person.finds(f"{one('.sent-file')}.textContent") == path.name
    assert entry_of(lab, prompt).files == (path.name,)
    (sent,) = [one for one in lab.ledger.of(Deed.UPLOAD, "grok") if one.files == (path.name,)]
    assert sent.bytes == 70
    await person.goes_to(await person.finds("location.href"))
    await person.sees(over())
    assert await person.finds(f"{one('.sent-file')}.textContent") == path.name


async def test_a_file_that_fails_says_so_and_can_be_left_out(lab_tab, lab, tmp_path):
    path = tmp_path / "grok-fails.txt"
    path.write_text("x")
    prompt = f"Grok gets no file\n{FAST}"
    person = await lab_tab(at("upload-fails,upload-seconds:0.1"))
    await gives_file(person, path)
    await person.sees(one(".chips [data-state='failed']"))
    assert "Upload failed" in await person.finds(f"{one('.chips')}.textContent")
    await asked(person, prompt)
    await person.sees(over())
    assert entry_of(lab, prompt).files == ()


async def test_the_model_menu_has_levels_and_a_tier_that_is_off(lab_tab):
    person = await lab_tab(at("tier-exhausted"))
    await person.clicks("#model-select-trigger")
    await person.sees(one("[role=menu]"))
    rows = f"{all_of('[role=menu] [aria-disabled=true]')}.map((one) => one.innerText)"
    off = await person.finds(rows)
    assert [row.split("\n")[0] for row in off] == ["Expert", "Heavy"]
    assert "Resets in" in off[0]
    await person.clicks("[role=menu] [aria-disabled=true]")
    assert await person.finds(f"{one('#model-select-trigger')}.textContent") == "Auto"
    await person.clicks("[role=menuitem][aria-haspopup=menu]")
    await person.sees(f"{all_of('[role=menu]')}.length === 2")
    await person.clicks("[role=menu] ~ [role=menu] [role=menuitem]")
    await person.sees(f"{all_of('[role=menu]')}.length === 3")
    await person.clicks("[role=menu] ~ [role=menu] ~ [role=menu] [role=menuitemradio]")
    await person.sees(f"{one('#model-select-trigger')}.textContent === 'Expert'")
    assert await person.counts("[role=menu]") == 0


async def test_of_a_long_chat_only_what_is_near_is_in_the_page(lab_tab):
    person = await lab_tab(f"{HOME}c/{long_id()}")
    await person.sees(f"{all_of(TEXT)}.some((one) => one.innerText.startsWith('Answer {LONG} '))")
    assert await person.counts("div[id^='response-']") < 15
    assert not await person.finds(
        f"{all_of(QUESTION)}.some((one) => one.innerText === 'Question 1 of {LONG}?')"
    )
    await person.finds(f"{one('[data-testid=chat-transcript-scroller]')}.scrollTop = 0")
    first = f"{all_of(QUESTION)}.some((one) => one.innerText === 'Question 1 of {LONG}?')"
    await person.sees(first)
    assert await person.counts("div[id^='response-']") < 15


async def test_a_tab_chooses_how_much_past_there_is(lab_tab, lab):
    chosen = "0a0a0a0a-1111-4222-8333-444444444444"
    person = await lab_tab(at("past:3", f"c/{chosen}"))
    await person.sees(over(3))
    assert await person.counts(QUESTION) == 3
    await asked(person, f"Grok, on top of the past\n{FAST}")
    await person.sees(over(4))
    assert len(lab.room.chat("grok", chosen).exchanges) == 4
    assert lab.room.chat("grok", chosen).title == "A long talk, 3 questions"


async def test_the_list_comes_in_pages(lab_tab, lab):
    chats = lab.room.conversations["grok"]
    old = [f"00000000-0000-4000-8000-0000000000{count:02}" for count in range(40)]
    chats.update((named, Chat(named, f"Old {named[-2:]}")) for named in old)  # last of all
    shown = all_of("#history a")
    try:
        person = await lab_tab(HOME)
        await person.sees(f"{shown}.length === 30")
        while await person.counts("#history button"):
            # the page may ask for its first chats anew just then, and shows the newest list
            await person.finds(f"{one('#history a')}.id = 'before'")
            await person.finds(f"{one('#history button')}?.click()")  # aimed, it may have moved
            await person.sees("!document.querySelector('#before')")
    finally:
        for named in old:
            del chats[named]
    titles = await person.finds(f"{shown}.map((one) => one.textContent)")
    assert [title for title in titles if title.startswith("Old ")] == [
        f"Old {count:02}" for count in range(40)
    ]


async def test_code_out_of_sight_is_not_in_the_page_until_one_scrolls_there(lab_tab):
    person = await lab_tab(HOME)
    await asked(person, "Grok writes code first\nlab: answer=rich every=0.002 first=0.01")
    await person.sees(over())
    await person.goes_to(await person.finds("location.href"))
    await person.sees(over())
    blocks = await person.counts("[data-testid='code-block']")
    assert blocks == 2
    assert await person.counts("[data-testid='code-block'] pre") == 0
    await person.finds(f"{one('[data-testid=code-block]')}.scrollIntoView()")
    await person.sees(one("[data-testid='code-block'] pre"))


async def test_a_private_chat_is_in_no_list_and_has_no_address(lab_tab, lab):
    prompt = f"Grok keeps a secret\n{FAST}"
    person = await lab_tab(HOME)
    await person.sees(one(COMPOSER))
    await person.clicks("header .private")
    await person.sees(one("main.is-private"))
    await asked(person, prompt)
    await person.sees(over())
    assert await person.finds("location.pathname + location.hash") == "/c#private"
    assert not lab.room.chat("grok", entry_of(lab, prompt).conversation_id).listed
    titles = await person.finds(f"{all_of('#history a')}.map((one) => one.textContent)")
    assert "Grok keeps a secret" not in titles


async def test_a_chat_in_a_project_has_the_projects_address(lab_tab, lab):
    prompt = f"Grok takes notes\n{FAST}"
    person = await lab_tab(HOME)
    await person.clicks("#projects a")
    await person.sees(f"location.pathname === '/project/{PROJECT}'")
    await asked(person, prompt)
    await person.sees(over())
    named = entry_of(lab, prompt).conversation_id
    assert await person.finds("location.href") == f"{HOME}project/{PROJECT}?chat={named}"
    assert lab.room.chat("grok", named).folder == PROJECT
    await person.goes_to(await person.finds("location.href"))
    await person.sees(over())
    assert await texts(person) == [words(plan_for(prompt).text)]


async def test_a_chat_that_is_not_there_is_told(lab_tab):
    person = await lab_tab(f"{HOME}c/99999999-9999-4999-8999-999999999999")
    await person.sees(one(".toast"))
    assert await person.counts("[role=article]") == 0


async def test_the_other_address_for_answers_is_used(lab_tab, lab):
    prompt = f"Grok was rebuilt\n{FAST}"
    person = await lab_tab(at("endpoint:renamed"))
    await person.finds(
        "fetched = [], fetch = new Proxy(fetch, { apply(get, self, given) { "
        "fetched.push(given[0]); return Reflect.apply(get, self, given); } }), 1"
    )
    await asked(person, prompt)
    await person.sees(over())
    assert "/rest/app-chat/turns/new" in await person.finds("fetched")
    entry_of(lab, prompt)


async def test_the_newest_answer_is_asked_for_again(lab_tab, lab):
    prompt = f"Grok, again please\n{FAST}"
    person = await lab_tab(HOME)
    await asked(person, prompt)
    await person.sees(over())
    await person.clicks(f"{BAR} button[aria-label='Regenerate']")
    await person.sees(over(2))
    await has_arrived(lab, prompt, times=2)
    assert await texts(person) == [words(plan_for(prompt).text)] * 2


async def test_a_page_that_draws_by_frames_shows_nothing_where_there_are_none(lab_tab):
    prompt = f"Grok is not looked at\n{FAST}"
    person = await lab_tab(at("draw:frame"))
    await person.sees(one(COMPOSER))
    await person.finds(
        "drawing = requestAnimationFrame, frames = [], "
        "requestAnimationFrame = (draw) => frames.push(draw), "
        "ended = new Promise((done) => new PerformanceObserver((list) => list.getEntries().some("
        "(one) => one.name.endsWith('/new')) && done(1)).observe({ type: 'resource' })), 1"
    )
    await asked(person, prompt)
    await person.finds("ended")
    assert await person.counts(TEXT) == 0
    assert await person.counts(STOP) == 1, "nobody is told of an end that is not drawn"
    await person.finds("requestAnimationFrame = drawing, frames.forEach((draw) => draw(0)), 1")
    await person.sees(over())
    assert await texts(person) == [words(plan_for(prompt).text)]


async def test_a_new_chat_may_have_an_address_that_is_none(lab_tab, lab):
    prompt = f"Grok is nowhere yet\n{FAST}"
    person = await lab_tab(at("transient-address,late-address:1"))
    await person.finds(
        "pushed = new Promise((done) => { const push = history.pushState; history.pushState = "
        "function (...given) { const was = location.pathname; push.apply(this, given); done(was); "
        "}; }), 1"
    )
    await asked(person, prompt)
    assert await person.finds("pushed") == "/c/pending"
    named = entry_of(lab, prompt).conversation_id
    assert await person.finds("location.pathname") == f"/c/{named}"
