"""What the hook copies of XMLHttpRequest, and that the page has the same as without it."""

# ruff: noqa: E501  what a page does is easier to read in one line

import pytest

from extension.page_lab import Attempt, value_of

pytestmark = pytest.mark.xdist_group("pages")  # one browser for all of them

ANSWER = "/_/BardChatUi/data/assistant.lamda.BardFrontendService/StreamGenerate"
HOME = "https://gemini.google.com/"
ASK = """(set, send, read) => new Promise((done) => {
  const xhr = new XMLHttpRequest();
  xhr.open('POST', 'PATH');
  set(xhr);
  xhr.onloadend = async () => done(await read(xhr));
  send(xhr);
})""".replace("PATH", ANSWER)

# id, what is set, what is sent, how it is read, what the page saw, what left
PAGES = [
    ("text", "", "x.send('f.req=1')", "x.responseText", '{"a": 1}', b"f.req=1"),
    ("form", "", "x.send(new URLSearchParams({a: 'é'}))", "x.response", '{"a": 1}', b"a=%C3%A9"),
    ("blob", "x.responseType = 'blob'", "x.send(new Blob(['b']))", "x.response.text()", '{"a": 1}', b"b"),
    (
        "buffer",
        "x.responseType = 'arraybuffer'", "x.send(new Uint8Array([65]))",
        "new TextDecoder().decode(x.response)", '{"a": 1}', b"A",
    ),
    ("json", "x.responseType = 'json'", "x.send()", "x.response", {"a": 1}, None),
    ("nothing sent", "", "x.send(null)", "x.status", 200, None),
]  # fmt: skip


@pytest.mark.asyncio
async def test_every_type_of_response_is_copied_and_read_by_the_page(tabs, site):
    site.server.file(ANSWER, b'{"a": 1}', "application/json")
    page = await tabs.open(HOME)
    for name, sets, sends, reads, saw, left in PAGES:
        await tabs.stub.value("stub.said.length = 0")
        run = f"({ASK})((x) => {{ {sets} }}, (x) => {{ {sends} }}, (x) => {reads})"
        assert await value_of(page, run) == saw, name
        heard = await tabs.stub.of(ANSWER)
        assert heard.body.replace(b" ", b"") == b'{"a":1}', name
        assert (heard.asked, heard.end) == (left, ("whole", "")), name
        assert (heard.sent["via"], heard.head["mime"]) == ("xhr", "application/json"), name


@pytest.mark.asyncio
async def test_text_is_told_as_it_grows_and_no_character_is_cut(tabs, site):
    drip = site.server.drip(ANSWER, content_type="application/json; charset=utf-8")
    page = await tabs.open(HOME)
    await value_of(
        page,
        f"""globalThis.xhr = new XMLHttpRequest(); xhr.open('POST', '{ANSWER}'); xhr.send();
        globalThis.states = []; xhr.onreadystatechange = () => states.push(xhr.readyState); 0""",
    )
    text = "é𝄞語".encode()
    for at in range(len(text)):
        await site.let(drip, text[at : at + 1])
    await tabs.stub.until("(all) => all.some((m) => m.kind === 'bytes')")
    await site.finish(drip)
    heard = await tabs.stub.of(ANSWER)
    assert heard.body == text
    assert await value_of(page, "xhr.responseText + xhr.readyState") == "é𝄞語4"


@pytest.mark.asyncio
async def test_a_synchronous_request_is_copied_too(tabs, site):
    site.server.file(ANSWER, b"now", "text/plain")
    page = await tabs.open(HOME)
    run = f"""(() => {{ const x = new XMLHttpRequest(); x.open('POST', '{ANSWER}', false);
      x.send('s'); return x.responseText; }})()"""
    assert await value_of(page, run) == "now"
    heard = await tabs.stub.of(ANSWER)
    assert (heard.asked, heard.body, heard.end) == (b"s", b"now", ("whole", ""))


@pytest.mark.asyncio
async def test_ends_are_told_as_what_they_are(tabs, site):
    page = await tabs.open(HOME)
    drip = site.server.drip(ANSWER, content_type="application/json")
    begin = f"""globalThis.x = new XMLHttpRequest(); x.open('POST', '{ANSWER}');
    globalThis.heard = []; for (const name of ['load', 'error', 'abort', 'loadend'])
      x.addEventListener(name, () => heard.push(name)); x.send(); 0"""

    async def ends(does, drip):
        await tabs.stub.value("stub.said.length = 0")
        await value_of(page, begin)
        await site.let(drip, b"half")
        await tabs.stub.until("(all) => all.some((m) => m.kind === 'bytes')")
        await does()
        return (await tabs.stub.of(ANSWER)).end

    assert await ends(lambda: value_of(page, "x.abort()"), drip) == ("canceled", "aborted")
    assert await value_of(page, "heard") == ["abort", "loadend"]
    drip = site.server.drip(ANSWER, content_type="application/json")
    assert await ends(lambda: site.cut(drip), drip) == ("failed", "network")
    assert await value_of(page, "heard") == ["error", "loadend"]
    again = site.server.drip(ANSWER, content_type="application/json")
    reopen = "x.open('GET', '/'); 0"
    assert await ends(lambda: value_of(page, reopen), again) == ("canceled", "reopened")


