"""The orders of events a real browser rarely gives, over a scripted line."""

import asyncio
import base64
import gc
import weakref

import pytest
import pytest_asyncio

from browser.tap.hearing import Hearing
from tabwire.browser.tap.events import (
    BodyKnown,
    End,
    RequestLeft,
    SocketClosed,
    SocketFrame,
    Unheard,
)
from tabwire.browser.tap.load import TRIES
from tabwire.browser.tap.tap import Tap
from tabwire.cdp.connection import Connection
from tabwire.cdp.errors import CdpError, CommandFailed
from tabwire.cdp.memory import MemoryCarrier, Refusal

pytestmark = pytest.mark.asyncio

SECONDS = 30.0
URL = "http://site/answer"
SUBSCRIBE = "Network.streamResourceContent"
STORED = "Network.getResponseBody"
POST = "Network.getRequestPostData"
LATE = Refusal("Request with the provided ID has already finished loading")


def b64(data: bytes) -> str:
    return base64.b64encode(data).decode()


class Script(Hearing):
    """A tab in a script, and what its tap told."""

    def __init__(self, carrier: MemoryCarrier) -> None:
        super().__init__()
        self.carrier = carrier
        self.at = 1.0

    def say(self, method, session="PAGE", **params):
        self.at += 1
        self.carrier.emit(method, {"timestamp": self.at, **params}, session)

    def asks(self, number="1.1", session="PAGE", loader="L1", url=URL, **more):
        request = {"url": url, "method": "POST", **more}
        self.say("Network.requestWillBeSent", session, requestId=number, request=request,
                 type="Fetch", frameId="F", loaderId=loader)  # fmt: skip

    def responds(self, number="1.1", session="PAGE", **more):
        head = {"url": URL, "status": 200, "mimeType": "text/plain", "headers": {}, **more}
        self.say("Network.responseReceived", session, requestId=number, response=head)

    def data(self, data, number="1.1", session="PAGE", told=True):
        more = {"data": b64(data)} if told else {}
        self.say("Network.dataReceived", session, requestId=number, dataLength=len(data), **more)

    def finishes(self, number="1.1", session="PAGE"):
        self.say("Network.loadingFinished", session, requestId=number)

    def sent(self, method):
        return [command for command in self.carrier.sent if command.method == method]

    async def turn(self):
        """One turn of the loop: what was said is delivered."""
        done = asyncio.Event()
        asyncio.get_running_loop().call_soon(done.set)
        await done.wait()

    async def replies(self, method, result=None):
        """Answer the last such command."""
        await self.turn()
        self.carrier.reply(self.sent(method)[-1], result)
        await self.turn()

    @property
    def one(self):
        return self.of("/answer")


@pytest_asyncio.fixture
async def carrier():
    carrier = MemoryCarrier()
    for method in ("Network.enable", "Page.enable", "Inspector.enable", "Target.setAutoAttach",
                   "Runtime.runIfWaitingForDebugger", "Network.disable"):  # fmt: skip
        carrier.answer(method, {})
    carrier.answer("Target.getTargetInfo", {"targetInfo": {"targetId": "F", "type": "page"}})
    return carrier


@pytest_asyncio.fixture
async def line(carrier):
    async with asyncio.timeout(SECONDS), Connection(carrier) as connection:
        yield connection


@pytest_asyncio.fixture
async def script(line, carrier):
    script = Script(carrier)
    script.tap = Tap(line.session("PAGE"), wanted=lambda _: True, hear=script.hear)
    await script.tap.arm()
    return script


async def test_chunks_before_the_reply_are_told_once(script):
    script.asks()
    script.data(b"one", told=False)
    script.data(b"two", told=True)
    await script.replies(SUBSCRIBE, {"bufferedData": b64(b"onetwo")})
    script.data(b"three")
    script.finishes()
    await script.turn()
    assert (script.one.how, script.one.body) == (End.WHOLE, b"onetwothree")


async def test_a_reply_overtaken_by_a_chunk_loses_nothing(script):
    script.asks()
    script.data(b"one", told=False)
    script.data(b"two", told=True)
    await script.replies(SUBSCRIBE, {"bufferedData": b64(b"one")})
    script.finishes()
    await script.turn()
    assert (script.one.how, script.one.body) == (End.WHOLE, b"onetwo")


async def test_a_reply_that_overtakes_a_chunk_doubles_nothing(script):
    script.asks()
    await script.replies(SUBSCRIBE, {"bufferedData": b64(b"one")})
    script.data(b"one", told=False)
    script.data(b"two")
    script.finishes()
    await script.turn()
    assert (script.one.how, script.one.body) == (End.WHOLE, b"onetwo")


