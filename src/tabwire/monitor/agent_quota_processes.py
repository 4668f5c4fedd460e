"""Which running process is Antigravity's own language server, and what its arguments tell.

Other products ship a server of the same name, so the name alone is not enough: the data folder in
its arguments, or the folder it was started from, must be Antigravity's. Of its two words for
calls `--csrf_token` is the one; the port in its arguments is another program's. Pure.
"""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import PurePosixPath, PureWindowsPath

NAMES = frozenset(
    {
        "language_server",
        "language_server.exe",
        "language_server_linux_x64",
        "language_server_linux_arm",
        "language_server_macos",
        "language_server_macos_arm",
        "language_server_windows_x64.exe",
        "language_server_windows_arm64.exe",
    }
)
"""Exact names, as the products have them."""

DATA_FOLDERS = frozenset({"antigravity", "antigravity-ide"})


@dataclass(frozen=True, slots=True)
class Process:
    """A process of this person, as the system lists it."""

    pid: int
    arguments: tuple[str, ...] = field(repr=False)
    ports: tuple[int, ...] = ()
    """Where it listens on loopback, or on all addresses."""


@dataclass(frozen=True, slots=True)
class Server:
    """A language server that may be asked. Its word stays in this process's memory."""

    pid: int
    ports: tuple[int, ...]
    csrf: str = field(repr=False)


def servers_of(processes: Iterable[Process]) -> tuple[Server, ...]:
    """Antigravity's servers among them, the newest process first."""
    found = [
        Server(one.pid, one.ports, csrf)
        for one in processes
        if is_ours(one.arguments) and (csrf := value_of(one.arguments, "--csrf_token"))
    ]
    return tuple(sorted(found, key=lambda one: one.pid, reverse=True))


def is_ours(arguments: Sequence[str]) -> bool:
    """By the exact name of the program, and by a folder of Antigravity's."""
    if not arguments or _name(arguments[0]).lower() not in NAMES:
        return False
    folder = value_of(arguments, "--app_data_dir")
    if folder:
        return _name(folder).lower() in DATA_FOLDERS
    parts = re.split(r"[\\/]", arguments[0].lower())[:-1]
    return any(re.fullmatch(r"\.?antigravity(?:[ -]ide)?(?:\.app)?", part) for part in parts)


def value_of(arguments: Sequence[str], flag: str) -> str:
    """`--flag value` or `--flag=value`; "" where there is none. The last one counts."""
    value = ""
    for at, one in enumerate(arguments):
        if one == flag and at + 1 < len(arguments) and not arguments[at + 1].startswith("--"):
            value = arguments[at + 1]
        elif one.startswith(f"{flag}="):
            value = one.partition("=")[2]
    return value


def _name(path: str) -> str:
    return PureWindowsPath(path).name if "\\" in path else PurePosixPath(path).name


# --- what each system says -------------------------------------------------------------------


def listening_of(text: str, nodes: Iterable[str]) -> tuple[int, ...]:
    """Ports in `/proc/net/tcp` or `tcp6` that listen on a socket of these nodes."""
    wanted, found = set(nodes), []
    for line in text.splitlines()[1:]:
        cells = line.split()
        if len(cells) < 10 or cells[3] != "0A" or cells[9] not in wanted:
            continue
        address, _, port = cells[1].rpartition(":")
        if address in _LOCAL:
            found.append(int(port, 16))
    return tuple(dict.fromkeys(found))


_LOCAL = frozenset(
    {
        "0100007F",
        "00000000",
        "0" * 32,
        "0" * 24 + "01000000",
        "0000000000000000FFFF00000100007F",
    }
)
"""127.0.0.1, all addresses, and the same in tcp6, as the kernel writes them."""


def listed_by_ps(text: str) -> tuple[Process, ...]:
    """`ps -axww -o pid=,command=` of macOS. Paths there may have spaces, so the program is
    looked for by its name; what follows it are arguments."""
    found = []
    for line in text.splitlines():
        pid, _, command = line.strip().partition(" ")
        name = re.search(r"(?:^|/)(language_server[\w.]*)(?= |$)", command.strip())
        if pid.isdigit() and name is not None:
            program, rest = command.strip()[: name.end()], command.strip()[name.end() :]
            found.append(Process(int(pid), (program, *rest.split())))
    return tuple(found)


def listened_by_lsof(text: str) -> tuple[int, ...]:
    """`lsof -nP -iTCP -sTCP:LISTEN -a -p PID -Fn`: lines `n127.0.0.1:4321`."""
    found = re.findall(r"^n(?:127\.0\.0\.1|\*|localhost):(\d+)$", text, re.MULTILINE)
    return tuple(dict.fromkeys(map(int, found)))


def listed_by_windows(said: object) -> tuple[Process, ...]:
    """The JSON of our question to PowerShell: pid, command line and ports of each. One process
    comes as an object, several as a list."""
    rows = said if isinstance(said, list) else [said]
    found = []
    for row in rows:
        if not isinstance(row, dict) or not isinstance(row.get("pid"), int):
            continue
        line, ports = row.get("line"), row.get("ports")
        some = ports if isinstance(ports, list) else [ports]
        found.append(
            Process(
                row["pid"],
                _windows_arguments(line if isinstance(line, str) else ""),
                tuple(one for one in some if isinstance(one, int)),
            )
        )
    return tuple(found)


def _windows_arguments(line: str) -> tuple[str, ...]:
    return tuple(quoted or plain for quoted, plain in re.findall(r'"([^"]*)"|(\S+)', line))
