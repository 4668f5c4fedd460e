"""What the hook copies of `fetch`, and that the page has the same as without it."""

# ruff: noqa: E501  what a page does is easier to read in one line

import asyncio
from contextlib import suppress

import pytest

from extension.page_lab import value_of

pytestmark = pytest.mark.xdist_group("pages")  # one browser for all of them

ANSWER = "/backend-api/f/conversation"
STORED = "/backend-api/conversation/01234567-89ab-cdef-0123-456789abcdef"

# id, what the page does (its value is what it saw), what it saw, what left, what arrived, the end
PAGES = [
    ("text", "(await fetch(A, {method: 'POST', body: 'hé'})).text()", "x", "hé", b"x", "whole"),
    ("lower case method", "(await fetch(A, {method: 'post'})).text()", "x", None, b"x", "whole"),
    ("url object", "(await fetch(new URL(A, location), {method: 'POST'})).text()", "x", None, b"x", "whole"),
    (
        "form",
        "(await fetch(A, {method: 'POST', body: new URLSearchParams({q: 'a b'})})).text()",
        "x", "q=a+b", b"x", "whole",
    ),
    (
        "a view into more",
        "(await fetch(A, {method: 'POST', body: new Uint8Array([1, 65, 66, 2]).subarray(1, 3)})).text()",
        "x", "AB", b"x", "whole",
    ),
    (
        "a buffer",
        "(await fetch(A, {method: 'POST', body: new TextEncoder().encode('buf').buffer})).text()",
        "x", "buf", b"x", "whole",
    ),
    ("a blob", "(await fetch(A, {method: 'POST', body: new Blob(['blo', 'b'])})).text()", "x", "blob", b"x", "whole"),
    (
        "a request",
        "(await fetch(new Request(A, {method: 'POST', body: 'inside'}))).text()",
        "x", "inside", b"x", "whole",
    ),
    (
        "a request, changed",
        "(await fetch(new Request(A, {method: 'PUT', body: 'old'}), {method: 'POST', body: 'new'})).text()",
        "x", "new", b"x", "whole",
    ),
    ("without this", "(await fetch.call(undefined, A, {method: 'POST', body: 'u'})).text()", "x", "u", b"x", "whole"),
    (
        "a form with files is not read",
        "const f = new FormData(); f.set('a', 'b'); return (await fetch(A, {method: 'POST', body: f})).text()",
        "x", None, b"x", "whole",
    ),
    (
        "getters are read once",
        """const seen = [];
        const init = {get method() { seen.push('method'); return 'POST'; },
                      get body() { seen.push('body'); return 'once'; },
                      get headers() { seen.push('headers'); return {}; }};
        const input = {toString() { seen.push('input'); return A; }};
        await (await fetch(input, init)).text();
        return seen.sort().join()""",
        "body,headers,input,method", "once", b"x", "whole",
    ),
    (
        "a frozen init with an object for a method",
        "(await fetch(A, Object.freeze({method: {toString: () => 'POST'}, body: 'f'}))).text()",
        "x", "f", b"x", "whole",
    ),
    (
        "BYOB",
        """const body = (await fetch(A, {method: 'POST'})).body;
        const reader = body.getReader({mode: 'byob'});
        const {value} = await reader.read(new Uint8Array(10));
        return new TextDecoder().decode(value)""",
        "x", None, b"x", "whole",
    ),
    (
        "piped",
        """const body = (await fetch(A, {method: 'POST'})).body.pipeThrough(new TextDecoderStream());
        let all = ''; for await (const part of body) all += part; return all""",
        "x", None, b"x", "whole",
    ),
    (
        "piped wrongly",
        """const body = (await fetch(A, {method: 'POST'})).body; const said = [];
        for (const to of [{}, {readable: 1, writable: 2}, null]) {
          try { body.pipeThrough(to); } catch (e) { said.push(e.name); } }
        body.getReader();
        try { body.pipeThrough(new TextDecoderStream()); } catch (e) { said.push(e.message); }
        return said.join()""",
        "TypeError,TypeError,TypeError,"
        "Failed to execute 'pipeThrough' on 'ReadableStream': Cannot pipe a locked stream",
        None, b"x", "whole",
    ),
    (
        "cloned by the page too",
        "const r = await fetch(A, {method: 'POST'}); return (await r.clone().text()) + (await r.text())",
        "xx", None, b"x", "whole",
    ),
]  # fmt: skip


