"""Asks that were begun, how far they got, their answers: the statements.

Which step may follow which is one table, `FOLLOWS`. A note that comes too late moves no step,
but what else it says is kept: a conversation's id is worth having whenever it becomes known.
The state of the job follows from the step, unless somebody says it; what was cancelled stays so.
"""

import hashlib
import secrets
from collections.abc import Collection

from sqlalchemy import (
    ColumnElement,
    Row,
    Select,
    and_,
    bindparam,
    case,
    delete,
    exists,
    func,
    insert,
    not_,
    or_,
    select,
    update,
)
from sqlalchemy.engine import Connection

from tabwire.model.ask import LAB, Answer, AskRequest, Phase, Press, Step
from tabwire.model.errors import Retry
from tabwire.model.failure import LOST_CODE, Failure, exit_code_of
from tabwire.model.job import Asker, Door, JobState
from tabwire.store import search
from tabwire.store.codec import AnyText, from_json, to_json
from tabwire.store.rows import KEEP, NOBODY, UNFINISHED, Attempt, Keep, Owner
from tabwire.store.tables import ANSWERS, ATTEMPTS, REQUESTS

FOLLOWS: dict[Step, tuple[Step, ...]] = {
    Step.NEW: tuple(Step),
    Step.SENDING: (Step.SENDING, Step.SENT, Step.DONE, Step.FAILED),
    Step.SENT: (Step.SENT, Step.DONE, Step.FAILED),
    Step.DONE: (Step.DONE,),
    Step.FAILED: (Step.FAILED, Step.SENT, Step.DONE),  # it was found later all the same
}

STATE_AT = {Step.DONE: JobState.COMPLETED, Step.FAILED: JobState.FAILED}
"""Before these steps an attempt is worked on, or waits for a person if it is in trouble."""

DIGITS = "0123456789abcdefghjkmnpqrstvwxyz"  # in the order of their codes, none like another
TIME_DIGITS = 9  # milliseconds since 1970 until the year 3084
CHANCE_DIGITS = 3  # for what begins in the same millisecond

# The newest attempt is the one begun last, whatever the clocks said.
NEWEST_FIRST = ATTEMPTS.c.number.desc()

_WHOLE = select(
    ATTEMPTS, REQUESTS.c.body.label("request"), ANSWERS.c.body.label("answer")
).select_from(ATTEMPTS.join(REQUESTS).outerjoin(ANSWERS))

# Whoever asked waits for these: they are made once. The failure comes with the parameters.
_NUMBER = select(ATTEMPTS.c.number).where(ATTEMPTS.c.id == bindparam("wanted"))
_FORGET = delete(ANSWERS).where(ANSWERS.c.attempt == bindparam("of"))
_ANSWER = insert(ANSWERS)
_KEPT = (
    update(ATTEMPTS)
    .where(ATTEMPTS.c.number == bindparam("of"))
    .values(
        updated_at=bindparam("now"),
        conversation_id=func.coalesce(
            bindparam("named", type_=AnyText), ATTEMPTS.c.conversation_id
        ),
        url=func.coalesce(bindparam("where", type_=AnyText), ATTEMPTS.c.url),
    )
)
_RESTS = ATTEMPTS.c.state.in_((JobState.CANCELLED, JobState.COMPLETED))
_DONE = _KEPT.values(
    step=Step.DONE,
    # what was cancelled stays so
    state=case((_RESTS, ATTEMPTS.c.state), else_=JobState.COMPLETED),
    rested_at=case((_RESTS, ATTEMPTS.c.rested_at), else_=bindparam("now")),
)

FAILURE_COLUMNS = ("error_code", "error", "what_to_do", "retry", "resets_at", "error_debug")

_IN_LAB = f'%"browser":"{LAB}"%'
"""In the body of a request: a prompt with these words has its quotes escaped there."""

MAY_BE_SENT = or_(
    ATTEMPTS.c.step.in_((Step.SENDING, Step.SENT, Step.DONE)),
    and_(ATTEMPTS.c.step == Step.FAILED, ATTEMPTS.c.conversation_id.is_not(None)),
)
IS_UNFINISHED = and_(ATTEMPTS.c.step.in_(UNFINISHED), ATTEMPTS.c.state != JobState.CANCELLED)
HAS_CONVERSATION = ATTEMPTS.c.conversation_id.is_not(None)


