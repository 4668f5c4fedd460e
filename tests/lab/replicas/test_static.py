"""The scripts all replicas share, each in a real Chromium, on a page that has nothing else.

The page is one of the lab's own addresses that answers 404: blank, and of the same origin as
the scripts.
"""

import json

import pytest
import pytest_asyncio

from tabwire.lab.answers import RICH
from tabwire.lab.stories.stage import Stage, as_json

pytestmark = pytest.mark.asyncio

BLANK = "https://chatgpt.com/assets/blank.html"
IMPORT = "const use = (name) => import(`/assets/${name}.js`);"
EDITOR = """
  document.body.innerHTML = '<div id="box" contenteditable="true"><p>server</p></div>';
  const { Editor } = await use("editor");
  window.heard = { changed: 0, enter: 0 };
  window.editor = new Editor(box, {
    changed: () => (heard.changed += 1),
    enter: () => (heard.enter += 1),
  });
  box.focus();
"""
CONTROL, SHIFT = 2, 8


async def does(person, body):
    """Run statements with `use(name)` for the shared scripts; what they return."""
    return await person.finds(f"(async () => {{ {IMPORT} {body} }})()")


@pytest_asyncio.fixture
async def blank(lab_tab):
    return await lab_tab(BLANK)


@pytest_asyncio.fixture
async def writer(blank):
    """A person before an editor that has the focus."""
    await does(blank, EDITOR)
    return blank


async def key(person, name, *, modifiers=0, text="", commands=()):
    code = {"Enter": 13, "Backspace": 8, "Escape": 27, "ArrowLeft": 37}
    what = {
        "key": name,
        "code": name,
        "modifiers": modifiers,
        "windowsVirtualKeyCode": code.get(name) or (ord(name.upper()) if name.isalnum() else 0),
        "commands": list(commands),
    }
    if text:
        what["text"] = text
    await person.session.call("Input.dispatchKeyEvent", {"type": "keyDown", **what})
    await person.session.call("Input.dispatchKeyEvent", {"type": "keyUp", **what})


async def types(person, words):
    for letter in words:
        await key(person, letter, text=letter)


async def inserts(person, text):
    await person.session.call("Input.insertText", {"text": text})


async def holds(person):
    """The editor's text, and what a reader sees; both must be the same."""
    text, shown = await person.finds(
        "[editor.model, [...box.children].map((one) => one.textContent).join('\\n')]"
    )
    assert shown == text
    return text


# -- the stage ----------------------------------------------------------------------------


async def test_a_page_without_a_stage_stands_on_the_default_one(blank):
    stage = await does(blank, "return (await use('stage')).stage")
    assert (stage["lang"], stage["login"], stage["hydrate"]) == ("en", "in", 0.03)


async def test_every_field_of_the_stage_is_known_to_the_script(blank):
    told = await does(blank, "return (await use('stage')).stage")
    assert told == json.loads(as_json(Stage()))


@pytest.mark.parametrize(
    "address, kept",
    [
        ("/c/1", "/c/1?lab=lang:ja,past:3"),
        ("/c/1?a=b#c", "/c/1?a=b&lab=lang:ja,past:3#c"),
        ("/?lab=lang:de", "/?lab=lang:de"),
    ],
)
async def test_an_address_keeps_what_the_tab_chose(lab_tab, address, kept):
    person = await lab_tab(f"{BLANK}?lab=lang:ja,past:3")
    assert await does(person, f"return (await use('stage')).keep({address!r})") == kept


async def test_an_address_is_left_alone_where_the_tab_chose_nothing(blank):
    assert await does(blank, "return (await use('stage')).keep('/c/1?a=b')") == "/c/1?a=b"


async def test_words_come_in_the_language_of_the_page(blank):
    said = await does(
        blank,
        'document.body.innerHTML = \'<script id=lab-stage type=application/json>{"lang":"de"}\''
        "+ '</' + 'script>';"
        "const t = (await use('stage')).labels({en: {a: 'A', b: 'B'}, de: {a: 'Ä'}});"
        "return [t('a'), t('b'), t('c')]",
    )
    assert said == ["Ä", "B", "c"]


