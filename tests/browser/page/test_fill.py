"""A text gets into a field or editor, whole, and nothing is sent by it."""

from itertools import product

import pytest

from browser.page.page_shown import show, show_file, value
from tabwire.browser.page.errors import NotFilled, NotFound

pytestmark = pytest.mark.asyncio

TEXTS = {
    "a word": "hello",
    "lines": "one\ntwo\n\nfour",
    "emoji": "family 👩‍👩‍👧 flag 🇯🇵 日本語",
    "right to left": "שלום עולם، مرحبا",
    "markup": "<b>not bold</b> & <script>sent.push('ran')</script>",
    "spaces": "two  spaces and a\ttab",
    "windows lines": "one\r\ntwo",
    "long": "word " * 20_000,
}
EDITORS = ("prose", "quill", "lexical")


@pytest.mark.parametrize("editor", EDITORS)
@pytest.mark.rows(1)
async def test_an_editor_with_a_model_of_its_own_takes_every_text(blank, editor):
    page = await show_file(blank, "editors.html")
    for name, text in TEXTS.items():
        filled = await page.fill(f"#{editor}", text)
        assert filled.how == "insert", name
        assert filled.read_back.split() == text.split(), name
        model = await value(blank, f"models.{editor}")
        assert model.split() == text.split(), name
    assert await value(blank, "sent") == []


async def test_a_textarea_takes_every_text_exactly(blank):
    page = await show_file(blank, "editors.html")
    for field, (name, text) in product(("area", "controlled"), TEXTS.items()):
        filled = await page.fill(f"#{field}", text)
        assert filled.read_back == text.replace("\r\n", "\n"), (field, name)
        assert await value(blank, f"{field}.value") == filled.read_back, (field, name)
    assert await value(blank, "sent") == []


async def test_line_breaks_and_empty_lines_are_read_back_as_they_were_written(blank):
    page = await show_file(blank, "editors.html")
    text = "one\n\n  three\nfour"
    for editor in EDITORS:
        assert (await page.fill(f"#{editor}", text)).read_back == text
        assert await value(blank, f"models.{editor}") == text


async def test_a_line_break_in_a_one_line_field_sends_no_form(blank):
    page = await show_file(blank, "editors.html")
    filled = await page.fill("#line", "one\ntwo")
    assert filled.read_back.split() == ["one", "two"]
    assert await value(blank, "sent") == []


async def test_what_stood_there_before_is_replaced_and_can_be_erased(blank):
    page = await show_file(blank, "editors.html")
    for editor in (*EDITORS, "area", "line"):
        await page.fill(f"#{editor}", "first words")
        assert (await page.fill(f"#{editor}", "second")).read_back == "second", editor
        assert (await page.fill(f"#{editor}", "")).read_back == "", editor
        assert await page.read(f"#{editor}") in ([""], ["\n"]), editor


@pytest.mark.parametrize("editor, how", [("deaf", "command"), ("keys", "keys")])
async def test_an_editor_deaf_to_one_way_is_written_in_another(blank, editor, how):
    page = await show_file(blank, "editors.html")
    text = "two lines\nof emoji 👍 and 日本"
    filled = await page.fill(f"#{editor}", text)
    assert (filled.how, filled.read_back) == (how, text)
    assert await value(blank, f"models.{editor}") == text
    assert await value(blank, "sent") == []


async def test_an_editor_that_takes_nothing_is_named_with_what_stands_there(blank):
    page = await show_file(blank, "editors.html")
    with pytest.raises(NotFilled, match=r"the composer .*insert, command, keys.*'mine'") as caught:
        await page.fill("#refuses", "yours", part="composer")
    assert caught.value.stands == "mine"


async def test_a_text_of_thousands_of_lines_is_placed_whole(blank):
    """Chromium's own insertion takes minutes for it."""
    page = await show_file(blank, "editors.html")
    text = "a line of code\n" * 3000
    for field in ("lexical", "area"):
        filled = await page.fill(f"#{field}", text)
        assert (filled.how, filled.read_back) == ("place", text)


async def test_a_page_that_makes_a_file_of_a_long_paste_is_not_given_the_text_again(blank):
    page = await show(
        blank,
        "<div contenteditable>.</div><script>let files = 0;"
        "document.onpaste = (event) => { event.preventDefault(); files += 1 }</script>",
    )
    with pytest.raises(NotFilled, match="tried place"):
        await page.fill("div", "line\n" * 1000)
    assert await value(blank, "files") == 1


async def test_an_element_replaced_while_we_write_is_found_again(blank):
    page = await show_file(blank, "editors.html")
    filled = await page.fill("#swaps > div", "still here")
    assert (filled.how, filled.read_back) == ("insert", "still here")
    assert await value(blank, "swapped") == 3


async def test_an_element_replaced_between_look_and_act_is_found_again(blank, monkeypatch):
    page = await show(blank, "<textarea id=area>old</textarea>")
    real, asked = page._finder.need, 0

    async def need(wish):
        nonlocal asked
        found = await real(wish)
        asked += 1
        if asked == 1:
            await value(blank, "area.replaceWith(area.cloneNode(true))")
        return found

    monkeypatch.setattr(page._finder, "need", need)
    filled = await page.fill("#area", "new")
    assert (asked, filled.how, filled.read_back) == (2, "insert", "new")
    assert await value(blank, "area.value") == "new"


async def test_an_editor_inside_a_shadow_root_is_filled(blank):
    page = await show(
        blank,
        "<outer-box></outer-box><script>"
        "const root = document.querySelector('outer-box').attachShadow({mode: 'open'});"
        "root.innerHTML = '<div class=in contenteditable=true></div><textarea>old</textarea>';"
        "</script>",
    )
    for css in ("outer-box .in", "textarea"):
        assert (await page.fill(css, "two\nlines")).read_back == "two\nlines"


UNWRITABLE = (
    "<textarea id=a readonly></textarea><textarea id=b disabled></textarea>"
    "<div inert><textarea id=c></textarea></div><div id=d>no editor</div><input id=e type=range>"
)


async def test_what_cannot_be_written_into_is_not_written_into(blank):
    page = await show(blank, UNWRITABLE)
    for name in "abcde":
        with pytest.raises(NotFound, match=r"composer not found .*1 matched but cannot be used"):
            await page.fill(f"#{name}", "text", part="composer")


async def test_a_field_that_throws_the_focus_away_is_an_error_in_time(blank):
    page = await show(blank, "<textarea onfocus='this.blur()'>kept</textarea>")
    with pytest.raises(NotFilled, match="not give it focus"):
        await page.fill("textarea", "text")
    assert await value(blank, "document.querySelector('textarea').value") == "kept"
