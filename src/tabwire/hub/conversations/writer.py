"""Captures go to the disk: in order, the newest of a conversation in the place of older ones.

Whoever captures does so in a receive loop and cannot wait. So a capture waits here until it is
written; of one conversation only the newest waits. A disk that fails is tried again: what waits
is not lost while we live.
"""

import asyncio
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import replace

from tabwire.capture.gathered import covers, digest_of
from tabwire.capture.rebuild import read_heard, rebuild
from tabwire.capture.standing import Stop, stop_in
from tabwire.capture.titles import better
from tabwire.config.logs import get_log
from tabwire.fusion.verdict import Reason
from tabwire.model.captured import Body, BodyKind, Captured, CaptureSource
from tabwire.model.conversation import Turn
from tabwire.model.errors import TabwireError
from tabwire.sites.known import SITES
from tabwire.store.conversation_rows import ConversationRows

MAX_WAITING = 100  # conversations; a person opens a few in a minute
AGAIN_SECONDS = 5.0  # between two tries at a disk that failed


class Keeper:
    """`kept` is told of every row as it stands on the disk; whoever wants to know sets it."""

    def __init__(self, rows: ConversationRows) -> None:
        self._rows = rows
        self.kept: Callable[[Captured], None] = lambda _row: None
        self.stops: dict[tuple[str, str], Stop] = {}  # answers known to have been stopped
        self._waiting: OrderedDict[tuple[str, str], Captured] = OrderedDict()
        self._more = asyncio.Event()
        self._writing = asyncio.Lock()
        self.lost = 0  # that had to make room

    def put(self, captured: Captured) -> None:
        """To be written soon."""
        key = (captured.site, captured.conversation_id)
        held = self._waiting.get(key)
        if held is not None and held.ready and held.digest == captured.digest:
            # another tab read the same and has not read it twice: it is ready all the same
            captured = replace(held, title=better(held.title, captured.title))
        self._waiting[key] = captured
        while len(self._waiting) > MAX_WAITING:
            self._waiting.popitem(last=False)
            self.lost += 1
        self._more.set()

    async def flush(self) -> None:
        """Write all that waits. Raises `StoreError`; what was not written waits on."""
        async with self._writing:
            while self._waiting:
                key, captured = next(iter(self._waiting.items()))
                row = None
                earlier = await self._kept(captured)
                if earlier is None or not _tells_it(earlier, captured):
                    whole = captured if earlier is None else with_earlier(captured, earlier)
                    row = await self._rows.keep(await self._as_stopped(whole), better)
                if self._waiting.get(key) is captured:
                    del self._waiting[key]
                if row is not None:
                    self.kept(row)

    async def _kept(self, captured: Captured) -> Captured | None:
        """What is kept of a conversation that only a stream told of now."""
        if captured.source is not CaptureSource.STREAM:
            return None
        return await self._rows.conversation(captured.site, captured.conversation_id, bodies=True)

    async def _as_stopped(self, captured: Captured) -> Captured:
        """Not ready where the newest answer is one that is kept as stopped: a site may store it
        as if it were whole, and whoever reads it later cannot know."""
        key = (captured.site, captured.conversation_id)
        before = await self._rows.conversation(*key)
        if before is None or Reason.ANSWER_STOPPED not in before.reasons:
            return captured
        before = await self._rows.conversation(*key, bodies=True) or before
        was, now = (rebuild(SITES[key[0]], key[1], one.bodies) for one in (before, captured))
        if was is None or now is None or not (stop := stop_in(was)).is_newest_of(now):
            return captured
        self.stops.setdefault(key, stop)
        rest = (one for one in captured.reasons if one != Reason.ANSWER_STOPPED)
        return replace(captured, ready=False, reasons=(str(Reason.ANSWER_STOPPED), *rest))

    async def run(self) -> None:
        """Write what comes, until cancelled."""
        while True:
            await self._more.wait()
            self._more.clear()
            try:
                await self.flush()
            except TabwireError as exc:
                get_log().warn("a conversation could not be saved yet", error=exc)
                await asyncio.sleep(AGAIN_SECONDS)
                self._more.set()

    async def flush_quietly(self) -> None:
        """Write all that waits; a disk that fails is only told of."""
        try:
            await self.flush()
        except TabwireError as exc:
            get_log().warn("a conversation could not be saved", error=exc)


def _tells_it(row: Captured, captured: Captured) -> bool:
    """Whether the site's record, heard by another, has all that the stream told."""
    if row.source is not CaptureSource.CANONICAL:
        return False
    stored = rebuild(SITES[row.site], row.conversation_id, row.bodies)
    heard = [read_heard(body.raw) for body in captured.bodies if body.kind is BodyKind.HEARD]
    return stored is not None and all(one is None or covers(stored, one) for one in heard)


def with_earlier(captured: Captured, row: Captured) -> Captured:
    """With what earlier streams told of the conversation: each tells one turn, and the site's
    record, which has them all, may never be read. What is told again is not kept twice."""
    if any(body.kind is BodyKind.STORED for body in captured.bodies):
        return captured
    now = {turn.id for body in captured.bodies for turn in _turns(body)}
    earlier = [
        body
        for body in row.bodies
        if body.kind is BodyKind.HEARD
        and (turns := _turns(body))
        and now.isdisjoint(turn.id for turn in turns)
    ]
    if not earlier:
        return captured
    bodies = (*earlier, *captured.bodies)
    whole = rebuild(SITES[captured.site], captured.conversation_id, bodies)
    if whole is None:
        return captured
    count = sum(1 for _ in whole.shown())
    return replace(captured, bodies=bodies, digest=digest_of(whole), turns=count)


def _turns(body: Body) -> tuple[Turn, ...]:
    heard = read_heard(body.raw) if body.kind is BodyKind.HEARD else None
    return heard.turns if heard is not None else ()
