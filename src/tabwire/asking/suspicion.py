"""Why a person should look twice at an answer. It is flagged and never discarded.

The rules are those of seed 001, section 10.5, and what became of them:

- An empty answer: kept.
- An answer that is only "ok": kept, unless the prompt itself has that word ("reply with OK").
- A question with a digit and an answer without one: flagged too much ("Is it in version 3?",
  "Yes."; "Name 3 colours", "red, green, blue"). Kept for sums alone ("What is 2+2?"), where
  an answer must have a number; a number in words or in another script is one.
- A prompt that is just "OK" is never flagged, but for an empty answer: kept.

Two more are known from other tools: the page's own words in place of an answer, and the
prompt read back. Both only where they are the whole answer: an answer may quote either.
"""

import re

# ruff: noqa: RUF001  several scripts, and signs that look like letters
_OK = re.compile(r"[\"'*_`]*o\.?k(?:ay)?[.!]?[\"'*_`]*", re.IGNORECASE)
_OK_WORD = re.compile(r"\bo\.?k(?:ay)?\b", re.IGNORECASE)
# No `-` or `/` without blanks: 2024-05-01 and 3/4 are no sums.
_SUM = re.compile(r"\d\s*(?:[+*^×÷]|\*\*)\s*\(?\d|\d\s+[-−/:]\s+\(?\d")
_MAX_SUM = 200  # characters: in a longer prompt a sum is a part of something else
_NUMBER = re.compile(
    r"[\d½¼¾²³]|[零〇一二三四五六七八九十百千万億两]"
    r"|\b(?:zero|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|\w+teen"
    r"|\w+ty|hundred|thousand|million|infinit\w*|undefined"
    r"|null|eins?|zwei|drei|vier|fünf|sechs|sieben|acht|neun|zehn|elf|zwölf|\w+zehn|\w+zig"
    r"|un|deux|trois|quatre|cinq|sept|huit|neuf|dix|onze|douze|vingt|cent"
    r"|uno|dos|tres|cuatro|cinco|seis|siete|ocho|nueve|diez)\b"
    r"|واحد|اثن|ثلاث|أربع|خمس|ست|سبع|ثمان|تسع|عشر|مئة|مائة",
    re.IGNORECASE,
)
_PAGE_WORDS = frozenset(
    {
        "chatgpt said:",
        "you said:",
        "gemini said",
        "pro thinking",
        "thinking",
        "answer now",
        "skip thinking",
        "stop generating",
    }
)


def suspicious(answer_text: str, prompt: str) -> tuple[str, ...]:
    """The reasons, in words; none for an answer like any other."""
    answer, asked = answer_text.strip(), prompt.strip()
    if not answer:
        return ("the answer is empty",)
    if asked == "OK":
        return ()
    reasons: list[str] = []
    if _is_sum(asked) and not _NUMBER.search(answer):
        reasons.append("the prompt is a sum, and there is no number in the answer")
    if _OK.fullmatch(answer) and not _OK_WORD.search(asked):
        reasons.append('the answer is only "ok"')
    lowered = answer.rstrip(".…").casefold()
    if lowered in _PAGE_WORDS and lowered not in asked.casefold():
        reasons.append("the answer is only a label from the page")
    if answer == asked:
        reasons.append("the answer is the prompt itself")
    return tuple(reasons)


def _is_sum(prompt: str) -> bool:
    return len(prompt) <= _MAX_SUM and _SUM.search(prompt) is not None
