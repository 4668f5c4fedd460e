"""`tabwire mcp`: bytes from stdin to the hub and back, and nothing else in between.

Theory of operation. Two threads that block: this one carries what the hub says to stdout, the
other carries lines from stdin to the hub. Nothing is looked at on the way. What went by is read
afterwards, so that a pump knows two things when its hub is gone: how the client introduced
itself, and which of its requests are still open. It then finds the next hub (or starts one),
introduces the client again, keeps the answer to that to itself, and sends the open requests
again. Its first line to a hub says who it is, and since when each of those requests is open; by
that the hub finds the jobs they had begun, and asks nothing twice. The client notices nothing.

Every import is paid for by every start of every client, so there are next to none: `json` is
imported after the first answer went out, what can start a hub only when there is none.
"""

import _socket
import os
import sys
import time
from _socket import SHUT_WR, SOCK_STREAM, socket
from _thread import allocate_lock, start_new_thread

try:
    from _json import encode_basestring_ascii as quoted
except ImportError:  # a Python without it; it costs a few milliseconds there
    from json.encoder import py_encode_basestring_ascii as quoted

AF_UNIX: int = getattr(_socket, "AF_UNIX", 0)  # some Pythons on Windows have it, asyncio has not
HAS_UNIX = bool(AF_UNIX) and sys.platform != "win32"
CHUNK = 1 << 16
MAX_LINE = 16 << 20  # the hub takes no longer line; the longest prompt is 200,000 characters
LONGEST_PATH = 100  # of a socket; some systems take 104 bytes, ours moves longer ones elsewhere
LEAVE_SECONDS = 3.0  # after the end of stdin, for what is open; and for the hub to hang up
FIND_SECONDS = 30.0  # for a hub that went away to come back, or a new one to start
FIRST_SECONDS = 5.0  # for a client to introduce itself, where it can only be told why not
LOOK_SECONDS = 0.05  # between two looks for a hub that is on its way
MUTE_TRIES = 3  # hubs that hang up without a word; one more would do the same

TOO_LONG = "the message is longer than 16 MiB; send long material as a file"
KEPT = "Your questions are saved: when the hub is running again, call list_jobs."


def main() -> int:
    """Run until the client leaves, or no hub can be had; the exit code."""
    try:
        return Pump().run()
    except KeyboardInterrupt:
        return 130


