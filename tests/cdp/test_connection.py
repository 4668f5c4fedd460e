"""Commands, sessions and events over a scripted line."""

import asyncio
import gc
import weakref

import msgspec
import pytest
import pytest_asyncio

from tabwire.cdp.connection import NO_SUCH_SESSION, Connection
from tabwire.cdp.errors import (
    CommandFailed,
    CommandTimedOut,
    ConnectionClosed,
    ConnectionLost,
    Malformed,
    SessionLost,
)
from tabwire.cdp.memory import MemoryCarrier, Refusal
from tabwire.cdp.pending import CALL_SECONDS
from tabwire.cdp.protocol import Reply
from tabwire.cdp.routes import EVERY_SESSION
from tabwire.model.errors import Retry

pytestmark = pytest.mark.asyncio

SECONDS = 30.0
DATA = "Network.dataReceived"
DETACHED = "Target.detachedFromTarget"
ATTACHED = "Target.attachedToTarget"


@pytest_asyncio.fixture
async def carrier():
    return MemoryCarrier()


@pytest_asyncio.fixture
async def line(carrier):
    async with asyncio.timeout(SECONDS):
        async with Connection(carrier) as connection:
            yield connection
        assert connection.waiting == ()


async def turn():
    """One turn of the loop: what was said is delivered."""
    done = asyncio.Event()
    asyncio.get_running_loop().call_soon(done.set)
    await done.wait()


async def test_calls_in_parallel_get_their_own_replies_in_whatever_order(line, carrier):
    calls = asyncio.gather(*(line.call("A.b", {"n": n}) for n in range(50)))
    while len(carrier.sent) < 50:
        await carrier.next_sent()
    assert [command.params["n"] for command in carrier.sent] == list(range(50))
    for command in reversed(carrier.sent):
        carrier.reply(command, {"n": command.params["n"]})
    assert await calls == [{"n": n} for n in range(50)]


async def test_a_result_is_read_as_the_shape_wanted(line, carrier):
    class Version(msgspec.Struct):
        product: str

    carrier.answer("Browser.getVersion", {"product": "Chrome/156", "more": 1})
    assert await line.call("Browser.getVersion", shape=Version) == Version("Chrome/156")


async def test_a_result_of_another_shape_names_the_command(line, carrier):
    carrier.answer("A.b", lambda _: ["no", "object"])
    with pytest.raises(Malformed, match=r"A\.b: ") as caught:
        await line.call("A.b")
    assert caught.value.command == "A.b"


async def test_a_refusal_names_the_command_and_repeats_the_browser(line, carrier):
    carrier.answer("DOM.focus", Refusal("Element is not focusable", -32000))
    with pytest.raises(CommandFailed, match=r"DOM\.focus: .*not focusable") as caught:
        await line.call("DOM.focus")
    assert (caught.value.command, caught.value.code) == ("DOM.focus", -32000)
    assert caught.value.what_to_do


async def test_a_command_without_a_reply_times_out_by_name(line):
    with pytest.raises(CommandTimedOut, match=r"Page\.reload: no reply within 0\.01 s") as caught:
        await line.call("Page.reload", seconds=0.01)
    assert caught.value.retry is Retry.RESUME
    assert line.waiting == ()


async def test_what_a_session_is_asked_while_it_stands_still_is_not_late(line, carrier):
    """A dialog stands in its page. What waits on other sessions is late as ever."""
    clock = asyncio.get_running_loop().time
    session, other = line.session("S"), line.session("T")
    task = asyncio.get_running_loop().create_task
    before = task(session.call("A.before", seconds=0.05))
    await carrier.next_sent("A.before")
    line.hold("S", clock() + 60)
    since = task(session.call("A.since", seconds=0.05))
    await carrier.next_sent("A.since")
    with pytest.raises(CommandTimedOut):
        await other.call("A.other", seconds=0.2)  # longer than both had
    assert line.waiting == ("A.before", "A.since")
    carrier.reply(carrier.sent[0], {"came": True})
    assert await before == {"came": True}
    line.hold("S", None)
    with pytest.raises(CommandTimedOut, match=r"A\.since: no reply within 0\.05 s"):
        await since


async def test_nobody_is_waited_for_longer_than_it_stands_still(line):
    line.hold("S", asyncio.get_running_loop().time())
    with pytest.raises(CommandTimedOut):
        await line.session("S").call("A.b", seconds=0.01)


async def test_a_reply_after_the_bound_is_ignored_and_the_line_goes_on(line, carrier):
    with pytest.raises(CommandTimedOut):
        await line.call("A.slow", seconds=0.01)
    carrier.reply(carrier.sent[0], {"late": True})
    carrier.answer("A.b", {"right": True})
    assert await line.call("A.b") == {"right": True}
    assert line.late_replies == 1


