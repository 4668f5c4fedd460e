"""A reader that falls behind is told where and how much, and always hears an end."""

import asyncio

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tabwire.cdp.connection import Connection
from tabwire.cdp.errors import ConnectionLost
from tabwire.cdp.memory import MemoryCarrier
from tabwire.cdp.protocol import Event, read
from tabwire.cdp.subscription import TERMINAL, Missed, Subscription

SECONDS = 30.0
DATA, END = "Network.dataReceived", "Network.loadingFinished"


def queue(limit=3, limit_bytes=10**9):
    return Subscription(
        lambda _: None, session=None, limit=limit, limit_bytes=limit_bytes, terminal=TERMINAL
    )


def event(method, size=1):
    said = read(b'{"method":"%s"}' % method.encode())
    assert isinstance(said, Event)
    return Event(said.method, said.raw, None, size)


async def rest(subscription):
    """All that is still queued, when the line is gone."""
    subscription.end(ConnectionLost("over"))
    seen = []
    while True:
        try:
            seen.append(await anext(subscription))
        except ConnectionLost:
            return seen


def drain(subscription):
    """The rest, as short words."""
    seen = asyncio.run(rest(subscription))
    return [item if isinstance(item, Missed) else item.method for item in seen]


STORIES = [
    # id, events offered to a queue of 3, what the reader sees
    ("fits", [DATA] * 3, [DATA] * 3),
    ("one too many", [DATA] * 4, [DATA] * 3 + [Missed(1)]),
    ("many too many", [DATA] * 9, [DATA] * 3 + [Missed(6)]),
    ("an end gets in", [DATA] * 3 + [END], [DATA] * 3 + [END]),
    ("an end behind a gap", [DATA] * 5 + [END], [DATA] * 3 + [Missed(2), END]),
    (
        "gap, end, gap",
        [DATA] * 4 + [END] + [DATA] * 2,
        [DATA] * 3 + [Missed(1), END, Missed(2)],
    ),
    ("ends fill the reserve", [END] * 6, [END] * 6),
    ("ends past the reserve are counted", [END] * 8, [END] * 6 + [Missed(2, terminal=2)]),
    (
        "both past the reserve",
        [END] * 7 + [DATA] * 2,
        [END] * 6 + [Missed(3, terminal=1)],
    ),
]


@pytest.mark.parametrize("offered, seen", [c[1:] for c in STORIES], ids=[c[0] for c in STORIES])
def test_what_is_left_out_is_said_where_it_is_missing(offered, seen):
    subscription = queue()
    for method in offered:
        subscription.offer(event(method))
    assert drain(subscription) == seen


def test_bytes_count_as_well_as_events():
    subscription = queue(limit=100, limit_bytes=1000)
    for size in (600, 600, 1):
        subscription.offer(event(DATA, size))
    assert drain(subscription) == [DATA, DATA, Missed(1)]


def test_what_was_read_makes_room_again():
    async def tell():
        subscription = queue(limit=2, limit_bytes=1000)
        for _ in range(5):
            subscription.offer(event(DATA, 1000))
            assert isinstance(await anext(subscription), Event)

    asyncio.run(tell())


def test_one_event_larger_than_the_limit_gets_in():
    subscription = queue(limit_bytes=1000)
    subscription.offer(event(DATA, 30_000_000))
    assert drain(subscription) == [DATA]


@given(st.lists(st.sampled_from([DATA, END, "read"]), max_size=60))
def test_nothing_is_lost_without_being_counted(story):
    """Whatever is offered and read in whatever order: seen + missed = offered, ends too."""

    async def tell():
        subscription = queue()
        seen = []
        for step in story:
            if step != "read":
                subscription.offer(event(step))
            elif subscription.queued:
                seen.append(await anext(subscription))
            assert subscription.queued <= 6
        return [*seen, *await rest(subscription)]

    seen = asyncio.run(tell())
    missed = [item for item in seen if isinstance(item, Missed)]
    ends = [item for item in seen if isinstance(item, Event) and item.method == END]
    offered = [step for step in story if step != "read"]
    assert len(seen) - len(missed) + sum(gap.count for gap in missed) == len(offered)
    assert len(ends) + sum(gap.terminal for gap in missed) == offered.count(END)


