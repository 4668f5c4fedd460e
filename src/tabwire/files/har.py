"""Every conversation in a HAR: what the browser's network panel saves.

Requests are read in the order they were made, so a stream and the stored conversation
that followed it become one. Only known hosts are looked at. Cookies and headers are
never read.
"""

import base64
import mmap
import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path

import msgspec

from tabwire.files.bodies import StreamBody
from tabwire.files.json_elements import Cut, scan_list
from tabwire.model.conversation import Conversation, Role, Turn
from tabwire.model.errors import Unreadable
from tabwire.model.problems import Problem
from tabwire.sites.known import SITES, site_of_url
from tabwire.sites.memory import Memory
from tabwire.sites.site import Reading, RequestKind, Site
from tabwire.wire.socket import SocketDecoder, SocketItem
from tabwire.wire.text import read_json

PROMPT = "-prompt"  # after an answer's id: the question its request carried
_ENTRIES = re.compile(rb'"entries"\s*:\s*\[')
_STORED = frozenset({RequestKind.CANONICAL, RequestKind.LIST, RequestKind.TITLE})
_STREAMED = frozenset({RequestKind.ANSWER, RequestKind.RESUME})


class _Post(msgspec.Struct):
    text: str | None = None


class _Request(msgspec.Struct):
    url: str
    method: str = "GET"
    postData: _Post | None = None  # noqa: N815  the HAR's own name


class _Content(msgspec.Struct):
    text: str | None = None
    encoding: str | None = None


class _Response(msgspec.Struct):
    status: int = 0
    content: _Content | None = None


class _SocketMessage(msgspec.Struct):
    type: str = ""
    data: str = ""


class _Entry(msgspec.Struct):
    request: _Request
    response: _Response | None = None
    socket: list[_SocketMessage] = msgspec.field(name="_webSocketMessages", default_factory=list)


_read_entry = msgspec.json.Decoder(_Entry).decode


class HarReader:
    """Collects the conversations of one HAR."""

    def __init__(self, memory: Memory) -> None:
        self._memory = memory
        self._told: list[_Told] = []
        self._by_topic: dict[str, StreamBody] = {}
        self._socket_messages: list[bytes] = []
        self.problems: list[Problem] = []
        self.titles: list[tuple[str, str]] = []

    def read(self, path: Path) -> Iterator[int]:
        """Read a file entry by entry; gives how far it is, so that a caller can show it."""
        with path.open("rb") as file, mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) as har:
            entries = _ENTRIES.search(har)
            if entries is None:
                raise Unreadable("a HAR file without entries")
            for element in scan_list(har, entries.end() - 1):
                if isinstance(element, Cut):
                    self.problems.append(Problem("the HAR is cut off", lossy=True))
                    return
                try:
                    self._take(_entry(element.raw))
                except ValueError as exc:
                    self.problems.append(Problem(f"unreadable HAR entry: {exc}", lossy=True))
                yield element.end

    def conversations(self) -> list[Conversation]:
        """What the requests told, in the order they were made, joined by conversation."""
        self._feed_sockets()
        found: dict[tuple[str, str], Conversation] = {}
        unnamed: list[Conversation] = []
        for told in self._told:
            reading = told.body.close() if isinstance(told.body, StreamBody) else told.body
            self._note(reading, told.site)
            for conversation in reading.conversations:
                if conversation.id is None:
                    what = f"{conversation.site}: an answer without a conversation id"
                    self.problems.append(Problem(what))
                    unnamed.append(_with_prompt(conversation, told.prompt))
                    continue
                key = (conversation.site, conversation.id)
                found[key] = _joined(found.get(key), conversation, told)
        titled = [
            replace(one, title=self._memory.title(site, named, one.title))
            for (site, named), one in found.items()
        ]
        return [*titled, *unnamed]

    def _feed_sockets(self) -> None:
        """Give the turns that went on over a socket the rest they were promised."""
        socket = SocketDecoder()
        for message in self._socket_messages:
            for record in socket.feed(message):
                if isinstance(record, SocketItem) and record.topic_id in self._by_topic:
                    self._by_topic[record.topic_id].feed(record.block)

    def _take(self, entry: _Entry) -> None:
        request = entry.request
        if entry.socket:
            self._take_socket(entry)
            return
        site = site_of_url(request.url)
        kind = site.sort_request(request.method, request.url) if site else RequestKind.FOREIGN
        if site is None or kind not in _STORED | _STREAMED:
            return
        raw = self._body(entry)
        if raw is None:
            return
        if kind in _STORED:
            self._told.append(_Told(site, site.read_body(raw, request.url, self._memory)))
            return
        posted = request.postData.text if request.postData else None
        prompt = site.prompt_in_request(posted.encode("utf-8", "surrogatepass")) if posted else None
        body = StreamBody(site, request.url, self._memory)
        body.feed(raw)
        self._by_topic |= dict.fromkeys(body.topics, body)
        told = body if body.topics else body.close()
        self._told.append(_Told(site, told, is_stream=True, prompt=prompt))

    def _take_socket(self, entry: _Entry) -> None:
        sites = SITES.values()
        if any(
            site.sort_request("GET", entry.request.url) is RequestKind.HANDOFF for site in sites
        ):
            self._socket_messages.extend(
                message.data.encode("utf-8", "surrogatepass")
                for message in entry.socket
                if message.type == "receive"
            )

    def _body(self, entry: _Entry) -> bytes | None:
        content = entry.response.content if entry.response else None
        if content is None or not content.text:
            return None
        if content.encoding != "base64":
            return content.text.encode("utf-8", "surrogatepass")
        try:
            return base64.b64decode(content.text, validate=False)
        except ValueError:
            self.problems.append(Problem("a body that is not valid base64", lossy=True))
            return None

    def _note(self, reading: Reading, site: Site) -> None:
        self.problems.extend(reading.problems)
        self.titles.extend(reading.titles)
        if reading.refusal is not None:
            refusal = reading.refusal
            self.problems.append(Problem(f"{site.name} refused: {refusal.kind} {refusal.message}"))


