"""Turns that are built otherwise than in the captured panels: output stays output, log stays log.

Shapes from other projects' sources: the oldest panels (`.prose`, thoughts faded), bot text of the
editor's 2.0, role attributes of seed 000, and tools of MCP servers with what they were given.
"""

import pytest

from browser.agent.test_panel import SAID, output, page, read, said, tool
from tabwire.model.agent import RowKind

pytestmark = [pytest.mark.asyncio, pytest.mark.xdist_group("browser")]

STEP = '<div class="flex flex-row"><div class="min-w-0 grow">{}</div></div>'
GIVEN = '<div class="leading-relaxed select-text"><pre><code>{"query": "x"}</code></pre></div>'
FADED = (
    "<div><button>Thought for 5s</button><div class='max-h-0'>"
    '<div class="prose opacity-70"><p>Hm.</p></div></div></div>'
)
LINE = (
    '<div class="animate-fade-in"><div class="truncate"><span>Edited</span> '
    '<span class="inline-flex break-all">b.py</span></div></div>'
)

SHAPES = [
    # id, what stands in the turn, its rows: kind, label, text
    (
        "bot text of 2.0",
        STEP.format('<div class="text-ide-message-block-bot-color"><p>So.</p></div>'),
        [("prose", "", "So.")],
    ),
    (
        "bot text around what is known",
        STEP.format(f'<div class="text-ide-message-block-bot-color">{said("So.")}</div>'),
        [("prose", "", "So.")],
    ),
    (
        "a role attribute",
        '<div data-message-role="assistant"><p>So.</p></div>',
        [("prose", "", "So.")],
    ),
    (
        "a role around steps",
        f'<div data-message-role="assistant">{tool("Analyzed", "a.py")}{said("So.")}</div>',
        [("tool", "Analyzed", "Analyzed a.py"), ("prose", "", "So.")],
    ),
    (
        "thoughts that are faded",
        STEP.format(FADED) + STEP.format('<div class="prose"><p>So.</p></div>'),
        [("thinking", "Thought for 5s", "Hm."), ("prose", "", "So.")],
    ),
    (
        "thoughts without a button",
        SAID.format('<div class="leading-relaxed select-text opacity-70"><p>Hm.</p></div>'),
        [("thinking", "", "Hm.")],
    ),
    ("a line without a step around it", LINE, [("tool", "Edited", "Edited b.py")]),
    (
        "a server's tool and what it was given",
        STEP.format(f'<div class="flex flex-col"><div>jina-mcp / search_web</div>{GIVEN}</div>'),
        [("tool", "jina-mcp / search_web", "jina-mcp / search_web")],
    ),
    (
        "a name over an answer",
        STEP.format(f"<div><div>Gemini</div>{said('So.')}</div>"),
        [("notice", "", "Gemini"), ("prose", "", "So.")],
    ),
]


@pytest.mark.parametrize("html, rows", [c[1:] for c in SHAPES], ids=[c[0] for c in SHAPES])
async def test_what_is_said_and_what_is_done_in_other_shapes(blank, html, rows):
    panel = await read(blank, page(("q", html)))
    shown = [one for one in panel.open[-1].rows if one.kind is not RowKind.GAP]
    assert [(one.kind.value, one.label, one.text) for one in shown] == rows


CODE = [
    # id, what stands in the answer, its Markdown
    (
        "a bar over bare lines",
        '<pre><style>.a{}</style><div class="rounded-t border-b"><div class="font-sans">js</div>'
        "<span>Copy</span></div>let a;\nlet b;</pre>",
        "```js\nlet a;\nlet b;\n```",
    ),
    (
        "numbers beside lines",
        '<pre><div class="code-line"><div>1</div><div class="line-content">a</div></div>'
        '<div class="code-line"><div>2</div><div class="line-content">b</div></div></pre>',
        "```\na\nb\n```",
    ),
    (
        "boxes to tick",
        '<ul><li><input type="checkbox" checked> one</li><li><input type="checkbox"> two</li></ul>',
        "- [x] one\n- [ ] two",
    ),
]


@pytest.mark.parametrize("html, text", [c[1:] for c in CODE], ids=[c[0] for c in CODE])
async def test_what_stands_beside_words_is_none_of_them(blank, html, text):
    inner = f'<div class="leading-relaxed select-text">{html}</div>'
    assert output(await read(blank, page(("q", SAID.format(inner))))) == [text]


async def test_one_element_around_all_turns_is_not_a_turn(blank):
    """Else the answer of before would stand in the turn of now."""
    turn = (
        '<div><div class="bg-gray-500/15 p-2 rounded-lg"><div class="whitespace-pre-wrap">{}</div>'
        '</div><div class="prose"><p>{}</p></div></div>'
    )
    shown = turn.format("one", "Old.") + turn.format("two", "New.")
    html = (
        f'<div id="cascade"><div class="overflow-y-auto"><div><div>{shown}</div></div></div></div>'
    )
    panel = await read(blank, f"<body>{html}</body>")
    assert [(one.user, [row.text for row in one.rows]) for one in panel.open] == [
        ("one", ["Old."]),
        ("two", ["New."]),
    ]


async def test_a_plans_title_and_summary_are_told_apart(blank):
    plan = (
        '<div class="notify-user-container"><div><span class="inline-flex break-all">The plan'
        '</span><span class="text-sm">In two steps.</span></div>'
        "<button>Open</button><button>Proceed</button></div>"
    )
    (card,) = (await read(blank, page(("q", STEP.format(plan))))).cards
    assert (card.title, card.text) == ("The plan", "The plan In two steps.")
