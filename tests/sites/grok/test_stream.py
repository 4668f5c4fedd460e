"""Stories of an answer on the wire: lines in, signals and a conversation out.

Shapes: facts/wire-formats.md section 3.2 and 3.3. Follow-up turns leave out the `response`
layer; that, the structured tool cards and the picture cards are known from public clients.
"""

import json

import pytest

from kit.cuts import every_cut, random_cuts
from tabwire.model.problems import Problem
from tabwire.model.signals import (
    ConversationNamed,
    ModelNamed,
    Noted,
    PromptEchoed,
    Refusal,
    Refused,
    StreamClosed,
    TextGrew,
    TextReplaced,
    ThoughtGrew,
    ThoughtReplaced,
    TitleNamed,
    ToolStepped,
    TurnConfirmed,
    TurnEnded,
)
from tabwire.sites.grok import SITE
from tabwire.sites.memory import Memory

CHAT = "11111111-2222-4333-8444-555555555555"
NEW = "https://grok.com/rest/app-chat/conversations/new"
FOLLOW_UP = f"https://grok.com/rest/app-chat/conversations/{CHAT}/responses"
ADD_RESPONSE = "https://x.com/2/grok/add_response.json"
X_CHAT = "2013295304527827227"
CARD = (
    "<xai:tool_usage_card><xai:tool_usage_card_id>c1</xai:tool_usage_card_id>"
    "<xai:tool_name>web_search</xai:tool_name>"
    '<xai:tool_args><![CDATA[{"query":"tab"}]]></xai:tool_args></xai:tool_usage_card>'
)

OPENED = {"result": {"conversation": {"conversationId": CHAT, "title": "New conversation"}}}
NAMED = [ConversationNamed(CHAT)]  # "New conversation" is no title yet


def frame(**said):
    return {"result": {"response": {"responseId": "a", **said}}}


def token(text, **marks):
    return frame(token=text, isThinking=False, isSoftStop=False, **marks)


def thought(text, **marks):
    return frame(token=text, isThinking=True, isSoftStop=False, **marks)


def stored(message, **more):
    return {"responseId": "a", "message": message, "sender": "assistant", "partial": False, **more}


def done(message, **more):
    return frame(modelResponse=stored(message, **more))


ASKED = frame(
    userResponse={"responseId": "u", "message": "Hi?", "sender": "human", "partial": False}
)
ECHO = PromptEchoed("Hi?", "u")
STOP = frame(token="", isSoftStop=True, isThinking=False)


def x(**said):
    return {"result": {"sender": "ASSISTANT", "responseChatItemId": "x2", **said}}


X_SEED = {"conversationId": X_CHAT, "userChatItemId": "x1", "agentChatItemId": "x2"}

