"""The profile `classic`: how the design this project grew from told that an answer is over.

It looks at the page once a second and believes what it sees. We do not watch like this: a
network event or a mutation says the same hundreds of times sooner. It is kept whole, under
its name, for the day on which neither can be had.

Here: the shapes, and how a site's table of conditions is asked. Each site's own conditions,
marks and rungs are in `sites/<site>/classic.py`, the list of them in `classics.py`, the
waiting around them in `classic_wait.py`. Time is an argument; who polls is
`monitor/classic.py`.

Two limits the seed left open are drawn here. "Elapsed" counts from the first poll that saw
the new answer, because the seed waits for that answer before it begins to look for its end.
And a text counts only of the answer whose end was seen, by its number on the page.
"""

import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import msgspec

POLL_SECONDS = 1.0  # seed 001, 7
ANSWER_SECONDS = 480.0  # seed 001, 7: long and complex answers
FIRST_OUTPUT_SECONDS = 30.0  # seed 001, 9.1: until the new answer's element is there
RENDER_SECONDS = 120.0  # seed 001, 3.6: after long thinking the text comes late
RENDER_POLL_SECONDS = 0.2  # seed 001, 3.6
STUCK_SECONDS = 5.0  # seed 001, 9.3
STUCK_POLL_SECONDS = 0.5  # seed 001, 9.3


class Poll(msgspec.Struct, frozen=True, kw_only=True):
    """What one look at the page saw; beside each field the seed's name for it."""

    url: str = ""  # debug_pageUrl
    title: str = ""  # debug_pageTitle
    questions: int = 0  # userCount
    answers: int = 0  # assistantCount, modelResponseCount
    text_length: int = 0  # lastResponseTextLength, debug_lastAssistantInnerTextLen
    stop: bool = False  # hasStopButton
    send: bool = False
    send_enabled: bool = False  # sendButtonEnabled
    composer_empty: bool = False  # inputBoxEmpty; a page without composer has no empty one
    mic: bool = False  # hasMicButton
    feedback: bool = False  # hasFeedbackButtons
    generating_words: bool = False  # hasGeneratingText
    thinking_over: bool = False  # hasThinkingComplete
    skip_thinking: bool = False  # hasSkipThinkingButton
    turns: int = 0  # debug_chatgptArticlesCount
    roots: int = 0  # debug_markdownsInLast
    body_length: int = 0  # debug_bodyLen
    body_begin: str = ""  # debug_bodySnippet: the first 200 characters

    @property
    def still_generating(self) -> bool:
        """isStillGenerating: thinking may go on with no stop control in sight."""
        return (self.generating_words and not self.thinking_over) or self.skip_thinking


class Rung(msgspec.Struct, frozen=True):
    """One step of a ladder and the text found on it."""

    number: int
    what: str
    text: str = ""


class Look(msgspec.Struct, frozen=True):
    """One attempt to read the answer: the page as a poll sees it, and a text per rung."""

    poll: Poll
    rungs: tuple[Rung, ...] = ()


def read_poll(seen: Any) -> Poll:
    """What the program in the page returned from `see`."""
    return msgspec.convert(seen, Poll)


def read_look(seen: Any) -> Look:
    """What the program in the page returned from `read`."""
    return msgspec.convert(seen, Look)


@dataclass(frozen=True, slots=True)
class Step:
    """How one rung is climbed.

    `way`: `within` the elements of `css` in the answer's turn; `turn` the whole turn;
    `answer` the answer's own element; `feedback` the elements of `css` around the feedback
    button `near`; `live` the last live region; `page` everything, if everything is wanted.
    """

    number: int
    what: str
    way: str
    css: str = ""
    near: str = ""


@dataclass(frozen=True, slots=True)
class Marks:
    """What to look for in the page, as the program in the page takes it. CSS and words."""

    answer: str
    question: str
    composer: str
    send: str
    stop: str
    stop_words: tuple[str, ...]
    skip: str  # what is no text of an answer, wherever it stands
    send_words: tuple[str, ...] = ()
    turn: str = ""
    root: str = ""
    mic: str = ""
    feedback: str = ""
    generating_words: tuple[str, ...] = ()
    thinking_over: tuple[str, ...] = ()  # regular expressions, for Python and JavaScript both
    skip_words: tuple[str, ...] = ()
    steps: tuple[Step, ...] = ()


