"""`tabwire logs`: the end of a file that grows and is put aside now and then."""

import pytest

from tabwire.doors.cli.hub import logs as subject
from tabwire.doors.cli.hub.logs import follow_lines, last_lines


@pytest.fixture
def path(tmp_path):
    return tmp_path / "hub.log"


LAST = [
    # id, what stands there, how many, which
    ("fewer", b"a\nb\n", 5, [b"a", b"b"]),
    ("as many", b"a\nb\n", 2, [b"a", b"b"]),
    ("more", b"a\nb\nc\n", 2, [b"b", b"c"]),
    ("half a line", b"a\nb\nc", 2, [b"b", b"c"]),
    ("none wanted", b"a\n", 0, []),
    ("empty", b"", 5, []),
    ("long", b"".join(b"%d\n" % number for number in range(1000)), 2, [b"998", b"999"]),
]


@pytest.mark.parametrize("text, count, lines", [c[1:] for c in LAST], ids=[c[0] for c in LAST])
@pytest.mark.parametrize("part", [3, 65536])
def test_the_newest_lines_are_found_from_the_end(path, monkeypatch, part, text, count, lines):
    monkeypatch.setattr(subject, "PART", part)
    path.write_bytes(text)
    assert last_lines(path, count) == lines


def test_a_log_that_is_not_there_has_no_lines(path):
    assert last_lines(path, 5) == []


class Seen(Exception):
    """Enough was seen."""


def test_following_goes_on_in_the_file_that_takes_its_place(path, monkeypatch):
    """What is written while nobody looks: one step each time we sleep."""
    path.write_bytes(b"old\n")
    steps = iter(
        [
            lambda: append(path, b"one\ntw"),
            lambda: append(path, b"o\n"),
            lambda: (append(path, b"three\n"), path.rename(path.with_suffix(".1"))),
            lambda: path.write_bytes(b"four\n"),
            lambda: None,
        ]
    )

    def sleep(_seconds):
        step = next(steps, None)
        if step is None:
            raise Seen
        step()

    monkeypatch.setattr(subject.time, "sleep", sleep)
    told = []
    with pytest.raises(Seen):
        follow_lines(path, told.append)
    assert told == [b"one", b"two", b"three", b"four"]


def test_following_waits_for_a_log_that_is_not_there_yet(path, monkeypatch):
    steps = iter([lambda: None, lambda: path.write_bytes(b"one\n"), lambda: None])

    def sleep(_seconds):
        step = next(steps, None)
        if step is None:
            raise Seen
        step()

    monkeypatch.setattr(subject.time, "sleep", sleep)
    told = []
    with pytest.raises(Seen):
        follow_lines(path, told.append)
    assert told == [b"one"]


def append(path, text):
    with open(path, "ab") as file:
        file.write(text)
