"""What is typed: the prompt to the letter, and a person's own words never touched.

The ledger has what the site received. Nothing of a person's draft is ever sent, and it stands
where it stood whatever became of the ask.
"""

import json

import pytest

from kit.asking import (
    answered,
    asked,
    asking_home,
    begun,
    in_words,
    ledger_faults,
    new_prompt,
    prompts_in,
    staged_url,
    tab_where,
    tabs_of,
)
from kit.carriers import both_carriers
from kit.lab import Person
from kit.turns import by_turns
from tabwire.asking import composer as compose
from tabwire.browser.page.page import Page
from tabwire.hub.jobs.books import Books
from tabwire.lab.plan import plan_for
from tabwire.model.ask import Answer, AskRequest, Phase, PhaseBegan, Step
from tabwire.model.ask_errors import AskError, TextNotTaken
from tabwire.model.errors import Retry
from tabwire.sites.known import SITES

__all__ = ["asking_home", "both_carriers"]

pytestmark = [
    pytest.mark.asyncio,
    pytest.mark.xdist_group("asking"),
    pytest.mark.usefixtures("asking_home"),
]

LINE = "A line of eighty characters, more or less, that says nothing at all, number {:04}."
CODE = "def f(x):\n    if x:\n\n        return  x\n\tpass  # tab"

PROMPTS = [
    # id            what is asked before the line that directs the lab
    ("five lines", "one\ntwo\nthree\nfour\nfive"),
    ("code", f"Look at this:\n\n{CODE}\n\nand say why."),
    ("blank lines", "above\n\n\n\nbelow"),
    ("markdown", "# a\n- b\n  - c\n1. d\n> e\n`f` **g** _h_ [i](https://example.com) <b>&amp;</b>"),
    ("emoji", "😀 👩‍👩‍👧‍👦 🇯🇵 👍🏽 𠮷野家"),
    ("right to left", "שלום עולם، مرحبا بالعالم — then left to right (again) 123"),
    ("combining", "e\u0301 n\u0303 a\u0323\u0301 ﬁ ½ Å"),
    ("quotes", """'"`´‘’“”«» \\ \\n $HOME ${x} %s {0} <script>alert(1)</script>"""),
    ("like a command", "/help @someone #tag\n/imagine"),
]
LENGTHS = [
    ("100,000 characters in 1,250 lines", "\n".join(LINE.format(n)[:79] for n in range(1250))),
    ("200,000 characters", ("word " * 40_000)[: 200_000 - 100].strip()),
]


def right(lab, request, result):
    """The lab has the prompt to the letter, once, and we have its answer."""
    (entry,) = prompts_in(lab, request.prompt) or [None]
    near = [e.prompt for e in lab.ledger.asked(request.site)][-1:]
    assert entry is not None, (in_words(result), near and first_difference(near[0], request.prompt))
    assert isinstance(result, Answer), in_words(result)
    assert result.complete
    assert result.text == plan_for(request.prompt).text


def first_difference(got, wanted):
    at = next((n for n, (a, b) in enumerate(zip(got, wanted, strict=False)) if a != b), None)
    return at, len(got), len(wanted), got[at or 0 :][:60], wanted[at or 0 :][:60]


@pytest.mark.parametrize("words", [c[1] for c in PROMPTS], ids=[c[0] for c in PROMPTS])
@pytest.mark.rows(3, first=2)
async def test_the_prompt_arrives_to_the_letter(words, lab, lab_browser_url):
    requests = [AskRequest(site, new_prompt(words, seed=201, pieces=3)) for site in SITES]
    results, _events = await asked(lab_browser_url, *requests)
    for request, result in zip(requests, results, strict=True):
        right(lab, request, result)


@pytest.mark.parametrize("words", [c[1] for c in LENGTHS], ids=[c[0] for c in LENGTHS])
@pytest.mark.parametrize("site", SITES)
@pytest.mark.rows(1, first=2)
async def test_a_long_prompt_arrives_to_the_letter(site, words, lab, lab_browser_url):
    request = AskRequest(site, new_prompt(words, seed=202, pieces=3))
    right(lab, request, await answered(lab_browser_url, request))


async def composer_of(tab, site):
    """The words in the composer of a tab."""
    layouts = SITES[site].page.layouts
    parts = [one for layout in layouts for one in layout.composer]
    decoys = [one for layout in layouts for one in layout.decoys]
    texts = await Page(tab.session).read(parts, decoys=decoys)
    return texts[0].strip() if texts else ""


async def type_into(tab, site, words):
    """A person writes into the composer of a tab as soon as it is there, and goes away."""
    layouts = SITES[site].page.layouts
    parts = [one for layout in layouts for one in layout.composer]
    decoys = [one for layout in layouts for one in layout.decoys]
    await Person(tab.session, tab.target).sees(
        f"[...document.querySelectorAll({css(parts)})].some((one) => one.checkVisibility()"
        f" && !({css(decoys)} && one.matches({css(decoys)})))"
    )
    await Page(tab.session).fill(parts, words, decoys=decoys, part="composer")


def css(selectors):
    """All of them as one, in quotes for a script."""
    return json.dumps(", ".join(one.css for one in selectors))


DRAFT = "Dear Sir or Madam, I have not finished this"


def never_sent(lab):
    return not any(DRAFT[:10] in entry.prompt for entry in lab.ledger.asked())


@pytest.mark.parametrize("site", by_turns("a_draft_on_the_start_page", tuple(SITES)))
async def test_a_draft_on_the_start_page_is_left_alone(site, lab, lab_tab, lab_browser_url):
    """inp-draft-present: we ask in another tab."""
    person = await lab_tab(SITES[site].page.home)
    async with tabs_of(lab_browser_url) as tabs:
        tab = await tabs.attach(person.target)
        await type_into(tab, site, DRAFT)
        request = AskRequest(site, new_prompt(seed=210))
        right(lab, request, await answered(lab_browser_url, request))
        assert await composer_of(tab, site) == DRAFT
    assert never_sent(lab)


