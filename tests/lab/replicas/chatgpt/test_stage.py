"""The stages of ChatGPT's pages, by hand: obstacles, late parts, menus, uploads, kinds of chats."""

import asyncio
import json

import pytest

from kit.lab import has_arrived
from lab.replicas.chatgpt.at_chatgpt import (
    CLASSIC,
    ENDLESS,
    HOME,
    LOOKS,
    OCTANE,
    QUICK,
    TURN_KEY,
    WELCOME,
    address,
    asks,
    begins,
    chat_of,
    is_over,
    planned,
    there,
    words_of,
)
from tabwire.lab.ledger import Deed

pytestmark = pytest.mark.asyncio

CHATS = 'nav a[href^="/c/"]'


async def gives(person, css, path):
    """Choose a file, as the file chooser of an input would."""
    found = await person.session.call(
        "Runtime.evaluate", {"expression": there(css), "returnByValue": False}
    )
    what = {"files": [str(path)], "objectId": found["result"]["objectId"]}
    await person.session.call("DOM.setFileInputFiles", what)


@pytest.mark.parametrize("look", LOOKS.values(), ids=LOOKS)
async def test_a_swallowed_click_sends_nothing_and_the_next_one_does(lab, lab_tab, look):
    person = await lab_tab(address(look, swallow=1))
    prompt = f"Swallow in {look.name}\n{QUICK}"
    await person.writes(look.composer, prompt)
    await person.sees(there(look.send))
    await person.clicks(look.send)
    assert await person.counts(look.question) == 0
    assert prompt not in lab.ledger.prompts("chatgpt")
    await person.clicks(look.send)
    await is_over(person, look)
    assert lab.ledger.prompts("chatgpt").count(prompt) == 1


async def test_two_clicks_on_a_slow_send_ask_twice(lab, lab_tab):
    person = await lab_tab(address(slow_send=2.0))
    prompt = f"Twice\n{QUICK}"
    await person.writes(TURN_KEY.composer, prompt)
    await person.sees(there(TURN_KEY.send))
    for _ in range(2):
        await person.clicks(TURN_KEY.send)
    await person.sees("document.querySelectorAll('[data-turn-key]').length === 2")
    await person.sees(f"!{there(TURN_KEY.send)} && {there('.voice')}")
    await has_arrived(lab, prompt, times=2)


@pytest.mark.parametrize("kind, last", [("cookies", "Accept all"), ("upsell", "Claim the offer")])
async def test_an_overlay_really_covers_the_composer_until_it_is_closed(lab_tab, kind, last):
    person = await lab_tab(address(overlay=kind))
    await person.sees(there('[role="dialog"]'))
    covered = (
        f"(() => {{ const box = {there(TURN_KEY.composer)}.getBoundingClientRect(); "
        "return Boolean(document.elementFromPoint(box.x + box.width / 2, box.y + 5)"
        ".closest('[data-overlay]')); })()"
    )
    assert await person.finds(covered)
    assert await person.finds(f"{there('[role=dialog]')}.textContent.endsWith({json.dumps(last)})")
    await person.clicks('[role="dialog"] button:last-child')
    assert not await person.finds(covered)


async def test_a_new_chat_s_address_comes_late_and_another_stands_there_before(lab, lab_tab):
    person = await lab_tab(address(late_address=2.0, transient_address="on"))
    prompt = f"Late address\n{QUICK}"
    await begins(person, TURN_KEY, prompt)
    await is_over(person, TURN_KEY)
    assert (await person.finds("location.pathname")).startswith("/c/WEB:")
    named = chat_of(lab, prompt).id
    await person.finds(
        f"new Promise((done) => {{ const wait = () => location.pathname === '/c/{named}' ? done(1) "
        ": requestIdleCallback(wait); wait(); })"
    )
    assert "lab=" in await person.finds("location.search")


