"""Our own world in a page: unseen, undisturbed, and there again after each navigation."""

import asyncio
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest

from browser.page.page_shown import as_url, go, show, value
from tabwire.browser import inpage, world
from tabwire.browser.inpage import script
from tabwire.browser.page.errors import PageWentAway, ScriptFailed
from tabwire.browser.world import World
from tabwire.cdp.errors import CommandTimedOut, SessionLost

pytestmark = pytest.mark.asyncio

HOSTILE = """<p id=one>text</p><img name="querySelectorAll"><form><input name="attributes"></form>
<script>
  const lost = () => { throw new Error("overridden") };
  document.getElementById = document.querySelector = lost;
  for (const kind of [Document, Element, DocumentFragment]) {
    kind.prototype.querySelectorAll = kind.prototype.querySelector = lost;
  }
  for (const name of ["map", "filter", "flatMap", "includes", "push", "find", "some"]) {
    Array.prototype[name] = lost;
  }
  Array.prototype[Symbol.iterator] = Map.prototype.set = Set.prototype.add = lost;
  Object.prototype.toJSON = lost;
  JSON.stringify = Function.prototype.call = lost;
  Object.defineProperty(window, "tabwire", { get: lost, set: lost });
</script>"""


@pytest.fixture
def server():
    """The address of a small server: each host name is a site of its own."""

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            body = f"<!doctype html><p>{self.path}</p>".encode()
            self.send_response(200)
            self.send_header("Content-Type", "text/html")
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *_: object) -> None:
            pass

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as running:
        thread = threading.Thread(target=running.serve_forever)
        thread.start()
        yield running.server_port
        running.shutdown()
        thread.join()


@pytest.fixture
def echo(monkeypatch):
    """A file of functions that exists only here."""
    text = """((tabwire) => {
      globalThis.runs = (globalThis.runs ?? 0) + 1;
      tabwire.echo = {
        say: (argument) => ({ argument, url: location.href, runs: globalThis.runs }),
        later: async (argument) => argument,
        never: () => new Promise(() => {}),
        loop: () => { for (;;); },
        fail: (argument) => { throw new TypeError(argument); },
        body: () => document.body,
        nothing: () => null,
      };
    })((globalThis.tabwire ??= {}));"""
    real = inpage.script
    monkeypatch.setattr(world, "script", lambda name: text if name == "echo" else real(name))


async def test_json_goes_in_and_comes_out(blank, echo):
    here = World(blank)
    for argument in (None, 0, 'é 👍  "quoted" \\', [1, {"a": None}]):
        assert (await here.call("echo.say", argument))["argument"] == argument
    assert await here.call("echo.later", [1]) == [1]


async def test_a_file_runs_once_for_each_document(blank, echo):
    here = World(blank)
    for _ in range(3):
        assert (await here.call("echo.say"))["runs"] == 1
    await go(blank, as_url("<p>next"))
    assert (await here.call("echo.say"))["runs"] == 1


async def test_the_page_sees_nothing_of_us_and_we_nothing_of_its_tricks(blank):
    page = await show(blank, HOSTILE)
    found = await page.find("#one")
    assert found is not None
    assert found.label == "text"
    assert await page.read("p") == ["text"]
    seen = "Object.getOwnPropertyNames(window).join()"
    assert "runs" not in await value(blank, seen)


async def test_the_page_has_no_global_of_ours(blank):
    page = await show(blank, "<p>text")
    await page.find("p")
    assert await value(blank, "typeof tabwire") == "undefined"


async def test_it_survives_every_kind_of_navigation(blank, echo, server):
    """`localhost` and `127.0.0.1` are two sites, so each step there and back is a new process."""
    here = World(blank)
    for step in range(4):
        for url in (
            f"http://127.0.0.1:{server}/{step}",
            f"http://localhost:{server}/{step}",
            f"http://localhost:{server}/{step}/again",
            as_url(f"<p>{step}"),
        ):
            await go(blank, url)
            assert (await here.call("echo.say"))["url"] == url
            assert await value(blank, "typeof tabwire") == "undefined"


async def test_it_survives_going_back_and_reloading(blank, echo, server):
    here = World(blank)
    for path in ("one", "two"):
        await go(blank, f"http://127.0.0.1:{server}/{path}")
        await here.call("echo.say")
    history = await blank.call("Page.getNavigationHistory")
    shown = asyncio.get_running_loop().create_future()
    blank.listen("Page.frameNavigated", lambda _: shown.done() or shown.set_result(None))
    back = history["entries"][-2]["id"]
    await blank.call("Page.navigateToHistoryEntry", {"entryId": back})
    async with asyncio.timeout(30):
        await shown
    assert (await here.call("echo.say"))["url"].endswith("/one")
    await blank.call("Page.reload")
    assert (await here.call("echo.say"))["url"].endswith("/one")


