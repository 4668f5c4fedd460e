"""Who can press the control: a person who sees it, and nobody else."""

# ruff: noqa: E501  what a page does is easier to read in one line

import json

import pytest

from extension.control_seen import Control, key, press
from extension.page_lab import PAGE, SEE_SECONDS, value_of
from extension.test_control import state
from kit.turns import by_turns

pytestmark = pytest.mark.xdist_group("pages")  # one browser for all of them

STEADY = "(one) => 'steady' in one.dataset"
HOST = "document.querySelector('html > div')"


async def ready(tabs, page):
    """A control whose Save could be pressed."""
    control = Control(page)
    await page.call("Page.bringToFront")  # a tab behind another has no picture, and no press counts
    await state(tabs)
    await control.until(".save", "(one) => !one.disabled")
    return control


async def middle(control, css=".save"):
    one = await control.part(css)
    return one["x"] + one["width"] / 2, one["y"] + one["height"] / 2


async def saves(tabs, page):
    """How often the hub was asked for a file: whatever was pressed was told before the title."""
    await value_of(page, "void (document.title = `t${Math.random()}`)")
    title = await value_of(page, "document.title")
    await tabs.stub.until(
        f"(all) => all.some((m) => m.kind === 'named' && m.title === {json.dumps(title)})"
    )
    return await tabs.stub.value("stub.said.filter((m) => m.kind === 'save').length")


# What a page does to the control so that a person who means something else presses it.
BAITS = [
    ("opacity", f"{HOST}.style.setProperty('opacity', '0', 'important')"),
    ("a rule", "document.head.append(Object.assign(document.createElement('style'), {textContent: 'html > div { opacity: 0 !important; filter: opacity(0) !important }'}))"),
    ("ancestor opacity", "document.documentElement.style.opacity = '0.01'"),
    ("filter", f"{HOST}.style.setProperty('filter', 'opacity(0)', 'important')"),
    ("ancestor filter", "document.documentElement.style.filter = 'blur(40px)'"),
    ("clip", f"{HOST}.style.setProperty('clip-path', 'inset(50%)', 'important')"),
    ("mask", f"{HOST}.style.setProperty('mask-image', 'linear-gradient(transparent, transparent)', 'important')"),
    ("scale", f"{HOST}.style.setProperty('transform', 'scale(.01)', 'important')"),
    ("ancestor scale", "document.documentElement.style.transform = 'scale(.01)'"),
    ("zoom", "document.documentElement.style.zoom = '.1'"),
    ("blend", f"{HOST}.style.setProperty('mix-blend-mode', 'difference', 'important')"),
    ("animation", f"{HOST}.animate([{{opacity: 0}}, {{opacity: 0}}], {{duration: 1e9, fill: 'both'}})"),
    ("before", "document.head.append(Object.assign(document.createElement('style'), {textContent: 'html > div::before, html > div::after { content: \"\" !important; display: block !important; position: fixed !important; inset: 0; background: white; z-index: 99999999999; pointer-events: none }'}))"),
    ("cover", "document.body.append(Object.assign(document.createElement('p'), {textContent: 'bait', style: 'position: fixed; inset: 0; margin: 0; background: white; z-index: 2147483647; pointer-events: none'}))"),
    ("top cover", "(() => { const p = Object.assign(document.createElement('p'), {popover: 'manual', style: 'position: fixed; inset: 0; margin: 0; width: 100vw; height: 100vh; background: white; pointer-events: none'}); document.body.append(p); p.showPopover(); })()"),
    ("small cover", "(() => { const p = Object.assign(document.createElement('p'), {popover: 'manual', style: 'position: fixed; inset: auto 0 60px auto; margin: 0; width: 200px; height: 100px; background: white; pointer-events: none'}); document.body.append(p); p.showPopover(); })()"),
    ("moved into", f"(() => {{ const p = Object.assign(document.createElement('p'), {{style: 'opacity: 0'}}); document.body.append(p); p.append({HOST}); }})()"),
    ("wrapped", f"(() => {{ const p = Object.assign(document.createElement('p'), {{style: 'position: fixed; inset: 0; opacity: 0; z-index: 99999'}}); document.documentElement.append(p); p.append({HOST}); new MutationObserver(() => p.append({HOST})).observe(document.documentElement, {{childList: true}}); }})()"),
    ("lowered", f"(() => {{ const h = {HOST}; h.addEventListener('beforetoggle', (e) => e.preventDefault()); h.hidePopover?.(); document.documentElement.style.opacity = '0'; }})()"),
]  # fmt: skip
# Of those, what a page can do: the control is not to be seen then, and cannot be pressed.
HIDDEN = {"zoom", "top cover", "small cover", "wrapped", "lowered"}


