"""A limit of time that stands still while a dialog of the page does.

A page whose script shows a dialog (`alert`, `confirm`, a question before it is left) answers
nothing until a person has answered it. That is not the page's time: it is the person's.
"""

import asyncio


class Patience:
    """Of one `asyncio.timeout`. Used inside its block."""

    def __init__(self, bound: asyncio.Timeout) -> None:
        self._bound = bound
        self._clock = asyncio.get_running_loop().time
        self._left: float | None = None

    def hold(self, until: float | None) -> None:
        """A dialog stands there: wait for its end at least until then. None: it is gone, and
        what was left of the time is left still."""
        when = self._bound.when()
        if when is None or self._bound.expired():
            return
        if until is not None and self._left is None:
            self._left = when - self._clock()
            self._bound.reschedule(max(when, until))
        elif until is None and self._left is not None:
            self._bound.reschedule(self._clock() + self._left)
            self._left = None
