"""Lines, however they are cut and however long."""

from kit.cuts import every_cut
from tabwire.browser.launch import MAX_LINE, Lines


def test_same_lines_however_the_bytes_are_cut():
    for chunks in every_cut("a\r\n\nbé\nc".encode()):
        lines = Lines()
        assert [line for chunk in chunks for line in lines.feed(chunk)] == ["a", "", "bé"]
        assert lines.held == 1


def test_a_line_without_end_is_not_held_whole():
    lines = Lines()
    for _ in range(50):
        assert lines.feed(b"x" * 60_000) == []
        assert lines.held == MAX_LINE
    (line,) = lines.feed(b"end\n")
    assert line.endswith("xend")
    assert len(line) == MAX_LINE
