"""An answer that is told again from its beginning reaches the listener once."""

import pytest

from tabwire.asking.recovery.retelling import Retold
from tabwire.monitor.sightings import Grew, Rewritten

NEW, ANEW = False, True

CASES = [
    # id                           heard before  readings, each a list of pieces      what is told
    ("nothing was received", "", [["ab", "cd"]], [("ab", NEW), ("cd", NEW)]),
    ("all of it again", "abcd", [["ab", "cd"]], []),
    ("again, and more", "abc", [["ab", "cd", "ef"]], [("d", NEW), ("ef", NEW)]),
    ("in one piece", "abc", [["abcdef"]], [("def", NEW)]),
    ("two readings", "ab", [["abc"], ["a", "bcd"]], [("c", NEW), ("d", NEW)]),
    ("cut off before it caught up", "abcd", [["ab"], ["abcde"]], [("e", NEW)]),
    ("another text", "abcd", [["ab", "xy", "z"]], [("abxy", ANEW), ("z", NEW)]),
    ("rewritten", "abcd", [[("xy", ANEW), "z"]], [("xy", ANEW), ("z", NEW)]),
    ("rewritten to less of the same", "abcd", [[("ab", ANEW), "cd", "e"]], [("e", NEW)]),
]


@pytest.mark.parametrize("thinking", [False, True], ids=["text", "thinking"])
@pytest.mark.parametrize(
    "heard, readings, wanted", [c[1:] for c in CASES], ids=[c[0] for c in CASES]
)
def test_only_what_is_new_is_told(heard, readings, wanted, thinking):
    said = []

    def tell(text, is_thinking, anew):
        assert is_thinking is thinking
        said.append((text, anew))

    texts = ("", heard) if thinking else (heard, "")
    retold = Retold(*texts, tell)
    for pieces in readings:
        hear = retold.begin()
        for piece in pieces:
            text, anew = piece if isinstance(piece, tuple) else (piece, NEW)
            hear((Rewritten if anew else Grew)(0.0, "1", text, thinking))
    assert said == wanted
