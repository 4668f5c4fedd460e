"""Gemini the classic way: seed 001, sections 4.2, 4.3, 4.5, 5.3 and 9.3.

Everything is looked for through open shadow roots. Icons are known by the `alt` of an image
(any language); today's page draws them with `mat-icon`, so those are beside them. The seed
calls these "five conditions and a fallback"; its table has four and the fallback.
"""

from tabwire.sites.classic import Classic, Condition, Marks, Poll, Step
from tabwire.sites.gemini.page import (
    ACTION_BAR,
    ANSWER,
    CLASSIC_SEND_ENGLISH,
    CLASSIC_SEND_JAPANESE,
    CLASSIC_TEXTAREA,
    CLASSIC_TEXTBOX,
    DEEP_RESEARCH,
    LAYOUT,
    LIVE_REGION,
    SEND_ICON,
    STOP,
    STOP_ICON,
    THOUGHTS,
    THOUGHTS_CONTAINER,
    THUMB_DOWN_IMAGE,
    THUMB_UP_ICON,
    THUMB_UP_IMAGE,
)
from tabwire.sites.gemini.requests import conversation_in_url
from tabwire.sites.page import any_of

STILL_POLLS = 5  # condition 3
MANY_SECONDS = 10.0  # the fallback

CONDITIONS = (
    Condition(
        "condition 0",
        "stop control came and went, feedback buttons, a new answer",
        lambda at: at.saw_stop and not at.poll.stop and at.poll.feedback and at.new,
    ),
    Condition(
        "condition 1",
        "stop control came and went, microphone, a new answer",
        lambda at: at.saw_stop and not at.poll.stop and at.poll.mic and at.new,
    ),
    Condition(
        "condition 2",
        "stop control came and went, send enabled, composer empty, a new answer",
        lambda at: (
            at.saw_stop
            and not at.poll.stop
            and at.poll.send_enabled
            and at.poll.composer_empty
            and at.new
        ),
    ),
    Condition(
        "condition 3",
        "text the same for 5 polls, a new answer, no stop control",
        lambda at: at.still_polls >= STILL_POLLS and at.new and not at.poll.stop,
    ),
    Condition(
        "fallback",
        "more than 10 s, no stop control ever, a new answer",
        lambda at: at.elapsed > MANY_SECONDS and not at.saw_stop and at.new and not at.poll.stop,
    ),
)


def held_back(_: Poll) -> bool:
    """Nothing holds Gemini's conditions back."""
    return False


_TEXTS = "p, h1, h2, h3, h4, h5, h6, li, td, th, pre, code"
_THUMB_UP = any_of(THUMB_UP_IMAGE, THUMB_UP_ICON)

# What page.py has is taken from there; the rest is the seed's alone.
MARKS = Marks(
    answer=any_of(*LAYOUT.assistant_message),
    question=any_of(*LAYOUT.user_message),
    root="message-content",
    composer=any_of(
        CLASSIC_TEXTBOX, 'div[contenteditable="true"]:not(.ql-clipboard)', CLASSIC_TEXTAREA
    ),
    send=any_of(SEND_ICON, CLASSIC_SEND_JAPANESE, CLASSIC_SEND_ENGLISH),
    send_words=("プロンプトを送信", "送信"),
    stop=any_of(STOP, STOP_ICON),
    stop_words=("停止", "Stop"),
    mic='img[alt="mic"], mat-icon[data-mat-icon-name="mic"]',
    feedback=any_of(_THUMB_UP, THUMB_DOWN_IMAGE, 'mat-icon[data-mat-icon-name="thumb_down"]'),
    skip=any_of(
        "button",
        '[role="button"]',
        THOUGHTS,
        THOUGHTS_CONTAINER,
        DEEP_RESEARCH,
        ACTION_BAR,
        ".cdk-visually-hidden",
    ),
    steps=(
        Step(1, "around the feedback button", "feedback", _TEXTS, _THUMB_UP),
        Step(2, ANSWER.css, "answer"),
        Step(3, LIVE_REGION.css, "live", LIVE_REGION.css),
    ),
)

CLASSIC = Classic(
    site="gemini",
    marks=MARKS,
    conditions=CONDITIONS,
    held_back=held_back,
    conversation_in_url=conversation_in_url,
    render_seconds=0.0,  # seed 001, 9.1: none; its text is there when the buttons are
    can_be_stuck=True,
)
