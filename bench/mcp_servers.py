"""MCP servers as a client starts them, each timed from its start to its first answer."""

import json
import os
import shutil
import subprocess
import sys
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import psutil

INITIALIZE = {
    "jsonrpc": "2.0",
    "id": 0,
    "method": "initialize",
    "params": {
        "protocolVersion": "2025-11-25",
        "capabilities": {},
        "clientInfo": {"name": "bench", "version": "1"},
    },
}
HELLO = """\
from mcp.server import MCPServer

server = MCPServer("hello")

@server.tool()
def hello(name: str) -> str:
    "Greet someone."
    return f"Hello, {name}!"

server.run("stdio")
"""
PLAYWRIGHT = "@playwright/mcp@0.0.83"
END_SECONDS = 10.0


@dataclass(frozen=True, slots=True)
class Started:
    """What a start came to."""

    seconds: float
    resident_mb: float


def started(command: Sequence[str], environment: Mapping[str, str] | None = None) -> Started:
    """Start it, introduce a client, and end it when the answer is there."""
    message = json.dumps(INITIALIZE).encode() + b"\n"
    began = time.perf_counter()
    process = subprocess.Popen(
        command,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        env={**os.environ, **(environment or {})},
    )
    assert process.stdin is not None
    assert process.stdout is not None
    with process:
        process.stdin.write(message)
        process.stdin.flush()
        answer = process.stdout.readline()
        took = time.perf_counter() - began
        if b'"serverInfo"' not in answer:
            raise RuntimeError(f"{command[0]} did not answer: {answer[:200]!r}")
        resident = psutil.Process(process.pid).memory_info().rss / 1e6
        process.stdin.close()
        try:
            process.wait(END_SECONDS)
        except subprocess.TimeoutExpired:
            process.kill()
    return Started(took, resident)


def hello_world(script: str) -> list[str]:
    """The smallest server of the official SDK."""
    return [sys.executable, script]


def playwright() -> list[str] | None:
    """A server many people use, if it can be had here."""
    npx = shutil.which("npx")
    if npx is None:
        return None
    command = [npx, "--yes", PLAYWRIGHT, "--headless"]
    try:
        started(command)  # the first start fetches it
    except (RuntimeError, OSError):
        return None
    return command