async def test_the_person_s_own_message_comes_late(lab_tab):
    person = await lab_tab(address(late_message=1.5))
    await begins(person, TURN_KEY, f"Late message\n{ENDLESS}")
    await person.sees(f"{there(TURN_KEY.root)} && !{there(TURN_KEY.question)}")
    await person.sees(there(TURN_KEY.question))


@pytest.mark.parametrize("look", [OCTANE, CLASSIC], ids=lambda look: look.name)
async def test_a_late_question_still_stands_before_its_answer(lab_tab, look):
    person = await lab_tab(address(look, late_message=0.5))
    await asks(person, look, f"Late in {look.name}\n{QUICK}")
    order = await person.finds(
        f"{there(look.question)}.compareDocumentPosition({there(look.root)}) "
        "& Node.DOCUMENT_POSITION_FOLLOWING"
    )
    assert order


# -- menus and files ----------------------------------------------------------------------


async def test_the_model_picker_has_levels_and_a_tier_that_is_switched_off(lab, lab_tab):
    person = await lab_tab(address(tier_exhausted="on"))
    trigger = "button[data-codex-intelligence-trigger]"
    await person.clicks(trigger)
    slider = await person.sees(f"{there('[role=menu] [role=slider]')}?.ariaValueMax")
    assert slider == "4"
    await person.clicks("[role=menu] [data-has-submenu]:last-child")
    await person.sees("document.querySelectorAll('[role=menu]').length === 2")
    rows = "[role=menu]:last-of-type [role=menuitemradio]"
    off = await person.finds(f"{there(f'{rows}[aria-disabled=true]')}.textContent")
    assert off.startswith("Pro")
    assert "Resets at" in off
    await person.clicks(f"{rows}[aria-disabled=true]")
    assert (
        await person.finds(f"{there(trigger)}.getAttribute('data-selected-reasoning-effort')")
        == "medium"
    )
    await person.clicks(f"{rows}:nth-child(3)")
    assert (
        await person.finds(f"{there(trigger)}.getAttribute('data-selected-reasoning-effort')")
        == "high"
    )
    assert await person.counts("[role=menu]") == 0


async def test_the_model_that_was_picked_is_asked_for(lab_tab):
    person = await lab_tab(address(CLASSIC))
    await person.sees(there(CLASSIC.composer))
    await person.clicks('[data-testid="model-switcher-dropdown-button"]')
    await person.clicks('[data-testid="model-switcher-model"]')
    await person.clicks('[data-testid="model-switcher-o3"]')
    with person.session.subscribe(["Network.requestWillBeSent"]) as sent:
        await person.session.call("Network.enable")
        await begins(person, CLASSIC, f"Picked\n{QUICK}")
        async with asyncio.timeout(30):
            async for event in sent:
                request = event.read()["request"]
                if request["url"].endswith("/f/conversation"):
                    break
    assert json.loads(request["postData"])["model"] == "o3"


UPLOADS = [
    (TURN_KEY, "form[data-chatgpt-composer] input[type=file]"),
    (OCTANE, "#octane-mobile-composer-files-input"),
    (CLASSIC, "#upload-files"),
    (CLASSIC, "#upload-photos"),
]


@pytest.mark.parametrize("look, css", UPLOADS, ids=[f"{a.name} {b}" for a, b in UPLOADS])
@pytest.mark.rows(1)
async def test_a_file_takes_its_time_and_goes_along(lab, lab_tab, tmp_path, look, css):
    name = f"{look.name}-{css.rpartition('-')[2].strip(']')}.txt"
    (tmp_path / name).write_text("something to read")
    person = await lab_tab(address(look, upload_seconds=1.0))
    await person.sees(there(look.composer))
    prompt = f"With a file {css}\n{QUICK}"
    await person.writes(look.composer, prompt)
    await person.sees(there(look.send))
    await gives(person, css, tmp_path / name)
    await person.sees(f"{there('.files [data-state=going] progress')} && !{there(look.send)}")
    await person.sees(f"{there('.files [data-state=done]')} && {there(look.send)}")
    await person.presses("Enter")
    await is_over(person, look)
    assert chat_of(lab, prompt).exchanges[-1].files == (name,)
    (uploaded,) = [one for one in lab.ledger.of(Deed.UPLOAD, "chatgpt") if one.files == (name,)]
    assert uploaded.bytes == len("something to read")
    assert await person.finds(f"{there('.sent-file')}.textContent") == name
    assert await person.counts(".files [data-state]") == 0


