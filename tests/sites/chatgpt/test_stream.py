"""The bytes of ChatGPT's answers to signals."""

from typing import Any

import pytest

from kit.chatgpt import CONVERSATION, DONE, ENCODING, OTHER, delta, frame, message, opened, thoughts
from kit.cuts import every_cut, random_cuts
from tabwire.lab.speak.chatgpt import speak_stream
from tabwire.model.conversation import Conversation
from tabwire.model.signals import (
    CanonicalRead,
    ConversationNamed,
    HandedOff,
    ModelNamed,
    Noted,
    PromptEchoed,
    Refusal,
    Refused,
    Signal,
    StreamClosed,
    TextGrew,
    TextReplaced,
    ThoughtGrew,
    ThoughtReplaced,
    TitleNamed,
    ToolStepped,
    TurnConfirmed,
    TurnEnded,
    TurnStopped,
)
from tabwire.sites.chatgpt.stream import ChatGptStream
from tabwire.sites.memory import Memory

PARTS = "/message/content/parts/0"


def read(*chunks: bytes, url: str | None = None) -> tuple[list[Signal], Conversation | None]:
    reader = ChatGptStream(url, Memory())
    signals = [signal for chunk in chunks for signal in reader.feed(chunk)]
    signals += reader.close()
    return signals, reader.conversation()


def answer_of(signals: list[Signal]) -> str:
    text = ""
    for signal in signals:
        match signal:
            case TextGrew(text=more):
                text += more
            case TextReplaced(text=whole):
                text = whole
    return text


def thinking_of(signals: list[Signal]) -> str:
    text = ""
    for signal in signals:
        match signal:
            case ThoughtGrew(text=more):
                text += more
            case ThoughtReplaced(text=whole):
                text = whole
    return text


def finish(**more: Any) -> bytes:
    steps = [
        {"p": "/message/status", "o": "replace", "v": "finished_successfully"},
        {"p": "/message/end_turn", "o": "replace", "v": True},
    ]
    return delta(p="", o="patch", v=steps, **more)


def test_a_plain_turn_is_told_in_order() -> None:
    events = speak_stream(
        ["Hel", "lo"], conversation_id=CONVERSATION, prompt="Hi", title="Greeting"
    )
    signals, conversation = read(b"".join(events))
    assert signals == [
        ConversationNamed(CONVERSATION),
        PromptEchoed("Hi", "m-user"),
        ModelNamed("gpt-5-6-thinking"),
        TextGrew("Hel", "m-answer"),
        TextGrew("lo", "m-answer"),
        TurnEnded("end_turn", "m-answer"),
        TitleNamed("Greeting", CONVERSATION),
        TurnConfirmed("message_stream_complete"),
        TurnConfirmed("[DONE]"),
        StreamClosed(True),
    ]
    assert conversation is not None
    assert [(m.role, m.text) for m in conversation.messages()] == [
        ("user", "Hi"),
        ("assistant", "Hello"),
    ]
    assert conversation.standing.complete
    assert conversation.title == "Greeting"
    assert conversation.model == "gpt-5-6-thinking"


def test_the_same_signals_however_the_bytes_are_cut() -> None:
    """CJK, an emoji in two halves, thoughts, a patch and typed frames in one stream."""
    events = [
        ENCODING,
        opened(message("u", "user", ["問い"]), 0),
        opened(thoughts("t", ("Plan", "think 考")), 1),
        opened(message("a", parts=[""], status="in_progress", channel="final"), 2),
        delta(p=PARTS, o="append", v="日本"),
        delta(v="\ud83d"),
        delta(v="\ude00 "),
        frame({"type": "message_marker", "marker": "user_visible_token"}),
        delta(v='é"\\'),
        finish(),
        DONE,
    ]
    wire = b"".join(events)
    whole = read(wire)
    assert answer_of(whole[0]).encode("utf-16", "surrogatepass").decode("utf-16") == '日本😀 é"\\'
    assert whole[1] is not None
    assert whole[1].messages()[-1].text == '日本😀 é"\\'
    for chunks in every_cut(wire):
        assert read(*chunks) == whole
    for seed in range(50):
        assert read(*random_cuts(wire, seed)) == whole


