"""The shape every site has: what it offers to the rest of the house."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any, Protocol

from tabwire.model.conversation import Conversation
from tabwire.model.problems import Problem
from tabwire.model.signals import Refused, Signal
from tabwire.sites.choices import Choices
from tabwire.sites.marks import Marks
from tabwire.sites.memory import Memory
from tabwire.sites.page import Page
from tabwire.wire.text import NotJson, read_json


class RequestKind(StrEnum):
    """What a request of the page is to us."""

    ANSWER = "answer"  # its response streams an answer
    RESUME = "resume"  # its response streams the rest of an answer already begun
    HANDOFF = "handoff"  # a socket over which handed-off turns arrive
    CANONICAL = "canonical"  # its response is a stored conversation, or part of one
    HINT = "hint"  # made when a turn may be over; its answer may say whether it is
    TITLE = "title"  # its response names one conversation
    LIST = "list"  # its response lists conversations with their titles
    STOP = "stop"  # the person stops the answer
    ALLOWANCE = "allowance"  # its response says what is left of a limit, and when it is over
    IGNORED = "ignored"  # looks related and must not be taken for any of the above
    FOREIGN = "foreign"  # not this site's, or nothing we care for


class StreamReader(Protocol):
    """The bytes of one answering response, in order, to signals."""

    def feed(self, chunk: bytes) -> list[Signal]:
        """Take the next bytes, cut anywhere."""
        ...

    def close(self) -> list[Signal]:
        """No more bytes will come."""
        ...

    def conversation(self) -> Conversation | None:
        """What has been read so far, or None where no conversation is known yet."""
        ...


@dataclass(frozen=True, slots=True)
class Reading:
    """What one stored body said. `older_missing`: it begins in the middle of a conversation."""

    conversations: tuple[Conversation, ...] = ()
    titles: tuple[tuple[str, str], ...] = ()
    problems: tuple[Problem, ...] = ()
    refusal: Refused | None = None
    older_missing: bool = False


def last_object(bodies: Sequence[bytes]) -> dict[str, Any]:
    """For a site whose stored body is one JSON object."""
    try:
        body = read_json(bodies[-1]) if bodies else {}
    except NotJson:
        return {}
    return body if isinstance(body, dict) else {}


@dataclass(frozen=True, slots=True)
class Site:
    """Everything known of one site.

    `owns_body` tells from a decoded JSON value alone whether it is one of this site's
    stored bodies; `page` is data for the browser rooms. `is_conversation_id`: whether this site's
    conversations can have such an id at all. `asks_for_rest` tells from a resuming
    request's body whether only what follows is asked for; else the answer comes from its
    beginning once more. `files_in_request`: how many files an answering request carries; None
    where it cannot be told. `question_in_request`: the name it gives its question, under which
    the site keeps it, None likewise. `is_temporary`: whether it asks for a chat that is not kept,
    None likewise. `effort_in_request`: how long the model shall think.
    `is_writing`: whether the response to a request of the kind `HINT` says that the
    answer is still being written, None where it says nothing of that. `choices`: models, efforts
    and files, and where the page has them. `marks`: how its private marks in a text look, where
    it has such marks. `tells_stops`: what is stored says whether the
    person stopped it. `in_parts`: a conversation is stored in several bodies, and only all of
    them together tell it. `unwrap` makes one JSON object of the bodies that tell a conversation,
    as the site words it; `read_body` reads that as well.
    """

    name: str
    hosts: tuple[str, ...]
    sort_request: Callable[[str, str], RequestKind]
    conversation_in_url: Callable[[str], str | None]
    open_stream: Callable[[str | None, Memory], StreamReader]
    read_body: Callable[[bytes, str | None, Memory], Reading]
    owns_body: Callable[[Any], bool]
    prompt_in_request: Callable[[bytes], str | None]
    page: Page
    is_conversation_id: Callable[[str], bool] = lambda _said: True
    asks_for_rest: Callable[[bytes | None], bool] = lambda _body: False
    files_in_request: Callable[[bytes], int | None] = lambda _body: None
    is_temporary: Callable[[bytes], bool | None] = lambda _body: None
    effort_in_request: Callable[[bytes], str | None] = lambda _body: None
    question_in_request: Callable[[bytes], str | None] = lambda _body: None
    is_writing: Callable[[bytes], bool | None] = lambda _body: None
    choices: Choices = field(default_factory=Choices)
    marks: Marks | None = None
    in_parts: bool = False
    tells_stops: bool = False
    unwrap: Callable[[Sequence[bytes]], dict[str, Any]] = last_object
