"""What people, pages and the wire call a model, compared word by word.

`same`: two names for one row of a menu.  `fits`: the model the wire names is the wanted one.
A name is cut into numbers and words, so that case, dots, dashes and spaces do not matter; and
all of it counts, so that a family never stands for its smaller sister ("5" is not "5-mini").
"""

import re
import unicodedata

from tabwire.sites.choices import Models

MAKERS = frozenset(("gpt", "chatgpt", "openai", "gemini", "google", "grok", "xai", "model"))
"""Said or left out as one likes: a site has only its own."""

LATELY = frozenset(("preview", "latest", "exp", "experimental", "beta", "auto"))
"""What the wire adds to a name, and nobody says."""

_PIECES = re.compile(r"[0-9]+|[^\W\d_]+")
_BUILT_ON = re.compile(r"[-_. @](20\d\d-?\d\d-?\d\d|\d{4,8})\b|(?<=preview)-\d\d-\d\d\b")
"""A day of building: `o3-2025-04-16`, `grok-4-0709`, `gemini-2.5-pro-preview-05-06`."""

_NONE = Models()


def words(name: str) -> tuple[str, ...]:
    """The numbers and words of a name, without its maker where more is said."""
    plain = unicodedata.normalize("NFKC", name).casefold()
    pieces = tuple(_PIECES.findall(plain))
    return tuple(one for one in pieces if one not in MAKERS) or pieces


def same(one: str, other: str, models: Models = _NONE) -> bool:
    """Whether two names mean one thing, by their words or because the site says so."""
    first, second = words(one), words(other)
    if not first or not second:
        return False
    if first == second:
        return True
    groups = ({words(name) for name in group} for group in models.called)
    return any(first in group and second in group for group in groups)


def fits(wanted: str, named: str, models: Models = _NONE) -> bool:
    """Whether the model the wire names is the wanted one.

    A wish without a number takes any version ("pro" and "gemini-2.5-pro"). `auto` leaves it to
    the site. With the site's `models`, also what it calls by several names.
    """
    if words(wanted) == ("auto",):
        return True
    groups = [group for group in models.called if any(same(wanted, name) for name in group)]
    wishes = {wanted, *(name for group in groups for name in group)}
    if any(_fits(wish, named, models.effort_words) for wish in wishes):
        return True
    if not any(same(wanted, mode, models) for mode in models.modes):
        return False
    others = [mode for mode in models.modes if not same(wanted, mode, models)]
    return not any(set(words(mode)) <= set(words(named)) for mode in others)


def _fits(wish: str, named: str, effort_words: tuple[str, ...]) -> bool:
    wish_said, named_said = words(wish), words(named)
    if not wish_said or wish_said == named_said:
        return bool(wish_said)
    undated = words(_BUILT_ON.sub("", named)) if not _BUILT_ON.search(wish) else named_said
    dropped = LATELY - set(wish_said)
    if not set(wish_said) & set(effort_words):
        dropped |= set(effort_words)
    rest = [one for one in undated if one not in dropped]
    wish_numbers, wish_words = _sorted(wish_said)
    numbers, others = _sorted(rest)
    return wish_words == others and (wish_numbers == numbers or not wish_numbers)


def _sorted(pieces: tuple[str, ...] | list[str]) -> tuple[list[str], list[str]]:
    """Numbers in their order, words in any."""
    numbers = [one for one in pieces if one.isdecimal()]
    return numbers, sorted(one for one in pieces if not one.isdecimal())
