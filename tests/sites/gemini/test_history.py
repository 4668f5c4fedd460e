"""Stored bodies of Gemini: conversations with all their turns, and titles."""

import json

import pytest

from tabwire.lab.speak.gemini import (
    SpokenAnswer,
    SpokenExchange,
    speak_call,
    speak_chunks,
    speak_error,
    speak_history,
    speak_list,
)
from tabwire.model.conversation import Message, Role, TurnState
from tabwire.model.problems import Problem
from tabwire.model.signals import Refusal
from tabwire.sites.gemini.history import owns_body, read_body
from tabwire.sites.memory import Memory

PAGE = "https://gemini.google.com/u/1/app/fromurl"
BATCH = "https://gemini.google.com/_/BardChatUi/data/batchexecute?rpcids=ESY5D&source-path="

FIRST = SpokenExchange(
    "r_1", "What is 2+2?", (SpokenAnswer("rc_1", "Four."),), model="2.5 Flash", seconds=100
)
SECOND = SpokenExchange(
    "r_2",
    "And 3+3?",
    (SpokenAnswer("rc_2", "Five."), SpokenAnswer("rc_3", "Six.", "**Sum**\n\nAdd.")),
    chosen=1,
    model="3 Pro",
    seconds=200,
)


def read(raw, url=None, memory=None):
    return read_body(raw, url, memory or Memory())


def chat(raw, url=None, memory=None):
    (found,) = read(raw, url, memory).conversations
    return found


def test_all_turns_are_read_oldest_first():
    reading = read(speak_history("abc", [FIRST, SECOND]))
    (found,) = reading.conversations
    assert found.messages() == (
        Message(Role.USER, "What is 2+2?"),
        Message(Role.ASSISTANT, "Four."),
        Message(Role.USER, "And 3+3?"),
        Message(Role.ASSISTANT, "Six.", "**Sum**\n\nAdd."),
    )
    assert (found.id, found.model, found.title) == ("abc", "gemini-3-pro", None)
    assert (found.created_at, found.updated_at) == (100.5, 200.5)
    assert (found.standing.complete, found.standing.terminal) == (True, True)
    assert reading.problems == ()


def test_answers_not_chosen_are_kept_as_branches():
    found = chat(speak_history("abc", [FIRST, SECOND]))
    by_id = {turn.id: turn for turn in found.turns}
    assert by_id["rc_2"].text == "Five."
    assert "rc_2" not in found.visible
    assert by_id["rc_2"].parent == by_id["rc_3"].parent == "r_2/question"
    assert by_id["r_2/question"].parent == "rc_1"
    assert [by_id[one].model for one in ("rc_1", "rc_3")] == ["gemini-2.5-flash", "gemini-3-pro"]


def exchange(*answers, number=1, **options):
    return SpokenExchange(f"r_{number}", f"Question {number}", answers, **options)


RUNNING = SpokenAnswer("rc_9", "So far", whole=False)
EMPTY = SpokenAnswer("rc_8", "")

STANDINGS = [
    # id, exchanges, complete, terminal, state of the newest answer
    ("whole", [FIRST], True, True, TurnState.FINISHED),
    ("the newest is running", [FIRST, exchange(RUNNING)], False, False, TurnState.RUNNING),
    ("an older one never ended", [exchange(RUNNING), SECOND], True, True, TurnState.FINISHED),
    ("no answer yet", [FIRST, exchange()], False, False, None),
    ("whole but empty", [exchange(EMPTY)], False, True, TurnState.FINISHED),
    (
        "only the branch not chosen runs",
        [exchange(FIRST.answers[0], RUNNING)],
        *(True, True, TurnState.FINISHED),
    ),
    (
        "only the branch not chosen is whole",
        [exchange(FIRST.answers[0], RUNNING, chosen=1)],
        *(False, False, TurnState.RUNNING),
    ),
]


