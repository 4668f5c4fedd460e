"""One connection of a pump, as the streams of messages that the SDK serves.

A line is a message. One that is none gets an answer that says so: the SDK would drop it, and
its sender would wait for ever.
"""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress

import anyio
from anyio.streams.memory import MemoryObjectReceiveStream, MemoryObjectSendStream
from mcp.shared.message import SessionMessage
from mcp_types import INVALID_REQUEST, PARSE_ERROR, ErrorData, JSONRPCError, jsonrpc_message_adapter
from pydantic import ValidationError

MAX_LINE = 16 << 20  # as in pump.py, which refuses a longer one itself and says so

Incoming = MemoryObjectReceiveStream[SessionMessage | Exception]
Outgoing = MemoryObjectSendStream[SessionMessage]


@asynccontextmanager
async def messages(
    reader: asyncio.StreamReader, writer: asyncio.StreamWriter
) -> AsyncIterator[tuple[Incoming, Outgoing]]:
    """What comes in, and where to put what goes out, inside the block."""
    to_server, incoming = anyio.create_memory_object_stream[SessionMessage | Exception](0)
    outgoing, from_server = anyio.create_memory_object_stream[SessionMessage](0)
    async with anyio.create_task_group() as group:
        group.start_soon(_read, reader, to_server, outgoing.clone())
        group.start_soon(_write, writer, from_server)
        try:
            yield incoming, outgoing
        finally:
            group.cancel_scope.cancel()


async def _read(
    reader: asyncio.StreamReader,
    to_server: MemoryObjectSendStream[SessionMessage | Exception],
    answers: Outgoing,
) -> None:
    with suppress(anyio.BrokenResourceError, anyio.ClosedResourceError):
        async with to_server, answers:
            while line := await _line(reader):
                if line.isspace():
                    continue
                try:
                    message = jsonrpc_message_adapter.validate_json(line, by_name=False)
                except ValidationError as exc:
                    await answers.send(_refusal(exc))
                else:
                    await to_server.send(SessionMessage(message))


async def _line(reader: asyncio.StreamReader) -> bytes:
    """The next one; nothing at the end, and nothing where it would be endless."""
    try:
        return await reader.readline()
    except (ValueError, OSError):
        return b""


def _refusal(exc: ValidationError) -> SessionMessage:
    broken = any(error["type"] == "json_invalid" for error in exc.errors())
    error = (
        ErrorData(code=PARSE_ERROR, message="invalid JSON")
        if broken
        else ErrorData(code=INVALID_REQUEST, message="not a JSON-RPC message")
    )
    return SessionMessage(JSONRPCError(jsonrpc="2.0", id=None, error=error))


async def _write(
    writer: asyncio.StreamWriter, from_server: MemoryObjectReceiveStream[SessionMessage]
) -> None:
    async with from_server:
        async for one in from_server:
            # a client that left is noticed by the reader; until then its answers are dropped
            with suppress(OSError):
                text = one.message.model_dump_json(by_alias=True, exclude_unset=True)
                writer.write(text.encode() + b"\n")
                await writer.drain()
