"""The person's own rules, on top of the built-in judgement.

Ban rules are those of seed 002: plain text is found anywhere, case does not matter;
`/regex/flags` is a pattern. They can only make a verdict stricter. Allow rules are by structure:
the words a command begins with. They lift an `ask` of that one command, never a `deny`.
"""

import re

from tabwire_guard.call import Call
from tabwire_guard.record import record
from tabwire_guard.verdict import Finding, Verdict

TYPE_CHECKING = False  # importing `typing` takes as long as a judgement
if TYPE_CHECKING:
    from typing import Protocol
else:
    Protocol = object

MAX_RULE = 400
"""Characters of a rule."""
MATCH_SECONDS = 0.05
"""How long a pattern may take on one command."""


class Pattern(Protocol):
    """Finds something in a text, in bounded time."""

    def search(self, text: str, /, *, timeout: float) -> object:
        """Something if it is there; TimeoutError if that takes too long."""


class _Plain:
    """Plain text, found whatever its letters' case."""

    def __init__(self, text: str) -> None:
        self._text = text.casefold()

    def search(self, text: str, /, *, timeout: float) -> object:  # noqa: ARG002
        """Whether it is there."""
        return self._text in text.casefold() or None


class BadRule(ValueError):
    """A rule that is invalid; the message says why."""


@record(frozen=True)
class Ban:
    """A text or pattern that is never clicked."""

    said: str
    origin: str
    pattern: Pattern


@record(frozen=True)
class Allow:
    """The first words of a command that may run; `exact`: and nothing behind them."""

    said: str
    origin: str
    words: tuple[str, ...]
    exact: bool


@record(frozen=True)
class Rules:
    """All rules of the person's that hold."""

    bans: tuple[Ban, ...] = ()
    allows: tuple[Allow, ...] = ()

    def banned(self, text: str) -> list[Finding]:
        """What the ban list says of a command."""
        found: list[Finding] = []
        for one in self.bans:
            try:
                if one.pattern.search(text, timeout=MATCH_SECONDS) is None:
                    continue
            except TimeoutError:
                reason = f"your ban rule {one.said!r} ({one.origin}) takes too long on it"
                found.append(Finding(Verdict.ASK, "own.ban", reason, text[:200]))
                continue
            reason = f"your ban rule {one.said!r} matches ({one.origin})"
            found.append(Finding(Verdict.DENY, "own.ban", reason, text[:200]))
        return found

    def lifting(self, call: Call) -> str:
        """The rule of the person's that lets this command pass, if one does."""
        if not self.allows or not all(one.known for one in call.args):
            return ""
        said = (call.said, *call.texts)
        for rule in self.allows:
            same = said[: len(rule.words)] == rule.words
            if same and (len(said) == len(rule.words) or not rule.exact):
                return f"{rule.said} ({rule.origin})"
        return ""


def ban(said: str, origin: str) -> Ban:
    """A rule of the ban list, as written."""
    text = said.strip()
    if not text or len(text) > MAX_RULE:
        raise BadRule(f"a ban rule has 1 to {MAX_RULE} characters")
    # `/home/x` is a path: only letters that are flags make a pattern of it
    found = re.fullmatch(r"/(.+)/([imsguy]*)", text, re.DOTALL)
    if not found:
        return Ban(text, origin, _Plain(text))
    import regex  # a tenth of a second at times, and few people have patterns

    body, letters = found.groups()
    flags = 0
    for letter in letters or "i":
        flags |= {"i": regex.IGNORECASE, "m": regex.MULTILINE, "s": regex.DOTALL}.get(letter, 0)
    try:
        return Ban(text, origin, regex.compile(body, flags))
    except regex.error as problem:
        raise BadRule(f"{text}: invalid pattern: {problem}") from problem


def allow(said: str, origin: str) -> Allow:
    """An allow rule: words, with `*` at the end for "whatever follows"."""
    words = said.split()
    more = bool(words) and words[-1] == "*"
    if more:
        words.pop()
    if not words or len(said) > MAX_RULE:
        raise BadRule(f"an allow rule must begin with a program: {said!r}")
    if any(char in one for one in words for char in "*?$`;&|<>(){}"):
        raise BadRule(f"{said!r}: an allow rule has plain words, and `*` only at its end")
    return Allow(said, origin, tuple(words), not more)
