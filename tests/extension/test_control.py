"""The control: what it shows, what it does, and that it is never in the way."""

# ruff: noqa: E501  what a page does is easier to read in one line

import asyncio
import json

import pytest

from extension.control_seen import Control, key, press
from extension.page_lab import PAGE, stub_extension, tabs_at, value_of
from kit.extension import flags_for_extension
from tabwire.browser.launch import Launch, launched

pytestmark = pytest.mark.xdist_group("pages")  # one browser for all of them

ANSWER = "/backend-api/f/conversation"
STATE = {
    "kind": "state", "conversation": "c", "attempt": None, "life": "completed",
    "readiness": "canonical_ready", "why": "", "why_code": "ready", "title": "T",
    "save": True, "force": False, "degraded": False,
}  # fmt: skip
CHAT = (
    PAGE + "<style>body{margin:0}form{position:fixed;right:10px;bottom:80px;width:500px}"
    "textarea{width:100%;height:60px}</style><form><textarea id=ask></textarea></form>"
)


async def tell(tabs, message):
    await tabs.stub.tell({"t": "tell", "message": message})


async def state(tabs, **more):
    await tell(tabs, {**STATE, **more})


@pytest.mark.asyncio
async def test_the_badge_follows_a_question_before_the_hub_says_a_word(tabs, site):
    drip = site.server.drip(ANSWER, content_type="text/event-stream")
    page = await tabs.open()
    control = Control(page)
    await control.lives("idle")
    assert (await control.part(".save"))["off"]
    await value_of(page, f"void fetch('{ANSWER}', {{method: 'POST'}}).then((r) => r.text())")
    await control.lives("prompt-sent")
    await state(tabs, life="completed")  # of before: the question that left is newer
    await control.until(".save", "(one) => one.disabled")
    assert (await control.part())["life"] == "prompt-sent"
    await site.let(drip, b"data: 1\n\n")
    await control.lives("streaming")
    attempt = (await tabs.stub.of(ANSWER, ended=False)).sent["attempt"]
    await state(tabs, attempt=attempt, life="prompt-sent", save=False)  # late: never back
    await value_of(page, "history.pushState({}, '', '/c/new')")  # into its own new conversation
    assert (await control.part())["life"] == "streaming"
    await site.finish(drip)
    await control.lives("completed")
    assert (await control.part(".save"))["off"], "an end alone is no reason to save"
    await state(tabs, attempt=attempt, save=False, why_code="awaiting_second_sample", why="x")
    await control.until(".why", "(one) => one.textContent.includes('read again')")
    await state(tabs, attempt=attempt)
    await control.until(".save", "(one) => !one.disabled")


ENDS = [
    ("refused", "answer_refused", "Refused", "did not accept", True),
    ("failed", "answer_failed", "Failed", "could not finish", False),
    ("stopped", "answer_stopped", "Stopped", "was stopped", False),
    ("partial", "answer_not_complete", "Cut short", "not complete", False),
]


@pytest.mark.asyncio
async def test_each_way_a_question_ends_badly_has_its_own_badge_and_reason(tabs, site):
    """A limit is never shown as Completed, not even before the hub has spoken."""
    site.server.file(ANSWER, b"{}", "application/json", status=429)
    page = await tabs.open()
    control = Control(page)
    await control.lives("idle")
    await value_of(
        page,
        f"fetch('{ANSWER}', {{method: 'POST'}}).then((r) => r.text())",
    )
    await control.lives("failed")
    attempt = (await tabs.stub.of(ANSWER)).sent["attempt"]
    for life, code, name, why, save in ENDS:
        await state(tabs, attempt=attempt, life=life, why_code=code, save=save, force=not save)
        await control.lives(life)
        await control.until(".why", f"(one) => one.textContent.includes('{why}')")
        assert (await control.part(".life"))["text"] == name
        assert (await control.part(".save"))["off"] is not save
        assert (await control.part(".force"))["seen"] is not save


