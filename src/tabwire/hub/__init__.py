"""The hub: `Hub` is the one interface of every door, and this file is all they may import of it.

A hub is the one process that owns browsers, store and jobs; it can also live inside the calling
process. `Hub` (interface.py) is a Protocol by subject: `hub.jobs`, `hub.asks`,
`hub.conversations`, `hub.sessions`, `hub.agents`, `hub.guard`, `hub.browsers`,
`hub.extensions`, `hub.settings`. `LocalHub` (local/) is a hub in this process, `RemoteHub`
(remote/) the running hub of the same user. A door gets one from opening.py, or is given one: a
door in the hub's own process has a `ServedHub` (process_interface.py).

The names below are imported from their modules when they are first used (model/lazy.py):
starting a command needs little.

opening.py    which hub a door gets
agent_interface.py  `hub.agents`: Antigravity's windows and its autopilot
guard.py      the guard with the user's own rules
terms.py      what the providers' terms say, shown at the first use of a site
event_log.py  log lines of questions and agent runs
changes.py    notifications of changes, for the dashboard

jobs/           questions: submit, carry out, recover
conversations/  record, store, export
sessions/       which chats belong to which agent
agents/         Antigravity and the autopilot
browsers/       reach, watch, inspect
relay/          the extension
process/        the hub as a process
local/          a hub in this process
remote/         a hub in another process
"""

from typing import TYPE_CHECKING

from tabwire.model.lazy import lazy_names