async def test_bounds_are_kept_in_whatever_order_they_fall(line, carrier):
    """One alarm serves all: a nearer deadline behind a farther one must move it."""
    order = []
    for name, seconds in [("A.far", 0.06), ("A.near", 0.02), ("A.middle", 0.04)]:
        line.send(name, seconds=seconds, on_reply=lambda error: order.append(error.command))
    with pytest.raises(CommandTimedOut):
        await line.call("A.last", seconds=0.08)
    assert order == ["A.near", "A.middle", "A.far"]


async def test_a_late_alarm_tells_in_the_order_of_the_bounds(line):
    """On a busy machine one alarm finds several overdue."""
    order = []
    for name, seconds in [("A.second", -1), ("A.first", -2)]:
        line.send(name, seconds=seconds, on_reply=lambda error: order.append(error.command))
    with pytest.raises(CommandTimedOut):
        await line.call("A.last", seconds=0)
    assert order == ["A.first", "A.second"]


async def test_a_bound_holds_after_an_earlier_alarm_found_nothing(line, carrier):
    carrier.answer("A.quick", {})
    await line.call("A.quick", seconds=0.01)
    with pytest.raises(CommandTimedOut):
        await line.call("A.slow", seconds=0.03)


async def test_a_faulty_callback_does_not_stop_the_other_bounds(line):
    faults = []
    asyncio.get_running_loop().set_exception_handler(lambda _, fault: faults.append(fault))
    line.send("A.faulty", seconds=0.01, on_reply=lambda _: {}["a internal error"])
    with pytest.raises(CommandTimedOut):
        await line.call("A.b", seconds=0.02)
    assert len(faults) == 1


async def test_a_call_whose_caller_says_nothing_is_bounded_too(line, carrier):
    line.send("A.b", on_reply=lambda _: None)
    now = asyncio.get_running_loop().time()
    assert now < line._pending.alarm_at <= now + CALL_SECONDS


async def test_a_cancelled_call_leaves_nothing_behind(line, carrier):
    call = asyncio.gather(line.call("A.b"))
    command = await carrier.next_sent()
    call.cancel()
    with pytest.raises(asyncio.CancelledError):
        await call
    assert line.waiting == ()
    carrier.reply(command)
    await turn()
    assert line.late_replies == 1


async def test_a_reply_in_the_very_turn_of_a_cancel_breaks_nothing(line, carrier):
    faults = []
    asyncio.get_running_loop().set_exception_handler(lambda _, fault: faults.append(fault))
    call = asyncio.gather(line.call("A.b"))
    command = await carrier.next_sent()
    carrier.reply(command)  # delivered before the cancelled caller runs again
    call.cancel()
    with pytest.raises(asyncio.CancelledError):
        await call
    await turn()
    assert faults == []


async def test_nothing_is_kept_of_calls_that_are_over(line, carrier):
    class Params(msgspec.Struct, weakref=True):
        n: int

    carrier.answer("A.b", {})
    params = Params(1)
    kept = weakref.ref(params)
    await line.call("A.b", params)
    del params
    gc.collect()
    assert kept() is None
    assert asyncio.all_tasks() == {asyncio.current_task()}


async def test_a_hundred_calls_are_refused_at_once_when_the_line_goes(carrier):
    async with asyncio.timeout(SECONDS):
        line = Connection(carrier)
        outcomes = []
        for n in range(100):
            line.send(f"A.n{n}", on_reply=outcomes.append)
        carrier.cut("the browser was killed")
        await turn()
    assert [one.command for one in outcomes] == [f"A.n{n}" for n in range(100)]
    assert {type(one) for one in outcomes} == {ConnectionLost}
    assert "the browser was killed" in str(outcomes[0])
    assert not line.gone.by_us
    assert line.waiting == ()


async def test_one_faulty_callback_does_not_keep_the_others_waiting(carrier):
    line = Connection(carrier)
    outcomes = []

    def faulty(_):
        raise LookupError("a internal error")

    line.send("A.first", on_reply=outcomes.append)
    line.send("A.faulty", on_reply=faulty)
    line.send("A.last", on_reply=outcomes.append)
    faults = []
    asyncio.get_running_loop().set_exception_handler(lambda _, fault: faults.append(fault))
    carrier.cut()
    await turn()
    assert [one.command for one in outcomes] == ["A.first", "A.last"]
    assert len(faults) == 1
    assert not (await line.wait_gone()).by_us


async def test_a_call_on_a_line_that_is_gone_was_never_sent(carrier):
    async with asyncio.timeout(SECONDS):
        line = Connection(carrier)
        carrier.cut()
        await line.wait_gone()
        with pytest.raises(ConnectionLost, match=r"A\.b: ") as caught:
            await line.call("A.b")
    assert caught.value.retry is Retry.SAME
    assert carrier.sent == []


