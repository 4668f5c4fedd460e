"""A moment as people read it: their own clock, and how long it is until then."""

from datetime import datetime

SPANS = ((86_400, "day"), (3_600, "h"), (60, "min"), (1, "s"))


def moment(seconds: float, now: float) -> str:
    """`seconds` and `now` are since 1970: "2026-11-18 18:00, in 3 h", or without what is over."""
    local = f"{datetime.fromtimestamp(seconds).astimezone():%Y-%m-%d %H:%M}"
    return f"{local}, in {span(seconds - now)}" if seconds > now else local


def span(seconds: float) -> str:
    """A time in its largest unit, and the next one where that says more: "3 h", "1 h 30 min"."""
    whole = max(1, round(seconds))
    if whole >= 3_600:
        whole = round(whole / 60) * 60  # seconds say nothing beside hours
    for place, (size, unit) in enumerate(SPANS):
        count, rest = divmod(whole, size)
        if not count:
            continue
        first = f"{count} {unit}{'s' if unit == 'day' and count > 1 else ''}"
        smaller, name = SPANS[min(place + 1, len(SPANS) - 1)]
        more = rest // smaller
        return f"{first} {more} {name}" if more and count < 10 and name != "s" else first
    return "1 s"
