"""An answer's text as it grows: pieces are kept apart until somebody reads them.

A turn can hold several messages (a preamble, then the answer after a search). Each has its
own text; the newest that grew is the current one. Growing costs the new characters only;
`text()` joins once and keeps the result, so read it when something changed, not per piece.
"""

MAX_ANSWER_CHARS = 32 * 1024 * 1024  # the largest answer we test is 5 MB; this bounds a flood

_INVISIBLE = frozenset("\u200b\u200c\u200d\u2060\ufeff")  # zero-width: nothing to see


def has_content(text: str) -> bool:
    """Whether there is anything to read."""
    return any(not char.isspace() and char not in _INVISIBLE for char in text)


class _Message:
    """One message of the turn."""

    __slots__ = ("length", "pieces", "solid", "version")

    def __init__(self) -> None:
        self.pieces: list[str] = []
        self.length = 0
        self.solid = False  # something readable is in it
        self.version = 0  # counts changes: a proof covers the version it was given for


class Draft:
    """Texts by message, the newest grown one in front."""

    def __init__(self, limit: int = MAX_ANSWER_CHARS) -> None:
        self._limit = limit
        self._messages: dict[str | None, _Message] = {}
        self._current: str | None = None
        self.size = 0
        self.overflowed = False

    def grow(self, text: str, message_id: str | None = None) -> bool:
        """Add to the end; whether anything changed."""
        if not text:
            return False
        if self.size + len(text) > self._limit:
            self.overflowed = True
            return False
        message = self._open(message_id)
        message.pieces.append(text)
        message.length += len(text)
        message.version += 1
        message.solid = message.solid or has_content(text)
        self.size += len(text)
        return True

    def replace(self, text: str, message_id: str | None = None) -> bool:
        """The text is now exactly this; whether anything changed."""
        key = self.find(message_id)
        known = self._messages.get(key)
        old = self.text(message_id) if known else ""
        if old == text:
            return False
        if self.size - len(old) + len(text) > self._limit:
            self.overflowed = True
            return False
        message = self._open(message_id)
        message.pieces = [text]
        message.length = len(text)
        message.version += 1
        message.solid = has_content(text)
        self.size += len(text) - len(old)
        return True

    def find(self, message_id: str | None) -> str | None:
        """The key of the message meant: a reader may name ids late, or only at the end."""
        if message_id is None or (message_id not in self._messages and None in self._messages):
            return self._current
        return message_id

    def text(self, message_id: str | None = None) -> str:
        """The text of one message, by default of the current one."""
        message = self._messages.get(self.find(message_id))
        if message is None:
            return ""
        if len(message.pieces) > 1:
            message.pieces = ["".join(message.pieces)]
        return message.pieces[0] if message.pieces else ""

    def length(self, message_id: str | None = None) -> int:
        """How long that message's text is; nothing is joined for it."""
        message = self._messages.get(self.find(message_id))
        return message.length if message else 0

    def texts(self) -> list[tuple[str | None, str]]:
        """Every message's name and text, in the order of their beginnings."""
        return [(key, self.text(key)) for key in self._messages]

    def whole(self) -> str:
        """All messages' texts, a blank line between them."""
        return "\n\n".join(text for _key, text in self.texts() if text)

    def version(self, message_id: str | None = None) -> int:
        """How often that message changed."""
        message = self._messages.get(self.find(message_id))
        return message.version if message else 0

    def solid(self, message_id: str | None = None) -> bool:
        """Whether that message has anything to read."""
        message = self._messages.get(self.find(message_id))
        return message is not None and message.solid

    def is_current(self, message_id: str | None) -> bool:
        """Whether text for this id continues the current message."""
        return self.find(message_id) == self._current

    def _open(self, message_id: str | None) -> _Message:
        key = self.find(message_id)
        if key is None and message_id is not None and None in self._messages:
            # The first pieces came before their id: they are the same message.
            self._messages[message_id] = self._messages.pop(None)
            key = message_id
        self._current = key
        message = self._messages.get(key)
        if message is None:
            message = self._messages[key] = _Message()
        return message
