"""What a web page in the person's own browser can do to the hub: T08 and T09, in a real one."""

import asyncio
import json
from contextlib import asynccontextmanager

import pytest
import pytest_asyncio

from kit.chromium import connect_to
from kit.http_door import open_door
from kit.listening import listening
from tabwire.browser.launch import Launch, launched

pytestmark = pytest.mark.asyncio

NAME = "rebound.test"
"""A name that resolves to this machine, as that of an attacker does the second time it is asked."""

ATTACKS = """
async (base) => {
  const body = JSON.stringify({requests: [{site: "grok", prompt: "now"}]})
  const post = (path, more) => fetch(base + path, {method: "POST", body, ...more})
  const json = {"content-type": "application/json"}
  const tries = {
    simple: () => post("/api/v1/jobs", {mode: "no-cors"}),
    simple_end: () => post("/api/v1/shutdown", {mode: "no-cors", credentials: "include"}),
    plain: () => post("/api/v1/jobs", {headers: {"content-type": "text/plain"}}),
    preflight: () => post("/api/v1/jobs", {headers: json}),
    token: () => post("/api/v1/shutdown", {headers: {...json, authorization: "Bearer x"}}),
    mcp: () => post("/mcp", {headers: json}),
    read: () => fetch(base + "/api/v1/status"),
    opaque: () => fetch(base + "/api/v1/jobs", {mode: "no-cors"}),
    beacon: async () => navigator.sendBeacon(base + "/api/v1/shutdown", "{}"),
    form: () => new Promise((done) => {
      const frame = Object.assign(document.createElement("iframe"), {name: "aim"})
      const form = Object.assign(document.createElement("form"), {
        action: base + "/api/v1/shutdown", method: "post", target: "aim", enctype: "text/plain",
      })
      frame.onload = () => done("sent")
      document.body.append(frame, form)
      form.submit()
      setTimeout(done, 3000, "silent")
    }),
    image: () => new Promise((done, fail) => {
      Object.assign(new Image(), {onload: done, onerror: fail, src: base + "/api/v1/status"})
    }),
    script: () => new Promise((done, fail) => {
      const script = document.createElement("script")
      Object.assign(script, {onload: done, onerror: fail, src: base + "/api/v1/jobs"})
      document.body.append(script)
    }),
    socket: () => new Promise((done, fail) => {
      const socket = new WebSocket(base.replace("http", "ws") + "/mcp")
      Object.assign(socket, {onopen: done, onerror: fail})
    }),
    discovery: () => fetch(base + "/mcp-discovery"),
    discovery_script: () => new Promise((done, fail) => {
      const script = document.createElement("script")
      Object.assign(script, {onload: done, onerror: fail, src: base + "/mcp-discovery"})
      document.body.append(script)
    }),
    relay: () => new Promise((done, fail) => {
      const socket = new WebSocket(base.replace("http", "ws") + "/relay")
      Object.assign(socket, {onopen: done, onerror: fail})
    }),
    line: () => new Promise((done, fail) => {
      const socket = new WebSocket(base.replace("http", "ws") + "/api/v1/extensions/line")
      Object.assign(socket, {onopen: done, onerror: fail})
    }),
    events: () => new Promise((done, fail) => {
      const events = new EventSource(base + "/api/v1/jobs/1/news")
      Object.assign(events, {onopen: done, onerror: () => { events.close(); fail() }})
    }),
  }
  const told = {}
  for (const [name, attack] of Object.entries(tries)) {
    try {
      const answer = await attack()
      told[name] = answer instanceof Response ? `${answer.type} ${answer.status}` : "done"
    } catch { told[name] = "refused" }
  }
  return JSON.stringify(told)
}
"""


@pytest.fixture(scope="module")
def rebound(aside, chromium):
    """A browser for which that name is this machine."""
    rules = f"--host-resolver-rules=MAP {NAME} 127.0.0.1"
    return aside.enter(launched(Launch(chromium, more_flags=(rules,)))).endpoint.url


@pytest_asyncio.fixture
async def page(rebound):
    """Runs a function of a page at an address, and gives what it tells."""
    async with await connect_to(rebound) as line:

        async def run(url, function, argument):
            target = (await line.call("Target.createTarget", {"url": "about:blank"}))["targetId"]
            attach = {"targetId": target, "flatten": True}
            session = line.session((await line.call("Target.attachToTarget", attach))["sessionId"])
            await session.call("Page.enable")
            loaded = session.subscribe(["Page.loadEventFired"])
            await session.call("Page.navigate", {"url": url})
            async with asyncio.timeout(30):
                await anext(aiter(loaded))
            call = {
                "expression": f"({function})({json.dumps(argument)})",
                "awaitPromise": True,
                "returnByValue": True,
            }
            told = await session.call("Runtime.evaluate", call, seconds=60)
            await line.call("Target.closeTarget", {"targetId": target})
            return json.loads(told["result"]["value"])

        yield run


@asynccontextmanager
async def somewhere():
    """A page of somebody else: another port is another origin."""

    async def serve(reader, writer):
        if not await reader.readline():
            writer.close()  # a browser opens lines it does not need
            return
        body = b"<!doctype html><title>x</title><body></body>"
        head = b"HTTP/1.1 200 OK\r\ncontent-type: text/html\r\nconnection: close\r\n"
        writer.write(head + b"content-length: %d\r\n\r\n" % len(body) + body)
        await writer.drain()
        writer.close()

    async with listening(serve) as port:
        yield f"http://127.0.0.1:{port}/"


def untouched(hub):
    """The state of the hub, which no page has changed."""
    return (hub.jobs.submitted, hub.jobs.all, hub.ending.why, hub.hub.guests.count) == (
        0,
        {},
        "",
        0,
    )


async def test_t08_a_page_elsewhere_neither_changes_nor_reads_anything(tmp_path, monkeypatch, page):
    async with open_door(tmp_path / "h", monkeypatch) as hub, somewhere() as url:
        told = await page(url, ATTACKS, f"http://127.0.0.1:{hub.port}")
        assert untouched(hub)
        read = {name for name, said in told.items() if said not in ("refused", "opaque 0")}
        assert read <= {"beacon", "form"}, "those two say only that something was sent"
        counts = (await hub.ask("GET", "/metrics")).raw.decode()
        assert 'tabwire_http_refused_total{why="wrong_origin"}' in counts, "they did arrive"


SAME_ORIGIN = """
async (token) => {
  const headers = {authorization: `Bearer ${token}`, "content-type": "application/json"}
  const told = [(await fetch("/api/v1/status", {headers})).status]
  told.push((await fetch("/api/v1/shutdown", {method: "POST", headers, body: "{}"})).status)
  told.push((await fetch("/api/v1/status")).status)
  return JSON.stringify(told)
}
"""


async def test_t09_a_name_that_comes_to_mean_this_machine_is_refused(tmp_path, monkeypatch, page):
    """To the browser the hub is now that page's own server; even the right token does not help."""
    async with open_door(tmp_path / "h", monkeypatch) as hub:
        told = await page(f"http://{NAME}:{hub.port}/", SAME_ORIGIN, hub.token)
        assert told == [421, 421, 421]
        assert untouched(hub)
        own = await page(f"http://127.0.0.1:{hub.port}/", SAME_ORIGIN, hub.token)
        assert own == [200, 202, 401], "the same page at our own address is let in by the token"
