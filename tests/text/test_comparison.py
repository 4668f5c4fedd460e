"""Answers side by side: nothing is lost, nothing is said twice, and order does not matter."""

from collections import Counter
from itertools import permutations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tabwire.model.ask import Answer, Completeness
from tabwire.text.comparison import Comparison, compare
from tabwire.text.sentences import sentences

SITES = ("chatgpt", "gemini", "grok")


def answer(site, text):
    return Answer("id", site, "prompt", text, Completeness.COMPLETE, "why")


def compared(*texts):
    return compare([answer(site, text) for site, text in zip(SITES, texts, strict=False)])


# --- what is the same ------------------------------------------------------------------------

AGREED = [
    ("the same", "Paris is big.", "Paris is big."),
    ("another order", "Paris is the capital of France.", "The capital of France is Paris."),
    ("marks", "**Paris** is `big`.", "Paris is big!"),
    ("small words", "It has been used by many people.", "It was used by many people."),
    ("endings", "Databases store records quickly.", "A database stores records quickly."),
    ("one says more", "Use an index for range queries.", "Use an index for range queries, always."),
    ("Japanese grammar", "人口は約210万人です。", "人口は約210万人である。"),
    ("Chinese", "它有两百万人口！", "它有两百万人口。"),
    ("Arabic digits", "عدد السكان 2 مليون.", "عدد السكان ٢ مليون."),
    ("items and prose", "- It is fast\n- It is cheap", "It is fast. It is cheap."),
    ("rows", "| a | b |\n|-|-|\n| 1 | 2 |", "|a|b|\n|--|--|\n|1|2|"),
    ("code but for blanks", "```py\nx = 1\n```", "```python\nx=1\n```"),
]


@pytest.mark.parametrize("left, right", [c[1:] for c in AGREED], ids=[c[0] for c in AGREED])
def test_what_both_say_is_agreed(left, right):
    found = compared(left, right)
    assert len(found.agreed) == len(sentences(left))
    assert (found.differ, found.shared) == ((), ())
    assert found.only == {"chatgpt": (), "gemini": ()}


# --- what differs ----------------------------------------------------------------------------

DIFFER = [
    ("a number", "It has 2.1 million inhabitants.", "It has 2.2 million inhabitants."),
    ("a name", "Lyon is the capital of France.", "Paris is the capital of France."),
    ("a name in the middle", "Ada Byron lived in London.", "Ada Byron lived in Paris."),
    ("a negation", "Python is fast.", "Python is not fast."),
    ("a short negation", "You should use it here.", "You shouldn't use it here."),
    ("a sign", "The value x < 5 holds.", "The value x > 5 holds."),
    ("below zero", "It is 5 degrees there.", "It is -5 degrees there."),
    ("a key word", "The second one is cheap.", "The second one is dear."),
    ("a row", "| speed | 10 |", "| speed | 12 |"),
    ("code", "```py\nx = 1\n```", "```py\nx = 2\n```"),
    ("code with a line more", "```py\nx = 1\n```", "```py\nx = 1\ny\n```"),
    ("a name that begins a long one", "Lyon has old trams, long trains, wide bridges and rivers.",
     "Paris has old trams, long trains, wide bridges and rivers."),
    ("one says far more", "The index speeds up range queries.",
     "The index speeds up range queries on dates, names, prices, keys, tags, hosts, ports."),
    ("Japanese", "フランスの首都はパリです。", "フランスの首都はリヨンです。"),
    ("a Japanese negation", "この方法は安全です。", "この方法は安全ではない。"),
    ("Chinese", "法国的首都是巴黎。", "法国的首都是里昂。"),
    ("a Chinese negation", "这个方法是安全的。", "这个方法是不安全的。"),
    ("Arabic", "عاصمة فرنسا هي باريس.", "عاصمة فرنسا هي ليون."),
]  # fmt: skip


@pytest.mark.parametrize("left, right", [c[1:] for c in DIFFER], ids=[c[0] for c in DIFFER])
def test_another_claim_about_the_same_thing_is_a_difference(left, right):
    found = compared(left, right)
    assert [one.texts for one in found.differ] == [{"chatgpt": left, "gemini": right}]
    assert (found.agreed, found.only) == ((), {"chatgpt": (), "gemini": ()})


def test_what_only_one_says_is_only_its():
    found = compared("I like cheese. Paris is big.", "Paris is big. Trains are late today.")
    assert found.agreed == ("Paris is big.",)
    assert found.only == {"chatgpt": ("I like cheese.",), "gemini": ("Trains are late today.",)}


def test_a_word_in_common_does_not_make_two_sentences_one():
    left, right = "I like cheese.", "Makers of cheese are on strike in the north of Italy."
    found = compared(left, right)
    assert found.only == {"chatgpt": (left,), "gemini": (right,)}


def test_of_several_candidates_the_nearest_are_joined():
    left = "Item 1 costs 5 euros. Item 2 costs 6 euros. Item 3 costs 7 euros."
    right = "Item 3 costs 8 euros. Item 2 costs 6 euros. Item 1 costs 5 euros."
    found = compared(left, right)
    assert found.agreed == ("Item 1 costs 5 euros.", "Item 2 costs 6 euros.")
    (one,) = found.differ
    assert one.texts == {"chatgpt": "Item 3 costs 7 euros.", "gemini": "Item 3 costs 8 euros."}


def test_the_nearest_are_joined_first():
    things = ("boat", "truck", "horse", "plane", "wagon")
    left = " ".join(f"A good {one} costs 5 euros in spring." for one in things)
    right = " ".join(f"A good {one} costs 6 euros in spring." for one in things[::-1])
    pairs = [tuple(one.texts.values()) for one in compared(left, right).differ]
    assert [mine.replace("5", "6") for mine, _ in pairs] == [theirs for _, theirs in pairs]
    assert len(pairs) == len(things)


