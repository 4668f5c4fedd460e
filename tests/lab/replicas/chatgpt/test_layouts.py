"""ChatGPT's three layouts by hand: every language, what each looks like at which time."""

import re
from html.parser import HTMLParser

import pytest

from kit.turns import by_turns
from lab.replicas.chatgpt.at_chatgpt import (
    CLASSIC,
    ENDLESS,
    HOME,
    LOOKS,
    OCTANE,
    QUICK,
    STEADY,
    TURN_KEY,
    address,
    asks,
    begins,
    chat_of,
    is_over,
    planned,
    there,
    words_of,
)
from tabwire.lab.stories.stage import LANGUAGES

pytestmark = pytest.mark.asyncio

SEND = {
    "turn_key": ("Send", "送信", "Senden", "Envoyer", "إرسال", "发送"),
    "classic": (
        "Send prompt",
        "プロンプトを送信する",
        "Prompt senden",
        "Envoyer le prompt",
        "إرسال الموجه",
        "发送提示",
    ),
}
SEND["octane"] = SEND["turn_key"]
STOP = ("Stop", "停止", "Stoppen", "Arrêter", "إيقاف", "停止")


@pytest.mark.parametrize("look", LOOKS.values(), ids=LOOKS)
@pytest.mark.rows(1, first=2)
async def test_an_exchange_in_every_language(lab, lab_tab, look):
    person = await lab_tab("about:blank")
    for lang, label in zip(LANGUAGES, SEND[look.name], strict=True):
        await person.goes_to(address(look, lang=lang))
        prompt = f"In {lang}, {look.name}\n{QUICK}"
        await person.writes(look.composer, prompt)
        assert await person.sees(f"{there(look.send)}?.ariaLabel") == label
        await person.presses("Enter")
        await is_over(person, look)
        assert await person.finds(words_of(look.root)) == planned(prompt)
        assert await person.finds(f"{there(look.question)}.textContent") == prompt
        assert lab.ledger.prompts("chatgpt").count(prompt) == 1
        page = await person.finds("[document.documentElement.lang, document.documentElement.dir]")
        assert page == [lang, "rtl" if lang == "ar" else "ltr"]
        assert await person.finds(f"{there('.lab')}.checkVisibility()")
        shown = await person.finds(f"{there('.lab')}.textContent")
        assert shown.startswith("Tabwire lab: a stand-in, not ChatGPT")


@pytest.mark.parametrize("lang, label", list(zip(LANGUAGES, STOP, strict=True)))
@pytest.mark.rows(1)
async def test_stop_says_so_in_the_page_s_language_and_stops(lab, lab_tab, lang, label):
    person = await lab_tab(address(TURN_KEY, lang=lang))
    prompt = f"Stop in {lang}\n{ENDLESS}"
    await begins(person, TURN_KEY, prompt)
    await person.sees(f"{words_of(TURN_KEY.root)}.length > 20")
    assert await person.finds(f"{there(TURN_KEY.stop)}.ariaLabel") == label
    await person.clicks(TURN_KEY.stop)
    await is_over(person, TURN_KEY)
    assert chat_of(lab, prompt).exchanges[-1].standing == "stopped"


async def test_every_language_has_every_word(lab_tab):
    """And the same things to fill in. Names stay as they are."""
    person = await lab_tab(address())
    spoken = await person.finds(
        """Promise.all(["ja", "de", "fr", "ar", "zh"].map(async (lang) =>
             [lang, (await import(`/assets/labels_${lang}.js`))[lang]]))
           .then(Object.fromEntries)"""
    )
    source = await person.finds('fetch("/assets/labels.js").then((found) => found.text())')
    english = dict(re.findall(r"^  (\w+): \"(.*)\",$", source, re.MULTILINE))
    assert len(english) > 90
    names = {"plan", "pro"}
    for lang, words in spoken.items():
        assert set(english) - set(words) == names, lang
        for key, said in words.items():
            holes = re.findall(r"\{\w+\}", said)
            assert holes == re.findall(r"\{\w+\}", english[key]), (lang, key)


async def test_every_word_a_page_asks_for_is_there(lab_tab):
    person = await lab_tab(address())
    source = await person.finds('fetch("/assets/labels.js").then((found) => found.text())')
    known = set(re.findall(r"^  (\w+): ", source, re.MULTILINE))
    names = [f"{look}.js" for look in LOOKS]
    names += ["view.js", "page.js", "turn.js", "menus.js"]
    for name in names:
        script = await person.finds(f'fetch("/assets/{name}").then((found) => found.text())')
        asked = set(re.findall(r"\b(?:t|say)\(\"(\w+)\"", script))
        assert asked, name
        assert asked <= known, (name, asked - known)


# -- what each looks like at its time -----------------------------------------------------


