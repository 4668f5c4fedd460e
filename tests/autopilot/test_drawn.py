"""The command of a card, as a person sees it and as it would run: panels written by hand."""

import json

import pytest

from autopilot.cockpit import Act, flying
from autopilot.panels import card, decided, line, panel
from autopilot.test_race import between
from tabwire.lab.antigravity import Command, Plan

pytestmark = [pytest.mark.asyncio, pytest.mark.xdist_group("browser")]

OFF = "position:absolute;left:-9999px"
CLIP = "display:inline-block;width:0;overflow:hidden"
NARROW = "width:60px;overflow:hidden;text-overflow:ellipsis;white-space:nowrap"


def hidden(style, words="echo ", rest="rm -rf /"):
    return line(f"<span style='{style}'>{words}</span>{rest}")


DRAWN = [
    # id, what stands in the card, the page's own style, what is done
    ("lines of their own", "<pre><div>echo hi</div><div>rm -rf /</div></pre>", "", "refuse"),
    ("harmless lines", "<pre><div>echo hi</div><div>ls</div></pre>", "", "click Run"),
    (
        "lines by a style",
        "<pre><span>echo hi</span><span>rm -rf /</span></pre>",
        "pre span {display: block}",
        "refuse",
    ),
    ("broken lines", "<pre>echo hi<br>rm -rf /</pre>", "", "refuse"),
    ("tokens", line("<b>ls</b> <i>-l</i> <span><b>src</b></span>"), "", "click Run"),
    ("tokens of a bad one", line("<b>r</b><b>m</b> -rf <i>/</i>"), "", "refuse"),
    ("not displayed", hidden("display:none", "# "), "", "ask"),
    ("not displayed by a style", line("<b># </b>rm -rf /"), "b {display: none}", "ask"),
    ("not visible", hidden("visibility:hidden"), "", "ask"),
    ("see-through", hidden("opacity:0"), "", "ask"),
    ("nearly so", hidden("opacity:0.02"), "", "ask"),
    ("without colour", hidden("color:transparent"), "", "ask"),
    ("letters of no size", hidden("font-size:0"), "", "ask"),
    ("beside the screen", hidden(OFF), "", "refuse"),
    ("cut away", hidden(CLIP), "", "ask"),
    ("turned around", line("<bdo dir=rtl>sl</bdo>"), "", "ask"),
    ("hidden and bad", hidden("display:none", "rm -rf /;", "ls"), "", "refuse"),
    ("said by a style", line("<b></b>ls"), "b::before {content: 'rm -rf / ;'}", "ask"),
    ("an icon by a style", line("<b></b>ls"), r"b::before {content: '\eb9d'}", "click Run"),
    ("cut by its box", f"<pre style='{NARROW}'>ls src/a/b/c/d/e/f/g</pre>", "", "click Run"),
    ("scrolled", "<pre style='width:60px;overflow:auto'>ls -l src/a/b/c</pre>", "", "click Run"),
    ("scrolled and bad", "<pre style='width:60px;overflow:auto'>ls; rm -rf /</pre>", "", "refuse"),
    ("a title that goes on", "<pre title='ls; rm -rf /'>ls</pre>", "", "refuse"),
    ("a title that goes on well", "<pre title='ls -l src'>ls</pre>", "", "click Run"),
    ("a folder in the middle", line("rm -rf <span data-tooltip-id=t>/</span>", ""), "", "refuse"),
    ("a folder that is none", "<pre><span class='text-ellipsis'>rm -rf /;</span> ls</pre>", "",
     "refuse"),
    ("a sign in the middle", line("echo x <span class='opacity-50'>></span> ~/.bashrc"), "",
     "refuse"),
    ("code beside it", line("ls") + "<code>rm -rf /</code>", "", "refuse"),
    ("letters of code beside it", line("ls") + "<p class='font-mono'>; rm -rf /</p>", "", "ask"),
    ("such letters by a style", line("ls") + "<p>; rm -rf /</p>", "p {font: 9px monospace}", "ask"),
    ("a field beside it", line("ls") + "<input value='rm -rf /'>", "", "ask"),
    ("more lines", line("ls") + "<button>Show 12 more lines</button>", "", "ask"),
    ("more lines, no button", line("ls") + "<p class='cursor-pointer'>+ 12 lines</p>", "", "ask"),
    ("the whole command", line("ls") + "<button>Show full command</button>", "", "ask"),
]  # fmt: skip


@pytest.mark.parametrize("body, css, does", [c[1:] for c in DRAWN], ids=[c[0] for c in DRAWN])
async def test_what_is_judged_is_what_is_seen_and_all_that_stands_there(blank, body, css, does):
    assert await decided(blank, panel(card(body), css=css)) == [does]


BOX = "<div><div>{}</div><button>Reject</button><button>Run</button></div>"
RAN = "<div><div>Ran command</div><pre>ls</pre></div>"
BESIDE = [
    # id, rows, what is done
    ("its own", "<div><pre>ls</pre>" + BOX.format("Run it?") + "</div>", "click Run"),
    ("of a step before", RAN + BOX.format("rm -rf ~"), "ask"),
    ("of a step before, a question", RAN + BOX.format("Run this?"), "ask"),
    ("of a card before", card(line("ls"), "", "Ran command") + BOX.format("Run this?"), "ask"),
    ("other words in the card", "<div><pre>ls</pre>" + BOX.format("rm -rf ~") + "</div>", "ask"),
    ("one word", "<div><pre>ls</pre>" + BOX.format("reboot") + "</div>", "ask"),
    ("more to show", "<div><p>Run?</p><pre>ls</pre><button>Show more</button>"
     "<button>Run</button></div>", "ask"),
]  # fmt: skip


@pytest.mark.parametrize("rows, does", [c[1:] for c in BESIDE], ids=[c[0] for c in BESIDE])
async def test_code_beside_a_card_is_the_cards_only_where_it_surely_is(blank, rows, does):
    assert await decided(blank, panel(rows)) == [does]


SAID = [
    ("another command", "aria-label='Run: rm -rf /'", "refuse"),
    ("in a title", "title='Run: rm -rf /'", "refuse"),
    ("the same", "aria-label='Run: ls'", "click Run"),
    ("its key", "title='Run: Ctrl+Enter'", "click Run"),
]


@pytest.mark.parametrize("said, does", [c[1:] for c in SAID], ids=[c[0] for c in SAID])
async def test_what_a_label_says_besides_is_judged_too(blank, said, does):
    buttons = f"<button>Reject</button><button {said}>Run</button>"
    assert await decided(blank, panel(card(line("ls"), buttons))) == [does]


async def test_a_part_that_is_hidden_between_look_and_click_is_not_clicked(agent_window, tmp_path):
    """The words are the same, and nobody sees them any more."""
    desk = await agent_window()
    style = json.dumps("pre.font-mono {color: transparent}")

    async def hides(_):
        await desk.does(f"document.head.append(Object.assign(document.createElement('style'),"
                        f"{{textContent: {style}}})), true")  # fmt: skip

    async with flying(desk, tmp_path) as cockpit:
        between(cockpit, hides)
        await desk.plays(Plan((Command("ls"),)))
        (refused,) = await cockpit.until(lambda: cockpit.acts(Act.NOT_CLICKED))
        assert refused.note == "changed"
        assert cockpit.clicked() == []
