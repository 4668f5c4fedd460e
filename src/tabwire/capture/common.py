"""One shape for the conversations of all sites, with every turn of every branch.

The shape is described in docs/common.schema.json and has a version: what is added leaves the
version as it is, what changes or goes away makes a new one. `read_common` gives back what
`common_form` was given, but for characters and numbers that no JSON file can hold.
"""

import math
from typing import Any

import msgspec

from tabwire.model.captured import TitleFrom
from tabwire.model.conversation import Conversation, Role, Standing, Turn
from tabwire.sites.links import linked
from tabwire.sites.marks import Marks
from tabwire.wire.text import showable

FORMAT = "tabwire-conversation"
VERSION = 1


def common_form(
    conversation: Conversation,
    *,
    url: str | None = None,
    title_from: TitleFrom = TitleFrom.NOBODY,
    marks: Marks | None = None,
) -> dict[str, Any]:
    """A conversation in our own words. `marks` are those that its site puts into texts."""
    standing = conversation.standing
    return {
        "format": FORMAT,
        "version": VERSION,
        "site": conversation.site,
        "conversation_id": _text(conversation.id),
        "url": url,
        "title": _text(conversation.title),
        "title_from": str(title_from) or None,
        "model": _text(conversation.model),
        "created_at": _number(conversation.created_at),
        "updated_at": _number(conversation.updated_at),
        "complete": standing.complete,
        "terminal": standing.terminal,
        "reason": showable(standing.reason),
        "evidence": [showable(one) for one in standing.evidence],
        "shown": [showable(turn.id) for turn in conversation.shown()],
        "chain": [showable(one) for one in conversation.visible],
        "turns": [turn_form(turn, marks) for turn in conversation.turns],
    }


def turn_form(turn: Turn, marks: Marks | None = None) -> dict[str, Any]:
    """One turn: its text as the site sent it, and as a person reads it where that is another."""
    read, _ = linked(turn.text, turn.references, marks)
    is_other = turn.role is not Role.USER and read != turn.text
    return {
        "id": showable(turn.id),
        "parent": _text(turn.parent),
        "role": str(turn.role),
        "text": showable(turn.text),
        "shown_text": showable(read) if is_other else None,
        "thinking": _text(turn.thinking),
        "attachments": [
            {"kind": showable(one.kind), "ref": showable(one.ref), "name": _text(one.name)}
            for one in turn.attachments
        ],
        "references": [
            {
                "mark": showable(one.mark),
                "words": showable(one.words),
                "citations": [
                    {
                        "url": showable(cited.url),
                        "title": showable(cited.title),
                        "publisher": showable(cited.publisher),
                    }
                    for cited in one.citations
                ],
            }
            for one in turn.references
        ],
        "model": _text(turn.model),
        "created_at": _number(turn.created_at),
        "updated_at": _number(turn.updated_at),
        "state": str(turn.state),
        "ends_turn": turn.ends_turn,
        "hidden": turn.hidden,
        "is_message": turn.is_message,
    }


def read_common(form: Any) -> Conversation:
    """What `common_form` was given. Raises ValueError for anything else."""
    if not isinstance(form, dict) or form.get("format") != FORMAT:
        raise ValueError("not a conversation in the common form")
    if form.get("version") != VERSION:
        raise ValueError(f"version {form.get('version')!r} of the common form is not supported")
    try:
        return Conversation(
            site=form["site"],
            id=form["conversation_id"],
            standing=Standing(
                form["complete"], form["terminal"], form["reason"], tuple(form["evidence"])
            ),
            title=form["title"],
            model=form["model"],
            turns=tuple(msgspec.convert(turn, Turn) for turn in form["turns"]),
            visible=tuple(form["chain"] if "chain" in form else form["shown"]),
            created_at=form["created_at"],
            updated_at=form["updated_at"],
        )
    except (KeyError, TypeError, msgspec.ValidationError) as exc:
        raise ValueError(f"a damaged conversation: {exc}") from exc


def _text(text: str | None) -> str | None:
    return None if text is None else showable(text)


def _number(seconds: float | None) -> float | None:
    return seconds if seconds is not None and math.isfinite(seconds) else None
