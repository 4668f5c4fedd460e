"""The table of marks: every one is a word of the files its layout is made of."""

import re
from dataclasses import fields
from pathlib import Path

import pytest

from tabwire.lab.replicas import chatgpt
from tabwire.lab.replicas.chatgpt.parts import PARTS
from tabwire.sites.page import Layout

STATIC = Path(chatgpt.__file__).parent / "static"


@pytest.mark.parametrize("layout", PARTS)
def test_every_mark_stands_in_the_layout_s_own_files(layout):
    files = [*STATIC.glob(f"{layout}.html"), *STATIC.glob(f"{layout}.js")]
    assert len(files) == 2
    text = "".join(path.read_text(encoding="utf-8") for path in files)
    for part, marks in PARTS[layout].items():
        assert marks, part
        for mark in marks:
            assert re.search(rf"(?<![\w-]){re.escape(mark)}(?![\w])", text), (part, mark)


def test_parts_have_the_names_of_a_layout_s_fields():
    known = {field.name for field in fields(Layout)}
    assert {part for parts in PARTS.values() for part in parts} <= known
    assert set(PARTS) == {"turn_key", "octane", "classic"}
