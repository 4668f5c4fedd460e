"""What stops us: what happened, what to do, and whether trying again can help.

TabwireError
└── Unreadable        a file or body we were asked to read is nothing we know

A class exists because some caller branches on it.
"""

from enum import StrEnum


class Retry(StrEnum):
    """What a caller may do next. The queue reads this, the doors print `what_to_do`."""

    NO = "no"
    SAME = "same"  # the prompt never left: the same thing may be tried again
    RESUME = "resume"  # it was sent: look for its answer, never ask twice


class TabwireError(Exception):
    """Three facts: what happened (`str`), what to do, and `retry`."""

    def __init__(
        self,
        what: str,
        *,
        what_to_do: str,
        retry: Retry = Retry.NO,
        site: str | None = None,
    ) -> None:
        super().__init__(what)
        self.what_to_do = what_to_do
        self.retry = retry
        self.site = site


class Unreadable(TabwireError):
    """Nothing we know how to read."""

    def __init__(self, what: str, *, what_to_do: str | None = None) -> None:
        super().__init__(
            what,
            what_to_do=what_to_do
            or "Give a saved response body, a HAR or a ChatGPT data export; "
            "`tabwire parse --help` lists what can be read.",
        )
