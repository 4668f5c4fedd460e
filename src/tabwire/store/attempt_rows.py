"""Asks that were begun, how far they got, their answers: the statements.

Which step may follow which is one table, `FOLLOWS`. A note that comes too late moves no step,
but what else it says is kept: a conversation's id is worth having whenever it becomes known.
"""

import hashlib
import secrets

from sqlalchemy import (
    ColumnElement,
    Row,
    Select,
    and_,
    bindparam,
    delete,
    func,
    insert,
    or_,
    select,
    update,
)
from sqlalchemy.engine import Connection

from tabwire.model.ask import Answer, AskRequest, Step
from tabwire.store.codec import AnyText, from_json, to_json
from tabwire.store.rows import KEEP, UNFINISHED, Attempt, Keep, Owner
from tabwire.store.tables import ANSWERS, ATTEMPTS, REQUESTS

FOLLOWS: dict[Step, tuple[Step, ...]] = {
    Step.NEW: tuple(Step),
    Step.SENDING: (Step.SENDING, Step.SENT, Step.DONE, Step.FAILED),
    Step.SENT: (Step.SENT, Step.DONE, Step.FAILED),
    Step.DONE: (Step.DONE,),
    Step.FAILED: (Step.FAILED, Step.SENT, Step.DONE),  # it was found later all the same
}

DIGITS = "0123456789abcdefghjkmnpqrstvwxyz"  # in the order of their codes, none like another
TIME_DIGITS = 9  # milliseconds since 1970 until the year 3084
CHANCE_DIGITS = 3  # for what begins in the same millisecond

# The newest attempt is the one begun last, whatever the clocks said.
NEWEST_FIRST = ATTEMPTS.c.number.desc()

_WHOLE = select(
    ATTEMPTS, REQUESTS.c.body.label("request"), ANSWERS.c.body.label("answer")
).select_from(ATTEMPTS.join(REQUESTS).outerjoin(ANSWERS))

# Whoever asked waits for these: they are made once.
_NUMBER = select(ATTEMPTS.c.number).where(ATTEMPTS.c.id == bindparam("wanted"))
_FORGET = delete(ANSWERS).where(ANSWERS.c.attempt == bindparam("of"))
_ANSWER = insert(ANSWERS)
_KEPT = (
    update(ATTEMPTS)
    .where(ATTEMPTS.c.number == bindparam("of"))
    .values(
        updated_at=bindparam("now"),
        error_code=None,
        error=None,
        conversation_id=func.coalesce(
            bindparam("named", type_=AnyText), ATTEMPTS.c.conversation_id
        ),
        url=func.coalesce(bindparam("where", type_=AnyText), ATTEMPTS.c.url),
    )
)
_DONE = _KEPT.values(step=Step.DONE)

MAY_BE_SENT = or_(
    ATTEMPTS.c.step.in_((Step.SENDING, Step.SENT, Step.DONE)),
    and_(ATTEMPTS.c.step == Step.FAILED, ATTEMPTS.c.conversation_id.is_not(None)),
)
IS_UNFINISHED = ATTEMPTS.c.step.in_(UNFINISHED)
HAS_CONVERSATION = ATTEMPTS.c.conversation_id.is_not(None)


def begin(
    connection: Connection, request: AskRequest, owner: Owner, now: float, *, again: bool
) -> tuple[Attempt, bool]:
    """A new row and True, or the row of the same ask and False."""
    same = sameness(request)
    if not again and (there := _the_same(connection, request, same)) is not None:
        return there, False
    row = {
        "id": _new_id(connection, now),
        "site": request.site,
        "step": Step.NEW,
        "same": same,
        "owner_pid": owner.pid,
        "owner_started": owner.started,
        "created_at": now,
        "updated_at": now,
    }
    made = connection.execute(insert(ATTEMPTS).values(row)).inserted_primary_key
    number = made[0] if made else None
    connection.execute(insert(REQUESTS).values(attempt=number, body=to_json(request)))
    return _first(connection, ATTEMPTS.c.number == number), True


def _the_same(connection: Connection, request: AskRequest, same: str) -> Attempt | None:
    """The newest unfinished one; else, where the caller gave it a name, the newest of all."""
    is_same = ATTEMPTS.c.same == same
    found = newest(connection, is_same, IS_UNFINISHED)
    if found is None and request.client_key is not None:
        found = newest(connection, is_same)
    return found


def sameness(request: AskRequest) -> str:
    """Equal for two requests whose answers would be answers to the same question.

    How long somebody waits does not count, nor what may come to the front. The files do: the
    same words about another file are another question.
    """
    digest = hashlib.sha256()
    for part in (
        request.site,
        request.conversation_id,
        request.url,
        request.prompt,
        request.client_key,
        request.model,
        request.effort,
        "temporary" if request.temporary else None,
        *request.files,
    ):
        coded = b"" if part is None else part.encode("utf-8", "surrogatepass")
        digest.update(b"-;" if part is None else b"%d;" % len(coded))
        digest.update(coded)
    return digest.hexdigest()


