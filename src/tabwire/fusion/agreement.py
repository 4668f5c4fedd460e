"""Whether the stream, the stored conversation and the page tell the same text.

A witness that disagrees leads to one re-read. If it still disagrees, the answer is amended
to `partial` and both texts are kept. The longer one never wins by being longer: a proof
covers the text it was given for and nothing after it.

The stored text is the same Markdown the stream carried, so only what storing changes is
forgiven: Unicode composition, line ends, blanks at line ends and around the text.

The page's text is rendered: marks are gone, code blocks have gained captions, formulas are
redrawn. So the page confirms when the letters and digits are the same, objects only when
the text is plainly another one, and says nothing in between.
"""

import re
import unicodedata
from dataclasses import dataclass, replace
from enum import StrEnum

from tabwire.model.signals import Source

SHINGLE = 4  # letters per compared piece: unrelated prose shares few of these, any script
PAGE_SHARE = 0.2  # below this share of common pieces the page shows another text
COMPARED_QUESTION = 200  # characters at the beginning of a question that must be in the other
MAX_COMPARED_CHARS = 100_000  # of each end of a long page text: the rest costs and adds little

_BLANKS_AT_LINE_END = re.compile(r"[^\S\n]+$", re.MULTILINE)


class Match(StrEnum):
    """How a witness's text stands to ours."""

    SAME = "same"
    EXTENDS = "extends"  # it begins with ours and goes on
    DIFFERS = "differs"
    UNSURE = "unsure"  # the page, being rendered, says nothing either way


@dataclass(frozen=True, slots=True)
class Account:
    """What one witness says the text is."""

    source: Source
    text: str


@dataclass(frozen=True, slots=True)
class Conflict:
    """A witness disagreed at `asked_at`; `confirmed` once it still did after a re-read."""

    account: Account
    asked_at: float
    confirmed: bool = False


def tidy(text: str) -> str:
    """The text without what storing may change."""
    lines = unicodedata.normalize("NFC", text).replace("\r\n", "\n").replace("\r", "\n")
    return _BLANKS_AT_LINE_END.sub("", lines).strip()


def compare(ours: str, theirs: str) -> Match:
    """Our text against the stored one."""
    if ours == theirs:
        return Match.SAME
    mine, other = tidy(ours), tidy(theirs)
    if mine == other:
        return Match.SAME
    return Match.EXTENDS if other.startswith(mine) else Match.DIFFERS


def same_question(asked: str | None, stored: str | None) -> bool:
    """Whether a stored question can be the one that was asked, to the letters and digits of
    its beginning: a site may add to a question, and lays it out as it likes.
    """
    if not asked or not stored:
        return True
    return _letters(asked[:COMPARED_QUESTION]) in _letters(stored)


def compare_page(ours: str, page: str) -> Match:
    """Our text against the rendered one."""
    mine, other = _letters(ours), _letters(page)
    if mine == other:
        return Match.SAME
    if not mine or not other or mine in other or other in mine:
        return Match.UNSURE  # captions around it, or not all of it drawn yet
    size = min(SHINGLE, len(mine), len(other))
    pieces, shown = _shingles(mine, size), _shingles(other, size)
    share = len(pieces & shown) / len(pieces)
    return Match.DIFFERS if share < PAGE_SHARE else Match.UNSURE


def weigh(
    held: Conflict | None,
    match: Match,
    account: Account,
    *,
    now: float,
    window_seconds: float,
    outvoted: bool = False,
) -> Conflict | None:
    """The conflict after one more account.

    `outvoted`: the stored conversation agrees with the stream, so a page that objects
    shows its own trouble. A second account within `window_seconds` is the same reading.
    """
    is_page = account.source is Source.PAGE
    if match is Match.SAME:
        # The stored text settles everything; a page can only take back its own objection.
        return held if held and is_page and held.account.source is not Source.PAGE else None
    if match is Match.UNSURE or (is_page and outvoted):
        return held
    if held is None:
        return Conflict(account, now)
    if is_page and held.account.source is not Source.PAGE:
        return held
    if not is_page and held.account.source is Source.PAGE:
        return Conflict(account, held.asked_at, confirmed=True)  # this is the re-read
    confirmed = held.confirmed or now >= held.asked_at + window_seconds
    return replace(held, account=account, confirmed=confirmed)


def _letters(text: str) -> str:
    if len(text) > 2 * MAX_COMPARED_CHARS:
        text = text[:MAX_COMPARED_CHARS] + text[-MAX_COMPARED_CHARS:]
    folded = unicodedata.normalize("NFKC", text).casefold()
    return "".join(filter(str.isalnum, folded))


def _shingles(text: str, size: int) -> set[str]:
    return {text[i : i + size] for i in range(len(text) - size + 1)}