async def test_the_end_waits_for_a_late_reply(script):
    script.asks()
    script.responds()
    script.data(b"one", told=False)
    script.finishes()
    await script.turn()
    assert script.one.ends == []
    await script.replies(SUBSCRIBE, {"bufferedData": b64(b"one")})
    assert (script.one.how, script.one.body) == (End.WHOLE, b"one")
    assert script.one.ends[0].at == script.at
    assert script.sent(STORED) == []


@pytest.mark.parametrize("when", ["before the end", "after the end"])
async def test_a_late_subscription_reads_the_stored_body(script, when):
    script.asks()
    script.responds()
    script.data(b"one", told=False)
    if when == "after the end":
        script.finishes()
    await script.replies(SUBSCRIBE, LATE)
    if when == "before the end":
        script.finishes()
    await script.replies(STORED, {"body": "one", "base64Encoded": False})
    assert (script.one.how, script.one.body) == (End.WHOLE, b"one")


async def test_a_subscription_with_an_empty_buffer_reads_the_stored_body(script):
    """As with a synchronous XHR."""
    script.asks()
    script.data(b"one", told=False)
    script.finishes()
    await script.replies(SUBSCRIBE, {"bufferedData": ""})
    await script.replies(STORED, {"body": b64(b"one"), "base64Encoded": True})
    assert (script.one.how, script.one.body) == (End.WHOLE, b"one")


@pytest.mark.parametrize(
    "stored, why",
    [
        (Refusal("Request content was evicted from inspector cache"), "evicted"),
        ({"body": "another", "base64Encoded": False}, "not the one received"),
        ({"body": 5}, "unreadable reply"),
    ],
)
async def test_what_cannot_be_read_afterwards_is_lost(script, stored, why):
    script.asks()
    script.data(b"one", told=False)
    script.finishes()
    await script.replies(SUBSCRIBE, LATE)
    await script.replies(STORED, stored)
    assert (script.one.how, script.one.body) == (End.LOST, b"")
    assert why in script.one.ends[0].why


async def test_a_refused_subscription_is_tried_again_at_the_next_chunk(script):
    script.asks()
    await script.replies(SUBSCRIBE, Refusal("Request with the provided ID does not exists"))
    script.data(b"one", told=False)
    await script.replies(SUBSCRIBE, {"bufferedData": b64(b"one")})
    script.data(b"two")
    await script.turn()
    assert script.one.body == b"onetwo"


async def test_subscribing_is_given_up_and_the_body_read_at_the_end(script):
    script.carrier.answer(SUBSCRIBE, Refusal("no"))
    script.asks()
    for _ in range(2 * TRIES):
        script.data(b"x", told=False)
        await script.turn()
    assert len(script.sent(SUBSCRIBE)) == TRIES
    script.finishes()
    await script.replies(STORED, {"body": "x" * 2 * TRIES})
    assert (script.one.how, script.one.body) == (End.WHOLE, b"x" * 2 * TRIES)


async def test_a_gap_is_closed_by_asking_again(script):
    script.asks()
    await script.replies(SUBSCRIBE, {"bufferedData": ""})
    script.data(b"one", told=False)
    script.data(b"two")
    script.data(b"three")
    await script.replies(SUBSCRIBE, {"bufferedData": b64(b"onetwothree")})
    script.finishes()
    await script.turn()
    assert (script.one.how, script.one.body) == (End.WHOLE, b"onetwothree")


async def test_a_failure_tells_the_bytes_of_a_late_reply_first(script):
    script.asks()
    script.data(b"one", told=False)
    script.say("Network.loadingFailed", requestId="1.1", errorText="net::ERR_CUT")
    await script.replies(SUBSCRIBE, {"bufferedData": b64(b"one")})
    assert (script.one.how, script.one.body) == (End.FAILED, b"one")
    assert script.one.ends[0].why == "net::ERR_CUT"


async def test_a_failure_says_what_was_not_heard(script):
    script.asks()
    script.data(b"one", told=False)
    script.say("Network.loadingFailed", requestId="1.1", errorText="net::ERR_CUT")
    await script.replies(SUBSCRIBE, LATE)
    assert (script.one.how, script.one.body) == (End.FAILED, b"")
    assert "3 received bytes were not observed" in script.one.ends[0].why


