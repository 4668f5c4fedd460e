"""The thirteen waits of an ask, by name (seed 001, section 9.1).

How long each lasts is the site's (`sites/page.py`, `Timings`). All are upper bounds: what is
there sooner is used sooner. The two that the seed always waited out (`settle`, `after_input`)
are bounds here too, because a page tells when it changed.
"""

from enum import StrEnum

from tabwire.sites.page import Timings


class Wait(StrEnum):
    """What is waited for. The value is what errors and docs call it."""

    REUSE = "reuse"  # a tab that is there lets us in
    OPEN = "open"  # a new tab opens
    CONNECT = "connect"  # the browser, or its extension, answers
    LOAD = "load"  # the page's document comes
    SETTLE = "settle"  # a page just loaded may take back what was typed
    COMPOSER = "composer"  # there is something to type into
    AFTER_INPUT = "after_input"  # the page takes up what was typed
    SEND = "send"  # Send wakes up
    SENT = "sent"  # the request leaves
    FIRST_OUTPUT = "first_output"  # anything at all comes back
    ANSWER = "answer"  # the whole answer; an ask's own --timeout stands in its place
    RENDER = "render"  # the page shows the text that came
    HEALTH = "health"  # a tab says that it is well

    def seconds(self, timings: Timings) -> float:
        """How long, at this site."""
        found: float = getattr(timings, f"{self.value}_seconds")
        return found

    def over(self, timings: Timings) -> str:
        """That it ran out, for the end of a sentence."""
        return f" within {self.seconds(timings):g} s (wait `{self}`)"
