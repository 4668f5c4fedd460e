"""The code that a person is shown, and who typed it.

Codes have numbers, so that whoever shows one learns whether it was this one that was typed, or
whether another was asked for meanwhile, in a terminal or on the dashboard: then this one is void.
"""

import asyncio
from collections.abc import Callable
from contextlib import suppress

from tabwire.hub.relay.pairing import Known, Pairing
from tabwire.model.extensions import PairingCode, PairingOutcome


class ShownCode:
    """The codes of one hub. `changed` is called when one was shown or typed."""

    def __init__(
        self, pairing: Pairing, clock: Callable[[], float], changed: Callable[[], None]
    ) -> None:
        self._pairing = pairing
        self._clock = clock
        self._changed = changed
        self._number = 0
        self._by: Known | None = None  # who typed the last one
        self._typed = asyncio.Event()

    async def show(self) -> PairingCode:
        """A new one, in place of an earlier one. Raises `PairingLocked`."""
        code = self._pairing.new_code()
        self._number += 1
        self._by = None
        self._typed.clear()
        self._changed()
        return PairingCode(code.shown, self.seconds, self._number)

    async def typed(self, seconds: float) -> PairingOutcome:
        """Who typed it, when somebody has, or nobody within these seconds."""
        with suppress(TimeoutError):
            async with asyncio.timeout(seconds):
                await self._typed.wait()
        done = self._typed.is_set() and self._pairing.code is None
        name = self._by.name if done and self._by is not None else None
        return PairingOutcome(name, self._pairing.code is not None)

    def was_typed(self, known: Known) -> None:
        """Somebody has."""
        self._by = known
        self._typed.set()
        self._changed()

    # --- as a person may see it; never the code itself -------------------------------------

    @property
    def seconds(self) -> float:
        """How long the code is valid; 0 where there is none."""
        code = self._pairing.code
        return 0.0 if code is None else round(code.until - self._clock(), 1)

    @property
    def number(self) -> int:
        """How many were shown."""
        return self._number

    @property
    def typed_by(self) -> str | None:
        """The name of the extension that the last one was typed in."""
        return None if self._by is None else self._by.name