@pytest.mark.parametrize("name", by_turns("baits", [one[0] for one in BAITS], 7))
@pytest.mark.asyncio
async def test_a_press_on_what_nobody_sees_does_nothing(tabs, site, name):
    """Either the control stays to be seen, in its own colours, or a press on it is not taken."""
    does = dict(BAITS)[name]
    page = await tabs.open()
    control = await ready(tabs, page)
    await control.until(".box", STEADY)
    assert await painted(page, control)
    await value_of(page, f"void ({does})")
    there = await control.part()
    seen = there["seen"] and await painted(page, control)
    if there["seen"] and not seen:
        await control.until(".box", "(one) => !('steady' in one.dataset)")
        await press(page, *await middle(control))
        assert await saves(tabs, page) == 0, name
    elif seen:  # whatever the page did, a person can use it
        await control.click(".save")
        await tabs.stub.until("(all) => all.some((m) => m.kind === 'save')")
    assert seen is (name not in HIDDEN), f"{name}: seen {seen}"


async def painted(page, control):
    """Whether the control's own colours are on the screen where it is."""
    shot = {"format": "png", "captureBeyondViewport": False}
    box = await control.part()
    clip = {key: box[key] for key in ("x", "y", "width", "height")} | {"scale": 1}
    if min(box["width"], box["height"]) < 10:
        return False
    taken = await page.call("Page.captureScreenshot", {**shot, "clip": clip}, seconds=SEE_SECONDS)
    # a border around a ground, a green dot and blue letters: more than a flat or dimmed picture has
    return await value_of(
        page,
        f"""(async () => {{
          const bytes = Uint8Array.from(atob({json.dumps(taken["data"])}), (c) => c.charCodeAt(0));
          const image = await createImageBitmap(new Blob([bytes], {{type: 'image/png'}}));
          const canvas = new OffscreenCanvas(image.width, image.height);
          const context = canvas.getContext('2d');
          context.drawImage(image, 0, 0);
          const all = context.getImageData(0, 0, image.width, image.height).data;
          let green = 0, blue = 0;
          for (let at = 0; at < all.length; at += 4) {{
            const [r, g, b] = all.subarray(at, at + 3);
            if (r < 60 && g > 100 && b < 90) green += 1;
            if (r < 60 && g < 120 && b > 180) blue += 1;
          }}
          return green > 20 && blue > 20;
        }})()""",
    )


# What a page's script does to press it without anybody.
ALONE = [
    ("click", f"{HOST}.click()"),
    ("their click", f"HTMLElement.prototype.click.call({HOST})"),
    ("event", f"{HOST}.dispatchEvent(new MouseEvent('click', {{bubbles: true, composed: true}}))"),
    ("at its place", "(() => { const {x, y} = AT; for (const kind of ['pointerdown', 'mousedown', 'mouseup', 'click']) document.elementFromPoint(x, y).dispatchEvent(new MouseEvent(kind, {bubbles: true, composed: true, clientX: x, clientY: y})); })()"),
    ("keys", f"for (const key of ['Enter', ' ']) for (const kind of ['keydown', 'keypress', 'keyup']) {HOST}.dispatchEvent(new KeyboardEvent(kind, {{key, bubbles: true, composed: true}}))"),
    ("focus", f"({HOST}.tabIndex = 0, {HOST}.focus(), document.activeElement.click())"),
    ("root", f"(window.root = {HOST}.shadowRoot, root?.querySelector('.save').click())"),
    ("internals", f"(() => {{ try {{ window.root = {HOST}.attachInternals().shadowRoot; }} catch {{}} window.root?.querySelector('.save').click(); }})()"),
]  # fmt: skip

# What a page prepares before the control is made: whatever it gets, it gets into `root`.
PREPARES = """<script>window.root = null;
const attach = Element.prototype.attachShadow;
Element.prototype.attachShadow = function (how) { return (window.root = attach.call(this, {...how, mode: 'open'})); };
for (const name of ['tabwire-control', 'tabwire-door', 'tab-wire'])
  customElements.define(name, class extends HTMLElement {
    constructor() { super(); const internals = this.attachInternals();
      setTimeout(() => { window.root ??= internals.shadowRoot; }); }
    connectedCallback() { const internals = this.attachInternals?.call(this); window.root ??= internals?.shadowRoot; } });
const create = Document.prototype.createElement;
Document.prototype.createElement = function (...a) { const e = create.apply(this, a); e.attachShadow?.bind(e); return e; };
new MutationObserver((all) => { for (const {addedNodes} of all) for (const node of addedNodes)
  try { window.root ??= node.shadowRoot ?? node.attachInternals().shadowRoot; } catch {} }
).observe(document, {subtree: true, childList: true});
</script>"""


