"""`GET /api/v1/antigravity/events` of a real hub, over its socket, with the replica behind it."""

import asyncio
import json
import time
from contextlib import aclosing, asynccontextmanager

import pytest

from kit.agent_hub import agent_hub_serving
from tabwire.doors.http import job_events as news
from tabwire.hub.agents import board as antigravity_board
from tabwire.hub.remote.connection import asked, told_by
from tabwire.lab.antigravity import Command, Did, Plan, Say
from tabwire.model.autopilot import Switches

pytestmark = [pytest.mark.asyncio, pytest.mark.xdist_group("browser")]

PATH = "/api/v1/antigravity/events"
SECONDS = 60.0


class Client:
    """Somebody who listens, and knows what a browser's EventSource knows."""

    def __init__(self, lines):
        self._lines = lines
        self.comments = []
        self.heard = []
        self.last = ""

    async def until(self, kind, so=lambda _data: True):
        """The first such event, of those heard already or to come."""
        for _, event in self.heard:
            if event["event"] == kind and so(event):
                return event
        try:
            async with asyncio.timeout(SECONDS):
                async for event in self._events():
                    if event["event"] == kind and so(event):
                        return event
        except TimeoutError as exc:
            raise AssertionError(f"no {kind} came: {self.heard}") from exc
        raise AssertionError(f"the stream ended without {kind}: {self.heard}")

    async def _events(self):
        said = {}
        async for line in self._lines:
            if line.startswith(":"):
                self.comments.append(line)
            elif line:
                name, _, value = line.partition(": ")
                said[name] = value
            elif said:
                data = json.loads(said["data"])
                assert said["event"] == data["event"]
                self.last = said["id"]
                self.heard.append((int(said["id"]), data))
                said = {}
                yield data

    def kinds(self):
        return [data["event"] for _, data in self.heard]


async def lines_of(chunks):
    rest = b""
    async for chunk in chunks:
        *whole, rest = (rest + chunk).split(b"\n")
        for line in whole:
            yield line.decode()


@asynccontextmanager
async def listening(last="", path=PATH):
    headers = {"last-event-id": last} if last else {}
    async with told_by("GET", path, headers) as (status, chunks):
        assert status == 200
        async with aclosing(lines_of(chunks)) as lines:
            yield Client(lines)


async def test_without_the_persons_word_nothing_is_told(agent_home):
    async with agent_hub_serving():
        status, body = await asked("GET", PATH)
        other, same = await asked(
            "POST", "/api/v1/antigravity/autopilot/on", b'{"switches": ["edits"]}'
        )
    assert (status, body) == (other, same)
    assert json.loads(body)["exit_code"] == 4
    assert "`tabwire antigravity on`" in json.loads(body)["what_to_do"]


async def test_first_how_things_are_then_what_happens_as_watch_tells_it(agent_hub, agent_window):
    before = await agent_window("before")
    async with listening() as first:
        begin = await first.until("now")
        assert abs(begin["began_at"] + begin["seconds"] - time.time()) < 5
        assert begin["autopilot"]["on"] == []
        assert begin["approvals"] == []
        attached = await first.until("attached", lambda one: one["window"] == "before")
        assert attached["test"]["recognised"] is not None
        await before.plays(Plan((Command("npm publish"), Say("Done."))))
        asks = await first.until("approval")
        assert asks["approval"]["command"] == "npm publish"
        assert asks["approval"]["state"] == "open"
        await first.until("phase", lambda one: one["phase"] == "waiting_approval")
        async with listening() as second:  # whoever comes now is told the same in one go
            now = await second.until("now")
            (window,) = [one for one in now["windows"] if one["window"] == "before"]
            assert (window["phase"], window["place"]) == ("waiting_approval", "editor")
            assert window["id"] == before.lab.target(before.window)
            assert [one["id"] for one in now["approvals"]] == [asks["approval"]["id"]]
            await before.presses_text("Reject")
            over = await second.until("approval_over")
            assert (over["approval"]["id"], over["approval"]["state"]) == (
                asks["approval"]["id"],
                "gone",
            )
            ended = await second.until("ended")
        assert (ended["window"], ended["phase"]) == ("before", "complete")
        assert await first.until("ended") == ended
    assert [number for number, _ in first.heard] == sorted({n for n, _ in first.heard})
    assert {"now", "attached", "phase", "card", "approval", "audit", "log"} <= set(first.kinds())


