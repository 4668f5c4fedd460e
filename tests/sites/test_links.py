"""Private marks in a text become what a person reads there."""

import pytest

from tabwire.model.citations import Citation, Reference
from tabwire.sites.known import SITES
from tabwire.sites.links import linked
from tabwire.text.plain import plain

MARKS = SITES["chatgpt"].marks


def mark(kind, *parts):
    return "\ue200" + "\ue202".join((kind, *parts)) + "\ue201"


ONE, TWO, NOBODY = mark("cite", "turn0search0"), mark("cite", "turn0search1"), mark("cite", "x")
WORD = mark("entity", '["city","Assur","a city"]')
UR, CUT = mark("entity", '["city","Ur"]'), mark("entity", '["city"')
LIST = mark("navlist", '["city","Ur"]')
IMAGES = mark("image_group", "{\n}")
EPA = Citation("https://epa.example/air", "Air", "US EPA")
FORUM = Citation("https://forum.example/a_(b)?q=1|2", "Talk | [old] *news*")
BARE = Citation("https://bare.example/x")
A, B = "([US EPA](https://epa.example/air))", "([bare.example](https://bare.example/x))"
KNOWN = (
    Reference(ONE, citations=(EPA,)),
    Reference(TWO, citations=(BARE,)),
    Reference(WORD, words="Assur"),
)

CASES = [
    # id, the text as sent, the text as read
    ("before a full stop", f"Known{ONE}.", f"Known {A}."),
    ("after a blank", f"Known. {ONE}", f"Known. {A}"),
    ("before a word", f"Known{ONE}Then", f"Known {A} Then"),
    ("in brackets", f"see ({ONE})", f"see ({A})"),
    ("at the beginning", f"{ONE} says so", f"{A} says so"),
    ("two in a row", f"Known{ONE}{TWO}.", f"Known {A} {B}."),
    ("twice the same", f"a{ONE} b{ONE}", f"a {A} b {A}"),
    ("at the end of a line", f"Known{ONE}\nNext", f"Known {A}\nNext"),
    ("in a table", f"| a{ONE} | b |", f"| a {A} | b |"),
    ("words in its place", f"Was {WORD}'s king", "Was Assur's king"),
    ("words it holds itself", f"Was {UR}.", "Was Ur."),
    ("an entity without a name", f"Was {CUT}.", "Was."),
    ("a list of another kind", f"Was {LIST}.", "Was."),
    ("nobody explains it", f"Known {NOBODY}.", "Known."),
    ("between words", f"Known {NOBODY} and", "Known and"),
    ("without a blank", f"Known{NOBODY}.", "Known."),
    ("two that nobody explains", f"Known {NOBODY} {NOBODY}.", "Known."),
    ("two of them together", f"Known {NOBODY}{NOBODY}.", "Known."),
    ("one of two is known", f"Known {NOBODY}{ONE}.", f"Known {A}."),
    ("the other of two is known", f"Known {ONE}{NOBODY}.", f"Known {A}."),
    ("before a Chinese stop", f"知道 {NOBODY}。", "知道。"),
    ("before a closing quote", f"“Known {NOBODY}”", "“Known”"),
    ("before emphasis", f"Known {NOBODY}*so*", "Known *so*"),
    ("first in a line", f"{NOBODY} Known", "Known"),
    ("first in an item", f"- {NOBODY} Known", "- Known"),
    ("last in a line", f"Known {NOBODY}\nNext", "Known\nNext"),
    ("last after several blanks", f"Known  {NOBODY}\nNext", "Known\nNext"),
    ("before a forced break", f"Known {NOBODY}  \nNext", "Known  \nNext"),
    ("alone in a line", f"Known\n{NOBODY}\nNext", "Known\nNext"),
    ("alone in a paragraph", f"Known\n\n{NOBODY}\n\nNext", "Known\n\nNext"),
    ("alone at the beginning", f"{NOBODY}\n\nNext", "Next"),
    ("alone at the end", f"Known\n\n{NOBODY}\n", "Known"),
    ("nothing else at all", NOBODY, ""),
    ("nothing before a stop", f"{NOBODY}.", "."),
    ("over two lines", f"a {IMAGES} b", "a b"),
    ("half of one at the end", "Known \ue200cite\ue202turn0se", "Known"),
    ("its first character at the end", "Known \ue200", "Known "),
    ("text set apart", "\ue203Known\ue204\ue206 so", "Known so"),
    ("an icon is no mark", "press \ue200 now", "press  now"),
    ("inline code", f"`x {NOBODY} \ue203 y`", "`x  \ue203 y`"),
    ("no link in code", f"`x{ONE}y` z{ONE}", f"`xy` z {A}"),
    ("words in code", f"`x {WORD}`", "`x Assur`"),
    ("a fence", f"```\na {NOBODY} .\n\ue200 b\n```\nc {NOBODY}.", "```\na  .\n\ue200 b\n```\nc."),
    ("a fence in an item", f"- ~~~\n  a {ONE}\n  ~~~\n  b{ONE}", f"- ~~~\n  a \n  ~~~\n  b {A}"),
    ("a fence in a fence", f"````\n```\n{ONE}\n````\n{ONE}", f"````\n```\n\n````\n{A}"),
    ("a fence begins no end", f"```\n```py\n{ONE}\n```\na{ONE}", f"```\n```py\n\n```\na {A}"),
    ("a fence nobody closes", f"```\na {ONE}b", "```\na b"),
    ("no fence", f"```a``` b{ONE}", f"```a``` b {A}"),
    ("a lone backtick", f"a ` b{ONE}", f"a ` b {A}"),
    ("no marks at all", "a * b ** c  \n\n\n `d`\n", "a * b ** c  \n\n\n `d`\n"),
]


