"""The names of the page's parts are names of the page."""

import re
from pathlib import Path

import pytest

from tabwire.lab.replicas.gemini import parts
from tabwire.sites.gemini import SITE

STATIC = Path(parts.__file__).parent / "static"
FILES = "\n".join(path.read_text("utf-8") for path in sorted(STATIC.iterdir()))
(LAYOUT,) = SITE.page.layouts
MARKS = [(part, mark) for part, marks in parts.PARTS["app"].items() for mark in marks]


@pytest.mark.parametrize("part, mark", MARKS)
def test_a_mark_stands_in_the_page_s_files(part, mark):
    assert re.search(rf"(?<![\w-]){re.escape(mark)}", FILES), part


@pytest.mark.parametrize("part", parts.PARTS["app"])
def test_the_best_mark_is_one_by_which_the_part_is_found(part):
    best = parts.PARTS["app"][part][0]
    assert any(best in one.css for one in getattr(LAYOUT, part))
