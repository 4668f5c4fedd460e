"""What is known of each program: one function judges one or several.

A function that says nothing allows. A program that no function knows is asked about.

registry.py    which function judges which program; index.py: in which room
reading*.py    looking at files and text; listing.py: ls; searching*.py: grep, find, xargs
text.py        awk and sed, which have programs in their arguments; text_*.py: what those do
decoding.py    base64, xxd and others whose output may be a payload
files.py       making, copying, deleting; archives.py: tar and zip
builtins.py    what bash does itself; running.py: programs that run other programs
shells.py      sh -c, and what is piped into a shell
inline.py      python -c; inline_languages.py: node -e and its like; other inline_*.py: what
               their code may do; editors.py: programs whose options can run anything
git.py         git, by subcommand; git_settings.py: settings that run programs
network.py     what talks to other machines; remote.py: ssh, scp, rsync
system.py      disks, users, services, firewalls, schedules; desktop.py: windows, other agents
packages*.py, npm.py, bun.py, runners.py, builds*.py    what installs, builds and runs a project;
               foreign.py: such a program pointed at code that is not the project's;
               fetching.py: what `npx` and `uvx` run, where packages come from
checkers*.py, compilers.py      linters, formatters, type checkers, test runners
containers*.py, clusters.py, machines.py, cloud*.py      what runs elsewhere
devices.py     phones and boards; papers.py: documents, drawings, notebooks, data
databases.py, sql*.py, stores.py, migrations.py         databases
cmdlets*.py    PowerShell's own commands; windows_*.py: those of cmd and of Windows
verbs.py, checking.py, parameters.py, switches.py       how tables of them are read
"""

import re
from importlib import import_module

from tabwire.guard.programs.index import ROOMS
from tabwire.guard.programs.registry import CMD, CMDLETS, PROGRAMS, Handler, Table

MODULES = re.compile(
    r"[a-z]+-(?:az[a-z]\w+|mg[a-z]\w+|aad\w+|azuread\w+|ec2\w*|s3\w*|iam\w*|rds\w+|sts\w+|lm\w+"
    r"|ad(?:user|group|computer|domain|forest|object|organizationalunit|principal|serviceaccount"
    r"|trust|rootdse|account|replication|defaultdomain|finegrained|optionalfeature)\w*"
    r"|vm(?:host|switch|network|memory|processor|snapshot|checkpoint|harddisk|dvd)?\w*|vhd\w*"
    r"|smb\w+|dnsserver\w+|dnsclient\w*|dhcpserver\w+|iis\w+|website\w*|webapplication|webbinding"
    r"|webapppool\w*|webvirtualdirectory|wsus\w+|cluster(?:group|node|resource|sharedvolume)?"
    r"|net(?:adapter|connection|firewall|ip|tcp|udp|nat|qos|lbfo|offload|event)\w*"
    r"|(?:exo)?mailbox\w*|exo\w+|distributiongroup\w*|transportrule|casmailbox"
    r"|sql(?:database|instance|agent\w*|login|backup\w*|cmd)|storage(?:pool|job|subsystem|node)"
    r"|virtualdisk|disk(?:image|storage\w*)|windows(?:driver|package|edition|image)"
    r"|appx\w+|mp(?:threat\w*|scan\w*)|tpm\w*|pnpdevice\w*|print(?:er\w*|job)|hns\w+)"
)
"""What commands of well-known modules of PowerShell are called: cmdlets_modules.py judges them."""

_WHERE: dict[str, dict[str, str]] = {
    table: {name: room for room, names in rooms.items() for name in names.split()}
    for table, rooms in ROOMS.items()
}
_OWN: dict[str, tuple[str, Table]] = {"powershell": ("CMDLETS", CMDLETS), "cmd": ("CMD", CMD)}


def known_program(name: str, shell: str) -> Handler | None:
    """The function that judges that program, if one does; its room is imported when needed."""
    if shell in _OWN and (handler := _found(name, *_OWN[shell])) is not None:
        return handler
    handler = _found(name, "PROGRAMS", PROGRAMS)
    if handler is None and shell == "powershell" and MODULES.fullmatch(name):
        handler = import_module(f"{__name__}.cmdlets_modules").module_command(name)
    return handler


def _found(name: str, which: str, table: Table) -> Handler | None:
    if (handler := table.get(name)) is None and (room := _WHERE[which].get(name)) is not None:
        import_module(f"{__name__}.{room}")
        handler = table.get(name)
    return handler