@pytest.mark.asyncio
async def test_a_reader_that_waits_is_woken_and_goes_on_after_being_cancelled():
    async with asyncio.timeout(SECONDS), Connection(MemoryCarrier()) as line:
        carrier = line._carrier
        with line.subscribe([DATA]) as events:
            waiting = asyncio.gather(anext(events))
            await asyncio.sleep(0)
            waiting.cancel()
            with pytest.raises(asyncio.CancelledError):
                await waiting
            carrier.emit(DATA, {"n": 1})
            assert (await anext(events)).read() == {"n": 1}


@pytest.mark.asyncio
async def test_a_reader_that_waits_is_woken_once_by_events_that_come_together():
    async with asyncio.timeout(SECONDS):
        events = queue()
        waiting = asyncio.gather(anext(events))
        await asyncio.sleep(0)
        for method in (DATA, END):
            events.offer(event(method))
        assert [one.method for one in [*await waiting, await anext(events)]] == [DATA, END]


@pytest.mark.asyncio
async def test_a_reader_that_waits_is_woken_by_the_end():
    async with asyncio.timeout(SECONDS):
        events = queue()
        waiting = asyncio.gather(anext(events))
        await asyncio.sleep(0)
        events.end(ConnectionLost("over"))
        with pytest.raises(ConnectionLost):
            await waiting


@pytest.mark.asyncio
async def test_two_readers_of_one_subscription_are_refused():
    async with asyncio.timeout(SECONDS), Connection(MemoryCarrier()) as line:
        events = line.subscribe([DATA])
        first = asyncio.gather(anext(events))
        await asyncio.sleep(0)
        with pytest.raises(RuntimeError, match="one reader"):
            await anext(events)
        events.close()
        with pytest.raises(StopAsyncIteration):
            await first


@pytest.mark.asyncio
async def test_a_closed_subscription_stops_and_is_forgotten():
    async with asyncio.timeout(SECONDS), Connection(MemoryCarrier()) as line:
        with line.subscribe([DATA, END, DATA]) as events:
            line._carrier.emit(DATA)
        assert [item async for item in events] == []
        assert len(line._routes) == 0
        assert line._subscriptions == {}


@pytest.mark.asyncio
async def test_an_event_named_twice_comes_once():
    async with asyncio.timeout(SECONDS), Connection(MemoryCarrier()) as line:
        with line.subscribe([DATA, DATA]) as events:
            line._carrier.emit(DATA)
            await anext(events)
            assert events.queued == 0


def test_the_bound_in_bytes_is_reached_exactly_at_it():
    subscription = queue(limit=100, limit_bytes=1000)
    for size in (400, 600, 1):
        subscription.offer(event(DATA, size))
    assert drain(subscription) == [DATA, DATA, Missed(1)]


def test_what_ends_something_is_for_the_reader_to_say():
    subscription = Subscription(
        lambda _: None, session=None, limit=1, limit_bytes=10**9, terminal=frozenset({"A.over"})
    )
    for method in (DATA, END, "A.over"):
        subscription.offer(event(method))
    assert drain(subscription) == [DATA, Missed(1), "A.over"]


def test_the_first_reason_stays():
    async def tell():
        subscription = queue()
        subscription.end(ConnectionLost("first"))
        subscription.end(ConnectionLost("second"))
        with pytest.raises(ConnectionLost, match="first"):
            await anext(subscription)

    asyncio.run(tell())


def test_closing_drops_what_is_queued_and_the_reason_too():
    async def tell():
        subscription = queue()
        subscription.offer(event(DATA, 5))
        subscription.end(ConnectionLost("over"))
        subscription.close()
        subscription.end(ConnectionLost("again"))
        assert subscription.queued == 0
        assert [item async for item in subscription] == []

    asyncio.run(tell())