async def test_a_page_comes_alive_once_and_says_so(blank):
    seen = await does(
        blank,
        "const { alive } = await use('stage'); let before = true; let times = 0;"
        "const woken = alive(() => { times += 1; return before; });"
        "const early = times; before = false; return [early, await woken, times]",
    )
    assert seen == [0, False, 1]


# -- drawing and directions ---------------------------------------------------------------


async def test_of_drawings_with_one_name_only_the_newest_is_done(blank):
    seen = await does(
        blank,
        "const { later, drawn } = await use('draw'); const done = [];"
        "later('a', () => done.push(1)); later('b', () => done.push(2));"
        "later('a', () => done.push(3)); done.push(0); await drawn(); return done",
    )
    assert seen == [0, 2, 3]


async def test_a_drawing_that_fails_keeps_no_other_from_being_drawn(blank):
    seen = await does(
        blank,
        "const { later, drawn } = await use('draw'); const done = [];"
        "later('a', () => { throw new Error('on purpose'); }); later('b', () => done.push(2));"
        "await drawn(); return done",
    )
    assert seen == [2]


async def test_directions_are_followed_once_each_when_so_much_is_shown(blank):
    seen = await does(
        blank,
        "const { Directions } = await use('directions'); const done = [];"
        "const acts = {flash: (how) => done.push(['flash', how]), toast: () => done.push('toast')};"
        "const header = JSON.stringify([{do: 'flash', at: 0, seconds: 2, times: 3},"
        "  {do: 'toast', at: 40, seconds: 1, times: 1}, {do: 'unknown', at: 0}]);"
        "const one = new Directions(header, acts);"
        "one.asked(); done.push('asked'); one.shown(39); one.shown(41); one.shown(90);"
        "const late = new Directions(header, acts); late.end(); late.asked(); late.shown(99);"
        "new Directions(null, acts).asked(); new Directions('?', acts).asked(); return done",
    )
    assert seen == [["flash", {"seconds": 2, "times": 3, "at": 0}], "asked", "toast"]


async def test_flicker_hides_and_shows_as_often_as_told(blank):
    seen = await does(
        blank,
        "const { flicker } = await use('directions'); let log = '';"
        "await flicker({seconds: 0.01, times: 3}, () => (log += 'h'), () => (log += 's'));"
        "return log",
    )
    assert seen == "hshshs"


# -- the editor ---------------------------------------------------------------------------


async def test_what_the_server_drew_is_replaced_when_the_editor_comes_alive(writer):
    assert await holds(writer) == ""
    assert await writer.finds("[editor.text, editor.empty, box.innerHTML]") == [
        "",
        True,
        "<p><br></p>",
    ]


async def test_typed_letters_and_soft_breaks_are_the_text(writer):
    await types(writer, "ab")
    await key(writer, "Enter", modifiers=SHIFT, text="\r")
    await types(writer, "c  d ")
    assert await holds(writer) == "ab\nc  d "
    assert await writer.finds("editor.text") == "ab\nc  d"
    assert await writer.finds("heard.enter") == 0


async def test_enter_sends_and_writes_nothing(writer):
    await types(writer, "a")
    await key(writer, "Enter", text="\r")
    assert await holds(writer) == "a"
    assert await writer.finds("heard.enter") == 1


@pytest.mark.parametrize("text", ["one\ntwo\n\nfour", "  two  spaces ", "日本語😀\n<b>&", "\n\n"])
async def test_a_text_inserted_at_once_is_the_text(writer, text):
    await inserts(writer, text)
    assert await holds(writer) == text


async def test_words_go_where_the_caret_is(writer):
    await inserts(writer, "one\nthree")
    await key(writer, "ArrowLeft", commands=["moveToBeginningOfLine"])
    await inserts(writer, "two\n")
    await types(writer, "X")
    assert await holds(writer) == "one\ntwo\nXthree"


