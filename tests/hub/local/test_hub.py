"""One interface, two implementations, and the parts that wait until a hub is there."""

import inspect
from contextlib import asynccontextmanager

import pytest

from tabwire.config.settings import Settings
from tabwire.hub import agent_interface, interface, process_interface
from tabwire.hub.agents.autopilot.desk import PilotDesk
from tabwire.hub.agents.event_stream import AgentEventStream
from tabwire.hub.agents.followed_windows import FollowedWindows
from tabwire.hub.browsers import access
from tabwire.hub.jobs.jobs import Jobs
from tabwire.hub.local.agents import LocalWindows
from tabwire.hub.local.asks import LocalAsks
from tabwire.hub.local.browsers import LocalBrowsers, LocalGuard
from tabwire.hub.local.hub import LocalAgents, LocalHub, NotInThisProcess
from tabwire.hub.local.records import LocalConversations, LocalSessions
from tabwire.hub.process import startup
from tabwire.hub.relay.relays import Relays
from tabwire.hub.remote.asks import RemoteAsks
from tabwire.hub.remote.autopilot import RemoteAutopilot
from tabwire.hub.remote.extensions import RemoteExtensions
from tabwire.hub.remote.hub import RemoteHub
from tabwire.hub.remote.jobs import RemoteJobs
from tabwire.hub.remote.windows import RemoteWindows
from tabwire.model.ask import AskRequest
from tabwire.model.errors import TabwireError
from tabwire.model.extensions import ExtensionStatus

IMPLEMENTATIONS = {
    interface.Jobs: (RemoteJobs, startup.PendingJobs),
    interface.Asks: (LocalAsks, RemoteAsks),
    interface.Conversations: (LocalConversations,),
    interface.Sessions: (LocalSessions, startup.PendingSessions),
    agent_interface.Autopilot: (PilotDesk, RemoteAutopilot, startup.PendingAutopilot),
    agent_interface.Windows: (
        LocalWindows,
        FollowedWindows,
        RemoteWindows,
        startup.PendingWindows,
    ),
    interface.Guard: (LocalGuard,),
    interface.Browsers: (LocalBrowsers,),
    interface.Extensions: (RemoteExtensions, startup.PendingExtensions),
    process_interface.ServedJobs: (Jobs, startup.PendingJobs),
    process_interface.AgentEvents: (AgentEventStream, startup.PendingEvents),
    process_interface.ServedBrowsers: (LocalBrowsers,),
    process_interface.ServedExtensions: (Relays, startup.PendingExtensions),
}
WHOLE = {interface.Hub, process_interface.ServedHub, process_interface.RunningHub}
AGENTS = {agent_interface.Agents, process_interface.ServedAgents}
PAIRS = [(subject, made) for subject, all_of in IMPLEMENTATIONS.items() for made in all_of]


def names_of(subject):
    return {name for name in vars(subject) if not name.startswith("_")}


def test_every_subject_of_the_interface_has_its_implementations():
    subjects = {
        value
        for module in (agent_interface, interface, process_interface)
        for value in vars(module).values()
        if inspect.isclass(value) and value.__module__ == module.__name__
    }
    assert subjects == {*IMPLEMENTATIONS} | WHOLE | AGENTS


@pytest.mark.parametrize("subject, made", PAIRS, ids=lambda one: one.__name__)
def test_an_implementation_takes_what_the_interface_says(subject, made):
    for name in names_of(subject):
        wanted, given = (inspect.signature(getattr(one, name)) for one in (subject, made))
        assert [*given.parameters] == [*wanted.parameters], name


@pytest.mark.parametrize("hub", [LocalHub(), RemoteHub(start=False)], ids=["local", "remote"])
def test_both_hubs_have_every_subject(hub, tmp_path, monkeypatch):
    monkeypatch.setenv("TABWIRE_HOME", str(tmp_path))
    only_in_its_process = {"jobs", "extensions"} if isinstance(hub, LocalHub) else set()
    for name in names_of(interface.Hub) - only_in_its_process:
        assert getattr(hub, name) is not None, name


