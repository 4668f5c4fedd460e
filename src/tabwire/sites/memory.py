"""What one body teaches about the next: titles, and parts that arrive in pieces.

Bodies of one sitting are read in order with one Memory. It is bounded, so a week of
passive capture does not grow it.
"""

from collections import OrderedDict
from typing import Any

from tabwire.sites.titles import better_title, is_generic

MAX_TITLES = 500  # the peer raised its cache from 50 to 500: a chat list alone has 100s
MAX_PARTS = 50  # conversations being put together at once; each is one open tab


class Memory:
    """Titles by site and conversation, parts of conversations, and the newest id seen."""

    def __init__(self) -> None:
        self._titles: OrderedDict[tuple[str, str], str] = OrderedDict()
        self._parts: OrderedDict[tuple[str, str], Any] = OrderedDict()
        self._newest: dict[str, str] = {}

    def learn_title(self, site: str, conversation_id: str, title: str) -> None:
        """Keep it, unless it says nothing ("New chat")."""
        if is_generic(title):
            return
        key = (site, conversation_id)
        best = better_title(self._titles.pop(key, None), title)
        if best is not None:
            self._titles[key] = best
        while len(self._titles) > MAX_TITLES:
            self._titles.popitem(last=False)

    def title(self, site: str, conversation_id: str | None, stated: str | None) -> str | None:
        """The best title known, given what the body itself states. One that says nothing is
        what a site shows until there is a title: it is none."""
        known = self._titles.get((site, conversation_id)) if conversation_id else None
        best = better_title(known, stated)
        return None if is_generic(best) else best

    def parts(self, site: str, conversation_id: str, fresh: Any) -> Any:
        """The parts kept for a conversation; `fresh` is stored where there are none."""
        key = (site, conversation_id)
        kept = self._parts.pop(key, fresh)
        self._parts[key] = kept
        while len(self._parts) > MAX_PARTS:
            self._parts.popitem(last=False)
        return kept

    def saw(self, site: str, conversation_id: str) -> None:
        """This conversation was named last."""
        self._newest[site] = conversation_id

    def newest(self, site: str) -> str | None:
        """The conversation named last: the owner of a body that names none itself."""
        return self._newest.get(site)