STORIES = [
    # id, url, lines, signals, (messages, complete, terminal, model)
    (
        "a first turn",
        NEW,
        [OPENED, ASKED, token("He"), token("llo"), STOP, done("Hello", model="grok-9"),
         {"result": {"title": {"newTitle": "Greeting"}}}],
        [*NAMED, ECHO, TextGrew("He", "a"), TextGrew("llo", "a"), TurnConfirmed("soft_stop"),
         ModelNamed("grok-9"), TurnEnded("model_response", "a"), TitleNamed("Greeting", CHAT),
         StreamClosed(True)],
        (["Hi?", "Hello"], True, True, "grok-9"),
    ),
    (
        "a follow-up turn has no response layer",
        FOLLOW_UP,
        [{"result": ASKED["result"]["response"]}, {"result": token("Yes")["result"]["response"]},
         {"result": {"modelResponse": stored("Yes"), "responseId": "a"}}],
        [ConversationNamed(CHAT), ECHO, TextGrew("Yes", "a"), TurnEnded("model_response", "a"),
         StreamClosed(True)],
        (["Hi?", "Yes"], True, True, None),
    ),
    (
        "cut before its end",
        NEW,
        [OPENED, ASKED, token("Half an ans")],
        [*NAMED, ECHO, TextGrew("Half an ans", "a"), StreamClosed(False)],
        (["Hi?", "Half an ans"], False, False, None),
    ),
    (
        "thinking is never the answer",
        NEW,
        [OPENED, thought("Weighing", messageTag="header"), thought("- first", messageTag="summary"),
         thought(" point", messageTag="summary"), token("Done.", messageTag="final"), STOP],
        [*NAMED, ThoughtGrew("Weighing", "a"), ThoughtGrew("\n- first", "a"),
         ThoughtGrew(" point", "a"), TextGrew("Done.", "a"), TurnConfirmed("soft_stop"),
         TurnEnded("soft_stop", "a"),
         StreamClosed(True)],
        (["Done."], True, True, None),
    ),
    (
        "a soft stop while only thinking ends nothing",
        NEW,
        [OPENED, thought("hm"), STOP],
        [*NAMED, ThoughtGrew("hm", "a"), StreamClosed(False)],
        ([], False, False, None),
    ),
    (
        "a summary is thinking though nobody marks it so",
        FOLLOW_UP,
        [token("- weighed", messageTag="summary"), token("Done.", messageTag="final")],
        [ConversationNamed(CHAT), ThoughtGrew("- weighed", "a"), TextGrew("Done.", "a"),
         StreamClosed(False)],
        (["Done."], False, False, None),
    ),
    (
        "the thinking stops softly, the answer does not",
        FOLLOW_UP,
        [token("So"), frame(token="hm", isThinking=True, isSoftStop=True)],
        [ConversationNamed(CHAT), TextGrew("So", "a"), ThoughtGrew("hm", "a"), StreamClosed(False)],
        (["So"], False, False, None),
    ),
    (
        "a bracket that might begin a card is held back and comes at the end",
        FOLLOW_UP,
        [token("a <")],
        [ConversationNamed(CHAT), TextGrew("a ", "a"), TextGrew("<", "a"), StreamClosed(False)],
        (["a <"], False, False, None),
    ),
    (
        "a bracket held back comes once where the stored response has it",
        FOLLOW_UP,
        [token("a <"), done("a < b")],
        [ConversationNamed(CHAT), TextGrew("a ", "a"), TextGrew("< b", "a"),
         TurnEnded("model_response", "a"), StreamClosed(True)],
        (["a < b"], True, True, None),
    ),
    (
        "agents talk to each other, one answers",
        NEW,
        [OPENED, token("I look it up.", rolloutId="Harper", messageTag="chatter"),
         token("And I check.", rolloutId="Lucas"), token("Both agree.", rolloutId="Grok",
         messageTag="final"), done("Both agree.")],
        [*NAMED, ThoughtGrew("I look it up.", "a"), ThoughtGrew("\nAnd I check.", "a"),
         TextGrew("Both agree.", "a"), TurnEnded("model_response", "a"), StreamClosed(True)],
        (["Both agree."], True, True, None),
    ),
    (
        "a tool card in pieces between words",
        NEW,
        [OPENED, token("Let me " + CARD[:30]), token(CARD[30:] + "see."), done("Let me see.")],
        [*NAMED, TextGrew("Let me ", "a"), ToolStepped("web_search", '{"query":"tab"}', "a"),
         TextGrew("see.", "a"), TurnEnded("model_response", "a"), StreamClosed(True)],
        (["Let me see."], True, True, None),
    ),
    (
        "a card told twice, as a card and as an object, is one step",
        NEW,
        [OPENED, frame(token=CARD, isThinking=True, messageTag="tool_usage_card",
                       toolUsageCardId="c1", toolUsageCard={"toolUsageCardId": "c1",
                       "webSearch": {"args": {"query": "tab"}}}),
         frame(token="12 hits", messageTag="raw_function_result")],
        [*NAMED, ToolStepped("webSearch", '{"query": "tab"}', "a"),
         ToolStepped("raw_function_result", "12 hits", "a"), StreamClosed(False)],
        ([], False, False, None),
    ),
    (
        "the stored response has the last word",
        NEW,
        [OPENED, token("Teh answer"), done("The answer")],
        [*NAMED, TextGrew("Teh answer", "a"), TextReplaced("The answer", "a"),
         TurnEnded("model_response", "a"), StreamClosed(True)],
        (["The answer"], True, True, None),
    ),
    (
        "tokens that were missed are filled in",
        NEW,
        [OPENED, token("The "), done("The answer")],
        [*NAMED, TextGrew("The ", "a"), TextGrew("answer", "a"), TurnEnded("model_response", "a"),
         StreamClosed(True)],
        (["The answer"], True, True, None),
    ),
    (
        "an empty response opens a reconnect and ends nothing",
        FOLLOW_UP,
        [frame(modelResponse={"responseId": "a", "message": "", "sender": "", "partial": False})],
        [ConversationNamed(CHAT), StreamClosed(False)],
        ([], False, False, None),
    ),
    (
        "an empty response with a sender ends nothing either",
        FOLLOW_UP,
        [done(""), thought("hm"), token("Hi"), done("")],
        [ConversationNamed(CHAT), ThoughtGrew("hm", "a"), TextGrew("Hi", "a"), StreamClosed(False)],
        (["Hi"], False, False, None),
    ),
    (
        "a response without a sender proves nothing",
        FOLLOW_UP,
        [frame(modelResponse={"responseId": "a", "message": "Hi", "partial": False})],
        [ConversationNamed(CHAT), TextGrew("Hi", "a"), StreamClosed(False)],
        (["Hi"], False, False, None),
    ),
    (
        "a partial response is still being written",
        FOLLOW_UP,
        [done("So far", partial=True), token(" so good")],
        [ConversationNamed(CHAT), TextGrew("So far", "a"), TextGrew(" so good", "a"),
         StreamClosed(False)],
        (["So far so good"], False, False, None),
    ),
    (
        "more words after a soft stop take its proof back",
        FOLLOW_UP,
        [token("One."), STOP, token(" Two.")],
        [ConversationNamed(CHAT), TextGrew("One.", "a"), TurnConfirmed("soft_stop"),
         TextGrew(" Two.", "a"), StreamClosed(True)],
        (["One. Two."], False, False, None),
    ),
    (
        "pictures are an answer in themselves",
        NEW,
        [OPENED, ASKED, done("", generatedImageUrls=["users/1/generated/2/image.jpg"])],
        [*NAMED, ECHO, TurnEnded("media_response", "a"), StreamClosed(True)],
        (["Hi?"], True, True, None),
    ),
    (
        "a finished picture and a soft stop; previews and refused pictures count for nothing",
        NEW,
        [OPENED, frame(streamingImageGenerationResponse={"imageUrl": "p-0", "progress": 50}),
         frame(streamingImageGenerationResponse={"imageUrl": "m", "progress": 100,
                                                 "moderated": True}),
         STOP,
         frame(cardAttachment={"jsonData": json.dumps({"cardType": "generated_image_card",
               "image_chunk": {"imageUrl": "p", "progress": 100}})}), STOP],
        [*NAMED, ToolStepped("image", "p", "a"), TurnConfirmed("media_soft_stop"),
         TurnEnded("media_soft_stop", "a"),
         StreamClosed(True)],
        ([], True, True, None),
    ),
    (
        "the steered model is known first, the response's own wins",
        NEW,
        [OPENED, frame(uiLayout={"steerModelId": "grok-8"}), token("Hi"),
         done("Hi", model="grok-9")],
        [*NAMED, ModelNamed("grok-8"), TextGrew("Hi", "a"), ModelNamed("grok-9"),
         TurnEnded("model_response", "a"), StreamClosed(True)],
        (["Hi"], True, True, "grok-9"),
    ),
    (
        "final metadata confirms and proves nothing",
        NEW,
        [OPENED, token("Hi"), frame(finalMetadata={"followUpSuggestions": []})],
        [*NAMED, TextGrew("Hi", "a"), TurnConfirmed("final_metadata"), StreamClosed(True)],
        (["Hi"], False, False, None),
    ),
    (
        "an error in the middle: over, not whole",
        NEW,
        [OPENED, ASKED, token("Hi"), {"error": {"code": 8, "message": "Too many", "details": []}}],
        [*NAMED, ECHO, TextGrew("Hi", "a"), Refused(Refusal.RATE_LIMIT, "Too many", "8"),
         StreamClosed(False)],
        (["Hi?", "Hi"], False, True, None),
    ),
    (
        "whole responses, one per line",
        NEW,
        [{"conversationId": CHAT, "responseId": "u", "message": "Hi?", "sender": "human",
          "model": "grok-9"}, stored("Yes", parentResponseId="u", thinkingTrace="hm")],
        [ConversationNamed(CHAT), ECHO, TextGrew("Yes", "a"), ThoughtReplaced("hm", "a"),
         TurnEnded("model_response", "a"), StreamClosed(True)],
        (["Hi?", "Yes"], True, True, "grok-9"),
    ),
    (
        "x.com: a seed line, then pieces",
        ADD_RESPONSE,
        [X_SEED, x(message="Thinking", isThinking=True, messageTag="header"),
         x(message="Hello", messageTag="final"), x(message=" x", messageTag="final"),
         x(isSoftStop=True, uiLayout={"steerModelId": "grok-7"})],
        [ConversationNamed(X_CHAT), ThoughtGrew("Thinking", "x2"), TextGrew("Hello", "x2"),
         TextGrew(" x", "x2"), ModelNamed("grok-7"), TurnEnded("soft_stop", "x2"),
         StreamClosed(True)],
        (["Hello x"], True, True, "grok-7"),
    ),
    (
        "x.com: a limiter line is no answer",
        ADD_RESPONSE,
        [X_SEED, x(message="Upgrade for more", responseType="limiter")],
        [ConversationNamed(X_CHAT), Refused(Refusal.RATE_LIMIT, "Upgrade for more", "limiter"),
         StreamClosed(False)],
        None,
    ),
    (
        "x.com: a picture",
        ADD_RESPONSE,
        [X_SEED, x(imageAttachment={"imageUrl": "i.jpg", "fileName": "cat"}), x(isSoftStop=True)],
        [ConversationNamed(X_CHAT), ToolStepped("image", "i.jpg", "x2"),
         TurnEnded("media_soft_stop", "x2"), StreamClosed(True)],
        ([], True, True, None),
    ),
    (
        "records nobody knows are told once each",
        NEW,
        [{"key": 1}, {"key": 2}, {"other": 1}, {"result": {"response": {}}}],
        [Noted(Problem("a record of unknown shape (key)")),
         Noted(Problem("a record of unknown shape (other)")),
         Noted(Problem("a record of unknown shape (result)")), StreamClosed(False)],
        None,
    ),
    (
        "half an emoji in each token",
        FOLLOW_UP,
        [token("\ud83d"), token("\ude04"), done("\U0001f604")],
        [ConversationNamed(CHAT), TextGrew("\ud83d", "a"), TextGrew("\ude04", "a"),
         TurnEnded("model_response", "a"), StreamClosed(True)],
        (["\U0001f604"], True, True, None),
    ),
]  # fmt: skip


