"""What a page does on its own or to us: it navigates, floods, overrides, hides, shows notices."""

import pytest
import pytest_asyncio

from browser.pages_observe import Ear, Hand, observing, serving
from kit.chromium import connect_to
from tabwire.browser.world import WORLD
from tabwire.sites.page import NoticeKind

pytestmark = [pytest.mark.asyncio, pytest.mark.xdist_group("browser")]

OVERRIDES = """<!doctype html><title>hostile</title><script>
window.seen = [];
for (const name of ["querySelector", "querySelectorAll"]) Document.prototype[name] = () => null;
for (const name of ["matches", "closest", "querySelector", "querySelectorAll", "checkVisibility"])
  Element.prototype[name] = () => null;
window.MutationObserver = class { observe() { seen.push("observer"); } disconnect() {} };
JSON.stringify = () => { seen.push("json"); return "null"; };
Node.prototype.contains = () => { seen.push("contains"); return false; };
</script><img name="querySelectorAll"><img name="title">
<form class="query-bar"><input name="matches"><input name="contains"><input name="parentElement">
<div class="tiptap ProseMirror" contenteditable="true"></div></form>
<div data-testid="chat-transcript-scroller">
<div id="response-1"><div class="message-bubble" role="article" data-testid="user-message">Q</div>
</div>
<div id="response-2"><div class="message-bubble" role="article" data-testid="assistant-message">
<div class="response-content-markdown"><p>An answer</p></div></div></div></div>"""

FLOOD = """(async () => {
  const place = document.querySelector("nav"), channel = new MessageChannel();
  const turn = () => new Promise((go) => {
    channel.port1.onmessage = go;
    channel.port2.postMessage(0);
  });
  for (let n = 0; n < 10000; n += 1) {
    const one = place.appendChild(document.createElement("div"));
    one.className = "x" + n;
    one.textContent = n;
    one.style.color = "red";
    if (n % 50 === 0) { await turn(); place.textContent = ""; }
  }
})()"""


@pytest_asyncio.fixture
async def origin():
    async with serving({"/hostile": OVERRIDES}) as one:
        yield one


@pytest.fixture
def hand(blank):
    return Hand(blank)


async def test_it_lives_through_navigations(blank, hand, origin):
    async with observing(blank, "classic") as (ear, observer):
        assert ear.last.url == "about:blank"
        for number in range(3):
            url = f"{origin}/?layout=classic&n={number}"
            await hand.go(url)
            state = await ear.until(lambda s, url=url: s.url == url and s.layout == "classic")
            assert (state.exchanges, state.text_length) == (0, 0)
            await hand.whole("First?", "One.")
            await ear.until(lambda s: s.text_length == 4 and s.actions)
            assert (await observer.read()).text == "One."


async def test_an_address_that_changes_without_a_load_is_told(blank, hand, origin):
    await hand.go(f"{origin}/?layout=turn_key")
    async with observing(blank, "turn_key") as (ear, _):
        await hand.run("history.pushState({}, '', '/c/abc')")
        assert (await ear.until(lambda s: s.url.endswith("/c/abc"))).layout == "turn_key"
        await hand.run("history.replaceState({}, '', '/c/def')")
        await ear.until(lambda s: s.url.endswith("/c/def"))
        await hand.run("history.back()")
        await ear.until(lambda s: s.url.endswith("layout=turn_key"))
        await hand.run("document.title = 'Fjords'")
        await ear.until(lambda s: s.title == "Fjords")


async def test_a_flood_elsewhere_is_not_told(blank, hand, origin):
    await hand.go(f"{origin}/?layout=turn_key")
    await hand.whole("First?", "One.")
    async with observing(blank, "turn_key") as (ear, _):
        await hand.run(FLOOD)
        await hand.run("document.title = 'after'")
        await ear.until(lambda s: s.title == "after")
        assert len(ear.states) <= 4, ear.states  # the first of them is told when we arm


async def test_a_page_that_overrides_its_builtins_changes_nothing(blank, hand, origin):
    await hand.go(f"{origin}/hostile")
    async with observing(blank, "grok.com") as (ear, observer):
        assert (ear.last.layout, ear.last.title, ear.last.text_length) == ("grok.com", "hostile", 9)
        assert (await observer.read()).text == "An answer"
        assert await hand.run("seen.length") == 0


async def test_the_page_sees_nothing_of_us(blank, hand, origin):
    await hand.go(f"{origin}/?layout=turn_key")
    names = "Object.getOwnPropertyNames(window).sort().join()"
    before = await hand.run(f"window.html = document.documentElement.outerHTML; {names}")
    async with observing(blank, "turn_key") as (ear, observer):
        await hand.run("document.title = 'x'")
        await ear.until(lambda s: s.title == "x")
        await observer.read()
        assert await hand.run("document.title = 'A chat'; 0") == 0
        after = await hand.run(names)
        assert set(after.split(",")) - set(before.split(",")) <= {"html"}
        assert "tabwire" not in after
        assert await hand.run("typeof tabwire") == "undefined"
        assert await hand.run("html === document.documentElement.outerHTML")


async def test_two_watch_one_tab_and_each_hears_its_own(blank, hand, origin, line, browser_url):
    await hand.go(f"{origin}/?layout=turn_key")
    info = (await blank.call("Target.getTargetInfo"))["targetInfo"]
    async with await connect_to(browser_url) as other:
        attached = {"targetId": info["targetId"], "flatten": True}
        session = other.session((await other.call("Target.attachToTarget", attached))["sessionId"])
        async with (
            observing(blank, "turn_key") as (one, _),
            observing(session, "turn_key", ear=Ear()) as (two, observer),
            observing(blank, "turn_key", ear=Ear()) as (three, _),
            observing(blank, "grok.com", ear=Ear()) as (stranger, _),
        ):
            await hand.whole("First?", "One.")
            for ear in (one, two, three):
                await ear.until(lambda s: s.text_length == 4 and s.actions)
            assert {s.layout for ear in (one, two, three) for s in ear.states} == {"turn_key"}
            assert {s.layout for s in stranger.states} == {None}
            observer.close()
            await hand.ask("Second?")
            await one.until(lambda s: s.exchanges == 2)
            await three.until(lambda s: s.exchanges == 2)
            assert two.last.exchanges == 1


