"""The language server as a program of its own. Knows the standard library only.

It is started through a link that bears the real one's name, and shows the real one's arguments:
nobody who lists processes can tell. The first line on stdin says what to be, each further line
what to answer from now on; the end of stdin is its own end, so it never outlives who started it.
"""

import ctypes
import json
import socket
import ssl
import sys
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

SERVICE = "/exa.language_server_pb.LanguageServerService/"
HEADER = "X-Codeium-Csrf-Token"
ARG_START, ARG_END = 47, 48  # of /proc/self/stat, counted from 0
TEXT = "application/json"


def show_arguments(arguments: list[str]) -> None:
    """Write other arguments over ours. They are of the same length together (Linux only)."""
    stat = Path("/proc/self/stat")
    if not stat.exists():
        return
    fields = stat.read_text().rpartition(")")[2].split()  # from the third field on
    start, end = (int(fields[at - 2]) for at in (ARG_START, ARG_END))
    said = b"".join(one.encode() + b"\0" for one in arguments)
    if len(said) == end - start:
        ctypes.memmove(start, said, len(said))


def say(**told: Any) -> None:
    """One line for who started us."""
    print(json.dumps(told), flush=True)


class Server(ThreadingHTTPServer):
    """Answers calls that bear the right word."""

    daemon_threads = True

    def __init__(self, csrf: str, answers: dict[str, Any]) -> None:
        super().__init__(("127.0.0.1", 0), Handler)
        self.csrf = csrf
        self.answers = answers

    def handle_error(self, _request: Any, _address: Any) -> None:
        """Somebody spoke the wrong protocol, or left: not our trouble."""


class Handler(BaseHTTPRequestHandler):
    """One call."""

    server: Server
    protocol_version = "HTTP/1.1"

    def do_POST(self) -> None:
        """A call of a method."""
        length = int(self.headers.get("content-length") or 0)
        self.rfile.read(length)
        method = self.path.removeprefix(SERVICE)
        allowed = self.headers.get(HEADER) == self.server.csrf
        known = self.path.startswith(SERVICE) and method in self.server.answers
        code = 403 if not allowed else 200 if known else 404
        say(method=method, code=code)
        answer = self.server.answers[method] if code == 200 else {"code": "unavailable"}
        self._answer(code, answer)

    def do_GET(self) -> None:
        """Nothing is to be got here."""
        self._answer(405, {})

    def _answer(self, code: int, answer: Any) -> None:
        body = json.dumps(answer).encode()
        self.send_response(code)
        self.send_header("content-type", TEXT)
        self.send_header("content-length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_words: Any) -> None:
        """Nobody reads it."""


def hang_up(listening: socket.socket) -> None:
    """A port of the same process at which calls are not taken, as the real one has too."""
    while True:
        listening.accept()[0].close()


def main() -> None:
    """Serve until stdin ends."""
    told = json.loads(sys.stdin.readline())
    show_arguments(told["arguments"])
    server = Server(told["csrf"], told["answers"])
    if told["pem"]:
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(told["pem"])
        server.socket = context.wrap_socket(
            server.socket, server_side=True, do_handshake_on_connect=False
        )
    other = socket.create_server(("127.0.0.1", 0))
    threading.Thread(target=hang_up, args=(other,), daemon=True).start()
    threading.Thread(target=server.serve_forever, daemon=True).start()
    say(port=server.server_address[1])
    for line in sys.stdin:
        server.answers = json.loads(line) or server.answers
        say(answers=len(server.answers))  # and all calls before this were told before it


if __name__ == "__main__":
    main()