async def test_backspace_takes_letters_whole_and_joins_lines(writer):
    await inserts(writer, "ab\n👩‍🚀")
    await key(writer, "Backspace")
    assert await holds(writer) == "ab\n"
    await key(writer, "Backspace")
    assert await holds(writer) == "ab"
    await key(writer, "Backspace")
    assert await holds(writer) == "a"


async def test_what_is_selected_is_replaced(writer):
    await inserts(writer, "one\ntwo\nthree")
    await key(writer, "a", modifiers=CONTROL, commands=["selectAll"])
    await types(writer, "n")
    assert await holds(writer) == "n"
    await key(writer, "a", modifiers=CONTROL, commands=["selectAll"])
    await key(writer, "Backspace")
    assert await holds(writer) == ""
    assert await writer.finds("editor.empty")


async def test_part_of_two_lines_is_replaced(writer):
    await inserts(writer, "first\nsecond")
    await writer.finds(
        "getSelection().setBaseAndExtent("
        "box.children[0].firstChild, 2, box.children[1].firstChild, 3)"
    )
    await inserts(writer, "-")
    assert await holds(writer) == "fi-ond"
    await types(writer, "!")
    assert await holds(writer) == "fi-!ond"


async def test_undo_and_redo(writer):
    await inserts(writer, "one")
    await inserts(writer, " two")
    await key(writer, "z", modifiers=CONTROL, commands=["undo"])
    assert await holds(writer) == "one"
    await key(writer, "Z", modifiers=CONTROL | SHIFT, commands=["redo"])
    assert await holds(writer) == "one two"
    for _ in range(3):
        await key(writer, "z", modifiers=CONTROL, commands=["undo"])
    assert await holds(writer) == ""


async def test_an_input_method_composes_before_it_writes(writer):
    await inserts(writer, "a\n")
    composing = {"selectionStart": 1, "selectionEnd": 1}
    for text in ("に", "にほ", "日本"):
        await writer.session.call("Input.imeSetComposition", {"text": text, **composing})
    assert await holds(writer) == "a\n日本"
    await inserts(writer, "日本語")
    await types(writer, "!")
    assert await holds(writer) == "a\n日本語!"


async def test_the_pages_own_command_is_heard(writer):
    await writer.finds("document.execCommand('insertText', false, 'one\\ntwo')")
    assert await holds(writer) == "one\ntwo"
    await writer.finds(
        "(document.execCommand('selectAll'), document.execCommand('insertText', false, 'x'))"
    )
    assert await holds(writer) == "x"
    await types(writer, "y")
    assert await holds(writer) == "xy"


async def test_a_pasted_text_is_heard_also_from_a_script(writer):
    await inserts(writer, "ab")
    await key(writer, "ArrowLeft")
    took = await writer.finds(
        "(() => { const data = new DataTransfer(); data.setData('text/plain', '1\\r\\n2');"
        "const about = {bubbles: true, cancelable: true, clipboardData: data};"
        "return !box.dispatchEvent(new ClipboardEvent('paste', about)); })()"
    )
    assert took
    assert await holds(writer) == "a1\n2b"


@pytest.mark.parametrize(
    "write",
    [
        "box.innerText = 'forged'",
        "box.textContent = 'forged'",
        "box.innerHTML = '<p>forged</p>'",
        "box.firstChild.textContent = 'forged'",
        "box.firstChild.firstChild.data = 'forged'",
    ],
)
async def test_what_a_script_writes_is_not_the_text(writer, write):
    await inserts(writer, "mine")
    before = await writer.finds("heard.changed")
    await writer.finds(
        f"(() => {{ {write}; const about = {{bubbles: true, inputType: 'insertText', data: 'x'}};"
        "box.dispatchEvent(new InputEvent('beforeinput', {...about, cancelable: true}));"
        "box.dispatchEvent(new InputEvent('input', about)); })()"
    )
    assert await holds(writer) == "mine"
    assert await writer.finds("heard.changed") == before
    await types(writer, "!")
    assert await holds(writer) == "mine!"


