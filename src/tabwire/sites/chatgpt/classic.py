"""ChatGPT the classic way: seed 001, sections 3.2, 3.3, 3.4, 3.6 and 3.7.

The marks are the seed's, with those that later layouts have in their place beside them, so
that the profile still works where the seed's own would count nothing. Condition 4 does not
ask for the stop control: the seed does not; the text is read once it is gone all the same.

Known weak, as in the seed: the words are looked for in the whole page, so a question that
contains "Skip thinking" holds everything back until the time is over. Unlike the seed,
thinking is never unfolded by a click.
"""

from tabwire.sites.chatgpt.page import (
    CLASSIC_ANSWER,
    CLASSIC_ANSWER_TURN,
    CLASSIC_EDITOR,
    CLASSIC_QUESTION,
    CLASSIC_SEND,
    CLASSIC_STOP,
    CLASSIC_STOP_ANSWERING,
    CLASSIC_STOP_IN_COMPOSER,
    CLASSIC_STOP_STREAMING,
    CLASSIC_TEXTAREA,
    OCTANE,
    OCTANE_QUESTION,
    OCTANE_STOP,
    OCTANE_TEXTAREA,
    PROMPT_TEXTAREA,
    SEND_IN_JAPANESE,
    TURN_KEY,
    TURN_KEY_QUESTION,
    TURN_KEY_QUESTION_OTHER,
    TURN_KEY_SUBMIT,
    TURN_KEY_TEXTBOX,
)
from tabwire.sites.chatgpt.requests import conversation_in_url
from tabwire.sites.classic import RENDER_SECONDS, Classic, Condition, Marks, Poll, Step
from tabwire.sites.page import any_of

SOME_SECONDS = 5.0  # condition 3
MANY_SECONDS = 10.0  # condition 4

CONDITIONS = (
    Condition(
        "condition 1",
        "no stop control, send enabled, a new answer",
        lambda at: not at.poll.stop and at.poll.send and at.poll.send_enabled and at.new,
    ),
    Condition(
        "condition 2",
        "stop control came and went, a new answer, composer empty",
        lambda at: at.saw_stop and not at.poll.stop and at.new and at.poll.composer_empty,
    ),
    Condition(
        "condition 3",
        "5 s without stop control, composer empty, nothing says it still writes, a new answer",
        lambda at: (
            at.elapsed >= SOME_SECONDS
            and not at.poll.stop
            and at.poll.composer_empty
            and not at.poll.still_generating
            and at.new
        ),
    ),
    Condition(
        "condition 4",
        "10 s, nothing says it still writes or thinks, a new answer, composer empty",
        lambda at: (
            at.elapsed >= MANY_SECONDS
            and not at.poll.still_generating
            and not at.poll.skip_thinking
            and at.new
            and at.poll.composer_empty
        ),
    ),
)


def held_back(poll: Poll) -> bool:
    """While thinking can be skipped, what stands there is a state on the way (3.7)."""
    return poll.skip_thinking


# What page.py has is taken from there. The rest is the seed's alone: looser than ours (no `form`
# around Send), or for a page that is gone (`article`).
MARKS = Marks(
    answer=any_of(CLASSIC_ANSWER, *TURN_KEY.assistant_message, *OCTANE.assistant_message),
    question=any_of(CLASSIC_QUESTION, TURN_KEY_QUESTION, TURN_KEY_QUESTION_OTHER, OCTANE_QUESTION),
    turn=any_of(
        'article[data-turn="assistant"]',
        CLASSIC_ANSWER_TURN,
        f"article:has({CLASSIC_ANSWER.css})",
    ),
    root=".markdown",
    composer=any_of(
        CLASSIC_TEXTAREA,
        PROMPT_TEXTAREA,
        '.ProseMirror[contenteditable="true"]',
        CLASSIC_EDITOR,
        TURN_KEY_TEXTBOX,
        OCTANE_TEXTAREA,
    ),
    send=any_of(
        CLASSIC_SEND,
        SEND_IN_JAPANESE,
        'button[aria-label*="Send"]',
        TURN_KEY_SUBMIT,
        *OCTANE.send,
    ),
    stop=any_of(
        CLASSIC_STOP,
        CLASSIC_STOP_IN_COMPOSER,
        'form button[aria-label="Stop"]',
        'form button[aria-label="停止"]',
        CLASSIC_STOP_ANSWERING,
        CLASSIC_STOP_STREAMING,
        OCTANE_STOP,
    ),
    stop_words=("Stop generating", "生成を停止"),
    generating_words=("回答を生成しています", "is still generating", "generating a response"),
    thinking_over=(r"思考時間[\uff1a:]\s*\d+s?", r"Thinking.*\d+s?"),
    skip_words=("今すぐ回答", "Skip thinking"),
    skip=any_of("button", '[role="button"]', ".sr-only", *OCTANE.decoys),
    steps=(
        Step(1, ".markdown", "within", ".markdown"),
        Step(
            2,
            '.prose, [class*="markdown"]',
            "within",
            any_of('.prose, [class*="markdown"]', *TURN_KEY.text_root, *OCTANE.text_root),
        ),
        Step(3, "p", "within", "p"),
        Step(4, "article innerText", "turn"),
        Step(5, "main and body innerText", "page", "main"),
    ),
)

END_MARKERS = ("あなた:", "あなた\uff1a", "You:", "You said:")
IGNORED_CHARACTERS = 10  # seed 001, 3.6: a marker this near the beginning is the text's own


def until_end_marker(text: str) -> str:
    """The text of a whole page up to the person's next words."""
    ends = [text.find(marker, IGNORED_CHARACTERS + 1) for marker in END_MARKERS]
    return text[: min((end for end in ends if end >= 0), default=len(text))].rstrip()


CLASSIC = Classic(
    site="chatgpt",
    marks=MARKS,
    conditions=CONDITIONS,
    held_back=held_back,
    conversation_in_url=conversation_in_url,
    render_seconds=RENDER_SECONDS,
    can_be_stuck=False,
    cut_page=until_end_marker,
)
