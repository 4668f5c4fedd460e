"""Names of windows, and what the page data promises of itself."""

import pytest

from tabwire.sites.antigravity.page import APPROVALS, LABELS, PACKS, is_product, wish, workspace_of
from tabwire.sites.antigravity.page.shape import PARTS


@pytest.mark.parametrize(
    "title, name",
    [
        ("shop — Antigravity - app.py", "shop"),
        ("shop - Antigravity - app.py", "shop"),
        ("shop — Antigravity", "shop"),
        ("app.py - shop - Antigravity IDE", "shop"),
        ("● app.py - shop - Cursor", "shop"),
        ("my - odd — Antigravity", "odd"),
        ("Manager", "Manager"),
        ("Antigravity", "Antigravity"),
    ],
)
def test_a_workspace_is_what_stands_before_the_programs_name(title, name):
    assert workspace_of(title) == name


def test_a_port_is_the_products_by_its_own_word():
    assert is_product("Mozilla/5.0 Antigravity/1.20.5 Chrome/142 Electron/39")
    assert not is_product("Mozilla/5.0 Chrome/156", "Chrome/156")


def test_no_label_means_two_things():
    """What may go on and what must never be chosen share no label."""
    go = {"run", "accept", "retry", "apply", "execute", "confirm", "allow_once", "allow",
          "continue", "proceed", "submit", "accept_all"}  # fmt: skip
    yes = {label for rule in go for label in LABELS[rule]}
    no = {label for rule, labels in LABELS.items() if rule not in go for label in labels}
    assert yes.isdisjoint(no)
    assert all(label == label.lower() for labels in LABELS.values() for label in labels)


def test_every_pack_knows_the_parts_without_which_nothing_is_read():
    for pack in PACKS:
        for part in ("root", "turns", "prose", "user", "stop", "command", "command_line"):
            assert getattr(pack, part), (pack.name, part)
        assert all(one.seen_on for part in PARTS for one in getattr(pack, part))
    assert len({pack.name for pack in PACKS}) == len(PACKS)


def test_the_page_gets_plain_data():
    told = wish(PACKS)
    assert set(told) == {"packs", "labels", "words", "limits", "classic"}
    assert "files" not in APPROVALS