if TYPE_CHECKING:
    from tabwire.config.home import home as home_folder
    from tabwire.config.home import unusable as unusable_home
    from tabwire.config.logs import get_log as get_log
    from tabwire.config.logs import open_log as open_log
    from tabwire.config.logs import where as error_place
    from tabwire.config.redaction import without_secrets as without_secrets
    from tabwire.config.settings import FILE as CONFIG_FILE
    from tabwire.config.settings import LEVELS as LOG_LEVELS
    from tabwire.config.settings import Settings as Settings
    from tabwire.config.settings import Told as ToldSettings
    from tabwire.config.settings import log_path as log_path
    from tabwire.config.settings import settings as settings
    from tabwire.config.settings import told_settings as told_settings
    from tabwire.files.detection import Kind as Kind
    from tabwire.files.report import Report as Report
    from tabwire.files.report import ToldMessage as ToldMessage
    from tabwire.files.report import read_files as read_files
    from tabwire.hub.agents.consent import SENTENCE as ANTIGRAVITY_SENTENCE
    from tabwire.hub.agents.consent import ConsentNeeded as ConsentNeeded
    from tabwire.hub.agents.consent import agree as agree_to_antigravity
    from tabwire.hub.agents.consent import require_consent as require_consent
    from tabwire.hub.agents.consent import switch as switch_antigravity
    from tabwire.hub.agents.events import Baseline as Baseline
    from tabwire.hub.agents.events import Callbacks as AgentCallbacks
    from tabwire.hub.agents.events import as_data as agent_event_data
    from tabwire.hub.agents.events import call_back as follow_agent
    from tabwire.hub.agents.launch import open_antigravity as open_antigravity
    from tabwire.hub.agents.start_entries import Step as Step
    from tabwire.hub.agents.start_entries import apply as apply_start_entries
    from tabwire.hub.agents.start_entries import plan as plan_start_entries
    from tabwire.hub.agents.start_entries import undo as undo_start_entries
    from tabwire.hub.agents.status import Quota as Quota
    from tabwire.hub.agents.status import missing_parts as missing_parts
    from tabwire.hub.agents.windows import Spot as Spot
    from tabwire.hub.agents.windows import What as What
    from tabwire.hub.browsers.doctor import Check as Check
    from tabwire.hub.browsers.routes import InUse as TabInUse
    from tabwire.hub.browsers.sightings import Asked as Asked
    from tabwire.hub.browsers.sightings import Befell as Befell
    from tabwire.hub.browsers.sightings import Grew as Grew
    from tabwire.hub.browsers.sightings import Judged as Judged
    from tabwire.hub.browsers.sightings import Listed as Listed
    from tabwire.hub.browsers.sightings import Moved as Moved
    from tabwire.hub.browsers.sightings import Named as Named
    from tabwire.hub.browsers.sightings import NotStored as NotStored
    from tabwire.hub.browsers.sightings import PageNotice as PageNotice
    from tabwire.hub.browsers.sightings import Ready as Ready
    from tabwire.hub.browsers.sightings import RequestTold as RequestTold
    from tabwire.hub.browsers.sightings import Rewritten as Rewritten
    from tabwire.hub.browsers.sightings import Sighting as Sighting
    from tabwire.hub.browsers.sightings import Spent as Spent
    from tabwire.hub.browsers.sightings import StateMoved as StateMoved
    from tabwire.hub.browsers.sightings import Stored as Stored
    from tabwire.hub.browsers.sightings import Unheard as Unheard
    from tabwire.hub.browsers.sightings import Waiting as Waiting
    from tabwire.hub.browsers.sightings import Watching as Watching
    from tabwire.hub.browsers.sightings import Witnessed as Witnessed
    from tabwire.hub.browsers.sightings import as_data as sighting_data
    from tabwire.hub.browsers.snapshot import Kept as Snapshot
    from tabwire.hub.browsers.tab_choice import wanted_tab as wanted_tab
    from tabwire.hub.browsers.watch import PROFILES as WATCH_PROFILES
    from tabwire.hub.conversations.catalogue import FORMATS as EXPORT_FORMATS
    from tabwire.hub.guard import Judgement as Judgement
    from tabwire.hub.guard import command as guard_command
    from tabwire.hub.guard import hook as guard_hook
    from tabwire.hub.interface import Hub as Hub
    from tabwire.hub.interface import Jobs as Jobs
    from tabwire.hub.interface import Sessions as Sessions
    from tabwire.hub.jobs.ask_runner import AskControl as AskControl
    from tabwire.hub.jobs.history_lines import history_line as history_line
    from tabwire.hub.local.hub import Guests as Guests
    from tabwire.hub.local.hub import LocalHub as LocalHub
    from tabwire.hub.opening import local_hub as local_hub
    from tabwire.hub.opening import open_hub as open_hub
    from tabwire.hub.opening import remote_hub as remote_hub
    from tabwire.hub.process.backups import repair as repair_store
    from tabwire.hub.process.daemon import Ending as Ending
    from tabwire.hub.process.daemon import run_hub as run_hub
    from tabwire.hub.process.lock import Holder as HubHolder
    from tabwire.hub.process.lock import holder as hub_holder
    from tabwire.hub.process.lock import socket_path as hub_socket
    from tabwire.hub.process.loopback import PROVE_SECONDS as PROVE_SECONDS
    from tabwire.hub.process.loopback import connected as connected_by_port
    from tabwire.hub.process.loopback import proves as proves_token
    from tabwire.hub.process.sockets import LOOPBACK as LOOPBACK
    from tabwire.hub.process.sockets import Sockets as Sockets
    from tabwire.hub.process.starter import READY as HUB_READY
    from tabwire.hub.process.starter import ensure_hub as ensure_hub
    from tabwire.hub.process.starter import hub_answers as hub_answers
    from tabwire.hub.process.starter import last_failure as last_failure
    from tabwire.hub.process.starter import tell_failure as tell_failure
    from tabwire.hub.process.token import made_token as hub_token
    from tabwire.hub.process_interface import RunningHub as RunningHub
    from tabwire.hub.process_interface import ServedHub as ServedHub
    from tabwire.hub.relay.extension_files import extension_folder as extension_folder
    from tabwire.hub.relay.extension_files import extension_version as extension_version
    from tabwire.hub.remote.connection import LineLost as LineLost
    from tabwire.hub.remote.connection import NoHub as NoHub
    from tabwire.hub.remote.hub import HubStatus as HubStatus
    from tabwire.hub.remote.hub import RemoteHub as RemoteHub
    from tabwire.hub.sessions.legacy_file import PLACE as SESSIONS_FILE
    from tabwire.hub.sessions.sessions import Offered as Offered
    from tabwire.hub.sessions.sessions import TakenIn as TakenIn
    from tabwire.sites.known import HOSTS as SITE_HOSTS
    from tabwire.sites.known import NAMES as SITE_NAMES
    from tabwire.store.rows import Attempt as Attempt
    from tabwire.text.comparison import Comparison as Comparison
    from tabwire.text.comparison import compare as compare
    from tabwire.text.plain import plain as plain

__all__ = [
    "ANTIGRAVITY_SENTENCE",
    "CONFIG_FILE",
    "EXPORT_FORMATS",
    "HUB_READY",
    "LOG_LEVELS",
    "LOOPBACK",
    "PROVE_SECONDS",
    "SESSIONS_FILE",
    "SITE_HOSTS",
    "SITE_NAMES",
    "WATCH_PROFILES",
    "AgentCallbacks",
    "AskControl",
    "Asked",
    "Attempt",
    "Baseline",
    "Befell",
    "Check",
    "Comparison",
    "ConsentNeeded",
    "Ending",
    "Grew",
    "Guests",
    "Hub",
    "HubHolder",
    "HubStatus",
    "Jobs",
    "Judged",
    "Judgement",
    "Kind",
    "LineLost",
    "Listed",
    "LocalHub",
    "Moved",
    "Named",
    "NoHub",
    "NotStored",
    "Offered",
    "PageNotice",
    "Quota",
    "Ready",
    "RemoteHub",
    "Report",
    "RequestTold",
    "Rewritten",
    "RunningHub",
    "ServedHub",
    "Sessions",
    "Settings",
    "Sighting",
    "Snapshot",
    "Sockets",
    "Spent",
    "Spot",
    "StateMoved",
    "Step",
    "Stored",
    "TabInUse",
    "TakenIn",
    "ToldMessage",
    "ToldSettings",
    "Unheard",
    "Waiting",
    "Watching",
    "What",
    "Witnessed",
    "agent_event_data",
    "agree_to_antigravity",
    "apply_start_entries",
    "compare",
    "connected_by_port",
    "ensure_hub",
    "error_place",
    "extension_folder",
    "extension_version",
    "follow_agent",
    "get_log",
    "guard_command",
    "guard_hook",
    "history_line",
    "home_folder",
    "hub_answers",
    "hub_holder",
    "hub_socket",
    "hub_token",
    "last_failure",
    "local_hub",
    "log_path",
    "missing_parts",
    "open_antigravity",
    "open_hub",
    "open_log",
    "plain",
    "plan_start_entries",
    "proves_token",
    "read_files",
    "remote_hub",
    "repair_store",
    "require_consent",
    "run_hub",
    "settings",
    "sighting_data",
    "switch_antigravity",
    "tell_failure",
    "told_settings",
    "undo_start_entries",
    "unusable_home",
    "wanted_tab",
    "without_secrets",
]