def written(lines):
    return b"".join(json.dumps(line).encode() + b"\n" for line in lines)


def read(url, chunks, memory=None):
    stream = SITE.open_stream(url, memory or Memory())
    signals = [signal for chunk in chunks for signal in stream.feed(chunk)] + stream.close()
    return signals, stream.conversation()


def outcome(conversation):
    if conversation is None:
        return None
    standing = conversation.standing
    texts = [message.text for message in conversation.messages()]
    return texts, standing.complete, standing.terminal, conversation.model


@pytest.mark.parametrize(
    "url, lines, signals, ends", [s[1:] for s in STORIES], ids=[s[0] for s in STORIES]
)
def test_the_story_is_told_the_same_however_the_bytes_are_cut(url, lines, signals, ends):
    wire = written(lines)
    cuts = [[wire], [wire[i : i + 1] for i in range(len(wire))]]
    for chunks in [*cuts, *(random_cuts(wire, seed) for seed in range(8))]:
        got, conversation = read(url, chunks)
        assert got == signals
        assert outcome(conversation) == ends


@pytest.mark.parametrize("end", [b"\n", b"\r\n", b""], ids=["lf", "crlf", "no newline at the end"])
def test_every_two_way_split_of_a_short_answer_reads_alike(end):
    lines = [OPENED, token("猫 & \U0001f408"), done("猫 & \U0001f408")]
    wire = (end or b"\n").join(
        json.dumps(line, ensure_ascii=False).encode() for line in lines
    ) + end
    whole = read(NEW, [wire])
    assert outcome(whole[1]) == (["猫 & \U0001f408"], True, True, None)
    for chunks in every_cut(wire):
        assert read(NEW, chunks) == whole


