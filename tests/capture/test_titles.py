"""Seed 003, 8.1: precedence and stickiness."""

import pytest

from tabwire.capture.titles import better, page_title, site_title
from tabwire.model.captured import Title, TitleFrom

SITE, PAGE, PROMPT = TitleFrom.SITE, TitleFrom.PAGE, TitleFrom.PROMPT
CASES = [
    # id, held, comes, kept
    ("a name for none", Title(), Title("Blue", PAGE), "Blue"),
    ("site over page", Title("Blue", PAGE), Title("Sky", SITE), "Sky"),
    ("page not over site", Title("Sky", SITE), Title("Blue", PAGE), "Sky"),
    ("page over prompt", Title("Why?", PROMPT), Title("Blue", PAGE), "Blue"),
    ("prompt over none", Title("New chat", SITE), Title("Why?", PROMPT), "Why?"),
    ("generic never over specific", Title("Blue", PROMPT), Title("New chat", SITE), "Blue"),
    ("later of equals", Title("Blue", SITE), Title("Skies", SITE), "Skies"),
    ("nothing changes nothing", Title("New chat", SITE), Title(), "New chat"),
    ("said by the reader", Title("Blue", PAGE), Title("You said hello", SITE), "Blue"),
]


@pytest.mark.parametrize("held, comes, kept", [c[1:] for c in CASES], ids=[c[0] for c in CASES])
def test_which_title_is_kept(held, comes, kept):
    assert better(held, comes).text == kept


def test_a_document_title_loses_the_name_of_the_site():
    for said in ("Blue - Gemini", "Blue - Google Gemini", "Blue - Grok", "Blue | ChatGPT", "Blue"):
        assert page_title(said) == Title("Blue", PAGE)
    assert page_title("   ") == Title()


def test_a_title_is_one_line_of_bounded_length():
    assert site_title("a\n b\t c").text == "a b c"
    assert len(site_title("x" * 9999).text) == 500
    assert site_title("half \ud83d").text == "half \ufffd"