@pytest.mark.parametrize(
    "exchanges, complete, terminal, state",
    [c[1:] for c in STANDINGS],
    ids=[c[0] for c in STANDINGS],
)
def test_the_newest_answer_decides(exchanges, complete, terminal, state):
    found = chat(speak_history("abc", exchanges))
    assert (found.standing.complete, found.standing.terminal) == (complete, terminal)
    newest = [*found.chain()][-1]
    assert (newest.state if newest.role is Role.ASSISTANT else None) is state


def test_an_answer_somebody_went_on_from_is_stopped_not_running():
    found = chat(speak_history("abc", [exchange(RUNNING), SECOND]))
    assert [turn.state for turn in found.turns if turn.id == "rc_9"] == [TurnState.STOPPED]


def test_what_is_not_stated_is_not_invented():
    found = chat(speak_history("abc", [exchange(FIRST.answers[0])]))
    assert (found.model, found.title, found.created_at, found.updated_at) == (None,) * 4


def test_nothing_chosen_means_the_first():
    turn = [["c_abc", "r_1"], None, [["Hi"]], [[["rc_1", ["One"]], ["rc_2", ["Two"]]]]]
    found = chat(speak_call("hNvQHb", [[turn]]))
    assert [one.text for one in found.messages()] == ["Hi", "One"]


def test_turns_that_share_an_id_are_all_kept():
    turn = [["c_abc"], None, [["Hi"]], [[["rc_1", ["One"]]]]]
    found = chat(speak_call("hNvQHb", [[turn, turn, turn]]))
    assert [one.text for one in found.messages()] == ["Hi", "One"] * 3
    assert len({turn.id for turn in found.turns}) == 6


def test_a_cursor_says_that_older_turns_are_missing():
    turn = [["c_abc", "r_1"], None, [["Hi"]], [[["rc_1", ["One"]]]], [100, 0]]
    reading = read(speak_call("hNvQHb", [[turn], "cursor"]))
    assert reading.problems == (Problem("older turns of this conversation are not included"),)
    assert reading.conversations[0].created_at is None


def test_pictures_belong_to_their_answer():
    media = [None] * 7 + [[[[[None, None, None, [None, None, None, "https://x/1.png"]]]]]]
    media[1] = [[[["https://y/2.jpg"]]]]
    answer = ["rc_1", [""], *[None] * 6, [2], "en", None, None, media]
    found = chat(speak_call("hNvQHb", [[[["c_abc", "r_1"], None, [["Draw"]], [[answer]]]]]))
    pictures = [(one.kind, one.ref) for one in found.turns[1].attachments]
    assert pictures == [("image", "https://x/1.png"), ("web_image", "https://y/2.jpg")]
    assert found.standing.complete
    assert found.standing.reason == "media_complete"


def test_the_address_names_a_conversation_that_does_not():
    turn = [[None, "r_1"], None, [["Hi"]], [[["rc_1", ["One"]]]]]
    assert chat(speak_call("hNvQHb", [[turn]]), PAGE).id == "fromurl"


def test_a_list_teaches_titles_for_what_follows():
    memory = Memory()
    listed = [("abc", "Sums & more"), ("def", "Google Gemini"), ("ghi", "'Quoted'")]
    reading = read(speak_list(listed), memory=memory)
    assert reading.titles == (("abc", "Sums & more"), ("ghi", "'Quoted'"))
    assert (reading.conversations, reading.problems) == ((), ())
    assert chat(speak_history("abc", [FIRST]), memory=memory).title == "Sums & more"
    assert chat(speak_history("def", [FIRST]), memory=memory).title is None


TITLES = [
    # id, url, payload, titles
    ("source path", f"{BATCH}%2Fapp%2Fabc", {"11": ["Sums"], "44": False}, [("abc", "Sums")]),
    ("page", PAGE, {"11": ["Sums"]}, [("fromurl", "Sums")]),
    ("generic", PAGE, {"11": ["Google Gemini"]}, []),
    ("no conversation", f"{BATCH}%2Fapp", {"11": ["Sums"]}, []),
    ("no address", None, {"11": ["Sums"]}, []),
    ("settings", PAGE, [[None, None, None, None, True]], []),
    ("a list is not a title", PAGE, [None] * 10 + [["Sums"]], []),
    ("nothing", PAGE, [], []),
]


