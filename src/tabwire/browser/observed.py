"""What was seen of a page: its state, its newest answer as text, the health of its selectors."""

import msgspec

from tabwire.sites.page import NoticeKind


class NoticeSeen(msgspec.Struct, frozen=True):
    """A notice that can be seen. `which` is the selector or the words it was found by; `its words`
    for a login wall that only its buttons tell of."""

    kind: NoticeKind
    which: str
    text: str


class PageState(msgspec.Struct, frozen=True):
    """The page at one moment. Sent whenever something in it changed."""

    url: str
    title: str
    layout: str | None
    """Name of the recognised layout; None where the page is none we know, or still loads."""
    generating: bool
    """A stop control is in sight, or the newest answer is marked as being written."""
    exchanges: int
    """Questions in the page. Sites drop old ones from it, so this may fall."""
    answers: int
    newest: str
    """A name for the newest exchange; another name is another exchange. "" where none is."""
    text_length: int
    """Characters of the newest answer: 0 where nothing follows the newest question."""
    actions: bool
    """The newest answer has its action bar."""
    thinking: bool
    """Thinking is shown in the newest exchange, and no text yet."""
    composer: bool
    composer_empty: bool
    send: bool
    """The send control is there and not switched off."""
    logged_in: bool | None
    notices: tuple[NoticeSeen, ...] = ()
    at: float = 0.0
    """`time.monotonic()` when we got it."""
    stop: bool = False
    """A stop control is in sight: unlike a mark, it is not left over from a slow drawing."""

    def notice(self, kind: NoticeKind) -> NoticeSeen | None:
        """The first notice of a kind."""
        return next((one for one in self.notices if one.kind is kind), None)


class PageText(msgspec.Struct, frozen=True):
    """The newest answer, as Markdown."""

    text: str
    text_length: int
    """As in `PageState`: of the text in the page, not of the Markdown made from it."""
    thinking: str | None
    """Where the page shows it open; never part of `text`."""
    rung: str
    """Which selector gave the text; `assistant_message` where no text root was found."""
    newest: str
    question: str | None


class CandidateHealth(msgspec.Struct, frozen=True):
    """One selector of a part."""

    css: str
    count: int
    """Elements it matches in the whole page; -1 where this browser cannot read it."""
    used: bool
    """It is the one a part is found by now."""


class PartHealth(msgspec.Struct, frozen=True):
    """One part of the page, with its candidates best first."""

    part: str
    candidates: tuple[CandidateHealth, ...]

    @property
    def found(self) -> bool:
        """Whether any candidate serves now."""
        return self.rung > 0

    @property
    def rung(self) -> int:
        """Which candidate serves now, the best is 1; 0 where none does."""
        return next((number for number, one in enumerate(self.candidates, 1) if one.used), 0)


class Health(msgspec.Struct, frozen=True):
    """How our knowledge of a site fares on this page.

    Where no layout is recognised, `parts` are the marks of all layouts.
    """

    url: str
    title: str
    layout: str | None
    parts: tuple[PartHealth, ...]

    def part(self, name: str) -> PartHealth | None:
        """One part by its name."""
        return next((one for one in self.parts if one.part == name), None)

    @property
    def weak(self) -> tuple[PartHealth, ...]:
        """Parts that only a later selector than the best finds: the first sign of a change."""
        return tuple(one for one in self.parts if one.rung > 1)


def nth(number: int) -> str:
    """A number as one counts in a list: 1st, 2nd, 3rd, 4th."""
    teen = 10 < number % 100 < 14
    return f"{number}{'th' if teen else {1: 'st', 2: 'nd', 3: 'rd'}.get(number % 10, 'th')}"