@pytest.mark.parametrize(
    "texts", [["a"], ["one ", "two ", "three"], ["日", "本\n", "```py\nx\n```"]]
)
def test_what_the_lab_speaks_is_what_we_read(texts: list[str]) -> None:
    signals, conversation = read(
        *speak_stream(texts, conversation_id=CONVERSATION, thoughts=["first", "second"])
    )
    assert [s.text for s in signals if isinstance(s, TextGrew)] == texts
    assert thinking_of(signals) == "first\n\nsecond"
    assert conversation is not None
    last = conversation.messages()[-1]
    assert (last.text, last.thinking) == ("".join(texts), "first\n\nsecond")


RUNNING = message("a", parts=["So far"], status="in_progress", channel="final")

NOT_COMPLETE = [
    # id                         events                                              terminal
    ("done alone", [opened(RUNNING), DONE], False),
    ("cut before the end", [opened(RUNNING)], False),
    (
        "only a thought finished",
        [opened(message("u", "user", ["Hi"])), opened(thoughts("t", ("S", "done")), 1), DONE],
        True,
    ),
    (
        "handed off",
        [opened(RUNNING), frame({"type": "stream_handoff", "options": []}), DONE],
        False,
    ),
    ("finished without end_turn", [opened(message("a", parts=["x"], end_turn=None)), DONE], True),
    ("ended but empty", [opened(message("a", parts=[""], end_turn=True)), DONE], True),
    (
        "stopped by the person",
        [opened(message("a", parts=["x"], status="finished_partial_completion", end_turn=True))],
        True,
    ),
    (
        "interrupted, whatever its status says",
        [
            opened(
                message(
                    "a",
                    parts=["x"],
                    end_turn=True,
                    metadata={"finish_details": {"type": "interrupted"}},
                )
            )
        ],
        True,
    ),
    (
        "a call of a tool that ended",
        [opened(message("a", parts=["x"], end_turn=True, recipient="web"))],
        True,
    ),
    (
        "commentary is not the final channel",
        [opened(message("a", parts=["x"], end_turn=None, channel="commentary"))],
        True,
    ),
    ("failed", [opened(message("a", parts=["x"], status="error", end_turn=True))], True),
]


@pytest.mark.parametrize(
    "events, terminal", [c[1:] for c in NOT_COMPLETE], ids=[c[0] for c in NOT_COMPLETE]
)
def test_not_complete(events: list[bytes], terminal: bool) -> None:
    signals, conversation = read(ENCODING, *events)
    assert conversation is not None
    assert not conversation.standing.complete
    assert conversation.standing.terminal is terminal
    assert not any(isinstance(signal, TurnEnded) for signal in signals)


def test_a_stopped_answer_says_so() -> None:
    stopped = message("a", parts=["x"], status="finished_partial_completion")
    signals, _ = read(ENCODING, opened(stopped))
    assert TurnStopped("finished_partial_completion", "a") in signals


def test_an_image_alone_is_a_whole_answer() -> None:
    picture = {"content_type": "image_asset_pointer", "asset_pointer": "sediment://file_1"}
    content = {"content_type": "multimodal_text", "parts": [picture]}
    signals, conversation = read(
        ENCODING,
        opened(message("t", "tool", content=content, name="image_gen"), 0),
        opened(message("a", parts=[""], end_turn=True), 1),
    )
    assert TurnEnded("media: end_turn", "a") in signals
    assert conversation is not None
    assert conversation.standing.complete
    assert conversation.turns[0].attachments[0].ref == "sediment://file_1"


def test_a_second_message_for_the_person_becomes_the_answer() -> None:
    signals, conversation = read(
        ENCODING,
        opened(message("a", parts=["Let me look."], channel="commentary"), 0),
        opened(
            message("call", content={"content_type": "code", "text": "search()"}, recipient="web"),
            1,
        ),
        opened(message("r", "tool", ["found"], name="web"), 2),
        opened(message("b", parts=[""], status="in_progress", channel="final"), 3),
        delta(p=PARTS, o="append", v="It is "),
        delta(v="42."),
        finish(),
    )
    assert answer_of(signals) == "It is 42."
    assert [s.name for s in signals if isinstance(s, ToolStepped)] == ["web", "web"]
    assert conversation is not None
    assert [m.text for m in conversation.messages()] == ["Let me look.", "It is 42."]
    assert conversation.standing.complete


