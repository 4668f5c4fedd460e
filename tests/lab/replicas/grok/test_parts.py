"""The table of names: every one is a word of the page's own files."""

from pathlib import Path

import pytest

from tabwire.lab.replicas.grok import server
from tabwire.lab.replicas.grok.parts import PARTS

STATIC = Path(server.__file__).parent / "static"
MARKS = [
    (layout, part, mark)
    for layout, parts in PARTS.items()
    for part, marks in parts.items()
    for mark in marks
]


@pytest.mark.parametrize("layout, part, mark", MARKS)
def test_every_mark_is_a_word_of_the_page(layout, part, mark):
    own = [path for path in STATIC.iterdir() if path.name.startswith("x.") is (layout == "x")]
    assert any(mark in path.read_text("utf-8") for path in own)


def test_every_script_says_what_it_is_for():
    for path in STATIC.glob("*.js"):
        assert path.read_text("utf-8").startswith("// "), path.name
