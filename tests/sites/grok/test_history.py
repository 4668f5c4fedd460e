"""Stored bodies, alone and one after the other: facts/wire-formats.md section 3.1 and 3.3."""

import json

import pytest

from tabwire.model.conversation import Attachment, Role, TurnState
from tabwire.model.signals import Refusal
from tabwire.sites.grok import SITE
from tabwire.sites.memory import Memory

CHAT = "11111111-2222-4333-8444-555555555555"
OTHER = "22222222-2222-4333-8444-555555555555"
API = "https://grok.com/rest/app-chat"
NODES = f"{API}/conversations/{CHAT}/response-node?includeThreads=true"
LOAD = f"{API}/conversations/{CHAT}/load-responses"
ABOUT = f"{API}/conversations_v2/{CHAT}"
NEW = f"{API}/conversations/new"
RECONNECT = f"{API}/conversations/reconnect-response-v2/{OTHER}"


def asked(text="Hi?", at=0, **more):
    return response("u", text, "human", at, **more)


def answered(text="Hello", at=1, **more):
    return response("a", text, "assistant", at, **{"parentResponseId": "u", **more})


def response(name, text, sender, at, **more):
    said = {"responseId": name, "message": text, "sender": sender, "partial": False}
    return {**said, "createTime": f"2026-01-01T00:00:{at:02d}.000000001Z", **more}


def loaded(*responses):
    return {"responses": list(responses)}


def about(title="Greeting", **more):
    return {"conversation": {"conversationId": CHAT, "title": title, **more}}


def nodes(*running, links=(("u", ""), ("a", "u"))):
    return {
        "responseNodes": [{"responseId": one, "parentResponseId": to} for one, to in links],
        "inflightResponses": [
            {"responseId": one, "status": status, "parentResponseId": "u"}
            for one, status in running
        ],
    }


def read(*bodies):
    """Read (url, body) pairs with one memory; what the last one says."""
    memory = Memory()
    for url, body in bodies:
        raw = body if isinstance(body, bytes) else json.dumps(body).encode()
        reading = SITE.read_body(raw, url, memory)
    return reading


def outcome(reading):
    """(id, texts, complete, terminal) of the one conversation, or None."""
    if not reading.conversations:
        return None
    (conversation,) = reading.conversations
    texts = [message.text for message in conversation.messages()]
    standing = conversation.standing
    return conversation.id, texts, standing.complete, standing.terminal


ACTIVE = "RESPONSE_STATUS_ACTIVE"
WHOLE = (CHAT, ["Hi?", "Hello"], True, True)
OPEN = (CHAT, ["Hi?", "Hello"], False, False)

