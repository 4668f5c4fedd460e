"""What is read of a panel, on pages written for it: seed 000's dom behaviours."""

import asyncio
import hashlib

import pytest

from tabwire.browser.agent.classic import ClassicPanel
from tabwire.browser.agent.panel import PanelWatch
from tabwire.model.agent import RowKind, card_hash
from tabwire.sites.antigravity.page import PACKS

pytestmark = [pytest.mark.asyncio, pytest.mark.xdist_group("browser")]

STOP = (
    '<div data-tooltip-id="input-send-button-cancel-tooltip">'
    '<div class="bg-red-500">&nbsp;</div></div>'
)
SAID = (
    '<div class="flex flex-row my-2"><div class="min-w-0 grow">'
    '<div class="flex flex-col gap-y-3">{}</div></div></div>'
)
PROSE = '<div class="leading-relaxed select-text"><p>{}</p></div>'


def page(*turns, footer="", outside="", panel="antigravity-agent-side-panel"):
    shown = "".join(
        f'<div><div><div class="bg-gray-500/15 p-2 rounded-lg select-text">'
        f'<div class="whitespace-pre-wrap">{user}</div></div></div>'
        f'<div class="flex flex-col space-y-2">{rows}</div></div>'
        for user, rows in turns
    )
    return (
        f'<body><div class="editor">{outside}</div><div class="{panel}"><div id="conversation">'
        f'<div class="relative flex flex-col gap-y-3 px-4">{shown}</div></div>'
        f'<div class="text-ide-message-block-bot-color">{footer}</div></div></body>'
    )


def tool(label, target, more=""):
    return (
        '<div class="flex flex-row"><div class="min-w-0 grow"><div class="group">'
        '<div class="truncate">'
        f'<div class="flex flex-row"><span class="shrink-0">{label}</span><div class="flex">'
        f'<span class="inline-flex break-all">{target}</span></div></div></div>'
        f"<span>{more}</span></div></div></div>"
    )


def said(text):
    return SAID.format(PROSE.format(text))


async def shown(session, html):
    frame = (await session.call("Page.getFrameTree"))["frameTree"]["frame"]["id"]
    await session.call("Page.setDocumentContent", {"frameId": frame, "html": html})


async def read(session, html):
    await shown(session, html)
    watch = PanelWatch(session, lambda _: None)
    panel = await watch.arm()
    watch.close()
    return panel


def output(panel):
    return [row.text for row in panel.open[-1].rows if row.kind is RowKind.PROSE]


async def test_s0_020_an_answer_about_limits_is_no_limit(blank):
    html = page(
        ("q", said('<span class="text-sm">You have exhausted your quota: rate limit</span>'))
    )
    assert (await read(blank, html)).quota == ()
    await shown(blank, html)
    assert not await ClassicPanel(blank).quota()


async def test_a_banner_is_a_limit_in_both_profiles(blank):
    banner = '<div role="alert"><h3><span>Model quota reached</span></h3></div>'
    html = page(("q", said("Hi")), footer=banner)
    assert "Model quota reached" in (await read(blank, html)).quota[0]
    assert await ClassicPanel(blank).quota()


LIMITS = [
    # id, what comes into the turn, what stands around the turns, whether that is a limit
    ("a search for it", tool("Searched", "quota exceeded", "4 results"), "", False),
    ("an inline notice", "<div><span>Error You have exhausted your quota.</span></div>", "", True),
    ("a rate limit", "", '<div role="alert">Rate limit exceeded. Try again later.</div>', True),
    ("a heading about one", "", "<h3>Fix the rate limit</h3>", False),
]


@pytest.mark.parametrize("row, footer, limit", [c[1:] for c in LIMITS], ids=[c[0] for c in LIMITS])
async def test_a_limit_is_what_the_panel_says_and_not_what_the_agent_works_on(
    blank, row, footer, limit
):
    await shown(blank, page(("q", "<div></div>"), footer=footer))
    watch = PanelWatch(blank, lambda _: None)
    await watch.arm()
    came = f"document.querySelector('.space-y-2').insertAdjacentHTML('beforeend', `{row}`)"
    await does(blank, came)
    assert bool((await watch.look()).quota) is limit


@pytest.mark.parametrize("label", ["停止", "生成を停止", "Stop", "stop response"])
async def test_s0_031_a_button_with_such_a_label_means_generating(blank, label):
    html = page(("q", ""), footer=f"<button>{label}</button>")
    assert (await read(blank, html)).stop
    assert await ClassicPanel(blank).stop()


