"""What goes wrong while we act in a page.

TabwireError
├── NotFound        no candidate matched anything we may use
├── NotFilled       the text we wrote does not stand there
├── Covered         something lies over what we wanted to click
├── NotClicked      the click did not come to its element, or nobody can tell
├── NoChooser       a button that should ask for files did not
├── CannotHold      the browser does not pause requests for us
├── PageWentAway    the document went while our function ran in it
└── ScriptFailed    a function of ours threw inside the page
"""

from collections.abc import Sequence

from tabwire.model.errors import Retry, TabwireError

MAX_SAID = 200
"""Characters of what stands on a page that an error repeats."""

MAX_TRIED = 5
"""Selectors an error names; all of them are in `tried`."""


class NotFound(TabwireError):
    """No candidate matched. `seen` is how many elements matched and could not be used."""

    def __init__(self, part: str, tried: Sequence[str], *, seen: int = 0, why: str = "") -> None:
        named = ", ".join(tried[:MAX_TRIED])
        more = f" and {len(tried) - MAX_TRIED} more" if len(tried) > MAX_TRIED else ""
        unusable = f"; {seen} matched but cannot be used: {why}" if seen else ""
        super().__init__(
            f"{part} not found on the page (looked for {named}{more}){unusable}"[: MAX_SAID * 3],
            what_to_do="Run `tabwire doctor`; the site may have changed its page.",
            retry=Retry.SAME,
        )
        self.part = part
        self.tried = tuple(tried)
        self.seen = seen


class NotFilled(TabwireError):
    """The text does not stand in the element, whichever way it was written."""

    def __init__(self, part: str, stands: str, *, ways: Sequence[str] = ()) -> None:
        tried = f" (tried {', '.join(ways)})" if ways else ""
        super().__init__(
            f"the {part} does not contain the text that was entered{tried}; it contains: "
            f"{stands[:MAX_SAID]!r}",
            what_to_do="Look at the tab: the page may refuse text of this length or kind.",
            retry=Retry.SAME,
        )
        self.part = part
        self.stands = stands


class Covered(TabwireError):
    """Another element would get the click. `by` says which."""

    def __init__(self, part: str, by: str) -> None:
        super().__init__(
            f"the {part} cannot be clicked: {by[:MAX_SAID]} covers it",
            what_to_do="Look at the tab and close what covers the page.",
            retry=Retry.SAME,
        )
        self.part = part
        self.by = by


class NotClicked(TabwireError):
    """The element kept moving (nothing was clicked), or the page showed no sign of a click."""

    def __init__(self, part: str, landed: str) -> None:
        where = f"it would have clicked {landed[:MAX_SAID]}" if landed else "no click was seen"
        super().__init__(
            f"the {part} was not clicked: {where}",
            what_to_do="Look at the tab: the page may still be moving or loading.",
            retry=Retry.SAME if landed else Retry.RESUME,
        )


class NoChooser(TabwireError):
    """A click opened no file chooser: it may have opened a menu."""

    def __init__(self, part: str) -> None:
        super().__init__(
            f"the {part} was clicked but did not ask for files",
            what_to_do="Run `tabwire doctor`; the site may have changed its page.",
            retry=Retry.SAME,
        )


class CannotHold(TabwireError):
    """Requests of a tab cannot be looked at before they leave."""

    def __init__(self, why: str) -> None:
        super().__init__(
            f"requests cannot be intercepted: {why}",
            what_to_do="Update the extension, or use another --browser.",
            retry=Retry.SAME,
        )


class PageWentAway(TabwireError):
    """The document was replaced while our function ran. It may have done its work."""

    def __init__(self, function: str) -> None:
        super().__init__(
            f"{function}: the page navigated to another document in the meantime",
            what_to_do="Look at the tab, then try again.",
            retry=Retry.RESUME,
        )


class ScriptFailed(TabwireError):
    """A function of ours threw inside the page."""

    def __init__(self, said: str) -> None:
        super().__init__(
            f"Tabwire's script failed in the page: {said[: MAX_SAID * 2]}",
            what_to_do="Run `tabwire doctor`; the page may have changed.",
        )