@dataclass(frozen=True, slots=True)
class Moment:
    """One poll, and what the polls before it tell about it."""

    poll: Poll
    new: bool  # more answers than before the question
    saw_stop: bool
    still_polls: int  # textStableCount: polls in a row that changed nothing of the text
    elapsed: float  # seconds since the new answer was first seen


@dataclass(frozen=True, slots=True)
class Condition:
    """One line of a site's table: when it holds, the answer is over."""

    name: str
    words: str
    holds: Callable[[Moment], bool]


@dataclass(frozen=True, slots=True)
class Decision:
    """The answer is over, and by which condition. `answer` is its number on the page."""

    site: str
    condition: str
    words: str
    elapsed: float
    answer: int
    url: str
    at: float

    @property
    def evidence(self) -> str:
        """As it stands in an answer's evidence."""
        return f"classic: {self.site} {self.condition}: {self.words}"


@dataclass(frozen=True, slots=True)
class Classic:
    """The seed's knowledge of one site."""

    site: str
    marks: Marks
    conditions: tuple[Condition, ...]
    held_back: Callable[[Poll], bool]  # while this is so no condition is even asked
    conversation_in_url: Callable[[str], str | None]
    render_seconds: float  # how long the text may lag behind the end; 0: not at all
    can_be_stuck: bool
    cut_page: Callable[[str], str] = str  # the text of a whole page, as far as it is wanted


class Conditions:
    """Feeds polls to a site's table; says once when the first line of it holds."""

    def __init__(self, classic: Classic, initial_answers: int) -> None:
        self._classic = classic
        self._initial = initial_answers
        self._saw_stop = False
        self._came: float | None = None
        self._before: tuple[int, int] | None = None
        self._still_polls = 0

    def feed(self, poll: Poll, now: float) -> Decision | None:
        """Take the next poll; the decision if it ends the answer."""
        moment = self._moment(poll, now)
        if self._classic.held_back(poll):
            return None
        for condition in self._classic.conditions:
            if condition.holds(moment):
                return Decision(
                    self._classic.site,
                    condition.name,
                    condition.words,
                    moment.elapsed,
                    poll.answers,
                    poll.url,
                    now,
                )
        return None

    def _moment(self, poll: Poll, now: float) -> Moment:
        new = poll.answers > self._initial
        self._saw_stop = self._saw_stop or poll.stop
        if new and self._came is None:
            self._came = now
        # with the number, so that the stillness of an older answer is not taken over
        text = (poll.answers, poll.text_length) if poll.text_length else None
        same = text is not None and text == self._before
        self._still_polls = self._still_polls + 1 if same else 0
        self._before = text
        elapsed = now - self._came if self._came is not None else 0.0
        return Moment(poll, new, self._saw_stop, self._still_polls, elapsed)


_UNIT = "(?:時間|分間?|秒間?|hours?|minutes?|seconds?|hrs?|mins?|secs?|h|m|s)"
_MARKER = (
    re.compile(  # "思考時間: 17s", "思考時間 1分3秒", "Thinking time: 1m 3s", "Thought for 9s"
        r"(?:思考時間|Thinking(?: time)?|Thought)\s*[:\uff1a]?\s*(?:for\s+)?"
        rf"(?:(?:約|about\s+)?\d+\s*{_UNIT}?\s*|a (?:few|couple of) seconds)+[.…]*",
        re.IGNORECASE,
    )
)


def clean(text: str) -> str:
    """The text without the lines that only say how long was thought."""
    lines = (line.rstrip() for line in text.splitlines())
    kept = "\n".join(line for line in lines if not _MARKER.fullmatch(line.strip()))
    return re.sub(r"\n{3,}", "\n\n", kept).strip("\n").rstrip()


def pick(classic: Classic, look: Look) -> Rung | None:
    """The first rung that holds a text, cleaned; a whole page is cut as the site knows."""
    whole = {step.number for step in classic.marks.steps if step.way == "page"}
    for rung in look.rungs:
        text = clean(classic.cut_page(rung.text) if rung.number in whole else rung.text)
        if text:
            return Rung(rung.number, rung.what, text)
    return None