@dataclass(frozen=True, slots=True)
class _Told:
    """What one request told: a stream that may still go on, or a reading."""

    site: Site
    body: StreamBody | Reading
    is_stream: bool = False
    prompt: str | None = None


def _entry(raw: bytes) -> _Entry:
    try:
        return _read_entry(raw)
    except ValueError:  # half a character somewhere, or truly not an entry
        return msgspec.convert(read_json(raw), _Entry)


def _joined(known: Conversation | None, new: Conversation, told: _Told) -> Conversation:
    """A later body adds its turns; where it tells of the same turn it knows better.

    A stored conversation that knows all that was on show before is the last word on what
    is. One that does not is a page of a longer chat. A stream tells of one turn, so it
    comes after what was known, unless it tells all of that again.
    """
    if known is None:
        return _with_prompt(new, told.prompt)
    if told.is_stream and set(known.visible).isdisjoint(new.visible):
        new = _with_prompt(new, told.prompt, len(known.turns))
    elif not told.is_stream:
        known = _without_repeated(known, new)
    turns = {turn.id: turn for turn in known.turns} | {turn.id: turn for turn in new.turns}
    told_ids = {turn.id for turn in new.turns}
    before = [one for one in known.visible if one.removesuffix(PROMPT) not in told_ids]
    newest = new
    if not before:
        visible = new.visible
    elif told.is_stream:
        visible = (*known.visible, *(one for one in new.visible if one not in known.visible))
    else:
        visible, newest = _by_time(known, new, before, turns)
    return replace(
        new,
        standing=newest.standing,
        turns=tuple(turns.values()),
        visible=visible,
        title=new.title or known.title,
        model=newest.model or known.model or new.model,
        created_at=known.created_at or new.created_at,
    )


def _by_time(
    known: Conversation, new: Conversation, before: list[str], turns: dict[str, Turn]
) -> tuple[tuple[str, ...], Conversation]:
    """Two pages of a chat in their order, and the one that has its newest turn."""
    timed: list[tuple[float, str]] = []
    ends = []
    for shown in (before, new.visible):
        at = 0.0  # a turn without a time is as old as the one before it
        for turn_id in shown:
            at = turns[turn_id].created_at or at
            timed.append((at, turn_id))
        ends.append(at)
    timed.sort(key=lambda one: one[0])
    return tuple(turn_id for _, turn_id in timed), known if ends[0] > ends[1] else new


def _without_repeated(known: Conversation, stored: Conversation) -> Conversation:
    """Without questions that only their requests told, where the stored conversation has them:
    their streams told nothing that could be found in it again."""
    answered = {turn.id for turn in known.turns}
    asked = {turn.text for turn in stored.turns if turn.role is Role.USER}
    repeated = {
        turn.id
        for turn in known.turns
        if turn.id.endswith(PROMPT)
        and turn.id.removesuffix(PROMPT) not in answered
        and turn.text in asked
    }
    return replace(
        known,
        turns=tuple(turn for turn in known.turns if turn.id not in repeated),
        visible=tuple(one for one in known.visible if one not in repeated),
    )


def _with_prompt(
    conversation: Conversation, prompt: str | None, turns_before: int = 0
) -> Conversation:
    """Streams that do not repeat the question get it from the request that asked it."""
    if prompt is None or any(turn.role is Role.USER for turn in conversation.turns):
        return conversation
    first = next(iter(conversation.visible), f"answer-{turns_before}")
    turn = Turn(id=f"{first}{PROMPT}", role=Role.USER, text=prompt)
    return replace(
        conversation,
        turns=(turn, *conversation.turns),
        visible=(turn.id, *conversation.visible),
    )
