"""ChatGPT the classic way: seed 001, sections 3.2, 3.3, 3.4, 3.6 and 3.7.

The marks are the seed's, with those that later layouts have in their place beside them, so
that the profile still works where the seed's own would count nothing. Condition 4 does not
ask for the stop control: the seed does not; the text is read once it is gone all the same.

Known weak, as in the seed: the words are looked for in the whole page, so a question that
contains "Skip thinking" holds everything back until the time is over. Unlike the seed,
thinking is never unfolded by a click.
"""

from tabwire.sites.chatgpt.requests import conversation_in_url
from tabwire.sites.classic import RENDER_SECONDS, Classic, Condition, Marks, Poll, Step

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


_BUTTONS = 'button, [role="button"]'

MARKS = Marks(
    answer='[data-message-author-role="assistant"], [data-content-search-unit-key$=":assistant"], '
    '[data-chatgpt-search-unit-key$=":assistant"], li[data-message-role="assistant"]',
    question='[data-message-author-role="user"], [data-content-search-unit-key$=":user"], '
    '[data-chatgpt-search-unit-key$=":user"], li[data-message-role="user"]',
    turn='article[data-turn="assistant"], [data-turn="assistant"], '
    'article:has([data-message-author-role="assistant"])',
    root=".markdown",
    composer='textarea#prompt-textarea, textarea[data-testid="prompt-textarea"], '
    '.ProseMirror[contenteditable="true"], div#prompt-textarea[contenteditable="true"], '
    'form[data-chatgpt-composer] [contenteditable="true"][role="textbox"], '
    "textarea#mobile-composer-prompt",
    send='button[data-testid="send-button"], button[aria-label*="送信"], '
    'button[aria-label*="Send"], form[data-chatgpt-composer] button[type="submit"], '
    'button[data-composer-submit][type="submit"]',
    stop='button[data-testid="stop-button"], button[data-testid="composer-stop-button"], '
    'form button[aria-label="Stop"], form button[aria-label="停止"], '
    'form button[aria-label="Stop answering"], form button[aria-label="Stop streaming"], '
    "button[data-composer-submit][data-stop-generating]",
    stop_words=("Stop generating", "生成を停止"),
    generating_words=("回答を生成しています", "is still generating", "generating a response"),
    thinking_over=(r"思考時間[\uff1a:]\s*\d+s?", r"Thinking.*\d+s?"),
    skip_words=("今すぐ回答", "Skip thinking"),
    skip=f"{_BUTTONS}, .sr-only, [data-assistant-placeholder-slot]",
    steps=(
        Step(1, ".markdown", "within", ".markdown"),
        Step(
            2,
            '.prose, [class*="markdown"]',
            "within",
            '.prose, [class*="markdown"], [data-markdown-text-style="assistant-message"], '
            "[data-assistant-markdown]",
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
