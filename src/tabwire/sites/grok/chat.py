"""The pieces of one conversation, put together as bodies and streams tell them.

grok.com never sends a conversation whole: names and links come in one body
(response-node), texts in another (load-responses), the title in a third, the newest
answer in a stream. Each is told to the same Chat, and `conversation` reads them together.
"""

from collections.abc import Iterator
from itertools import pairwise
from typing import Any

from tabwire.model.conversation import Conversation, Role, Standing, TurnState
from tabwire.sites.grok.fields import dict_at, dicts_at, iso_seconds, text_at
from tabwire.sites.grok.responses import Response, read_response
from tabwire.sites.titles import better_title

NAME = "grok"


def unnamed_answer(question: str | None) -> str:
    """Our name for an answer of which no record has said its own id yet."""
    return f"{question}/answer" if question else "answer"


class Chat:
    """What is known of one conversation: responses with all branches, links, what runs."""

    def __init__(self) -> None:
        self.responses: dict[str, Response] = {}  # in the order they became known
        self.title: str | None = None
        self._parents: dict[str, str] = {}
        self._inflight: set[str] = set()
        self._line: list[str] = []  # x.com has no tree: its items follow each other
        self._created_at: float | None = None
        self._modified_at: float | None = None

    # What bodies tell

    def put(self, response: Response) -> None:
        """This response is now known like this; what it leaves out is kept."""
        if response.role is Role.ASSISTANT and response.is_named:
            unnamed = self.responses.pop(
                unnamed_answer(response.parent or self.parent_of(response.id)), None
            )
            if unnamed is not None:
                response.inherit(unnamed)
        older = self.responses.get(response.id)
        if older is not None and older is not response:
            response.inherit(older)
        self.responses[response.id] = response
        if response.state is TurnState.FINISHED:
            self._inflight.discard(response.id)

    def describe(self, conversation: dict[str, Any]) -> None:
        """The conversation's own object: title and times."""
        self.title = better_title(self.title, text_at(conversation, "title"))
        self._created_at = iso_seconds(conversation.get("createTime")) or self._created_at
        self._modified_at = iso_seconds(conversation.get("modifyTime")) or self._modified_at

    def link(self, body: dict[str, Any]) -> None:
        """A response-node body: who follows whom, and what is being written right now."""
        for node in dicts_at(body, "responseNodes"):
            self._link_one(node)
        if isinstance(body.get("inflightResponses"), list):
            running = [one for one in dicts_at(body, "inflightResponses") if _is_active(one)]
            self._inflight = {one_id for one in running if (one_id := text_at(one, "responseId"))}
            for one in running:
                self._link_one(one)

    def _link_one(self, node: dict[str, Any]) -> None:
        node_id, parent = text_at(node, "responseId"), text_at(node, "parentResponseId")
        if node_id and parent:
            self._parents[node_id] = parent

    def load(self, body: dict[str, Any]) -> bool:
        """A load-responses body; whether a finished answer is in it."""
        read = [
            read_response(dict_at(one, "response") or one) for one in dicts_at(body, "responses")
        ]
        responses = [response for response in read if response is not None]
        for response in responses:
            self.put(response)
        return any(response.proofs for response in responses)

    def line_up(self, items: list[Response]) -> None:
        """Items of an x.com conversation, in their order; an older page goes before."""
        known = set(self._line)
        new = list(dict.fromkeys(item.id for item in items if item.id not in known))
        for item in items:
            self.put(item)
        if self._line and new and self._is_older(new[0], self._line[0]):
            self._line = [*new, *self._line]
        else:
            self._line += new
        self._parents.update((after, before) for before, after in pairwise(self._line))

    def _is_older(self, left: str, right: str) -> bool:
        at, than = self.responses[left].created_at, self.responses[right].created_at
        return at is not None and than is not None and at < than

    def absorb(self, other: "Chat") -> None:
        """Take over what was learned before the conversation was known to be this one."""
        for response in other.responses.values():
            if response.proofs or not self.is_finished(response.id):
                self.put(response)
        self._parents.update(other._parents)
        self._inflight |= other._inflight
        self._line += [one for one in other._line if one not in self._line]
        self._parents.update((after, before) for before, after in pairwise(self._line))
        self.title = better_title(self.title, other.title)

    # What is known

    @property
    def is_bare(self) -> bool:
        """Whether no response of it is known, not even by id."""
        return not (self.responses or self._parents or self._inflight)

    def knows_any(self, ids: set[str]) -> bool:
        """Whether one of these responses belongs to this conversation."""
        own = self.responses.keys() | self._parents.keys() | set(self._parents.values())
        return not ids.isdisjoint(own | self._inflight)

    def mentioned(self) -> set[str]:
        """Every response id met so far: the responses themselves and what they answer."""
        parents = {self.parent_of(one) for one in self.responses}
        return set(self.responses) | {one for one in parents if one}

    def parent_of(self, response_id: str) -> str | None:
        """The response this one follows."""
        known = self.responses.get(response_id)
        return (known.parent if known else None) or self._parents.get(response_id)

    def is_finished(self, response_id: str) -> bool:
        """Whether this response is known whole."""
        known = self.responses.get(response_id)
        return known is not None and bool(known.proofs)

    def conversation(self, conversation_id: str | None, title: str | None) -> Conversation | None:
        """All of it in the shared shape; None where no response is known."""
        if not self.responses:
            return None
        visible = self._visible()
        times = [r.created_at for r in self.responses.values() if r.created_at is not None]
        return Conversation(
            site=NAME,
            id=conversation_id,
            standing=self._standing([self.responses[one] for one in visible]),
            title=title,
            model=self._model([self.responses[one] for one in visible]),
            turns=tuple(r.as_turn(self.parent_of(r.id)) for r in self.responses.values()),
            visible=tuple(visible),
            created_at=self._created_at or min(times, default=None),
            updated_at=self._modified_at or max(times, default=None),
        )

    def _visible(self) -> list[str]:
        """The newest leaf and what leads to it, oldest first."""
        followed = {self.parent_of(one) for one in self.responses}
        leaves = [one for one in self.responses if one not in followed] or list(self.responses)
        age: dict[str, float] = {}
        newest = leaves[0]
        for leaf in leaves:
            if self._age(leaf, age) >= self._age(newest, age):
                newest = leaf
        chain = [one for one in self._upward(newest) if one in self.responses]
        return chain[::-1]

    def way_to(self, response_id: str) -> frozenset[str]:
        """This response and all that it follows."""
        return frozenset(self._upward(response_id))

    def forget(self, response: Response) -> None:
        """This response is not what it was taken for."""
        if self.responses.get(response.id) is response:
            del self.responses[response.id]

    def _upward(self, start: str) -> Iterator[str]:
        seen: set[str] = set()
        at: str | None = start
        while at is not None and at not in seen:
            seen.add(at)
            yield at
            at = self.parent_of(at)

    def _age(self, response_id: str, known: dict[str, float]) -> float:
        """When it was created; an answer still without a time is as old as its question."""
        path: list[str] = []
        age = float("-inf")
        for one in self._upward(response_id):
            response = self.responses.get(one)
            if one in known:
                age = known[one]
                break
            path.append(one)
            if response is not None and response.created_at is not None:
                age = response.created_at
                break
        known.update(dict.fromkeys(path, age))
        return age

    def _model(self, chain: list[Response]) -> str | None:
        answered = [r.model or r.steering for r in chain if r.role is Role.ASSISTANT]
        asked_for = [r.model for r in chain if r.role is Role.USER]
        return next(filter(None, reversed(answered)), None) or next(
            filter(None, reversed(asked_for)), None
        )

    def _standing(self, chain: list[Response]) -> Standing:
        """Whether the newest answer is over and whole. The reasons are seed 003's words."""
        answer = chain[-1] if chain and chain[-1].role is Role.ASSISTANT else None
        if self._inflight:
            return Standing(False, False, "response-in-flight")
        if answer is None:
            unsigned = bool(chain) and chain[-1].role is Role.UNKNOWN
            return Standing(False, unsigned, "author-missing" if unsigned else "assistant-missing")
        if answer.state is TurnState.RUNNING:
            return Standing(False, False, "assistant-in-progress")
        if answer.state is not TurnState.FINISHED:
            return Standing(False, True, f"assistant-{answer.state}", tuple(answer.proofs))
        if not answer.has_content:
            return Standing(False, True, "assistant-text-missing", tuple(answer.proofs))
        return Standing(True, True, "terminal", tuple(answer.proofs))


def _is_active(inflight: dict[str, Any]) -> bool:
    status = text_at(inflight, "status").upper()
    return not status or status.rpartition("_")[2] == "ACTIVE"
