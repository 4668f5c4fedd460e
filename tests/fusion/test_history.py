from dataclasses import replace

from tabwire.fusion.history import History, Record, chars_in
from tabwire.fusion.table import Cause, State
from tabwire.model.signals import StreamClosed, TextGrew

GREW = Record(1.0, "TextGrew", State.STREAMING, State.STREAMING, chars=3)
MOVE = Record(1.0, "PromptSent", State.IDLE, State.PROMPT_SENT, Cause.PROMPT_LEFT)


def test_equal_neighbours_are_one_record():
    history = History()
    for at in (1.0, 2.0, 5.0):
        history.add(replace(GREW, at=at))
    assert history.again("TextGrew", State.STREAMING, 6.0, 4)
    (record,) = history.records()
    assert (record.at, record.until, record.count, record.chars) == (1.0, 6.0, 4, 13)


def test_another_note_is_another_record():
    history = History()
    history.add(GREW)
    history.add(replace(GREW, note="why"))
    assert not history.again("TextGrew", State.STREAMING, 2.0, 1)
    assert [record.note for record in history.records()] == ["", "why"]


def test_a_move_is_never_counted_together_nor_forgotten():
    history = History(limit=4)
    history.add(MOVE)
    for number in range(10):
        history.add(replace(GREW, note=str(number)))
    assert [r.note for r in history.records()] == ["", "7", "8", "9"]
    assert history.records()[0].moved
    assert history.forgotten == 7
    assert not history.again("PromptSent", State.PROMPT_SENT, 2.0, 0)


def test_the_newest_is_read_whole():
    history = History()
    assert history.last() is None
    history.add(GREW)
    history.add(GREW)
    last = history.last()
    assert last is not None
    assert last.count == 2


def test_lengths_are_kept_and_content_is_not():
    history = History()
    history.add(replace(GREW, chars=chars_in(TextGrew("a secret"))))
    assert history.records()[0].chars == 8
    assert "secret" not in repr(history.records())
    assert chars_in(StreamClosed(True)) == 0