@pytest.mark.parametrize("state", ["asked", "open", "shut", "reading"])
@pytest.mark.parametrize("loss", ["session", "line", "crash", "navigation"])
async def test_whatever_goes_a_request_ends_once_as_lost(script, line, state, loss):
    script.asks()
    script.data(b"one", told=False)
    if state != "asked":
        reply = {"bufferedData": b64(b"one")} if state == "open" else LATE
        await script.replies(SUBSCRIBE, reply)
    if state == "reading":
        script.finishes()
    await script.turn()
    if loss == "session":
        script.say("Target.detachedFromTarget", None, sessionId="PAGE")
    elif loss == "line":
        script.carrier.cut("snap")
    elif loss == "crash":
        script.say("Inspector.targetCrashed")
    else:
        script.say("Page.frameNavigated", frame={"id": "F", "loaderId": "L2"})
    await script.ended("/answer")
    await script.turn()
    assert script.one.how == End.LOST
    assert script.one.body == (b"one" if state == "open" else b"")
    if loss in ("session", "line"):
        assert line.waiting == ()


async def test_an_end_and_a_head_said_again_are_told_once(script):
    script.asks()
    script.responds()
    script.responds()
    script.data(b"one", told=False)
    await script.replies(SUBSCRIBE, LATE)
    script.finishes()
    script.say("Network.loadingFailed", requestId="1.1", errorText="net::ERR_LATE")
    await script.turn()
    assert len(script.sent(STORED)) == 1
    await script.replies(STORED, {"body": "one"})
    assert (script.one.how, script.one.body) == (End.WHOLE, b"one")


async def test_a_reply_after_the_loss_tells_nothing(script):
    script.asks()
    script.say("Page.frameNavigated", frame={"id": "F", "loaderId": "L2"})
    await script.replies(SUBSCRIBE, {"bufferedData": b64(b"late")})
    assert (script.one.how, script.one.body) == (End.LOST, b"")


async def test_what_a_request_carried_is_not_told_to_a_closed_tap(script):
    script.asks(hasPostData=True)
    await script.turn()
    script.tap.close()
    await script.replies(POST, {"postData": "late"})
    assert script.all_of(BodyKnown) == []


async def test_a_navigation_spares_the_requests_of_the_new_document(script):
    script.asks("1.1", loader="L1")
    script.asks("1.2", loader="L2", url="http://site/new")
    script.say("Network.requestWillBeSent", requestId="L3", type="Document", frameId="F",
               loaderId="L3", request={"url": "http://site/next", "method": "GET"})  # fmt: skip
    script.say("Page.frameNavigated", frame={"id": "F", "loaderId": "L2"})
    await script.turn()
    assert script.one.ends[0].how == End.LOST
    assert script.of("/new").ends == []
    assert script.of("/next").ends == []


async def test_a_child_that_goes_takes_its_own_children_along(script):
    for parent, child in (("PAGE", "OUTER"), ("OUTER", "INNER")):
        target = {"targetId": child, "type": "worker", "url": ""}
        script.say("Target.attachedToTarget", parent, sessionId=child, targetInfo=target,
                   waitingForDebugger=True)  # fmt: skip
    script.asks(session="INNER")
    await script.turn()
    assert script.tap.parts == ("page", "worker", "worker")
    script.say("Target.detachedFromTarget", "PAGE", sessionId="OUTER")
    await script.turn()
    assert script.tap.parts == ("page",)
    assert script.one.how == End.LOST


async def test_a_child_held_still_gets_its_commands_together(script):
    script.carrier._answers.pop("Network.enable")
    target = {"targetId": "T", "type": "worker", "url": ""}
    script.say("Target.attachedToTarget", sessionId="CHILD", targetInfo=target)
    await script.turn()
    sent = [command.method for command in script.carrier.sent if command.session == "CHILD"]
    assert sent == [
        "Network.enable",
        "Target.setAutoAttach",
        "Runtime.runIfWaitingForDebugger",
    ]


async def test_a_child_that_cannot_be_tapped_is_named(script):
    script.carrier.answer("Network.enable", Refusal("no"))
    target = {"targetId": "T", "type": "worker", "url": "http://site/w.js"}
    script.say("Target.attachedToTarget", sessionId="CHILD", targetInfo=target)
    await script.turn()
    await script.turn()
    (unheard,) = script.all_of(Unheard)
    assert "worker" in unheard.why
    assert unheard.url == "http://site/w.js"


async def test_a_stranger_of_another_kind_is_let_go_and_not_tapped(script):
    target = {"targetId": "T", "type": "page", "url": ""}
    script.say("Target.attachedToTarget", sessionId="POPUP", targetInfo=target)
    await script.turn()
    sent = [command.method for command in script.carrier.sent if command.session == "POPUP"]
    assert sent == ["Runtime.runIfWaitingForDebugger"]


