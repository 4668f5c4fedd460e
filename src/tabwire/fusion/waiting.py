"""The answer to "why is it still waiting?", in words."""

from tabwire.fusion.readiness import RetryPlan
from tabwire.fusion.table import LIVING, State
from tabwire.fusion.verdict import Judgement, Readiness
from tabwire.fusion.watches import StreamWatch


def why_waiting(
    state: State,
    judgement: Judgement,
    readiness: Readiness,
    stream: StreamWatch,
    plan: RetryPlan,
    *,
    quiet_seconds: float,
    now: float,
) -> str:
    """One or two sentences a person understands."""
    if judgement is not Judgement.OPEN:
        return f"The answer is {judgement} ({state}). {_conversation(state, readiness, plan, now)}"
    return f"{_answer(state, stream, quiet_seconds)} {_next(plan, now)}".strip()


def _answer(state: State, stream: StreamWatch, quiet_seconds: float) -> str:
    quiet = f"nothing has arrived for {quiet_seconds:.1f} s"
    if stream.closed:
        return f"The stream closed without an end of turn ({state}); {quiet}."
    if stream.handed_to is not None:
        return f"The turn was handed off ({stream.handed_to}) and has not ended; {quiet}."
    match state:
        case State.IDLE:
            return "No prompt has been sent."
        case State.PROMPT_SENT:
            return f"The prompt was sent; {quiet}."
        case State.STREAMING:
            return f"The answer is being written and has not ended; {quiet}."
        case _:
            return f"There are signs of the end, but it is not proven ({state}); {quiet}."


def _conversation(state: State, readiness: Readiness, plan: RetryPlan, now: float) -> str:
    if readiness.ready:
        return "The conversation is ready to save."
    if state not in LIVING and not plan.running:
        return "Nothing is awaited."
    reasons = ", ".join(readiness.reasons)
    return f"The conversation is not ready to save: {reasons}. {_next(plan, now)}".strip()


def _next(plan: RetryPlan, now: float) -> str:
    if plan.next_at is None:
        return "No re-read is planned." if plan.exhausted else ""
    return f"Next step of the re-reads in {max(0.0, plan.next_at - now):.1f} s."
