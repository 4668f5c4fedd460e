"""Grok on x.com: what its GraphQL answers say of a conversation and of the history.

x.com has no tree: the items of a conversation follow each other as they are listed.
"""

from typing import Any

from tabwire.model.problems import Problem
from tabwire.sites.grok.chat import NAME, Chat
from tabwire.sites.grok.fields import dict_at, dicts_at, list_at, text_at
from tabwire.sites.grok.requests import conversation_in_url
from tabwire.sites.grok.responses import Response, read_chat_item
from tabwire.sites.memory import Memory
from tabwire.sites.site import Reading
from tabwire.sites.titles import is_generic
from tabwire.sites.witness import doubts

ITEMS = ("grok_conversation_items_by_rest_id", "grokConversationItemsByRestId")
_ABOUT = ("grok_conversation_by_rest_id", "grokConversationByRestId")
_HISTORY = ("grok_conversation_history", "grokConversationHistory")


def is_grok_data(data: dict[str, Any]) -> bool:
    """Whether the `data` of a GraphQL answer is Grok's."""
    return any(key in data for key in (*ITEMS, *_ABOUT, *_HISTORY))


def read_graphql(data: dict[str, Any], url: str | None, memory: Memory) -> Reading | None:
    """What the `data` of an answer says; None where it is nothing of Grok's."""
    if history := dict_at(data, *_HISTORY):
        return _read_history(history, memory)
    if isinstance(dict_at(data, *ITEMS).get("items"), list):
        return _read_items(data, url, memory)
    return None


def _read_history(history: dict[str, Any], memory: Memory) -> Reading:
    titles: list[tuple[str, str]] = []
    for item in dicts_at(history, "items"):
        conversation_id = text_at(dict_at(item, "grokConversation", "grok_conversation"), "rest_id")
        title = text_at(item, "title")
        if conversation_id and not is_generic(title):
            titles.append((conversation_id, title))
            memory.learn_title(NAME, conversation_id, title)
    return Reading(titles=tuple(titles))


def _read_items(data: dict[str, Any], url: str | None, memory: Memory) -> Reading:
    items, problems = _usable_items(list_at(dict_at(data, *ITEMS), "items"))
    if not items:
        return Reading(problems=tuple(problems))
    stated = text_at(dict_at(data, *_ABOUT), "rest_id") or (
        conversation_in_url(url) if url else None
    )
    if stated:
        memory.saw(NAME, stated)
    else:
        problems.append(Problem("the conversation is not named: its first item's id is used"))
    conversation_id = stated or items[0].id
    chat: Chat = memory.parts(NAME, conversation_id, Chat())
    chat.line_up(items)
    title = memory.title(NAME, conversation_id, chat.title)
    conversation = chat.conversation(conversation_id, title)
    if conversation is None:
        return Reading(problems=tuple(problems))
    return Reading((conversation,), problems=(*problems, *doubts(conversation.turns)))


def _usable_items(listed: list[Any]) -> tuple[list[Response], list[Problem]]:
    items: list[Response] = []
    problems: list[Problem] = []
    for place, item in enumerate(listed):
        if item_id := text_at(item, "chat_item_id", "chatItemId"):
            items.append(read_chat_item(item, item_id))
        else:
            problems.append(Problem(f"item {place} of the conversation has no id", lossy=True))
    return items, problems