@pytest.mark.asyncio
async def test_whatever_a_page_gives_fetch_is_copied_and_the_page_sees_no_difference(tabs, site):
    site.server.file(ANSWER, b"x", "text/event-stream")
    page = await tabs.open()
    for name, does, saw, left, arrived, how in PAGES:
        await tabs.stub.value("stub.said.length = 0")
        body = does if "return" in does else f"return {does}"
        script = f"(async () => {{ const A = '{ANSWER}'; {body} }})()"
        assert await value_of(page, script) == saw, name
        heard = await tabs.stub.of(ANSWER)
        assert heard.asked == (None if left is None else left.encode()), name
        assert (heard.body, heard.end[0]) == (arrived, how), name
        assert (heard.sent["method"], heard.sent["via"]) == ("POST", "fetch"), name
        assert heard.head["status"] == 200, name


@pytest.mark.asyncio
async def test_bytes_are_told_as_they_arrive(tabs, site):
    drip = site.server.drip(ANSWER, content_type="text/event-stream")
    page = await tabs.open()
    await value_of(page, f"void fetch('{ANSWER}', {{method: 'POST'}}).then((r) => r.text())")
    count = "(all) => all.filter((m) => m.kind === 'bytes').length"
    for at in range(3):
        await site.let(drip, b"data: %d\n\n" % at)
        await tabs.stub.until(f"(all) => ({count})(all) === {at + 1}")
    await site.finish(drip)
    heard = await tabs.stub.of(ANSWER)
    assert heard.body == b"data: 0\n\ndata: 1\n\ndata: 2\n\n"
    assert [one["at"] for one in heard.messages] == sorted(one["at"] for one in heard.messages)


# id, what the page does while the answer stands still after its first bytes, how it ended
LEAVES = [
    ("abort", "control.abort()", ("canceled", "aborted")),
    ("abort for a reason", "control.abort({get name() { throw 1; }})", ("canceled", "aborted")),
    ("cancel", "reader.cancel()", ("canceled", "page")),
    (
        "cancel behind a pipe",
        "(reader.releaseLock(), response.body.pipeThrough(new TextDecoderStream()).cancel())",
        ("canceled", "page"),
    ),
    (
        "break a pipe",
        "(reader.releaseLock(), response.body.pipeTo(new WritableStream({start(c) { c.error(1); }})).catch(() => {}))",
        ("canceled", "page"),
    ),
    ("cancel the stream", "(reader.releaseLock(), response.body.cancel())", ("canceled", "page")),
    (
        "cancel both halves",
        "(reader.releaseLock(), response.body.tee().map((half) => half.cancel()))",
        ("canceled", "page"),
    ),
    (
        "cancel twins",
        "(reader.releaseLock(), response.twin.body.cancel(), response.body.cancel())",
        ("canceled", "page"),
    ),
]


@pytest.mark.parametrize("leaves, end", [one[1:] for one in LEAVES], ids=[one[0] for one in LEAVES])
@pytest.mark.asyncio
async def test_when_the_page_lets_go_so_do_we(tabs, site, leaves, end):
    """Of a clone both halves must be canceled, or the transfer goes on without anybody."""
    drip = site.server.drip(ANSWER, content_type="text/event-stream")
    page = await tabs.open()
    await value_of(
        page,
        f"""globalThis.control = new AbortController();
        fetch('{ANSWER}', {{method: 'POST', signal: control.signal}}).then((got) => {{
          if (/twin/.test({leaves!r})) got.twin = got.clone();
          globalThis.response = got; globalThis.reader = got.body.getReader();
          globalThis.first = reader.read();
        }}); 0""",
    )
    await site.let(drip, b"begun")
    await tabs.stub.until("(all) => all.some((m) => m.kind === 'bytes')")
    await value_of(page, f"globalThis.first.then(() => void ({leaves}))")
    heard = await tabs.stub.of(ANSWER)
    assert (heard.body, heard.end) == (b"begun", end)

    async def until_the_connection_is_gone() -> None:
        async with asyncio.timeout(30):  # nothing more is written: it is closed from there
            with suppress(ConnectionError):
                await (await drip._asked()).writer.wait_closed()

    await site.there(until_the_connection_is_gone())