def test_a_chunk_of_a_megabyte_is_read_to_its_end():
    words = [f"word {number} " for number in range(12_000)]
    wire = written([OPENED, *map(token, words), done("".join(words))])
    assert len(wire) > 1_000_000
    signals, conversation = read(NEW, [wire])
    assert [s.text for s in signals if isinstance(s, TextGrew)] == words
    assert outcome(conversation) == (["".join(words)], True, True, None)


def test_a_line_that_cannot_be_read_is_told_and_the_rest_is_read():
    wire = written([OPENED]) + b"{broken}\n" + b"[1]\n" + written([token("Hi"), STOP])
    signals, conversation = read(NEW, [wire])
    problems = [signal.problem for signal in signals if isinstance(signal, Noted)]
    assert [problem.lossy for problem in problems] == [True, True]
    assert signals[-1] == StreamClosed(True, lost_bytes=len(b"{broken}"))
    assert outcome(conversation) == (["Hi"], True, True, None)


def test_a_cut_record_is_counted_and_proves_nothing():
    cut = written([done("Hello")])[:-20]
    signals, conversation = read(NEW, [written([OPENED, ASKED, token("Hel")]) + cut])
    assert signals[-1] == StreamClosed(False, lost_bytes=len(cut))
    assert signals[-2] == Noted(Problem(f"cut off inside a record: {len(cut)} bytes unused", True))
    assert outcome(conversation) == (["Hi?", "Hel"], False, False, None)