async def test_who_is_cut_in_the_middle_loses_nothing(agent_hub, agent_window):
    desk = await agent_window("shop")
    async with listening() as whole:
        await whole.until("now")
        await agent_hub.agents.autopilot.autopilot.on(Switches(commands=True))
        await whole.until("drives")
        async with listening() as first:
            await first.until("now")
            run = await desk.plays(Plan((Command("git status"), Command("ls"), Say("Done."))))
            await first.until("audit", lambda one: one["line"]["act"] == "clicked")
        # away: the rest happens meanwhile
        await run.ended()
        await whole.until("ended")
        assert [one.command for one in desk.did(Did.RAN)] == ["git status", "ls"]
        async with listening(first.last) as again:
            await again.until("now")
    told = dict(whole.heard)
    both = [*first.heard, *again.heard[:-1]]
    numbers = [number for number, _ in both[1:]]
    assert again.kinds().count("gap") == 0
    assert again.kinds()[-1] == "now"
    assert len(numbers) == len(set(numbers))
    # outputs that were overtaken by a longer one are not told again: all else is
    wanted = [
        number for number, one in whole.heard if number >= numbers[0] and one["event"] != "output"
    ]
    assert [number for number, one in both[1:] if one["event"] != "output"] == wanted
    assert all(told[number] == one for number, one in both[1:])
    assert [one["text"] for _, one in both if one["event"] == "output"][-1] == "Done."
    assert {"audit", "log", "ended"} <= set(again.kinds())


async def test_who_was_away_too_long_is_told_so_and_how_things_are(
    agent_hub, agent_window, monkeypatch
):
    desk = await agent_window("gap")
    async with listening() as first:
        await first.until("attached", lambda one: one["window"] == "gap")
    monkeypatch.setattr(antigravity_board, "MAX_KEPT", 3)
    async with listening() as other:
        await desk.plays(Plan((Say("One."),)))
        await other.until("ended")
    async with listening(first.last) as again:
        await again.until("now")
    assert again.kinds()[0] == "gap"
    assert again.heard[0][1]["why"] == antigravity_board.AWAY
    assert again.heard[0][1]["after"] == int(first.last)
    assert again.kinds()[-2:] == ["ended", "now"]
    async with listening(path=f"{PATH}?after=5") as stranger:  # a number of some other hub
        assert (await stranger.until("gap"))["why"] == antigravity_board.ANOTHER
    status, body = await asked("GET", f"{PATH}?after=-1")
    assert (status, json.loads(body)["code"]) == (400, "bad_request")


async def test_a_quiet_stream_says_that_it_is_still_there_and_keeps_the_hub(agent_hub, monkeypatch):
    monkeypatch.setattr(news, "ALIVE_SECONDS", 0.05)
    guests = agent_hub.guests.count
    async with listening() as one:
        await one.until("now")
        assert agent_hub.guests.count > guests
        with pytest.raises(TimeoutError):
            async with asyncio.timeout(0.5):
                await one.until("never")
    assert one.comments.count(": still here") >= 2


async def test_halted_and_stopped_are_told(agent_hub):
    async with listening() as one:
        await one.until("now")
        body = b'{"switches": ["commands", "edits"]}'
        assert (await asked("POST", "/api/v1/antigravity/autopilot/on", body))[0] == 200
        line = (await one.until("audit"))["line"]
        assert (line["act"], line["note"]) == ("on", "commands,edits")
        assert (await asked("POST", "/api/v1/antigravity/autopilot/stop", b'{"why": "enough"}'))[
            0
        ] == 200
        assert (await one.until("autopilot_halted"))["why"] == "enough"
