"""chatgpt.com: whether the newest answer is over, and whether it is whole.

The rule looks at what the person sees: the turns after their last question, on the
visible branch. An abandoned branch that is still `in_progress` does not matter, and an
old finished answer does not speak for a new question.

Whole means: a message for the person (recipient `all`, channel `final` or none), with
text or a picture, `finished_successfully` and `end_turn`. Reasoning and tool steps finish
successfully all the time, so a status alone is never proof. A message that does not say
whose it is proves nothing either.
"""

from collections.abc import Iterable

from tabwire.model.conversation import Role, Standing, Turn, TurnState

ASSISTANT_MISSING = Standing(False, False, "assistant-missing")
ASSISTANT_IN_PROGRESS = Standing(False, False, "assistant-in-progress")
TEXT_MISSING = Standing(False, True, "assistant-text-missing")
NOT_TERMINAL_TURN = Standing(False, True, "assistant-latest-text-not-terminal-turn")
STOPPED = Standing(False, True, "stopped")
FAILED = Standing(False, True, "failed")
AUTHOR_MISSING = Standing(False, True, "author-missing")

_ANSWERING = (Role.ASSISTANT, Role.TOOL, Role.UNKNOWN)


def judge(chain: Iterable[Turn]) -> Standing:
    """The standing of the newest answer on a visible chain."""
    answering: list[Turn] = []
    for turn in chain:
        if turn.role is Role.USER and not turn.hidden:
            answering.clear()
        elif turn.role in _ANSWERING:
            answering.append(turn)
    own = [turn for turn in answering if turn.role is not Role.TOOL]
    if any(turn.state is TurnState.RUNNING for turn in answering):
        return ASSISTANT_IN_PROGRESS
    if not own:
        return ASSISTANT_MISSING
    readable = [turn for turn in own if turn.is_message and not turn.hidden]
    ends = {own[-1].state, readable[-1].state if readable else own[-1].state}
    if TurnState.STOPPED in ends:
        return STOPPED
    if TurnState.FAILED in ends:
        return FAILED
    return _judge_last(readable, answering)


def _judge_last(readable: list[Turn], answering: list[Turn]) -> Standing:
    with_text = [turn for turn in readable if turn.text.strip()]
    pictured = any(turn.attachments for turn in answering)
    if not with_text and not pictured:
        return TEXT_MISSING
    last = readable[-1] if pictured and readable else with_text[-1] if with_text else None
    if last is None or not last.ends_turn:
        return NOT_TERMINAL_TURN
    if last.role is not Role.ASSISTANT:
        return AUTHOR_MISSING
    evidence = ("end_turn", "finished_successfully")
    return Standing(True, True, "terminal", evidence if with_text else (*evidence, "media"))