BODIES = [
    # id, bodies, outcome
    ("question and answer", [(LOAD, loaded(asked(), answered()))], WHOLE),
    ("under result", [(LOAD, {"result": loaded(asked(), answered())})], WHOLE),
    ("one response alone", [(LOAD, answered(parentResponseId=""))], (CHAT, ["Hello"], True, True)),
    ("a question alone", [(LOAD, loaded(asked()))], (CHAT, ["Hi?"], False, False)),
    ("an answer being written", [(LOAD, loaded(asked(), answered(partial=True)))], OPEN),
    ("an empty answer", [(LOAD, loaded(asked(), answered("")))], (CHAT, ["Hi?"], False, True)),
    ("a blank answer", [(LOAD, loaded(asked(), answered(" \n")))], (CHAT, ["Hi?"], False, True)),
    (
        "a picture is an answer",
        [(LOAD, loaded(asked(), answered("", generatedImageUrls=["i.jpg"])))],
        (CHAT, ["Hi?"], True, True),
    ),
    (
        "a file sent along is no answer",
        [(LOAD, loaded(asked(), answered("", fileAttachments=["f"])))],
        (CHAT, ["Hi?"], False, True),
    ),
    ("a title alone", [(ABOUT, about())], None),
    ("links alone", [(NODES, nodes())], None),
    ("no links at all", [(NODES, {"responseNodes": [], "inflightResponses": []})], None),
    ("a title after responses", [(LOAD, loaded(asked(), answered())), (ABOUT, about())], WHOLE),
    ("title and responses at once", [(ABOUT, about() | loaded(asked(), answered()))], WHOLE),
    (
        "links tell what the responses leave out",
        [(NODES, nodes()), (LOAD, loaded(asked(), answered(parentResponseId="")))],
        WHOLE,
    ),
    (
        "one response after the other",
        [(LOAD, loaded(asked())), (LOAD, loaded(answered()))],
        WHOLE,
    ),
    (
        "the answer grows from body to body",
        [(LOAD, loaded(asked(), answered("He", partial=True))), (LOAD, loaded(answered()))],
        WHOLE,
    ),
    (
        "another answer is in flight",
        [(NODES, nodes(("b", ACTIVE))), (LOAD, loaded(asked(), answered()))],
        OPEN,
    ),
    (
        "in flight is told after the responses",
        [(LOAD, loaded(asked(), answered())), (NODES, nodes(("b", ACTIVE)))],
        OPEN,
    ),
    (
        "what was in flight arrives finished",
        [(NODES, nodes(("a", ACTIVE))), (LOAD, loaded(asked(), answered()))],
        WHOLE,
    ),
    (
        "what was in flight arrives unfinished",
        [(NODES, nodes(("a", ACTIVE))), (LOAD, loaded(asked(), answered(partial=True)))],
        OPEN,
    ),
    (
        "later links say that nothing is in flight any more",
        [(NODES, nodes(("b", ACTIVE))), (LOAD, loaded(asked(), answered())), (NODES, nodes())],
        WHOLE,
    ),
    (
        "a response that is over is not in flight",
        [(NODES, nodes(("b", "RESPONSE_STATUS_COMPLETED"), ("c", "RESPONSE_STATUS_INACTIVE"))),
         (LOAD, loaded(asked(), answered()))],
        WHOLE,
    ),
    (
        "the newest branch is the visible one",
        [(LOAD, loaded(asked(), answered("old", 1),
                       response("b", "new", "assistant", 3, parentResponseId="u"),
                       response("c", "mid", "assistant", 2, parentResponseId="u")))],
        (CHAT, ["Hi?", "new"], True, True),
    ),
    (
        "an abandoned answer that never ended spoils nothing",
        [(LOAD, loaded(asked(), answered("old", 1, partial=True),
                       response("b", "new", "assistant", 3, parentResponseId="u")))],
        (CHAT, ["Hi?", "new"], True, True),
    ),
    (
        "the newest answer is still being written on its branch",
        [(LOAD, loaded(asked(), answered("old", 1),
                       response("b", "new", "assistant", 3, parentResponseId="u", partial=True)))],
        (CHAT, ["Hi?", "new"], False, False),
    ),
    (
        "a new question is open though an older one was answered",
        [(LOAD, loaded(asked(), answered(),
                       response("v", "And?", "human", 5, parentResponseId="a")))],
        (CHAT, ["Hi?", "Hello", "And?"], False, False),
    ),
    (
        "links in a circle end",
        [(LOAD, loaded(asked(parentResponseId="a"), answered()))],
        (CHAT, ["Hi?", "Hello"], True, True),
    ),
    (
        "several lines at an address that stores",
        [(ABOUT, b'{"result":{"conversation":{"conversationId":"%s"}}}\n' % CHAT.encode()
          + json.dumps({"result": {"response": {"modelResponse": answered()}}}).encode())],
        (CHAT, ["Hello"], True, True),
    ),
]  # fmt: skip


@pytest.mark.parametrize("bodies, expected", [b[1:] for b in BODIES], ids=[b[0] for b in BODIES])
def test_bodies_are_read_together_with_those_before_them(bodies, expected):
    reading = read(*bodies)
    assert outcome(reading) == expected
    assert not [problem for problem in reading.problems if problem.lossy]


BARE = [("a title", (ABOUT, about())), ("links", (NODES, nodes()))]


@pytest.mark.parametrize("body", [b[1] for b in BARE], ids=[b[0] for b in BARE])
def test_a_body_without_responses_is_no_problem(body):
    assert read(body).problems == ()