class Pump:
    """One client, and whichever hub there is."""

    def __init__(self) -> None:
        self._lock = allocate_lock()  # over the four below, and never while sending
        self._hub: socket | None = None
        self._unread: list[tuple[float, bytes]] = []  # (when, line) that the client sent
        self._late: list[bytes] = []  # those among them that no hub was there for
        self._leaving = False
        self._writing = allocate_lock()
        self._gone = allocate_lock()  # held until there is nothing left to carry
        self._gone.acquire()
        self._answered = allocate_lock()  # held until nothing is open, once the client leaves
        self._answered.acquire()
        self._noting = allocate_lock()  # over what went by: both threads read it
        self._heard = False  # some hub said something
        self._introduction: bytes | None = None
        self._is_introduced: bytes | None = None
        self._introduced = False  # the client has the answer to its introduction
        self._open: dict[object, tuple[float, bytes]] = {}
        self._kept: object = None  # the id of an answer that is not for the client
        self._started = time.time()

    def run(self) -> int:
        """Carry what the hub says, from one hub after the other."""
        start_new_thread(self._carry_stdin, ())  # first of all: it hears that the client leaves
        hub = found_hub()
        if isinstance(hub, tuple):
            return self._give_up(*hub)
        self._greet(hub, [])
        mute = 0
        while True:
            heard = self._carry_hub(hub)
            with self._lock:
                self._hub = None
                if self._leaving:
                    return 0
            hub.close()
            mute = 0 if heard else mute + 1
            found = found_hub() if mute < MUTE_TRIES else why_mute()
            if isinstance(found, tuple):
                return self._give_up(*found)
            hub = found
            self._greet(hub, self._again())

    def _give_up(self, why: str, code: int) -> int:
        """Every open request is answered with the cause: it is all that a model sees of it."""
        until = time.monotonic() + FIRST_SECONDS
        self._read_lines(b"")
        while not self._introduction and not self._leaving and time.monotonic() < until:
            time.sleep(LOOK_SECONDS)  # the client's first line is on its way
            self._read_lines(b"")
        said = f"{why} {KEPT}" if self._introduced and KEPT not in why else why
        for request in self._open:
            self._refuse(request, said)
        sys.stderr.write(f"tabwire: {why}\n")
        return code

    # --- from the client -------------------------------------------------------------------

    def _carry_stdin(self) -> None:
        """Line by line, so that a hub that died holds no half of one."""
        parts: list[bytes] = []
        while chunk := from_client():
            head, newline, rest = chunk.rpartition(b"\n")
            if newline:
                whole = b"".join((*parts, head))
                parts = [rest]
                for line in whole.split(b"\n"):
                    self._send(line + b"\n")
            else:
                parts.append(chunk)
        self._send(b"".join((*parts, b"\n")))  # a last line may lack its end
        self._leave()

    def _leave(self) -> None:
        """The client has said all it has to say, and may still read: what it asked is answered
        first. One that speaks at once and leaves may be here before the first hub is."""
        with self._lock:
            self._leaving = True
        if self._is_open():
            found = self._heard  # else there is time to find a hub, or to start one
            self._answered.acquire(timeout=LEAVE_SECONDS + (0.0 if found else FIND_SECONDS))
        with self._lock:
            hub = self._hub
        if hub is not None:
            try:
                hub.shutdown(SHUT_WR)  # the hub ends the session, and hangs up
                self._gone.acquire(timeout=LEAVE_SECONDS)
            except OSError:
                pass
        os._exit(0)  # the other thread may be stuck in a write nobody reads

    def _is_open(self) -> bool:
        """Whether anything is open. The other thread says when that is over."""
        with self._noting:
            self._note_sent()
            return bool(self._open)

    def _send(self, line: bytes) -> None:
        if line.isspace():
            return
        if len(line) > MAX_LINE:
            self._refuse(read(line).get("id"), TOO_LONG)
            return
        with self._lock:
            self._unread.append((time.time(), line))
            hub = self._hub
            if hub is None:
                self._late.append(line)
        if hub is not None:  # else whoever greets the next one finds the line
            try:  # noqa: SIM105 - contextlib costs more than all the rest
                hub.sendall(line)
            except OSError:
                pass  # it is gone: the next hub is told what is open

    # --- from the hub ----------------------------------------------------------------------

    def _carry_hub(self, hub: socket) -> bool:
        """Until it hangs up; whether the client was told anything."""
        told = False
        parts: list[bytes] = []  # a line is carried whole or not at all: the hub may die in it
        while chunk := received(hub):
            self._heard = True
            head, newline, rest = chunk.rpartition(b"\n")
            if not newline:
                parts.append(chunk)
                continue
            lines = b"".join((*parts, head, newline))
            parts = [rest]
            if self._kept is not None:
                split = lines.splitlines(keepends=True)
                lines = b"".join([line for line in split if self._is_for_client(line)])
            if lines:
                self._write(lines)
                self._read_lines(lines)
                told = True
        if self._leaving:
            self._gone.release()
        return told

    def _is_for_client(self, line: bytes) -> bool:
        if self._kept is None or read(line).get("id") != self._kept:
            return True
        self._kept = None
        return False

    def _read_lines(self, from_hub: bytes) -> None:
        """What went by: the client's requests are open, the hub's answers close them."""
        with self._noting:
            self._note_sent()
            for line in from_hub.splitlines():
                # an answer has its id in front; progress, and what an answer says, is not read
                if b'"id"' in line[:64] and (request := read(line).get("id")) is not None:
                    _, opened = self._open.pop(request, (0.0, b""))
                    if opened and opened is self._introduction:
                        self._introduced = True
            if self._leaving and not self._open and self._answered.locked():
                self._answered.release()

    def _note_sent(self) -> None:
        with self._lock:
            sent, self._unread = self._unread, []
        for at, line in sent:
            self._note(at, line)

    def _note(self, at: float, line: bytes) -> None:
        message = read(line)
        method = message.get("method")
        if method == "initialize":
            self._introduction = line
        if method == "notifications/initialized":
            self._is_introduced = line
        elif method == "notifications/cancelled":
            params = message.get("params")
            self._open.pop(params.get("requestId") if isinstance(params, dict) else None, None)
        if method is not None and isinstance(message.get("id"), (int, str)):
            self._open[message["id"]] = (at, line)

    # --- a new hub -------------------------------------------------------------------------

    def _again(self) -> list[bytes]:
        """What a hub that comes after another has to hear: the introduction, and what is open."""
        with self._lock:  # at once: a line that comes now is late for this hub, too, or open
            sent, self._unread = self._unread, []
            self._late = []
        with self._noting:
            for at, line in sent:
                self._note(at, line)
        lines = []
        self._kept = None
        if self._introduced and self._introduction is not None:
            self._kept = read(self._introduction).get("id")
            lines.append(self._introduction)
            if self._is_introduced is not None:
                lines.append(self._is_introduced)
        return lines + [line for _, line in self._open.values()]

    def _greet(self, hub: socket, again: list[bytes]) -> None:
        """Say who we are, and everything this hub has not heard."""
        try:
            hub.sendall(b"".join([self._hello(), *again]))
            while self._has_late(hub):
                pass
        except OSError:
            pass  # gone again: reading from it says so too

    def _has_late(self, hub: socket) -> bool:
        """Send what came when no hub was there; from then on the client's own thread does."""
        with self._lock:
            late, self._late = self._late, []
            if not late:
                self._hub = hub
                return False
        hub.sendall(b"".join(late))
        return True

    def _hello(self) -> bytes:
        from tabwire import __version__

        agent = os.environ.get("TABWIRE_AGENT_ID") or os.environ.get("CAI_AGENT_ID") or ""
        opened = ",".join(
            f"[{request if isinstance(request, int) else quoted(str(request))},{at!r}]"
            for request, (at, _) in self._open.items()
        )
        return (
            f'{{"version":{quoted(__version__)},"cwd":{quoted(folder())},"pid":{os.getpid()},'
            f'"started":{self._started!r},"agent":{quoted(agent)},"open":[{opened}]}}\n'
        ).encode()

    def _refuse(self, request: object, why: str) -> None:
        if isinstance(request, (int, str)):
            written = request if isinstance(request, int) else quoted(request)
            error = f'{{"code":-32000,"message":{quoted(why)}}}'
            self._write(f'{{"jsonrpc":"2.0","id":{written},"error":{error}}}\n'.encode())

    def _write(self, data: bytes) -> None:
        """All of it to the client; a client that left ends us."""
        with self._writing:
            view = memoryview(data)
            try:
                while view:
                    view = view[os.write(1, view) :]
            except OSError:
                os._exit(0)