async def test_an_upload_that_fails_is_said_and_can_be_removed(lab, lab_tab, tmp_path):
    (tmp_path / "broken.txt").write_text("never arrives")
    person = await lab_tab(address(upload_fails="on", lang="de"))
    await person.sees(there(TURN_KEY.composer))
    await gives(person, "form input[type=file]", tmp_path / "broken.txt")
    said = await person.sees(f"{there('.files [data-state=failed] [role=alert]')}?.textContent")
    assert said == "Hochladen fehlgeschlagen"
    await person.clicks(".files [data-state=failed] button")
    assert await person.counts(".files [data-state]") == 0
    prompt = f"Without it\n{QUICK}"
    await asks(person, TURN_KEY, prompt)
    assert chat_of(lab, prompt).exchanges[-1].files == ()


@pytest.mark.parametrize("look", LOOKS.values(), ids=LOOKS)
async def test_the_plus_opens_a_menu_that_leads_to_the_file_chooser(lab_tab, look):
    person = await lab_tab(address(look))
    await person.sees(there(look.composer))
    plus = 'form [aria-label="Add files and more"]'
    await person.sees(f"{there(plus)}?.ariaHasPopup === 'menu'")
    await person.session.call("Page.setInterceptFileChooserDialog", {"enabled": True})
    with person.session.subscribe(["Page.fileChooserOpened"]) as opened:
        await person.clicks(plus)
        await person.clicks("[role=menu] [role=menuitem]")
        async with asyncio.timeout(30):
            await anext(aiter(opened))


# -- accounts and kinds of chats ----------------------------------------------------------


async def test_a_login_button_may_be_pinned_to_a_page_that_is_logged_in(lab_tab):
    person = await lab_tab(address(login="pinned"))
    await person.sees(f"{there(CHATS)} && {there('[data-testid=login-button]')}")
    prompt = f"Pinned\n{QUICK}"
    assert await asks(person, TURN_KEY, prompt) == planned(prompt)


async def test_a_session_that_is_over_is_noticed_only_by_asking(lab_tab):
    person = await lab_tab(address(login="expired"))
    await person.sees(there(CHATS))
    assert await person.counts('[role="dialog"]') == 0
    await begins(person, TURN_KEY, f"Expired\n{QUICK}")
    await person.sees(there('[role="dialog"] [data-testid="login-button"]'))


async def test_a_wall_shows_nothing_but_a_request_to_log_in(lab_tab):
    person = await lab_tab(address(login="wall", lang="fr", layout="classic"))
    await person.sees(f"{there('[data-testid=login-button]')}?.textContent === 'Se connecter'")
    assert await person.counts("[contenteditable], textarea") == 0
    assert await person.finds("document.body.innerText.includes('Tabwire lab: a stand-in')")


async def test_a_challenge_is_served_in_place_of_the_page(lab_tab):
    person = await lab_tab(address(challenge="on"))
    assert await person.finds("document.title") == "Just a moment..."
    assert await person.counts('script[src*="/cdn-cgi/challenge-platform/"]') == 1
    assert await person.finds("document.body.innerText.includes('Tabwire lab: a stand-in')")


async def test_a_guest_without_a_layout_gets_the_guests_one(lab_tab):
    person = await lab_tab(f"{HOME}?lab=login:out")
    await person.sees(there(OCTANE.composer))