@pytest.mark.parametrize("sent, read", [c[1:] for c in CASES], ids=[c[0] for c in CASES])
def test_a_mark_becomes_what_a_person_reads(sent, read):
    assert linked(sent, KNOWN, MARKS)[0] == read


def test_every_source_is_named_once_in_the_order_of_the_text():
    both = Reference(NOBODY, citations=(BARE, EPA))
    text, cited = linked(f"a{TWO} b{NOBODY} c{TWO}", (*KNOWN, both), MARKS)
    assert cited == (BARE, EPA)
    two = "([bare.example](https://bare.example/x), [US EPA](https://epa.example/air))"
    assert f" b {two} c" in text


def test_a_source_in_code_is_named_though_not_linked():
    assert linked(f"`{ONE}`", KNOWN, MARKS) == ("``", (EPA,))


def test_a_reference_without_its_mark_is_not_cited():
    assert linked(f"a{TWO}", KNOWN, MARKS)[1] == (BARE,)


def test_a_label_or_an_address_cannot_break_out_of_its_link():
    text, _ = linked(f"| a{ONE} |", (Reference(ONE, citations=(FORUM,)),), MARKS)
    label, address = r"Talk \| (old) \*news\*", "https://forum.example/a_%28b%29?q=1%7C2"
    assert text == f"| a ([{label}]({address})) |"


def test_plain_text_has_the_address_and_no_mark():
    text, _ = linked(f"**Known**{ONE}.", KNOWN, MARKS)
    assert plain(text) == "Known (US EPA (https://epa.example/air))."


@pytest.mark.parametrize("site", ["gemini", "grok"])
def test_where_a_site_has_no_marks_nothing_is_touched(site):
    text = f"a {ONE} \ue203 b"
    assert linked(text, KNOWN, SITES[site].marks) == (text, ())


def test_a_long_text_with_many_marks_is_read_in_one_go():
    """A megabyte, and openings that nobody closes: no search goes over the text again."""
    text = ("word \ue200cite\ue202 `x " + ONE) * 20_000
    assert linked(text, KNOWN, MARKS)[1] == (EPA,)