@pytest.mark.parametrize(
    "footer",
    [
        '<button aria-label="Record voice memo"><svg><path/><rect/></svg></button>',
        "<button>Stop the server and restart</button>",
        '<button data-tooltip-id="stop-task-441"><svg></svg></button>',
        STOP.replace("<div data", '<div style="display:none" data'),
        '<button style="visibility:hidden">Stop</button>',
    ],
    ids=["microphone", "sentence", "stop of a task", "hidden", "invisible"],
)
async def test_what_is_no_stop_control(blank, footer):
    html = page(("q", ""), footer=footer)
    assert not (await read(blank, html)).stop
    assert not await ClassicPanel(blank).stop()


async def test_a_stop_control_that_is_fixed_in_place_is_seen(blank):
    fixed = STOP.replace("<div data", '<div style="position:fixed;bottom:0" data')
    assert (await read(blank, page(("q", ""), footer=fixed))).stop


async def test_s0_035_a_thinking_block_alone_is_no_answer(blank):
    block = (
        '<div class="isolate"><button>Thought for 28s</button><div class="max-h-0 opacity-0">'
        f"{PROSE.format('I ponder.')}</div></div>"
    )
    panel = await read(blank, page(("a", said("Old")), ("q", SAID.format(block))))
    (row,) = panel.open[-1].rows
    assert (row.kind, row.label, row.text) == (RowKind.THINKING, "Thought for 28s", "I ponder.")


@pytest.mark.parametrize(
    "around",
    [
        "<details>{}</details>", '<div class="feedback-bar">{}</div>', "<footer>{}</footer>",
        '<div role="dialog">{}</div>', "<form>{}</form>",
        '<div class="notify-user-container">{}<button>Open</button><button>Proceed</button></div>',
    ],
    ids=["details", "feedback", "footer", "dialog", "form", "plan"],
)  # fmt: skip
async def test_s0_038_text_that_is_no_answer(blank, around):
    html = page(("q", said("The answer.") + around.format(PROSE.format("Not this."))))
    assert output(await read(blank, html)) == ["The answer."]
    assert await ClassicPanel(blank).text() == "The answer."


async def test_s0_039_every_tool_row_with_its_target(blank):
    rows = (
        tool("Analyzed", "a.py#L1-9") + tool("Edited", "b.sql", "+1 -0") + tool("Created", "c.py")
        + tool("Searched", "CategoryId", "4 results") + tool("Error during tool execution", "")
    )  # fmt: skip
    panel = await read(blank, page(("q", rows)))
    assert [(r.label, r.target) for r in panel.open[-1].rows] == [
        ("Analyzed", "a.py#L1-9"), ("Edited", "b.sql"), ("Created", "c.py"),
        ("Searched", "CategoryId"), ("Error during tool execution", ""),
    ]  # fmt: skip
    assert panel.open[-1].rows[1].text == "Edited b.sql +1 -0"


async def test_a_sentence_that_begins_like_a_tool_row_is_output(blank):
    text = "Read the docs at https://x.y before you start."
    assert output(await read(blank, page(("q", said(text))))) == [text]


async def test_the_editor_beside_the_panel_is_not_read(blank):
    preview = PROSE.format("A Markdown preview") + "<button>Run</button><pre>rm -rf /</pre>"
    panel = await read(blank, page(("q", said("Hi")), outside=preview))
    assert output(panel) == ["Hi"]
    assert panel.cards == ()


async def test_without_a_panel_nothing_is_read(blank):
    panel = await read(blank, page(("q", said("Hi")), panel="something-else"))
    assert (panel.panel, panel.turns, panel.open) == (False, (), ())


async def test_a_panel_of_unknown_structure_is_read_by_scores(blank):
    inner = "".join(
        f'<section class="rendered-markdown">{one}</section>'
        for one in ("Old.", "Analyzing a.py", "New.")
    )
    html = f'<body><div class="antigravity-agent-side-panel"><main>{inner}</main></div></body>'
    panel = await read(blank, html)
    assert not panel.recognised
    assert panel.loose is not None
    assert (panel.loose.text, panel.loose.logs) == ("New.", ("Analyzing a.py",))