@pytest.mark.asyncio
async def test_save_downloads_what_the_hub_built_on_a_strict_page(tabs, site, tmp_path):
    rules = "default-src 'none'; sandbox allow-scripts allow-same-origin allow-downloads"
    site.server.file(
        "/", b"<!doctype html><title>x</title>", "text/html", content_security_policy=rules
    )
    where = {"behavior": "allow", "downloadPath": str(tmp_path), "eventsEnabled": True}
    await tabs.line.call("Browser.setDownloadBehavior", where)
    page = await tabs.open()
    control = Control(page)
    await state(tabs)
    await control.until(".save", "(one) => !one.disabled")
    await control.click(".save")
    asked = await tabs.stub.until("(all) => all.find((m) => m.kind === 'save')")
    assert (asked["format"], asked["force"]) == ("common", False)
    text = json.dumps({"title": "語 </script>"}, ensure_ascii=False)
    file = {
        "kind": "file",
        "request": asked["request"],
        "name": "語.json",
        "mime": "application/json",
    }
    with tabs.line.subscribe(["Browser.downloadProgress"]) as progress:
        await tell(tabs, {**file, "request": "another", "name": "no.json", "text": "no"})
        await tell(tabs, {**file, "text": text})
        async with asyncio.timeout(30):
            async for event in progress:
                if event.read()["state"] == "completed":
                    break
    assert [(one.name, one.read_text("utf-8")) for one in tmp_path.iterdir()] == [("語.json", text)]
    await control.until(".why", "(one) => one.textContent.includes('語.json')")


@pytest.mark.asyncio
async def test_force_save_is_there_only_when_allowed_and_asks_first(tabs, site):
    page = await tabs.open()
    control = Control(page)
    await state(tabs, save=False)
    await control.lives("completed")
    assert not (await control.part(".force"))["seen"]
    await state(tabs, save=False, force=True, why_code="stabilization_timeout")
    await control.until(".force", "(one) => !one.hidden")
    assert not (await control.part(".save"))["seen"]
    await control.click(".force")
    await control.until(".ask", "(one) => !one.hidden")
    await control.click(".no")
    await control.until(".ask", "(one) => one.hidden")
    await control.click(".force")
    await control.until(".ask", "(one) => !one.hidden")
    await control.click(".yes")
    # an empty list counts as something in a page
    saves = "all.filter((m) => m.kind === 'save')"
    asked = await tabs.stub.until(f"(all) => {saves}.length > 0 && {saves}")
    assert [one["force"] for one in asked] == [True]
    failed = {"kind": "failed", "request": asked[0]["request"], "code": "x"}
    await tell(tabs, {**failed, "message": "It broke.", "what_to_do": "Mend it."})
    await control.until(".why", "(one) => one.textContent === 'It broke. Mend it.'")


@pytest.mark.asyncio
async def test_copy_puts_the_text_into_the_clipboard(tabs, site):
    page = await tabs.open()
    control = Control(page)
    rights = {
        "permissions": ["clipboardReadWrite", "clipboardSanitizedWrite"],
        "origin": "https://chatgpt.com",
    }
    await page.call("Page.bringToFront")
    await tabs.line.call("Browser.grantPermissions", rights)
    await state(tabs)
    await control.until(".copy", "(one) => !one.disabled")
    await control.click(".copy")
    asked = await tabs.stub.until("(all) => all.find((m) => m.kind === 'copy')")
    file = {"kind": "file", "request": asked["request"], "name": "x", "mime": "", "text": "said"}
    await tell(tabs, file)
    await control.until(".why", "(one) => one.textContent && !/making/.test(one.textContent)")
    assert (await control.part(".why"))["text"] == "Copied."
    assert await value_of(page, "navigator.clipboard.readText()") == "said"


def apart(one, other):
    return (
        one["x"] + one["width"] <= other["x"] or other["x"] + other["width"] <= one["x"]
        or one["y"] + one["height"] <= other["y"] or other["y"] + other["height"] <= one["y"]
    )  # fmt: skip


FORM = "(({x, y, width, height}) => ({x, y, width, height}))(document.forms[0].getBoundingClientRect())"


