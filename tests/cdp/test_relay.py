"""The carrier over an extension, from both sides: DevTools above, verbs below, a script between."""

import asyncio
import contextvars
import json

import msgspec
import pytest
import pytest_asyncio

from tabwire.browser.errors import TabDidNotOpen, TabLost
from tabwire.browser.line import line_over
from tabwire.browser.tab_events import Cancelled, Closed, Unheard, Withdrawn
from tabwire.cdp.carrier import Gone
from tabwire.cdp.connection import NO_SUCH_SESSION, Connection
from tabwire.cdp.errors import CommandFailed, ConnectionLost, LineFull, SessionLost
from tabwire.cdp.relay import RelayCarrier
from tabwire.cdp.relay_frames import Trouble, read_frame
from tabwire.cdp.relay_shapes import CLIENT, Client

pytestmark = pytest.mark.asyncio

SECONDS = 30.0
FRAMES = {"frameTree": {"frame": {"id": "F", "url": "about:blank", "loaderId": "L"}}}


class Script:
    """Verbs that are answered as a test says. What is said here is delivered in that order."""

    product = "Chrome/156"

    def __init__(self):
        self.tabs = {}
        self.done = []
        self.full = False
        self.answers = {
            "tabs.list": lambda _: list(self.tabs.values()),
            "tabs.create": lambda asked: self.add(asked["url"]),
            "tabs.close": lambda asked: self.tabs.pop(asked["tab"]) and {},
            "debugger.attach": lambda asked: {"target": self.tabs[asked["tab"]]["target"]},
            "debugger.detach": {},
            "debugger.send": lambda asked: FRAMES if "FrameTree" in asked["method"] else {},
        }
        self.carrier = None

    def add(self, url="https://chatgpt.com/"):
        tab = len(self.tabs) + 1
        self.tabs[tab] = {"tab": tab, "url": url, "title": "", "target": f"T{tab}"}
        return self.tabs[tab]

    def do(self, verb, arguments, done):
        if self.full:
            raise LineFull(1)
        asked = {"do": verb, **json.loads(msgspec.json.encode(arguments))}
        self.done.append(asked)
        answer = self.answers.get(verb)
        if answer is not None:
            said = answer(asked) if callable(answer) else answer
            self.later(done, said)

    def later(self, done, said):
        if not isinstance(said, Trouble):
            said = msgspec.Raw(msgspec.json.encode(said))
        asyncio.get_running_loop().call_soon(done, said)

    def say(self, event, **fields):
        frame = read_frame(json.dumps({"n": 1, "on": event, **fields}))
        asyncio.get_running_loop().call_soon(self.carrier.heard, frame)

    def verbs(self, verb):
        return [one for one in self.done if one["do"] == verb]


@pytest_asyncio.fixture
async def script():
    return Script()


@pytest_asyncio.fixture
async def line(script):
    script.add()
    script.carrier = RelayCarrier(script)
    async with asyncio.timeout(SECONDS), line_over(script.carrier, "a test") as line:
        yield line


async def turn(count=3):
    """So many turns of the loop: what was said is delivered, and what follows from it."""
    for _ in range(count):
        done = asyncio.Event()
        asyncio.get_running_loop().call_soon(done.set)
        await done.wait()


async def test_tabs_come_change_and_go_as_the_extension_tells(line, script):
    assert [(one.target, one.url) for one in line.tabs.known] == [("T1", "https://chatgpt.com/")]
    script.say("tab.changed", tab=1, url="https://chatgpt.com/c/1", title="One", target="T1")
    script.say("tab.changed", tab=5, url="https://grok.com/", title=None, target="T5")
    await turn()
    assert [(one.target, one.url, one.title) for one in line.tabs.known] == [
        ("T1", "https://chatgpt.com/c/1", "One"),
        ("T5", "https://grok.com/", ""),
    ]
    script.say("tab.gone", tab=1)
    await turn()
    assert [one.target for one in line.tabs.known] == ["T5"]


async def test_a_tab_that_is_no_more_in_the_list_has_gone(line, script):
    tab = await line.tabs.attach("T1")
    script.tabs.clear()
    assert await line.tabs.list() == ()
    assert isinstance(tab.ended, Closed)
    assert line.tabs.known == ()


