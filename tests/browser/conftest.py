"""A real browser where there is one, and a temporary folder that must be empty afterwards."""

import shutil
import sys
import tempfile
from pathlib import Path

import pytest

from tabwire.browser.find import Brand, Channel, Found

ANSWERS = """#!/bin/sh
exec {python} -c '
import http.server, json, signal, sys
signal.signal(signal.SIGTERM, signal.SIG_IGN)
class Handler(http.server.BaseHTTPRequestHandler):
    def do_GET(self):
        body = json.dumps({{"Browser": "Fake/1", "Protocol-Version": "1.3",
            "webSocketDebuggerUrl": "ws://x/devtools/browser/1"}}).encode()
        self.send_response(200)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)
server = http.server.HTTPServer(("127.0.0.1", 0), Handler)
address = f"ws://127.0.0.1:{{server.server_port}}/devtools/browser/1"
print("DevTools listening on", address, file=sys.stderr, flush=True)
server.serve_forever()
'
"""


@pytest.fixture
def base(monkeypatch, tmp_path_factory):
    """The system's temporary folder for one test: short, and empty again at its end."""
    tmp_path_factory.getbasetemp()  # pytest's own is made where it should be, before we move it
    folder = Path(tempfile.mkdtemp(prefix="tw-"))
    monkeypatch.setattr(tempfile, "tempdir", str(folder))
    monkeypatch.setenv("TMPDIR", str(folder))  # for what a browser leaves there by itself
    yield folder
    left = list(folder.iterdir())
    shutil.rmtree(folder)
    assert left == []


@pytest.fixture
def program(tmp_path):
    """Write a shell script and speak of it as a browser."""

    def write(text, mode=0o755):
        path = tmp_path / "browser"
        path.write_text(text)
        path.chmod(mode)
        return Found(Brand.OTHER, Channel.STABLE, str(path))

    return write


@pytest.fixture
def answering(program) -> Found:
    """A program that answers like a browser and ends only when killed."""
    return program(ANSWERS.format(python=sys.executable))
