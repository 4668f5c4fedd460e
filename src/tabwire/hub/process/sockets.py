"""Where the hub listens: two sockets in the run folder, and one port on the loopback.

All three are bound first of all, before anything heavy is imported: whoever comes meanwhile
waits in the line and is answered, in place of being sent away.
"""

import os
import socket
import sys
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path

from tabwire.config.home import run_folder
from tabwire.hub.process.lock import HubRunsAlready, socket_path
from tabwire.hub.process.loopback import write_down
from tabwire.model.errors import TabwireError

MCP, API = "mcp.sock", "hub.sock"
LOOPBACK = "127.0.0.1"
BACKLOG = 256  # doors that may wait while the hub is still starting
KNOCK_SECONDS = 1.0  # a listening socket on this machine answers at once
HAS_UNIX = hasattr(socket, "AF_UNIX") and sys.platform != "win32"  # asyncio has none on Windows


class PortInUse(TabwireError):
    """Another program listens there."""

    def __init__(self, port: int) -> None:
        super().__init__(
            f"port {port} on {LOOPBACK} is in use by another program",
            what_to_do="Stop that program, or set another `port`; 0 lets the system choose.",
        )
        self.port = port


@dataclass(slots=True)
class Sockets:
    """All listen. Where there are no Unix sockets, `mcp` is another port, with a secret."""

    tcp: socket.socket
    mcp: socket.socket | None = None
    api: socket.socket | None = None
    paths: list[Path] = field(default_factory=list)
    mcp_secret: str = ""
    port_wanted: int = 0

    @property
    def port(self) -> int:
        """The one on the loopback."""
        number: int = self.tcp.getsockname()[1]
        return number

    def close(self) -> None:
        """Send away whoever comes now; the paths are free."""
        for path in self.paths:
            path.unlink(missing_ok=True)
        for one in (self.mcp, self.api, self.tcp):
            if one is not None:
                one.close()


def open_sockets(port: int, *, or_another: bool = False) -> Sockets:
    """Listen at all three. Only the holder of the hub's lock may do this.

    `or_another`: a port that is in use is no reason to stop, the system gives another.
    """
    sockets = Sockets(_tcp(port, or_another), port_wanted=port)
    try:
        if HAS_UNIX:
            sockets.mcp = _unix(MCP, sockets.paths)
            sockets.api = _unix(API, sockets.paths)
        else:
            sockets.mcp = _tcp(0, False)
            port = sockets.mcp.getsockname()[1]
            path, sockets.mcp_secret = write_down(run_folder(), port)
            sockets.paths.append(path)
    except BaseException:
        sockets.close()
        raise
    return sockets


def knock(path: Path) -> bool:
    """Whether somebody listens there."""
    with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as knocking:
        knocking.settimeout(KNOCK_SECONDS)
        try:
            knocking.connect(os.fspath(path))
        except OSError:
            return False
        return True


def _tcp(port: int, or_another: bool) -> socket.socket:
    listening = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
    try:
        if os.name == "posix":  # elsewhere it would let two programs share the port
            listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            listening.bind((LOOPBACK, port))
        except OSError as exc:
            if not or_another:
                raise PortInUse(port) from exc
            listening.bind((LOOPBACK, 0))
        listening.listen(BACKLOG)
        listening.setblocking(False)
    except BaseException:
        listening.close()
        raise
    return listening


def _unix(name: str, made: list[Path]) -> socket.socket:
    path = socket_path(name, make=True)
    if knock(path):  # somebody removed the lock of a hub that runs
        raise HubRunsAlready(0)
    with suppress(FileNotFoundError):
        path.unlink()
    listening = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
    mask = os.umask(0o177)  # from its first moment on it is for its owner alone
    try:
        listening.bind(os.fspath(path))
        made.append(path)
    except BaseException:
        listening.close()
        raise
    finally:
        os.umask(mask)
    listening.listen(BACKLOG)
    listening.setblocking(False)
    return listening
