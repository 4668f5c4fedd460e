"""chatgpt.com: what a stream calls its conversation, its title and its model."""

from collections.abc import Mapping
from typing import Any

from tabwire.model.problems import Problem
from tabwire.model.signals import ConversationNamed, ModelNamed, Noted, Signal, TitleNamed
from tabwire.sites.chatgpt.history import NAME
from tabwire.sites.chatgpt.messages import read_model
from tabwire.sites.chatgpt.requests import conversation_id, conversation_in_url
from tabwire.sites.memory import Memory
from tabwire.sites.titles import is_generic


class Names:
    """Each name once it is known. The URL's id holds until the stream states its own."""

    def __init__(self, url: str | None, memory: Memory) -> None:
        self._memory = memory
        self.id = conversation_in_url(url or "")
        self._id_is_stated = False
        self.title: str | None = None
        self.model: str | None = None

    @property
    def is_stated(self) -> bool:
        """Whether the stream itself named its conversation."""
        return self._id_is_stated

    def conversation(self, stated: Any) -> list[Signal]:
        """Something named the conversation; a stream has only one."""
        named = conversation_id(stated)
        if named is None or (self._id_is_stated and named == self.id):
            return []
        if self._id_is_stated:
            return [Noted(Problem("two conversations in one stream; the first is used"))]
        self.id, self._id_is_stated = named, True
        self._memory.saw(NAME, named)
        return [ConversationNamed(named)]

    def called(self, title: Any) -> list[Signal]:
        """Something named its title."""
        if not isinstance(title, str) or is_generic(title) or title == self.title:
            return []
        self.title = title
        if self.id is not None:
            self._memory.learn_title(NAME, self.id, title)
        return [TitleNamed(title, self.id)]

    def answered_by(self, message: Mapping[str, Any]) -> list[Signal]:
        """A message may name its model; the first one named is the conversation's."""
        metadata = message.get("metadata")
        model = read_model(metadata) if isinstance(metadata, dict) else None
        if model is None or model == self.model:
            return []
        self.model = self.model or model
        return [ModelNamed(model)]
