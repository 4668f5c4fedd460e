"""The conversations of one tab: what was gathered of each, and what is kept of it already."""

from collections import OrderedDict
from dataclasses import dataclass, replace

from tabwire.capture.gathered import Gathered
from tabwire.model.captured import Title
from tabwire.sites.site import Site

MAX_GATHERED = 20  # conversations of one tab that are remembered
MAX_BYTES = 96 * 1024 * 1024  # of all of them together; the newest stays, whatever its size

Key = tuple[str, str]  # site and conversation


@dataclass(frozen=True, slots=True)
class Known:
    """What is kept of a conversation already."""

    digest: str
    ready: bool
    title: Title


class Shelf:
    """Bounded; the one used longest ago goes first."""

    def __init__(self, site: Site) -> None:
        self._site = site
        self._all: OrderedDict[str, Gathered] = OrderedDict()
        self._known: OrderedDict[str, Known] = OrderedDict()

    def __contains__(self, conversation_id: object) -> bool:
        return conversation_id in self._all

    def get(self, conversation_id: str) -> Gathered | None:
        """What was gathered of it."""
        return self._all.get(conversation_id)

    def take(self, conversation_id: str) -> Gathered:
        """The same, begun where there was nothing."""
        gathered = self._all.get(conversation_id)
        if gathered is None:
            gathered = Gathered(self._site, conversation_id)
            if (known := self._known.get(conversation_id)) is not None:
                gathered.title = known.title
        self.put(gathered)
        return gathered

    def put(self, gathered: Gathered) -> None:
        """This was gathered."""
        self._all[gathered.conversation_id] = gathered
        self._all.move_to_end(gathered.conversation_id)
        while len(self._all) > MAX_GATHERED:
            self._all.popitem(last=False)

    def shrink(self, newest: Gathered) -> None:
        """Let go of what is too much; the newest stays."""
        held = sum(gathered.size for gathered in self._all.values())
        for name, gathered in tuple(self._all.items()):
            if held <= MAX_BYTES or gathered is newest:
                return
            held -= gathered.size
            del self._all[name]

    def know(self, conversation_id: str, known: Known) -> None:
        """What is kept of it already."""
        self._known[conversation_id] = known
        self._known.move_to_end(conversation_id)
        while len(self._known) > MAX_GATHERED:
            self._known.popitem(last=False)

    def was_ready(self, gathered: Gathered) -> bool:
        """Whether it is kept as ready, just as it was gathered."""
        known = self._known.get(gathered.conversation_id)
        return known is not None and known.ready and known.digest == gathered.digest

    def doubt(self, conversation_id: str) -> bool:
        """What was ready is so no longer; whether it was."""
        known = self._known.get(conversation_id)
        if known is None or not known.ready:
            return False
        self._known[conversation_id] = replace(known, ready=False)
        return True
