"""What the lab's Grok has stored, in the shapes its bodies want; and the chats it begins with."""

import uuid
from collections.abc import Iterator

from tabwire.lab.plan import Plan
from tabwire.lab.room import Chat, Exchange, Part, Room, Said, Standing
from tabwire.lab.speak.grok import ASSISTANT, HUMAN, SpokenChat, SpokenResponse

SITE = "grok"
MODEL = "grok-4"
NEW = "New conversation"
LONG = 60  # questions in the long chat, where nobody wants another number
PAST = 1_788_000_000.0  # the end of August 2026: before anything a tab asks


def welcome_id() -> str:
    """Where the first chat of the list is."""
    return _named("welcome")


def long_id(turns: int = LONG) -> str:
    """Where the chat of so many questions is."""
    return _named(f"long/{turns}")


def furnish(room: Room) -> None:
    """The chats that are there before anybody asks."""
    chats = room.conversations[SITE]
    chats[welcome_id()] = _chat(welcome_id(), "Welcome to the lab", [("What is this?", WELCOME)])
    long_chat(room)


def long_chat(room: Room, turns: int = LONG, named: str | None = None) -> Chat:
    """The chat of so many questions; made when it is first asked for."""
    named = named or long_id(turns)
    known = room.chat(SITE, named)
    if known is None:
        told = [(f"Question {n} of {turns}?", _long_answer(n, turns)) for n in range(1, turns + 1)]
        known = _chat(named, f"A long talk, {turns} questions", told)
        known.listed = named == long_id()
        room.conversations[SITE][named] = known
    return known


def ids_of(exchange: Exchange) -> tuple[str, str]:
    """Names of a question and of its answer that stay the same."""
    base = uuid.UUID(exchange.id)
    return str(uuid.uuid5(base, HUMAN)), str(uuid.uuid5(base, ASSISTANT))


def responses_of(chat: Chat) -> Iterator[SpokenResponse]:
    """Every response of a conversation, in order, each following the one before."""
    before: str | None = None
    for exchange in chat.exchanges:
        question_id, answer_id = ids_of(exchange)
        yield SpokenResponse(
            question_id,
            exchange.prompt,
            HUMAN,
            parent=before,
            at=exchange.asked_at,
            files=exchange.files,
        )
        yield SpokenResponse(
            answer_id,
            exchange.text,
            ASSISTANT,
            parent=question_id,
            at=answered_at(exchange),
            model=exchange.plan.model or MODEL,
            thinking="".join(exchange.thoughts),
            running=exchange.standing is Standing.RUNNING,
            # what a person stopped is stored as if it were whole
            partial=exchange.standing not in (Standing.WHOLE, Standing.STOPPED),
            tools=exchange.tools,
        )
        before = answer_id


def answered_at(exchange: Exchange) -> float:
    """The times the site states tell question and answer apart."""
    return exchange.asked_at + 0.001


def about(chat: Chat) -> SpokenChat:
    """A conversation's own object."""
    return SpokenChat(
        chat.id, chat.title or NEW, asked_at(chat), temporary=not chat.listed, project=chat.folder
    )


def asked_at(chat: Chat) -> float:
    """When it was asked in last."""
    return max((exchange.asked_at for exchange in chat.exchanges), default=0.0)


def is_x(conversation_id: str) -> bool:
    """Whether it is a conversation of x.com, which counts where grok.com draws by lot."""
    return conversation_id.isdigit()


def listed(room: Room, *, on_x: bool = False) -> list[Chat]:
    """All conversations a list shows, the one that was asked in last first."""
    chats = room.conversations[SITE].values()
    shown = [one for one in chats if one.listed and is_x(one.id) is on_x]
    return sorted(shown, key=asked_at, reverse=True)


def paged(chats: list[Chat], size: int, cursor: str | None) -> tuple[list[Chat], str | None]:
    """One page of a list, and what asks for the next: the id of the last one shown."""
    ids = [chat.id for chat in chats]
    if cursor:
        chats = chats[ids.index(cursor) + 1 :] if cursor in ids else []
    page = chats[:size]
    return page, page[-1].id if page and len(chats) > size else None


def past_exchange(prompt: str, answer: str, named: str, at: float) -> Exchange:
    """Something that was asked and answered long ago."""
    told = [Said(Part.TEXT, answer)]
    plan = Plan((answer,))
    return Exchange(prompt, plan, id=named, asked_at=at, told=[*told], standing=Standing.WHOLE)


def _chat(named: str, title: str, told: list[tuple[str, str]]) -> Chat:
    at = PAST - 60.0 * len(told)
    exchanges = [
        past_exchange(prompt, answer, _named(f"{named}/{count}"), at + 60.0 * count)
        for count, (prompt, answer) in enumerate(told)
    ]
    return Chat(named, title, exchanges)


def _named(what: str) -> str:
    return str(uuid.uuid5(uuid.NAMESPACE_URL, f"tabwire-lab/grok/{what}"))


def _long_answer(number: int, turns: int) -> str:
    more = "\n\n".join(f"Paragraph {count} of answer {number}." for count in range(1, 4))
    return f"Answer {number} of {turns}, from long ago.\n\n{more}"


WELCOME = """\
This is the **lab**: a replica that runs on your own machine. Ask anything, and an answer made \
from your words comes back the way the real site sends its own.

- A line such as `lab: story=think` in your question plays a story.
- `?lab=lang:ja` at the end of the address shows the page in Japanese.

```text
lab: pieces=200 every=0.02
```

Nothing you type leaves this machine."""
