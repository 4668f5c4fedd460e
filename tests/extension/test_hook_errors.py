"""What goes wrong in a page says nothing of us, and a page that leads past us is noticed."""

# ruff: noqa: E501  what a page does is easier to read in one line

import pytest

from extension.page_lab import PAGE, go, value_of
from extension.test_channel import ANSWER, DROPPED, READ

pytestmark = pytest.mark.xdist_group("pages")  # one browser for all of them

# What fails, in a window `w`: ours, and that of a frame where nothing is wrapped.
FAILS = {
    "another host": "w.fetch('https://nowhere.example/x')",
    "this site, not watched": "w.fetch('/nothing', {mode: 'cors', redirect: 'error'})",
    "watched": f"w.fetch('{ANSWER}', {{method: 'POST', redirect: 'error'}})",
    "a request": "w.fetch(new w.Request('https://nowhere.example/x'))",
    "no arguments": "w.fetch()",
    "another self": "w.fetch.call({}, '/')",
    "a bad address": "w.fetch('http://[')",
    "a bad option": "w.fetch('/', {method: 'bad method'})",
    "a body with GET": "w.fetch('/', {body: 'x'})",
    "aborted": "w.fetch('/nothing', {signal: w.AbortSignal.abort()})",
    "its own error": "w.fetch({toString() { throw new w.Error('mine'); }})",
    "xhr without method": "new w.XMLHttpRequest().open()",
    "xhr with a bad method": "new w.XMLHttpRequest().open('bad method', '/')",
    "xhr with a bad address": "new w.XMLHttpRequest().open('GET', 'http://[')",
    "xhr not opened": "new w.XMLHttpRequest().send()",
    "xhr in time": "(() => { const x = new w.XMLHttpRequest(); x.open('GET', 'https://nowhere.example/x', false); x.send(); })()",
    "xhr of another": "w.XMLHttpRequest.prototype.open.call({}, 'GET', '/')",
    "xhr without new": "w.XMLHttpRequest()",
    "socket": "new w.WebSocket('http://[')",
    "socket without address": "new w.WebSocket()",
    "socket without new": "w.WebSocket('wss://x')",
    "socket not open": "new w.WebSocket('wss://nowhere.example/').send('x')",
    "source": "new w.EventSource('http://[')",
    "source without address": "new w.EventSource()",
    "source of another": "w.EventSource.prototype.close.call({})",
    "printing": "w.Function.prototype.toString.call({})",
    "two readers": "(() => { const s = new w.ReadableStream(); s.getReader(); s.getReader(); })()",
    "a locked stream": "(() => { const s = new w.ReadableStream(); s.getReader(); return s.cancel(); })()",
    "a released reader": "(() => { const r = new w.ReadableStream().getReader(); r.releaseLock(); return r.cancel(); })()",
    "a locked pipe": "(() => { const s = new w.ReadableStream(); s.getReader(); return s.pipeTo(new w.WritableStream()); })()",
    "no pipe": "new w.ReadableStream().pipeThrough({})",
    "a locked tee": "(() => { const s = new w.ReadableStream(); s.getReader(); s.tee(); })()",
    "a used clone": "(() => { const r = new w.Response('x'); r.text(); r.clone(); })()",
}  # fmt: skip


@pytest.mark.asyncio
async def test_whatever_fails_fails_as_in_a_window_without_us(tabs, site):
    """Names, messages and the way in the stack are the same, line by line."""
    site.server.file(ANSWER, b"", status=302, location="https://nowhere.example/")
    site.server.file("/nothing", b"", status=302, location="https://nowhere.example/")
    cases = ",\n".join(f"{name!r}: (w) => {does}" for name, does in FAILS.items())
    script = f"""<script>const cases = {{{cases}}};
    const told = async (act, w) => {{
      try {{ await act(w); return null; }}
      catch (error) {{
        const {{value, ...flags}} = Object.getOwnPropertyDescriptor(error, 'stack') ?? {{}};
        return {{name: error.name, message: error.message, stack: error.stack, flags: JSON.stringify(flags),
          keys: Reflect.ownKeys(error).map(String)}};
      }}
    }};
    async function all() {{
      const frame = document.body.appendChild(document.createElement('iframe'));
      const found = {{}};
      for (const [name, act] of Object.entries(cases)) {{
        found[name] = [];
        for (const w of [window, frame.contentWindow]) {{
          await null; // from here on both come the same way
          found[name].push(await told(act, w));
        }}
      }}
      return found;
    }}</script>"""
    site.server.page("/", PAGE + script)
    page = await tabs.open()
    found = await value_of(page, "all()")
    assert [name for name, (ours, _) in found.items() if ours is None] == []
    for name, (ours, theirs) in found.items():
        assert "chrome-extension" not in ours["stack"], (name, ours["stack"])
        assert ours == theirs, name
    assert "https://chatgpt.com/" in found["another host"][0]["stack"]
    assert (await tabs.stub.of(ANSWER)).end == ("failed", "network")


