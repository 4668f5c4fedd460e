"""The line of pumps where there are no Unix sockets, on Windows: a port, and a secret.

A port is within reach of everybody on this machine, and when a hub is gone another program may
have its number. So before anything else is said both sides prove that they have read the file
`run/mcp.port`, which is for its owner alone. The secret itself is never sent.

Used by the pump, so next to nothing is imported.
"""

import hmac
import os
import secrets
from _socket import AF_INET, SOCK_STREAM, socket
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import asyncio

FILE = "mcp.port"
LOOPBACK = "127.0.0.1"
MAX_LINE = 256
PROVE_SECONDS = 5.0  # a program that proves nothing is hung up on


def write_down(folder: Path, port: int) -> tuple[Path, str]:
    """Where pumps find the port; the file, and the secret that is new with it."""
    path, secret = folder / FILE, secrets.token_hex(32)
    path.unlink(missing_ok=True)
    file = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    with os.fdopen(file, "w") as out:
        out.write(f"{port} {secret}\n")
    return path, secret


def connected(folder: Path) -> socket | None:
    """A pump's line to the hub whose file lies there; None where no hub proves to be it."""
    try:
        port, _, secret = (folder / FILE).read_text().strip().partition(" ")
        number = int(port)
    except (OSError, ValueError):
        return None
    line = socket(AF_INET, SOCK_STREAM)
    try:
        line.settimeout(PROVE_SECONDS)
        line.connect((LOOPBACK, number))
        nonce = secrets.token_hex(32)
        line.sendall(f"{nonce}\n".encode())
        theirs, _, said = _line(line).partition(" ")
        if theirs and hmac.compare_digest(said, _proof(secret, "hub", nonce, theirs)):
            line.sendall(f"{_proof(secret, 'pump', nonce, theirs)}\n".encode())
            line.settimeout(None)
            return line
    except (OSError, OverflowError):  # nobody there, or no number of a port
        pass
    line.close()
    return None


async def proves(
    secret: str, reader: "asyncio.StreamReader", writer: "asyncio.StreamWriter"
) -> bool:
    """Whether who came to the hub has read the file; it is told that we have, first."""
    nonce = (await reader.readline())[:MAX_LINE].decode("ascii", "replace").strip()
    ours = secrets.token_hex(32)
    if not nonce:
        return False
    writer.write(f"{ours} {_proof(secret, 'hub', nonce, ours)}\n".encode())
    said = (await reader.readline())[:MAX_LINE].decode("ascii", "replace").strip()
    return hmac.compare_digest(said, _proof(secret, "pump", nonce, ours))


def _proof(secret: str, who: str, nonce: str, ours: str) -> str:
    text = f"tabwire-mcp|{who}|{nonce}|{ours}"
    return hmac.digest(secret.encode(), text.encode(), "sha256").hex()


def _line(line: socket) -> str:
    """The next one, and nothing behind it."""
    said = b""
    with suppress(OSError):
        while len(said) < MAX_LINE and not said.endswith(b"\n"):
            one = line.recv(1)  # a byte at a time: what follows is the client's
            if not one:
                return ""
            said += one
    return said.decode("ascii", "replace").strip()