def test_typed_frames_between_deltas_do_not_disturb_the_text() -> None:
    signals, _ = read(
        ENCODING,
        opened(RUNNING),
        delta(p=PARTS, o="append", v=" and"),
        frame({"type": "message_marker", "marker": "user_visible_token"}),
        frame({"type": "title_generation", "title": "T", "conversation_id": CONVERSATION}),
        delta(v=" on"),
    )
    assert answer_of(signals) == "So far and on"


def test_text_that_is_replaced_is_told_whole() -> None:
    signals, _ = read(ENCODING, opened(RUNNING), delta(p=PARTS, o="replace", v="Anew"))
    assert TextReplaced("Anew", "a") in signals


def test_text_that_is_shortened_is_told_whole() -> None:
    signals, _ = read(ENCODING, opened(RUNNING), delta(p=PARTS, o="truncate", v=2))
    assert TextReplaced("So", "a") in signals


def test_legacy_frames_hold_the_whole_message_each_time() -> None:
    def legacy(text: str, **fields: Any) -> bytes:
        found = message("a", parts=[text], **fields)
        return frame({"conversation_id": CONVERSATION, "message": found, "error": None})

    signals, conversation = read(
        frame({"conversation_id": CONVERSATION, "message": message("u", "user", ["Q"])}),
        legacy("He", status="in_progress"),
        legacy("Hello", status="in_progress"),
        legacy("Hello!", end_turn=True),
        DONE,
    )
    assert [s.text for s in signals if isinstance(s, TextGrew)] == ["He", "llo", "!"]
    assert TurnEnded("end_turn", "a") in signals
    assert conversation is not None
    assert [m.text for m in conversation.messages()] == ["Q", "Hello!"]


def test_a_frame_with_a_whole_conversation_wins_outright() -> None:
    from kit.chatgpt import stored

    tree = stored(message("u", "user", ["Q"]), message("a", parts=["A"], end_turn=True))
    signals, conversation = read(frame({"conversation": tree}), DONE)
    assert CanonicalRead("A", True, True, question="Q") in signals
    assert conversation is not None
    assert [m.text for m in conversation.messages()] == ["Q", "A"]


REFUSALS = [
    # id                    bytes                                                      kind
    ("error frame", frame({"error": "boom", "error_code": "server_error"}), Refusal.ERROR),
    ("rate limit", frame({"error": "Too many requests", "error_code": None}), Refusal.RATE_LIMIT),
    (
        "moderation",
        frame({"type": "moderation", "moderation_response": {"blocked": True}}),
        Refusal.BLOCKED,
    ),
    ("json body", b'{"detail": "Unusual activity has been detected"}', Refusal.BLOCKED),
    (
        "a model's cap",
        b'{"detail": {"code": "model_cap_exceeded", "message": "later", "clears_in": 9}}',
        Refusal.RATE_LIMIT,
    ),
    (
        "a session that is over",
        b'{"detail": {"code": "token_expired", "message": "Please try signing in again."}}',
        Refusal.LOGIN,
    ),
    (
        "json body with a code",
        b'{"detail": {"code": "rate_limit_exceeded", "message": "later"}}',
        Refusal.RATE_LIMIT,
    ),
    (
        "challenge page",
        b"<!DOCTYPE html><html><head><title>Just a moment...</title></head></html>",
        Refusal.CHALLENGE,
    ),
    ("error page", b"<html><body>Bad gateway</body></html>", Refusal.ERROR),
]


@pytest.mark.parametrize("wire, kind", [c[1:] for c in REFUSALS], ids=[c[0] for c in REFUSALS])
def test_refusals_are_told_by_kind(wire: bytes, kind: Refusal) -> None:
    for chunks in every_cut(wire):
        signals, conversation = read(*chunks)
        assert [s.kind for s in signals if isinstance(s, Refused)] == [kind], chunks
        assert conversation is None


def test_a_flag_without_a_block_is_no_refusal() -> None:
    flagged = frame({"type": "moderation", "moderation_response": {"flagged": True}})
    assert not any(isinstance(s, Refused) for s in read(flagged)[0])


def test_a_hand_off_names_where_the_rest_arrives() -> None:
    options = [{"type": "subscribe_ws_topic", "topic_id": "t1"}, {"type": "resume_sse_endpoint"}]
    signals, _ = read(frame({"type": "stream_handoff", "options": options}))
    assert HandedOff("subscribe_ws_topic", "t1") in signals
    assert HandedOff("resume_sse_endpoint") in signals


