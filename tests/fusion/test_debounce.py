import pytest

from tabwire.fusion.debounce import HintDebounce
from tabwire.model.signals import Source

NET, PAGE = Source.COMPLETION, Source.PAGE

CASES = [
    # id                                     attempt, source, seconds later, repeats
    ("same attempt within 4.5 s", "a", NET, 4.4, True),
    ("same attempt after 4.5 s", "a", NET, 4.5, False),
    ("another attempt within 0.9 s", "b", NET, 0.8, True),
    ("another attempt after 0.9 s", "b", NET, 0.9, False),
    ("the page within 1.5 s", "a", PAGE, 1.4, True),
    ("the page after 1.5 s", "a", PAGE, 1.5, False),
]


@pytest.mark.parametrize(
    "attempt, source, later, repeats", [c[1:] for c in CASES], ids=[c[0] for c in CASES]
)
def test_which_hint_is_the_same_hint(attempt, source, later, repeats):
    debounce = HintDebounce()
    debounce.followed("c1", "a", 100.0)
    assert debounce.repeats("c1", attempt, source, 100.0 + later) is repeats


def test_another_conversation_has_its_own_hints():
    debounce = HintDebounce()
    debounce.followed("c1", "a", 100.0)
    assert not debounce.repeats("c2", "a", NET, 100.0)


def test_it_remembers_a_bounded_number():
    debounce = HintDebounce(cap=2)
    for name in ("c1", "c2", "c3"):
        debounce.followed(name, "a", 0.0)
    assert not debounce.repeats("c1", "a", NET, 0.1)
    assert debounce.repeats("c3", "a", NET, 0.1)
    assert debounce.warning() == "hints: 2 of 2"