async def test_a_closed_observer_is_quiet_in_the_next_document_too(blank, hand, origin):
    await hand.go(f"{origin}/?layout=turn_key")
    async with observing(blank, "turn_key") as (ear, observer):
        observer.close()
        heard = len(ear.states)
        await hand.ask("First?")
        await hand.go(f"{origin}/?layout=turn_key")
        assert len(ear.states) == heard
        frame = (await blank.call("Page.getFrameTree"))["frameTree"]["frame"]["id"]
        world = await blank.call("Page.createIsolatedWorld", {"frameId": frame, "worldName": WORLD})
        asked = {"expression": "typeof tabwire", "contextId": world["executionContextId"]}
        assert (await blank.call("Runtime.evaluate", asked))["result"]["value"] == "undefined"


LIMITED = "<p>We have temporarily limited access to your conversations.</p>"
NOTICES = [
    # layout, what the page does, kind
    ("octane", "footer.append(make('<form data-logged-out>Log in</form>'))", NoticeKind.LOGIN),
    ("grok.com", "footer.append(make('<a href=\"/sign-in\">Sign in</a>'))", NoticeKind.LOGIN),
    (
        "octane",
        "document.querySelector('[data-composer-submission-status]').hidden = false",
        NoticeKind.ERROR,
    ),
    (
        "classic",
        "footer.append(make('<div role=\"alert\"></div>')); footer.lastChild.textContent = 'Oops'",
        NoticeKind.ERROR,
    ),
    ("classic", f"footer.append(make('<div>{LIMITED}</div>'))", NoticeKind.LIMIT),
    (
        "classic",
        "footer.append(make('<dialog role=\"dialog\">Cookies?</dialog>'));"
        "footer.lastChild.setAttribute('open', '')",
        NoticeKind.CONSENT,
    ),
]


@pytest.mark.parametrize("layout, change, kind", NOTICES)
@pytest.mark.rows(2, first=1)
async def test_a_notice_is_told_when_it_shows_and_when_it_goes(
    blank, hand, origin, layout, change, kind
):
    await hand.go(f"{origin}/?layout={layout}")
    async with observing(blank, layout) as (ear, _):
        assert ear.last.notices == ()
        await hand.run(f"{change}; 0")
        seen = await ear.until(lambda s: s.notice(kind))
        assert seen.notice(kind).text
        assert seen.logged_in is (False if kind is NoticeKind.LOGIN else None)
        await hand.run("footer.className = 'gone'")
        await ear.until(lambda s: s.notices == ())


async def test_words_of_a_notice_in_an_answer_are_none(blank, hand, origin):
    await hand.go(f"{origin}/?layout=classic")
    async with observing(blank, "classic") as (ear, _):
        words = "It said: temporarily limited access to your conversations"
        await hand.whole(words, words)
        state = await ear.until(lambda s: s.actions)
        assert state.notices == ()


async def test_a_challenge_is_believed_where_nothing_else_is(blank, hand, origin):
    script = """<script src="/cdn-cgi/challenge-platform/x.js" type="text/plain"></script>"""
    await hand.go(f"{origin}/?layout=classic&bare")
    async with observing(blank, "classic") as (ear, _):
        await hand.run(
            f"document.title = 'Just a moment...'; document.head.append(make(`{script}`))"
        )
        await ear.until(lambda s: s.notice(NoticeKind.CHALLENGE))
        await hand.show()
        await ear.until(lambda s: s.layout == "classic" and s.notices == ())


async def test_being_logged_in_outweighs_a_login_button(blank, hand, origin):
    await hand.go(f"{origin}/?layout=classic")
    async with observing(blank, "classic") as (ear, _):
        await hand.run(
            """footer.append(make('<button data-testid="login-button">Log in</button>'))"""
        )
        await ear.until(lambda s: s.logged_in is False)
        await hand.logIn()
        await ear.until(lambda s: s.logged_in is True and s.notices == ())


async def test_a_control_that_something_around_it_shows_and_hides_is_noticed(blank, hand, origin):
    """Grok's page keeps its Submit in a wrapper that is hidden while nothing is written."""
    await hand.go(f"{origin}/?layout=classic")
    async with observing(blank, "classic") as (ear, _):
        await hand.run(
            """footer.append(make('<div id="around" style="display: none">'
            + '<button data-testid="stop-button">Stop</button></div>'))"""
        )
        await hand.run("document.title = 'hidden'")
        state = await ear.until(lambda s: s.title == "hidden")
        assert not state.generating
        await hand.run("document.getElementById('around').style.display = 'block'")
        await ear.until(lambda s: s.generating)
        await hand.run("document.getElementById('around').style.display = 'none'")
        await ear.until(lambda s: not s.generating)


async def test_a_hidden_tab_is_watched_too(new_tab, origin):
    _, hidden = await new_tab()
    hand = Hand(hidden)
    await hand.go(f"{origin}/?layout=classic")
    async with observing(hidden, "classic") as (ear, observer):
        for number in range(40):
            await hand.grow(f" {number}") if number else await hand.whole("First?", "One.")
        await hand.run("document.title = 'over'")
        state = await ear.until(lambda s: s.title == "over")
        assert (await observer.read()).text_length == state.text_length > 40
