"""Answers that nobody tells for a while: what is believed, what is read, what is amended."""

import pytest

from monitor.wire import PROMPT, TEXT, UUID, Tab, pieces
from tabwire.browser.tap import events as t
from tabwire.lab.replicas.chatgpt.socket import stream_item
from tabwire.lab.speak.chatgpt import RUNNING, WHOLE, Ids, SpokenTurn, speak_conversation
from tabwire.lab.speak.chatgpt.frames import SOCKET, handoff
from tabwire.monitor import sightings as told

API = "https://chatgpt.com/backend-api"
STORED = f"{API}/conversation/{UUID}"
STATUS = f"{STORED}/stream_status"
RESUME = f"{API}/f/conversation/resume"
WS = "wss://ws.chatgpt.com/p6/ws/user/x"
OLD, NEW = Ids("q1", "t1", "a1"), Ids("q2", "t2", "a2")
IDLE_SECONDS = 60  # after so much silence the page gives up its stream
POLL_SECONDS = 2


class Page(Tab):
    """ChatGPT's page in the requests it makes."""

    def __init__(self):
        super().__init__("chatgpt")
        self.url = f"https://chatgpt.com/c/{UUID}"

    def loads(self, *turns):
        """It reads the stored conversation."""
        raw = speak_conversation(UUID, turns)
        self.respond(self.ask(url=STORED, method="GET"), [raw], mime="application/json")

    def looks(self, status, *turns):
        """It asks whether the answer is being written, and reads what is stored."""
        said = b'{"status":"%s"}' % status.encode()
        self.respond(self.ask(url=STATUS, method="GET"), [said], mime="application/json")
        self.loads(*turns)

    def resumes(self, *, offset=9):
        """It asks for the rest; the request's name."""
        return self.ask(url=RESUME, posted=b'{"offset":%d}' % offset)

    def opens_socket(self):
        name = self.ask(url=WS, method="GET", kind="WebSocket")
        self.traffic.hear(t.SocketOpened(name, WS, self.now))
        return name

    def socket_says(self, socket, chunks):
        for number, chunk in enumerate(chunks):
            said = stream_item("topic-1", number, chunk)
            self.traffic.hear(t.SocketFrame(socket, False, said.decode(), self.now))

    def hands_off(self, *, how=t.End.WHOLE):
        """The beginning of an answer, and where the rest is; the chunks that are left."""
        chunks = pieces("chatgpt", thoughts=())
        half = len(chunks) // 2
        away = handoff(UUID, Ids(), SOCKET, "topic-1")
        self.respond(self.prompt(), [*chunks[:half], away], how=how)
        return chunks[half:]


def unfinished(text=""):
    return SpokenTurn(PROMPT, text, ids=NEW, status=RUNNING)


def whole(ids=NEW, text=TEXT):
    return SpokenTurn(PROMPT, text, ids=ids, status=WHOLE)


