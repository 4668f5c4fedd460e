"""Where a sentence ends, and which words are the same."""

import pytest

from tabwire.text.sentences import sentences

CUTS = [
    # id, Markdown, the sentences in it
    ("plain", "One two. Three! Four? Five", ["One two.", "Three!", "Four?", "Five"]),
    ("abbreviations", "Dr. Smith paid, e.g. for Tea. See Fig. 3 there.",
     ["Dr. Smith paid, e.g. for Tea.", "See Fig. 3 there."]),
    ("initials", "J. R. Tolkien wrote. He did.", ["J. R. Tolkien wrote.", "He did."]),
    ("decimals", "It is 3.14. Version 2.5 is out.", ["It is 3.14.", "Version 2.5 is out."]),
    ("a year at the end", "It was 2024. Then more.", ["It was 2024.", "Then more."]),
    ("a count at the beginning", "So. 1. First. 2. Second.", ["So.", "1. First.", "2. Second."]),
    ("small letters go on", "Wait... what? yes.", ["Wait... what? yes."]),
    ("quotes", '"Really?" He left. (Yes.) Good.', ['"Really?"', "He left.", "(Yes.)", "Good."]),
    ("bold", "**Yes.** It is.", ["**Yes.**", "It is."]),
    ("code in a line", "Run `a. B. c` now. Done.", ["Run `a. B. c` now.", "Done."]),
    ("names with dots", "Use a.b.C and x.py now.", ["Use a.b.C and x.py now."]),
    ("sources", "One ([a](https://a.b/)). Two. ([a](https://a.b/), [C d](https://c.d/)) Three",
     ["One ([a](https://a.b/)).", "Two. ([a](https://a.b/), [C d](https://c.d/))", "Three"]),
    ("sources in Chinese", "是的。 ([a](https://a.b/))好", ["是的。 ([a](https://a.b/))", "好"]),
    ("Chinese", "是的。不是！为什么？好", ["是的。", "不是！", "为什么？", "好"]),
    ("Japanese", "彼は「はい。」と言った。次", ["彼は「はい。」", "と言った。", "次"]),
    ("Arabic", "نعم. هل هذا صحيح؟ لا.", ["نعم.", "هل هذا صحيح؟", "لا."]),
    ("Hindi", "हाँ। नहीं।", ["हाँ।", "नहीं।"]),
    ("broken lines", "One\ntwo. Three\nfour.", ["One two.", "Three four."]),
    ("broken lines in Japanese", "日本\n語。", ["日本語。"]),
    ("headings and items", "# Head\n- a. B.\n- c\n  d\n1. e", ["Head", "a.", "B.", "c d", "e"]),
    ("tables", "| a | b |\n|--|--|\n| 1. X | 2 |", ["| a | b |", "| 1. X | 2 |"]),
    ("code", "So:\n```py\na. B\n\nc\n```\nEnd.", ["So:", "```py\na. B\n\nc\n```", "End."]),
    ("formula", "$$\na. B\n$$", ["$$\na. B\n$$"]),
    ("rules and blanks", "a\n\n---\n\n\nb", ["a", "b"]),
    ("empty code", "```\n```", []),
]  # fmt: skip


@pytest.mark.parametrize("markdown, found", [c[1:] for c in CUTS], ids=[c[0] for c in CUTS])
def test_a_sentence_is_kept_whole(markdown, found):
    assert [one.text for one in sentences(markdown)] == found


SAME = [
    ("**Paris** is *big*.", "paris is big"),
    ("It costs 1,000 euros.", "It costs 1000 euros"),
    ("٢ مليون", "2 مليون"),
    ("مُحَمَّد هنا", "محمد هنا"),
    ("Ｐａｒｉｓ　１", "Paris 1"),
    ("don't", "Don’t!"),
    ("PostgreSQL's level", "postgresql level"),
    ("| a | b |", "|a|b|"),
    ("- [x](http://y)", "[x](http://y)"),
]


@pytest.mark.parametrize("left, right", SAME)
def test_the_same_words_are_the_same_sentence(left, right):
    assert [one.same for one in sentences(left)] == [one.same for one in sentences(right)]


OTHER = [
    ("It is 5.", "It is -5."),
    ("x < 5", "x > 5"),
    ("It is 5 %.", "It is 5 $."),
    ("1.5", "15"),
    ("`x`", "```\nx\n```"),
    ("か", "が"),
    ("🙂", "🙁"),
]


@pytest.mark.parametrize("left, right", OTHER)
def test_other_signs_are_another_sentence(left, right):
    assert [one.same for one in sentences(left)] != [one.same for one in sentences(right)]


NEGATED = [
    ("It is not so.", True), ("It isn’t so.", True), ("It is so.", False), ("A note.", False),
    ("Das ist nicht wahr.", True), ("Ce n'est pas vrai.", True), ("هذا ليس صحيحا", True),
    ("これは正しくない。", True), ("これは正しいです。", False), ("できません。", True),
    ("这不是真的。", True), ("这是真的。", False), ("그것은 아니다.", True),
]  # fmt: skip


@pytest.mark.parametrize("text, negated", NEGATED)
def test_a_negation_is_seen_in_many_languages(text, negated):
    assert [one.negated for one in sentences(text)] == [negated]
