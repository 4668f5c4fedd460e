"""What programs run in their turn: commands and scripts that stand in arguments."""

from collections.abc import Sequence

from tabwire_guard.call import Call
from tabwire_guard.dialects import BASH, family
from tabwire_guard.record import replace
from tabwire_guard.values import Flow, Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from tabwire_guard.flow.walker import Walk


class Nested:
    """What a program's function may have judged too, one level deeper."""

    def __init__(self, walk: "Walk", depth: int) -> None:
        self._walk = walk
        self._depth = depth

    def simple(self, words: Sequence[Value], call: Call, stdin: Flow, note: str) -> Flow:
        """A command that another one runs."""
        part = self._walk.part(" ".join(one.shown for one in words), self._depth + 1, note)
        if not words:
            return stdin
        return self._walk.command(words, call.state, stdin, part, self._depth + 1, plain=True)

    def text(self, text: str, shell: str, call: Call, note: str) -> Flow:
        """A script that stands in an argument."""
        state = call.state
        if shell and family(shell) != state.shell:
            state = replace(state, shell=family(shell), dialect=BASH)
        return self._walk.read(text, shell, state, call.stdin, self._depth + 1, note)