async def test_markdown_of_an_answer(blank):
    code = "".join(
        f'<div class="code-line" data-line-number="1"><div class="line-content">{one}</div></div>'
        for one in ("a = 1", "  b")
    )
    inner = (
        '<div class="leading-relaxed select-text"><h2>Title</h2><p>A <strong>b</strong> '
        '<code>c</code> <span class="context-scope-mention"><button><span>app.py</span></button>'
        "</span>.</p><ul><li>x</li><li>y<ol><li>z</li></ol></li></ul><pre><div>"
        '<div class="font-sans">py</div><button>Copy</button></div>'
        f'<div class="code-block">{code}</div></pre>'
        "<table><tr><th>k</th></tr><tr><td>v</td></tr></table></div>"
    )
    (text,) = output(await read(blank, page(("q", SAID.format(inner)))))
    assert text == (
        "## Title\n\nA **b** `c` app.py.\n\n- x\n- y\n  1. z\n\n```py\na = 1\n  b\n```\n\n"
        "| k |\n| --- |\n| v |"
    )


async def test_both_sides_make_the_same_hash(blank):
    watch = PanelWatch(blank, lambda _: None)
    await watch.arm()
    for text in ("", "abc", "東京 🚀 " * 50, "x" * 55, "x" * 56, "x" * 64, "x" * 1000):
        got = await watch._world.call("agent/panel.hash", {"text": text})
        assert got == hashlib.sha256(text.encode()).hexdigest()
    assert card_hash("a", "b", "c", "d") == hashlib.sha256(b"a\nb\nc\nd").hexdigest()


async def test_the_self_test_says_what_was_recognised(blank):
    await shown(blank, page(("q", said("Hi") + tool("Analyzed", "a.py")), footer=STOP))
    watch = PanelWatch(blank, lambda _: None)
    await watch.arm()
    test = await watch.test()
    assert (test.pack, test.recognised, test.panel) == ("side-panel", True, True)
    assert {"root", "turns", "user", "prose", "tool", "stop"} <= set(test.taken.found)
    assert "plan" in test.taken.missing
    assert {one.name for one in test.packs} == {one.name for one in PACKS}


async def test_every_selector_can_be_read_by_a_browser(blank):
    for pack in PACKS:
        for css in {
            one.css
            for part in ("root", "turns", "thinking", "fold", "mode")
            for one in getattr(pack, part)
        }:
            got = await blank.call(
                "Runtime.evaluate", {"expression": f"document.querySelector({css!r})"}
            )
            assert "exceptionDetails" not in got, css


async def test_dump_all_texts_shows_why_each_was_taken_or_not(blank):
    html = page(
        (
            "q",
            said("An answer.")
            + SAID.format(PROSE.format("Analyzing x"))
            + f"<details open>{PROSE.format('No')}</details>",
        )
    )
    await shown(blank, html)
    dump = await ClassicPanel(blank).dump()
    classes = {one.text: one.classified for one in dump if one.score == 9}
    assert classes == {"An answer.": "response", "Analyzing x": "activity", "No": "excluded"}


async def test_nothing_in_the_page_is_changed_by_looking(blank):
    html = page(
        ("q", said("Hi")),
        footer="<div><p>Allow it?</p><button>Allow</button><button>Deny</button></div>",
    )
    await shown(blank, html)
    before = await blank.call(
        "Runtime.evaluate", {"expression": "document.documentElement.outerHTML"}
    )
    watch = PanelWatch(blank, lambda _: None)
    panel = await watch.arm()
    after = await blank.call(
        "Runtime.evaluate", {"expression": "document.documentElement.outerHTML"}
    )
    assert before == after
    assert panel.cards[0].kind == "permission"


ASKING = [
    # id, what stands beside the turns, kinds of cards, and what may be pressed in them
    (
        "an arrow in the label unfolds something",
        "<div><p>Allow directory access to src?</p><button>Deny</button>"
        "<button>Allow ▾</button></div>",
        [("permission", ["Deny"])],
    ),
    (
        "a wrapper that is called a button",
        "<div><p>Allow directory access to src?</p><div class='button-wrapper'><button>Deny"
        "</button></div><div class='split-button'><button>Allow</button></div></div>",
        [("permission", ["Deny", "Allow"])],
    ),
    (
        "a row of buttons with one in it",
        "<div><p>Allow directory access to src?</p><div class='dialog-buttons button'><div "
        "class='cursor-pointer'>Allow</div></div><div class='button-bar'>Deny</div></div>",
        [("permission", ["Allow"])],
    ),
    (
        "bare words of a bar",
        "<div><span>2 Files With Changes</span><div>Reject all</div><div>Accept all</div></div>",
        [("files", ["Reject all", "Accept all"])],
    ),
    (
        "one bare word with a pointer",
        "<div><span>1 File With Changes</span><span style='cursor:pointer'>Accept all</span></div>",
        [("files", ["Accept all"])],
    ),
    ("bare words without their other half", "<div><p>How to</p><b>Accept all</b></div>", []),
]