def begin(
    connection: Connection,
    request: AskRequest,
    owner: Owner,
    now: float,
    *,
    again: bool,
    asker: Asker = NOBODY,
    queued: bool = False,
    done_after: float | None = None,
) -> tuple[Attempt, bool]:
    """A new row and True, or the row of the same ask and False. `queued`: for a hub to carry out.
    What the same agent asked and had answered after `done_after` is the same ask as well."""
    same = sameness(request)
    if not again:
        just = () if done_after is None else _just_answered(asker, done_after)
        named = request.client_key not in (None, asker.agent, asker.client)
        if (there := _the_same(connection, same, just, named=named)) is not None:
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
        "agent": asker.agent,
        "door": asker.door,
        "client": asker.client,
        "project": asker.project,
        "state": JobState.WORKING,
    }
    made = connection.execute(insert(ATTEMPTS).values(row)).inserted_primary_key
    number = made[0] if made else None
    if queued:
        this = ATTEMPTS.c.number == number
        connection.execute(update(ATTEMPTS).where(this).values(position=number))
    connection.execute(insert(REQUESTS).values(attempt=number, body=to_json(request)))
    search.keep(connection, number, request.prompt)
    return _first(connection, ATTEMPTS.c.number == number), True


def _just_answered(asker: Asker, after: float) -> tuple[ColumnElement[bool], ...]:
    return (
        ATTEMPTS.c.agent == asker.agent,
        ATTEMPTS.c.state == JobState.COMPLETED,
        ATTEMPTS.c.rested_at >= after,
    )


def _the_same(
    connection: Connection, same: str, just: tuple[ColumnElement[bool], ...], *, named: bool
) -> Attempt | None:
    """The newest unfinished one; else one just answered; else, where the caller gave it a name,
    the newest of all that did not end before anything was sent. The caller's own name is none of
    those: it keeps two callers apart, and each may ask the same anew another day."""
    is_same = ATTEMPTS.c.same == same
    found = newest(connection, is_same, IS_UNFINISHED)
    if found is None and just:
        found = newest(connection, is_same, *just)
    if found is None and named:
        never_sent = and_(ATTEMPTS.c.step == Step.FAILED, ATTEMPTS.c.retry == Retry.SAME)
        may = or_(ATTEMPTS.c.retry.is_(None), not_(never_sent))
        found = newest(connection, is_same, may)
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
        *((LAB,) if request.in_lab else ()),  # what the lab answers is no site's answer
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
    failure: Failure | None,
    state: JobState | None,
    press: Press | None,
    whose: Collection[Owner] = (),
) -> bool:
    """How far it got, and what became known. None changes nothing, but for the draft. False: the
    step did not move; where its owner is none of `whose`, nothing else was changed either."""
    values: dict[str, object] = {"updated_at": now}
    values |= _known(conversation_id=conversation_id, url=url)
    if press is not None:
        values["press"] = to_json(press)
    if draft is not KEEP:
        values["draft"] = draft
    before, stood, owner = _standing(connection, attempt_id)
    if whose and owner not in whose:
        return False
    if step in FOLLOWS[before]:
        values["step"] = step
        # An error is of a step. One that did not fail after all takes it away.
        if failure is not None or step is not Step.FAILED:
            values |= _failure_columns(failure)
        busy = JobState.WORKING if failure is None else JobState.INPUT_REQUIRED
        values |= _moved(stood, state or STATE_AT.get(step, busy), now)
    connection.execute(update(ATTEMPTS).where(with_id(attempt_id)).values(values))
    return step in FOLLOWS[before]


def keep(
    connection: Connection,
    attempt_id: str,
    answer: Answer,
    now: float,
    *,
    done: bool,
    failure: Failure | None,
) -> None:
    """There is an answer. A later one takes its place. `done`: whoever asked has it as well."""
    number = connection.scalar(_NUMBER, {"wanted": attempt_id})
    if number is None:
        raise KeyError(f"no attempt {attempt_id}")
    connection.execute(_FORGET, {"of": number})
    connection.execute(_ANSWER, {"attempt": number, "body": to_json(answer)})
    search.keep(connection, number, answer.prompt, answer.text)
    known = {"named": answer.conversation_id, "where": answer.url, **_failure_columns(failure)}
    connection.execute(_DONE if done else _KEPT, {"of": number, "now": now, **known})


def _moved(before: JobState, state: JobState, now: float) -> dict[str, object]:
    """What changes with the state. What was cancelled stays so."""
    if before is JobState.CANCELLED or before is state:
        return {}
    rested_at = None if state is JobState.WORKING else now
    return {"state": state, "rested_at": rested_at}


