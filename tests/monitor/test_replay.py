"""An answer told from its beginning once more: only what is new passes."""

import itertools

import pytest

from tabwire.fusion.draft import Draft
from tabwire.model import signals as s
from tabwire.monitor.replay import Replay


class Answer:
    """Drafts as a machine keeps them, and responses that tell of them."""

    def __init__(self, text="", thinking=""):
        self.draft, self.thinking = Draft(), Draft()
        self.draft.grow(text, "m")
        self.thinking.grow(thinking, "m")

    def response(self, *, midway=False):
        return Replay(self.draft, self.thinking, midway=midway)

    def hear(self, replay, signals):
        """What passes, each taken before the next is looked at."""
        passed = []
        for signal in replay.pass_on(signals):
            passed.append(signal)
            match signal:
                case s.TextGrew(text, message):
                    self.draft.grow(text, message)
                case s.TextReplaced(text, message):
                    self.draft.replace(text, message)
                case s.ThoughtGrew(text, message):
                    self.thinking.grow(text, message)
        return passed


def grew(*texts, message="m"):
    return [s.TextGrew(text, message) for text in texts]


CASES = [
    # id                      told again                        what passes
    ("all known", grew("Hel", "lo wor"), []),
    ("goes on", grew("Hello ", "world", "!"), grew("ld", "!")),
    ("at the seam", grew("Hello wor", "ld"), grew("ld")),
    ("breaks off early", grew("Hel"), []),
    ("differs", grew("Hel", "p me", " now"), [s.TextReplaced("Help me", "m"), *grew(" now")]),
    ("another message", grew("New.", message="n"), grew("New.", message="n")),
    ("empty pieces", grew("", "Hello wor", "", "ld"), grew("ld")),
    (
        "thinking apart",
        [s.ThoughtGrew("Hm.", "m"), s.ThoughtGrew(" Well.", "m")],
        [s.ThoughtGrew(" Well.", "m")],
    ),
    (
        "replaced whole",
        [s.TextReplaced("Hello", "m"), *grew(" you")],
        [s.TextReplaced("Hello", "m"), *grew(" you")],
    ),
    ("an end", [*grew("Hello wor"), s.TurnEnded("x", "m")], [s.TurnEnded("x", "m")]),
]


@pytest.mark.parametrize("again, news", [c[1:] for c in CASES], ids=[c[0] for c in CASES])
def test_only_what_is_new_passes(again, news):
    at_once = Answer("Hello wor", "Hm.")
    assert at_once.hear(at_once.response(), again) == news
    answer = Answer("Hello wor", "Hm.")
    one_by_one = answer.response()
    assert [signal for one in again for signal in answer.hear(one_by_one, [one])] == news


def two(answer):
    """A response in the middle of an answer, and a newer one that begins it again."""
    older = answer.response(midway=True)
    older.superseded = True
    return older, answer.response()


WHOLE = "Hello world, and all in it."


@pytest.mark.parametrize("order", sorted(set(itertools.permutations("ooonnnn"))), ids="".join)
def test_two_responses_that_go_on_together_tell_each_letter_once(order):
    answer = Answer(WHOLE[:9])
    older, newer = two(answer)
    rest = {
        "o": iter(["ld, a", "nd all in", " it."]),
        "n": iter(["Hel", WHOLE[3:12], WHOLE[12:20], WHOLE[20:]]),
    }
    for who in order:
        answer.hear(older if who == "o" else newer, grew(next(rest[who])))
        assert WHOLE.startswith(answer.draft.text())
    assert answer.draft.text() == WHOLE


def test_where_two_differ_the_newer_is_believed_and_the_older_says_no_more():
    answer = Answer("Hello wor")
    older, newer = two(answer)
    answer.hear(newer, grew("Help", " me"))
    assert answer.hear(older, [*grew("ld"), s.TurnEnded("x", "m")]) == []
    answer.hear(newer, grew(" now"))
    assert answer.draft.text() == "Help me now"


def test_a_response_that_names_its_message_late_is_one_message():
    answer = Answer()
    first, second = answer.response(), answer.response()
    answer.hear(first, [*grew("Hel", message=None), *grew("lo", " you")])
    assert answer.hear(second, [*grew("Hello", message=None), *grew(" you", "!")]) == grew("!")
    assert answer.draft.text() == "Hello you!"