@pytest.mark.parametrize("footer, cards", [c[1:] for c in ASKING], ids=[c[0] for c in ASKING])
async def test_buttons_are_known_by_what_they_are(blank, footer, cards):
    panel = await read(blank, page(("q", said("Hi")), footer=footer))
    told = [
        (one.kind, [c.label for c in one.controls if not c.popup and c.role != "p"])
        for one in panel.cards
    ]
    assert told == cards
    assert all(c.role != "div" or "all" in c.label or c.label == "Allow"
               for one in panel.cards for c in one.controls)  # fmt: skip


BOX = "<div id='antigravity.agentSidePanelInputBox'><div contenteditable='true' role='textbox'>"


async def test_an_editors_window_is_no_manager(blank):
    """Its whole page would be the panel, with the editor's own buttons in it."""
    inner = page(("q", ""), outside="<div class='gap-y-3'><div class='bg-input p-2'>q</div></div>")
    inside = inner.replace("<body>", f"<body><div class='part editor'>{PROSE.format('x')}</div>")
    panel = await read(blank, inside.replace("</body>", f"{BOX}</div></div></body>"))
    assert panel.pack == "side-panel"
    closed = f"<body><div class='part editor'>{PROSE.format('x')}</div>{BOX}</div></div></body>"
    assert not (await read(blank, closed)).panel
    assert (await read(blank, f"<body>{BOX}</div></div></body>")).pack == "manager"


THUMBS = "".join(f"<div class='leading-relaxed select-text'>{one}</div>" for one in ("Good", "Bad"))


@pytest.mark.parametrize(
    "rows, told",
    [
        (said("Done.") + SAID.format(THUMBS), ["Done."]),
        (said("Done.") + SAID.format(PROSE.format("Good")), ["Done."]),
        (said("Good"), ["Good"]),
        (said("Good job."), ["Good job."]),
    ],
    ids=["both", "one alone below an answer", "all there is", "a sentence"],
)
async def test_good_and_bad_below_an_answer_are_no_output(blank, rows, told):
    assert output(await read(blank, page(("q", rows)))) == told


async def test_a_list_box_asks_nothing(blank):
    policy = '<div><p>Terminal commands</p><button aria-haspopup="listbox">Allow</button></div>'
    assert (await read(blank, page(("q", said("Hi")), footer=policy))).cards == ()


async def test_a_panel_of_twenty_thousand_nodes_is_looked_at_in_parts(blank):
    """Work per change is bounded: one more word reads one turn, not all of them."""
    turns = [(f"q{n}", "".join(tool("Analyzed", f"f{m}") for m in range(40))) for n in range(60)]
    await shown(blank, page(*turns, ("last", said("Hi"))))
    heard = []
    watch = PanelWatch(blank, heard.append)
    panel = await watch.arm()
    assert len(panel.turns) == 61
    grow = "document.querySelector('.leading-relaxed p').append(' more')"
    await blank.call("Runtime.evaluate", {"expression": grow})
    while not heard:
        await watch.cost()
    cost = await watch.cost()
    assert heard[-1].open[-1].rows[-1].text == "Hi more"
    assert cost["looks"] <= 3


async def heard_until(watch, heard, wanted):
    """Wait until a state was told that is as wanted."""
    async with asyncio.timeout(30):
        while not (heard and wanted(heard[-1])):
            await watch.cost()
    return heard[-1]


async def does(session, expression):
    said = await session.call("Runtime.evaluate", {"expression": f"void ({expression})"})
    assert "exceptionDetails" not in said, said


GROW = "document.querySelector('.leading-relaxed p').firstChild.data += ' more'"
RUN = (
    "<div class='my-1'><p>Run command?</p><pre class='font-mono'>ls</pre>"
    "<button>Reject</button><button>Run</button></div>"
)


async def test_words_that_only_come_are_told_without_a_look_at_all_the_rest(blank):
    await shown(blank, page(("q", said("Hi"))))
    heard = []
    watch = PanelWatch(blank, heard.append)
    await watch.arm()
    before = (await watch.cost())["looks"]
    for _ in range(3):
        words = heard[-1].open[-1].rows[-1].text if heard else "Hi"
        await does(blank, GROW)
        await heard_until(watch, heard, lambda one, w=words: output(one) == [f"{w} more"])
    assert (await watch.cost())["looks"] <= before + 1