@pytest.mark.asyncio
async def test_a_page_alone_neither_gets_into_the_control_nor_presses_it(tabs, site):
    site.server.page("/", PAGE + PREPARES)
    page = await tabs.open()
    control = await ready(tabs, page)
    await control.until(".box", STEADY)
    x, y = await middle(control)
    for name, does in ALONE:
        await value_of(
            page,
            f"void ({does.replace('AT', json.dumps({'x': x, 'y': y}))})"
            if not does.startswith("for")
            else f"(() => {{ {does} }})()",
        )
        assert await saves(tabs, page) == 0, name
        assert await value_of(page, "window.root === null || window.root === undefined"), name
    # and a person presses it as ever
    await control.click(".save")
    await tabs.stub.until("(all) => all.some((m) => m.kind === 'save')")


COMPOSER = """(({x, y, width, height}) => { const form = Object.assign(document.createElement('form'), {innerHTML: '<textarea>'});
  form.style.cssText = `position: fixed; left: ${x - 10}px; top: ${y - 4}px; width: ${width + 20}px; height: ${height + 8}px`;
  form.firstChild.style.cssText = 'width: 100%; height: 100%'; document.body.append(form); })"""


@pytest.mark.asyncio
async def test_what_has_just_come_under_the_pointer_cannot_be_pressed_yet(tabs, site):
    """The control gives way to a composer; a page that knows that brings it under the pointer."""
    page = await tabs.open()
    control = await ready(tabs, page)
    await control.until(".box", STEADY)
    before = await control.part()
    await control.until(".box", STEADY)
    await value_of(page, f"void {COMPOSER}({json.dumps(before)})")
    moved = f"(one) => Math.abs(one.getBoundingClientRect().y - {before['y']}) > 5 && !('steady' in one.dataset)"
    await control.until(".box", moved)
    await press(page, *await middle(control))
    assert await saves(tabs, page) == 0
    await control.until(".why", "(one) => one.textContent.includes('Click again')")
    await control.click(".save")
    await tabs.stub.until("(all) => all.some((m) => m.kind === 'save')")


@pytest.mark.asyncio
async def test_the_second_click_of_two_does_not_go_through_to_the_control(tabs, site):
    """A bait over the control takes the first click of a double click and goes."""
    page = await tabs.open()
    control = await ready(tabs, page)
    await control.until(".box", STEADY)
    await value_of(
        page,
        """(() => { const p = Object.assign(document.createElement('p'), {popover: 'manual', textContent: 'bait',
          style: 'position: fixed; inset: 0; margin: 0; width: 100vw; height: 100vh; background: white'});
          p.addEventListener('click', () => p.remove()); document.body.append(p); p.showPopover(); })()""",
    )
    await control.until(".box", "(one) => !('steady' in one.dataset)")
    at = await middle(control)
    await press(page, *at)
    assert await value_of(page, "document.querySelector('p') === null")
    await press(page, *at)
    assert await saves(tabs, page) == 0
    await control.click(".save")
    await tabs.stub.until("(all) => all.some((m) => m.kind === 'save')")


@pytest.mark.asyncio
async def test_keys_press_only_what_is_seen(tabs, site):
    page = await tabs.open()
    control = await ready(tabs, page)
    await control.until(".box", STEADY)
    await value_of(page, "void (document.body.tabIndex = 0, document.body.focus())")
    await key(page, "Tab", 9)
    await key(page, "Tab", 9)
    assert (await control.part(".save"))["focused"]
    await value_of(page, f"void ({dict(BAITS)['top cover']})")
    await control.until(".box", "(one) => !('steady' in one.dataset)")
    await key(page, "Enter", 13)
    assert await saves(tabs, page) == 0
    await value_of(page, "document.querySelector('p').remove()")
    await control.until(".box", STEADY)
    await key(page, "Enter", 13)
    await tabs.stub.until("(all) => all.some((m) => m.kind === 'save')")


@pytest.mark.asyncio
async def test_it_can_be_pressed_after_the_page_wrote_itself_anew(tabs, site):
    """`document.open` takes all listeners from all that was in the document."""
    page = await tabs.open()
    control = await ready(tabs, page)
    await value_of(
        page, "document.open(), document.write('<title>new</title><p>new'), document.close()"
    )
    await control.click(".save")
    await tabs.stub.until("(all) => all.some((m) => m.kind === 'save')")


@pytest.mark.asyncio
async def test_who_removes_it_for_good_is_told_of(tabs, site):
    page = await tabs.open()
    await Control(page).lives("idle")
    await value_of(
        page,
        """void new MutationObserver(() => document.querySelector('html > div')?.remove())
          .observe(document.documentElement, {childList: true}),
        void document.querySelector('html > div').remove()""",
    )
    await tabs.stub.until("() => stub.troubles.includes('removed')")
    await tabs.stub.value("stub.cut()")  # and said again to a worker that has forgotten it
    await tabs.stub.until("() => stub.hellos.at(-1).troubles?.includes('removed')")