@pytest.mark.asyncio
async def test_it_never_stands_on_the_composer_wherever_that_goes(tabs, site):
    site.server.page("/", CHAT)
    page = await tabs.open()
    control = Control(page)
    assert apart(await control.part(), await value_of(page, FORM))
    before = await control.part()
    # the composer comes to where we are, without any event of its own
    await value_of(
        page,
        f"""void (() => {{ const form = document.forms[0]; form.style.right = form.style.bottom = 'auto';
        form.style.left = '{before["x"] - 20}px'; form.style.top = '{before["y"] - 20}px';
        form.style.width = '300px'; }})()""",
    )
    away = f"""(one) => Math.abs(one.getBoundingClientRect().x - {before["x"]})
      + Math.abs(one.getBoundingClientRect().y - {before["y"]}) > 5"""
    await control.until(".box", away)
    assert apart(await control.part(), await value_of(page, FORM))
    # dragged onto it, it stands beside it; dragged elsewhere, it stays there
    form = await value_of(page, FORM)
    await control.drag((form["x"] + 40, form["y"] + 30))
    assert apart(await control.part(), await value_of(page, FORM))
    await control.drag((60, 60))
    there = await control.part()
    assert (there["x"] < 100, there["y"] < 100) == (True, True)
    # as a saved place, for the next page of the site too
    again = await tabs.open()
    assert abs((await Control(again).part())["x"] - there["x"]) < 30


@pytest.mark.asyncio
async def test_where_no_room_is_left_it_is_not_seen(tabs, site):
    site.server.page("/", CHAT)
    page = await tabs.open()
    control = Control(page)
    await control.lives("idle")
    size = {"width": 320, "height": 160, "deviceScaleFactor": 1, "mobile": False}
    await page.call("Emulation.setDeviceMetricsOverride", size)
    await value_of(
        page,
        "void (document.querySelector('#ask').style.cssText = 'position: fixed; inset: 4px; height: 140px')",
    )
    await value_of(page, "void window.dispatchEvent(new Event('resize'))")
    await control.until(".box", "(one) => one.style.visibility === 'hidden'")


@pytest.mark.asyncio
async def test_it_takes_no_focus_and_no_event_but_keys_reach_it(tabs, site):
    site.server.page("/", CHAT)
    page = await tabs.open()
    control = Control(page)
    await value_of(
        page,
        """window.seen = []; for (const kind of ['pointerdown', 'mousedown', 'mouseup', 'click', 'keydown'])
          window.addEventListener(kind, (e) => seen.push(kind), true);
        void document.querySelector('#ask').focus()""",
    )
    await state(tabs)
    await control.until(".save", "(one) => !one.disabled")
    await control.click(".save")
    await tabs.stub.until("(all) => all.find((m) => m.kind === 'save')")
    await control.click(".dot")
    assert await value_of(page, "document.activeElement.id") == "ask"
    kinds = ["pointerdown", "mousedown", "mouseup", "click"]
    assert await value_of(page, "seen.splice(0)") == kinds * 2
    await page.call("Input.insertText", {"text": "still here"})
    assert await value_of(page, "document.querySelector('#ask').value") == "still here"
    await press(page, 5, 5)
    assert await value_of(page, "seen.splice(0)") == kinds
    # by Tab through badge and Save, and Enter
    await value_of(page, "void document.querySelector('#ask').focus()")
    await key(page, "Tab", 9)
    assert (await control.part(".badge"))["focused"]
    before = await control.part()
    await key(page, "ArrowUp", 38)
    assert (await control.part())["y"] == before["y"] - 16
    await key(page, "Tab", 9)
    assert (await control.part(".save"))["focused"]
    await control.until(".box", "(one) => 'steady' in one.dataset")  # it has just been moved
    await key(page, "Enter", 13)
    await tabs.stub.until("(all) => all.filter((m) => m.kind === 'save').length === 2")


