"""The matcher that page tests trust, against what a browser would answer."""

import pytest

from kit.selectors import SelectorError, read_page, readable, select

PAGE = """
<!doctype html><html><body>
<form id="one" class="wide Dark"><p><br>
<button hit-a data-key="t-1:user" aria-label="Stop">x</button></p></form>
<div data-key="t-1:assistant"><button hit-b aria-label="stop reading">y</button>
<img src="/a/b.png"></div>
<template><form><button>in a template</button></form></template>
<p>after</p></body></html>
"""

MATCHES = [
    # id                 selector                                    tags found
    ("tag", "button", ["button", "button"]),
    ("everything", "form *", ["p", "br", "button"]),
    ("id", "form#one", ["form"]),
    ("class", ".wide", ["form"]),
    ("class is case-sensitive", ".dark", []),
    ("two classes", "form.wide.Dark", ["form"]),
    ("attribute", "[hit-a]", ["button"]),
    ("equal", '[aria-label="Stop"]', ["button"]),
    ("equal, any case", '[aria-label="STOP" i]', ["button"]),
    ("single quotes", "[aria-label='Stop']", ["button"]),
    ("no quotes", "[aria-label=Stop]", ["button"]),
    ("begins", '[aria-label^="stop "]', ["button"]),
    ("ends", '[data-key$=":assistant"]', ["div"]),
    ("begins, not anywhere", '[data-key^=":user"]', []),
    ("ends, not anywhere", '[data-key$="t-1"]', []),
    ("contains", '[src*="/b."]', ["img"]),
    ("empty value contains nothing", '[src*=""]', []),
    ("descendant", "form button", ["button"]),
    ("child", "form > button", []),
    ("child of child", "form > p > button", ["button"]),
    ("child within descendants", "body form > p button", ["button"]),
    ("list", "img, #one", ["form", "img"]),
    ("not", "button:not([hit-a])", ["button"]),
    ("not inside", "button:not(form *)", ["button"]),
    ("not either", "button:not([hit-a], [hit-b])", []),
    ("a void element holds nothing", "br button", []),
    ("templates are closed", "template button", []),
    ("what follows is not inside", "div p", []),
]


@pytest.mark.parametrize("css, tags", [c[1:] for c in MATCHES], ids=[c[0] for c in MATCHES])
def test_finds_what_a_browser_would_find(css, tags):
    assert [one.tag for one in select(read_page(PAGE), css)] == tags


@pytest.mark.parametrize(
    "css",
    [
        *("", " ", "[", "[a", "[a=]", '[a="b]', "[a=b]]", "a > ", "> a", "a,", ":not(a", ":not()"),
        *("a:hover", "a::before", "a + b", "a ~ b", "a)", ".", "#", "1a", "a[b='c\"]", "a >> b"),
    ],
)
def test_refuses_what_it_cannot_read(css):
    assert not readable(css)
    with pytest.raises(SelectorError):
        select(read_page(PAGE), css)


def test_a_stray_end_tag_closes_nothing():
    root = read_page("<main></b></div><p>still inside</p></main>")
    assert select(root, "main > p")
