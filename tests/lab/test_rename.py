"""Names are changed wherever they are meant, and nowhere else."""

import pytest

from tabwire.lab.rename import Files, Names, Renamer

HYPHENED = Renamer(
    Names(
        marked={
            "data-turn": "data-new",
            "user-query": "new-tag",
            "turn-": "neu-",
            "group/head": "new-head",
        }
    )
)
PLAIN = Renamer(Names(marked={"citation": "kilo", "pfp": "lima"}, classes={"row": "c_1"}))
IDS = Renamer(Names(ids={"history": "c_2", "add-files": "c-3"}))


@pytest.mark.parametrize(
    "old, new",
    [
        ('make("div", { "data-turn": key })', 'make("div", { "data-new": key })'),
        ('"data-turn-key"', '"data-turn-key"'),  # a longer name is another name
        ('querySelector("user-query p")', 'querySelector("new-tag p")'),
        ('"user-query-content"', '"user-query-content"'),
        ("`turn-${number}`", "`neu-${number}`"),
        ("`my-turn-${number}`", "`my-turn-${number}`"),
        ("one.dataset.turn = 1", "one.dataset.new = 1"),
        ("one.turn = 1", "one.turn = 1"),
        ('import "/assets/user-query.js"', 'import "/assets/user-query.js"'),
        ('{ class: "group/head big" }', '{ class: "new-head big" }'),
    ],
)
def test_a_name_with_a_hyphen_is_changed_wherever_it_stands(old, new):
    assert HYPHENED.apply(old, ".js") == new


@pytest.mark.parametrize(
    "old, new",
    [
        ('make("a", { class: "citation big" })', 'make("a", { class: "kilo big" })'),
        ('link.classList.add("citation")', 'link.classList.add("kilo")'),
        ('querySelectorAll("a:not(.citation)")', 'querySelectorAll("a:not(.kilo)")'),
        ('closest(".citation.row p")', 'closest(".kilo.c_1 p")'),
        ("`${row} .row`", "`${row} .c_1`"),
        ('t("citation")', 't("citation")'),
        ("this.citation = row", "this.citation = row"),
        ('import "/assets/citation.js"', 'import "/assets/citation.js"'),
        ('make("img", { alt: "pfp" })', 'make("img", { alt: "lima" })'),
        ('make("img", { alt: "row" })', 'make("img", { alt: "row" })'),
    ],
)
def test_a_plain_word_is_changed_where_it_is_a_name(old, new):
    assert PLAIN.apply(old, ".js") == new


@pytest.mark.parametrize(
    "old, new",
    [
        ('<img alt="pfp" class="row citation">', '<img alt="lima" class="c_1 kilo">'),
        ("<p>citation row pfp</p>", "<p>citation row pfp</p>"),
    ],
)
def test_in_html_only_attributes_have_names(old, new):
    assert PLAIN.apply(old, ".html") == new


def test_in_css_only_selectors_have_names():
    css = '.row .citation { margin: .5rem } img[alt="pfp"] { color: red }'
    changed = '.c_1 .kilo { margin: .5rem } img[alt="lima"] { color: red }'
    assert PLAIN.apply(css, ".css") == changed
    assert HYPHENED.apply(r".group\/head { top: 0 }", ".css") == ".new-head { top: 0 }"


def test_ids_are_changed_where_they_are_asked_for():
    assert IDS.apply('<i id="history" data-words="history">', ".html") == (
        '<i id="c_2" data-words="history">'
    )
    assert IDS.apply('$("#history, #add-files"); t("history")', ".js") == (
        '$("#c_2, #c-3"); t("history")'
    )
    assert IDS.apply("#history { color: #add; }", ".css") == "#c_2 { color: #add; }"


def test_what_cannot_be_found_everywhere_is_left_alone():
    files = Files(
        {
            "a.css": ".stop { top: 0 } .row { left: 0 } .asked { left: 0 } .margin-top { top: 0 }"
            " p { margin-top: 0 } #menu { top: 0 }",
            "a.html": '<i id="menu"></i><i id="face"></i><b class="row">',
            "a.js": 'make("b", { class: on ? "stop" : "asked" }); $(".asked"); $("#menu");',
        }
    )
    assert not files.can_rename("stop")  # where it is set it would be missed
    assert not files.can_rename("unheard-of")
    assert not files.can_rename("margin-top")  # which is a word of CSS too
    assert files.can_rename("row")
    assert files.classes == ("row", "stop")  # a missed `stop` costs its looks, no more
    assert files.ids == ("menu",)