def _new_id(connection: Connection, now: float) -> str:
    """Sorts by time, and nobody has it yet."""
    left, time = round(now * 1000), ""
    for _ in range(TIME_DIGITS):
        left, digit = divmod(left, len(DIGITS))
        time = DIGITS[digit] + time
    while True:
        made = "a" + time + "".join(secrets.choice(DIGITS) for _ in range(CHANCE_DIGITS))
        if connection.scalar(select(ATTEMPTS.c.number).where(ATTEMPTS.c.id == made)) is None:
            return made


def note(
    connection: Connection,
    attempt_id: str,
    step: Step,
    now: float,
    *,
    conversation_id: str | None,
    url: str | None,
    draft: str | Keep | None,
    error_code: str | None,
    error: str | None,
) -> None:
    """How far it got, and what became known. None changes nothing, but for the draft."""
    values: dict[str, object] = {"updated_at": now}
    values |= _known(conversation_id=conversation_id, url=url)
    if draft is not KEEP:
        values["draft"] = draft
    if step in FOLLOWS[_step_of(connection, attempt_id)]:
        values["step"] = step
        # An error is of a step. One that did not fail after all takes it away.
        errors = {"error_code": error_code, "error": error}
        values |= _known(**errors) if step is Step.FAILED else errors
    _change(connection, attempt_id, values)


def keep(
    connection: Connection, attempt_id: str, answer: Answer, now: float, *, done: bool
) -> None:
    """There is an answer. A later one takes its place. `done`: whoever asked has it as well."""
    number = connection.scalar(_NUMBER, {"wanted": attempt_id})
    if number is None:
        raise KeyError(f"no attempt {attempt_id}")
    connection.execute(_FORGET, {"of": number})
    connection.execute(_ANSWER, {"attempt": number, "body": to_json(answer)})
    known = {"named": answer.conversation_id, "where": answer.url}
    connection.execute(_DONE if done else _KEPT, {"of": number, "now": now, **known})


def take_over(
    connection: Connection, attempt_id: str, owner: Owner, before: Owner, now: float
) -> bool:
    """Whether it is `owner`'s now. It is not if it was no longer `before`'s."""
    whose = (
        ATTEMPTS.c.id == attempt_id,
        ATTEMPTS.c.owner_pid == before.pid,
        ATTEMPTS.c.owner_started == before.started,
    )
    new = {"owner_pid": owner.pid, "owner_started": owner.started, "updated_at": now}
    return connection.execute(update(ATTEMPTS).where(*whose).values(new)).rowcount == 1


def newest(connection: Connection, *which: ColumnElement[bool]) -> Attempt | None:
    """The one begun last, of those meant."""
    found = some(connection, *which, limit=1)
    return found[0] if found else None


def some(
    connection: Connection, *which: ColumnElement[bool], limit: int | None = None
) -> list[Attempt]:
    """Those meant, newest first."""
    # The rows are chosen before the long texts are looked at.
    wanted: Select[int] = (
        select(ATTEMPTS.c.number).where(*which).order_by(NEWEST_FIRST).limit(limit)
    )
    rows = connection.execute(_WHOLE.where(ATTEMPTS.c.number.in_(wanted)).order_by(NEWEST_FIRST))
    return [_attempt(row) for row in rows]


def at_site(site: str | None) -> tuple[ColumnElement[bool], ...]:
    """Those of a site, or of all."""
    return () if site is None else (ATTEMPTS.c.site == site,)


def in_conversation(conversation_id: str | None) -> tuple[ColumnElement[bool], ...]:
    """Those in a conversation, or anywhere."""
    return () if conversation_id is None else (ATTEMPTS.c.conversation_id == conversation_id,)


def with_id(attempt_id: str) -> ColumnElement[bool]:
    """The one with this id."""
    return ATTEMPTS.c.id == attempt_id


def _first(connection: Connection, which: ColumnElement[bool]) -> Attempt:
    return _attempt(connection.execute(_WHOLE.where(which)).one())


def _step_of(connection: Connection, attempt_id: str) -> Step:
    step = connection.scalar(select(ATTEMPTS.c.step).where(ATTEMPTS.c.id == attempt_id))
    if step is None:
        raise KeyError(f"no attempt {attempt_id}")
    return Step(step)


def _change(connection: Connection, attempt_id: str, values: dict[str, object]) -> None:
    connection.execute(update(ATTEMPTS).where(ATTEMPTS.c.id == attempt_id).values(values))


def _known(**values: str | None) -> dict[str, object]:
    return {name: value for name, value in values.items() if value is not None}


def _attempt(row: Row[*tuple[object, ...]]) -> Attempt:
    return Attempt(
        id=row.id,
        request=from_json(row.request, AskRequest),
        step=Step(row.step),
        owner=Owner(row.owner_pid, row.owner_started),
        created_at=row.created_at,
        updated_at=row.updated_at,
        conversation_id=row.conversation_id,
        url=row.url,
        draft=row.draft,
        error_code=row.error_code,
        error=row.error,
        answer=None if row.answer is None else from_json(row.answer, Answer),
    )
