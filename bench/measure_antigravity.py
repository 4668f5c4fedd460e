"""Antigravity's panel: how soon we know, against the classic profile, and what it costs the page.

Both watchers follow the same runs in the same window. When the page really showed a thing is told
by an observer of its own in the page; every time is ours minus that. The classic profile knows no
approvals, so a card is looked for every two seconds, as the tools that have it do.

The cost is the browser's own count of CPU time in scripts, on a panel of 20,000 nodes that grows by
twenty small changes a second: our watch against a scan of `button,[class*="button"]` each second.
"""

import asyncio
import random
import time
from collections.abc import AsyncGenerator, AsyncIterator
from contextlib import aclosing, asynccontextmanager
from pathlib import Path
from statistics import median

from bench.table import Row, row, speedup
from tabwire.browser.agent.classic import ClassicPanel
from tabwire.browser.agent.connection import PageSession, open_window
from tabwire.browser.agent.drive import driving
from tabwire.browser.agent.panel import PanelWatch
from tabwire.browser.agent.targets import at_port, windows_at
from tabwire.browser.agent.window import AgentWindow
from tabwire.fusion.monitor_phases import POLL_SECONDS
from tabwire.lab.antigravity import AntigravityLab, Command, Plan, Say, Window, antigravity_lab
from tabwire.model.agent import AgentCard, AgentEnded, AgentEvent, Panel
from tabwire.monitor.agent.classic import Baseline, ClassicRun
from tabwire.monitor.agent.follow import Follower

RUNS = 7
SEED = 20261118
ALL_SECONDS = 40.0  # for one run to be known by both
NODES = 20_000
COST_SECONDS = 10
CHANGES = 20  # a second
ROUNDS = 2
MILLI = 1000
PAGE = Path(__file__).with_name("antigravity_page.js").read_text(encoding="utf-8")


def measure() -> list[Row]:
    """Ends, approvals and cost."""
    ends, cards, cost = asyncio.run(_all())
    ours, classic = (median(one[at] for one in ends) for at in (0, 1))
    seen, polled = (median(one[at] for one in cards) for at in (0, 1))
    return [
        speedup("agent's end known, against the classic profile", ours, classic, ">= 20"),
        speedup("agent's question known, against a poll of 2 s", seen, polled, ">= 20"),
        row("panel script time a second, watched against a scan", cost[0], "ms", cost[1], "<= 0.1"),
    ]


async def _all() -> tuple[
    list[tuple[float, float]], list[tuple[float, float]], tuple[float, float]
]:
    chance = random.Random(SEED)
    large = Window("large", nodes=NODES, turns=(("Before?", "Yes."), ("And then?", "Yes.")))
    async with antigravity_lab([Window("shop"), large]) as lab:
        ends = [await _end(lab, chance, number) for number in range(RUNS)]
        cards = [await _card(lab, chance) for _ in range(RUNS)]
        return ends, cards, await _cost(lab)


async def _end(lab: AntigravityLab, chance: random.Random, number: int) -> tuple[float, float]:
    """Seconds from the stop control's going to `complete`, ours and the classic profile's."""
    # longer than a poll and another text than before: else the classic profile never notices
    plan = Plan((Say(f"It is done, for the {number}. time.", 2.5 + 2 * chance.random()),))
    async with _session(lab, "shop") as page, _session(lab, "shop") as poller:
        panel = ClassicPanel(poller)
        await panel.arm()
        run = ClassicRun(panel)
        before = await run.baseline()
        await _mark(page)
        async with asyncio.timeout(ALL_SECONDS), asyncio.TaskGroup() as group:
            ours = group.create_task(_ended(lab))
            classic = group.create_task(_classic_end(run, before))
            await asyncio.sleep(0.5)  # both listen
            await lab.play(lab.windows[0], plan)
        gone = await _marked(page, "gone")
        return ours.result() - gone, classic.result() - gone


async def _ended(lab: AntigravityLab) -> float:
    async with aclosing(await _follow(lab)) as events:
        async for event in events:
            if isinstance(event, AgentEnded):
                assert event.phase == "complete"
                return time.time()
    raise AssertionError("it must end")


async def _classic_end(run: ClassicRun, before: Baseline) -> float:
    async with aclosing(run.events(before)) as events:
        async for event in events:
            if isinstance(event, AgentEnded):
                return time.time()
    raise AssertionError("it must end")


