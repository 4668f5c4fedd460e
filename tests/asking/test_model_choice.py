"""Models and efforts are chosen in the page, and what leaves names them."""

import json

import pytest

from asking.choosing import at
from tabwire.asking import menus
from tabwire.asking.model_choice import Chosen, choose
from tabwire.model.ask_errors import DialogInTheWay, ModelNotAvailable

pytestmark = pytest.mark.asyncio

FAST = "lab: pieces=4 every=0.005 first=0.01"
OPEN = "document.querySelectorAll('[role=menu]').length"


def answering_model(lab, prompt):
    """Who answers this prompt, as the server read it off the request."""
    (entry,) = [one for one in lab.ledger.asked() if one.prompt == prompt]
    chat = lab.room.chat(entry.site, entry.conversation_id)
    (exchange,) = [one for one in chat.exchanges if one.prompt == prompt]
    return exchange.plan.model


OFFERED = [
    # layout, what is wanted, what the page calls it, what the server reads off the request
    *[
        ("turn_key", "gpt-5.5", "GPT-5.5", "gpt-5-5"),
        ("turn_key", "O3", "o3", "o3"),
        ("turn_key", "gpt-5-6-thinking", "GPT-5.6 Sol", "gpt-5-6-thinking"),
    ],
    *[
        ("classic", "5.5", "GPT-5.5", "gpt-5-5"),
        ("classic", "o3", "o3", "o3"),
        ("classic", "GPT-5.6 Sol", "GPT-5.6 Sol", "gpt-5-6-thinking"),
    ],
    *[
        ("app", "FAST", "Fast", "Fast"),
        ("app", "thinking", "Thinking", "Thinking"),
        ("app", "pro", "Pro", "3 Pro"),
        ("app", "gemini-2.5-flash", "2.5 Flash", "2.5 Flash"),
        ("app", "2.5 Pro", "2.5 Pro", "2.5 Pro"),
    ],
    *[
        ("grok.com", "grok-3", "Grok 3", "grok-3"),
        ("grok.com", "4", "Grok 4", "grok-4"),
        ("grok.com", "Grok 4 mini Expert", "Expert", "grok-4-mini-thinking"),
        ("grok.com", "grok 4 mini fast", "Fast", "grok-4-mini-fast"),
    ],
]


@pytest.mark.parametrize("layout", ["turn_key", "classic", "app", "grok.com"])
@pytest.mark.rows(2, first=2)
async def test_every_model_that_is_offered_is_the_one_that_answers(lab, lab_tab, layout):
    asking = await at(lab_tab, layout)
    for _, wanted, label, named in [one for one in OFFERED if one[0] == layout]:
        assert await choose(*asking.given, model=wanted, effort=None) == Chosen(label)
        assert await asking.person.finds(OPEN) == 0
        prompt = f"Which are you, {layout} {wanted}?\n{FAST}"
        await asking.ask(prompt)
        assert answering_model(lab, prompt) == named


@pytest.mark.parametrize("wanted", ["auto", "fast", "expert"])
@pytest.mark.rows(1, first=2)
async def test_a_mode_of_grok_is_in_the_request(lab_tab, wanted):
    """Of the two called Expert, and the two called Fast, the outer one is meant."""
    asking = await at(lab_tab, "grok.com")
    await choose(
        *asking.given, model=f"grok 4 mini {'fast' if wanted == 'fast' else 'expert'}", effort=None
    )
    chosen = await choose(*asking.given, model=wanted, effort=None)
    assert chosen == Chosen(wanted.title())
    await asking.ask(f"In which mode, {wanted}?\n{FAST}")
    assert json.loads(asking.asked.bodies[-1])["modelMode"] == f"MODEL_MODE_{wanted.upper()}"


EFFORTS = [
    # layout, language, wanted, what the page calls it, what the request calls it
    ("turn_key", "en", "HIGH", "High", "extended"),
    ("turn_key", "en", "extra high", "Extra High", "max"),
    ("turn_key", "ja", "instant", "即時", "min"),
    ("turn_key", "ar", "xhigh", "عالٍ جدًا", "max"),
    ("turn_key", "ar", "pro", "Pro", None),
    ("classic", "en", "pro", "Pro", None),
    ("classic", "ar", "high", "عالٍ", "extended"),
]


@pytest.mark.parametrize("layout, lang, wanted, label, on_the_wire", EFFORTS)
@pytest.mark.rows(2)
async def test_an_effort_is_chosen_in_any_language(
    lab_tab, layout, lang, wanted, label, on_the_wire
):
    asking = await at(lab_tab, layout, f"lang:{lang}")
    chosen = await choose(*asking.given, model="gpt-5.5", effort=wanted)
    assert chosen == Chosen("GPT-5.5", label)
    if layout == "turn_key":
        button = "document.querySelector('[data-codex-intelligence-trigger]')"
        assert await asking.person.finds(f"{button}.firstChild.data") == label
    # it is chosen: a second time only menus are opened
    before = len(await asking.clicked())
    assert await choose(*asking.given, model="gpt-5.5", effort=wanted) == chosen
    assert not {"GPT-5.5", label} & set((await asking.clicked())[before:])
    await asking.ask(f"How hard, {layout} {lang} {wanted}?\n{FAST}")
    sent = json.loads(asking.asked.bodies[-1])
    assert (sent["model"], sent.get("thinking_effort")) == ("gpt-5-5", on_the_wire)
    assert await asking.person.finds(OPEN) == 0


