"""The person's tab and window stay in front while we act in another tab of that window."""

import asyncio

import pytest
import pytest_asyncio

from browser.page.page_shown import show, value
from tabwire.browser.page.focus import SWITCH, focused
from tabwire.browser.page.page import Page
from tabwire.cdp.errors import CdpError

pytestmark = pytest.mark.asyncio

FACE = "[document.visibilityState, document.hasFocus()]"
ACTING = """<textarea></textarea><button id=go>go</button><input type=file hidden>
<div id=up onclick="document.querySelector('input').click()">add</div>
<div style='height:3000px'></div><p>end</p>"""
WATCHING = """<p>mine</p><script>const changes = [];
for (const name of ["blur", "focus", "resize", "scroll", "pagehide"])
  addEventListener(name, () => changes.push(name));
document.addEventListener("visibilitychange", () => changes.push(document.visibilityState));
</script>"""


@pytest_asyncio.fixture
async def two(new_tab, line):
    """The person's tab, active, and ours behind it in the same window."""
    person, watching = await new_tab()
    await show(watching, WATCHING)
    ours, acting = await new_tab()
    await line.call("Target.activateTarget", {"targetId": person})
    return (person, watching), (ours, acting)


async def window_of(line, target):
    return await line.call("Browser.getWindowForTarget", {"targetId": target})


async def test_nothing_we_do_disturbs_the_person(two, line, tmp_path):
    (person, watching), (ours, acting) = two
    page = await show(acting, ACTING)
    assert await value(acting, FACE) == ["hidden", False]
    before = await window_of(line, person)
    assert before == await window_of(line, ours)
    face = await value(watching, FACE)
    assert face[0] == "visible"
    await value(watching, "void (changes.length = 0)")
    (tmp_path / "a.txt").write_text("a")

    await page.fill("textarea", "text\nof two lines")
    await page.click("#go")
    await page.press("Tab")
    await page.read("p")
    await page.attach_files("#up", [tmp_path / "a.txt"])
    await page.attach_files("input", [tmp_path / "a.txt"])
    assert len(await page.screenshot()) > 1000
    assert len(await page.screenshot(full=True)) > 1000

    assert await value(watching, FACE) == face
    assert await value(watching, "changes") == []
    assert await window_of(line, person) == before == await window_of(line, ours)
    assert (await value(acting, FACE))[0] == "hidden"


async def test_a_hidden_tab_believes_it_is_in_front_only_while_we_act(two):
    _, (_, acting) = two
    page = await show(acting, "<p>text")
    assert await value(acting, FACE) == ["hidden", False]
    async with page.focused():
        assert await value(acting, FACE) == ["visible", True]
        async with Page(acting).focused():  # another page of the same tab
            assert await value(acting, FACE) == ["visible", True]
        assert await value(acting, FACE) == ["visible", True]
    assert await value(acting, FACE) == ["hidden", False]


async def test_blocks_that_overlap_end_with_the_last(two):
    _, (_, acting) = two
    first, second = focused(acting), focused(acting)
    await first.__aenter__()
    await second.__aenter__()
    await first.__aexit__(None, None, None)
    assert await value(acting, FACE) == ["visible", True]
    await second.__aexit__(None, None, None)
    assert await value(acting, FACE) == ["hidden", False]


async def test_it_ends_after_an_error_and_after_a_cancellation(two):
    _, (_, acting) = two
    with pytest.raises(KeyError):
        async with focused(acting):
            raise KeyError
    assert await value(acting, FACE) == ["hidden", False]

    async def for_ever() -> None:
        async with focused(acting):
            await asyncio.Event().wait()

    for turns in (1, 2, 50):  # before, while and after it is switched on
        async with asyncio.TaskGroup() as group:
            task = group.create_task(for_ever())
            for _ in range(turns):
                await asyncio.sleep(0)
            task.cancel()
        assert await value(acting, FACE) == ["hidden", False]


async def test_a_cancelled_fill_leaves_the_tab_unfocused(two):
    _, (_, acting) = two
    page = await show(acting, "<textarea></textarea>")
    async with asyncio.TaskGroup() as group:
        task = group.create_task(page.fill("textarea", "text"))
        while await value(acting, FACE) != ["visible", True]:
            pass
        task.cancel()
    assert (await value(acting, FACE))[0] == "hidden"


async def test_a_tab_lost_inside_the_block_is_no_error_on_the_way_out(two, line):
    _, (ours, acting) = two
    async with focused(acting):
        await line.call("Target.closeTarget", {"targetId": ours})
    with pytest.raises(CdpError, match=SWITCH):
        async with focused(acting):
            pytest.fail("there is nothing to focus")


async def test_a_line_closed_inside_the_block_is_no_error_on_the_way_out(two, line):
    _, (_, acting) = two
    async with focused(acting):
        await line.close()
