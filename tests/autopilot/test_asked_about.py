"""What a card is about, in its words and its buttons: panels written by hand."""

import pytest

from autopilot.panels import HOME, card, decided, dialog, line, panel

pytestmark = [pytest.mark.asyncio, pytest.mark.xdist_group("browser")]

SRC = f"{HOME}/shop/src"


def step(words, label="Accept"):
    return f"<div><div>{words}</div><button>Reject</button><button>{label}</button></div>"


WORDS = [
    # id, rows, what is done
    ("a folder", dialog(f"Allow directory access to {SRC}?"), "click Allow Once"),
    ("a folder in code", dialog(f"Allow access to <code>{SRC}</code>?"), "click Allow Once"),
    ("two of them", dialog(f"Allow access to <code>{SRC}</code> and /etc/passwd?"), "ask"),
    ("all is deleted", step("Delete all of <code>src/data</code>"), "ask"),
    ("a folder is deleted", dialog(f"Delete everything in <code>{SRC}</code>?"), "ask"),
    ("files written over", dialog(f"Allow to overwrite all files in {SRC}?"), "ask"),
    ("a folder wiped", dialog(f"Allow to wipe the folder {SRC}?"), "ask"),
    ("deleted, in Japanese", dialog(f"{SRC} へのアクセスと削除を許可しますか？"), "ask"),
    ("a tool", dialog(f"Allow the MCP tool to read <code>{SRC}</code>?"), "ask"),
    ("an edit", step("Edit <code>src/a.ts</code>"), "click Accept"),
    ("an edit of a start file", step("Edited .bashrc +2 -0"), "ask"),
    ("an edit of git's settings", step("Edited .gitconfig +2 -0"), "ask"),
    ("a conversation", step("Delete this conversation?", "Continue"), "ask"),
    ("changes taken back", step("Undo all changes?", "Proceed"), "ask"),
    ("a limit", step("The agent reached its limit of steps.", "Continue"), "click Continue"),
]


@pytest.mark.parametrize("rows, does", [c[1:] for c in WORDS], ids=[c[0] for c in WORDS])
async def test_what_its_words_do_not_surely_say_is_asked(blank, rows, does):
    assert await decided(blank, panel(rows)) == [does]


BUTTONS = [
    ("plain", "", "click Run"),
    ("with its key", "class='k'", "click Run"),
    ("for ever", "aria-label='Always run'", "ask"),
    ("for ever, in a title", "title='Always run this'", "ask"),
    ("it unfolds", "aria-expanded='false'", "ask"),
    ("it does not take a press", "style='cursor:not-allowed'", "wait"),
]


@pytest.mark.parametrize("how, does", [c[1:] for c in BUTTONS], ids=[c[0] for c in BUTTONS])
async def test_a_button_that_does_more_than_it_says_is_left_to_the_person(blank, how, does):
    key = " <span>⌘</span> <span>⏎</span>" if "class" in how else ""
    buttons = f"<button>Reject</button><button {how}>Run{key}</button>"
    (done,) = await decided(blank, panel(card(line("ls"), buttons)))
    assert done.removesuffix(" ⌘ ⏎") == does
