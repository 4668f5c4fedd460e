"""Two health reports of one page, compared: which of its parts a rebuilt page lost."""

from dataclasses import dataclass

from tabwire.browser.observed import Health, nth


@dataclass(frozen=True)
class Drifted:
    """A part that is not found as it was: `gone`, or by which selector instead of which."""

    part: str
    how: str


def drifted_from(now: Health, before: Health) -> tuple[Drifted, ...]:
    """Which parts are lost, or found by a later selector. Both must be of the same state of the
    page: what is not there by nature is not lost."""
    found = []
    for old in before.parts:
        part = now.part(old.part)
        rung = part.rung if part is not None else 0
        if old.found and rung == 0:
            found.append(Drifted(old.part, "gone"))
        elif old.found and rung > old.rung:
            how = f"found by its {nth(rung)} selector instead of its {nth(old.rung)}"
            found.append(Drifted(old.part, how))
    return tuple(found)