@pytest.mark.asyncio
async def test_a_loop_that_is_left_ends_the_copy(tabs, site):
    drip = site.server.drip(ANSWER)
    page = await tabs.open()
    await value_of(
        page,
        f"""globalThis.left = (async () => {{
          const got = await fetch('{ANSWER}', {{method: 'POST'}});
          for await (const part of got.body) break;
        }})(); 0""",
    )
    await site.let(drip, b"begun")
    await value_of(page, "left")
    assert (await tabs.stub.of(ANSWER)).end == ("canceled", "page")


# id, what the page does with a response it then reads to its end all the same
STAYS = [
    ("a stream that is locked", "const all = r.body.getReader(); await r.body.cancel().catch(String); return all"),
    ("a reader that gave it back", "const old = r.body.getReader(); old.releaseLock(); await old.cancel().catch(String); return r.body.getReader()"),
    ("a loop that keeps it", "for await (const part of r.body.values({preventCancel: true})) break; return r.body.getReader()"),
    ("a pipe to nothing", "await r.body.pipeTo().catch(String); return r.body.getReader()"),
    ("a pipe that is none", "try { r.body.pipeThrough(new TextDecoderStream(), {signal: 5}); } catch (e) { said.push(e.message); } return r.body.getReader()"),
    ("half of it", "const [one, other] = r.body.tee(); one.cancel(); one.cancel(); return other.getReader()"),
    ("its twin", "r.clone().body.cancel(); return r.body.getReader()"),
]  # fmt: skip


@pytest.mark.asyncio
async def test_what_the_page_still_reads_is_copied_to_its_end(tabs, site):
    """Letting go that the browser refuses, or of a part, is none. An answer would look cut off."""
    page = await tabs.open()
    for name, does in STAYS:
        await tabs.stub.value("void (stub.said.length = 0)")
        drip = site.server.drip(ANSWER, content_type="text/event-stream")
        await value_of(
            page,
            f"""globalThis.said = [];
            globalThis.all = fetch('{ANSWER}', {{method: 'POST'}}).then(async (r) => {{
              const reader = await (async () => {{ {does}; }})();
              globalThis.ready = true;
              for (;;) if ((await reader.read()).done) return true;
            }}); 0""",
        )
        await site.let(drip, b"begun")
        await value_of(
            page,
            "new Promise((done) => { const look = () => (globalThis.ready ? done() : setTimeout(look)); look(); })",
        )
        await site.let(drip, b" and whole")
        await site.finish(drip)
        assert await value_of(page, "globalThis.ready = false, all"), name
        heard = await tabs.stub.of(ANSWER)
        assert (heard.body, heard.end) == (b"begun and whole", ("whole", "")), name
        if name == "a pipe that is none":
            assert "Failed to execute 'pipeThrough'" in await value_of(page, "said.join()")


@pytest.mark.asyncio
async def test_every_end_of_a_response_is_told_as_what_it_is(tabs, site):
    async def nothing(exchange):
        await exchange.say(b"", 204)

    async def away(exchange):
        await exchange.say(b"", 302, location=STORED)

    async def busy(exchange):
        await exchange.say(b"wait", 429, retry_after="7")

    page = await tabs.open()
    site.server.file(STORED, b'{"stored": 1}', "application/json")
    run = f"fetch('{ANSWER}', {{method: 'POST', HOW}}).then((r) => r.status, (e) => String(e))"

    async def told(handler, how=""):
        await tabs.stub.value("stub.said.length = 0")
        site.server.handlers[ANSWER] = handler
        return await value_of(page, run.replace(", HOW", how)), await tabs.stub.of(ANSWER)

    status, heard = await told(nothing)
    assert (status, heard.body, heard.end) == (204, b"", ("whole", ""))
    status, heard = await told(away)
    assert (status, heard.body, heard.end) == (200, b'{"stored": 1}', ("whole", ""))
    assert heard.head["url"] == f"https://chatgpt.com{STORED}"
    status, heard = await told(away, ", redirect: 'manual'")
    assert (status, heard.body, heard.end) == (0, b"", ("failed", "opaqueredirect"))
    status, heard = await told(busy)
    assert (status, heard.body, heard.head["retry_after"]) == (429, b"wait", "7")

    async def cut(exchange):
        exchange.cut()

    said, heard = await told(cut)
    assert (said, heard.end) == ("TypeError: Failed to fetch", ("failed", "network"))


