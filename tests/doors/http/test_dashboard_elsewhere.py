"""Pages of others, in the very browser in which the dashboard is open: T08 and T22 again.

A page at another port of this machine is of the same site to a browser, and has our cookie sent
along: only what the browser says of where a request comes from keeps it out.
"""

import asyncio
from contextlib import suppress

import pytest

from doors.http.test_pages import somewhere
from kit.dashboard import LIVE, go, press, tab_at, ticket_of, until
from kit.extension import value_of
from kit.listening import listening
from kit.relay_hub import relay_hub

pytestmark = [pytest.mark.asyncio, pytest.mark.xdist_group("browser")]

SECONDS = 100.0
ATTACKS = """
async (base) => {
  const json = {"content-type": "application/json"}
  const post = (path, more) => fetch(base + path, {method: "POST", credentials: "include", body: "{}", ...more})
  const loads = (tag, path) => new Promise((done, fail) => {
    const made = Object.assign(document.createElement(tag), {onload: () => done("loaded"), onerror: fail})
    made[tag === "link" ? "href" : "src"] = base + path
    if (tag === "link") made.rel = "stylesheet"
    document.body.append(made)
  })
  const framed = (path) => new Promise((done) => {
    const frame = Object.assign(document.createElement("iframe"), {src: base + path})
    frame.onload = () => { try { done(frame.contentDocument ? "readable" : "closed") } catch { done("closed") } }
    document.body.append(frame)
  })
  const tries = {
    read: () => fetch(base + "/dashboard/api/board", {credentials: "include"}),
    opaque: () => fetch(base + "/dashboard/api/board", {credentials: "include", mode: "no-cors"}),
    pair_json: () => post("/dashboard/api/pair", {headers: json}),
    pair_simple: () => post("/dashboard/api/pair", {mode: "no-cors"}),
    pair_plain: () => post("/dashboard/api/pair", {headers: {"content-type": "text/plain"}}),
    beacon: async () => { navigator.sendBeacon(base + "/dashboard/api/pair", "{}"); return "sent" },
    form: () => new Promise((done) => {
      const frame = Object.assign(document.createElement("iframe"), {name: "aim"})
      const form = Object.assign(document.createElement("form"), {
        action: base + "/dashboard/api/pair", method: "post", target: "aim", enctype: "text/plain",
      })
      frame.onload = () => done("sent")
      document.body.append(frame, form)
      form.submit()
      setTimeout(done, 3000, "sent")
    }),
    script: () => loads("script", "/dashboard/app.js"),
    style: () => loads("link", "/dashboard/style.css"),
    image: () => loads("img", "/dashboard/icon.svg"),
    data: () => loads("script", "/dashboard/api/board"),
    frame: () => framed("/dashboard/"),
    events: () => new Promise((done, fail) => {
      const events = new EventSource(base + "/dashboard/api/live", {withCredentials: true})
      Object.assign(events, {onopen: () => done("heard"), onerror: () => { events.close(); fail() }})
    }),
  }
  const told = {}
  for (const [name, attack] of Object.entries(tries)) {
    try {
      const answer = await attack()
      told[name] = answer instanceof Response ? `${answer.type} ${answer.status}` : answer
    } catch { told[name] = "refused" }
  }
  return told
}
"""  # noqa: E501
ALLOWED = {
    "beacon": "sent",
    "form": "sent",
    "opaque": "opaque 0",
    "pair_simple": "opaque 0",
    "frame": "closed",
}
"""What says nothing of what came of it."""


async def test_t08_a_page_at_another_port_neither_reads_nor_does_anything(
    tmp_path, monkeypatch, browser_url
):
    async with (
        asyncio.timeout(SECONDS),
        relay_hub(tmp_path, monkeypatch) as hub,
        somewhere() as url,
    ):
        base = f"http://127.0.0.1:{hub.port}"
        ticket = await ticket_of(hub.door)
        async with tab_at(browser_url, await ticket_of(hub.door)) as board:
            await until(board, LIVE)
            async with tab_at(browser_url, url) as page:
                sent = await value_of(page, f"({ATTACKS})('{base}')")
                for name, said in sent.items():
                    assert said == ALLOWED.get(name, "refused"), (name, said)
            assert hub.pairing.code is None
            counts = (await hub.door.ask("GET", "/metrics")).raw.decode()
            assert 'tabwire_http_refused_total{why="wrong_origin"}' in counts, "they did arrive"
            await press(board, "#pair")
            await until(board, "document.querySelector('#code').textContent")
            assert hub.pairing.code is not None, "the page itself may"
        async with tab_at(browser_url, url) as page:
            inside = f"fetch('{ticket}', {{mode: 'no-cors', credentials: 'include'}})"
            await value_of(page, f"{inside}.then(() => 1, () => 0)")
            await go(page, ticket)
            assert await value_of(page, "location.pathname") == "/dashboard/", "not used up"


async def test_a_server_that_got_the_cookie_can_do_nothing_with_it(
    tmp_path, monkeypatch, browser_url
):
    """Cookies do not know ports. A person with the dashboard open visits another local server."""
    heard = []

    async def serve(reader, writer):
        with suppress(asyncio.IncompleteReadError):
            heard.append((await reader.readuntil(b"\r\n\r\n")).decode())
            writer.write(b"HTTP/1.1 200 OK\r\ncontent-length: 0\r\nconnection: close\r\n\r\n")
            await writer.drain()
        writer.close()

    async with (
        asyncio.timeout(SECONDS),
        relay_hub(tmp_path, monkeypatch) as hub,
        listening(serve) as port,
        tab_at(browser_url, await ticket_of(hub.door)) as page,
    ):
        await until(page, LIVE)
        async with tab_at(browser_url, f"http://127.0.0.1:{port}/dashboard/"):
            pass
        (cookie,) = {
            line.partition(": ")[2]
            for head in heard
            for line in head.splitlines()
            if line.lower().startswith("cookie: ") and f"tabwire_{hub.port}=" in line
        }
        forged = {"origin": f"http://127.0.0.1:{hub.port}", "sec_fetch_site": "same-origin"}
        for method, path in (("GET", "board"), ("GET", "live"), ("POST", "pair")):
            more = {"authorization": None, "cookie": cookie, **forged}
            answer = await hub.door.ask(method, f"/dashboard/api/{path}", b"{}", **more)
            assert answer.status == 401
        assert hub.pairing.code is None
        assert not any("x-tabwire-page" in head.lower() for head in heard)


async def test_t22_no_address_makes_it_talk_to_somebody_else(tmp_path, monkeypatch, browser_url):
    async with (
        asyncio.timeout(SECONDS),
        relay_hub(tmp_path, monkeypatch) as hub,
        somewhere() as url,
    ):
        asked = []
        async with tab_at(browser_url, await ticket_of(hub.door)) as page:
            await page.call("Network.enable")
            with page.subscribe(["Network.requestWillBeSent"]) as requests:
                wish = f"server={url}&gatewayUrl={url}&api={url}&next={url}"
                await go(page, f"http://127.0.0.1:{hub.port}/dashboard/?{wish}#{url}")
                await until(page, LIVE)
                async for event in requests:
                    asked.append(event.read()["request"]["url"])
                    if asked[-1].endswith("/api/live"):
                        break
        assert all(one.startswith(f"http://127.0.0.1:{hub.port}/dashboard/") for one in asked)
