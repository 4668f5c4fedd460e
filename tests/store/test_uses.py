"""One user per tab or conversation, across processes."""

import asyncio

import pytest
from sqlalchemy import select

from store.asked import ME, OTHER, answer, ask
from tabwire.store.opening import opened
from tabwire.store.rows import Holder, Use
from tabwire.store.tables import USES

pytestmark = pytest.mark.asyncio


def alive(_):
    return True


def dead(_):
    return False


async def test_only_one_has_it(store, place):
    use = await store.take_use("tab 1", ME, "ask a", 60, 100.0, alive)
    assert (use.key, use.owner, use.holder, use.until) == ("tab 1", ME, "ask a", 160.0)
    async with opened(place) as another:
        held = await another.take_use("tab 1", OTHER, "ask b", 60, 101.0, alive)
        assert held == Holder("tab 1", ME, "ask a", 160.0)
        assert isinstance(await another.take_use("tab 2", OTHER, "b", 60, 101.0, alive), Use)


async def test_two_asks_of_one_process_are_two_users(store):
    await store.take_use("tab", ME, "ask a", 60, 100.0, alive)
    assert isinstance(await store.take_use("tab", ME, "ask a", 60, 100.0, alive), Holder)


FREE = [
    ("held", 159.9, alive, False),
    ("expired", 160.0, alive, True),
    ("its process is dead", 101.0, dead, True),
]


@pytest.mark.parametrize("now, running, free", [c[1:] for c in FREE], ids=[c[0] for c in FREE])
async def test_what_is_over_is_free(store, now, running, free):
    first = await store.take_use("tab", ME, "a", 60, 100.0, alive)
    second = await store.take_use("tab", OTHER, "b", 60, now, running)
    assert isinstance(second, Use) is free
    assert await store.renew_use(first, 60, now) is not free
    await store.free_use(first)  # an old one gives nothing of a new one back
    third = await store.take_use("tab", ME, "c", 60, now, alive)
    assert isinstance(third, Holder) is free


async def test_who_runs_is_asked_of_the_holder(store):
    asked = []
    await store.take_use("tab", ME, "a", 60, 1.0, asked.append)
    await store.take_use("tab", OTHER, "b", 60, 2.0, asked.append)
    assert asked == [ME]


async def test_given_back_it_is_free_and_twice_is_once(store):
    use = await store.take_use("tab", ME, "a", 60, 1.0, alive)
    await store.free_use(use)
    await store.free_use(use)
    assert not await store.renew_use(use, 60, 2.0)
    assert isinstance(await store.take_use("tab", OTHER, "b", 60, 2.0, alive), Use)


async def test_renewed_it_is_held_longer_even_after_it_expired(store):
    use = await store.take_use("tab", ME, "a", 60, 100.0, alive)
    assert await store.renew_use(use, 60, 200.0)
    held = await store.take_use("tab", OTHER, "b", 60, 259.0, alive)
    assert held == Holder("tab", ME, "a", 260.0)


async def test_of_many_at_once_one_gets_it(store, place):
    async with opened(place) as another, asyncio.TaskGroup() as group:
        takes = [
            group.create_task(one.take_use("tab", ME, "x", 60, 1.0, alive))
            for one in [store, another] * 5
        ]
    assert sum(isinstance(take.result(), Use) for take in takes) == 1


async def test_an_error_while_taking_leaves_it_as_it_was(store):
    await store.take_use("tab", ME, "a", 60, 1.0, alive)

    def fails(_):
        raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        await store.take_use("tab", OTHER, "b", 60, 2.0, fails)
    assert isinstance(await store.take_use("tab", OTHER, "b", 60, 2.0, alive), Holder)


async def test_what_a_holder_had_is_known_until_it_is_free_or_anothers(store):
    first = await store.take_use("tab 1", ME, "ask a", 60, 100.0, alive)
    await store.take_use("tab 2", ME, "ask a", 60, 100.0, alive)
    await store.take_use("tab 3", ME, "ask b", 60, 100.0, alive)
    assert sorted(await store.uses_of("ask a")) == ["tab 1", "tab 2"]
    await store.free_use(first)
    await store.take_use("tab 2", OTHER, "ask c", 60, 101.0, dead)
    assert await store.uses_of("ask a") == []


async def keys(store):
    return set(await store._read(lambda line: list(line.scalars(select(USES.c.key)))))


async def test_uses_of_killed_processes_do_not_pile_up(store):
    """One of an ask that is not over stays a while: it says where the ask was left."""
    left, _ = await store.begin(ask("left"), ME, 1.0)
    over, _ = await store.begin(ask("over"), ME, 1.0)
    await store.keep(over.id, answer(over.id), 2.0)
    for key, holder, seconds in [
        ("tab of the left one", left.id, 60),
        ("tab of the one that is over", over.id, 60),
        ("still held", over.id, 600),
        ("of nobody we know", "gone", 60),
    ]:
        await store.take_use(key, ME, holder, seconds, 100.0, alive)
    await store.take_use("new", OTHER, "b", 60, 200.0, alive)
    assert await keys(store) == {"new", "still held", "tab of the left one"}
    assert await store.uses_of(left.id) == ["tab of the left one"]
    await store.take_use("newer", OTHER, "b", 60, 200.0 + 15 * 86400, alive)
    assert await keys(store) == {"newer"}