async def test_whoever_asked_hears_of_the_end_once_even_if_it_was_before(carrier):
    async with asyncio.timeout(SECONDS):
        line = Connection(carrier)
        told = []
        line.send("A.b", on_reply=lambda _: told.append("the command"))
        line.on_gone(told.append)
        carrier.cut("pulled")
        await line.wait_gone()
        await line.close()
        line.on_gone(told.append)
        await turn()
    assert told == ["the command", line.gone, line.gone]
    assert line.gone.why == "pulled"


async def test_closing_tells_callers_and_readers_that_we_did(carrier):
    async with asyncio.timeout(SECONDS):
        line = Connection(carrier)
        events = line.subscribe(["A.b"])
        call = asyncio.gather(line.call("A.b"), anext(events), return_exceptions=True)
        await carrier.next_sent()
        await line.close()
        errors = await call
    assert [type(error) for error in errors] == [ConnectionClosed, ConnectionClosed]
    assert [error.command for error in errors] == ["A.b", None]
    assert line.gone.by_us


async def test_a_reader_gets_what_came_before_the_cut_and_then_the_reason(carrier):
    async with asyncio.timeout(SECONDS):
        line = Connection(carrier)
        events = line.subscribe(["A.b"])
        carrier.emit("A.b", {"n": 1})
        carrier.cut("pulled")
        await line.wait_gone()
        assert (await anext(events)).read() == {"n": 1}
        for _ in range(2):
            with pytest.raises(ConnectionLost, match="pulled"):
                await anext(events)
        with pytest.raises(ConnectionLost):
            await anext(line.subscribe(["A.b"]))


async def test_the_reply_is_handled_before_the_events_behind_it(line, carrier):
    """browser.md: the reply holds the bytes so far, the next event those that follow."""
    order = []
    tab = line.session("S")
    tab.listen(DATA, lambda event: order.append(event.read()["data"]))

    def subscribed(outcome):
        assert isinstance(outcome, Reply)
        order.append(outcome.read()["bufferedData"])

    tab.send("Network.streamResourceContent", {"requestId": "r"}, on_reply=subscribed)
    carrier.emit(DATA, {"data": "before"}, "S")
    carrier.reply(carrier.sent[0], {"bufferedData": "buffered"})
    carrier.emit(DATA, {"data": "after"}, "S")
    await turn()
    assert order == ["before", "buffered", "after"]


async def test_a_callback_may_send_and_hears_the_answer_later(line, carrier):
    carrier.answer("A.first", {})
    carrier.answer("A.second", {"n": 2})
    done = asyncio.get_running_loop().create_future()
    line.send("A.first", on_reply=lambda _: line.send("A.second", on_reply=done.set_result))
    assert (await done).read() == {"n": 2}


async def test_calls_gathered_leave_in_their_order(line, carrier):
    """A paused worker answers none before the last one: they must not wait for each other."""
    methods = ["Network.enable", "Target.setAutoAttach", "Runtime.runIfWaitingForDebugger"]
    for method in methods:
        carrier.answer(method, {})
    await asyncio.gather(*(line.session("W").call(method) for method in methods))
    assert [command.method for command in carrier.sent] == methods
    assert {command.session for command in carrier.sent} == {"W"}


async def test_events_go_to_their_session_only(line, carrier):
    heard = {"browser": [], "S": [], "all": []}
    line.listen("A.b", heard["browser"].append)
    line.session("S").listen("A.b", heard["S"].append)
    line.listen("A.b", heard["all"].append, session=EVERY_SESSION)
    for session in (None, "S", "T"):
        carrier.emit("A.b", session=session)
    carrier.emit("A.other", session="S")
    await turn()
    assert {who: [one.session for one in events] for who, events in heard.items()} == {
        "browser": [None],
        "S": ["S"],
        "all": [None, "S", "T"],
    }


async def test_a_listener_may_stop_while_it_is_called(line, carrier):
    heard = []
    stops = []

    def once(event):
        heard.append("once")
        stops[0]()

    stops.append(line.listen("A.b", once))
    line.listen("A.b", lambda _: heard.append("always"))
    carrier.emit("A.b")
    carrier.emit("A.b")
    await turn()
    stops[0]()
    assert heard == ["once", "always", "always"]


async def test_a_detached_session_refuses_what_waits_on_it_and_nothing_else(line, carrier):
    events = line.session("S").subscribe([DATA])
    browser_events = line.subscribe([DETACHED])
    calls = asyncio.gather(
        line.session("S").call("Page.reload"),
        line.session("T").call("Page.reload"),
        return_exceptions=True,
    )
    await carrier.next_sent()
    carrier.emit(DATA, session="S")
    carrier.emit(DETACHED, {"sessionId": "S"})
    assert (await anext(browser_events)).method == DETACHED
    carrier.reply(carrier.sent[1], {"ok": True})
    lost, kept = await calls
    assert isinstance(lost, SessionLost)
    assert (lost.command, lost.session, lost.retry) == ("Page.reload", "S", Retry.RESUME)
    assert kept == {"ok": True}
    assert (await anext(events)).method == DATA
    with pytest.raises(SessionLost):
        await anext(events)


