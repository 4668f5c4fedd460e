"""Which windows a debugging port has, and what is asked of it."""

import json
from dataclasses import replace

import pytest

from kit.listening import listening
from tabwire.browser.agent.targets import (
    UNTITLED_SECONDS,
    Loading,
    NoWindow,
    find_windows,
    windows_at,
)
from tabwire.sites.antigravity.page import Place, Window

pytestmark = pytest.mark.asyncio

BENCH = "vscode-file://vscode-app/out/vs/code/electron-browser/workbench/workbench.html"
JETSKI = BENCH.replace("workbench.html", "workbench-jetski-agent.html")
PANEL = "vscode-webview://x/cascade-panel.html"


def entry(id_, title, url, type_="page", debugger=True, **more):
    where = f"ws://evil.example/devtools/page/{id_}" if debugger else None
    told = {"id": id_, "title": title, "url": url, "type": type_, **more}
    return {**told, "webSocketDebuggerUrl": where} if where else told


async def served(entries, agent="Antigravity/1.20", run=None):
    asked = []

    async def answer(reader, writer):
        head = (await reader.readuntil(b"\r\n\r\n")).decode()
        path = head.split(" ")[1]
        asked.append((path, "Host: 127.0.0.1" in head))
        told = entries if path == "/json/list" else {"Browser": "Chrome/1", "User-Agent": agent}
        body = json.dumps(told).encode()
        writer.write(b"HTTP/1.1 200 OK\r\nContent-Length: %d\r\n\r\n%s" % (len(body), body))
        await writer.drain()
        writer.close()

    async with listening(answer) as port:
        return await run(port), asked


ENTRIES = [
    entry("a", "shop — Antigravity - app.py", BENCH),
    entry("b", "docs - Antigravity", BENCH),
    entry("c", "shop — Antigravity", BENCH),
    entry("d", "Manager", JETSKI),
    entry("e", "Launchpad", JETSKI),
    entry("f", "hidden — Antigravity", BENCH, debugger=False),
    entry("g", "Multi Purpose Agent Settings", "vscode-webview://y/index.html", "webview"),
    entry("h", "Some extension", "vscode-webview://z/index.html", "iframe"),
    entry("i", "Checkout", "https://127.0.0.1:3000/checkout"),
    entry("j", "", "about:blank"),
    entry("k", "Tabwire", "http://127.0.0.1:8766/"),
    entry("a", "shop — Antigravity - app.py", BENCH),
    entry("w", "worker", BENCH, "service_worker"),
]


async def test_s2_056_only_the_configured_port_and_its_list_are_asked():
    found, asked = await served(ENTRIES, run=lambda port: find_windows(port))
    assert asked == [("/json/list", True)]
    (one,) = found
    assert [(w.id, w.place) for w in one.windows] == [
        ("a", Place.EDITOR), ("b", Place.EDITOR), ("c", Place.EDITOR),
        ("d", Place.MANAGER), ("e", Place.MANAGER),
    ]  # fmt: skip
    assert [w.name for w in one.windows] == ["shop #a", "docs", "shop #c", "Manager", "Launchpad"]


async def test_an_address_in_the_list_sends_us_nowhere_else():
    windows, _ = await served(ENTRIES, run=lambda port: windows_at(port))
    assert all(w.debugger.startswith("ws://127.0.0.1:") for w in windows)


async def test_the_stand_alone_program_is_a_page_on_loopback_where_no_editor_is():
    app = [entry("p", "Antigravity", "https://127.0.0.1:4321/"), entry("q", "x", "https://a.b/")]
    windows, _ = await served(app, run=lambda port: windows_at(port))
    assert [(w.id, w.place) for w in windows] == [("p", Place.APP)]


async def test_a_panel_in_a_frame_of_its_own_stands_for_its_window():
    framed = [
        entry("a", "shop — Antigravity", BENCH),
        entry("f", "", PANEL, "iframe", parentId="a"),
    ]
    windows, _ = await served(framed, run=lambda port: windows_at(port))
    assert [(w.id, w.name, w.place) for w in windows] == [("f", "shop", Place.FRAME)]


async def test_a_port_nobody_named_must_say_who_it_is():
    app = [entry("p", "My own site", "https://127.0.0.1:4321/")]

    async def scan(port):
        return await find_windows(ports=[port])

    with pytest.raises(NoWindow):
        await served(app, agent="Chrome/156", run=scan)
    found, asked = await served(app, agent="Antigravity/2.5", run=scan)
    assert found[0].windows[0].id == "p"
    assert [path for path, _ in asked] == ["/json/version", "/json/list"]


async def test_nobody_there_is_said_with_what_to_do():
    with pytest.raises(NoWindow) as caught:
        await find_windows(1)
    assert "--remote-debugging-port" in caught.value.what_to_do


async def test_in_the_replica_every_window_is_found_and_the_rest_left_alone(
    antigravity, agent_window
):
    await agent_window("shop")
    await agent_window("shop")
    await agent_window(generation="settings")
    await agent_window(generation="browser")
    await agent_window(generation="app")
    windows = await windows_at(antigravity.port)
    assert [w.workspace for w in windows] == ["shop", "shop"]
    assert len({w.name for w in windows}) == 2
    asked = [one.method for one in getattr(antigravity.gate, "asked", ()) if hasattr(one, "method")]
    assert "Target.setDiscoverTargets" not in asked


async def test_a_window_that_is_listed_by_its_address_is_loading_for_a_while():
    now = [0.0]
    loading = Loading(lambda: now[0])
    url = "http://127.0.0.1:1/workbench.html"
    listed = Window("1", "x", "127.0.0.1:1/workbench.html", url, Place.EDITOR, "ws://x", "x")
    assert loading.has(listed)
    now[0] = UNTITLED_SECONDS - 0.1
    assert loading.has(listed)
    assert not loading.has(replace(listed, title="shop — Antigravity"))
    assert loading.has(listed), "it loads anew"
    now[0] = 3 * UNTITLED_SECONDS
    assert not loading.has(listed), "this one never gets a title"
