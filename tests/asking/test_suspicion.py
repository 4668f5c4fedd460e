"""What a person should look twice at: seed 001, 10.5, without its false alarms."""

import pytest

from tabwire.asking.suspicion import suspicious

EMPTY = "the answer is empty"
ONLY_OK = 'the answer is only "ok"'
NO_NUMBER = "the prompt is a sum, and there is no number in the answer"
LABEL = "the answer is only a label from the page"
ECHO = "the answer is the prompt itself"

FLAGGED = [
    # answer, prompt, why
    ("", "Hi", EMPTY),
    (" \n\t", "OK", EMPTY),
    ("ok", "How do I read a file?", ONLY_OK),
    ("**OK**", "Explain joins.", ONLY_OK),
    ("Okay.", "Explain joins.", ONLY_OK),
    ("Sure, let me see.", "What is 2+2?", NO_NUMBER),
    ("Sure.", "What is 17 * (3 + 4)?", NO_NUMBER),
    ("Sure.", "9 - 4 = ?", NO_NUMBER),
    ("ChatGPT said:", "Hi", LABEL),
    ("Thinking…", "Hi", LABEL),
    ("Tell me a joke.", " Tell me a joke.\n", ECHO),
]


@pytest.mark.parametrize("answer, prompt, why", FLAGGED)
def test_an_odd_answer_is_flagged_in_words(answer, prompt, why):
    assert suspicious(answer, prompt) == (why,)


FINE = [
    ("4", "What is 2+2?"),
    ("Four.", "What is 2+2?"),
    ("四です。", "2+2は？"),
    ("٤", "What is 2+2?"),
    ("Vierzig.", "Was ist 20 + 20?"),
    # The false alarms of the seed's rule of digits (facts, asking-peers, row 52).
    ("yes", "Is it in version 3?"),
    ("red, green, blue", "Name 3 colours."),
    ("It was a Wednesday.", "Which day was 2024-05-01?"),
    ("Half of them.", "What does 3/4 mean, or 5-10?"),
    ("OK", "OK"),
    ("ok", "Reply with ok only."),
    ("Thinking", "Which word follows 'skip'? Hint: thinking"),
    ("It said: Skip thinking, then You said: hi", "What does the page say?"),
    ("Tell me a joke. Very well: knock knock.", "Tell me a joke."),
    ("Use `+`: " + "x" * 300, "Review this. " + "x" * 300 + " 2+2 "),
    ("no digits here", "Review this. " + "x" * 300 + " 2+2 "),
]


@pytest.mark.parametrize("answer, prompt", FINE)
def test_an_answer_like_any_other_is_not_flagged(answer, prompt):
    assert suspicious(answer, prompt) == ()


def test_several_reasons_are_all_said():
    assert suspicious("ok", "2 + 2") == (NO_NUMBER, ONLY_OK)