@pytest.mark.parametrize("opened", [True, False], ids=["events without words", "no byte at all"])
@pytest.mark.parametrize("first_words", [70, 110, 2700])
def test_first_words_that_come_late_are_waited_for(first_words, opened):
    """The page gives up its stream after a minute of silence and asks how the answer stands."""
    page = Page()
    asked = page.prompt()
    page.begin(asked)
    if opened:
        page.bytes(asked, pieces("chatgpt", thoughts=())[0])
    page.wait(IDLE_SECONDS)
    page.end(asked, t.End.CANCELED)
    rest = page.resumes()
    page.wait(3)
    page.end(rest, t.End.CANCELED)
    for _ in range((first_words - IDLE_SECONDS) // POLL_SECONDS):
        page.looks("IS_STREAMING", unfinished())
        page.wait(POLL_SECONDS)
    assert not page.of(told.Judged)
    assert "completed_hint" not in page.states
    page.looks("IS_STREAMING", unfinished(TEXT[:9]))
    page.wait(POLL_SECONDS)
    page.looks("NOT_STREAMING", whole())
    page.wait(20)
    (judged,) = page.of(told.Judged)
    assert judged.verdict.complete
    assert judged.verdict.text == TEXT


def test_a_hand_off_that_nobody_follows_has_the_conversation_read():
    page = Page()
    page.hands_off(how=t.End.FAILED)
    page.wait(12)
    assert page.wanted_readings
    assert not page.of(told.Judged)
    page.loads(whole())
    assert page.verdict.complete
    assert page.verdict.text == TEXT


def test_a_hand_off_that_nobody_can_tell_the_rest_of_ends():
    page = Page()
    page.hands_off()
    page.wait(20)
    assert page.verdict.judgement == "partial"
    page.loads(whole())  # the person loads the page anew
    assert page.verdict.complete
    assert page.verdict.text == TEXT


@pytest.mark.parametrize("late", [False, True], ids=["before the hand-off", "after it"])
def test_a_socket_that_closes_without_a_word_is_no_witness_any_more(late):
    page = Page()
    socket = None if late else page.opens_socket()
    page.hands_off()
    socket = socket or page.opens_socket()
    page.wait(300)
    assert not page.of(told.Judged)
    page.traffic.hear(t.SocketClosed(socket, page.now))
    page.wait(20)
    assert page.verdict.judgement == "partial"


def test_a_socket_that_opens_again_goes_on_with_the_answer():
    page = Page()
    rest = page.hands_off()
    page.traffic.hear(t.SocketClosed(page.opens_socket(), page.now))
    page.wait(3)
    page.socket_says(page.opens_socket(), rest)
    assert page.verdict.complete
    assert page.verdict.text == TEXT


def test_a_silent_socket_has_the_conversation_read_and_ends_nothing():
    page = Page()
    page.opens_socket()
    page.hands_off()
    page.wait(100)
    assert page.wanted_readings
    assert any(one.unwitnessed for one in page.of(told.Waiting))
    assert not page.of(told.Judged)


def test_a_request_for_the_rest_is_waited_for_as_long_as_it_is_open():
    page = Page()
    page.respond(page.prompt(), pieces("chatgpt", complete=False)[:4], how=t.End.FAILED)
    page.resumes(offset=4)
    page.wait(300)
    assert not page.of(told.Judged)


def test_a_rest_that_comes_after_the_verdict_amends_it():
    page = Page()
    chunks = pieces("chatgpt")
    page.respond(page.prompt(), chunks[:6], how=t.End.FAILED)
    page.wait(20)
    assert page.verdict.judgement == "partial"
    page.respond(page.resumes(offset=6), chunks[6:])
    assert len(page.of(told.Asked)) == 1
    assert page.verdict.complete
    assert page.verdict.text == TEXT


def test_the_same_question_asked_before_is_not_taken_for_this_one():
    """Promise: truth. The site has not stored the second one when the page reads again."""
    page = Page()
    page.loads(whole(OLD, "What was answered before."))
    page.wait(5)
    page.respond(page.prompt(), [], how=t.End.FAILED)
    page.wait(1)
    for _ in range(3):
        page.loads(whole(OLD, "What was answered before."))
        page.wait(2)
    page.wait(20)
    assert page.verdict.judgement == "partial"
    assert page.verdict.text == ""
    page.loads(whole(OLD, "What was answered before."), whole())
    page.wait(20)
    assert page.verdict.complete
    assert page.verdict.text == TEXT


@pytest.mark.parametrize(
    "how, let_go", [(t.End.CANCELED, True), (t.End.FAILED, False), (t.End.LOST, False)]
)
def test_a_page_that_lets_go_of_its_stream_is_told_from_a_line_that_breaks(how, let_go):
    page = Page()
    page.respond(page.prompt(), pieces("chatgpt", complete=False), how=how)
    page.wait(20)
    assert page.verdict.hung_up is let_go


def test_a_page_that_asks_for_the_rest_has_not_let_go():
    page = Page()
    page.respond(page.prompt(), pieces("chatgpt", complete=False), how=t.End.CANCELED)
    page.end(page.resumes(), t.End.CANCELED)  # after three silent seconds
    page.wait(20)
    assert not page.verdict.hung_up
