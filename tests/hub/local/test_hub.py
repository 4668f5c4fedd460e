"""One interface, two implementations, and the parts that wait until a hub is there."""

import inspect

import pytest

from tabwire.hub import interface
from tabwire.hub.local.asks import LocalAsks
from tabwire.hub.local.browsers import LocalBrowsers, LocalGuard
from tabwire.hub.local.hub import LocalHub, NotInThisProcess
from tabwire.hub.local.records import LocalConversations, LocalSessions
from tabwire.hub.process import startup
from tabwire.hub.remote.asks import RemoteAsks
from tabwire.hub.remote.autopilot import RemoteAutopilot
from tabwire.hub.remote.extensions import RemoteExtensions
from tabwire.hub.remote.hub import RemoteHub
from tabwire.hub.remote.jobs import RemoteJobs

IMPLEMENTATIONS = {
    interface.Jobs: (RemoteJobs, startup.PendingJobs),
    interface.Asks: (LocalAsks, RemoteAsks),
    interface.Conversations: (LocalConversations,),
    interface.Sessions: (LocalSessions, startup.PendingSessions),
    interface.Autopilot: (RemoteAutopilot, startup.PendingAutopilot),
    interface.Guard: (LocalGuard,),
    interface.Browsers: (LocalBrowsers,),
    interface.Extensions: (RemoteExtensions, startup.PendingExtensions),
}
PAIRS = [(subject, made) for subject, all_of in IMPLEMENTATIONS.items() for made in all_of]


def names_of(subject):
    return {name for name in vars(subject) if not name.startswith("_")}


def test_every_subject_of_the_interface_has_its_implementations():
    subjects = {
        value
        for value in vars(interface).values()
        if inspect.isclass(value) and value.__module__ == interface.__name__
    }
    assert subjects == {*IMPLEMENTATIONS, interface.Hub, interface.Agents}


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
