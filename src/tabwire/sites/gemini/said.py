"""What was said so far of a text that is stated anew each time."""

from tabwire.wire.text import join_surrogates


class Said:
    """Compares each statement with the one before it. True once there is something to read."""

    def __init__(self) -> None:
        self._pieces: list[str] = []
        self._visible = False  # more than blanks

    def __bool__(self) -> bool:
        return self._visible

    def add(self, text: str) -> None:
        """These characters were added."""
        if text:
            self._pieces.append(text)
            self._visible = self._visible or not text.isspace()

    def say(self, text: str) -> tuple[bool, str]:
        """(true, what was added) or (false, what it is now); "" where nothing is new.

        Nothing stated after something was: the site left the text out, it is not gone.
        """
        before = self.joined()
        if not text or text == before:
            return True, ""
        added = grown(before, text)
        if added is None:
            self._pieces, self._visible = [], False
        self.add(text if added is None else added)
        return (False, text) if added is None else (True, added)

    def joined(self) -> str:
        """The text so far, with halves of characters joined where they met."""
        if len(self._pieces) > 1:
            self._pieces = [join_surrogates("".join(self._pieces))]
        return self._pieces[0] if self._pieces else ""


def grown(before: str, now: str) -> str | None:
    """What was added to a text, in UTF-16 units as the site counts; None where it changed.

    A text cut inside a character ends with half of it; the next has the whole character,
    and its other half is what was added.
    """
    if now.startswith(before):
        return now[len(before) :]
    if "\ud800" <= before[-1:] <= "\udbff" and now.startswith(before[:-1]):
        units = now[len(before) - 1 : len(before)].encode("utf-16-le", "surrogatepass")
        high, low = units[:2], units[2:]
        if high == before[-1].encode("utf-16-le", "surrogatepass"):
            return low.decode("utf-16-le", "surrogatepass") + now[len(before) :]
    return None