async def test_nothing_is_kept_of_a_session_or_a_line_that_is_gone(line, carrier):
    line.session("S").listen(DATA, lambda _: None)
    line.session("S").subscribe([DATA])
    carrier.emit(DETACHED, {"sessionId": "S"})
    await turn()
    assert len(line._routes) == 0
    line.send("A.b", on_reply=lambda _: None)
    await line.close()
    assert line._pending.alarm_at is None


async def test_children_of_a_detached_session_go_with_it(line, carrier):
    carrier.emit(ATTACHED, {"sessionId": "tab"})
    carrier.emit(ATTACHED, {"sessionId": "frame"}, "tab")
    carrier.emit(ATTACHED, {"sessionId": "worker"}, "frame")
    outcomes = []
    line.session("worker").send("A.b", on_reply=outcomes.append)
    carrier.emit(DETACHED, {"sessionId": "tab"})
    await turn()
    assert [type(one) for one in outcomes] == [SessionLost]


CRASHES = [
    ("told to the session", "Inspector.targetCrashed", {}, "S"),
    ("told to the browser", "Target.targetCrashed", {"targetId": "T1", "status": "crashed"}, None),
]


@pytest.mark.parametrize(
    "method, params, session", [c[1:] for c in CRASHES], ids=[c[0] for c in CRASHES]
)
async def test_a_crash_refuses_what_waits_and_keeps_the_session(
    line, carrier, method, params, session
):
    """Seen with Chromium 156: commands of a crashed tab get no reply and no detach."""
    carrier.emit(ATTACHED, {"sessionId": "S", "targetInfo": {"targetId": "T1", "type": "page"}})
    carrier.emit(ATTACHED, {"sessionId": "other", "targetInfo": {"targetId": "T2"}})
    events = line.session("S").subscribe([DATA])
    outcomes = []
    for one in ("S", "other", "S"):
        line.session(one).send("Runtime.evaluate", on_reply=outcomes.append)
    carrier.emit(method, params, session)
    await turn()
    assert [(one.session, one.crashed) for one in outcomes] == [("S", True)] * 2
    assert line.waiting == ("Runtime.evaluate",)
    carrier.emit(DATA, session="S")  # reloaded
    assert (await anext(events)).method == DATA


async def test_a_faulty_listener_does_not_hide_that_a_session_is_gone(line, carrier):
    faults = []
    asyncio.get_running_loop().set_exception_handler(lambda _, fault: faults.append(fault))
    line.listen(DETACHED, lambda _: {}["a internal error"])
    outcomes = []
    line.session("S").send("A.b", on_reply=outcomes.append)
    carrier.emit(DETACHED, {"sessionId": "S"})
    await turn()
    assert [type(one) for one in outcomes] == [SessionLost]
    assert len(faults) == 1


async def test_a_command_to_a_session_that_is_gone_was_not_carried_out(line, carrier):
    carrier.answer("A.b", Refusal("Session with given id not found.", NO_SUCH_SESSION))
    with pytest.raises(SessionLost) as caught:
        await line.session("S").call("A.b")
    assert caught.value.retry is Retry.SAME


@pytest.mark.parametrize(
    "odd",
    [
        b"not json",
        b"{}",
        b'{"id":99,"result":{}}',
        b'{"method":"Target.detachedFromTarget"}',
        b'{"method":"Target.attachedToTarget","params":{"sessionId":5}}',
        b'{"method":"Inspector.targetCrashed","params":[]}',
        b'{"method":"Target.targetCrashed"}',
    ],
)
async def test_an_odd_message_changes_nothing(line, carrier, odd):
    carrier.say(odd)
    carrier.answer("A.b", {"n": 1})
    assert await line.call("A.b") == {"n": 1}


async def test_unreadable_messages_are_counted_and_their_content_is_not_logged(
    line, carrier, caplog
):
    carrier.say(b'{"method":"A.b","params":{"prompt":"a secret"')
    await turn()
    assert line.unread_count == 1
    assert b"a secret" in line.last_unread.raw
    assert "unreadable DevTools message of 45 bytes" in caplog.text
    assert "a secret" not in caplog.text


async def test_params_that_are_no_json_leave_nothing_waiting(line, carrier):
    with pytest.raises(TypeError):
        await line.call("A.b", {"n": object()})
    assert line.waiting == ()
    assert carrier.sent == []
