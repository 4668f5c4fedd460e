"""One poll and one reading of ChatGPT's page, as seed 001, 3.2 to 3.7, knew it."""

import pytest
import pytest_asyncio

from browser.classic_pages import Shown, evaluate, show, turn
from tabwire.cdp.connection import Session
from tabwire.sites.chatgpt.classic import CLASSIC

pytestmark = pytest.mark.asyncio


@pytest_asyncio.fixture
async def shown(blank: Session) -> Shown:
    return Shown(blank, CLASSIC)


COMPOSER = """<form>
  <textarea name="prompt-textarea" style="display: none"></textarea>
  <div id="prompt-textarea" class="ProseMirror" contenteditable="true">{}</div>{}
</form>"""
NOTHING_TYPED = '<p data-placeholder="Ask anything"><br></p>'
SEND = '<button data-testid="send-button" aria-label="Send prompt">↑</button>'
SEND_OFF = '<button data-testid="send-button" disabled>↑</button>'
STOP = "<button>Stop generating</button>"

POLLS = [
    # id, body, what is seen
    ("an empty page", "", {"answers": 0, "stop": False, "send": False, "composer_empty": False}),
    ("two exchanges", turn(1, "a") + turn(2, "bcd"),
     {"questions": 2, "answers": 2, "text_length": 3, "turns": 2, "roots": 1}),
    ("stop by its words", STOP, {"stop": True}),
    ("stop by its label", '<button aria-label="Stop generating">■</button>', {"stop": True}),
    ("stop in Japanese", "<button>生成を停止</button>", {"stop": True}),
    ("stop in Japanese by its label", '<button aria-label="生成を停止する">■</button>',
     {"stop": True}),
    ("stop by its test id", '<button data-testid="stop-button" aria-label="x">■</button>',
     {"stop": True}),
    ("a hidden stop is none", f'<div style="display: none">{STOP}</div>', {"stop": False}),
    ("a disabled stop is none", "<button disabled>Stop generating</button>", {"stop": False}),
    ("stopping to read aloud is no stop", '<button aria-label="Stop reading">■</button>',
     {"stop": False}),
    ("the words in a text are no stop", "<p>Stop generating</p>", {"stop": False}),
    ("send enabled", COMPOSER.format("hello", SEND),
     {"send": True, "send_enabled": True, "composer_empty": False}),
    ("send disabled", COMPOSER.format(NOTHING_TYPED, SEND_OFF),
     {"send": True, "send_enabled": False, "composer_empty": True}),
    ("send disabled by aria", '<button aria-label="送信" aria-disabled="true">↑</button>',
     {"send": True, "send_enabled": False}),
    ("send in Japanese", '<button aria-label="プロンプトを送信する">↑</button>',
     {"send": True, "send_enabled": True}),
    ("send beside a stop is not enabled", SEND + STOP, {"send": True, "send_enabled": False}),
    ("an old textarea, empty", '<textarea id="prompt-textarea"></textarea>',
     {"composer_empty": True}),
    ("an old textarea with text", '<textarea id="prompt-textarea">x</textarea>',
     {"composer_empty": False}),
    ("says it writes", "<div>ChatGPT is still generating a response...</div>",
     {"generating_words": True, "skip_thinking": False, "thinking_over": False}),
    ("says it writes, in Japanese", "<div>回答を生成しています…</div>", {"generating_words": True}),
    ("thinking may be skipped", "<button>Skip thinking</button>", {"skip_thinking": True}),
    ("thinking may be skipped, in Japanese", "<button>今すぐ回答</button>",
     {"skip_thinking": True}),
    ("hidden words are not said", "<button hidden>Skip thinking</button>",
     {"skip_thinking": False}),
    ("thinking is over", turn(1, "a", "<button>Thinking time: 17s</button>"),
     {"thinking_over": True, "answers": 1}),
    ("thinking is over, in Japanese", turn(1, "a", "<button>思考時間：17s</button>"),
     {"thinking_over": True}),
    ("the button is not counted as text", turn(1, "abcd", "<button>Thinking time: 17s</button>"),
     {"text_length": 4}),
    ("a thinking turn that holds two messages",
     '<article data-turn="assistant">' + '<div data-message-author-role="assistant">x</div>' * 2
     + "</article>", {"answers": 2, "turns": 1}),
    ("the layout of 2026-09 is counted too",
     '<div data-turn-key="t"><div data-content-search-unit-key="t:user">q</div>'
     '<div data-content-search-unit-key="t:assistant">a</div></div>'
     '<form data-chatgpt-composer><button aria-label="Stop">■</button></form>',
     {"questions": 1, "answers": 1, "stop": True}),
]  # fmt: skip


async def test_a_poll_sees_what_the_page_shows(shown):
    assert await shown.polls(POLLS) == {name: expected for name, _, expected in POLLS}


async def test_a_poll_tells_where_it_looked(shown):
    await evaluate(shown.session, "document.title = 'A chat'")
    seen = await shown.poll("x" * 300)
    assert (seen.url, seen.title, seen.body_length) == ("about:blank", "A chat", 300)
    assert seen.body_begin == "x" * 200


IN_ANSWER = (
    '<article data-turn="assistant"><div data-message-author-role="assistant">{}</div></article>'
)
THOUGHT = '<button aria-expanded="false">Thinking time: 17s</button>'