def _failure_columns(failure: Failure | None) -> dict[str, object]:
    if failure is None:
        return dict.fromkeys(FAILURE_COLUMNS)
    debug = None if failure.debug is None else to_json(failure.debug)
    values = (
        failure.code,
        failure.message,
        failure.what_to_do,
        failure.retry,
        failure.resets_at,
        debug,
    )
    return dict(zip(FAILURE_COLUMNS, values, strict=True))


def _failure(row: Row[*tuple[object, ...]]) -> Failure | None:
    if row.error is None and not row.what_to_do:
        return None
    code, retry = row.error_code or LOST_CODE, Retry(row.retry or Retry.NO)
    waits = row.state == JobState.INPUT_REQUIRED and retry is not Retry.RESUME
    return Failure(
        code=code,
        message=row.error or "its process ended before it was finished",
        what_to_do=row.what_to_do or "Ask again.",
        retry=retry,
        resets_at=row.resets_at,
        debug=None if row.error_debug is None else from_json(row.error_debug, dict[str, object]),
        exit_code=exit_code_of(code, needs_you=waits),
    )


def take_over(
    connection: Connection, attempt_id: str, owner: Owner, before: Owner, now: float
) -> bool:
    """Whether it is `owner`'s now. It is not if it was no longer `before`'s."""
    whose = (
        ATTEMPTS.c.id == attempt_id,
        ATTEMPTS.c.owner_pid == before.pid,
        ATTEMPTS.c.owner_started == before.started,
    )
    new: dict[str, object] = {"owner_pid": owner.pid, "owner_started": owner.started}
    new |= {"updated_at": now, "state": JobState.WORKING, "rested_at": None}
    return connection.execute(update(ATTEMPTS).where(*whose).values(new)).rowcount == 1


def newest(connection: Connection, *which: ColumnElement[bool]) -> Attempt | None:
    """The one begun last, of those meant."""
    found = some(connection, *which, limit=1)
    return found[0] if found else None


def some(
    connection: Connection, *which: ColumnElement[bool], limit: int | None = None
) -> list[Attempt]:
    """Those meant, newest first."""
    return those(
        connection, select(ATTEMPTS.c.number).where(*which).order_by(NEWEST_FIRST).limit(limit)
    )


def those(connection: Connection, wanted: Select[int]) -> list[Attempt]:
    """Those with these numbers, newest first: chosen before the long texts are looked at."""
    rows = connection.execute(_WHOLE.where(ATTEMPTS.c.number.in_(wanted)).order_by(NEWEST_FIRST))
    return [_attempt(row) for row in rows]


def at_site(site: str | None) -> tuple[ColumnElement[bool], ...]:
    """Those of a site, or of all."""
    return () if site is None else (ATTEMPTS.c.site == site,)


def of_lab(lab: bool | None) -> tuple[ColumnElement[bool], ...]:
    """Those asked in the lab, those asked at the sites, or all."""
    if lab is None:
        return ()
    there = exists().where(REQUESTS.c.attempt == ATTEMPTS.c.number, REQUESTS.c.body.like(_IN_LAB))
    return (there if lab else not_(there),)


def in_conversation(conversation_id: str | None) -> tuple[ColumnElement[bool], ...]:
    """Those in a conversation, or anywhere."""
    return () if conversation_id is None else (ATTEMPTS.c.conversation_id == conversation_id,)


def with_id(attempt_id: str) -> ColumnElement[bool]:
    """The one with this id."""
    return ATTEMPTS.c.id == attempt_id


def _first(connection: Connection, which: ColumnElement[bool]) -> Attempt:
    return _attempt(connection.execute(_WHOLE.where(which)).one())


def _standing(connection: Connection, attempt_id: str) -> tuple[Step, JobState, Owner]:
    there = ATTEMPTS.c
    columns = select(there.step, there.state, there.owner_pid, there.owner_started)
    row = connection.execute(columns.where(with_id(attempt_id))).first()
    if row is None:
        raise KeyError(f"no attempt {attempt_id}")
    return Step(row.step), JobState(row.state), Owner(row.owner_pid, row.owner_started)


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
        failure=_failure(row),
        answer=None if row.answer is None else from_json(row.answer, Answer),
        asker=Asker(row.agent, Door(row.door), row.client, row.project),
        state=JobState(row.state),
        position=row.position,
        carried=row.carried,
        phase=None if row.phase is None else Phase(row.phase),
        phase_at=row.phase_at,
        note=row.note,
        characters=row.characters,
        rested_at=row.rested_at,
        press=None if row.press is None else from_json(row.press, Press),
    )
