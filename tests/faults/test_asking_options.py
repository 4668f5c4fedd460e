"""What can be wished for an ask, wished for the whole way: through the hub, in a real page."""

import pytest

from kit.asking import (
    answered,
    asked,
    asking_home,
    begun,
    in_words,
    lab_stage,
    new_prompt,
    prompts_in,
    staged_url,
    tab_where,
    tabs_of,
)
from kit.carriers import both_carriers
from tabwire.hub import LocalHub
from tabwire.hub.jobs.ask_runner import AskControl
from tabwire.hub.jobs.books import Books
from tabwire.lab.ledger import Deed
from tabwire.lab.plan import plan_for
from tabwire.model.ask import Answer, AskRequest, Completeness, PhaseBegan, Step, TextCame
from tabwire.model.ask_errors import (
    LoginRequired,
    ModelNotAvailable,
    NotPrivate,
    UploadRefused,
)
from tabwire.model.errors import Retry
from tabwire.sites.known import SITES
from tabwire.store.rows import Owner

__all__ = ["asking_home", "both_carriers"]

pytestmark = [
    pytest.mark.asyncio,
    pytest.mark.xdist_group("asking"),
    pytest.mark.usefixtures("asking_home"),
]

DEAD = Owner(2**22 + 1, 1.0)  # no pid is that high

EVERY_SITE = pytest.mark.parametrize("site", SITES)


@EVERY_SITE
@pytest.mark.rows(1, first=1)
async def test_a_temporary_chat_is_not_kept_by_the_site(site, lab, lab_browser_url):
    prompt = new_prompt(pieces=4)
    answer = await answered(lab_browser_url, AskRequest(site, prompt, temporary=True))
    assert answer.complete
    assert not answer.problems
    (entry,) = prompts_in(lab, prompt)
    assert not lab.room.chat(site, entry.conversation_id).listed


async def test_a_long_prompt_for_a_temporary_chat_is_looked_at_as_well(lab, lab_browser_url):
    """The browser does not hand over every body at once."""
    prompt = new_prompt("word " * 30_000, pieces=4)
    answer = await answered(lab_browser_url, AskRequest("chatgpt", prompt, temporary=True))
    assert answer.complete
    assert len(prompts_in(lab, prompt)) == 1


@EVERY_SITE
async def test_a_page_without_a_temporary_chat_gets_no_question(site, lab, lab_browser_url):
    """Promise: send. ChatGPT and Grok ignore the address, and Gemini has no control for it."""
    prompt = new_prompt(pieces=4)
    with lab_stage(lab, "no_temporary"):
        wish = AskRequest(site, prompt, temporary=True)
        ((refused,), _events) = await asked(lab_browser_url, wish)
    assert isinstance(refused, NotPrivate), in_words(refused)
    assert (refused.wish, refused.retry) == ("temporary", Retry.SAME)
    assert not prompts_in(lab, prompt)
    kept = await answered(lab_browser_url, AskRequest(site, prompt))
    assert kept.complete
    assert len(prompts_in(lab, prompt)) == 1


async def test_each_temporary_chat_begins_in_a_page_loaded_for_it(lab, lab_browser_url):
    """Grok's address for it differs from the one of the chat before by nothing: the page was used
    as it stood, with that chat in it, and whatever its site had changed since was not seen."""
    for _ in range(2):
        prompt = new_prompt(pieces=4)
        answer = await answered(lab_browser_url, AskRequest("grok", prompt, temporary=True))
        assert answer.complete
        (entry,) = prompts_in(lab, prompt)
        assert len(lab.room.chat("grok", entry.conversation_id).exchanges) == 1
    async with tabs_of(lab_browser_url) as tabs:
        tab = await tab_where(tabs, lambda info: info.url.endswith("/c#private"))
        assert not await tab.navigate("https://grok.com/c#private")
        await tab.detach()
    with lab_stage(lab, "no_temporary"):
        wish = AskRequest("grok", new_prompt(pieces=4), temporary=True)
        ((refused,), _events) = await asked(lab_browser_url, wish)
    assert isinstance(refused, NotPrivate), in_words(refused)
    assert "asks for a chat that is saved" in str(refused)


@EVERY_SITE
async def test_a_guest_does_not_ask_with_the_account(site, lab, lab_browser_url):
    """Promise: send."""
    prompt = new_prompt(pieces=4)
    ((refused,), _events) = await asked(lab_browser_url, AskRequest(site, prompt, guest=True))
    assert isinstance(refused, NotPrivate), in_words(refused)
    assert (refused.wish, refused.retry) == ("guest", Retry.SAME)
    assert not prompts_in(lab, prompt)


@EVERY_SITE
async def test_a_guest_asks_where_the_page_is_logged_out(site, lab, lab_browser_url):
    prompt = new_prompt(pieces=4)
    url = staged_url(site, "login:out")
    answer = await answered(lab_browser_url, AskRequest(site, prompt, url=url, guest=True))
    assert answer.text == plan_for(prompt).text
    assert len(prompts_in(lab, prompt)) == 1


async def test_the_logged_out_chat_answers_only_who_says_guest(lab, lab_browser_url):
    url = "https://chatgpt.com/?lab=layout:octane"
    prompt = new_prompt(pieces=4)
    ((refused,), _events) = await asked(lab_browser_url, AskRequest("chatgpt", prompt, url=url))
    assert isinstance(refused, LoginRequired)
    assert not prompts_in(lab, prompt)
    wish = AskRequest("chatgpt", prompt, url=url, guest=True)
    answer = await answered(lab_browser_url, wish)
    assert answer.text == plan_for(prompt).text
    assert len(prompts_in(lab, prompt)) == 1


