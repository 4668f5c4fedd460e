"""The composers that the extension's control keeps free are those of the sites' pages."""

import re
from itertools import product
from pathlib import Path

import pytest

from tabwire.sites.known import SITES

PLACE = Path(__file__).resolve().parents[2] / "extension" / "page" / "place.js"

COMPOUND = re.compile(r"(?:\[[^\]]*\]|[^\s>+~\[])+")
PART = re.compile(r"\[[^\]]*\]|[.#]?[\w-]+|:[\w-]+")


def selectors(name):
    """What the constant of this name in place.js lists."""
    found = re.search(rf"const {name} =(.*?);", PLACE.read_text(encoding="utf-8"), re.DOTALL)
    literals = re.findall(r"""'([^'\n]*)'|"([^"\n]*)\"""", found[1])
    return [css.strip() for css in "".join(a or b for a, b in literals).split(",")]


def parts(compound):
    """`a.b[c="d"]` -> {a, .b, [c], [c=d]}: an attribute with a value is there in any case."""
    plain = re.sub(r""":not\([^)]*\)|["']""", "", compound)
    found = set(PART.findall(plain))
    return found | {re.sub(r"[*^$~|]?=.*", "]", one) for one in found if one.startswith("[")}


def is_around(ours, css):
    """Whether one of these selectors matches what `css` does, or something around it."""
    return any(parts(one) <= parts(at) for one, at in product(ours, COMPOUND.findall(css)))


COMPOSERS = [
    (f"{site.name} {layout.name}", selector.css)
    for site in SITES.values()
    for layout in site.page.layouts
    for selector in layout.composer
]


@pytest.mark.parametrize("css", [css for _, css in COMPOSERS], ids=[name for name, _ in COMPOSERS])
def test_every_composer_of_a_site_is_kept_free(css):
    assert is_around(selectors("COMPOSERS"), css)


@pytest.mark.parametrize("name", ["COMPOSERS", "NOT"])
def test_nothing_is_looked_for_that_no_site_has(name):
    pages = [layout for site in SITES.values() for layout in site.page.layouts]
    known = [
        selector.css
        for layout in pages
        for selector in (*layout.recognise, *layout.composer, *layout.decoys)
    ]
    assert [one for one in selectors(name) if not any(is_around([one], css) for css in known)] == []


@pytest.mark.parametrize(
    "ours, css, found",
    [
        (["textarea"], "form textarea#prompt", True),
        (["form"], "form textarea#prompt", True),
        (["textarea"], 'div[name="textarea"]', False),
        (['[role="textbox"]'], "div.x[role='textbox'] > p", True),
        (['[role="textbox"]'], "div[role]", False),
        (["[role]"], 'div[role="textbox"]', True),
        (["textarea"], "div:not(textarea)", False),
    ],
)
def test_what_is_kept_free_is_told_by_its_parts(ours, css, found):
    assert is_around(ours, css) is found