def test_a_turn_has_all_that_the_response_states():
    picture = json.dumps({"image_chunk": {"imageUrl": "card.jpg", "progress": 100}})
    body = loaded(
        asked(fileAttachments=["f1", "f2"],
              fileAttachmentsMetadata=[{"fileMetadataId": "f1", "fileName": "notes.txt"}]),
        answered(model="grok-9", thinkingTrace="hm", generatedImageUrls=["i.jpg"],
                 cardAttachmentsJson=[picture, "no json", 3]),
    )  # fmt: skip
    (conversation,) = read((LOAD, body)).conversations
    question, answer = conversation.turns
    assert question.attachments == (
        Attachment("file", "f1", "notes.txt"),
        Attachment("file", "f2"),
    )
    assert (question.role, question.model, question.ends_turn) == (Role.USER, None, False)
    assert answer.attachments == (Attachment("image", "i.jpg"), Attachment("image", "card.jpg"))
    assert (answer.role, answer.model, answer.thinking) == (Role.ASSISTANT, "grok-9", "hm")
    assert (answer.parent, answer.state, answer.ends_turn) == ("u", TurnState.FINISHED, True)
    assert answer.created_at == pytest.approx(1767225601.0)
    assert conversation.standing.evidence == ("stored_response",)


THOUGHTS = [
    ("a trace", {"thinkingTrace": "a trace", "steps": [{"text": ["step"]}]}, "a trace"),
    (
        "steps, without tool cards and without the answer itself",
        {"steps": [{"text": ["Looking"], "tags": ["header"]}, {"text": ["- one\n"]},
                   {"text": ["<xai:tool_usage_card>x</xai:tool_usage_card>"]},
                   {"text": ["Hello"], "tags": ["final"]}, {"text": 3}, "x"]},
        "Looking\n- one",
    ),
    ("nothing", {"thinkingTrace": "", "steps": []}, None),
]  # fmt: skip


@pytest.mark.parametrize("said, thinking", [t[1:] for t in THOUGHTS], ids=[t[0] for t in THOUGHTS])
def test_reasoning_is_one_string_apart_from_the_answer(said, thinking):
    (conversation,) = read((LOAD, loaded(answered(**said)))).conversations
    assert conversation.messages()[0].thinking == thinking
    assert conversation.messages()[0].text == "Hello"


MODELS = [
    ("the answer's own", [asked(model="asked"), answered(model="grok-9")], "grok-9"),
    ("the newest answer's", [asked(), answered(model="grok-9"),
                             response("b", "x", "assistant", 4, parentResponseId="a",
                                      model="grok-8")], "grok-8"),
    ("steered", [asked(model="asked"), answered(uiLayout={"steerModelId": "grok-7"})], "grok-7"),
    ("only asked for", [asked(model="asked")], "asked"),
    ("never stated, so unknown", [asked(), answered(model="")], None),
]  # fmt: skip


@pytest.mark.parametrize("responses, model", [m[1:] for m in MODELS], ids=[m[0] for m in MODELS])
def test_the_model_is_what_the_wire_states(responses, model):
    (conversation,) = read((LOAD, loaded(*responses))).conversations
    assert conversation.model == model


def test_a_generic_title_never_overwrites_a_specific_one():
    responses = (LOAD, loaded(asked(), answered()))
    reading = read((ABOUT, about()), responses, (ABOUT, about("New conversation")))
    assert reading.conversations[0].title == "Greeting"
    assert reading.titles == ()
    assert read((ABOUT, about())).titles == ((CHAT, "Greeting"),)


def test_times_come_from_the_conversation_itself_where_it_states_them():
    times = {"createTime": "2026-01-01T00:00:00Z", "modifyTime": "2026-01-01T00:01:00.5Z"}
    body = about(**times) | loaded(asked(at=5), answered(at=7))
    (conversation,) = read((ABOUT, body)).conversations
    assert (conversation.created_at, conversation.updated_at) == (1767225600.0, 1767225660.5)
    (conversation,) = read((LOAD, loaded(asked(at=5), answered(at=7)))).conversations
    assert conversation.created_at == pytest.approx(1767225605.0)
    assert conversation.updated_at == pytest.approx(1767225607.0)


