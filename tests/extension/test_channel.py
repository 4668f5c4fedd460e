"""The private line between the page's world and ours, and what a page can do to it: nothing."""

# ruff: noqa: E501  what a page does is easier to read in one line

from pathlib import Path

import pytest

from extension.page_lab import PAGE, go, value_of
from kit.turns import by_turns

pytestmark = pytest.mark.xdist_group("pages")  # one browser for all of them

ANSWER = "/backend-api/f/conversation"
CHANNEL = Path(__file__).resolve().parents[2] / "extension" / "page" / "channel.js"
ATTEMPT = "chatgpt:01234567-89ab-4def-8123-456789abcdef"
READ = f"fetch('{ANSWER}', {{method: 'POST'}}).then((r) => r.text())"
DROPPED = "(all) => all.findLast((m) => m.kind === 'dropped')?.counts"


async def heap(page) -> int:
    await page.call("HeapProfiler.collectGarbage")
    return int((await page.call("Runtime.getHeapUsage"))["usedSize"])


@pytest.mark.asyncio
async def test_ten_thousand_forged_messages_are_dropped_counted_and_not_kept(tabs, site):
    """T24, and a relative's flaw: what came without a token was stamped and then believed."""
    site.server.file(ANSWER, b"true")
    page = await tabs.open()
    forge = f"""new Promise((done) => {{
      const data = btoa('x'.repeat(2000));
      for (let at = 0; at < 5000; at += 1) {{
        postMessage({{kind: 'bytes', attempt: '{ATTEMPT}', seq: at, data}}, '*');
        postMessage({{tabwire: 1, what: 'bytes', attempt: '{ATTEMPT}', n: at, secret: 'guess', data}}, '*');
      }}
      postMessage({{what: 'bytes', attempt: '{ATTEMPT}', n: 1, secret: 'a', data: {{}}}}, '*');
      const end = new MessageChannel(); // whatever was posted before is heard before
      addEventListener('message', (event) => event.data === 'end' && done(), {{capture: true}});
      postMessage('end', '*');
    }})"""
    await value_of(page, forge)
    before = await heap(page)
    await value_of(page, forge)
    assert await heap(page) - before < 1 << 20
    counts = await tabs.stub.until(
        f"(all) => {{ const c = ({DROPPED})(all); return c?.tokenless === 10000 && c; }}"
    )
    assert counts["forged"] == 10002
    assert await value_of(page, READ) == "true"
    assert (await tabs.stub.of(ANSWER)).body == b"true"
    assert await tabs.stub.value(f"stub.said.filter((m) => m.attempt === '{ATTEMPT}').length") == 0


# id, what is sent by somebody who has the port, as which fault it is counted
JUDGED = [
    ("not an object", "null", "forged"),
    ("no secret", "{...good, secret: undefined}", "tokenless"),
    ("another secret", "{...good, secret: 'other'}", "forged"),
    ("the same again", "{...good, n: 5}", "replayed"),
    ("an older one", "{...good, n: 4}", "replayed"),
    ("half a number", "{...good, n: 6.5}", "replayed"),
    ("no number", "{...good, n: 'x'}", "replayed"),
    ("a word of the hub's", "{...good, n: 9, what: 'state'}", "forged"),
    ("no attempt", "{...good, n: 9, attempt: 'x'}", "forged"),
    ("too much", "{...good, n: 9, data: new Uint8Array(67 << 20)}", "oversized"),
    ("something deep", "{...good, n: 9, data: {toString() { return ''; }}}", "oversized"),
]


@pytest.mark.asyncio
async def test_each_message_is_judged_by_secret_number_size_and_shape(tabs, site):
    page = await tabs.open()
    script = CHANNEL.read_text("utf-8")
    judged = ", ".join(f"[{what}, '{fault}']" for _, what, fault in JUDGED)
    found = await value_of(
        page,
        f"""{script};
        (() => {{
          const gate = new tabwire.channel.Gate('right');
          const good = {{secret: 'right', n: 5, what: 'bytes', attempt: '{ATTEMPT}', data: new Uint8Array(3)}};
          const first = gate.takes(good);
          const said = [{judged}].map(([what, fault]) => {{
            const before = gate.counts[fault];
            return [gate.takes(what), gate.counts[fault] - before];
          }});
          return [first, said, gate.takes({{...good, n: 6}})];
        }})()""",
    )
    assert found[0] is True
    assert found[2] is True
    for (name, _, _), seen in zip(JUDGED, found[1], strict=True):
        assert seen == [False, 1], name