@pytest.mark.asyncio
async def test_a_cut_in_the_middle_fails_for_the_page_as_it_does_without_us(tabs, site):
    page = await tabs.open()
    said = []
    for path in (ANSWER, "/backend-api/me"):  # the second is none of ours
        drip = site.server.drip(path)
        await value_of(
            page,
            f"""globalThis.first = Promise.withResolvers();
            globalThis.got = fetch('{path}', {{method: 'POST'}}).then(async (r) => {{
              const reader = r.body.getReader();
              first.resolve(new TextDecoder().decode((await reader.read()).value));
              return reader.read();
            }}).catch(String); 0""",
        )
        await site.let(drip, b"half")
        assert await value_of(page, "first.promise") == "half"
        await site.cut(drip)
        said.append(await value_of(page, "got"))
    assert said[0] == said[1]
    heard = await tabs.stub.of(ANSWER)
    assert (heard.body, heard.end) == (b"half", ("failed", "network"))


@pytest.mark.asyncio
async def test_five_megabytes_are_whole_on_both_sides(tabs, site):
    big = bytes(range(256)) * (5 << 12)
    site.server.file(STORED, big, "application/json")
    page = await tabs.open()
    read = f"fetch('{STORED}').then((r) => r.arrayBuffer()).then((b) => b.byteLength)"
    assert await value_of(page, read) == len(big)
    heard = await tabs.stub.of(STORED)
    assert heard.body == big
    assert heard.end == ("whole", "")


@pytest.mark.asyncio
async def test_what_is_not_ours_is_left_alone(tabs, site):
    for path in ("/", "/backend-api/me", "/backend-api/sentinel/chat-requirements"):
        site.server.file(path, b"x")
    site.server.page("/", "<title>x</title>")
    page = await tabs.open()
    await value_of(
        page,
        """Promise.all(['/', '/backend-api/me', '/backend-api/sentinel/chat-requirements',
          'https://other.example/backend-api/conversations'].map((one) => fetch(one).catch(() => 0)))""",
    )
    site.server.file(STORED, b"last")
    await value_of(page, f"fetch('{STORED}').then((r) => r.text())")
    await tabs.stub.of(STORED)
    sent = await tabs.stub.value("stub.said.filter((m) => m.kind === 'sent').map((m) => m.url)")
    assert sent == [f"https://chatgpt.com{STORED}"]


@pytest.mark.asyncio
async def test_a_rejection_nobody_catches_is_still_the_page_s(tabs, site):
    async def cut(exchange):
        exchange.cut()

    site.server.handlers[ANSWER] = cut
    page = await tabs.open()
    seen = await value_of(
        page,
        f"""new Promise((done) => {{
          let count = 0;
          addEventListener("unhandledrejection", (event) => {{
            event.preventDefault(); count += 1;
            setTimeout(() => done([count, String(event.reason)]), 50);
          }});
          void fetch('{ANSWER}', {{method: 'POST'}});
        }})""",
    )
    assert seen == [1, "TypeError: Failed to fetch"]


@pytest.mark.asyncio
async def test_a_service_worker_s_answer_is_copied(tabs, site):
    script = f"""self.onactivate = (e) => e.waitUntil(clients.claim());
    self.oninstall = () => skipWaiting();
    self.onfetch = (e) => e.request.url.includes('{STORED}') && e.respondWith(new Response('from sw'));"""
    site.server.file("/sw.js", script.encode(), "text/javascript")
    page = await tabs.open()
    got = await value_of(
        page,
        f"""(async () => {{
          const there = new Promise((done) => (navigator.serviceWorker.oncontrollerchange = done));
          await navigator.serviceWorker.register('/sw.js'); await there;
          const text = await (await fetch('{STORED}')).text();
          await (await navigator.serviceWorker.getRegistration()).unregister();
          return text;
        }})()""",
    )
    assert got == "from sw"
    assert (await tabs.stub.of(STORED)).body == b"from sw"