def test_the_list_of_chats_teaches_titles_and_names_no_conversation():
    listed = [{"conversationId": CHAT, "title": "One"}, {"conversationId": OTHER, "title": ""}, 3]
    memory = Memory()
    url = f"{API}/conversations?pageSize=60"
    reading = SITE.read_body(json.dumps({"conversations": listed}).encode(), url, memory)
    assert (reading.titles, reading.conversations) == (((CHAT, "One"),), ())
    assert (memory.title("grok", CHAT, None), memory.newest("grok")) == ("One", None)


# Whose it is: an id that is stated wins; a guess is made only where nothing speaks against it.

LINES = [{"result": {"response": {"userResponse": asked()}}},
         {"result": {"response": {"modelResponse": answered()}}}]  # fmt: skip
FOREIGN = f"{API}/conversations/{OTHER}/load-responses"

OWNERS = [
    ("nothing was read before", [], NEW, None),
    ("a title was read before", [(ABOUT, about())], NEW, CHAT),
    ("a title was read before a reconnect", [(ABOUT, about())], RECONNECT, CHAT),
    ("links with this response", [(NODES, nodes())], RECONNECT, CHAT),
    ("links with the response the address asks for",
     [(NODES, {"inflightResponses": [{"responseId": OTHER}]})], RECONNECT, CHAT),
    ("links without this response", [(NODES, nodes(links=(("z", "y"),)))], RECONNECT, None),
    ("responses of another chat",
     [(LOAD, loaded(response("z", "Else", "human", 0)))], NEW, None),
    ("the address names another", [(ABOUT, about())], FOREIGN, OTHER),
]  # fmt: skip


@pytest.mark.parametrize("before, url, owner", [o[1:] for o in OWNERS], ids=[o[0] for o in OWNERS])
def test_a_stream_without_an_id_is_filed_safely(before, url, owner):
    memory = Memory()
    for earlier, body in before:
        SITE.read_body(json.dumps(body).encode(), earlier, memory)
    stream = SITE.open_stream(url, memory)
    stream.feed("\n".join(map(json.dumps, LINES)).encode())
    stream.close()
    conversation = stream.conversation()
    assert (conversation.id, [m.text for m in conversation.messages()]) == (owner, ["Hi?", "Hello"])


@pytest.mark.parametrize("sender", [None, ""])
def test_a_response_without_a_sender_is_told_and_never_complete(sender):
    unsigned = {**answered(parentResponseId="u"), "sender": sender}
    for body in (loaded(asked(), unsigned), loaded(unsigned)):
        raw = json.dumps(body).encode()
        reading = SITE.read_body(raw, LOAD, Memory())
        (conversation,) = reading.conversations
        last = conversation.messages()[-1]
        assert (last.role, last.text) == ("unknown", "Hello")
        assert not conversation.standing.complete
        assert ["name its author" in problem.what for problem in reading.problems] == [True]


def test_a_guessed_owner_is_told_as_a_problem():
    (problem,) = read((ABOUT, about()), (NEW, LINES[1])).problems
    assert (problem.lossy, "no conversation is named here" in problem.what) == (False, True)


def test_a_body_that_names_its_conversation_is_never_filed_elsewhere():
    line = {"conversationId": OTHER, **answered()}
    assert outcome(read((ABOUT, about()), (NEW, line)))[0] == OTHER


def test_the_body_is_believed_before_the_address():
    body = {"conversation": {"conversationId": CHAT}, **loaded(asked(), answered())}
    assert outcome(read((FOREIGN, body))) == WHOLE


def test_a_second_id_in_one_stream_is_told_and_changes_nothing():
    lines = [{"result": about()}, {"conversationId": OTHER, **answered()}]
    stream = SITE.open_stream(NEW, Memory())
    signals = stream.feed("\n".join(map(json.dumps, lines)).encode()) + stream.close()
    assert stream.conversation().id == CHAT
    assert [s for s in signals if OTHER in repr(s)]