def test_the_secret_of_a_resume_token_is_in_no_signal() -> None:
    token = frame(
        {"type": "resume_conversation_token", "token": "SECRET", "conversation_id": CONVERSATION}
    )
    signals, _ = read(ENCODING, token, opened(RUNNING))
    assert ConversationNamed(CONVERSATION) in signals
    assert "SECRET" not in repr(signals)


def test_another_conversation_in_the_same_stream_is_noted_and_not_believed() -> None:
    signals, conversation = read(
        ENCODING, opened(RUNNING), frame({"type": "title_generation", "conversation_id": OTHER})
    )
    assert conversation is not None
    assert conversation.id == CONVERSATION
    assert any(isinstance(s, Noted) and "two conversations" in s.problem.what for s in signals)


def test_what_the_stream_says_of_its_id_beats_the_address() -> None:
    """The page of a new chat may still show the address of an old one."""
    _, conversation = read(ENCODING, opened(RUNNING), url=f"https://chatgpt.com/c/{OTHER}")
    assert conversation is not None
    assert conversation.id == CONVERSATION


NO_CONVERSATION = [
    ("no ids", [frame({"title": "T", "message": {"author": {"role": "assistant"}}})]),
    ("a message that is a number", [frame({"conversation_id": CONVERSATION, "message": 12345})]),
    ("an id that is no uuid", [frame({"conversation_id": "x", "message": message("a")})]),
    ("nothing", []),
]


@pytest.mark.parametrize(
    "events", [c[1] for c in NO_CONVERSATION], ids=[c[0] for c in NO_CONVERSATION]
)
def test_no_conversation_is_made_of_nothing(events: list[bytes]) -> None:
    assert read(*events, DONE)[1] is None


TOKEN = frame({"type": "resume_conversation_token", "conversation_id": CONVERSATION})
HANDOFF = frame(
    {
        "type": "stream_handoff",
        "conversation_id": CONVERSATION,
        "options": [{"type": "subscribe_ws_topic", "topic_id": "topic"}],
    }
)


@pytest.mark.parametrize(
    "events",
    [[TOKEN, HANDOFF], [HANDOFF], [ENCODING, TOKEN, HANDOFF, DONE], [TOKEN], [TOKEN, DONE]],
    ids=["token and hand-off", "hand-off", "the whole of it", "cut after the token", "ended"],
)
def test_a_stream_without_a_message_still_names_its_conversation(events: list[bytes]) -> None:
    conversation = read(*events)[1]
    assert conversation is not None
    assert (conversation.id, conversation.turns) == (CONVERSATION, ())
    assert not conversation.standing.complete
    assert not conversation.standing.terminal


def without(found: dict[str, Any], *keys: str) -> dict[str, Any]:
    return {key: value for key, value in found.items() if key not in keys}


SEED_EXAMPLE = [ENCODING, delta(p=PARTS, o="append", v="Hello"), delta(v=" world"), DONE]
BARE = without(message("a", parts=[""], status="in_progress"), "id")
UNNAMED = [
    # id                     events                                                author
    ("only deltas", SEED_EXAMPLE, "unknown"),
    ("deltas, encoding not announced", SEED_EXAMPLE[1:], "unknown"),
    (
        "opened without an id",
        [opened(BARE), delta(p=PARTS, o="append", v="Hello world")],
        "assistant",
    ),
    ("an empty id", [opened({**BARE, "id": ""}), *SEED_EXAMPLE[1:]], "assistant"),
    (
        "by a patch",
        [delta(p="", o="patch", v=[{"p": PARTS, "o": "append", "v": "Hello world"}])],
        "unknown",
    ),
    (
        "frames that repeat it as it grows",
        [
            frame(
                {
                    "conversation_id": CONVERSATION,
                    "message": {**BARE, "content": {"parts": [so_far]}},
                }
            )
            for so_far in ("Hello", "Hello wor", "Hello world")
        ],
        "assistant",
    ),
]