async def test_a_cleared_editor_is_empty_and_goes_on(writer):
    await inserts(writer, "one\ntwo")
    await writer.finds("editor.clear()")
    assert await holds(writer) == ""
    await key(writer, "z", modifiers=CONTROL)
    await types(writer, "n")
    assert await holds(writer) == "n"


async def test_thousands_of_lines_are_taken_at_once(writer):
    text = "\n".join(f"line {number}" for number in range(5000))
    await inserts(writer, text)
    await types(writer, "!")
    assert await holds(writer) == f"{text}!"


# -- Markdown -----------------------------------------------------------------------------

PLAIN = "const pre = (language, text, open) => Object.assign(document.createElement('pre'),"
PLAIN += " { textContent: text, lang: language, hidden: open });"
MARKDOWN = PLAIN + " const { Markdown } = await use('markdown');"
MARKDOWN += " const fresh = () => new Markdown(document.createElement('div'), pre);"
ODD_SOURCES = (
    RICH,
    "words\n$$\na\n- b\n# c\n$$\nafter\n\n$$ open\n\nnot maths, $5 and $6, $x$ is",
    "| a |\n|-|\n\ntext\n| not | a table |\nmore\n\n| a | b\n|--|:-:|\n| `x \\| y` | z |",
    "- a\n\n  b\n\n\n- c\n\nd\n\n1) e\n2) f\n3. g\n   ~~~\n   h\n   ~~~\n***\n"
    "> i\n> > j\n> ```\n> k",
    "one\r\ntwo\r\n\r\nthree\r\n",
)


@pytest.mark.parametrize("source", ODD_SOURCES)
@pytest.mark.rows(3, first=2)
async def test_an_answer_looks_the_same_however_it_grew(blank, source):
    """Every prefix: what a block was taken for may change with the next character."""
    wrong = await does(
        blank,
        MARKDOWN + f"const source = {json.dumps(source)}; const growing = fresh();"
        "for (let end = 1; end <= source.length; end += 1) {"
        "  const at_once = fresh(); at_once.draw(source.slice(0, end));"
        "  growing.draw(source.slice(0, end));"
        "  if (growing.root.innerHTML !== at_once.root.innerHTML) return source.slice(0, end);"
        "} return null",
    )
    assert wrong is None


async def test_everything_in_a_rich_answer_is_drawn(blank):
    drawn = await does(
        blank,
        MARKDOWN + f"const one = fresh(); one.draw({json.dumps(RICH)}); return one.root.innerHTML",
    )
    for part in (
        "<strong>bold</strong>, some <em>italic</em>, some <strong><em>both</em></strong>",
        "<del>gone</del>, and <code>code with * and $ and |</code>",
        '<pre lang="markdown">Here is a fence inside a fence:\n\n'
        '```python\nprint("a * b $ c")\n```</pre>',
        '<th style="text-align: left">what</th><th style="text-align: right">数</th>'
        '<th style="text-align: center">note</th>',
        '<td style="text-align: center"><code>a | b</code></td>',
        'dir="auto">العربية</td>',
        'href="https://example.com/a_(b)"',
        "<ul><li>nested<ul><li>deeper, with <code>code</code></li></ul></li></ul>",
        "<p>A paragraph of the second item.</p>",
        '<li><input type="checkbox" disabled="" checked=""> done</li>'
        '<li><input type="checkbox" disabled=""> not done</li>',
        "<blockquote><p>A quote\nof two lines.</p><blockquote><p>and one inside</p></blockquote>",
        'Inline <span class="katex" data-tex="e^{i\\pi} + 1 = 0">',
        '<p><span class="katex-display"><span class="katex" data-tex="\\int_0^\\infty e^{-x^2}',
        '<p dir="auto">日本語、中文、한국어.',
        "<hr><p>The last line.</p>",
    ):
        assert part in drawn, part


