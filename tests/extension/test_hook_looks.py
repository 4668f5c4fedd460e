"""A page cannot tell by looks that it is copied, and nothing it does to its world harms it."""

# ruff: noqa: E501  what a page does is easier to read in one line

import pytest

from extension.page_lab import PAGE, value_of

pytestmark = pytest.mark.xdist_group("pages")  # one browser for all of them

ANSWER = "/backend-api/f/conversation"

LOOK = """(() => {
  const frame = document.body.appendChild(document.createElement('iframe'));
  const other = frame.contentWindow; // all_frames is off: everything there is the browser's own
  const wrapped = {
    fetch: (w) => [w, 'fetch'],
    open: (w) => [w.XMLHttpRequest.prototype, 'open'], send: (w) => [w.XMLHttpRequest.prototype, 'send'],
    XMLHttpRequest: (w) => [w, 'XMLHttpRequest'],
    WebSocket: (w) => [w, 'WebSocket'], EventSource: (w) => [w, 'EventSource'],
    wsSend: (w) => [w.WebSocket.prototype, 'send'], close: (w) => [w.EventSource.prototype, 'close'],
    getReader: (w) => [w.ReadableStream.prototype, 'getReader'],
    cancel: (w) => [w.ReadableStream.prototype, 'cancel'],
    readerCancel: (w) => [w.ReadableStreamDefaultReader.prototype, 'cancel'],
    values: (w) => [w.ReadableStream.prototype, 'values'],
    iterator: (w) => [w.ReadableStream.prototype, w.Symbol.asyncIterator],
    pipeTo: (w) => [w.ReadableStream.prototype, 'pipeTo'],
    pipeThrough: (w) => [w.ReadableStream.prototype, 'pipeThrough'],
    tee: (w) => [w.ReadableStream.prototype, 'tee'], clone: (w) => [w.Response.prototype, 'clone'],
    releaseLock: (w) => [w.ReadableStreamDefaultReader.prototype, 'releaseLock'],
    toString: (w) => [w.Function.prototype, 'toString'],
  };
  const looks = (w, find) => {
    const [owner, name] = find(w);
    const {value, ...flags} = w.Object.getOwnPropertyDescriptor(owner, name);
    return JSON.stringify({flags, name: value.name, length: value.length, text: `${value}`,
      printed: w.Function.prototype.toString.call(value), own: w.Reflect.ownKeys(value).map(String),
      prototype: 'prototype' in value, type: typeof value,
      proto: w.Object.getPrototypeOf(value) === w.Function.prototype
        || [w.EventTarget, w.XMLHttpRequestEventTarget].includes(w.Object.getPrototypeOf(value))});
  };
  const differ = Object.entries(wrapped)
    .map(([name, find]) => [name, looks(window, find), looks(other, find)])
    .filter(([, ours, theirs]) => ours !== theirs);
  const names = (w) => new Set(w.Reflect.ownKeys(w).map(String));
  const theirs = names(other);
  const extra = [...names(window)].filter((one) => !theirs.has(one));
  frame.remove();
  return {differ, extra, door: document.querySelectorAll('[data-tabwire-door]').length,
    html: document.documentElement.getAttributeNames(), attributes: document.body.getAttributeNames(),
    same: ReadableStream.prototype.values === ReadableStream.prototype[Symbol.asyncIterator]};
})()"""


@pytest.mark.asyncio
async def test_wrapped_functions_look_like_those_of_a_frame_that_is_not_wrapped(tabs, site):
    seen = await value_of(await tabs.open(), LOOK)
    extra = {"0", "length"}  # the frame itself
    assert seen["differ"] == []
    assert set(seen["extra"]) <= extra
    assert (seen["door"], seen["html"], seen["attributes"], seen["same"]) == (0, [], [], True)


# What pages do to their world, before they ask. Each must be answered, and copied.
SPOILT = [
    ("frozen", "Object.freeze(fetch); Object.defineProperty(window, 'fetch', {writable: false, configurable: false})"),
    ("wrapped", "const was = fetch; window.fetch = async (...args) => { const r = await was(...args); return r; }"),
    ("iterators", "Array.prototype[Symbol.iterator] = function () { throw new Error('iterated'); }"),
    ("then", "Promise.prototype.then = function () { throw new Error('then'); }"),
    ("push", "Array.prototype.push = Array.prototype.shift = () => { throw new Error('push'); }"),
    ("apply", "Reflect.apply = Reflect.construct = Reflect.get = () => { throw new Error('apply'); }"),
    ("maps", "WeakMap.prototype.get = WeakMap.prototype.set = () => { throw new Error('map'); }"),
    ("ports", "MessagePort.prototype.postMessage = function (m) { window.stolen = this; throw new Error('port'); }"),
    ("urls", "window.URL = function () { throw new Error('URL'); }; String.prototype.split = null"),
    ("responses", "Response.prototype.clone = () => { throw new Error('clone'); }"),
    ("readers", "ReadableStreamDefaultReader.prototype.read = null; Uint8Array.prototype.set = null"),
    ("getters", "Object.defineProperty(MessageEvent.prototype, 'data', {get() { throw new Error('data'); }})"),
    ("time", "performance.now = () => { throw new Error('time'); }; window.setTimeout = null"),
    ("pollution", "Object.prototype.secret = 'known'; Object.prototype.n = 1; Object.prototype.capture = true"),
    ("open", "document.open(); document.write('<title>again</title>'); document.close()"),
]  # fmt: skip


