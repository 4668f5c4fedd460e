"""Requests to a running lab over TLS and HTTP/1.1, with any head one likes."""

import asyncio
import json
import ssl
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass

from tabwire.lab.home import HOST
from tabwire.lab.serve import Lab

SOON = 10.0  # seconds: everything here takes less than one


@dataclass(frozen=True, slots=True)
class Answer:
    status: int
    headers: dict[str, str]
    body: bytes

    def json(self):
        return json.loads(self.body)


@asynccontextmanager
async def opened(lab: Lab, line: str, body: bytes = b"", **headers: str) -> AsyncIterator:
    """The status, the headers, and the reader that stands after them."""
    context = ssl.create_default_context()
    context.check_hostname, context.verify_mode = False, ssl.CERT_NONE
    context.set_alpn_protocols(["http/1.1"])
    reader, writer = await asyncio.open_connection("127.0.0.1", lab.port, ssl=context)
    try:
        said = {"host": HOST, "content-length": str(len(body)), "connection": "close", **headers}
        head = "".join(f"{name.replace('_', '-')}: {value}\r\n" for name, value in said.items())
        writer.write(f"{line} HTTP/1.1\r\n{head}\r\n".encode() + body)
        first, *rest = (await reader.readuntil(b"\r\n\r\n")).decode().splitlines()
        pairs = (one.split(": ", 1) for one in rest if one)
        yield int(first.split()[1]), {name.lower(): value for name, value in pairs}, reader
    finally:
        writer.transport.abort()
        with suppress(OSError):
            await writer.wait_closed()


async def asked(lab: Lab, line: str, body: bytes = b"", **headers: str) -> Answer:
    """One whole answer."""
    async with asyncio.timeout(SOON), opened(lab, line, body, **headers) as (status, said, reader):
        if "content-length" in said:
            return Answer(status, said, await reader.readexactly(int(said["content-length"])))
        return Answer(status, said, await reader.read())