async def test_the_guests_list_says_how_far_an_answer_got(lab_tab):
    """The address comes 1.2 s after Enter, and takes a mark of the answer away with it."""
    person = await lab_tab(address(OCTANE))
    await begins(person, OCTANE, f"How far\n{ENDLESS}")
    pending = 'li[data-message-role="assistant"][id^="pending-"]'
    streaming = there(f"{pending}[data-message-streaming]:not([data-message-complete])")
    await person.sees(f"{streaming} && location.pathname === '/'")
    await person.sees(there(f"{pending}[data-assistant-content-started]"))
    await person.sees("location.pathname.startsWith('/uc/')")
    await person.sees(f"!{there(f'{pending}[data-message-streaming]')}")
    assert await person.counts(f"{pending}[data-message-complete]") == 0
    named = await person.finds(f"{there('section')}.getAttribute('data-conversation-id')")
    assert await person.finds("location.pathname") == f"/uc/{named}"
    await person.clicks(OCTANE.stop)
    await is_over(person, OCTANE)
    assert await person.counts(pending) == 0


async def test_one_button_sends_and_stops_for_guests(lab_tab):
    person = await lab_tab(address(OCTANE))
    button = there("button[data-composer-submit]")
    await person.sees(f"{button}.getAttribute('data-send-label') === 'Send'")
    off = await person.finds(
        f"[{button}.ariaDisabled, {button}.disabled, {button}.matches('[data-visually-disabled]')]"
    )
    assert off == ["true", False, True]
    await begins(person, OCTANE, f"One button\n{ENDLESS}")
    await person.sees(there(OCTANE.stop))
    assert await person.finds(f"[{button}.type, {button}.ariaLabel]") == ["button", "Stop"]
    await person.clicks("button[data-composer-submit]")
    await is_over(person, OCTANE)
    assert await person.finds(f"[{button}.type, {button}.ariaLabel]") == ["submit", "Send"]


async def test_voice_send_and_stop_take_turns_in_the_old_layout(lab_tab):
    person = await lab_tab(address(CLASSIC))
    voice = '[data-testid="composer-speech-button"]'
    await person.sees(there(voice))
    assert await person.counts("#composer-submit-button") == 0
    await begins(person, CLASSIC, f"Take turns\n{ENDLESS}")
    await person.sees(f"{there(CLASSIC.stop)} && !{there(CLASSIC.send)} && !{there(voice)}")
    assert await person.finds(f"{there('#composer-submit-button')}.ariaLabel") == "Stop streaming"
    await person.sees(f"{words_of(CLASSIC.root)}.length > 20")
    await person.clicks(CLASSIC.stop)
    await is_over(person, CLASSIC)
    await person.sees(f"{there(voice)} && !{there(CLASSIC.stop)}")


async def test_the_old_answer_waits_with_dots_and_is_animated_while_it_grows(lab_tab):
    person = await lab_tab(address(CLASSIC))
    await begins(person, CLASSIC, "Dots\nlab: think=1 every=0.3 first=0.3 pieces=6")
    await person.sees(there(".markdown.result-thinking:empty"))
    await person.sees(there(".markdown.streaming-animation:not(.result-thinking)"))
    await is_over(person, CLASSIC)
    assert await person.counts(".streaming-animation, .result-thinking") == 0
    assert await person.counts('[data-message-author-role="assistant"]') == 1


async def test_finished_code_is_an_editor_line_by_line_in_the_old_layout(lab_tab):
    person = await lab_tab(address(CLASSIC))
    prompt = "Old code\nlab: every=0.02 first=0"
    await begins(person, CLASSIC, prompt)
    await person.sees(f"{there('pre > code')} && !{there('.cm-content')}")
    await is_over(person, CLASSIC)
    lines = await person.finds(
        f"[...{there('pre .cm-content[data-language=python]')}.children]"
        ".map((line) => line.textContent).join('\\n')"
    )
    assert lines == planned(prompt).partition("```python\n")[2].partition("\n```")[0]


async def test_the_old_layout_s_decoy_is_no_composer(lab, lab_tab):
    """Before the page is alive a textarea stands there; sending from it only navigates."""
    person = await lab_tab(address(CLASSIC, hydrate=60))
    before = lab.ledger.prompts("chatgpt")
    await person.writes('textarea[name="prompt-textarea"]', "into the void")
    assert await person.counts(CLASSIC.composer) == 0
    with person.session.subscribe(["Page.loadEventFired"]) as loaded:
        await person.clicks("form button[type=submit]")
        await anext(aiter(loaded))
    assert await person.finds("location.href") == f"{HOME}?prompt-textarea=into+the+void"
    assert lab.ledger.prompts("chatgpt") == before


async def test_the_decoy_stays_hidden_once_the_page_is_alive(lab_tab):
    person = await lab_tab(address(CLASSIC, hydrate=0.5))
    decoy = there('textarea[name="prompt-textarea"]')
    assert await person.finds(f"{decoy}.checkVisibility() && !{there(CLASSIC.composer)}")
    await person.sees(there(CLASSIC.composer))
    assert not await person.finds(f"{decoy}.checkVisibility()")


