"""The plays of a file of tests, begun beside them over the carrier that is due, some at once."""

import asyncio
from collections.abc import Awaitable, Callable, Collection
from concurrent.futures import Future
from typing import TypeVar

import pytest

from kit.carriers import AllAt
from kit.chromium import Aside

T = TypeVar("T")


def wanted_plays(request: pytest.FixtureRequest, there: AllAt) -> list[str]:
    """The names of the plays of this file that are asked for over this carrier."""
    here = request.node.nodeid
    asked_for = [
        one.callspec.params
        for one in request.session.items
        if one.nodeid.startswith(here) and hasattr(one, "callspec")
    ]
    return [one["name"] for one in asked_for if one["all_at"] == there.carrier]


def begun_plays(
    aside: Aside,
    play: Callable[[str], Awaitable[T]],
    names: Collection[str],
    *,
    at_once: int,
    alone: Collection[str] = (),
) -> "dict[str, Future[T]]":
    """Each play and what will come of it. Those that are to be `alone` come last, one by one."""
    free, rest = asyncio.Semaphore(at_once), asyncio.Event()
    left = len(set(names) - set(alone))
    one_by_one = asyncio.Lock()

    async def played(name: str) -> T:
        nonlocal left
        if name in alone:
            if left:
                await rest.wait()
            async with one_by_one:
                return await play(name)
        try:
            async with free:
                return await play(name)
        finally:
            left -= 1
            if not left:
                rest.set()

    return {name: aside.begin(played(name)) for name in names}
