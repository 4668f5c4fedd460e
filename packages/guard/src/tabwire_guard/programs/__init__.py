"""What is known of each program: one function judges one or several.

A function that says nothing allows. A program that no function knows is asked about.

registry.py       which function judges which program
index.py          in which module it is; written from the modules
verbs.py          programs whose first words say what they do, as tables
foreign_paths.py  such a program pointed at code that is not the project's

shell/, files/, network/, git/     what everybody uses
packages/, builds/, checkers/      what installs, builds and checks a project
inline/                            code in an argument
cloud/, databases/, machine/       what reaches beyond the project
cmdlets/, windows/                 PowerShell's and Windows' own
"""

from importlib import import_module

from tabwire_guard.pattern import pattern
from tabwire_guard.programs.index import ROOMS
from tabwire_guard.programs.registry import CMD, CMDLETS, PROGRAMS, Handler, Table

MODULES = pattern(
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
"""What commands of well-known modules of PowerShell are called: cmdlets/modules.py judges them."""

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
        handler = import_module(f"{__name__}.cmdlets.modules").module_command(name)
    return handler


def _found(name: str, which: str, table: Table) -> Handler | None:
    if (handler := table.get(name)) is None and (room := _WHERE[which].get(name)) is not None:
        import_module(f"{__name__}.{room}")
        handler = table.get(name)
    return handler