@pytest.mark.parametrize("lang, label", [("en", "Expert"), ("ja", "エキスパート"), ("ar", "خبير")])
async def test_a_mode_is_chosen_in_any_language(lab_tab, lang, label):
    asking = await at(lab_tab, "grok.com", f"lang:{lang}")
    assert await choose(*asking.given, model="expert", effort=None) == Chosen(label)


@pytest.mark.parametrize("lang, label", [("ja", "高速モード"), ("ar", "سريع")])
async def test_a_row_is_known_by_its_name_for_machines(lab, lab_tab, lang, label):
    asking = await at(lab_tab, "app", f"lang:{lang}")
    assert await choose(*asking.given, model="fast", effort=None) == Chosen(label)


async def test_efforts_nobody_has_a_name_for_are_known_by_their_order(lab_tab):
    """A language we have no words of: the attribute of the button proves the guess."""
    asking = await at(lab_tab, "turn_key")
    await asking.person.finds(
        "new MutationObserver(() => { for (const row of document.querySelectorAll("
        "'[role=menuitemradio] span')) if (/^(Instant|Medium|High|Extra High|Pro)$/.test("
        "row.textContent)) row.textContent = 'Ø' + row.textContent.length; "
        "}).observe(document.body, { childList: true, subtree: true })"
    )
    chosen = await choose(*asking.given, model=None, effort="high")
    assert chosen == Chosen(None, "Ø4")
    button = "document.querySelector('[data-codex-intelligence-trigger]')"
    assert await asking.person.finds(f"{button}.dataset.selectedReasoningEffort") == "high"


async def test_an_effort_that_is_chosen_already_needs_no_click_at_all(lab_tab):
    asking = await at(lab_tab, "turn_key")
    assert await choose(*asking.given, model=None, effort="medium") == Chosen(None, "Medium")
    assert await asking.clicked() == []


@pytest.mark.parametrize(
    "layout, wanted",
    [("turn_key", "sol"), ("classic", "5.6 sol"), ("app", "pro"), ("grok.com", "auto")],
)
async def test_a_model_that_is_chosen_already_is_not_clicked(lab_tab, layout, wanted):
    asking = await at(lab_tab, layout)
    chosen = await choose(*asking.given, model=wanted, effort=None)
    assert chosen.model_label not in await asking.clicked()
    assert await asking.person.finds(OPEN) == 0


async def test_a_lone_wish_may_be_a_model_or_an_effort(lab_tab):
    """People say `--model pro` where the page calls it an effort, and the other way round."""
    asking = await at(lab_tab, "turn_key")
    assert await choose(*asking.given, model="pro", effort=None) == Chosen("Pro")
    asking = await at(lab_tab, "app")
    assert await choose(*asking.given, model=None, effort="fast") == Chosen(None, "Fast")


async def test_an_effort_is_no_model_where_both_are_wanted(lab_tab):
    asking = await at(lab_tab, "turn_key")
    with pytest.raises(ModelNotAvailable, match="does not offer pro: it is not offered"):
        await choose(*asking.given, model="pro", effort="high")
    assert "Pro" not in await asking.clicked()


EXHAUSTED = [
    # layout, language, the wish, the page's own notice
    ("turn_key", "en", {"model": None, "effort": "pro"}, "Limit reached. Resets at "),
    ("turn_key", "ar", {"model": None, "effort": "pro"}, "تم بلوغ الحد."),
    ("classic", "en", {"model": "o3", "effort": "pro"}, "Limit reached. Resets at "),
    ("app", "en", {"model": "pro", "effort": None}, "Limit reached, more at 3:00 PM"),
    ("grok.com", "en", {"model": "expert", "effort": None}, "Limit reached. Resets in 2 hours."),
]


@pytest.mark.parametrize("layout, lang, wish, notice", EXHAUSTED)
@pytest.mark.rows(1)
async def test_a_tier_that_is_spent_is_refused_in_the_pages_own_words(
    lab_tab, layout, lang, wish, notice
):
    """Scenario st-tier-exhausted."""
    asking = await at(lab_tab, layout, "tier_exhausted:on", f"lang:{lang}")
    with pytest.raises(ModelNotAvailable, match="it is disabled") as refused:
        await choose(*asking.given, **wish)
    assert notice in str(refused.value)
    assert await asking.person.finds(OPEN) == 0


