"""An answer told from its beginning once more: only what is new passes."""

import pytest

from tabwire.model import signals as s
from tabwire.monitor.replay import Replay

KNOWN = {("m", False): "Hello wor", ("m", True): "Hm."}


def replay():
    return Replay(lambda message, thinking: KNOWN.get((message, thinking), ""))


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
    assert replay().pass_on(again) == news
    one_by_one = replay()
    passed = [signal for one in again for signal in one_by_one.pass_on([one])]
    assert passed == news
