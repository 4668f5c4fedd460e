"""Values of words: text as far as it can be known before anything runs.

What a shell would put in only when it runs is a mark in the text, one character that no
command may contain (Unicode keeps these for such use). So an argument stays a string that can
be searched and compared, and `rm -rf "$X/"*` is seen as what it is: nobody-knows, slash, star.
"""

from tabwire_guard.record import NamedTuple

HOLE = "\ufdd0"
"""Text nobody knows yet; it may also be empty."""
STAR = "\ufdd1"
"""An active `*` (or `**`)."""
ANY = "\ufdd2"
"""An active `?`."""
CLASS = "\ufdd3"
"""An active `[…]` or extended pattern."""

MARKS = frozenset((HOLE, STAR, ANY, CLASS))
GLOBS = frozenset((STAR, ANY, CLASS))
SHOWN = str.maketrans({HOLE: "…", STAR: "*", ANY: "?", CLASS: "[…]"})

REMOTE = "remote"
"""Came over the network."""
SECRET = "secret"
"""Came from a place where secrets are."""
PRIVATE = "private"
"""Came from files outside the workspace."""
PROJECT = "project"
"""Came from files in the workspace."""
DECODED = "decoded"
"""Was decoded on the way: base64, hex, reversed."""
NUMBER = "number"
"""Is plainly a number, whatever it was counted from."""
LISTED = "listed"
"""Is one name of a list that comes in, which nobody has read."""

CLEAN: frozenset[str] = frozenset()
_ELSEWHERE = frozenset((REMOTE, SECRET, PRIVATE, PROJECT, DECODED))


class Value(NamedTuple):
    """One word after expansion."""

    text: str
    taints: frozenset[str] = CLEAN
    quoted: bool = False
    """Some of it stood in quotes."""

    @property
    def known(self) -> bool:
        """Nothing in it is left to the shell."""
        return MARKS.isdisjoint(self.text)

    @property
    def holed(self) -> bool:
        """Part of it is known only when it runs."""
        return HOLE in self.text

    @property
    def data(self) -> bool:
        """It holds what was read from a file or another machine, and nobody has seen it."""
        counted = self.text == HOLE and NUMBER in self.taints
        return self.holed and not self.taints.isdisjoint(_ELSEWHERE) and not counted

    @property
    def globbed(self) -> bool:
        """It has an active pattern."""
        return not GLOBS.isdisjoint(self.text)

    @property
    def shown(self) -> str:
        """For people."""
        return self.text.translate(SHOWN)


class Flow(NamedTuple):
    """What goes through a pipe, or stands on standard input."""

    text: str | None = None
    """The bytes themselves, where they are known."""
    taints: frozenset[str] = CLEAN
    piped: bool = False
    """Something is there at all (a pipe, a file, a here-document)."""
    items: tuple[str, ...] = ()
    """What its lines look like, with marks: `/…` for what `find /` prints."""


TERMINAL = Flow()
"""Nothing is piped in."""
