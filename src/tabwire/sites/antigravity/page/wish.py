"""What the scripts in the page are told of panels, as JSON."""

from typing import Any

from tabwire.sites.antigravity.page.limits import LIMITS
from tabwire.sites.antigravity.page.packs import CLASSIC
from tabwire.sites.antigravity.page.shape import PARTS, Pack
from tabwire.sites.antigravity.page.texts import LABELS, WORDS


def wish(packs: tuple[Pack, ...]) -> dict[str, Any]:
    """Packs, labels and words as the scripts in the page take them."""
    return {
        "packs": [
            {
                "name": pack.name,
                "parts": {part: [one.css for one in getattr(pack, part)] for part in PARTS},
            }
            for pack in packs
        ],
        "labels": {rule: list(labels) for rule, labels in LABELS.items()},
        "words": {kind: list(words) for kind, words in WORDS.items()},
        "limits": dict(LIMITS),
        "classic": CLASSIC,
    }