__getattr__ = lazy_names(
    __name__,
    {
        "tabwire.config.home": "home_folder=home unusable_home=unusable",
        "tabwire.config.logs": "error_place=where get_log open_log",
        "tabwire.config.redaction": "without_secrets",
        "tabwire.config.settings": (
            "CONFIG_FILE=FILE LOG_LEVELS=LEVELS Settings ToldSettings=Told log_path settings "
            "told_settings"
        ),
        "tabwire.files.detection": "Kind",
        "tabwire.files.report": "Report ToldMessage read_files",
        "tabwire.hub.agents.consent": (
            "ANTIGRAVITY_SENTENCE=SENTENCE ConsentNeeded agree_to_antigravity=agree "
            "require_consent switch_antigravity=switch"
        ),
        "tabwire.hub.agents.events": (
            "AgentCallbacks=Callbacks Baseline agent_event_data=as_data follow_agent=call_back"
        ),
        "tabwire.hub.agents.launch": "open_antigravity",
        "tabwire.hub.agents.start_entries": (
            "Step apply_start_entries=apply plan_start_entries=plan undo_start_entries=undo"
        ),
        "tabwire.hub.agents.status": "Quota missing_parts",
        "tabwire.hub.agents.windows": "Spot What",
        "tabwire.hub.browsers.doctor": "Check",
        "tabwire.hub.browsers.routes": "TabInUse=InUse",
        "tabwire.hub.browsers.sightings": (
            "Asked Befell Grew Judged Listed Moved Named NotStored PageNotice Ready RequestTold "
            "Rewritten Sighting Spent StateMoved Stored Unheard Waiting Watching Witnessed "
            "sighting_data=as_data"
        ),
        "tabwire.hub.browsers.snapshot": "Snapshot=Kept",
        "tabwire.hub.browsers.tab_choice": "wanted_tab",
        "tabwire.hub.browsers.watch": "WATCH_PROFILES=PROFILES",
        "tabwire.hub.conversations.catalogue": "EXPORT_FORMATS=FORMATS",
        "tabwire.hub.guard": "Judgement guard_command=command guard_hook=hook",
        "tabwire.hub.interface": "Hub Jobs Sessions",
        "tabwire.hub.jobs.ask_runner": "AskControl",
        "tabwire.hub.jobs.history_lines": "history_line",
        "tabwire.hub.local.hub": "Guests LocalHub",
        "tabwire.hub.opening": "local_hub open_hub remote_hub",
        "tabwire.hub.process.backups": "repair_store=repair",
        "tabwire.hub.process.daemon": "Ending run_hub",
        "tabwire.hub.process.lock": "HubHolder=Holder hub_holder=holder hub_socket=socket_path",
        "tabwire.hub.process.loopback": (
            "PROVE_SECONDS connected_by_port=connected proves_token=proves"
        ),
        "tabwire.hub.process.sockets": "LOOPBACK Sockets",
        "tabwire.hub.process.starter": (
            "HUB_READY=READY ensure_hub hub_answers last_failure tell_failure"
        ),
        "tabwire.hub.process.token": "hub_token=made_token",
        "tabwire.hub.process_interface": "RunningHub ServedHub",
        "tabwire.hub.relay.extension_files": "extension_folder extension_version",
        "tabwire.hub.remote.connection": "LineLost NoHub",
        "tabwire.hub.remote.hub": "HubStatus RemoteHub",
        "tabwire.hub.sessions.legacy_file": "SESSIONS_FILE=PLACE",
        "tabwire.hub.sessions.sessions": "Offered TakenIn",
        "tabwire.sites.known": "SITE_HOSTS=HOSTS SITE_NAMES=NAMES",
        "tabwire.store.rows": "Attempt",
        "tabwire.text.comparison": "Comparison compare",
        "tabwire.text.plain": "plain",
    },
)