async def test_a_temporary_chat_has_no_address_and_is_in_no_list(lab, lab_tab):
    person = await lab_tab(HOME)
    await person.clicks("a[data-temporary-chat]")
    await person.sees(there("body[data-temporary]"))
    prompt = f"Temporary\n{QUICK}"
    assert await asks(person, TURN_KEY, prompt) == planned(prompt)
    assert await person.finds("location.pathname + location.search") == "/?temporary-chat=true"
    assert not chat_of(lab, prompt).listed
    links = "[...document.querySelectorAll('nav a')].map((link) => link.textContent)"
    assert "Temporary" not in await person.finds(links)


async def test_a_project_s_chat_knows_its_project(lab, lab_tab):
    person = await lab_tab(f"{HOME}g/g-p-lab0notes/project")
    await person.sees(there("body[data-project]"))
    prompt = f"In a project\n{QUICK}"
    assert await asks(person, TURN_KEY, prompt) == planned(prompt)
    chat = chat_of(lab, prompt)
    assert chat.folder == "g-p-lab0notes"
    place = f"/g/g-p-lab0notes/c/{chat.id}"
    assert await person.finds("location.pathname") == place
    await person.goes_to(HOME.rstrip("/") + place)
    await is_over(person, TURN_KEY)
    assert await person.finds(words_of(TURN_KEY.root)) == planned(prompt)


@pytest.mark.parametrize("look", [TURN_KEY, CLASSIC], ids=lambda look: look.name)
async def test_of_a_long_chat_only_what_is_near_is_in_the_page(lab_tab, look):
    person = await lab_tab(address(look, path=f"c/{WELCOME}", past=60))
    await is_over(person, look)
    last = f"[...document.querySelectorAll({json.dumps(look.question)})].at(-1).textContent"
    assert await person.finds(last) == "What is this place?"
    assert await person.counts(look.question) < 20
    questions = (
        f"[...document.querySelectorAll({json.dumps(look.question)})].map((one) => one.textContent)"
    )
    assert not any("question 1:" in one for one in await person.finds(questions))
    scroller = {"turn_key": "#scroll", "classic": "[data-scroll-root]"}[look.name]
    await person.finds(f"{there(scroller)}.scrollTo(0, 0)")
    await person.sees(f"{questions}.some((words) => words.includes('question 1:'))")
    assert await person.finds(last) == "What is this place?"
    assert await person.counts(look.question) < 20


async def test_a_page_that_draws_by_frames_draws_nothing_while_it_is_hidden(lab, lab_tab):
    person = await lab_tab(address(draw="frame"))
    prompt = f"Unseen\n{QUICK}"
    await person.writes(TURN_KEY.composer, prompt)
    await person.sees(there(TURN_KEY.send))
    # frames stop as in a tab that is not seen
    await person.finds(
        "globalThis.requestAnimationFrame = (work) => { (globalThis.held ??= []).push(work); "
        "document.body.setAttribute('data-held', ''); return 1; }"
    )
    await person.presses("Enter")
    await person.sees(f"{there(TURN_KEY.question)} && {there('[data-held]')}")
    assert await person.counts(TURN_KEY.root) == 0
    await person.finds(
        "globalThis.requestAnimationFrame = (work) => setTimeout(work, 0); "
        "held.forEach((work) => work())"
    )
    await is_over(person, TURN_KEY)
    assert await person.finds(words_of(TURN_KEY.root)) == planned(prompt)


async def test_after_a_rebuild_the_page_asks_elsewhere(lab_tab):
    person = await lab_tab(address(endpoint="renamed"))
    prompt = f"Elsewhere\n{QUICK}"
    assert await asks(person, TURN_KEY, prompt) == planned(prompt)
    asked = await person.finds(
        "performance.getEntriesByType('resource').map(({ name }) => new URL(name).pathname)"
    )
    assert "/backend-api/g/conversation" in asked
    assert "/backend-api/f/conversation" not in asked