# --- where the hub is ------------------------------------------------------------------------


def found_hub() -> "socket | tuple[str, int]":
    """A line to the hub, started if there is none; where that fails, why and what to do, and the
    exit code that has."""
    try:
        return started_hub()
    except Exception as error:  # its class is not imported where a hub runs
        if not hasattr(error, "what_to_do"):
            raise
        return f"Tabwire cannot start: {error}. {error.what_to_do}", getattr(error, "exit_code", 1)


def started_hub() -> "socket | tuple[str, int]":
    """The same; raises what the settings, the home or the hub are wrong with."""
    hub = connected()
    if hub is not None:
        return hub
    from tabwire.hub import ensure_hub

    until = time.monotonic() + FIND_SECONDS
    while time.monotonic() < until:
        ensure_hub()
        hub = connected()
        if hub is not None:
            return hub
        time.sleep(LOOK_SECONDS)  # it goes away just now; its place is free in a moment
    return why_mute()


def why_mute() -> tuple[str, int]:
    """Of hubs that hang up without a word: what the last one wrote."""
    from tabwire.doors.mcp.hub_failure import last_words

    return last_words(), 1


def connected() -> socket | None:
    """A line to the hub that runs, if one does."""
    if not HAS_UNIX:
        from pathlib import Path

        from tabwire.hub import connected_by_port

        return connected_by_port(Path(socket_path()).parent)
    hub = socket(AF_UNIX, SOCK_STREAM)
    try:
        hub.connect(socket_path())
    except OSError:
        hub.close()
        return None
    return hub


def socket_path() -> str:
    """The same as `hub/process/lock.py` says, without importing it where the answer is plain."""
    home = os.environ.get("TABWIRE_HOME", "").strip()
    if not home and sys.platform == "linux":
        data = os.environ.get("XDG_DATA_HOME", "").strip()
        home = os.path.join(data or os.path.expanduser("~/.local/share"), "tabwire")
    path = os.path.join(home, "run", "mcp.sock")
    if os.path.isabs(path) and len(os.fsencode(path)) <= LONGEST_PATH:
        return path
    from tabwire.hub import hub_socket as looked_up

    return str(looked_up("mcp.sock"))


def folder() -> str:
    """Where the client works; nowhere, if that was removed meanwhile."""
    try:
        return os.getcwd()
    except OSError:
        return ""


def read(line: bytes) -> dict[str, object]:
    """A message; nothing, where it is none."""
    import json

    try:
        message = json.loads(line)
    except ValueError:
        return {}
    return message if isinstance(message, dict) else {}


def from_client() -> bytes:
    """What comes next; nothing when it left."""
    try:
        return os.read(0, CHUNK)
    except OSError:
        return b""


def received(hub: socket) -> bytes:
    """What comes next; nothing when it hung up."""
    try:
        return hub.recv(CHUNK)
    except OSError:
        return b""