@pytest.mark.parametrize("events, author", [c[1:] for c in UNNAMED], ids=[c[0] for c in UNNAMED])
def test_text_of_a_message_without_an_id_is_told_with_a_problem(
    events: list[bytes], author: str
) -> None:
    signals, conversation = read(*events)
    assert answer_of(signals) == "Hello world"
    assert {s.message_id for s in signals if isinstance(s, TextGrew)} == {None}
    assert any("without an id" in s.problem.what for s in signals if isinstance(s, Noted))
    assert conversation is not None
    assert [(m.role, m.text) for m in conversation.messages()] == [(author, "Hello world")]
    assert not conversation.standing.complete


def test_an_id_that_comes_late_is_the_messages() -> None:
    signals, conversation = read(
        ENCODING,
        opened(BARE),
        delta(p=PARTS, o="append", v="Hello"),
        delta(p="/message/id", o="add", v="late"),
        finish(),
        DONE,
    )
    assert answer_of(signals) == "Hello"
    assert TurnEnded("end_turn", "late") in signals
    assert [s for s in signals if isinstance(s, Noted)] == []
    assert conversation is not None
    assert [turn.id for turn in conversation.turns] == ["late"]
    assert conversation.standing.complete


def test_two_messages_without_ids_stay_two() -> None:
    ended = {**BARE, "status": "finished_successfully"}
    _, conversation = read(
        opened({**ended, "content": {"content_type": "text", "parts": ["First"]}}),
        opened({**ended, "content": {"content_type": "text", "parts": ["Second"]}}),
    )
    assert conversation is not None
    assert [m.text for m in conversation.messages()] == ["First", "Second"]


def test_a_frame_that_names_nothing_is_told_in_the_problem() -> None:
    signals, conversation = read(frame({"message": {**BARE, "content": {"parts": ["hello"]}}}))
    assert conversation is None
    assert any("'hello'" in s.problem.what for s in signals if isinstance(s, Noted))


def test_text_where_no_message_stands_is_told_as_a_loss() -> None:
    signals, _ = read(ENCODING, delta(p="/parts/0", o="append", v="Hello"), delta(v=" world"), DONE)
    lost = [s.problem for s in signals if isinstance(s, Noted)]
    assert [(p.what, p.lossy) for p in lost] == [
        ("text at '/parts/0', where there is no message", True)
    ]


UNSIGNED = without(message("a", parts=["hello"], end_turn=True), "author")


@pytest.mark.parametrize("author", [None, {}, {"role": None}, {"role": "critic"}, [], "assistant"])
def test_a_message_that_does_not_say_whose_it_is_is_told_and_never_complete(author: Any) -> None:
    for event in (
        opened({**UNSIGNED, "author": author}),
        frame({"conversation_id": CONVERSATION, "message": {**UNSIGNED, "author": author}}),
    ):
        signals, conversation = read(ENCODING, event, DONE)
        assert answer_of(signals) == "hello"
        assert [s for s in signals if isinstance(s, TurnEnded)] == []
        assert any("name its author" in s.problem.what for s in signals if isinstance(s, Noted))
        assert conversation is not None
        assert [(m.role, m.text) for m in conversation.messages()] == [("unknown", "hello")]
        assert not conversation.standing.complete


def test_unknown_frames_are_noted_once() -> None:
    signals, _ = read(frame({"type": "brand_new"}), frame({"type": "brand_new"}))
    assert len([s for s in signals if isinstance(s, Noted)]) == 1


def test_a_cut_stream_says_how_much_was_lost() -> None:
    signals, conversation = read(ENCODING, opened(RUNNING), b'event: delta\ndata: {"v": " and')
    assert conversation is not None
    assert conversation.messages()[-1].text == "So far"
    closed = signals[-1]
    assert isinstance(closed, StreamClosed)
    assert not closed.whole
    assert closed.lost_bytes == len(b'event: delta\ndata: {"v": " and')


def test_hidden_and_editable_context_messages_are_not_messages() -> None:
    hidden = {"is_visually_hidden_from_conversation": True}
    context = {"content_type": "model_editable_context", "model_set_context": "likes tea"}
    signals, conversation = read(
        ENCODING,
        opened(message("s", "system", ["rules"], metadata=hidden), 0),
        opened(message("c", content=context), 1),
        opened(message("h", parts=["secret plan"], metadata=hidden), 2),
        opened(message("a", parts=["Hi"], end_turn=True), 3),
    )
    assert conversation is not None
    assert [m.text for m in conversation.messages()] == ["Hi"]
    assert answer_of(signals) == "Hi"
