"""Growth of one answer, told once per chunk, and what an HTTP status alone says."""

from tabwire.model import signals as s
from tabwire.monitor.sightings import Grew, Rewritten
from tabwire.monitor.streams import AnswerStream, refusal_of


def told(*signals):
    stream = AnswerStream("a1", reader=None)
    said = []
    for signal in signals:
        if not stream.grows(signal):
            said += stream.take(1.0, 0.5)
            stream.replaces(signal)
    return [*said, *stream.take(1.0, 0.5)]


def test_pieces_of_one_message_are_told_together():
    assert told(s.TextGrew("He", "m"), s.TextGrew("llo", "m")) == [
        Grew(1.0, "a1", "Hello", False, 0.5)
    ]


def test_another_message_stands_in_the_place_of_the_one_before():
    """A preamble, a search, then the answer: whoever joins what is told has the answer."""
    first, second = told(s.TextGrew("Let me look.", "m1"), s.TextGrew("Found.", "m2"))
    assert first == Grew(1.0, "a1", "Let me look.", False, 0.5)
    assert second == Rewritten(1.0, "a1", "Found.", False, 0.5)


def test_thinking_and_text_are_told_apart():
    assert [(one.text, one.thinking) for one in told(s.ThoughtGrew("Hm"), s.TextGrew("Yes"))] == [
        ("Hm", True),
        ("Yes", False),
    ]


def test_a_status_refuses_only_where_nothing_was_answered():
    stream = AnswerStream("a1", reader=None, status=500)
    assert refusal_of(stream) is not None
    stream.grows(s.TextGrew("Some text", None))
    assert refusal_of(stream) is None
    assert refusal_of(AnswerStream("a1", reader=None, status=200)) is None
