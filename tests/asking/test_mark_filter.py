"""Growing text shows no mark and no half of one, wherever it is cut."""

import pytest

from kit.cuts import every_cut
from tabwire.asking.mark_filter import Unmarked
from tabwire.sites.known import SITES
from tabwire.sites.marks import MAX_MARK

MARKS = SITES["chatgpt"].marks
PRIVATE = "\ue200\ue201\ue202\ue203\ue204\ue205\ue206"

CASES = [
    # id, all that came, all that was shown
    ("no mark", "Nothing to hide.", "Nothing to hide."),
    ("a mark", "Known\ue200cite\ue202turn0search0\ue201.", "Known."),
    ("two of them", "a\ue200cite\ue202x\ue201\ue200cite\ue202y\ue202z\ue201b", "ab"),
    ("an entity", 'In \ue200entity\ue202["city","Ur","old"]\ue201.', "In Ur."),
    ("an icon", "press \ue200 now", "press  now"),
    ("an icon before a mark", "a\ue200\ue200cite\ue202x\ue201b", "ab"),
    ("text set apart", "\ue203a\ue204\ue206b", "ab"),
    ("half of one", "Known \ue200cite\ue202turn", "Known "),
    ("a kind and no end", "Known \ue200cite it", "Known cite it"),
    ("no kind", "a\ue200\ue202x\ue201b", "axb"),
]


@pytest.mark.parametrize("came, shown", [c[1:] for c in CASES], ids=[c[0] for c in CASES])
def test_the_same_is_shown_however_the_text_is_cut(came, shown):
    for pieces in every_cut(came):
        unmarked = Unmarked(MARKS)
        said = [unmarked.take(piece) for piece in pieces]
        assert "".join(said) == shown, pieces
        assert not set("".join(said)) & set(PRIVATE), pieces


def test_what_stands_anew_forgets_what_was_held_back():
    unmarked = Unmarked(MARKS)
    assert unmarked.take("a\ue200ci") == "a"
    assert unmarked.take("te\ue202x", anew=True) == "tex"


def test_what_never_ends_is_not_held_back_for_ever():
    unmarked = Unmarked(MARKS)
    assert unmarked.take("\ue200cite\ue202" + "x" * MAX_MARK) == ""
    assert unmarked.take("y") == f"cite{'x' * MAX_MARK}y"


def test_where_a_site_has_no_marks_all_is_shown():
    assert Unmarked(None).take(PRIVATE) == PRIVATE