@pytest.mark.asyncio
async def test_whatever_a_page_does_to_its_world_it_is_answered_and_copied(tabs, site):
    site.server.file(ANSWER, b"data: x\n\n", "text/event-stream")
    page = await tabs.open("about:blank")
    for name, does in SPOILT:
        await tabs.stub.value("stub.said.length = 0")
        # not by then or await of the page's: what it spoilt would spoil the test
        script = f"""<script>{does};
        (async () => {{
          try {{
            const answer = await fetch('{ANSWER}', {{method: 'POST', body: 'q'}});
            document.documentElement.dataset.saw = await answer.text();
          }} catch (error) {{ document.documentElement.dataset.saw = String(error); }}
        }})();</script>"""
        site.server.page(f"/{name}", PAGE + script)
        await page.call("Page.navigate", {"url": f"https://chatgpt.com/{name}"})
        heard = await tabs.stub.of(ANSWER)
        saw = await value_of(page, "[document.documentElement.dataset.saw, typeof stolen]")
        assert heard.body == b"data: x\n\n", name
        assert heard.asked == b"q", name
        assert saw == ["data: x\n\n", "undefined"], name


# Everything our messages are made of, and everything an attempt has.
NAMES = [
    "secret", "n", "cost", "overflow", "what", "attempt", "body", "data", "text", "signal", "id",
    "kind", "about", "waiting", "chunks", "said", "size", "seq", "headed", "taken", "port",
]  # fmt: skip


@pytest.mark.asyncio
async def test_setters_and_stack_traces_of_a_page_hear_nothing_of_us(tabs, site):
    """Assigning to a new property calls a setter on `Object.prototype`; a trace may name functions."""
    site.server.file(ANSWER, b"data: x\n\n", "text/event-stream")
    script = f"""<script>window.heard = [];
    for (const name of {NAMES}) Object.defineProperty(Object.prototype, name, {{configurable: true,
      get() {{ return undefined; }}, set(value) {{ heard.push([name, String(value)]); }}}});
    Error.prepareStackTrace = (error, sites) => {{
      for (const site of sites) {{
        const ours = /^chrome-extension:/.test(site.getFileName() ?? '');
        if (ours && (site.getFunction() || site.getThis())) heard.push(['function', String(site)]);
      }}
      return '';
    }};
    window.got = fetch({{toString() {{ new Error().stack; return '{ANSWER}'; }}}},
      {{method: 'POST', get body() {{ new Error().stack; return new Blob(['q']); }}}}).then((r) => r.text());
    </script>"""
    site.server.page("/", PAGE + script)
    page = await tabs.open()
    assert await value_of(page, "got") == "data: x\n\n"
    heard = await tabs.stub.of(ANSWER)
    assert (heard.asked, heard.body) == (b"q", b"data: x\n\n")
    assert await value_of(page, "heard") == []


@pytest.mark.asyncio
async def test_a_strict_page_is_copied_and_reports_nothing(tabs, site):
    """No eval, no inline style, trusted types: we break no rule of the page."""
    rules = (
        "default-src 'self'; script-src 'self'; style-src 'self'; "
        "require-trusted-types-for 'script'; trusted-types 'none'"
    )
    site.server.file(
        "/strict",
        b"<!doctype html><title>strict</title><script src=/strict.js></script>",
        "text/html",
        content_security_policy=rules,
    )
    script = f"""window.broken = [];
    document.addEventListener('securitypolicyviolation', (e) => broken.push(e.violatedDirective));
    window.done = fetch('{ANSWER}', {{method: 'POST'}}).then((r) => r.text());"""
    site.server.file("/strict.js", script.encode(), "text/javascript")
    site.server.file(ANSWER, b"fine")
    page = await tabs.open("https://chatgpt.com/strict")
    assert await value_of(page, "done.then((said) => [said, broken])") == ["fine", []]
    assert (await tabs.stub.of(ANSWER)).body == b"fine"


@pytest.mark.asyncio
async def test_switched_off_nothing_is_copied_and_the_page_works(tabs, site):
    site.server.file(ANSWER, b"fine")
    page = await tabs.open()

    async def is_copied(number: int) -> bool:
        """Ask once, then change the title: whatever was copied was told before that."""
        read = f"fetch('{ANSWER}?{number}', {{method: 'POST'}}).then((r) => r.text())"
        assert (
            await value_of(page, f"{read}.then((t) => (document.title = {number}) && t)") == "fine"
        )
        await tabs.stub.until(
            f"(all) => all.some((m) => m.kind === 'named' && m.title === '{number}')"
        )
        return await tabs.stub.value(
            f"stub.said.some((m) => m.kind === 'sent' && m.url.endsWith('?{number}'))"
        )

    numbers = iter(range(1, 1000))
    assert await is_copied(next(numbers))
    await tabs.stub.tell({"t": "line", "connected": True, "paired": True, "on": False})
    while await is_copied(next(numbers)):
        pass  # the word is on its way
    assert not await is_copied(next(numbers))
    await tabs.stub.tell({"t": "line", "connected": True, "paired": True, "on": True})
    while not await is_copied(next(numbers)):
        pass