async def test_what_is_done_is_never_drawn_again(blank):
    """A megabyte in a hundred draws: the finished blocks keep their elements."""
    kept, count, made = await does(
        blank,
        MARKDOWN + "const block = `${'word 光 😀 '.repeat(25)}\\n\\n`.repeat(50);"
        "const make = Document.prototype.createElement; let made = 0;"
        "Document.prototype.createElement = function (...given) {"
        "  made += 1; return make.apply(this, given); };"
        "const one = fresh(); let text = block; one.draw(text); const first = one.root.firstChild;"
        "for (let piece = 1; piece < 100; piece += 1) { text += block; one.draw(text); }"
        "Document.prototype.createElement = make;"
        "return [one.root.firstChild === first, one.root.childNodes.length, made]",
    )
    assert (kept, count) == (True, 5_000)
    assert made < 2 * count, "drawn anew each time it is fifty times as many"


async def test_another_text_is_drawn_anew(blank):
    drawn = await does(
        blank,
        MARKDOWN + "const one = fresh(); one.draw('a\\n\\nb\\n\\nc\\n\\nd');"
        "one.draw('x\\n\\nb'); return one.root.innerHTML",
    )
    assert drawn == "<p>x</p><p>b</p>"


# -- long lists ---------------------------------------------------------------------------

LONG = """
  document.body.innerHTML = '<div id="scroller" style="height:300px;overflow-y:auto">'
    + '<div id="list"></div></div>';
  const { Virtual } = await use("virtual");
  window.virtual = new Virtual(scroller, list, { keep: 8 });
  window.added = (number) => {
    const one = document.createElement("div");
    one.className = "row";
    one.style.height = "100px";
    one.textContent = number;
    virtual.add(one);
  };
  window.rows = () => [...document.querySelectorAll(".row")].map((one) => Number(one.textContent));
"""


async def test_a_short_list_is_whole(blank):
    seen = await does(blank, LONG + "for (let at = 0; at < 10; at += 1) added(at); return rows()")
    assert seen == list(range(10))


async def test_of_a_long_list_only_what_is_near_is_in_the_page(blank):
    seen, height = await does(
        blank,
        LONG + "for (let at = 0; at < 100; at += 1) added(at); virtual.toEnd();"
        "return [rows(), scroller.scrollHeight]",
    )
    assert seen == list(range(90, 100))
    assert height == 10_000
    await blank.finds("scroller.scrollTop = 0")
    await blank.sees("rows()[0] === 0")
    assert await blank.finds("rows()") == [*range(8), 98, 99]
    assert await blank.finds("scroller.scrollHeight") == 10_000
    await blank.finds("scroller.scrollTop = 5000")
    await blank.sees("rows().includes(50) && rows().includes(52)")
    assert len(await blank.finds("rows()")) == 10


async def test_a_cleared_list_begins_anew(blank):
    seen = await does(
        blank,
        LONG + "for (let at = 0; at < 50; at += 1) added(at); virtual.clear(); added(7);"
        "virtual.toEnd(); return [rows(), scroller.scrollHeight]",
    )
    assert seen == [[7], 300]


# -- dialogs, menus, files, reading aloud ---------------------------------------------------


async def test_an_overlay_takes_every_click_until_it_is_closed(blank):
    await does(
        blank,
        "document.body.innerHTML = '<button id=below>below</button>'; window.presses = 0;"
        "below.onclick = () => (presses += 1);"
        "below.style.cssText = 'position:fixed;inset:10% 10%';"
        "const { overlay } = await use('dialog');"
        "overlay('cookies', {words: {buttons: ['No', 'Yes']}, attributes: {'data-testid': 'c'}})",
    )
    await blank.clicks("#below")
    assert await blank.finds("presses") == 0
    assert await blank.finds("document.querySelector('[role=dialog][data-testid=c]').ariaModal")
    await blank.clicks("[role=dialog] button")
    await blank.sees("!document.querySelector('[role=dialog]')")
    await blank.clicks("#below")
    assert await blank.finds("presses") == 1


