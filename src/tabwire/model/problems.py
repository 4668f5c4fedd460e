"""A problem is noted and the reading goes on; an error (errors.py) stops something."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Problem:
    """Something in a body that was not as it should be.

    `lossy` says whether bytes or records could not be used: a lying length line
    loses nothing, a cut record does.
    """

    what: str
    lossy: bool = False

    def __str__(self) -> str:
        return self.what
