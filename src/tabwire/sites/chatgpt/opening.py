"""chatgpt.com: is this an event stream at all?

A refusal comes as a JSON body or a web page under the same address as the answer.
"""

from tabwire.sites.webpages import LOOKED_AT

_BOM = b"\xef\xbb\xbf"


class Opening:
    """Holds the first bytes back until they show what the body is.

    An event stream is let through from its first byte; what cannot be one stays in
    `held`, as far as a reader needs it to tell what it is.
    """

    def __init__(self) -> None:
        self.held = b""
        self._decided = False

    def feed(self, chunk: bytes) -> bytes:
        """The bytes to read as a stream now."""
        if self._decided:
            return chunk
        head = self.held + chunk
        begin = head.removeprefix(_BOM).lstrip()
        if not begin or _BOM.startswith(head) or begin[:1] in (b"<", b"{"):
            self.held = head[:LOOKED_AT]
            return b""
        self.held = b""
        self._decided = True
        return head