@pytest.mark.parametrize("part", ["jobs", "extensions"])
def test_what_only_the_hubs_own_process_has_is_refused_elsewhere(part):
    with pytest.raises(NotInThisProcess, match=f"this process has no {part}"):
        getattr(LocalHub(), part)
    with pytest.raises(NotInThisProcess, match="no autopilot"):
        _ = LocalHub().agents.autopilot


@pytest.mark.parametrize(
    "protocol, made",
    [
        (process_interface.ServedHub, LocalHub(Settings())),
        (process_interface.RunningHub, RemoteHub(start=False)),
    ],
    ids=["served", "running"],
)
def test_what_a_hub_has_besides_is_there(protocol, made):
    """mypy compares the signatures (interface.py); this compares the names."""
    only_in_its_process = {"jobs", "extensions"}
    assert [one for one in names_of(protocol) - only_in_its_process if not hasattr(made, one)] == []
    assert names_of(process_interface.ServedAgents) <= names_of(LocalAgents)


class Reached(Exception):
    """A browser was wanted, over these lines."""


class Lines:
    """The lines of a hub to its own browser, and to no other."""

    async def serves(self, said, *, only_running):
        return said is None

    @asynccontextmanager
    async def line(self, _said=None):
        raise Reached("the hub's")
        yield

    async def tabs_in_use(self):
        return ["a tab"]


async def no_hub():
    raise TabwireError("no hub", what_to_do="Start one.")


CHAT = "https://chatgpt.com/c/5f0c6a1e-1111-4222-8333-0123456789ab"


async def examined(hub, how):
    return [check async for check in hub.browsers.doctor((), **how)]


USES = {
    "tabs": lambda hub, how: hub.browsers.tabs(**how),
    "watch": lambda hub, how: hub.browsers.watch("grok", print, **how),
    "snapshot": lambda hub, how: hub.browsers.snapshot("grok", **how),
    "dom": lambda hub, how: hub.browsers.dom("grok", "p", **how),
    "doctor": examined,
    "ask": lambda hub, how: hub.asks.ask([AskRequest("grok", "Why?")], print, **how),
    "fetch": lambda hub, how: hub.asks.fetch(CHAT, **how),
}


@pytest.mark.parametrize("use", USES.values(), ids=USES)
@pytest.mark.asyncio
async def test_only_who_has_the_hub_of_this_process_uses_its_lines(use, tmp_path, monkeypatch):
    """Two hubs in one process: which browser is used depends on the hub, not on the process."""

    @asynccontextmanager
    async def own_line(_said, _now, *, in_hub=False, **_how):
        raise Reached("its own, in the hub" if in_hub else "its own")
        yield

    monkeypatch.setenv("TABWIRE_HOME", str(tmp_path))
    monkeypatch.setattr(access, "own_line", own_line)
    monkeypatch.setattr("tabwire.hub.local.browsers._status_from_running_hub", no_hub)
    served, alone = LocalHub(lines=Lines()), LocalHub()
    for hub, browser, whose in (
        (served, None, "the hub's"),
        (served, "attach", "its own, in the hub"),
        (alone, None, "its own"),
        (RemoteHub(start=False), None, "its own"),
    ):
        if not (use is USES["ask"] and isinstance(hub, RemoteHub)):  # that asks the other process
            with pytest.raises(Reached, match=f"^{whose}$"):
                await use(hub, {"browser": browser})


@pytest.mark.asyncio
async def test_tabs_in_use_are_those_of_the_hub_that_is_asked():
    assert await LocalHub(lines=Lines()).browsers.tabs_in_use() == ("a tab",)
    assert await LocalHub().browsers.tabs_in_use() == ()
    with pytest.raises(NotInThisProcess, match="no lines to browsers"):
        _ = LocalHub().lines


@pytest.mark.asyncio
async def test_the_hubs_own_process_examines_its_own_extensions(tmp_path, monkeypatch):
    class Extensions:
        async def status(self):
            return ExtensionStatus("h", "0.0.7", connected=False)

    monkeypatch.setenv("TABWIRE_HOME", str(tmp_path))
    monkeypatch.setattr("tabwire.hub.local.browsers._status_from_running_hub", no_hub)
    checks = LocalHub(lines=Lines(), extensions=Extensions()).browsers.doctor(())
    while (check := await anext(checks)).name != "extension":
        pass
    assert "included in Tabwire 0.0.7" in check.says
    await checks.aclose()