@pytest.mark.asyncio
async def test_the_first_script_of_a_page_finds_nothing_to_listen_to(tabs, site):
    site.server.file(ANSWER, b"true")
    script = f"""<script>window.heard = [];
    const dispatch = EventTarget.prototype.dispatchEvent;
    EventTarget.prototype.dispatchEvent = function (e) {{ heard.push(e.type); return dispatch.call(this, e); }};
    const post = MessagePort.prototype.postMessage;
    MessagePort.prototype.postMessage = function (...a) {{ heard.push('port'); return post.apply(this, a); }};
    Object.defineProperty(MessagePort.prototype, 'onmessage', {{set() {{ heard.push('onmessage'); }}}});
    for (const one of [window, document, document.documentElement])
      for (const name of ['message', 'tabwire', 'tabwire-door'])
        one.addEventListener(name, (e) => heard.push(e.type + e.data), true);
    new MutationObserver((all) => {{
      for (const {{target, type, addedNodes}} of all) {{
        if (type === 'attributes' && target === document.documentElement) heard.push('attribute');
        for (const node of addedNodes) if (/tabwire|door/.test(node.outerHTML) && node.localName !== 'script') heard.push('door');
      }}
    }}).observe(document, {{subtree: true, childList: true, attributes: true}});
    window.got = {READ};
    </script>"""
    site.server.page("/", PAGE + script)
    page = await tabs.open()
    assert await value_of(page, "got") == "true"
    assert (await tabs.stub.of(ANSWER)).body == b"true"
    assert await value_of(page, "heard") == []


PREPARED = [
    # id, what another window of the same site does to a new one before its page comes
    ("ports", "w.MessagePort.prototype.postMessage = function (m) { w.stolen = m; };"),
    ("fetch", "w.fetch = w.fetch.bind(w);"),
    ("printing", "w.Function.prototype.toString = () => 'function fetch() { [native code] }';"),
    ("a proxy", "w.Reflect.apply = new Proxy(w.Reflect.apply, {apply: (t, s, a) => t(...a)});"),
    ("our name", "w.tabwire = {natives: {}};"),
]


@pytest.mark.parametrize("prepares", by_turns("prepared", [one[1] for one in PREPARED], 2))
@pytest.mark.asyncio
async def test_a_window_prepared_by_another_is_not_copied_and_says_so(tabs, site, prepares):
    """T25: Chrome keeps the global object of an empty window for its first page."""
    site.server.file(ANSWER, b"true")
    site.server.page("/other", PAGE)
    page = await tabs.open()
    opened = await page.call(
        "Runtime.evaluate",
        {
            "expression": f"""new Promise((done) => {{
              const w = (globalThis.w = open('/other')); {prepares}
              w.marked = true;
              w.addEventListener('load', () => done([w.location.pathname, w.marked]));
            }})""",
            "awaitPromise": True, "returnByValue": True, "userGesture": True,
        },
    )  # fmt: skip
    counts = await tabs.stub.until(
        f"(all) => {{ const c = ({DROPPED})(all); return c?.raced === 1 && c; }}"
    )
    assert counts["raced"] == 1
    assert await value_of(page, f"w.eval(`{READ}`)") == "true"
    assert await value_of(page, "[w.location.pathname, w.marked, typeof w.stolen]") == [
        "/other", True, "undefined",
    ]  # fmt: skip
    assert await tabs.stub.value("stub.said.filter((m) => m.kind === 'sent').length") == 0
    await value_of(page, "w.close()")
    assert opened is not None


TAKES = """new MutationObserver((_, self) => {
  const door = document.querySelector('[data-tabwire-door], tabwire-door');
  if (!door) return;
  self.disconnect();
  const mine = door.cloneNode();
  mine.addEventListener('message', (event) => event.preventDefault());
  door.replaceWith(mine);
}).observe(document, {childList: true, subtree: true})"""