async def test_a_document_that_moves_to_another_part_ends_there(script):
    script.say("Network.requestWillBeSent", requestId="L9", type="Document", frameId="G",
               loaderId="L9", request={"url": URL, "method": "GET"})  # fmt: skip
    await script.replies(SUBSCRIBE, Refusal("does not exists"))
    target = {"targetId": "G", "type": "iframe", "url": ""}
    script.say("Target.attachedToTarget", sessionId="FRAME", targetInfo=target)
    script.say("Page.frameDetached", frameId="G", reason="swap")
    script.data(b"<html>", "L9", "FRAME", told=False)
    await script.turn()
    assert script.sent(SUBSCRIBE)[-1].session == "FRAME"
    await script.replies(SUBSCRIBE, {"bufferedData": b64(b"<html>")})
    script.finishes("L9", "FRAME")
    await script.turn()
    assert (script.one.how, script.one.body) == (End.WHOLE, b"<html>")
    assert script.all_of(Unheard) == []


async def test_a_late_word_about_something_over_is_no_stranger(script):
    script.asks()
    await script.replies(SUBSCRIBE, {"bufferedData": ""})
    script.finishes()
    script.finishes()
    script.data(b"late")
    await script.turn()
    assert script.all_of(Unheard) == []
    assert len(script.one.ends) == 1


async def test_a_stranger_is_named_once(script):
    script.responds("9.9", url="http://site/early")
    script.data(b"x", "9.9")
    script.finishes("9.9")
    script.data(b"x", "9.9")
    await script.turn()
    (unheard,) = script.all_of(Unheard)
    assert unheard.url == URL or unheard.url == "http://site/early"


async def test_what_a_request_carried_is_asked_again_when_the_response_begins(script):
    script.asks(hasPostData=True)
    await script.replies(POST, Refusal("No post data available for the request"))
    assert script.all_of(BodyKnown) == []
    script.responds()
    await script.replies(POST, {"postData": b64(b"\x00\xff"), "base64Encoded": True})
    (known,) = script.all_of(BodyKnown)
    assert known.body == b"\x00\xff"


async def test_what_a_request_carried_and_cannot_be_known_is_named(script):
    script.carrier.answer(POST, Refusal("No post data available for the request"))
    script.asks(hasPostData=True)
    script.responds()
    await script.turn()
    await script.turn()
    (unheard,) = script.all_of(Unheard)
    assert "a request body cannot be read" in unheard.why


async def test_a_service_worker_that_asks_first_for_what_is_over_is_delivered(script):
    target = {"targetId": "T", "type": "service_worker", "url": ""}
    script.say("Target.attachedToTarget", sessionId="SW", targetInfo=target)
    script.carrier.answer(SUBSCRIBE, {"bufferedData": ""})
    script.asks("1.1")
    await script.turn()
    script.finishes("1.1")
    await script.turn()
    script.asks("1.2", "SW")
    script.data(b"own", "1.2", "SW")
    await script.turn()
    script.finishes("1.2", "SW")
    await script.turn()
    _, own = script.every("/answer")
    assert (own.how, own.body, own.requests[0].serves) == (End.WHOLE, b"own", None)


@pytest.mark.parametrize("over", [False, True], ids=["still coming", "over already"])
async def test_a_service_worker_that_is_heard_before_its_page_is_told_once(script, over):
    target = {"targetId": "T", "type": "service_worker", "url": ""}
    script.say("Target.attachedToTarget", sessionId="SW", targetInfo=target)
    await script.turn()
    script.at = 10.0
    script.asks("7.1", session="SW")  # it asked at 11, and the page, heard later, at 6
    if over:
        script.data(b"said", "7.1", session="SW", told=False)
        script.finishes("7.1", session="SW")
    script.at = 5.0
    script.asks("1.1")
    script.at = 20.0
    await script.replies(SUBSCRIBE, {"bufferedData": ""})
    script.carrier.reply(script.sent(SUBSCRIBE)[0], {"bufferedData": b64(b"said")})
    if not over:
        script.data(b"said", "7.1", session="SW")
        script.finishes("7.1", session="SW")
    script.data(b"said")
    script.finishes()
    await script.turn()
    leg, page = script.every("/answer")
    assert (leg.requests[-1].serves, leg.chunks, len(leg.ends)) == ("1.1", [], 1)
    assert (page.how, page.body) == (End.WHOLE, b"said")