async def test_a_row_that_wants_an_upgrade_is_not_clicked(lab_tab):
    asking = await at(lab_tab, "app")
    with pytest.raises(ModelNotAvailable, match='is disabled: "Upgrade to use it"'):
        await choose(*asking.given, model="deep think", effort=None)
    assert "Deep Think" not in await asking.clicked()


UNKNOWN = [
    # layout, wanted, some of what is offered
    ("turn_key", "gpt-5", {"GPT-5.6 Sol", "GPT-5.5", "o3", "Pro"}),
    ("classic", "gpt-5.6", {"GPT-5.5", "o3"}),
    ("app", "2.5", {"Fast", "Pro", "2.5 Pro"}),
    ("grok.com", "grok", {"Auto", "Grok 4"}),
    ("grok.com", "More models", {"Auto", "Grok 4"}),
]


@pytest.mark.parametrize("layout, wanted, offered", UNKNOWN)
@pytest.mark.rows(1)
async def test_a_name_nobody_offers_is_refused_with_what_is_offered(
    lab_tab, layout, wanted, offered
):
    asking = await at(lab_tab, layout)
    with pytest.raises(ModelNotAvailable, match="not offered") as refused:
        await choose(*asking.given, model=wanted, effort=None)
    assert offered <= set(refused.value.offered)
    assert not offered & set(await asking.clicked())
    assert await asking.person.finds(OPEN) == 0


async def test_a_page_without_a_picker_says_so(lab_tab):
    asking = await at(lab_tab, "octane")
    with pytest.raises(ModelNotAvailable, match="no model picker"):
        await choose(*asking.given, model="pro", effort=None)


async def test_a_picker_that_is_gone_is_said_with_what_was_looked_for(lab_tab, monkeypatch):
    monkeypatch.setattr(menus, "BUTTON_SECONDS", 0.2)
    asking = await at(lab_tab, "app")
    await asking.person.finds("document.querySelector('bard-mode-switcher').remove()")
    with pytest.raises(ModelNotAvailable, match=r"no model picker .*bard-mode-menu-button"):
        await choose(*asking.given, model="pro", effort=None)


async def test_a_picker_that_comes_late_is_waited_for(lab_tab):
    asking = await at(lab_tab, "app")
    await asking.person.finds(
        "{ const one = document.querySelector('bard-mode-switcher'); one.hidden = true; "
        "setTimeout(() => { one.hidden = false; }, 300); }"
    )
    assert await choose(*asking.given, model="fast", effort=None) == Chosen("Fast")


async def test_a_menu_that_does_not_open_is_refused(lab_tab, monkeypatch):
    monkeypatch.setattr(menus, "OPEN_SECONDS", 0.2)
    asking = await at(lab_tab, "grok.com")
    await asking.person.finds(
        "document.querySelector('#model-select-trigger').addEventListener("
        "'click', (event) => event.stopImmediatePropagation(), true)"
    )
    with pytest.raises(ModelNotAvailable, match="does not open"):
        await choose(*asking.given, model="expert", effort=None)


async def test_a_first_click_that_is_lost_is_made_again(lab_tab, monkeypatch):
    monkeypatch.setattr(menus, "OPEN_SECONDS", 0.5)
    asking = await at(lab_tab, "grok.com")
    await asking.person.finds(
        "document.addEventListener('click', (event) => event.stopImmediatePropagation(), "
        "{ capture: true, once: true })"
    )
    assert await choose(*asking.given, model="expert", effort=None) == Chosen("Expert")


async def test_a_choice_the_page_does_not_take_is_an_error(lab_tab, monkeypatch):
    monkeypatch.setattr(menus, "CLOSE_SECONDS", 0.2)
    asking = await at(lab_tab, "grok.com")
    await asking.person.finds(
        "document.addEventListener('click', (event) => { if (event.target.closest("
        "'[role=menuitemradio]')) event.stopImmediatePropagation(); }, true)"
    )
    with pytest.raises(ModelNotAvailable, match="it was clicked, but the page shows 'Auto'"):
        await choose(*asking.given, model="expert", effort=None)
    assert await asking.person.finds(OPEN) == 0


async def test_a_button_that_says_the_same_as_before_proves_nothing(lab_tab, monkeypatch):
    """The Expert of another model is chosen, and the click on the one that is meant is lost."""
    monkeypatch.setattr(menus, "CLOSE_SECONDS", 0.2)
    asking = await at(lab_tab, "grok.com")
    await choose(*asking.given, model="grok 4 mini expert", effort=None)
    await asking.person.finds(
        "document.addEventListener('click', (event) => { if (event.target.closest("
        "'[role=menuitemradio]')) event.stopImmediatePropagation(); }, true)"
    )
    with pytest.raises(ModelNotAvailable, match="it was clicked, but the page shows 'Expert'"):
        await choose(*asking.given, model="expert", effort=None)


async def test_what_lies_over_the_page_is_not_clicked_away(lab_tab):
    asking = await at(lab_tab, "grok.com", "overlay:upsell")
    with pytest.raises(DialogInTheWay):
        await choose(*asking.given, model="expert", effort=None)