@pytest.mark.asyncio
async def test_events_that_a_page_made_itself_are_not_believed(tabs, site):
    """Else a page could end an answer before its end. The same object may be sent many times."""
    page = await tabs.open(HOME)
    for text in (b"one", b"two"):
        await tabs.stub.value("void (stub.said.length = 0)")
        drip = site.server.drip(ANSWER, content_type="application/json")
        begin = f"globalThis.x ??= new XMLHttpRequest(); x.open('POST', '{ANSWER}'); x.send(); 0"
        await value_of(page, begin)
        await site.let(drip, text)
        await tabs.stub.until("(all) => all.some((m) => m.kind === 'bytes')")
        await value_of(
            page, "void ['load', 'error', 'abort'].map((t) => x.dispatchEvent(new Event(t)))"
        )
        await site.let(drip, b" rest")
        await site.finish(drip)
        heard = await tabs.stub.of(ANSWER)
        assert (heard.body, heard.end) == (text + b" rest", ("whole", ""))
        ended = await tabs.stub.value("stub.said.filter((m) => m.kind === 'ended').length")
        assert ended == 1


@pytest.mark.asyncio
async def test_a_page_that_wraps_it_and_reads_what_it_gives_only_once(tabs, site):
    site.server.file(ANSWER, b"ok", "text/plain")
    page = await tabs.open(HOME)
    seen = await value_of(
        page,
        f"""new Promise((done) => {{
          const seen = [];
          const open = XMLHttpRequest.prototype.open;
          XMLHttpRequest.prototype.open = function (...args) {{ seen.push('open'); return open.apply(this, args); }};
          class Mine extends XMLHttpRequest {{ send(...args) {{ seen.push('send'); return super.send(...args); }} }}
          const x = new Mine();
          x.open({{toString() {{ seen.push('method'); return 'POST'; }}}},
                 {{toString() {{ seen.push('url'); return '{ANSWER}'; }}}});
          x.onload = () => done([...seen, x.responseText, x instanceof XMLHttpRequest]);
          x.send('m');
        }})""",
    )
    assert seen == ["open", "method", "url", "send", "ok", True]
    assert (await tabs.stub.of(ANSWER)).asked == b"m"


@pytest.mark.asyncio
async def test_errors_are_the_browser_s_own(tabs, site):
    page = await tabs.open(HOME)
    said = await value_of(
        page,
        """(() => {
          const said = [];
          const attempt = (act) => { try { act(); } catch (e) { said.push(`${e.name}: ${e.message}`); } };
          const x = new XMLHttpRequest();
          attempt(() => x.send());
          attempt(() => x.open('POST'));
          attempt(() => x.open('BAD METHOD', '/'));
          attempt(() => x.open({toString() { throw new RangeError('mine'); }}, '/'));
          attempt(() => XMLHttpRequest.prototype.open.call({}, 'GET', '/'));
          return said;
        })()""",
    )
    assert said == [
        "InvalidStateError: Failed to execute 'send' on 'XMLHttpRequest': The object's state must "
        "be OPENED.",
        "TypeError: Failed to execute 'open' on 'XMLHttpRequest': 2 arguments required, but only 1 "
        "present.",
        "SyntaxError: Failed to execute 'open' on 'XMLHttpRequest': 'BAD METHOD' is not a valid "
        "HTTP method.",
        "RangeError: mine",
        "TypeError: Illegal invocation",
    ]


# What a page's own handlers do with a request. Who hears of it only after them hears another one's
# end, nothing of what came, or no end at all.
HANDLERS = [
    # id, what is set on `x`, whose `again` sends it once more while there are some left
    ("sent again at once", "x.onreadystatechange = () => x.readyState === 4 && again()", 3),
    ("sent again when loaded", "x.onload = again", 3),
    ("ended when whole", "x.onreadystatechange = () => x.readyState === 4 && x.abort()", 1),
    ("an event that is stopped", "for (const name of ['readystatechange', 'load']) x.addEventListener(name, (e) => e.stopImmediatePropagation())", 1),
    ("given away", "x.responseType = 'arraybuffer'; x.onload = () => structuredClone(x.response, {transfer: [x.response]})", 1),
    ("changed", "x.responseType = 'json'; x.onload = () => { x.response.a = 2; }", 1),
    ("sent while under way", "x.onloadstart = () => { try { x.send('twice'); } catch { } }", 1),
]  # fmt: skip


@pytest.mark.asyncio
async def test_whatever_a_page_s_handlers_do_with_it_it_is_whole_and_ends_once(tabs, site):
    site.server.file(ANSWER, b'{"a":1}', "application/json")
    page = await tabs.open(HOME)
    for name, sets, times in HANDLERS:
        await tabs.stub.value("void (stub.said.length = 0)")
        await value_of(
            page,
            f"""void (() => {{
              let left = {times}; const x = new XMLHttpRequest();
              const again = () => {{ if (left-- > 0) {{ x.open('POST', '{ANSWER}'); x.send('q'); }} }};
              {sets}; again();
            }})()""",
        )
        ends = await tabs.stub.until(
            f"(all) => {{ const its = all.filter((m) => m.kind === 'ended'); return its.length === {times} && its; }}"
        )
        assert [(one["how"], one["why"]) for one in ends] == [("whole", "")] * times, name
        said = await tabs.stub.value("stub.said.filter((m) => m.attempt)")
        heard = [Attempt([m for m in said if m["attempt"] == one["attempt"]]) for one in ends]
        assert [one.asked for one in heard] == [b"q"] * times, name
        assert [one.body for one in heard] == [b'{"a":1}'] * times, name
        assert sum(one["kind"] == "sent" for one in said) == times, name