def test_two_answers_side_by_side_are_kept_apart():
    other = {"result": {"response": {"token": "B", "responseId": "b"}}}
    lines = [OPENED, ASKED, token("A"), other, done("A", createTime="2026-01-01T00:00:01Z")]
    signals, conversation = read(NEW, [written(lines)])
    assert (TextGrew("A", "a") in signals, TextGrew("B", "b") in signals) == (True, True)
    assert {turn.id: turn.text for turn in conversation.turns} == {"u": "Hi?", "a": "A", "b": "B"}
    assert outcome(conversation)[0] == ["Hi?", "A"]


def test_thinking_ends_up_with_the_answer_it_led_to():
    lines = [OPENED, ASKED, thought("first"), thought(" then"), token("So."), STOP]
    _, conversation = read(NEW, [written(lines)])
    assert conversation.messages()[-1].thinking == "first then"


def follow_up(line, **names):
    return {"result": {**line["result"]["response"], **names}}


PARENT = {"responseId": "before", "message": "Earlier", "sender": "assistant", "partial": False}
QUESTION = follow_up(
    frame(
        userResponse={
            "responseId": "u",
            "message": "Hi?",
            "sender": "human",
            "parentResponseId": "before",
        }
    ),
    responseId="u",
)
WORDS = [token("He"), token("llo")]
WHOLE = follow_up(done("Hello", parentResponseId="u"))
MISNAMED = [
    # id                                    lines, what the words are said to be
    ("the question's id", [QUESTION, *(follow_up(one, responseId="u") for one in WORDS)]),
    ("its parent's id", [QUESTION, *(follow_up(one, responseId="before") for one in WORDS)]),
    ("words first", [*(follow_up(one, responseId="before") for one in WORDS), QUESTION]),
    ("no id", [QUESTION, *({"result": {"token": word}} for word in ("He", "llo"))]),
]


@pytest.mark.parametrize("knows_before", [False, True])
@pytest.mark.parametrize("lines", [c[1] for c in MISNAMED], ids=[c[0] for c in MISNAMED])
def test_words_under_the_name_of_what_they_answer_come_after_it(lines, knows_before):
    earlier = ["Earlier"] if knows_before else []
    for end, complete in (([], False), ([WHOLE], True)):
        memory = Memory()
        if knows_before:
            SITE.read_body(json.dumps({"responses": [PARENT]}).encode(), FOLLOW_UP, memory)
        signals, conversation = read(FOLLOW_UP, [written([*lines, *end])], memory)
        assert outcome(conversation)[0] == [*earlier, "Hi?", "Hello"]
        assert outcome(conversation)[1] is complete
        assert len(conversation.turns) == len(earlier) + 2
        assert "".join(s.text for s in signals if isinstance(s, TextGrew)) == "Hello"
        ended = [s.message_id for s in signals if isinstance(s, TurnEnded)]
        assert ended == (["a"] if complete else [])


def test_an_answer_without_its_id_is_the_stored_one_that_follows():
    memory = Memory()
    cut = [QUESTION, *(follow_up(one, responseId="u") for one in WORDS)]
    read(FOLLOW_UP, [written(cut)], memory)
    late = {"responses": [stored("Hello, all of it", parentResponseId="u")]}
    (found,) = SITE.read_body(json.dumps(late).encode(), FOLLOW_UP, memory).conversations
    assert [(turn.id, turn.text) for turn in found.turns] == [
        ("u", "Hi?"),
        ("a", "Hello, all of it"),
    ]


def test_a_question_without_a_sender_is_still_the_persons():
    line = frame(userResponse={"responseId": "u", "message": "Hi?"})
    _, conversation = read(NEW, [written([OPENED, line])])
    assert [(m.role, m.text) for m in conversation.messages()] == [("user", "Hi?")]