LADDER = [
    # id, body, (rung, text)
    ("1: markdown", turn(1, "<p>One.</p><p>Two.</p>"), (1, "One.\n\nTwo.")),
    ("1: the newest answer only", turn(1, "Old.") + turn(2, "New."), (1, "New.")),
    ("1: thinking mode, a button inside", turn(1, "<p>Yes.</p>", THOUGHT), (1, "Yes.")),
    ("1: a button inside the markdown", turn(1, "<p>Yes.</p><pre><button>Copy</button>x = 1</pre>"),
     (1, "Yes.\n\nx = 1")),
    ("1: a marker inside the markdown", turn(1, "<p>思考時間 17 秒</p><p>はい。</p>"),
     (1, "はい。")),
    ("1: nested markdown once", turn(1, '<div class="markdown">Once.</div>'), (1, "Once.")),
    ("1: two messages of one turn", IN_ANSWER.format('<div class="markdown">A.</div>'
     '<div data-x><div class="markdown">B.</div></div>'), (1, "A.\n\nB.")),
    ("2: prose", IN_ANSWER.format(f'{THOUGHT}<div class="prose">P.</div>'), (2, "P.")),
    ("2: a class with markdown in it", IN_ANSWER.format('<div class="x-markdown-y">M.</div>'),
     (2, "M.")),
    ("2: the markdown is empty", IN_ANSWER.format(
        '<div class="markdown"></div><div class="prose">P.</div>'), (2, "P.")),
    ("3: paragraphs", IN_ANSWER.format(f"{THOUGHT}<div><p>A.</p><p>B.</p></div>"),
     (3, "A.\n\nB.")),
    ("4: the whole turn", IN_ANSWER.format(f"{THOUGHT}<div>A.</div><span>B.</span>"),
     (4, "A.\nB.")),
    ("4: with a marker that is no button", IN_ANSWER.format("<div>思考時間：3s</div><div>A.</div>"),
     (4, "A.")),
    ("4: without the line for screen readers", '<article data-turn="assistant">'
     '<h6 class="sr-only">ChatGPT said:</h6><div data-message-author-role="assistant">A.</div>'
     "</article>", (4, "A.")),
    ("4: what stands in the turn beside the message", '<article data-turn="assistant">'
     '<div data-message-author-role="assistant"></div><div>Beside.</div></article>',
     (4, "Beside.")),
    ("4: the message itself where there is no turn",
     '<div>Question</div><div data-message-author-role="assistant">A.</div>', (4, "A.")),
    ("nothing but a button", IN_ANSWER.format(THOUGHT), None),
    ("no answer: the page's text is none", "<main><p>Some words on a page</p></main>", None),
    ("a text that is not drawn yet (seed 001, problem 4)",
     turn(1, '<p data-start="0" data-end="9"></p>'), None),
    ("a message of the layout of 2026-09, without its question",
     '<div data-turn-key="t"><div data-content-search-unit-key="t:user"><p>Q.</p></div>'
     '<div data-content-search-unit-key="t:assistant">'
     '<div data-markdown-text-style="assistant-message"><p>A.</p></div></div></div>', (2, "A.")),
]  # fmt: skip


async def test_the_text_comes_from_the_first_rung_that_holds_one(shown):
    assert await shown.rungs(LADDER) == {name: expected for name, _, expected in LADDER}


async def test_the_whole_page_is_read_only_when_it_is_asked_for(shown):
    page = "<nav>Menu</nav><main>Here is the text of the page. <p>You: another question</p></main>"
    assert await shown.read(page) is None
    rung = await shown.read(page, whole_page=True)
    assert (rung.number, rung.text) == (5, "Here is the text of the page.")


async def test_the_whole_page_is_the_last_rung_and_without_main_it_is_the_body(shown):
    answered = await shown.read(turn(1, "Yes."), whole_page=True)
    assert (answered.number, answered.text) == (1, "Yes.")
    bare = await shown.read("<div>Some words</div><button>Send</button>", whole_page=True)
    assert (bare.number, bare.text) == (5, "Some words")


async def test_an_answer_is_read_by_its_number_even_if_a_newer_one_has_come(shown):
    page = turn(1, "First.") + turn(2, "Second.")
    assert (await shown.read(page, answer=1)).text == "First."
    assert (await shown.read(page, answer=2)).text == "Second."
    assert await shown.read(page, answer=3) is None


async def test_blocks_lists_tables_and_code_are_lines(shown):
    answer = """
      <h2>Head</h2><p>One <b>bold</b>
      word<br>and a line.</p><ul><li>a<ul><li>a1</li></ul></li><li>b</li></ul>
      <table><tr><th>x</th><th>y</th></tr><tr><td>1</td><td>2</td></tr></table>
      <pre><code>def f():
    return 1</code></pre><p hidden>unseen</p><p style="display: none">unseen</p>
      <script>let unseen</script>"""
    rung = await shown.read(turn(1, answer))
    assert rung.text == (
        "Head\n\nOne bold word\nand a line.\n\na\na1\nb\n\nx\ty\n1\t2\n\ndef f():\n    return 1"
    )


async def test_thinking_is_never_unfolded_and_nothing_is_clicked_or_changed(shown):
    page = turn(1, "Yes.", THOUGHT) + COMPOSER.format(NOTHING_TYPED, SEND)
    await show(shown.session, page)
    await evaluate(
        shown.session,
        """globalThis.changes = 0;
        document.addEventListener("click", () => { changes += 1; }, true);
        new MutationObserver((all) => { changes += all.length; }).observe(
          document, { subtree: true, childList: true, attributes: true, characterData: true });""",
    )
    async with shown.page.focused():
        await shown.page.poll()
        await shown.page.read(whole_page=True)
    assert await evaluate(shown.session, "changes") == 0