@pytest.mark.asyncio
async def test_what_nobody_catches_is_told_to_the_page_without_us(tabs, site):
    page = await tabs.open()
    seen = await value_of(
        page,
        """new Promise((done) => { addEventListener('unhandledrejection', (e) => {
          e.preventDefault(); done([e.reason.name, e.reason.stack, e.promise === got]); });
          const got = fetch('https://nowhere.example/x'); })""",
    )
    assert seen[0] == "TypeError"
    assert "chrome-extension" not in seen[1]
    assert seen[2] is True


# --- a page that leads past us, and one that tries to switch us off ------------------------------

PAST = {
    "fetch": "window.fetch = w.fetch.bind ? w.fetch : null",
    "open": "XMLHttpRequest.prototype.open = w.XMLHttpRequest.prototype.open",
    "XMLHttpRequest": "window.XMLHttpRequest = w.XMLHttpRequest",
    "WebSocket": "window.WebSocket = w.WebSocket",
}


@pytest.mark.asyncio
async def test_a_page_that_asks_past_us_is_told_of(tabs, site):
    page = await tabs.open()
    for does in PAST.values():
        await go(page, "https://chatgpt.com/")
        await tabs.stub.value("void (stub.troubles.length = 0)")
        await value_of(
            page,
            f"""void (() => {{ const w = document.body.appendChild(document.createElement('iframe')).contentWindow;
            {does}; }})()""",
        )
        await tabs.stub.until("() => stub.troubles.includes('bypassed')")


@pytest.mark.asyncio
async def test_a_page_that_wraps_a_function_is_no_trouble_and_is_recorded(tabs, site):
    site.server.file(ANSWER, b"true")
    page = await tabs.open()
    await value_of(
        page,
        """void (() => { const was = fetch; window.fetch = (...a) => was(...a);
        window.WebSocket = class extends WebSocket {};
        XMLHttpRequest.prototype.send = XMLHttpRequest.prototype.send.bind; })()""",
    )
    assert await value_of(page, READ) == "true"
    assert (await tabs.stub.of(ANSWER)).body == b"true"
    # one that does lead past us is told of: whatever was to be told before has been told
    await value_of(
        page,
        "void (window.EventSource = document.body.appendChild(document.createElement('iframe')).contentWindow.EventSource)",
    )
    await tabs.stub.until("() => stub.troubles.length > 0")
    assert await tabs.stub.value("stub.troubles") == ["bypassed"]


@pytest.mark.asyncio
async def test_a_page_cannot_switch_the_recording_off(tabs, site):
    """Neither by a mark of ours, nor by ending all timers there are, nor by our own words."""
    site.server.file(ANSWER, b"true")
    clear = "for (let at = 0; at < 20000; at += 1) { clearTimeout(at); clearInterval(at); }"
    mark = "for (const name of ['data-tabwire-alone', 'data-tabwire-', 'data-tabwire-door']) document.documentElement.setAttribute(name, '')"
    site.server.page("/", PAGE + f"<script>{mark}; {clear}</script>")
    page = await tabs.open()
    await value_of(page, f"void (() => {{ {mark}; {clear} }})()")
    await value_of(page, "postMessage({tabwire: 1, on: false}, '*')")
    assert (
        await value_of(page, f"{READ.replace('.then', f'.finally(() => {{ {clear} }}).then')}")
        == "true"
    )
    assert (await tabs.stub.of(ANSWER)).body == b"true"
    await tabs.stub.until(f"(all) => ({DROPPED})(all)?.forged >= 0")
    await tabs.stub.value("stub.cut()")  # the port comes back, by a timer that no page can end
    await value_of(page, clear)
    await tabs.stub.until("() => stub.hellos.length > 1")
    assert await tabs.stub.value("stub.troubles") == []
