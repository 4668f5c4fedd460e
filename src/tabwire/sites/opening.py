"""Is this a stream at all? A refusal comes as a web page or a JSON body in its place."""

from tabwire.sites.webpages import LOOKED_AT

_BOM = b"\xef\xbb\xbf"


class Opening:
    """Holds the first bytes back until they show what the body is.

    A stream is let through from its first byte. A body that begins with one of `not_ours`
    stays in `held`, as far as a reader needs it to tell what it is.
    """

    def __init__(self, *not_ours: bytes) -> None:
        self.held = b""
        self._not_ours = not_ours
        self._decided = False

    def feed(self, chunk: bytes) -> bytes:
        """The bytes to read as a stream now."""
        if self._decided:
            return chunk
        head = self.held + chunk
        begin = head.removeprefix(_BOM).lstrip()
        if not begin or _BOM.startswith(head) or begin[:1] in self._not_ours:
            self.held = head[:LOOKED_AT]
            return b""
        self.held = b""
        self._decided = True
        return head
