"""Text as it grows, without a site's private marks: never a mark, never half of one. Pure.

What a mark stands for is known only at the end. Until then it is left out, but for words it
holds itself. What may still become a mark is held back until the next piece decides.
"""

from tabwire.sites.marks import Marks


class Unmarked:
    """Pieces in, what can be shown of them out."""

    def __init__(self, marks: Marks | None) -> None:
        self._marks = marks
        self._held = ""

    def take(self, piece: str, *, anew: bool = False) -> str:
        """What to show of the next piece. `anew`: it stands in the place of all before."""
        if anew:
            self._held = ""
        marks = self._marks
        if marks is None or not (self._held or marks.hint.search(piece)):
            return piece
        text = self._held + piece
        ends = [found.end() for found in marks.whole.finditer(text)]
        begun = marks.begun.search(text, ends[-1] if ends else 0)
        self._held = begun[0] if begun else ""
        text = text[: len(text) - len(self._held)]
        return marks.strays.sub("", marks.whole.sub(lambda found: marks.words(found[0]), text))
