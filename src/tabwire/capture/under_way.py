"""In which conversations a question is under way, over all pages.

A conversation is shown in several tabs, and each tab knows only its own questions. What is kept
of a conversation while somebody asks in it lacks the newest question: it is not ready, whichever
tab looks at it.
"""

UNDER_WAY = "question_under_way"

Key = tuple[str, str]  # site and conversation


class UnderWay:
    """Which page asks where; a page asks in one conversation at a time."""

    def __init__(self) -> None:
        self._asks: dict[str, Key] = {}
        self._before: dict[Key, str] = {}  # digests of what was ready when somebody began to ask
        self._to_hold: set[Key] = set()  # what is kept of them is still to be held back

    def __contains__(self, key: object) -> bool:
        """Whether somebody asks in it, or what they asked is not in what is ready yet."""
        return key in self._asks.values() or key in self._before

    def was_ready(self, key: Key, digest: str | None) -> None:
        """What was ready when the question left: read again, it is of before the question."""
        if digest is not None:
            self._before[key] = digest

    def takes(self, key: Key, digest: str) -> bool:
        """Whether this may be called ready."""
        if key in self._asks.values() or self._before.get(key) == digest:
            return False
        self._before.pop(key, None)
        self._to_hold.discard(key)
        return True

    def is_to_hold(self, key: Key) -> bool:
        """Whether the kept copy is older than the question: a slow store may get the answer
        first. Asked once."""
        found = key in self._to_hold
        self._to_hold.discard(key)
        return found

    def forget(self, key: Key) -> None:
        """The question left nothing behind, or nobody can say any more whether it did."""
        self._before.pop(key, None)

    def put(self, page: str, key: Key | None) -> tuple[Key | None, Key | None]:
        """What this page asks in now. In which conversation that began a question where there
        was none, and in which none is left."""
        before = self._asks.pop(page, None)
        asked = self._asks.values()
        began = key if key is not None and key != before and key not in asked else None
        if began is not None:
            self._to_hold.add(began)
        if key is not None:
            self._asks[page] = key
        over = before if before is not None and before not in asked else None
        return began, over