async def test_each_tab_has_a_session_and_frames_inside_keep_their_own(line, script):
    tab = await line.tabs.attach("T1")
    heard = []
    inside = {"sessionId": "child", "targetInfo": {"targetId": "F1", "type": "iframe"}}
    tab.session.listen("Network.dataReceived", lambda event: heard.append(event.session))
    child = line.connection.session("child")
    child.listen("Network.dataReceived", lambda event: heard.append(event.session))
    script.say("debugger.event", tab=1, method="Target.attachedToTarget", params=inside)
    script.say("debugger.event", tab=1, method="Network.dataReceived", params={})
    script.say("debugger.event", tab=1, session="child", method="Network.dataReceived", params={})
    script.say("debugger.event", tab=1, session="other", method="Network.dataReceived", params={})
    script.say("debugger.event", tab=9, method="Network.dataReceived", params={})
    await turn()
    await child.call("Network.enable", {"maxTotalBufferSize": 5})
    assert heard == [tab.session.id, "child"]
    assert script.done[-1] == {
        "do": "debugger.send",
        "tab": 1,
        "session": "child",
        "method": "Network.enable",
        "params": {"maxTotalBufferSize": 5},
    }
    script.say(
        "debugger.event", tab=1, method="Target.detachedFromTarget", params={"sessionId": "child"}
    )
    await turn()
    with pytest.raises(SessionLost):
        await child.call("Network.enable")


async def test_two_users_of_one_tab_share_the_debugger_until_the_last_leaves(line, script):
    first, second = await asyncio.gather(line.tabs.attach("T1"), line.tabs.attach("T1"))
    assert len(script.verbs("debugger.attach")) == 1
    heard = []
    for tab in (first, second):
        tab.session.listen("Network.dataReceived", lambda event: heard.append(event.session))
    script.say("debugger.event", tab=1, method="Network.dataReceived", params={})
    await turn()
    assert heard == [first.session.id, second.session.id]
    await first.detach()
    assert script.verbs("debugger.detach") == []
    assert await second.session.call("Page.enable") == {}
    await second.detach()
    assert [one["tab"] for one in script.verbs("debugger.detach")] == [1]
    third = await line.tabs.attach("T1")
    assert len(script.verbs("debugger.attach")) == 2
    assert third.ended is None


async def test_a_session_nobody_has_is_refused_at_once(line):
    with pytest.raises(SessionLost):
        await line.connection.session("relay-99").call("Page.enable")
    for method, wish in [
        ("Target.attachToTarget", {"targetId": "T9"}),
        ("Target.closeTarget", {"targetId": "T9"}),
        ("Target.getTargetInfo", {"targetId": "T9"}),
        ("Target.detachFromTarget", {"sessionId": "relay-99"}),
        ("Browser.close", {}),
        ("Target.setAutoAttach", {}),
    ]:
        with pytest.raises(CommandFailed):
            await line.connection.call(method, wish)


async def test_a_reply_stays_in_its_place_among_events(line, script):
    tab = await line.tabs.attach("T1")
    order = []
    del script.answers["debugger.send"]
    waiting = []
    script.answers["debugger.send"] = None

    def keep(verb, arguments, done):
        waiting.append(done)

    script.do = keep
    tab.session.listen("Network.dataReceived", lambda event: order.append(event.read()["k"]))
    tab.session.send("Network.streamResourceContent", on_reply=lambda _: order.append("reply"))
    script.say("debugger.event", tab=1, method="Network.dataReceived", params={"k": 1})
    script.later(waiting[0], {"bufferedData": ""})
    script.say("debugger.event", tab=1, method="Network.dataReceived", params={"k": 2})
    await turn()
    assert order == [1, "reply", 2]


async def test_the_extensions_own_no_is_a_no_with_its_words(line, script):
    tab = await line.tabs.attach("T1")
    script.answers["debugger.send"] = Trouble(-32003, "Page.navigate to evil.example")
    with pytest.raises(CommandFailed, match=r"evil\.example"):
        await tab.session.call("Page.navigate", {"url": "https://evil.example/"})
    script.answers["debugger.send"] = Trouble(NO_SUCH_SESSION, "not attached")
    with pytest.raises(SessionLost):
        await tab.session.call("Page.enable")


async def test_an_answer_of_a_wrong_shape_is_an_error_and_no_crash(line, script):
    for wrong in (None, [], 5, {"tab": "x"}, "x"):
        script.answers["tabs.create"] = lambda _, wrong=wrong: wrong
        with pytest.raises(CommandFailed):
            await line.connection.call("Target.createTarget", {"url": "about:blank"})
    script.answers["tabs.list"] = {"no": "list"}
    with pytest.raises(CommandFailed):
        await line.tabs.list()


ENDS = [
    ("debugger.detached", {"reason": "target_closed"}, Closed),
    ("debugger.detached", {"reason": "replaced"}, Closed),
    ("debugger.detached", {"reason": "canceled_by_user"}, Cancelled),
    ("debugger.detached", {"reason": "ours"}, Unheard),
    ("tab.gone", {}, Closed),
    ("tab.withdrawn", {}, Withdrawn),
    ("lost", {"tabs": [1]}, Unheard),
]