@pytest.mark.parametrize(
    "change, seen",
    [
        (
            "document.querySelector('.space-y-2').insertAdjacentHTML('beforeend', `" + RUN + "`)",
            lambda one: [card.command for card in one.cards] == ["ls"],
        ),
        (
            "document.querySelector('.text-ide-message-block-bot-color').innerHTML = `"
            + STOP
            + "`",
            lambda one: one.stop,
        ),
        (
            "document.querySelector('.space-y-2').insertAdjacentHTML('beforeend', `"
            + tool("Analyzed", "a.py")
            + "`)",
            lambda one: one.open[-1].rows[-1].kind is RowKind.TOOL,
        ),
        (
            "document.querySelector('.leading-relaxed').insertAdjacentHTML('beforeend',"
            "`<img alt='a cat' width=200 height=200>`)",
            lambda one: any(row.kind is RowKind.IMAGE for row in one.open[-1].rows),
        ),
        (
            "document.querySelector('#conversation > div > div').insertAdjacentHTML('beforeend',"
            "`<div data-tooltip-id='up-1'>Good</div>`)",
            lambda one: one.closed,
        ),
    ],
    ids=["a card", "the stop control", "a tool", "a picture", "good and bad"],
)
async def test_what_comes_among_growing_words_is_seen(blank, change, seen):
    await shown(blank, page(("q", said("Hi"))))
    heard = []
    watch = PanelWatch(blank, heard.append)
    await watch.arm()
    await does(blank, GROW)
    await does(blank, f"{GROW}, {change}, {GROW}")
    last = await heard_until(watch, heard, seen)
    assert output(last)[0].startswith("Hi more more more")


async def test_a_card_that_is_about_growing_words_is_another_card(blank):
    """What a person is asked is what stands there, not what stood there when it came."""
    plan = (
        '<div class="notify-user-container"><div class="leading-relaxed select-text">'
        "<p>Delete one file.</p></div><button>Open</button><button>Proceed</button></div>"
    )
    await shown(blank, page(("q", plan)))
    heard = []
    watch = PanelWatch(blank, heard.append)
    (before,) = (await watch.arm()).cards
    await does(blank, GROW)
    last = await heard_until(watch, heard, lambda one: "more" in one.cards[0].text)
    assert last.cards[0].hash != before.hash


async def test_thoughts_grow_as_answers_do(blank):
    thought = (
        '<div class="isolate"><button>Thinking</button><div>'
        '<div class="leading-relaxed select-text"><p>Hm</p></div></div></div>'
    )
    await shown(blank, page(("q", SAID.format(thought))))
    heard = []
    watch = PanelWatch(blank, heard.append)
    await watch.arm()
    await does(blank, GROW)
    last = await heard_until(watch, heard, lambda one: "more" in one.open[-1].rows[-1].text)
    assert last.open[-1].rows[-1].kind is RowKind.THINKING
    assert output(last) == []


MORE = [
    # id, what stands in the turn, labels of what stands for folded steps
    ("a button", '<button type="button">Show 3 more</button>', ["Show 3 more"]),
    ("of steps", '<div role="button"><span>See 12 more steps</span></div>', ["See 12 more steps"]),
    ("Japanese", "<button>さらに3件を表示</button>", ["さらに3件を表示"]),
    ("hidden", '<button style="display: none">Show 3 more</button>', []),
    ("of something else", "<button>Show 3 more files</button>", []),
    ("without a number", "<button>Show more</button>", []),
    ("said", said("Show 3 more"), []),
    ("a button in an answer", said("<button>Show 3 more</button>"), []),
]


@pytest.mark.parametrize("html, labels", [c[1:] for c in MORE], ids=[c[0] for c in MORE])
async def test_a_button_for_more_steps_is_a_row_that_says_how_many(blank, html, labels):
    panel = await read(blank, page(("q", tool("Analyzed", "a.js") + html)))
    rows = panel.open[-1].rows
    assert rows[0].kind is RowKind.TOOL
    assert [(row.label, row.state) for row in rows if row.kind is RowKind.FOLD] == [
        (label, "more") for label in labels
    ]


async def test_a_row_told_whole_again_has_a_version_it_never_had(blank):
    """A reply and a report may overtake one another: the same number is never other words."""
    await shown(blank, page(("Q?", said("One."))))
    watch = PanelWatch(blank, lambda _: None)
    await watch.arm()
    before = {token: version for token, (version, _) in watch._rows.items()}
    await shown_prose(blank, "Two.")
    await watch.look(whole=True)
    again = {token: version for token, (version, _) in watch._rows.items() if token in before}
    assert again
    assert all(version > before[token] for token, version in again.items())


async def shown_prose(session, text):
    expression = f"document.querySelector('.leading-relaxed p').textContent = {text!r}"
    await session.call("Runtime.evaluate", {"expression": expression})
