"""ChatGPT's replica in a real Chromium: asked by hand, answered over HTTP/2, drawn like the site.

What a page looks like at which time is asked of `sites/chatgpt/page.py` itself: a selector that
does not match here is wrong here or there.
"""

import asyncio
import json

import pytest

from kit.lab import has_arrived
from tabwire.browser.page.page import Page
from tabwire.lab.plan import plan_for
from tabwire.sites.chatgpt.history import read_body
from tabwire.sites.chatgpt.page import TURN_KEY
from tabwire.sites.memory import Memory

pytestmark = pytest.mark.asyncio

HOME = "https://chatgpt.com/"
COMPOSER = TURN_KEY.composer[0].css
STOP = TURN_KEY.stop[0].css
MORE = '[data-turn-key]:last-child [aria-label="More actions"]'
QUICK = "lab: pieces=30 every=0.005 first=0"
AT_ONCE = "lab: every=0 first=0"
ENDLESS = "lab: pieces=1000 every=0.05 first=0 chars=9"


def there(css):
    return f"document.querySelector({json.dumps(css)})"


async def asks(person, prompt):
    await person.writes(COMPOSER, prompt)
    await person.presses("Enter")


async def ask_to_the_end(person, prompt):
    before = await person.counts("[data-turn-key]")
    await asks(person, prompt)
    await person.sees(f"document.querySelectorAll('[data-turn-key]').length === {before + 1}")
    await person.sees(f"{there(MORE)} && !{there(STOP)}")


async def paragraphs(person):
    """The newest answer, if it is made of paragraphs only."""
    found = await person.finds(
        "[...[...document.querySelectorAll('[data-markdown-text-style]')].at(-1).children]"
        ".map((part) => part.textContent)"
    )
    return "\n\n".join(found)


async def stored(person):
    """The conversation on show, as its stored body is read."""
    body = await person.finds(
        "fetch(`/backend-api/conversation/${location.pathname.slice(3)}`, "
        "{ headers: { authorization: 'Bearer lab-test', 'oai-device-id': 'test' } })"
        ".then((r) => r.text())"
    )
    (conversation,) = read_body(body.encode(), None, Memory()).conversations
    return conversation


async def matched(person):
    """The parts of the layout that match something now."""
    parts = {
        name: [selector.css for selector in getattr(TURN_KEY, name)]
        for name in TURN_KEY.__slots__
        if isinstance(getattr(TURN_KEY, name), tuple)
    }
    found = await person.finds(
        f"Object.entries({json.dumps(parts)}).filter(([, css]) => css[0] && "
        "document.querySelector(css[0])).map(([name]) => name)"
    )
    return set(found)


async def test_a_question_typed_by_hand_is_answered_over_http_2(lab, lab_tab):
    person = await lab_tab(HOME)
    prompt = f"Who are you, first test?\n{AT_ONCE}"
    await ask_to_the_end(person, prompt)
    assert lab.ledger.prompts("chatgpt").count(prompt) == 1
    assert await person.finds("isSecureContext")
    hops = await person.finds(
        "performance.getEntriesByType('resource').map((entry) => entry.nextHopProtocol)"
    )
    assert set(hops) == {"h2"}
    assert (await person.finds("location.pathname")).startswith("/c/")
    assert await person.finds("document.title") == "Who are you, first test?"
    conversation = await stored(person)
    assert conversation.standing.complete
    assert conversation.title == "Who are you, first test?"
    assert conversation.turns[0].text == prompt
    assert conversation.turns[-1].text == plan_for(prompt).text


async def test_the_answer_is_drawn_with_all_that_markdown_can(lab_tab):
    person = await lab_tab(HOME)
    await ask_to_the_end(person, f"Draw everything\n{AT_ONCE}")
    root = TURN_KEY.text_root[0].css
    inside = await person.finds(
        f"[...{there(root)}.children].map((part) => part.tagName.toLowerCase())"
    )
    assert inside == ["p", "h2", "ol", "div", "table", "p"]
    for css, words in (
        ("p strong", "lab"),
        ("p em", "invented"),
        ("ol > li:nth-child(2) > ul > li:first-child strong", "read"),
        ("ol code", "code"),
        ("th:last-child", "proof"),
        ("tr:first-child td code", "end_turn"),
    ):
        assert await person.finds(f"{there(f'{root} {css}')}?.textContent") == words, css