def test_the_same_letters_in_another_order_are_another_sentence_in_chinese():
    assert compared("他喜欢你。", "你喜欢他。").agreed == ()


def test_code_is_never_compared_with_prose():
    found = compared("```\nprint paris now\n```", "print paris now")
    assert found.agreed == found.differ == ()


# --- three -----------------------------------------------------------------------------------


def test_three_answers_have_what_all_what_two_and_what_one_said():
    found = compared(
        "Paris is big. Rivers are wet. It has 20 towers.",
        "Paris is big. Rivers are wet. It has 30 towers.",
        "Cheese is good. It has 20 towers. Paris is big.",
    )
    assert found.agreed == ("Paris is big.",)
    assert [(one.sites, one.text) for one in found.shared] == [
        (("chatgpt", "gemini"), "Rivers are wet.")
    ]
    assert found.only == {"chatgpt": (), "gemini": (), "grok": ("Cheese is good.",)}
    (one,) = found.differ
    assert sorted(one.texts) == ["chatgpt", "gemini", "grok"]


def test_a_third_that_is_near_joins_two_that_say_the_same():
    same = "Range queries need a sorted index."
    found = compared(same, same, "Range queries always need a sorted index.")
    assert found.agreed == (same,)
    assert not any(found.only.values())


def test_a_site_that_answers_twice_is_counted():
    answers = [answer("grok", "One thing."), answer("grok", "Quite another matter.")]
    found = compare(answers)
    assert set(found.only) == {"grok", "grok (2)"}
    assert compare(answers[::-1]) == found


EDGES = [
    ((), Comparison((), {}, ())),
    (("Alone. Indeed.",), Comparison(("Alone.", "Indeed."), {"chatgpt": ()}, ())),
    (("", ""), Comparison((), {"chatgpt": (), "gemini": ()}, ())),
    (("", "A word."), Comparison((), {"chatgpt": (), "gemini": ("A word.",)}, ())),
]


@pytest.mark.parametrize("texts, expected", EDGES)
def test_few_or_empty_answers_are_compared_too(texts, expected):
    assert compared(*texts) == expected


def test_what_an_answer_repeats_counts_once():
    found = compared("So it is. So it is. So it is.", "So it is.")
    assert (found.agreed, found.only) == (("So it is.",), {"chatgpt": (), "gemini": ()})


# --- properties ------------------------------------------------------------------------------

WORDS = [
    "paris",
    "Lyon",
    "is",
    "not",
    "the",
    "capital",
    "5",
    "7.5",
    "big",
    "index",
    "<",
    "首都",
    "巴黎",
    "ない",
]
SENTENCE = st.lists(st.sampled_from(WORDS), min_size=1, max_size=6).map(" ".join)
PIECE = st.one_of(
    SENTENCE.map(lambda one: f"{one}. "),
    SENTENCE.map(lambda one: f"\n- {one}\n"),
    SENTENCE.map(lambda one: f"\n\n```\n{one}\n```\n\n"),
    SENTENCE.map(lambda one: f"\n\n| {one} | x |\n\n"),
    st.text(max_size=12),
)
TEXT = st.lists(PIECE, max_size=6).map("".join)
TEXTS = st.lists(TEXT, min_size=2, max_size=3)


@settings(max_examples=40)
@given(TEXTS)
def test_every_sentence_of_every_answer_is_in_exactly_one_place(texts):
    found = compared(*texts)
    for site, text in zip(SITES, texts, strict=False):
        said = {}
        for one in sentences(text):
            said.setdefault(one.same, one.text)
        own = [*found.only[site], *(one.texts[site] for one in found.differ if site in one.texts)]
        assert Counter(own) <= Counter(said.values())
        with_others = [one for one in found.shared if site in one.sites]
        assert len(own) + len(with_others) + len(found.agreed) == len(said)


@settings(max_examples=40)
@given(TEXTS)
def test_the_order_of_the_answers_does_not_matter(texts):
    answers = [answer(site, text) for site, text in zip(SITES, texts, strict=False)]
    first = compare(answers)
    assert all(compare(list(order)) == first for order in permutations(answers))


@settings(max_examples=40)
@given(TEXT, st.integers(min_value=2, max_value=3))
def test_identical_answers_agree_in_everything(text, count):
    found = compared(*[text] * count)
    assert (found.differ, found.shared) == ((), ())
    assert not any(found.only.values())
    assert len(found.agreed) == len({one.same for one in sentences(text)})


def test_long_answers_are_compared_whole():
    """100 kB each; it takes about a second."""
    left = " ".join(
        f"The city number {at} has {at * 7} towers and bridge {at}." for at in range(2000)
    )
    right = " ".join(
        f"The city number {at} has {at * 7} towers and bridge {at}." for at in range(1, 2001)
    )
    found = compared(left, right)
    assert len(left) > 90_000
    assert len(found.agreed) == 1999


def test_who_names_a_source_says_the_same_as_who_names_none():
    source, other = "([US EPA](https://epa.example/3))", "([Talk](https://talk.example/))"
    found = compared(
        f"The air is clean {source}. It has 4 parts. {source} {other}\n\n| dust | 5 {other} |",
        "The air is clean. It has 4 parts.\n\n| dust | 5 |",
    )
    assert found.agreed[0] == f"The air is clean {source}."
    assert (len(found.agreed), found.differ, set(found.only.values())) == (3, (), {()})