def test_a_stream_and_stored_bodies_of_one_chat_become_one_conversation():
    memory = Memory()
    SITE.read_body(json.dumps(loaded(asked(), answered())).encode(), LOAD, memory)
    stream = SITE.open_stream(f"{API}/conversations/{CHAT}/responses", memory)
    follow = response("v", "And?", "human", 5, parentResponseId="a")
    stream.feed(json.dumps({"result": {"userResponse": follow}}).encode() + b"\n")
    stream.feed(b'{"result":{"token":"So","responseId":"b"}}\n')
    assert [m.text for m in stream.conversation().messages()] == ["Hi?", "Hello", "And?", "So"]
    assert not stream.conversation().standing.terminal
    done = response("b", "So.", "assistant", 6, parentResponseId="v")
    reading = SITE.read_body(json.dumps(loaded(done)).encode(), LOAD, memory)
    assert outcome(reading) == (CHAT, ["Hi?", "Hello", "And?", "So."], True, True)


@pytest.mark.parametrize("url", [RECONNECT, f"{API}/conversations/{CHAT}/responses"])
def test_a_stream_that_repeats_a_finished_answer_does_not_unfinish_it(url):
    memory = Memory()
    SITE.read_body(json.dumps(loaded(asked(), answered())).encode(), LOAD, memory)
    stream = SITE.open_stream(url, memory)
    stream.feed(b'{"result":{"response":{"token":"Hel","responseId":"a"}}}\n')
    stream.close()
    (again,) = SITE.read_body(json.dumps(about()).encode(), ABOUT, memory).conversations
    assert (again.messages()[-1].text, again.standing.complete) == ("Hello", True)


def test_a_reconnect_repeats_the_words_of_a_cut_stream_once():
    memory = Memory()
    url = f"{API}/conversations/{CHAT}/responses"
    for words in (["He"], ["He", "llo"]):
        stream = SITE.open_stream(url, memory)
        for word in words:
            line = {"result": {"token": word, "responseId": "a"}}
            stream.feed(json.dumps(line).encode() + b"\n")
        stream.close()
    assert stream.conversation().messages()[-1].text == "Hello"


# What is no conversation

REFUSED = [
    ("an error", {"error": {"code": 16, "message": "no"}}, Refusal.LOGIN),
    ("errors of GraphQL", {"errors": [{"message": "no"}], "data": {}}, Refusal.ERROR),
    ("a challenge page", b"<!DOCTYPE html><title>Just a moment...</title>", Refusal.CHALLENGE),
]


@pytest.mark.parametrize("body, kind", [r[1:] for r in REFUSED], ids=[r[0] for r in REFUSED])
def test_a_refusal_is_read_as_one(body, kind):
    reading = read((LOAD, body))
    assert (reading.refusal.kind, reading.conversations) == (kind, ())


UNREADABLE = [b'{"broken"', b"", b"[1, 2]", b"3", b"\0" * 100, b"[" * 100_000]


@pytest.mark.parametrize("raw", UNREADABLE, ids=[repr(raw[:10]) for raw in UNREADABLE])
def test_what_cannot_be_read_is_a_lossy_problem(raw):
    reading = read((LOAD, raw))
    assert (reading.conversations, [p.lossy for p in reading.problems]) == ((), [True])


@pytest.mark.parametrize("body", [{"data": {"invalid": 1}}, {"data": None}, {"a": 1}, {}])
def test_a_body_of_something_else_is_a_problem_and_no_loss(body):
    reading = read((LOAD, body))
    assert (reading.conversations, [p.lossy for p in reading.problems]) == ((), [False])


def test_a_cut_body_gives_what_is_whole_and_is_never_complete():
    raw = json.dumps(loaded(asked(), answered(), response("v", "And?", "human", 5))).encode()
    reading = read((LOAD, raw[:-30]))
    assert outcome(reading) == (CHAT, ["Hi?", "Hello"], False, False)
    assert [problem.lossy for problem in reading.problems] == [True]


OWNED = [
    (loaded(asked()), True), (about(), True), (nodes(), True), (asked(), True),
    ({"conversations": [{"conversationId": CHAT}]}, True),
    ({"data": {"grok_conversation_items_by_rest_id": {"items": []}}}, True),
    ({"result": about()}, True), (LINES[0], True),
    ({"data": {"other": 1}}, False), ({"responses": [{"id": 1}]}, False), ({}, False),
    ({"conversations": []}, False), ([], False), (3, False), ({"mapping": {}}, False),
]  # fmt: skip


@pytest.mark.parametrize("body, ours", OWNED)
def test_a_body_is_known_by_its_shape(body, ours):
    assert SITE.owns_body(body) is ours
