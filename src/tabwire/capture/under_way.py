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

    def __contains__(self, key: object) -> bool:
        return key in self._asks.values()

    def put(self, page: str, key: Key | None) -> tuple[Key | None, Key | None]:
        """What this page asks in now. In which conversation that began a question where there
        was none, and in which none is left."""
        before = self._asks.pop(page, None)
        began = key if key is not None and key != before and key not in self else None
        if key is not None:
            self._asks[page] = key
        over = before if before is not None and before not in self else None
        return began, over