@pytest.mark.parametrize("site", by_turns("a_draft_in_the_very_chat_", tuple(SITES)))
async def test_a_draft_in_the_very_chat_is_left_alone(site, lab, lab_browser_url):
    """The person writes in a tab that we opened ourselves, and we are asked to go on there."""
    first = await answered(lab_browser_url, AskRequest(site, new_prompt(seed=211)))
    named = str(first.conversation_id).removeprefix("c_")
    async with tabs_of(lab_browser_url) as tabs:
        tab = await tab_where(tabs, lambda info: named in info.url)
        await type_into(tab, site, DRAFT)
        follow_up = AskRequest(site, new_prompt(seed=212), conversation_id=first.conversation_id)
        right(lab, follow_up, await answered(lab_browser_url, follow_up))
        assert await composer_of(tab, site) == DRAFT
        anew = AskRequest(site, new_prompt(seed=213))
        right(lab, anew, await answered(lab_browser_url, anew))
        assert await composer_of(tab, site) == DRAFT
        await tabs.close(tab.target)
    assert never_sent(lab)


# Whatever the page loads stands in the composer when it comes alive, as where a site keeps drafts.
KEPT_DRAFT = """(() => {
  const put = () => {
    const seen = (one) => one.checkVisibility() && !(DECOYS && one.matches(DECOYS));
    const box = [...document.querySelectorAll(PARTS)].find(seen);
    if (!box || window.__put) return;
    window.__put = true;
    box.focus();
    document.execCommand("insertText", false, DRAFT);
  };
  new MutationObserver(put).observe(document, {subtree: true, childList: true, attributes: true});
})()"""


@pytest.mark.parametrize("story, says", [("plain", None), ("limit", Retry.SAME)])
@pytest.mark.parametrize("site", by_turns("a_draft_that_the_site_kep", tuple(SITES)))
@pytest.mark.rows(1)
async def test_a_draft_that_the_site_kept_is_put_back(site, story, says, lab, lab_browser_url):
    """It is taken out, our prompt goes alone, and it stands there again: also where we fail."""
    layouts = SITES[site].page.layouts
    parts = css(one for layout in layouts for one in layout.composer)
    decoys = css(one for layout in layouts for one in layout.decoys)
    script = KEPT_DRAFT.replace("PARTS", parts).replace("DECOYS", decoys)
    script = script.replace("DRAFT", json.dumps(DRAFT))
    prompt = new_prompt(told=f"story={story}", seed=214)
    request = AskRequest(site, prompt, url=staged_url(site, "hydrate:2"))
    async with begun(lab_browser_url, request) as ask, tabs_of(lab_browser_url) as tabs:
        await ask.until(PhaseBegan, lambda one: one.phase is Phase.WAIT_INPUT)
        words = str(request.url).partition("?")[2]
        tab = await tab_where(tabs, lambda info: words in info.url)
        await tab.session.call("Runtime.evaluate", {"expression": script})
        result = await ask.result()
        if says is None:
            right(lab, request, result)
        else:
            assert isinstance(result, AskError)
            assert result.retry is says
        assert len(prompts_in(lab, prompt)) == 1
        assert await composer_of(tab, site) in (DRAFT, ""), "our prompt was left behind"
        assert await composer_of(tab, site) == DRAFT
        await tabs.close(tab.target)
    assert never_sent(lab)


THEIRS = "Typed by a person "


async def type_in_tab_of(url, request):
    """A person types where the caret is, in the tab of this ask."""
    where = str(request.url).partition("?")[2]
    async with tabs_of(url) as tabs:
        tab = await tab_where(tabs, lambda info: where in info.url)
        await tab.session.call("Input.insertText", {"text": THEIRS})


def after_typing(patch, act):
    """Do something whenever the prompt has just been put into the composer."""
    fill = compose.fill

    async def filled(place, site, layout, text):
        await fill(place, site, layout, text)
        if text:
            await act()

    patch.setattr(compose, "fill", filled)


def before_pressing(patch, act):
    """Do something when all is ready and Send is about to be pressed."""
    checkpoint = Books.checkpoint

    def keeping(self, row):
        keep = checkpoint(self, row)

        async def kept(step, **more):
            await keep(step, **more)
            if step is Step.SENDING:
                await act()

        return kept

    patch.setattr(Books, "checkpoint", keeping)


@pytest.mark.parametrize("moment", [after_typing, before_pressing])
@pytest.mark.parametrize(
    "often", [1, pytest.param(9, marks=pytest.mark.soak)], ids=["once", "without end"]
)
@pytest.mark.parametrize("site", by_turns("somebody_who_types_while_", tuple(SITES)))
async def test_somebody_who_types_while_we_do_spoils_nothing(
    site, often, moment, lab, lab_browser_url, monkeypatch
):
    """snd-user-typing: our prompt goes alone or not at all; their words go nowhere."""
    request = AskRequest(site, new_prompt(seed=215), url=staged_url(site, ""))
    typed = []

    async def act():
        if len(typed) < often:
            typed.append(THEIRS)
            await type_in_tab_of(lab_browser_url, request)

    moment(monkeypatch, act)
    (result,), _events = await asked(lab_browser_url, request)
    assert typed
    assert not ledger_faults(lab, request, result), in_words(result)
    if isinstance(result, Answer):
        right(lab, request, result)
    else:
        assert isinstance(result, TextNotTaken), in_words(result)
        assert not prompts_in(lab, request.prompt)
    assert not any(THEIRS.strip() in entry.prompt for entry in lab.ledger.asked())