async def test_calls_while_the_page_navigates_are_answered_or_say_why(blank, echo, server):
    """In no moment of a navigation does a call end up in the page's own world."""
    here = World(blank)
    answered = 0
    for step in range(10):
        host = ("127.0.0.1", "localhost")[step % 2]
        navigation = blank.call("Page.navigate", {"url": f"http://{host}:{server}/{step}"})
        async with asyncio.TaskGroup() as group:
            going = group.create_task(navigation)
            while not going.done():
                try:
                    await here.call("echo.say")
                    answered += 1
                except PageWentAway:
                    pass
        assert await value(blank, "typeof tabwire + typeof runs") == "undefinedundefined"
    assert answered


async def test_a_number_that_came_to_mean_another_world_is_not_used(blank, echo, monkeypatch):
    """A process may change between the two questions; then the numbers differ."""
    real, made, entered = blank.connection.call, 0, []

    async def call(method, params=None, **rest):
        nonlocal made
        reply = await real(method, params, **rest)
        if method == "Page.createIsolatedWorld":
            made += 1
            if made == 2:
                reply.number += 1
        if method == "Runtime.evaluate":
            entered.append(reply.result.object_id)
        if method == "Runtime.callFunctionOn":
            assert params["objectId"] == entered[-1] != entered[0]
        return reply

    monkeypatch.setattr(blank.connection, "call", call)
    assert (await World(blank).call("echo.say", 1))["argument"] == 1
    assert len(entered) == 2


async def test_a_document_that_goes_while_our_function_runs_is_said_at_once(blank, echo, server):
    here = World(blank)
    await here.call("echo.say")
    with pytest.raises(PageWentAway, match=r"echo\.never"):
        await asyncio.gather(
            here.call("echo.never", seconds=10),
            blank.call("Page.navigate", {"url": f"http://127.0.0.1:{server}/"}),
        )
    assert (await here.call("echo.say"))["argument"] is None


async def test_what_a_function_throws_is_told(blank, echo):
    with pytest.raises(ScriptFailed, match="TypeError: no such luck"):
        await World(blank).call("echo.fail", "no such luck")
    with pytest.raises(ScriptFailed, match="not a function"):
        await World(blank).call("echo.unknown")


async def test_an_element_can_be_held(blank, echo):
    here = World(blank)
    held = await here.hold("echo.body")
    assert held is not None
    described = await blank.call("DOM.describeNode", {"objectId": held.id})
    assert described["node"]["nodeName"] == "BODY"
    assert await here.hold("echo.nothing") is None


@pytest.mark.parametrize("busy", ["loops", "waits"])
async def test_every_call_ends_in_its_bound(blank, echo, busy):
    here = World(blank)
    if busy == "loops":
        blank.send("Runtime.evaluate", {"expression": "for (;;);"}, on_reply=lambda _: None)
    async with asyncio.timeout(20):
        with pytest.raises(CommandTimedOut, match=r"within 0\.5 s"):
            await here.call("echo.never" if busy == "waits" else "echo.say", seconds=0.5)
    await blank.call("Runtime.terminateExecution")


async def test_a_closed_tab_is_a_lost_session(new_tab, line, echo):
    target, session = await new_tab()
    here = World(session)
    await here.call("echo.say")
    await line.call("Target.closeTarget", {"targetId": target})
    with pytest.raises(SessionLost):
        await here.call("echo.say")


async def test_two_worlds_of_one_session_do_not_harm_each_other(blank):
    page, other = await show(blank, "<button>b</button><p>p</p>"), World(blank)
    found = await page.find("button")
    assert found is not None
    assert (await other.call("page.find", {"candidates": ["p"]}))["found"]["tag"] == "p"
    aim = await page.evaluate("page.aim", {"number": found.number})
    assert aim["y"] == found.box.y + found.box.height / 2


async def test_a_file_brings_what_it_needs(tmp_path, monkeypatch):
    (tmp_path / "a.js").write_text("// needs: b c\nA")
    (tmp_path / "b.js").write_text("// needs: c\nB")
    (tmp_path / "c.js").write_text("C")
    monkeypatch.setattr(inpage, "files", lambda _: tmp_path)
    script.cache_clear()
    lines = script("a").splitlines()
    script.cache_clear()
    assert [one for one in lines if not one.startswith("//")] == ["C", "B", "C", "A"]