@pytest.mark.parametrize("event, fields, end", ENDS, ids=[str(one[:2]) for one in ENDS])
async def test_however_a_tab_is_taken_away_whoever_waits_is_told(line, script, event, fields, end):
    tab = await line.tabs.attach("T1")
    del script.answers["debugger.send"]
    calling = asyncio.get_running_loop().create_task(tab.session.call("Page.reload"))
    await turn()
    script.say(event, **({} if event == "lost" else {"tab": 1}), **fields)
    with pytest.raises(SessionLost):
        await calling
    assert isinstance(tab.ended, end)
    assert line.connection.gone is None


async def test_what_was_lost_is_let_go_of_so_that_the_next_begins_anew(line, script):
    await line.tabs.attach("T1")
    script.say("lost", tabs=[1, 77])
    script.say("lost", tabs=[1])  # the extension says so for everything it had to drop
    await turn()
    assert [one["tab"] for one in script.verbs("debugger.detach")] == [1]
    again = await line.tabs.attach("T1")
    assert again.ended is None


async def test_who_pressed_cancel_is_obeyed_for_that_job_and_asked_anew_by_the_next(line, script):
    async def job(name, work):
        CLIENT.set(Client("claude-code", name))
        return await work

    async def as_job(name, work):
        group = asyncio.get_running_loop()
        return await group.create_task(job(name, work), context=contextvars.copy_context())

    tab = await as_job("job-1", line.tabs.attach("T1"))
    script.say("debugger.detached", tab=1, reason="canceled_by_user")
    await turn()
    assert "Cancel" in tab.ended.words
    with pytest.raises(TabLost):
        await as_job("job-1", line.tabs.attach("T1"))
    with pytest.raises(TabDidNotOpen, match="you pressed Cancel"):
        await as_job("job-1", line.tabs.open("about:blank"))
    assert len(script.verbs("debugger.attach")) == 1, "it is not fought"
    assert script.verbs("tabs.create") == []
    assert (await as_job("job-2", line.tabs.attach("T1"))).ended is None
    opened = await as_job("job-2", line.tabs.open("about:blank"))
    assert script.verbs("tabs.create")[0]["client"] == "claude-code"
    assert opened.ended is None


async def test_closing_lets_go_of_tabs_and_keeps_them(script):
    script.add()
    over = []
    script.carrier = RelayCarrier(script, lambda: over.append(True))
    async with line_over(script.carrier, "a test") as line:
        await line.tabs.attach("T1")
    assert [one["tab"] for one in script.verbs("debugger.detach")] == [1]
    assert script.verbs("tabs.close") == []
    assert (over, script.carrier.gone.by_us) == ([True], True)


async def test_an_extension_that_goes_for_good_ends_the_line(line, script):
    del script.answers["debugger.send"]
    tab_call = asyncio.get_running_loop().create_task(
        line.connection.call("Target.attachToTarget", {"targetId": "T1"})
    )
    await turn()
    script.carrier.end(Gone("chrome-1 did not come back"))
    await tab_call  # it had been answered
    with pytest.raises(ConnectionLost, match="did not come back"):
        await line.connection.call("Target.getTargets")


async def test_a_line_that_is_full_says_so_to_whoever_speaks(line, script):
    tab = await line.tabs.attach("T1")
    script.full = True
    with pytest.raises(LineFull):
        await tab.session.call("Page.enable")
    script.say("lost", tabs=[1])
    await turn()
    assert isinstance(tab.ended, Unheard)


async def test_half_a_character_passes_both_ways(line, script):
    tab = await line.tabs.attach("T1")
    heard = []
    tab.session.listen("Network.webSocketFrameReceived", lambda event: heard.append(event.read()))
    script.say(
        "debugger.event", tab=1, method="Network.webSocketFrameReceived", params={"x": "\ud83d"}
    )
    await turn()
    assert heard[0]["x"].encode("utf-8", "replace") == b"?"
    await tab.session.call("Input.insertText", {"text": "\ud83d"})
    assert script.done[-1]["params"]["text"] == "\ud83d"


async def test_nothing_is_delivered_inside_the_call_that_asks(script):
    script.add()
    carrier = RelayCarrier(script)
    inside, said = True, []

    def received(message):
        said.append((inside, json.loads(message).get("id")))

    carrier.start(received, lambda _gone: None)
    for number, (method, wish) in enumerate(
        [
            ("Browser.getVersion", {}),
            ("Browser.close", {}),
            ("Target.attachToTarget", {"targetId": "T9"}),
            ("Target.detachFromTarget", {"sessionId": "s"}),
            ("Target.setDiscoverTargets", {"discover": False}),
        ]
    ):
        carrier.send(msgspec.json.encode({"id": number, "method": method, "params": wish}))
    inside = False
    await turn()
    assert said == [(False, number) for number in range(5)]


async def test_a_connection_may_be_made_of_it_alone(script):
    async with Connection(RelayCarrier(script)) as connection:
        assert connection.gone is None
    assert script.done == []
