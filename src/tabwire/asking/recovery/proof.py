"""Whether a question that is found in a conversation is the one we pressed Send for. Pure.

Equal words prove nothing: the same may have been asked before, by hand or by another ask. Proof
is the name our own request gave to its question, or something that was not there before the
press: a conversation, or a turn of one. Whether it was there is told by what the page had loaded
before, and by the site's own times, brought to one clock with ours (`SiteClock`).
"""

from dataclasses import dataclass
from email.utils import parsedate_to_datetime

from tabwire.asking.prompt_match import same_prompt
from tabwire.model.ask import Press
from tabwire.model.conversation import Conversation, Role, Turn

TRIP_SECONDS = 0.3  # a response takes no longer to come here, nearly always
SKEW_SECONDS = 0.5  # between the computers of one site
MOST_KNOWN = 200  # names of conversations, and of questions, that are kept from before a press


class SiteClock:
    """How far a site's clock is ahead of ours, at least and at most; None until its responses
    told it."""

    def __init__(self) -> None:
        self.ahead: float | None = None
        self.ahead_at_most: float | None = None

    def hear(self, date: str, wall: float) -> None:
        """The `Date` of a response that came at `wall`, by our clock.

        It was that late at the site just before the response came, cut to whole seconds: of
        several, the greatest and the least are nearest to the truth.
        """
        try:
            said = parsedate_to_datetime(date).timestamp()
        except (ValueError, OverflowError):
            return
        if wall <= 0:
            return
        least, most = said - wall, said - wall + 1.0 + TRIP_SECONDS
        if self.ahead is None or self.ahead_at_most is None or least > self.ahead_at_most:
            self.ahead, self.ahead_at_most = least, most  # what is older was kept on the way
        elif most >= self.ahead:
            self.ahead = max(self.ahead, least)
            self.ahead_at_most = min(self.ahead_at_most, most)


@dataclass(frozen=True, slots=True)
class Sought:
    """The question that is looked for. `chat` is the conversation it was to be put in; None
    where that was to be a new one. `named`: the conversation that our own answer named."""

    prompt: str
    press: Press
    chat: str | None = None
    named: str | None = None

    def cannot_be_in(self, conversation_id: str) -> bool:
        """Whether a new chat of ours is surely another one than this."""
        return self.chat is None and conversation_id in self.press.conversations

    def is_in(self, conversation: Conversation, clock: SiteClock) -> bool:
        """Whether the newest question of a conversation is proven to be ours."""
        questions = questions_of(conversation)
        if not questions or not same_prompt(questions[-1].text, self.prompt):
            return False
        newest, ours = questions[-1], self.press.question_id
        if ours is not None and any(turn.id == ours for turn in conversation.turns):
            return newest.id == ours
        if self._began_with_us(conversation):
            return True
        if ours is not None:  # the site keeps these names, and has not got ours here
            return False
        if newest.id in self.press.questions or self.cannot_be_in(conversation.id or ""):
            return False
        if self.chat is not None:
            return conversation.id == self.chat and self._is_later(newest.created_at, clock)
        began = conversation.created_at
        began = newest.created_at if began is None else began
        return len(questions) == 1 and self._is_later(began, clock)

    def is_older(self, conversation: Conversation, clock: SiteClock) -> bool:
        """Whether nothing was asked in it since the press, as far as the site says."""
        questions = questions_of(conversation)
        return not (questions and self._is_later(questions[-1].created_at, clock))

    def _began_with_us(self, conversation: Conversation) -> bool:
        """Whether our own answer named it, and it was not there before."""
        named = self.named is not None and conversation.id == self.named
        return named and self.named != self.chat and not self.cannot_be_in(self.named or "")

    def _is_later(self, at: float | None, clock: SiteClock) -> bool:
        """Whether this was after the press, by the site's own clock.

        The moment of the press is known there to a second or so. What was there before it is
        known besides where that was loaded for this ask, and then the doubt speaks for us; else
        against us.
        """
        if at is None or clock.ahead is None or clock.ahead_at_most is None:
            return False
        if not self.press.fresh:
            return at >= self.press.at + clock.ahead_at_most
        slack = SKEW_SECONDS + (1.0 if at.is_integer() else 0.0)  # some sites say whole seconds
        return at + slack >= self.press.at + clock.ahead


def questions_of(conversation: Conversation) -> list[Turn]:
    """What a person asked in it, as they see it, oldest first."""
    return [turn for turn in conversation.chain() if turn.role is Role.USER and not turn.hidden]