async def test_a_menu_opens_menus_and_its_choice_is_heard(blank):
    await does(
        blank,
        "document.body.innerHTML = '<button id=opens>Models</button>'; window.picks = [];"
        "const { Picker } = await use('picker');"
        "const inner = [{name: 'high', label: 'High'}, {name: 'low', label: 'Low'}];"
        "const items = [{name: 'auto', label: 'Auto'}, {name: 'pro', label: 'Pro', disabled: true,"
        "  note: 'Back at noon'}, {name: 'effort', label: 'Effort', items: inner}];"
        "const dress = (row, item) => item && row.setAttribute('data-testid', `m-${item.name}`);"
        "new Picker(opens, items, {dress, chosen: (item) => picks.push(item.name)});",
    )
    await blank.clicks("#opens")
    assert "Back at noon" in await blank.finds("document.querySelector('[role=menu]').innerText")
    await blank.clicks("[data-testid=m-pro]")
    await blank.clicks("[data-testid=m-effort]")
    assert await blank.counts("[role=menu]") == 2
    await blank.clicks("[data-testid=m-low]")
    assert await blank.finds("picks") == ["low"]
    assert await blank.counts("[role=menu]") == 0
    await blank.clicks("#opens")
    await key(blank, "Escape")
    assert await blank.counts("[role=menu]") == 0


UPLOADS = """
  document.body.innerHTML = '<input id="chosen" type="file" multiple><div id="chips"></div>'
    + '<script id="lab-stage" type="application/json">STAGE</' + 'script>';
  const { Uploads } = await use("upload");
  window.put = [];
  window.changes = 0;
  window.uploads = new Uploads({
    inputs: [chosen], drop: document.body, chips,
    put: async (file) => { put.push(file.name); return `id-${file.name}`; },
    changed: () => { changes += 1; document.body.dataset.changes = changes; },
  });
  window.give = (kind, name) => {
    const data = new DataTransfer();
    data.items.add(new File(["four"], name));
    const about = { bubbles: true, cancelable: true, clipboardData: data, dataTransfer: data };
    const Made = kind === "paste" ? ClipboardEvent : DragEvent;
    document.body.dispatchEvent(new Made(kind, about));
  };
"""


async def test_files_chosen_dropped_and_pasted_are_uploaded(blank, tmp_path):
    (tmp_path / "a.txt").write_text("four")
    await does(blank, UPLOADS.replace("STAGE", '{"upload_seconds": 1.0}'))
    found = await blank.session.call("Runtime.evaluate", {"expression": "chosen"})
    where = {"objectId": found["result"]["objectId"], "files": [str(tmp_path / "a.txt")]}
    await blank.session.call("DOM.setFileInputFiles", where)
    # looked at in the same breath: they take a second
    began = "(give('drop', 'b.txt'), give('paste', 'c.txt'), uploads.ready)"
    assert not await blank.finds(began)
    await blank.sees("uploads.ready && uploads.files.length === 3")
    names = ["a.txt", "b.txt", "c.txt"]
    assert sorted(await blank.finds("put")) == names
    files = await blank.finds("uploads.files")
    assert sorted(one["id"] for one in files) == [f"id-{name}" for name in names]
    assert {one["size"] for one in files} == {4}
    await blank.clicks("#chips button")
    await blank.sees("uploads.files.length === 2")
    assert await blank.counts("#chips > *") == 2
    await blank.finds("uploads.clear()")
    assert await blank.counts("#chips > *") == 0


async def test_an_upload_that_fails_says_so_on_its_chip(blank):
    await does(blank, UPLOADS.replace("STAGE", '{"upload_seconds": 0, "upload_fails": true}'))
    await blank.finds("give('drop', 'b.txt')")
    await blank.sees("document.querySelector('#chips [role=alert]')")
    assert await blank.finds("[uploads.files.length, uploads.ready, put.length]") == [0, True, 0]


async def test_reading_aloud_says_stop_until_it_is_pressed_again(blank):
    await does(
        blank,
        "document.body.innerHTML = '<div id=bar></div>'; const { aloud } = await use('aloud');"
        "aloud(bar, {read: 'Read', stop: 'Stop it'})",
    )
    label = "document.querySelector('#bar button').ariaLabel"
    assert await blank.finds(label) == "Read"
    await blank.clicks("#bar button")
    assert await blank.finds(label) == "Stop it"
    await blank.clicks("#bar button")
    assert await blank.finds(label) == "Read"