async def _card(lab: AntigravityLab, chance: random.Random) -> tuple[float, float]:
    """Seconds from a card's coming to its being known, ours and a poll's."""
    async with _session(lab, "shop") as page, _session(lab, "shop") as poller:
        await _mark(page)
        async with asyncio.timeout(ALL_SECONDS), asyncio.TaskGroup() as group:
            ours = group.create_task(_asked(lab))
            polled = group.create_task(_polled(poller))
            await asyncio.sleep(0.5 + POLL_SECONDS * chance.random())
            await lab.play(lab.windows[0], Plan((Command("ls"),)))
        came = await _marked(page, "came")
        async with driving(await _window(lab)) as driver:
            await driver.stop()
        return ours.result() - came, polled.result() - came


async def _asked(lab: AntigravityLab) -> float:
    async with aclosing(await _follow(lab)) as events:
        async for event in events:
            if isinstance(event, AgentCard) and not event.gone:
                return time.time()
    raise AssertionError("it must be told")


async def _polled(session: PageSession) -> float:
    while not await _run(session, "labBench.asks()"):
        await asyncio.sleep(POLL_SECONDS)
    return time.time()


async def _cost(lab: AntigravityLab) -> tuple[float, float]:
    """Milliseconds of script a second, from the round whose ratio is the median."""
    await (await lab.play(lab.windows[1], Plan((Say("It grows."),)))).ended()
    pairs = []
    async with _session(lab, "large") as session:
        assert await _run(session, "document.querySelectorAll('*').length") >= NODES
        await session.call("Performance.enable", {"timeDomain": "threadTicks"})
        for turn in range(ROUNDS + 1):  # the first is practice
            pair = await _watched(session), await _scanned(session)
            if turn:
                pairs.append(pair)
    pairs.sort(key=lambda pair: pair[0] / pair[1])
    return pairs[len(pairs) // 2]


async def _watched(session: PageSession) -> float:
    lengths: set[int] = set()

    def hear(panel: Panel) -> None:
        lengths.add(sum(len(one.text) for turn in panel.open for one in turn.rows))

    watch = PanelWatch(session, hear)
    await watch.arm()
    spent = await _script_time(session)
    watch.close()
    assert len(lengths) > COST_SECONDS, "it must have told of the growth"
    return spent


async def _scanned(session: PageSession) -> float:
    await _run(session, "labBench.scan()")
    spent = await _script_time(session)
    assert await _run(session, "labBench.unscan()") >= COST_SECONDS - 1, "it must have scanned"
    return spent


async def _script_time(session: PageSession) -> float:
    before = await _script_seconds(session)
    for _ in range(COST_SECONDS * CHANGES):
        async with asyncio.TaskGroup() as both:
            both.create_task(asyncio.sleep(1 / CHANGES))
            both.create_task(_run(session, "labBench.grow()"))
    return (await _script_seconds(session) - before) / COST_SECONDS * MILLI


async def _script_seconds(session: PageSession) -> float:
    metrics = (await session.call("Performance.getMetrics"))["metrics"]
    return float(next(one["value"] for one in metrics if one["name"] == "ScriptDuration"))


# --- the page --------------------------------------------------------------------------------


async def _follow(lab: AntigravityLab) -> AsyncGenerator[AgentEvent, None]:
    return Follower(await _window(lab)).events()


async def _window(lab: AntigravityLab) -> AgentWindow:
    (window,) = [one for one in await windows_at(lab.port) if one.workspace == "shop"]
    return AgentWindow(at_port(lab.port, window), window)


@asynccontextmanager
async def _session(lab: AntigravityLab, workspace: str) -> AsyncIterator[PageSession]:
    (window,) = [one for one in await windows_at(lab.port) if one.workspace == workspace]
    session = await open_window(window)
    try:
        await _run(session, PAGE)
        yield session
    finally:
        await session.connection.close()


async def _mark(session: PageSession) -> None:
    await _run(session, "labBench.mark()")


async def _marked(session: PageSession, what: str) -> float:
    """When the page showed it, in seconds since 1970."""
    return float(await _run(session, f"labBench.{what}At")) / MILLI


async def _run(session: PageSession, expression: str) -> float:
    params = {"expression": expression, "returnByValue": True, "awaitPromise": True}
    done = await session.call("Runtime.evaluate", params)
    assert "exceptionDetails" not in done, done
    return float(done["result"].get("value") or 0)