async def test_every_part_of_the_layout_is_there_at_its_time(lab_tab):
    person = await lab_tab(HOME)
    always = {"recognise", "composer", "model_picker", "upload", "scroller"}
    await person.sees(there(TURN_KEY.logged_in[0].css))
    assert await matched(person) == always | {"logged_in"}
    always |= {"logged_in"}
    await person.writes(COMPOSER, f"```\ncode\n```\n{ENDLESS}")
    assert await matched(person) == always | {"send"}
    await person.presses("Enter")
    await person.sees(there(TURN_KEY.text_root[0].css))
    writing = always | {"exchange", "user_message", "assistant_message", "text_root"}
    assert await matched(person) == writing | {"stop"}
    await person.clicks(STOP)
    await person.sees(there(MORE))
    await person.sees(f"!{there(STOP)}")
    assert await matched(person) == writing | {"actions"}
    await ask_to_the_end(person, f"Now with code\n{AT_ONCE}")
    assert await matched(person) == writing | {"actions", "code_block", "decoys"}


async def test_later_candidates_of_the_layout_match_where_the_first_one_does(lab_tab):
    """A page that keeps only some of the marks is still recognised."""
    person = await lab_tab(HOME)
    await ask_to_the_end(person, f"All candidates\n{AT_ONCE}")
    await person.writes(COMPOSER, "next")
    for part in ("composer", "send", "exchange", "user_message", "assistant_message", "actions"):
        for selector in getattr(TURN_KEY, part):
            assert await person.counts(selector.css) >= 1, selector.css


async def test_code_is_preformatted_while_it_is_written_and_an_editor_afterwards(lab_tab):
    person = await lab_tab(HOME)
    await asks(person, "Show me code\nlab: every=0.02 first=0")
    written = there('[data-markdown-copy="code-block"] pre code')
    editing = there('[aria-label="Edit code"]')
    await person.sees(f"{written} && !{editing}")
    await person.sees(there(MORE))
    editor = (
        '[data-markdown-copy="code-block"] '
        '[contenteditable="true"][role="textbox"][aria-label="Edit code"][data-language="python"]'
    )
    assert await person.counts("pre") == 0
    code = await person.finds(f"{there(editor)}.textContent")
    assert code == plan_for("").text.partition("```python\n")[2].partition("\n```")[0]


async def test_actions_stand_beside_the_answer_and_only_when_it_is_over(lab_tab):
    person = await lab_tab(HOME)
    await asks(person, ENDLESS)
    await person.sees(there(TURN_KEY.text_root[0].css))
    for selector in TURN_KEY.actions:
        assert await person.counts(selector.css) == 0, selector.css
    await person.clicks(STOP)
    await person.sees(there(MORE))
    bar = "[data-turn-key] .turn-action-controls:has([aria-haspopup]) button"
    labels = await person.finds(
        f"[...document.querySelectorAll('{bar}')].map((button) => button.ariaLabel)"
    )
    assert labels == ["Copy", "Rate response", "Regenerate response", "More actions"]
    assert await person.counts('[data-content-search-unit-key] [aria-label="More actions"]') == 0


async def test_a_stopped_answer_is_stored_as_far_as_it_got(lab_tab):
    person = await lab_tab(HOME)
    await asks(person, f"Stop me\n{ENDLESS}")
    await person.sees(f"({there(TURN_KEY.text_root[0].css)}?.textContent.length ?? 0) > 20")
    await person.clicks(STOP)
    await person.sees(f"{there(MORE)} && !{there(STOP)}")
    conversation = await stored(person)
    assert conversation.standing.reason == "stopped"
    text = conversation.turns[-1].text
    assert plan_for(ENDLESS).text != text != ""
    assert plan_for(f"Stop me\n{ENDLESS}").text.startswith(text)
    assert await paragraphs(person) == text.rstrip()


async def test_thinking_is_shown_folded_and_is_no_part_of_the_text(lab_tab):
    person = await lab_tab(HOME)
    await asks(person, "Think\nlab: think=2 every=0.4 first=0 pieces=2")
    button = '[data-content-search-unit-key$=":assistant"] button[aria-expanded="false"]'
    await person.sees(f"{there(button)}?.textContent === 'Thinking'")
    assert await person.counts(".thoughts") == 0
    await person.sees(there(MORE))
    text = plan_for("Think\nlab: think=2 every=0.4 first=0 pieces=2").text
    assert await paragraphs(person) == text
    await person.clicks(button)
    assert "Thought 2" in await person.sees(f"{there('.thoughts')}?.textContent")


