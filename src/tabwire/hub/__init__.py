"""Builds the whole. `Hub` is the face every door talks to.

The hub is the one process that owns browsers, store and jobs; it can also live inside the
calling process. A room here is imported when it is asked for: starting a hub needs little.

face.py     `Hub`
reading.py  files -> conversations, in order, earlier ones informing later ones
report.py   what is told of a conversation that was read
detect.py   what a file is, from its first bytes
bodies.py   one body of one site -> what it says
har.py      every conversation in a HAR
export.py   every conversation in a ChatGPT data export, one at a time
elements.py the elements of a huge JSON list, without holding them all

home.py     where Tabwire keeps its things
reaching.py what a person said of the browser -> a line to it; lab_file.py: where the lab is
choosing.py what a person said of the tab -> that tab
watching.py follow a tab; sightings.py: what is told of it, as JSON
looking.py  look at a page once: snapshot, selector
terms.py    what the providers' terms say, told at the first use of a site
doctor.py   is everything as it should be, and what helps

prompting.py  the prompt, from where it is said; comparing.py: answers side by side

sessions.py       which chats belong to which agent; sessions_file.py: the seed's sessions.json
history_lines.py  a question and its answer as a line of the seed's history.jsonl

Jobs:
building.py    a hub that runs, for the length of a block
jobs.py        handed in, waited for, heard of, stopped, found again
job_board.py   what is known of them at once, in this process
store_copies.py  a good copy of the store every day, and the store put back from it
event_lines.py the lines that they, and runs in Antigravity, leave in the log
carrying.py    one job carried out, from wherever it stands; asking.py, fetching.py: how
bookkeeping.py the store, in the words of an ask; resting.py: why one rests without an answer
link.py        one line to the browser for all of them; ways.py: that, or the extension
finishing.py   what was begun is brought to its end, whoever gives up waiting for it

The process:
daemon.py      from its lock to its end; running.py: what doors in it are handed;
               later.py: the same while store and jobs are still being opened
lock.py        there is one; sockets.py: where it listens; token.py: who may come in by the port;
               loopback.py: pumps without Unix sockets
spawning.py    any door starts it; remote.py: its jobs from another process
               (remote_line.py: one request to it); delegating.py: a command asks through it

The extension:
relays.py           those that dial in, and the one that is used
relay_handshake.py  who it is; pairing.py: a code once, a key from then on
relay_session.py    one of them over all its sockets; relay_line.py: one socket
relay_install.py    where what it says goes; relay_why.py: why none is connected
extension_files.py  where the extension lies that came with us
captures.py         what its pages hear: recorded, kept, shown, given out
rereads.py          who has a conversation read once more, one at a time

Conversations:
conversations.py    those that are kept, for the doors; keeping.py: how they get to the disk
recording.py        asks and watched tabs are recorded too
after_asks.py       when it is quiet, what was asked is read until it is ready

The autopilot:
autopilot.py         which windows it drives, what is on, how to stop it
autopilot_window.py  one window: its lock, its line, the lease in its page
autopilot_lock.py    one driver per window, across processes
autopilot_before.py  what was on when the hub before this one ended
autopilot_folders.py which folder a window works in, by what the editor keeps
approvals.py         a person's answer, from whichever door

Antigravity:
antigravity.py         its windows by name, and what can be done in one
antigravity_consent.py nothing without the person's word; antigravity_status.py: one look at all
antigravity_follow.py  what happens in a window; antigravity_agents.py: for the whole hub, with
                       quota and `Continue`; antigravity_server.py: the language server's numbers
antigravity_board.py   the same, numbered and kept for a while; antigravity_news.py: for the doors
antigravity_pilot.py   the autopilot for the doors; antigravity_remote.py: from another process
antigravity_start.py   start it with a port; relaunch.py: start entries that do so
                       (relaunch_entries.py: what they say)

Beside them:
guarding.py    the guard with the person's own rules, and what it decided before
config.py      what can be set (setting_kinds.py: numbers, choices, folders)
logs.py        what it writes down; withheld.py: what it never does
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from tabwire.files.detection import Kind
    from tabwire.files.report import Report, ToldMessage
    from tabwire.hub.face import Hub

__all__ = ["Hub", "Kind", "Report", "ToldMessage"]

_PLACES = {
    "Hub": "tabwire.hub.face",
    "Kind": "tabwire.files.detection",
    "Report": "tabwire.files.report",
    "ToldMessage": "tabwire.files.report",
}


def __getattr__(name: str) -> Any:
    if name not in _PLACES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(_PLACES[name]), name)