@pytest.mark.asyncio
async def test_a_page_that_draws_itself_anew_keeps_it(tabs, site):
    page = await tabs.open()
    control = Control(page)
    await control.lives("idle")
    for does in (
        "document.body = document.createElement('body')",
        "document.documentElement.replaceChildren(document.createElement('body'))",
        "document.open(); document.write('<p>new'); document.close()",
        "document.replaceChild(document.createElement('html'), document.documentElement)",
    ):
        await value_of(page, f"void ({does.replace('; ', ', ')})")
        await control.lives("idle")
    await value_of(
        page,
        """new Promise((done) => { let times = 0; const again = () => {
          const host = document.querySelector('html > div');
          if (!host || times > 60) return done(times);
          times += 1; host.remove(); setTimeout(again); }; again(); })""",
    )
    assert await value_of(page, "document.querySelectorAll('html > div').length") == 0


@pytest.mark.asyncio
async def test_it_says_what_it_waits_for_and_what_is_kept_here(tabs, site):
    site.server.file(ANSWER, b"x" * 50_000)
    page = await tabs.open()
    control = Control(page)
    await tabs.stub.value("void (stub.how.take = false)")
    lost = {"t": "line", "connected": False, "paired": True, "on": True}
    await tabs.stub.tell(lost)
    await control.until(".why", "(one) => one.textContent.includes('hub is not running')")
    await value_of(page, f"fetch('{ANSWER}', {{method: 'POST'}}).then((r) => r.text())")
    await control.until(".why", "(one) => /6\\d kB kept in this page/.test(one.textContent)")
    await tabs.stub.tell({**lost, "paired": False})
    await control.until(".why", "(one) => one.textContent.includes('Not paired')")
    assert "Not paired" in (await control.part(".spoken"))["text"]
    await tabs.stub.tell({**lost, "on": False})
    await control.until(".box", "(one) => one.hidden")


@pytest.mark.asyncio
async def test_hidden_on_one_site_it_is_seen_on_another(tabs, site):
    page = await tabs.open()
    control = Control(page)
    await control.lives("idle")
    await control.click(".hide")
    await control.until(".box", "(one) => one.hidden")
    again = Control(await tabs.open())
    await again.until(".box", "(one) => one.hidden")
    other = Control(await tabs.open("https://grok.com/"))
    await other.lives("idle")
    assert (await other.part())["seen"]


@pytest.mark.asyncio
async def test_a_screen_reader_has_names_for_everything(tabs, site):
    page = await tabs.open()
    control = Control(page)
    await state(tabs)
    await control.until(".save", "(one) => !one.disabled")
    nodes = (await page.call("Accessibility.getFullAXTree"))["nodes"]
    said = {
        (one["role"]["value"], one["name"]["value"])
        for one in nodes
        if not one["ignored"] and "name" in one
    }
    assert {
        ("group", "Tabwire: this conversation"), ("button", "Completed"), ("button", "Save"),
        ("button", "Copy"), ("button", "Hide on this site"),
    } <= said  # fmt: skip
    assert any(one.get("role", {}).get("value") == "status" for one in nodes)


@pytest.mark.soak
@pytest.mark.asyncio
async def test_when_the_extension_is_reloaded_the_page_works_on_and_is_told(
    aside, chromium, served, site, tmp_path
):
    site.server.file(ANSWER, b"fine")
    flags = (*served.flags, *flags_for_extension(stub_extension(tmp_path / "extension")))
    async with (
        launched(Launch(chromium, more_flags=flags)) as browser,
        tabs_at(browser.endpoint.url) as tabs,
    ):
        page = await tabs.open()
        control = Control(page)
        await control.lives("idle")
        await tabs.stub.value("void setTimeout(() => chrome.runtime.reload())")
        await control.until(".why", "(one) => one.textContent.includes('Reload this page')")
        assert (
            await value_of(page, f"fetch('{ANSWER}', {{method: 'POST'}}).then((r) => r.text())")
            == "fine"
        )
        assert (await control.part(".life"))["text"] in ("Idle", "Prompt sent", "Completed")
