"""What the page's requests say: JSON objects, and a prompt in one of them."""

from typing import Any

from starlette.requests import Request

from tabwire.lab.room import Chat
from tabwire.sites.chatgpt.requests import conversation_id


async def object_in(request: Request) -> dict[str, Any] | None:
    """The JSON object that a request brings; None where it brings anything else."""
    try:
        said = await request.json()
    except ValueError:
        return None
    return said if isinstance(said, dict) else None


def prompt_in(body: dict[str, Any]) -> str | None:
    """What the person asks; None where nobody asks anything."""
    match body:
        case {"messages": [*_, {"author": {"role": "user"}, "content": {"parts": list(parts)}}]}:
            return "".join(part for part in parts if isinstance(part, str))
    return None


def name_in(body: dict[str, Any], chat: Chat) -> str:
    """What the page calls its question: the name it keeps, unless another one has it."""
    named = body["messages"][-1].get("id")
    taken = {exchange.asked_as for exchange in chat.exchanges}
    return named if conversation_id(named) and named not in taken else ""


def folder_in(body: dict[str, Any]) -> str:
    """The project a new chat belongs to."""
    mode = body.get("conversation_mode")
    named = mode.get("gizmo_id") if isinstance(mode, dict) else None
    return str(named or body.get("gizmo_id") or "")