async def test_a_stop_before_the_first_word_reaches_the_site_all_the_same(lab, lab_tab):
    """The page learns only later which chat it has stopped."""
    person = await lab_tab(address())
    prompt = f"Stop at once\n{ENDLESS} first=0.4"
    await person.sees(there(TURN_KEY.composer))
    await person.finds(
        f"new MutationObserver((_, watch) => {{ const stop = {there(TURN_KEY.stop)}; "
        "if (stop) { watch.disconnect(); stop.click(); } })"
        f".observe({there('form')}, {{ childList: true, subtree: true }})"
    )
    await begins(person, TURN_KEY, prompt)
    await person.sees(f"{there(TURN_KEY.question)} && !{there(TURN_KEY.stop)}")
    assert chat_of(lab, prompt).exchanges[-1].standing == "stopped"


@pytest.mark.parametrize("look", LOOKS.values(), ids=LOOKS)
async def test_send_is_there_only_with_text(lab_tab, look):
    person = await lab_tab(address(look))
    await person.sees(f"{there(look.composer)}")
    assert await person.counts(look.send) == 0
    await person.writes(look.composer, "   ")
    assert await person.counts(look.send) == 0
    await person.writes(look.composer, "words")
    await person.sees(there(look.send))


@pytest.mark.parametrize("look", by_turns("there again", tuple(LOOKS.values())))
async def test_an_answer_is_there_again_after_a_reload_in_its_middle(lab, lab_tab, look):
    person = await lab_tab(address(look))
    prompt = f"Reload {look.name}\nlab: pieces=80 every=0.05 first=0 chars=9"
    await begins(person, look, prompt)
    await person.sees("location.pathname.length > 30")
    await person.goes_to(await person.finds("location.href"))
    await is_over(person, look)
    assert await person.finds(words_of(look.root)) == planned(prompt)
    assert lab.ledger.prompts("chatgpt").count(prompt) == 1


async def test_guests_of_the_old_layout_have_no_chats_and_two_ways_to_log_in(lab, lab_tab):
    person = await lab_tab(address(CLASSIC, login="out"))
    prompt = f"An old guest\n{QUICK}"
    assert await asks(person, CLASSIC, prompt) == planned(prompt)
    assert await person.counts("[data-testid=login-button], [data-testid=signup-button]") == 2
    assert await person.counts("nav a[href^='/c/']") == 0
    assert await person.finds("location.pathname") == "/"
    assert not chat_of(lab, prompt).listed


# -- beside the recordings ----------------------------------------------------------------


class _Marks(HTMLParser):
    """Which elements carry which attributes, and with which of these values."""

    TOLD = ("aria-label", "role", "data-testid", "name", "id", "data-turn", "type")
    CHANGES = re.compile(r"[0-9a-f]{8}-|^radix|^_r_|^on$")

    def __init__(self, text: str, within: str = "body") -> None:
        super().__init__()
        self.found: set[tuple[str, str, str]] = set()
        self._within, self._depth = within, 0
        self.feed(text)

    def handle_starttag(self, tag, attrs):
        if tag == self._within or self._depth:
            self._depth += tag == self._within
            for name, value in attrs:
                told = name in self.TOLD and not self.CHANGES.search(value or "")
                self.found.add((tag, name, (value or "") if told else ""))

    def handle_endtag(self, tag):
        self._depth -= tag == self._within and self._depth > 0


def _recording(shared, name):
    path = shared / "recordings" / "chatgpt" / name
    if not path.exists():
        pytest.skip(f"{path} is not here")
    return path.read_text(encoding="utf-8")


async def _marks(person, within="body"):
    return _Marks(await person.finds("document.body.outerHTML"), within).found


async def test_the_new_layout_has_every_mark_of_the_recorded_one(shared, lab_tab):
    recorded = _Marks(_recording(shared, "dom_probe_loggedin_turnkey_skeleton_2026-09-21.html"))
    person = await lab_tab(HOME)
    await asks(person, TURN_KEY, "Show me code and a list\nlab: every=0 first=0")
    missing = recorded.found - await _marks(person)
    assert missing == set()


async def test_the_old_layout_has_every_mark_of_the_recorded_conversation(shared, lab_tab):
    """Of its turns and its composer. Looks are its own, and words say nothing of their source."""
    page = _recording(shared, "dom_tochi_full_page_loggedout_2026-04.html")
    recorded = {one for within in ("section", "form") for one in _Marks(page, within).found}
    person = await lab_tab(address(CLASSIC, login="out"))
    for number in (1, 2):
        await asks(person, CLASSIC, f"Beside the old page, {number}\n{QUICK}")
    own = {"style", "class", "data-start", "data-end", "data-is-last-node", "data-is-only-node"}
    pictures = {"svg", "path", "use"}
    missing = recorded - await _marks(person)
    assert {one for one in missing if one[1] not in own and one[0] not in pictures} == set()


async def test_the_old_page_s_thinking_stands_outside_the_message(shared, lab_tab):
    """As in the recording: a button between the messages of a turn."""
    recorded = _recording(shared, "dom_defuddle_chatgpt-post-thought-content.html")
    assert re.search(r"</div>\s*<button type=\"button\">\s*<span[^>]*>Thought", recorded)
    person = await lab_tab(address(CLASSIC))
    await asks(person, CLASSIC, f"{STEADY} think=2")
    inside = "[data-turn=assistant] button[aria-expanded]"
    assert await person.counts(inside) == 1
    assert await person.counts("[data-message-author-role] button[aria-expanded]") == 0
