"""What the hook copies of WebSocket and EventSource."""

# ruff: noqa: E501  what a page does is easier to read in one line

import pytest

from extension.page_lab import value_of

pytestmark = pytest.mark.xdist_group("pages")  # one browser for all of them

SOCKET = "wss://ws.chatgpt.com/p4/ws/user/one"
SOURCE = "/backend-api/conversation/01234567-89ab-cdef-0123-456789abcdef"


@pytest.mark.parametrize("kind", ["blob", "arraybuffer"])
@pytest.mark.asyncio
async def test_frames_are_copied_both_ways_and_keep_their_order(tabs, site, kind):
    """The far end says back what it hears. A Blob must be read, and nothing overtakes it."""
    page = await tabs.open()
    got = await value_of(
        page,
        f"""new Promise((done) => {{
          class Mine extends WebSocket {{ get mine() {{ return true; }} }}
          const socket = new Mine('{SOCKET}');
          socket.binaryType = '{kind}';
          const got = [];
          socket.onopen = () => {{
            socket.dispatchEvent(new MessageEvent('message', {{data: 'forged'}}));
            socket.dispatchEvent(new CloseEvent('close', {{wasClean: true}}));
            got.length = 0;
            socket.send('one');
            socket.send(new Uint8Array([9, 50, 51, 9]).subarray(1, 3));
            socket.send(new Blob(['four']));
            socket.send('five');
          }};
          socket.onmessage = async ({{data}}) => {{
            got.push(typeof data === 'string' ? data : data.constructor.name);
            if (got.length === 4) socket.close();
          }};
          socket.onclose = (event) => event.isTrusted && done([got, socket instanceof WebSocket, socket.mine,
            socket.constructor.name, WebSocket.prototype.constructor === WebSocket]);
        }})""",
    )
    name = "Blob" if kind == "blob" else "ArrayBuffer"
    assert got == [["one", name, name, "five"], True, True, "Mine", True]
    heard = await tabs.stub.of("/p4/ws/user/one")
    wanted = ["one", b"23", b"four", "five"]
    assert [what for sent, what in heard.frames if sent] == wanted
    assert [what for sent, what in heard.frames if not sent] == wanted
    assert heard.end == ("whole", "closed")
    assert heard.sent["via"] == "socket"


@pytest.mark.asyncio
async def test_an_event_source_is_told_as_the_stream_it_was(tabs, site):
    drip = site.server.drip(SOURCE, content_type="text/event-stream")
    page = await tabs.open()
    await value_of(
        page,
        f"""globalThis.got = []; globalThis.source = new EventSource('{SOURCE}');
        source.onmessage = (e) => got.push(e.data);
        source.addEventListener('delta', (e) => got.push(`delta ${{e.data}}`)); 0""",
    )
    await site.let(drip, b"id: 7\ndata: a\ndata: b\n\nevent: delta\ndata: {}\n\n")
    await tabs.stub.until("(all) => all.filter((m) => m.kind === 'bytes').length")
    seen = await value_of(
        page,
        """new Promise((done) => { const look = () => (got.length === 2 ? done(got) : setTimeout(look));
        look(); }).then(() => { source.close(); return [got, Object.keys(source),
        source.addEventListener.name, source instanceof EventSource]; })""",
    )
    assert seen == [["a\nb", "delta {}"], [], "addEventListener", True]
    heard = await tabs.stub.of(SOURCE)
    assert heard.body == b"id: 7\ndata: a\ndata: b\n\nevent: delta\nid: 7\ndata: {}\n\n"
    assert heard.end == ("canceled", "page")
    await site.cut(drip)


@pytest.mark.asyncio
async def test_what_cannot_be_made_fails_as_the_browser_says(tabs, site):
    page = await tabs.open()
    said = await value_of(
        page,
        """[() => WebSocket('wss://x'), () => new WebSocket(), () => new WebSocket('wss://['),
           () => EventSource('/'), () => WebSocket.prototype.send.call({}, '')].map((act) => {
          try { act(); return 'no error'; } catch (e) { return `${e.name}: ${e.message}`; }
        })""",
    )
    assert said[0].startswith("TypeError: Failed to construct 'WebSocket': Please use the 'new'")
    assert said[1].startswith("TypeError: Failed to construct 'WebSocket': 1 argument required")
    assert said[2].startswith("SyntaxError: Failed to construct 'WebSocket': ")
    assert said[3].startswith("TypeError: Failed to construct 'EventSource': Please use the 'new'")
    assert said[4] == "TypeError: Illegal invocation"