@EVERY_SITE
@pytest.mark.rows(1, first=2)
async def test_a_file_is_there_before_the_prompt_leaves(site, lab, lab_browser_url, tmp_path):
    file = tmp_path / f"notes of {site}.txt"
    file.write_text("some notes")
    prompt = new_prompt(pieces=4)
    wish = AskRequest(site, prompt, files=(str(file),))
    answer = await answered(lab_browser_url, wish)
    assert answer.complete
    assert not answer.problems
    (entry,) = prompts_in(lab, prompt)
    uploads = [one for one in lab.ledger.of(Deed.UPLOAD, site) if file.name in one.files]
    assert uploads
    assert uploads[-1].number < entry.number


@pytest.mark.soak
async def test_a_file_of_an_ask_that_is_anothers_is_taken_back(
    lab, lab_browser_url, tmp_path, monkeypatch
):
    """Another process took the ask over before Send was pressed, and died: it is ours again. Its
    composer has the file once."""
    file = tmp_path / "notes.txt"
    file.write_text("some notes")
    prompt = new_prompt(pieces=4)
    checkpoint, taken = Books.checkpoint, []

    def taken_over_once(self, row):
        keep = checkpoint(self, row)

        async def kept(step, **more):
            if step is Step.SENDING and not taken:
                taken.append(await self.store.take_over(row.id, DEAD, self.owner, 1.0))
            await keep(step, **more)

        return kept

    monkeypatch.setattr(Books, "checkpoint", taken_over_once)
    wish = AskRequest("chatgpt", prompt, files=(str(file),))
    answer = await answered(lab_browser_url, wish)
    assert (answer.complete, answer.problems, taken) == (True, (), [True])
    (entry,) = prompts_in(lab, prompt)
    assert entry.files == (file.name,)


async def test_a_file_the_site_refuses_keeps_the_prompt_from_being_sent(
    lab, lab_browser_url, tmp_path
):
    file = tmp_path / "program.exe"
    file.write_bytes(b"MZ")
    prompt = new_prompt(pieces=4)
    wish = AskRequest("grok", prompt, files=(str(file),))
    ((refused,), _events) = await asked(lab_browser_url, wish)
    assert isinstance(refused, UploadRefused)
    assert not prompts_in(lab, prompt)


async def test_a_model_that_is_not_offered_keeps_the_prompt_from_being_sent(lab, lab_browser_url):
    prompt = new_prompt(pieces=4)
    wish = AskRequest("grok", prompt, model="grok-99")
    ((refused,), _events) = await asked(lab_browser_url, wish)
    assert isinstance(refused, ModelNotAvailable)
    assert refused.offered
    assert not prompts_in(lab, prompt)
    best = AskRequest("grok", prompt, model="grok-99", model_best_effort=True)
    assert (await answered(lab_browser_url, best)).complete


async def test_the_model_that_answers_is_the_one_that_was_wished_for(lab, lab_browser_url):
    prompt = new_prompt(pieces=4)
    answer = await answered(lab_browser_url, AskRequest("chatgpt", prompt, model="o3"))
    assert answer.model == "o3"
    assert len(prompts_in(lab, prompt)) == 1


async def test_the_effort_that_was_wished_for_is_in_the_request_and_told(lab, lab_browser_url):
    prompt = new_prompt(pieces=4)
    wish = AskRequest("chatgpt", prompt, effort="high")
    ((answer,), events) = await asked(lab_browser_url, wish)
    assert isinstance(answer, Answer), in_words(answer)
    assert not answer.problems
    notes = [event.note for event in events if isinstance(event, PhaseBegan)]
    assert any("the page has selected High" in note for note in notes), notes
    assert answer.effort == "extended"  # as ChatGPT's request calls it
    same = await LocalHub().asks.fetch("last", site="chatgpt", browser=f"attach={lab_browser_url}")
    assert same.effort == "extended"


async def test_a_mode_that_was_wished_for_as_an_effort_is_told_as_the_page_names_it(
    lab_browser_url,
):
    wish = AskRequest("grok", new_prompt(pieces=4), effort="fast")
    assert (await answered(lab_browser_url, wish)).effort == "Fast"
    assert (await answered(lab_browser_url, AskRequest("grok", new_prompt()))).effort is None


async def test_a_site_without_efforts_says_so_before_any_page_is_loaded(lab, lab_browser_url):
    wish = AskRequest("gemini", new_prompt(), effort="high")
    ((refused,), events) = await asked(lab_browser_url, wish)
    assert isinstance(refused, ModelNotAvailable), in_words(refused)
    assert [one.phase for one in events if isinstance(one, PhaseBegan)] == ["connect"]
    assert not prompts_in(lab, wish.prompt)


async def test_a_site_is_stopped_when_the_person_wants_it_and_says_so(lab, lab_browser_url):
    prompt = new_prompt(pieces=1200, every=0.05)
    control = AskControl()
    async with begun(lab_browser_url, AskRequest("chatgpt", prompt), control=control) as ask:
        await ask.until(TextCame, lambda one: not one.thinking)
        control.stop_site()
        answer = await ask.answer()
    assert answer.completeness is Completeness.STOPPED
    assert plan_for(prompt).text.startswith(answer.text)
    assert lab.ledger.of(Deed.STOP, "chatgpt")


async def test_the_debug_fields_come_with_the_answer_that_wants_them(lab_browser_url):
    prompt = new_prompt(pieces=4)
    answer = await answered(lab_browser_url, AskRequest("gemini", prompt, debug=True))
    assert answer.debug["debug_assistantMsgsCount"] >= 1
    assert answer.debug["debug_pageUrl"].startswith("https://gemini.google.com/")
    assert len([name for name in answer.debug if name.startswith("debug_")]) == 8
    assert answer.debug["extraction"], "and where its text was looked for"
