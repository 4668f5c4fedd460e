"""What the extension and the hub know of each other before a word is said. Data only.

The id follows from the `key` in extension/manifest.json, so it is the same on every machine; a
test computes it anew. The same protocol number stands in the extension: where they differ, the
two do not talk, and whoever is older is told to be updated.
"""

from dataclasses import dataclass

EXTENSION_ID = "amnpchbfdncankmpepliefibmgcnndko"
ORIGIN = f"chrome-extension://{EXTENSION_ID}"

PROTOCOL = 1
"""Of the relay between them, see docs/extension.md."""


@dataclass(frozen=True, slots=True)
class PageRef:
    """A page that the extension hears. `id` is the only one of its kind while the hub lives."""

    id: str
    install: str
    tab: int
    url: str
    site: str
    title: str = ""
    again: bool = False  # it was there before, and said something to whoever listened then
    asks: bool = False  # it is about to tell again of a question that left before
    visible: bool = True