@pytest.mark.parametrize(
    "url, payload, titles", [c[1:] for c in TITLES], ids=[c[0] for c in TITLES]
)
def test_a_small_answer_may_name_the_chat_that_asked(url, payload, titles):
    reading = read(speak_call("ESY5D", payload), url)
    assert reading.titles == tuple(titles)
    assert (reading.conversations, reading.problems, reading.refusal) == ((), (), None)


def test_a_generic_title_never_overwrites_a_specific_one():
    memory = Memory()
    read(speak_call("ESY5D", {"11": ["Sums"]}), PAGE, memory)
    read(speak_call("ESY5D", {"11": ["Gemini"]}), PAGE, memory)
    assert memory.title("gemini", "fromurl", None) == "Sums"


PAIRS = json.dumps([["MaZiqc", json.dumps([None, "", [["c_abc", "Sums"]]])]])
ENVELOPES = [
    ("a JSON list of pairs", [["wrb.fr", PAIRS, None]]),
    ("a bare pair", [["MaZiqc", json.dumps([None, "", [["c_abc", "Sums"]]])]]),
    ("not in a list", ["wrb.fr", "MaZiqc", json.dumps([None, "", [["c_abc", "Sums"]]])]),
]


@pytest.mark.parametrize("chunk", [c[1] for c in ENVELOPES], ids=[c[0] for c in ENVELOPES])
def test_other_envelopes_a_peer_met_are_read(chunk):
    raw = json.dumps(chunk).encode() + b"\n"
    assert read(raw).titles == (("abc", "Sums"),)
    assert owns_body(chunk)


def test_several_calls_in_one_body_are_all_read():
    rows = [
        ["wrb.fr", "MaZiqc", json.dumps([None, "", [["c_abc", "Sums"]]]), None],
        ["wrb.fr", "hNvQHb", json.dumps([[[["c_abc", "r_1"], None, [["Hi"]], None]]]), None],
    ]
    reading = read(b"".join(speak_chunks([rows])))
    assert (reading.titles, len(reading.conversations)) == ((("abc", "Sums"),), 1)
    assert reading.conversations[0].title == "Sums"


WHOLE = speak_history("abc", [FIRST])

DAMAGES = [
    # id, body, whether each problem is lossy, conversations
    ("none", WHOLE, [], 1),
    ("a payload cut short", b"".join(speak_chunks([[["wrb.fr", "MaZiqc", '{"a']]])), [True], 0),
    ("cut inside the chat", WHOLE[:100], [True, False], 0),
    ("cut after the chat", WHOLE[:-70], [True, False], 1),
    ("no closing frame", WHOLE[: WHOLE.rindex(b"\n25\n") + 1], [False], 1),
    ("a length lies", WHOLE.replace(b"\n25\n", b"\n24\n"), [False], 1),
    ("line ends changed", WHOLE.replace(b"\n", b"\r\n"), [False], 1),
    ("a record is missing", WHOLE.replace(b'["di",192],', b""), [False, True], 1),
    ("noise", b"hello\nworld\n", [True, True, False], 0),
    ("nothing", b"", [False], 0),
]


@pytest.mark.parametrize(
    "raw, problems, count", [c[1:] for c in DAMAGES], ids=[c[0] for c in DAMAGES]
)
def test_damage_is_noted_and_the_rest_is_read(raw, problems, count):
    reading = read(raw)
    assert [one.lossy for one in reading.problems] == problems, reading.problems
    assert len(reading.conversations) == count


def test_a_refusal_is_told():
    assert read(speak_error(1037)).refusal.kind is Refusal.RATE_LIMIT
    page = b'<!doctype html><a href="https://accounts.google.com/ServiceLogin">'
    assert read(page).refusal.kind is Refusal.LOGIN


@pytest.mark.parametrize(
    "value, ours",
    [([["wrb.fr", None, "[]"]], True), ([["di", 1]], False), ({"mapping": {}}, False), ([], False)],
)
def test_a_json_value_of_ours_is_known(value, ours):
    assert owns_body(value) is ours