async def test_several_questions_in_one_conversation(lab, lab_tab):
    person = await lab_tab(HOME)
    prompts = [f"Number {number}\n{QUICK} seed={number}" for number in range(3)]
    for prompt in prompts:
        await ask_to_the_end(person, prompt)
        assert await paragraphs(person) == plan_for(prompt).text
    conversation = await stored(person)
    told = [turn.text for turn in conversation.turns]
    assert told == [text for prompt in prompts for text in (prompt, plan_for(prompt).text)]
    assert len({turn.id for turn in conversation.turns}) == 6
    named = {entry.conversation_id for entry in lab.ledger.entries if entry.prompt in prompts}
    assert named == {conversation.id}
    for unit in ("user", "assistant"):
        assert await person.counts(f'[data-content-search-unit-key$=":{unit}"]') == 3


async def test_a_conversation_is_there_again_after_a_reload(lab_tab):
    person = await lab_tab(HOME)
    await ask_to_the_end(person, f"Keep this\n{QUICK}")
    text, address = await paragraphs(person), await person.finds("location.href")
    await person.goes_to(address)
    await person.sees(there(MORE))
    assert await paragraphs(person) == text == plan_for(f"Keep this\n{QUICK}").text
    assert await person.finds("document.title") == "Keep this"
    assert await person.finds(f"{there(TURN_KEY.user_message[2].css)}.textContent") == (
        f"Keep this\n{QUICK}"
    )
    await person.sees(there(f'nav a[href="{address.removeprefix("https://chatgpt.com")}"]'))


async def test_a_reload_in_the_middle_loses_nothing_and_asks_nothing_twice(lab, lab_tab):
    person = await lab_tab(HOME)
    prompt = "Half way\nlab: pieces=100 every=0.05 first=0"
    await asks(person, prompt)
    await person.sees(f"({there(TURN_KEY.text_root[0].css)}?.textContent.length ?? 0) > 50")
    await person.goes_to(await person.finds("location.href"))
    bar = there(TURN_KEY.actions[0].css)
    await person.sees(f"{there(STOP)} && {there(TURN_KEY.text_root[0].css)} && !{bar}")
    await person.sees(there(MORE))
    assert await paragraphs(person) == plan_for(prompt).text
    assert lab.ledger.prompts("chatgpt").count(prompt) == 1


async def test_a_tab_closed_in_the_middle_disturbs_no_other(lab, lab_tab):
    """They share one HTTP/2 connection."""
    left, *others = await asyncio.gather(*(lab_tab(HOME) for _ in range(4)))
    prompt = "Together\nlab: pieces=80 every=0.02 first=0"
    await asyncio.gather(*(asks(person, prompt) for person in (left, *others)))
    await asyncio.gather(
        *(person.sees(there(TURN_KEY.text_root[0].css)) for person in (left, *others))
    )
    await left.session.connection.call("Target.closeTarget", {"targetId": left.target})
    for person in others:
        await person.sees(there(MORE))
        assert await paragraphs(person) == plan_for(prompt).text
    await has_arrived(lab, prompt, times=4)


async def test_many_answers_at_once_come_over_one_connection(lab_tab):
    """With 100 streams Hypercorn alone loses the connection over Chromium's PRIORITY frames."""
    person = await lab_tab(HOME)
    message = {"author": {"role": "user"}, "content": {"parts": ["lab: pieces=3 every=0.3"]}}
    whole = await person.finds(
        f"""(async () => {{
          const body = JSON.stringify({{ messages: [{json.dumps(message)}] }});
          const ask = () => fetch("/backend-anon/f/conversation", {{ method: "POST", body }});
          const answers = await Promise.all(Array.from({{ length: 150 }}, ask));
          const texts = await Promise.all(answers.map((answer) => answer.text()));
          return texts.filter((text) => text.includes("message_stream_complete")).length;
        }})()"""
    )
    assert whole == 150


async def test_a_new_chat_begins_empty_and_the_history_leads_back(lab_tab):
    person = await lab_tab(HOME)
    await ask_to_the_end(person, f"Come back to me\n{QUICK}")
    address = await person.finds("location.pathname")
    await person.clicks("nav a[data-new-chat]")
    await person.sees(f"location.pathname === '/' && !{there('[data-turn-key]')}")
    await person.clicks(f'nav a[href="{address}"]')
    await person.sees(there(MORE))
    assert await person.finds("location.pathname") == address


