"""Following answers by polls on real pages: a person asks, an answer is written, it ends.

The clock is ours: whenever the follower would wait, the page goes on by as many seconds.
"""

import pytest

from browser.classic_pages import answer, evaluate, shadow, show, turn
from kit.chromium import NewTab
from tabwire.browser.classic import ClassicPage
from tabwire.cdp.connection import Session
from tabwire.monitor.classic import (
    ClassicDone,
    ClassicPolled,
    ClassicTimedOut,
    follow_classic,
)
from tabwire.sites.chatgpt.classic import CLASSIC as CHATGPT
from tabwire.sites.classic import Classic
from tabwire.sites.gemini.classic import CLASSIC as GEMINI

pytestmark = pytest.mark.asyncio

Story = dict[float, str]
"""What the page shows from each second on."""


class Played:
    """A story that goes on while the follower waits."""

    def __init__(self, session: Session, story: Story) -> None:
        self.session = session
        self.story = dict(sorted(story.items()))
        self.now = 0.0

    def clock(self) -> float:
        return self.now

    async def sleep(self, seconds: float) -> None:
        self.now += seconds
        due = [at for at in self.story if at <= self.now]
        for at in due:
            await show(self.session, self.story.pop(at))

    async def follow(self, classic: Classic) -> list[object]:
        """All that is told but the looks, from second 0 on."""
        await self.sleep(0)
        page = ClassicPage(self.session, classic.marks)
        way = follow_classic(page, classic, clock=self.clock, sleep=self.sleep)
        return [event async for event in way if not isinstance(event, ClassicPolled)]


COMPOSER = (
    '<form><div id="prompt-textarea" class="ProseMirror" contenteditable="true"></div>{}</form>'
)
READY = COMPOSER.format("")
STOP = COMPOSER.format("<button>Stop generating</button>")
STOP_JA = COMPOSER.format('<button aria-label="生成を停止">■</button>')
SKIP_JA = COMPOSER.format("<button>今すぐ回答</button>")
OLD = turn(1, "Old.")
NEW = OLD + turn(2, "New.")
ASKED = OLD + '<article data-turn="user"><div data-message-author-role="user">Q</div></article>'


def thought(text: str, marker: str) -> str:
    return turn(2, text, f'<button aria-expanded="false">{marker}</button>')


CHATGPT_STORIES = [
    # id, story, condition, rung, text, second
    ("stop comes and goes",
     {0: OLD + READY, 2: ASKED + STOP, 3: OLD + turn(2, "N") + STOP, 6: NEW + READY},
     ("condition 2", 1, "New.", 6)),
    ("in Japanese, with thinking that might be skipped",
     {0: OLD + READY, 2: ASKED + STOP_JA, 4: OLD + thought("", "思考中") + SKIP_JA,
      40: OLD + thought("<p>はい。</p>", "思考時間：36s") + READY},
     ("condition 2", 1, "はい。", 40)),
    ("no stop control at all",
     {0: OLD + READY, 2: ASKED + READY, 4: OLD + turn(2, "N") + READY, 5: NEW + READY},
     ("condition 3", 1, "New.", 9)),
    ("a send button that is enabled again",
     {0: OLD, 2: ASKED + STOP,
      4: NEW + COMPOSER.format('<button data-testid="send-button">↑</button>')},
     ("condition 1", 1, "New.", 4)),
    ("text drawn long after the end",
     {0: OLD + READY, 2: ASKED + STOP, 3: OLD + turn(2, "") + READY, 7: NEW + READY},
     ("condition 2", 1, "New.", 7)),
    ("a page without any class the seed knew",
     {0: READY, 2: STOP, 3: '<div data-message-author-role="assistant"><p>New.</p></div>' + READY},
     ("condition 2", 3, "New.", 3)),
]  # fmt: skip


async def told(session: Session, classic: Classic, stories: list) -> dict[str, object]:
    """Of each story by its name: condition, rung, text and second."""
    ends = {}
    for name, story, _ in stories:
        (end,) = await Played(session, story).follow(classic)
        assert isinstance(end, ClassicDone), name
        ends[name] = (end.decision.condition, end.rung.number, end.text, round(end.at))
    return ends


async def test_answers_of_chatgpt_are_followed_to_their_end(blank: Session):
    ends = await told(blank, CHATGPT, CHATGPT_STORIES)
    assert ends == {name: expected for name, _, expected in CHATGPT_STORIES}


QUERY = "<user-query>Q</user-query>"
MIC = '<button><img alt="mic" src="data:,"></button>'
HALT = '<button aria-label="Stop response">■</button>'
HALT_JA = '<button aria-label="回答を停止">■</button>'
BEFORE = QUERY + answer("<p>Old.</p>")


def app(inside: str) -> str:
    return shadow("chat-app", shadow("chat-window", inside))


GEMINI_STORIES = [
    # id, story, condition, rung, text, second
    ("feedback buttons come",
     {0: app(BEFORE), 2: app(BEFORE + QUERY + HALT),
      3: app(BEFORE + QUERY + answer("<p>N</p>", feedback=False) + HALT),
      6: app(BEFORE + QUERY + answer("<p>New.</p>"))},
     ("condition 0", 1, "New.", 6)),
    ("only the microphone comes back, in Japanese",
     {0: app(""), 2: app(QUERY + HALT_JA),
      5: app(QUERY + answer("<p>はい。</p>", feedback=False) + MIC)},
     ("condition 1", 2, "はい。", 5)),
    ("no stop control, a text that stands still",
     {0: app(""), 2: app(QUERY), 3: app(QUERY + answer("<p>N</p>", feedback=False)),
      5: app(QUERY + answer("<p>New.</p>", feedback=False))},
     ("condition 3", 2, "New.", 10)),
]  # fmt: skip


async def test_answers_of_gemini_are_followed_to_their_end_through_shadow_roots(blank: Session):
    ends = await told(blank, GEMINI, GEMINI_STORIES)
    assert ends == {name: expected for name, _, expected in GEMINI_STORIES}


async def test_an_answer_in_a_hidden_tab_that_draws_only_in_frames_is_followed(new_tab: NewTab):
    """Seed 001, 15: DOM updates stop in a background tab while the answer goes on."""
    await new_tab()  # the first of a window is in front, however it was opened
    _, session = await new_tab()
    assert await evaluate(session, "document.visibilityState") == "hidden"
    await evaluate(
        session,
        """(function draw() {
          requestAnimationFrame(draw);
          const last = document.querySelector("article:last-of-type .markdown[data-late]");
          if (last) last.textContent = last.dataset.late;
        })()""",
    )
    late = turn(2, "").replace('class="markdown', 'data-late="New." class="markdown')
    story = {0: OLD + READY, 2: ASKED + STOP, 4: OLD + late + READY}
    (end,) = await Played(session, story).follow(CHATGPT)
    assert isinstance(end, ClassicDone)
    assert end.text == "New."


async def test_an_answer_that_never_ends_is_told_as_far_as_it_came(blank: Session):
    composed = COMPOSER.format("<button>Stop generating</button>").replace(
        "></div>", ">draft</div>"
    )
    story = {0: OLD + READY, 2: OLD + turn(2, "Half") + composed}
    (end,) = await Played(blank, story).follow(CHATGPT)
    assert isinstance(end, ClassicTimedOut)
    assert (end.text, end.waiting_for, round(end.seconds)) == ("Half", "the end of the answer", 480)
