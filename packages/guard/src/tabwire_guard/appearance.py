"""Characters that make a command look like something else than what runs.

What is shown to a person and what a shell reads must be the same text.
"""

import re
import unicodedata
from collections.abc import Callable

from tabwire_guard.pattern import pattern
from tabwire_guard.values import MARKS
from tabwire_guard.verdict import Finding, Verdict

WHOLE = "the whole command"
"""The segment of what is found in no part of its own."""
PADDING = 80
"""So many blanks in a row push what follows out of a dialog."""
MANY_LINES = 12
"""So many empty lines in a row do the same."""

_BLANKS = pattern(rf"(?<![ \t\u00a0\u3000])[ \t\u00a0\u3000]{{{PADDING},}}+\S")
_BIDI = frozenset("\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069\u200e\u200f\u061c")
_LINES = frozenset("\u2028\u2029\u0085\v\f")
_INVISIBLE = frozenset(
    "\u200b\u200c\u200d\u2060\u2061\u2062\u2063\u2064\ufeff\u00ad\u180e\u034f\u115f\u1160\u3164\uffa0"
)
_SPACES = pattern(r"[\u00a0\u1680\u2000-\u200a\u202f\u205f\u3000]")
_SCRIPTS = ("CYRILLIC", "GREEK", "ARMENIAN", "CHEROKEE", "COPTIC")
_ODD = pattern(r"[^\x00-\x7f]")
_TOKENS = pattern(r"[^\s'\"`;&|<>(){}]+")


_Say = Callable[[Verdict, str, str], None]


def looks(text: str, shell: str) -> list[Finding]:
    """What is odd about the characters themselves."""
    found: list[Finding] = []

    def say(verdict: Verdict, rule: str, reason: str) -> None:
        found.append(Finding(verdict, rule, reason, WHOLE))

    if "\x1b" in text or "\x9b" in text:
        say(Verdict.DENY, "looks.escape", "terminal codes hide part of what would run")
    if any((ord(one) < 32 and one not in "\t\n\r\v\f\x1b") or one == "\x7f" for one in text):
        say(Verdict.ASK, "looks.control", "has control characters")
    if "\r" in text and re.search(r"\r(?!\n|$)", text):
        say(Verdict.DENY, "looks.overwrite", "a carriage return hides part of what would run")
    if (len(text) > PADDING and _BLANKS.search(text)) or _many_empty_lines(text):
        say(Verdict.DENY, "looks.padding", "spaces push part of it out of sight")
    if not text.isascii():
        _look_closer(text, say, shell)
    return found


def _look_closer(text: str, say: _Say, shell: str) -> None:
    chars = set(text)
    if chars & _BIDI:
        say(
            Verdict.DENY,
            "looks.direction",
            "bidirectional control characters show it in a different order",
        )
    if chars & _LINES:
        say(Verdict.ASK, "looks.line", "a line break that shells do not treat as one")
    if chars & MARKS or any(unicodedata.category(one) in ("Cn", "Co", "Cs") for one in chars):
        say(Verdict.ASK, "looks.private", "has characters without a meaning")
    hidden = chars & _INVISIBLE or any(0xE0000 <= ord(one) <= 0xE01EF for one in chars)
    if hidden and not _joins_only_emoji(text, chars):
        say(Verdict.DENY, "looks.invisible", "has invisible characters")
    if _SPACES.search(text) and shell == "bash" and _spaces_outside_quotes(text):
        say(
            Verdict.ASK, "looks.space", "has a whitespace character that bash does not treat as one"
        )
    for token in _TOKENS.findall(text):
        if token.isascii():
            continue
        if _mixed(token):
            say(Verdict.DENY, "looks.alike", f"{token[:60]!r} mixes letters that look alike")
            break
        if any("FULLWIDTH" in unicodedata.name(one, "") and one.isascii() is False
               and unicodedata.normalize("NFKC", one).isascii() for one in token
               ) and not _cjk(token):  # fmt: skip
            say(Verdict.ASK, "looks.wide", f"{token[:60]!r} has letters that look like others")
            break


def _many_empty_lines(text: str) -> bool:
    empty = 0
    for line in text.split("\n"):
        if line.strip():
            if empty >= MANY_LINES:
                return True
            empty = 0
        else:
            empty += 1
    return False


def _mixed(token: str) -> bool:
    """Latin letters and ones of another script in one word."""
    latin = any("a" <= one.lower() <= "z" for one in token)
    other = any(
        unicodedata.name(one, "").startswith(_SCRIPTS) for one in token if not one.isascii()
    )
    return latin and other


def _cjk(token: str) -> bool:
    return any(
        unicodedata.name(one, "").startswith(("CJK", "HIRAGANA", "KATAKANA", "HANGUL"))
        for one in token
    )


def _joins_only_emoji(text: str, chars: set[str]) -> bool:
    """A joiner between two pictures makes one picture."""
    if chars & (_INVISIBLE - {"\u200d"}) or any(0xE0000 <= ord(one) <= 0xE01EF for one in chars):
        return False
    return not re.search("(?<![\u2600-\U0001faff\ufe0f])\u200d|\u200d(?![\u2600-\U0001faff])", text)


def _spaces_outside_quotes(text: str) -> bool:
    return bool(_SPACES.search(re.sub(r"'[^']*'|\"(?:[^\"\\]|\\.)*\"", "", text)))