@pytest.mark.asyncio
async def test_who_answers_to_our_door_in_our_place_is_found_out(tabs, site):
    """The hook, to whom no port came, says so by an attribute of a name that no page knows."""
    site.server.file(ANSWER, b"true")
    page = await tabs.open("about:blank")
    await page.call("Page.enable")
    how = {"source": TAKES, "worldName": "another"}
    await page.call("Page.addScriptToEvaluateOnNewDocument", how)
    await go(page, "https://chatgpt.com/")
    await tabs.stub.until(f"(all) => ({DROPPED})(all)?.raced === 1")
    await tabs.stub.until("() => stub.troubles.includes('raced')")
    assert await value_of(page, READ) == "true"
    assert await tabs.stub.value("stub.said.filter((m) => m.kind === 'sent').length") == 0


@pytest.mark.asyncio
async def test_a_window_whose_elements_were_defined_before_hands_out_nothing(tabs, site):
    """Of a name of our own another window could make a class that listens before we do."""
    site.server.file(ANSWER, b"true")
    site.server.page("/other", PAGE)
    page = await tabs.open()
    how = {
        "expression": """new Promise((done) => {
          const w = (globalThis.w = open('/other'));
          w.stolen = [];
          w.eval(`for (const name of ['tabwire-door', 'tabwire-control'])
            customElements.define(name, class extends HTMLElement { constructor() { super();
              this.addEventListener('message', (event) => { stolen.push(event.data);
                event.stopImmediatePropagation(); event.preventDefault(); }, true); } })`);
          w.addEventListener('load', () => done(w.stolen.length));
        })""",
        "awaitPromise": True, "returnByValue": True, "userGesture": True,
    }  # fmt: skip
    assert (await page.call("Runtime.evaluate", how))["result"]["value"] == 0
    assert await value_of(page, f"w.eval(`{READ}`)") == "true"
    assert (await tabs.stub.of(ANSWER)).body == b"true"
    await value_of(page, "w.close()")


@pytest.mark.asyncio
async def test_an_element_of_another_extension_is_no_race(tabs, site):
    """Others put a style into a page that is not there yet; only doors of ours are counted."""
    site.server.file(ANSWER, b"true")
    page = await tabs.open("about:blank")
    await page.call("Page.enable")
    early = """new MutationObserver((_, self) => { self.disconnect();
      document.documentElement.append(document.createElement('style')); }).observe(document, {childList: true})"""
    how = {"source": early, "worldName": "another"}
    await page.call("Page.addScriptToEvaluateOnNewDocument", how)
    await go(page, "https://chatgpt.com/")
    assert await value_of(page, "document.querySelectorAll('html > style').length") == 1
    assert await value_of(page, READ) == "true"
    assert (await tabs.stub.of(ANSWER)).body == b"true"


# --- to the worker -------------------------------------------------------------------------------


@pytest.mark.asyncio
async def test_what_was_not_confirmed_is_said_again_when_the_port_was_cut(tabs, site):
    site.server.file(ANSWER, b"kept")
    page = await tabs.open()
    await tabs.stub.until("() => stub.hellos.length === 1")
    await tabs.stub.value("void (stub.how.take = false)")
    await value_of(page, READ)
    await tabs.stub.of(ANSWER)
    before = await tabs.stub.value("stub.said.splice(0).filter((m) => m.attempt)")
    await tabs.stub.value("void (stub.how.take = true); stub.cut()")
    again = await tabs.stub.of(ANSWER)
    assert again.messages == before
    pages = await tabs.stub.value("stub.hellos.map((one) => one.page)")
    assert len(pages) == 2
    assert len(set(pages)) == 1
    assert await tabs.stub.value("stub.hellos.map((one) => [one.again, one.asks])") == [
        [False, False],
        [True, True],
    ]


KEPT = {"t": "tell", "message": {"kind": "state", "life": "completed", "save": True}}
SAID = "stub.said.splice(0).filter((m) => m.attempt).map((m) => [m.attempt, m.kind])"