async def test_the_address_of_a_new_chat_comes_late(lab_tab):
    """The request is under way and thinking is shown, yet the page is still at its start."""
    person = await lab_tab(HOME)
    await asks(person, "Late\nlab: think=2 every=0.5 first=0 pieces=3")
    thinking = there('button[aria-expanded="false"]')
    await person.sees(f"{thinking} && location.pathname === '/'")
    await person.sees(there(MORE))
    assert (await person.finds("location.pathname")).startswith("/c/")


@pytest.mark.parametrize(
    "text",
    [
        "one",
        "one\ntwo",
        "one\n\nthree",
        "  spaces  inside ",
        "日本語 😀 <b>&amp;</b>",
        "a\n- b\n  - c",
    ],
)
@pytest.mark.rows(2, first=1)
async def test_what_is_written_is_what_arrives(lab, lab_tab, text):
    person = await lab_tab(HOME)
    before = len(lab.ledger.prompts())
    await ask_to_the_end(person, f"{text}\n{QUICK} pieces=1")
    assert lab.ledger.prompts()[before:] == (f"{text}\n{QUICK} pieces=1",)


async def test_a_conversation_that_is_not_there_is_said_and_the_page_goes_home(lab_tab):
    named = "00000000-0000-4000-8000-000000000000"
    person = await lab_tab(f"{HOME}c/{named}")
    said = await person.sees(f"{there('[role=alert]')}?.textContent")
    assert said == f"Unable to load conversation {named}"
    await person.sees("location.pathname === '/'")


async def test_an_answer_drawn_piece_by_piece_looks_as_one_drawn_at_once(lab_tab):
    """Every prefix: what a block was taken for may change with the next character."""
    person = await lab_tab(HOME)
    source = plan_for("Piece by piece").text + (
        "\n\n> quoted\n> twice\n\n---\n\n* loose\n\n* items\n\n3. three\n4. four\n\n"
        "[link](https://a.example/x) ~~gone~~ __bold__ snake_case_word 2 * 3 * 4 \\*plain\\*\n\n"
        "````\n```\ninner\n```\n````\n\n- a\n  ```js\n  let x;\n  ```\n- b\n\n"
        "| a | b |\n|--|--|\n| 1 |"
    )
    drawn = await person.finds(
        f"""import("/assets/markdown.js").then(({{ Markdown }}) => {{
          const source = {json.dumps(source)};
          const pre = () => document.createElement("pre");
          const code = (language, text) => Object.assign(pre(), {{ textContent: text }});
          const growing = new Markdown(document.createElement("div"), code);
          for (let end = 1; end <= source.length; end += 1) {{
            growing.draw(source.slice(0, end));
            const fresh = new Markdown(document.createElement("div"), code);
            fresh.draw(source.slice(0, end));
            if (growing.root.innerHTML !== fresh.root.innerHTML) return source.slice(0, end);
          }}
          return growing.root.innerHTML;
        }})"""
    )
    for part in (
        "<blockquote><p>quoted\ntwice</p></blockquote><hr>",
        "<ul><li><p>loose</p></li><li><p>items</p></li></ul>",
        '<ol start="3"><li>three</li><li>four</li></ol>',
        ">link</a> <del>gone</del> <strong>bold</strong> snake_case_word 2 * 3 * 4 *plain*</p>",
        "<pre>```\ninner\n```</pre>",
        "<ul><li>a<pre>let x;</pre></li><li>b</li></ul>",
        "<td>1</td><td></td>",
    ):
        assert part in drawn


async def test_our_own_hands_can_write_and_send(lab, lab_tab):
    """`browser.page` does to the replica what it will do to the site."""
    person = await lab_tab(HOME)
    await person.session.call("Emulation.setFocusEmulationEnabled", {"enabled": False})
    await person.sees(there(COMPOSER))
    page = Page(person.session)
    prompt = f"By Page\n\nwith  lines\n{QUICK}"
    filled = await page.fill(TURN_KEY.composer, prompt)
    assert filled.read_back == prompt
    await page.click(TURN_KEY.send)
    await person.sees(f"{there(MORE)} && !{there(STOP)}")
    assert lab.ledger.prompts("chatgpt").count(prompt) == 1
