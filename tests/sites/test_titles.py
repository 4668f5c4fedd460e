"""How titles beat each other."""

import pytest

from tabwire.sites.memory import MAX_PARTS, MAX_TITLES, Memory
from tabwire.sites.titles import better_title, fallback_title, is_generic

GENERIC = [
    "",
    "  ",
    None,
    "New chat",
    "NEW  CHAT",
    "new conversation",
    "Untitled",
    "ChatGPT",
    "Google Gemini",
    "Gemini Conversation",
    "Conversation with Gemini",
    "Grok Conversation",
    "Grok",
    "You said: hello",
    "You said hello",
]


@pytest.mark.parametrize("title", GENERIC)
def test_generic(title: str | None) -> None:
    assert is_generic(title)


@pytest.mark.parametrize("title", ["Blue sky", "New chat about tea", "You saidn't", "Grokking"])
def test_specific(title: str) -> None:
    assert not is_generic(title)


BETTER = [
    # old            new              kept
    (None, None, None),
    (None, "New chat", "New chat"),
    ("New chat", "Tea", "Tea"),
    ("Tea", "New chat", "Tea"),
    ("Tea", "Coffee", "Coffee"),
    ("New chat", "Untitled", "Untitled"),
    ("Tea", "  ", "Tea"),
    ("", "Tea", "Tea"),
]


@pytest.mark.parametrize("old, new, kept", BETTER)
def test_a_generic_title_never_overwrites_a_specific_one(
    old: str | None, new: str | None, kept: str | None
) -> None:
    assert better_title(old, new) == kept


FALLBACKS = [
    ("Why?", "Why?"),
    ("  two\n\nlines\t here ", "two lines here"),
    ("", None),
    (" \n", None),
    ("x" * 80, "x" * 80),
    ("x" * 81, "x" * 77 + "..."),
]


@pytest.mark.parametrize("text, title", FALLBACKS)
def test_a_title_from_the_first_question_is_one_short_line(text: str, title: str | None) -> None:
    assert fallback_title(text) == title


def test_memory_keeps_the_better_title_of_each_conversation() -> None:
    memory = Memory()
    memory.learn_title("grok", "1", "Tea")
    memory.learn_title("grok", "1", "New conversation")
    memory.learn_title("gemini", "1", "Other")
    assert memory.title("grok", "1", None) == "Tea"
    assert memory.title("grok", "1", "New conversation") == "Tea"
    assert memory.title("grok", "1", "Coffee") == "Coffee"
    assert memory.title("grok", None, "New conversation") is None
    memory.learn_title("grok", "2", "New conversation")
    assert memory.title("grok", "2", None) is None


def test_memory_is_bounded_and_forgets_the_oldest() -> None:
    memory = Memory()
    for number in range(MAX_TITLES + 1):
        memory.learn_title("grok", str(number), f"Title {number}")
    assert memory.title("grok", "0", None) is None
    assert memory.title("grok", str(MAX_TITLES), None) == f"Title {MAX_TITLES}"
    first = memory.parts("grok", "0", [0])
    for number in range(1, MAX_PARTS + 1):
        memory.parts("grok", str(number), [number])
    assert memory.parts("grok", "0", ["fresh"]) is not first


def test_memory_gives_the_same_parts_again() -> None:
    memory = Memory()
    memory.parts("grok", "1", []).append("kept")
    assert memory.parts("grok", "1", []) == ["kept"]


def test_memory_knows_the_conversation_named_last() -> None:
    memory = Memory()
    assert memory.newest("grok") is None
    memory.saw("grok", "1")
    memory.saw("gemini", "2")
    assert memory.newest("grok") == "1"