@pytest.mark.asyncio
async def test_a_question_is_told_again_to_another_hub_until_it_is_proven_to_be_kept(tabs, site):
    """A hub that is started anew knows nothing of what the one before it confirmed."""
    site.server.file(ANSWER, b"kept")
    site.server.file("/backend-api/conversations", b"{}")
    page = await tabs.open()
    await value_of(page, READ)
    await value_of(page, "fetch('/backend-api/conversations').then((r) => r.text())")
    await tabs.stub.of("/backend-api/conversations")
    whole = await tabs.stub.value(SAID)
    asked = [one for one in whole if one[0] == whole[0][0]]
    assert len(asked) < len(whole)
    for hub in ("stub.tell({t: 'again'})", "stub.cut()"):
        await tabs.stub.value(hub)
        await tabs.stub.until("(all) => all.some((m) => m.kind === 'ended')")
        assert await tabs.stub.value(SAID) == asked, "only what belongs to the question"
    await tabs.stub.tell(KEPT)
    count = await tabs.stub.value("stub.hellos.length")
    await tabs.stub.value("stub.tell({t: 'again'})")
    await tabs.stub.until(f"() => stub.hellos.length > {count}")
    assert not await tabs.stub.value("stub.hellos.at(-1).asks")
    await value_of(page, READ)
    await tabs.stub.of(ANSWER)
    one = {attempt for attempt, _kind in await tabs.stub.value(SAID)}
    assert one.isdisjoint({asked[0][0]})
    assert len(one) == 1


@pytest.mark.asyncio
async def test_where_it_is_switched_off_nothing_is_held_for_a_later_hub(tabs, site):
    site.server.file(ANSWER, b"kept")
    page = await tabs.open()
    await value_of(page, READ)
    await tabs.stub.of(ANSWER)
    await tabs.stub.value(SAID)
    await tabs.stub.tell({"t": "line", "connected": True, "paired": True, "on": False})
    await tabs.stub.value("stub.tell({t: 'again'})")
    await tabs.stub.until("() => stub.hellos.length > 1")
    assert not await tabs.stub.value("stub.hellos.at(-1).asks")
    assert await tabs.stub.value(SAID) == []


@pytest.mark.asyncio
async def test_what_nobody_takes_is_bounded_and_the_page_has_it_all(tabs, site):
    big = b"0123456789abcdef" * (1 << 20)
    for number in range(3):
        site.server.file(f"{ANSWER}{number}", big)
    site.server.file(ANSWER, big)
    page = await tabs.open()
    await tabs.stub.value("void (stub.how.take = false)")
    read = f"fetch('{ANSWER}?' + at, {{method: 'POST'}}).then((r) => r.arrayBuffer()).then((b) => b.byteLength)"
    for number in range(2):
        assert await value_of(page, f"((at) => {read})({number})") == len(big)
    await value_of(page, "new Promise((done) => setTimeout(done, 0))")
    await tabs.stub.value("void (stub.how.take = true); stub.cut()")
    second = await tabs.stub.until(
        "(all) => all.filter((m) => m.kind === 'ended' && m.why === 'overflow')[0]"
    )
    assert second["how"] == "failed"
    counts = await tabs.stub.until(
        f"(all) => {{ const c = ({DROPPED})(all); return c?.overflow && c; }}"
    )
    assert counts["overflow"] >= 1
    # and when there is room again, all is as before
    await tabs.stub.value("void (stub.said.length = 0)")
    site.server.file(ANSWER, b"small")
    await value_of(page, READ)
    assert (await tabs.stub.of(ANSWER)).body == b"small"


@pytest.mark.asyncio
async def test_moves_titles_and_sight_are_told(tabs, site):
    page = await tabs.open()
    await value_of(page, "history.pushState({}, '', '/c/one'); document.title = 'named'")
    moved = await tabs.stub.until("(all) => all.find((m) => m.kind === 'moved')")
    named = await tabs.stub.until(
        "(all) => all.find((m) => m.kind === 'named' && m.title === 'named')"
    )
    assert moved["url"] == "https://chatgpt.com/c/one"
    assert named["at"] >= moved["at"]
    await value_of(
        page,
        "document.head.remove(); document.documentElement.append(document.createElement('head'))",
    )
    await value_of(page, "document.title = 'anew'")
    await tabs.stub.until("(all) => all.find((m) => m.kind === 'named' && m.title === 'anew')")
    await go(page, "https://chatgpt.com/?again")
    await tabs.stub.until("() => new Set(stub.hellos.map((one) => one.page)).size === 2")
