"""One poll and one reading of Gemini's page, as seed 001, 4.2 to 4.5 and 5.3, knew it."""

import pytest
import pytest_asyncio

from browser.classic_pages import Shown, answer, shadow
from tabwire.cdp.connection import Session
from tabwire.sites.gemini.classic import CLASSIC

pytestmark = pytest.mark.asyncio


@pytest_asyncio.fixture
async def shown(blank: Session) -> Shown:
    return Shown(blank, CLASSIC)


def chat(*parts: str) -> str:
    """The whole page: everything below two shadow roots."""
    return shadow("chat-app", "<div>" + shadow("chat-window", "".join(parts)) + "</div>")


MIC = '<button aria-label="マイク"><img alt="mic" src="data:,"></button>'
SEND = '<button><mat-icon data-mat-icon-name="send">↑</mat-icon></button>'
QUERY = "<user-query>Question</user-query>"

POLLS = [
    # id, body, what is seen
    ("an empty page", "", {"answers": 0, "mic": False, "feedback": False, "send": False}),
    ("through shadow roots", chat(QUERY, answer("<p>abc</p>"), QUERY, answer("<p>abcdef</p>")),
     {"questions": 2, "answers": 2, "text_length": 6, "feedback": True}),
    ("no feedback buttons", chat(QUERY, answer("<p>abc</p>", feedback=False)),
     {"answers": 1, "feedback": False}),
    ("a thumb down is feedback", chat('<img alt="thumb_down">'), {"feedback": True}),
    ("a thumb of today", '<mat-icon data-mat-icon-name="thumb_up"></mat-icon>', {"feedback": True}),
    ("a microphone", chat(MIC), {"mic": True}),
    ("a picture of a microphone is none", chat('<img alt="mic">'), {"mic": False}),
    ("stop", chat("<button>Stop</button>"), {"stop": True}),
    ("stop by its label", chat('<button aria-label="Stop response">■</button>'), {"stop": True}),
    ("stop in Japanese", chat('<button aria-label="回答を停止">■</button>'), {"stop": True}),
    ("stop by its icon",
     chat('<button aria-label="?"><mat-icon data-mat-icon-name="stop">■</mat-icon></button>'),
     {"stop": True}),
    ("a hidden stop is none", chat('<div style="display: none"><button>Stop</button></div>'),
     {"stop": False}),
    ("send by its icon", chat(SEND), {"send": True, "send_enabled": True}),
    ("send by its icon, disabled", chat(SEND.replace("<button", "<button disabled")),
     {"send": True, "send_enabled": False}),
    ("send by its words", chat("<button>プロンプトを送信</button>"), {"send_enabled": True}),
    ("send by its label", chat('<button aria-label="Send message">↑</button>'),
     {"send_enabled": True}),
    ("composer empty", chat('<div role="textbox" contenteditable="true"><p><br></p></div>'),
     {"composer_empty": True}),
    ("composer with text", chat('<div role="textbox" contenteditable="true">hi</div>'),
     {"composer_empty": False}),
]  # fmt: skip


async def test_a_poll_sees_what_the_page_shows(shown):
    assert await shown.polls(POLLS) == {name: expected for name, _, expected in POLLS}


LIVE = '<div aria-live="polite">{}</div>'

LADDER = [
    # id, body, (rung, text)
    ("1: around the feedback button", chat(QUERY, answer("<h3>Head</h3><p>Yes.</p>")),
     (1, "Head\n\nYes.")),
    ("1: each element once",
     chat(answer("<ul><li><p>a</p></li><li>b</li></ul><pre><code>x</code></pre>")),
     (1, "a\n\nb\n\nx")),
    ("1: the newest answer", chat(answer("<p>Old.</p>"), answer("<p>New.</p>")), (1, "New.")),
    ("1: not what is thought",
     chat(answer("<model-thoughts><p>Hm.</p></model-thoughts><p>Yes.</p>")), (1, "Yes.")),
    ("1: the container of a light page", "<div><p>Yes.</p><div><button>"
     '<img alt="thumb_up"></button></div></div>', (1, "Yes.")),
    ("2: no feedback buttons", chat(answer("<p>Yes.</p>", feedback=False)), (2, "Yes.")),
    ("2: the feedback is of an older answer",
     chat(answer("<p>Old.</p>"), answer("<p>New.</p>", feedback=False)), (2, "New.")),
    ("2: the feedback's container holds two answers",
     "<div><model-response><p>Old.</p></model-response><model-response><p>New.</p>"
     '</model-response><div><button><img alt="thumb_up"></button></div></div>', (2, "New.")),
    ("2: text in no paragraph", chat(answer("Yes.")), (2, "Yes.")),
    ("3: a live region", chat(LIVE.format("Old"), LIVE.format("New"), LIVE.format("")), (3, "New")),
    ("3: of this answer, not of one before",
     chat(LIVE.format("Old"), answer("", feedback=False), LIVE.format("New")), (3, "New")),
    ("an older live region is none", chat(LIVE.format("Old"), answer("", feedback=False)), None),
    ("buttons are none", chat(shadow("model-response", "<button>Copy</button>")), None),
    ("the page's text is none", chat("<p>Hello, person</p>"), None),
]  # fmt: skip


async def test_the_text_comes_from_the_first_rung_that_holds_one(shown):
    assert await shown.rungs(LADDER) == {name: expected for name, _, expected in LADDER}


async def test_answers_in_and_beside_shadow_roots_are_in_the_order_of_the_page(shown):
    page = (
        shadow("x-one", "<model-response><p>1</p></model-response>")
        + "<model-response><p>2</p></model-response>"
        + shadow("x-two", shadow("x-three", "<model-response><p>3</p></model-response>"))
        + "<model-response><p>4</p></model-response>"
    )
    texts = [(await shown.read(page, answer=number)).text for number in (1, 2, 3, 4)]
    assert texts == ["1", "2", "3", "4"]


async def test_neither_buttons_nor_live_regions_of_a_newer_answer_are_taken_for_an_older(shown):
    both = chat(answer("<p>First.</p>"), answer("<p>Second.</p>"))
    rung = await shown.read(both, answer=1)
    assert (rung.number, rung.text) == (1, "First.")
    empty = answer("", feedback=False)
    live = chat(empty, LIVE.format("First."), empty, LIVE.format("Second."))
    rung = await shown.read(live, answer=1)
    assert (rung.number, rung.text) == (3, "First.")
