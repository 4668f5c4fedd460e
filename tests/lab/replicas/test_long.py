"""Very long answers: drawn in slices, laid out where they are seen, followed down with ease.

Each script in a real Chromium, on a page that has nothing else (see test_static.py).
"""

import pytest
import pytest_asyncio

from tabwire.lab.replicas.pages import edition

pytestmark = pytest.mark.asyncio

BLANK = "https://chatgpt.com/assets/blank.html"
# by the address under which the scripts know each other, so that each is there once
USE = """
  const use = (name) => import(`/assets/none~EDITION/${name}.js`);
  const { drawn, eased, later } = await use("draw");
  const { Markdown } = await use("markdown");
  const { Virtual } = await use("virtual");
  const made = (name, about = {}) => Object.assign(document.createElement(name), about);
  const pre = (language, text) => made("pre", { textContent: text });
  const fresh = (drew) => new Markdown(made("div"), pre, drew);
  const blocks = (count, word = "word") => `${word} ${"and so on ".repeat(20)}\\n\\n`.repeat(count);
"""


async def does(person, body):
    """Run statements with everything above; what they return."""
    shared = USE.replace("EDITION", edition("chatgpt"))
    return await person.finds(f"(async () => {{ {shared} {body} }})()")


@pytest_asyncio.fixture
async def blank(lab_tab):
    return await lab_tab(BLANK)


# -- slices -------------------------------------------------------------------------------


async def test_much_at_once_is_drawn_in_slices_and_waited_for(blank):
    at_once, in_the_end, slices = await does(
        blank,
        "let slices = 0; const one = fresh(() => (slices += 1)); one.draw(blocks(3000));"
        "const at_once = one.root.childNodes.length; await drawn();"
        "return [at_once, one.root.childNodes.length, slices]",
    )
    assert 0 < at_once < 1000
    assert in_the_end == 3000
    assert slices > 3


async def test_a_block_longer_than_a_slice_is_drawn_whole_and_never_less_of_it_again(blank):
    """A block of code grows to three slices, behind words and before words."""
    whole, shrunk = await does(
        blank,
        "const one = fresh(); const line = 'x'.repeat(99) + '\\n'; let text = 'Words.\\n\\n```\\n';"
        "let most = 0; let shrunk = 0; const look = () => {"
        "  const shown = one.root.textContent.length;"
        "  shrunk += shown < most; most = Math.max(most, shown);"
        "};"
        "for (let piece = 0; piece < 30; piece += 1) {"
        "  text += line.repeat(100); one.draw(text); look(); await drawn(); look();"
        "}"
        "one.draw(`${text}\\`\\`\\`\\n\\n${blocks(9)}`); await drawn();"
        "return [one.root.querySelector('pre').textContent.length, shrunk]",
    )
    assert (whole, shrunk) == (30 * 100 * 100 - 1, 0)


@pytest.mark.parametrize(
    "second",
    ["blocks(2000) + blocks(5, 'more')", "blocks(1500)", "blocks(9, 'other')", "''"],
)
async def test_a_text_that_comes_between_two_slices_is_the_one_that_is_drawn(blank, second):
    shown, expected = await does(
        blank,
        f"const one = fresh(); one.draw(blocks(2000)); const second = {second};"
        "one.draw(second); await drawn();"
        "const other = fresh(); other.draw(second); await drawn();"
        "return [one.root.textContent, other.root.textContent]",
    )
    assert shown == expected


async def test_what_a_drawing_asks_for_in_its_turn_is_waited_for(blank):
    seen = await does(
        blank,
        "const done = []; later('a', () => { done.push(1); later('a', () => done.push(2)); });"
        "await Promise.all([drawn(), drawn()]); await drawn(); return done",
    )
    assert seen == [1, 2]


# -- many blocks --------------------------------------------------------------------------


async def test_only_the_many_blocks_of_a_long_answer_wait_to_be_seen(blank):
    skipped = await does(
        blank,
        "const one = fresh(); one.draw(blocks(300)); await drawn(); document.body.append(one.root);"
        "return [...one.root.children].map((p) => getComputedStyle(p).contentVisibility)",
    )
    assert skipped == ["visible"] * 200 + ["auto"] * 100


async def test_a_long_answer_keeps_the_direction_it_began_with(blank):
    seen = await does(
        blank,
        "const one = fresh(); document.body.append(one.root); one.root.dir = 'auto';"
        "document.body.dir = 'rtl'; one.draw(blocks(3)); const early = one.root.dir;"
        "one.draw(blocks(600)); await drawn(); one.draw(blocks(605));"
        "return [early, one.root.dir, getComputedStyle(one.root).direction]",
    )
    assert seen == ["auto", "ltr", "ltr"]


# -- following ----------------------------------------------------------------------------

LIST = """
  document.body.innerHTML = '<div id="scroller" style="height:300px;overflow-y:auto">'
    + '<div id="list"></div></div>';
  const virtual = new Virtual(scroller, list);
  const row = made("div");
  const high = (pixels) => (row.style.height = `${pixels}px`);
  high(100);
  virtual.add(row);
  const rest = () => scroller.scrollHeight - scroller.scrollTop - scroller.clientHeight;
"""


@pytest.mark.parametrize(
    "what, follows",
    [
        ("high(5000)", True),  # far more than the window at once
        ("scroller.scrollTop = 0; high(5000)", False),  # somebody reads further up
        ("scroller.scrollTop = 0; scroller.scrollTop = 1700; high(5000)", True),  # and is back
        ("high(400); virtual.stay(); high(5000)", True),  # it shrank meanwhile
    ],
)
async def test_the_page_goes_with_the_end_unless_somebody_has_scrolled_up(blank, what, follows):
    rest = await does(
        blank, LIST + f"high(2000); virtual.stay(); {what}; virtual.stay(); return rest()"
    )
    assert (rest == 0) is follows


async def test_what_is_quick_is_done_each_time(blank):
    times = await does(
        blank,
        "let times = 0; const go = eased(() => (times += 1), Infinity);"
        "go(); go(); go(); return times",
    )
    assert times == 3


async def test_what_is_slow_is_done_now_and_then_and_at_last(blank):
    """The second call comes at once: it waits, and with it the third is done."""
    seen = await does(
        blank,
        "let times = 0; let again; const second = new Promise((done) => (again = done));"
        "const go = eased(() => {"
        "  times += 1; const began = performance.now(); while (performance.now() - began < 99);"
        "  if (times === 2) again();"
        "});"
        "go(); go(); go(); const at_once = times; await second; return [at_once, times]",
    )
    assert seen == [1, 2]