async def test_what_a_service_worker_asked_for_before_the_page_did_is_its_own(script):
    target = {"targetId": "T", "type": "service_worker", "url": ""}
    script.say("Target.attachedToTarget", sessionId="SW", targetInfo=target)
    await script.turn()
    script.asks("7.1", session="SW")
    await script.replies(SUBSCRIBE, {"bufferedData": ""})
    script.asks("1.1")
    script.data(b"its own", "7.1", session="SW")
    script.finishes("7.1", session="SW")
    await script.turn()
    own, _ = script.every("/answer")
    assert (own.requests[-1].serves, own.body) == (None, b"its own")


async def test_a_service_worker_that_passes_on_for_another_tab_is_not_called_empty(script):
    target = {"targetId": "T", "type": "service_worker", "url": ""}
    script.say("Target.attachedToTarget", sessionId="SW", targetInfo=target)
    script.carrier.answer(SUBSCRIBE, {"bufferedData": ""})
    script.asks("1.2", "SW")
    script.say("Network.dataReceived", "SW", requestId="1.2", dataLength=0, encodedDataLength=15)
    await script.turn()
    script.finishes("1.2", "SW")
    await script.turn()
    assert (script.one.how, script.one.body) == (End.LOST, b"")
    assert "passed it on" in script.one.ends[0].why


async def test_a_continued_frame_is_read_like_the_one_before(script):
    script.say("Network.webSocketCreated", requestId="7.7", url="ws://site/socket")
    for opcode, payload in ((2, b64(b"one")), (0, b64(b"two")), (1, "text"), (0, "more")):
        frame = {"opcode": opcode, "payloadData": payload}
        script.say("Network.webSocketFrameReceived", requestId="7.7", response=frame)
    script.say("Network.webSocketClosed", requestId="7.7")
    script.say("Network.webSocketClosed", requestId="7.7")
    await script.turn()
    assert [frame.data for frame in script.all_of(SocketFrame)] == [
        b"one",
        b"two",
        "text",
        "more",
    ]
    assert len(script.all_of(SocketClosed)) == 1


async def test_arming_says_why_it_failed(line, carrier):
    carrier.answer("Network.enable", Refusal("not allowed"))
    tap = Tap(line.session("PAGE"), wanted=lambda _: True, hear=lambda _: None)
    with pytest.raises(CommandFailed, match=r"Network.enable.*not allowed"):
        await tap.arm()
    assert line.waiting == ()


async def test_a_tab_whose_workers_cannot_be_heard_is_heard_and_says_so(line, carrier):
    carrier.answer("Target.setAutoAttach", Refusal("not allowed"))
    script = Script(carrier)
    tap = Tap(line.session("PAGE"), wanted=lambda _: True, hear=script.hear)
    await tap.arm()
    (unheard,) = script.all_of(Unheard)
    assert "workers" in unheard.why


async def test_arming_on_a_line_that_is_gone_fails_at_once(line, carrier):
    await line.close()
    tap = Tap(line.session("PAGE"), wanted=lambda _: True, hear=lambda _: None)
    with pytest.raises(CdpError):
        await tap.arm()


async def test_a_closed_tap_hears_nothing_and_is_forgotten(script, line):
    script.asks()
    await script.turn()
    count = len(script.events)
    script.tap.close()
    await script.replies(SUBSCRIBE, {"bufferedData": b64(b"one")})
    script.data(b"two")
    script.asks("1.2")
    script.carrier.cut()
    await script.turn()
    assert len(script.events) == count
    tap = weakref.ref(script.tap)
    script.tap = None
    gc.collect()
    assert tap() is None


async def test_a_listener_that_fails_does_not_stop_the_others_requests(line, carrier):
    faults = []
    asyncio.get_running_loop().set_exception_handler(lambda _, fault: faults.append(fault))
    script = Script(carrier)

    def hear(event):
        script.hear(event)
        if isinstance(event, RequestLeft) and event.request.id == "1.1":
            raise ValueError("a fault of the one who listens")

    script.tap = Tap(line.session("PAGE"), wanted=lambda _: True, hear=hear)
    await script.tap.arm()
    carrier.answer(SUBSCRIBE, {"bufferedData": ""})
    script.asks("1.1")
    script.asks("1.2", url="http://site/other")
    await script.turn()
    script.data(b"fine", "1.2")
    script.finishes("1.2")
    await script.turn()
    assert len(faults) == 1
    assert (script.of("/other").how, script.of("/other").body) == (End.WHOLE, b"fine")
