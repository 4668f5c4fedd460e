"""When a limit is over, in the ways sites write it: a wait in seconds, or a moment.

A wait counts from when it was said, and this room has no clock: so both are kept apart, and
whoever heard it adds them up.
"""

from dataclasses import replace
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from math import isfinite
from typing import Any

from tabwire.model.signals import Refusal, Refused

FIRST_MOMENT = 1e9  # seconds since 1970: no wait is as long, no reset as old (2001)
FIRST_MILLISECOND = 1e12  # the same in milliseconds, as JavaScript counts
_UNITS = {"ms": 0.001, "s": 1.0, "m": 60.0, "h": 3600.0, "d": 86400.0}


def wait_in(value: Any) -> float | None:
    """Seconds to wait: `1800`, `"1800"`, or with a unit as in gRPC's `"1800s"`."""
    number = _number(value)
    if number is None and isinstance(value, str):
        digits = value.strip().rstrip("smhd")
        unit = _UNITS.get(value.strip()[len(digits) :])
        bare = _number(digits)
        number = None if unit is None or bare is None else bare * unit
    return number if number is not None and 0 <= number < FIRST_MOMENT else None


def moment_in(value: Any) -> float | None:
    """Seconds since 1970: a number of them or of milliseconds, ISO 8601, or HTTP's own dates.

    A time without a zone is taken for UTC, as servers write it.
    """
    number = _number(value)
    if number is not None:
        number = number / 1000 if number >= FIRST_MILLISECOND else number
        return number if number >= FIRST_MOMENT else None
    if not isinstance(value, str):
        return None
    for read in (datetime.fromisoformat, parsedate_to_datetime):
        try:
            moment = read(value.strip())
            return moment.replace(tzinfo=moment.tzinfo or UTC).timestamp()
        except (ValueError, OverflowError):
            continue
    return None


def with_reset(refused: Refused, *said: Any) -> Refused:
    """The refusal with the first wait and the first moment among what was said.

    Only a limit is ever over by itself, and what it knows already is not overwritten.
    """
    if refused.kind is not Refusal.RATE_LIMIT:
        return refused
    waits = (wait for one in said if (wait := wait_in(one)) is not None)
    moments = (moment for one in said if (moment := moment_in(one)) is not None)
    resets_in, resets_at = refused.resets_in, refused.resets_at
    return replace(
        refused,
        resets_in=next(waits, None) if resets_in is None else resets_in,
        resets_at=next(moments, None) if resets_at is None else resets_at,
    )


def _number(value: Any) -> float | None:
    if isinstance(value, bool) or not isinstance(value, int | float | str):
        return None
    try:
        number = float(value)
    except (ValueError, OverflowError):
        return None
    return number if isfinite(number) else None
