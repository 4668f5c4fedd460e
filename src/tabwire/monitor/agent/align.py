"""Two readings of the same rows, earlier and now: which row is which.

Theory of operation. A page draws rows anew, replaces those out of sight by placeholders, uses a
node for another row, and changes a row's words when its work is done. So neither the place nor
the node nor the words alone say which row it is. Each pair gets a score: alike in all words is
best, then alike in what the row is about (its command, its file, the beginning of its text), and
a node that is still the same speaks for a pair but never against better words; one that also
says the same settles it. Of all pairings
that keep the order the one with the highest sum is taken; a row without partner is new.

Equal rows pair in their order, so a command that is run three times is three rows.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from tabwire.model.agent import Row, RowKind

_STEPS = frozenset({RowKind.TOOL, RowKind.NOTICE})
_TALK = frozenset({RowKind.PROSE, RowKind.NARRATION, RowKind.NOTE})
_ALIKE, _ABOUT, _NODE = 6, 4, 2
_SETTLED = 1000  # more than any number of pairs without their nodes
_MAX_PAIRS = 250_000  # beyond it only the beginnings are compared


def align(known: Sequence[Row], now: Sequence[Row]) -> list[int | None]:
    """For each row of `now`, the index of the same row in `known`, or None."""
    nodes = _Nodes({one.token: one for one in known}, {one.token: one for one in now})
    found: list[int | None] = [None] * len(now)
    begin = 0
    while begin < min(len(known), len(now)) and nodes.same(known[begin], now[begin]):
        found[begin] = begin
        begin += 1
    old, new = known[begin:], now[begin:]
    if old and new:
        for at, partner in _paired(old, new, nodes):
            found[begin + at] = begin + partner
    return found


@dataclass(frozen=True, slots=True)
class _Nodes:
    """Whose node is there in the other reading."""

    known: dict[int, Row]
    now: dict[int, Row]

    def same(self, a: Row, b: Row) -> bool:
        """Whether two rows at the same place from the beginning are one."""
        score = self.score(a, b)
        return score > _NODE if a.token == b.token else score >= _ALIKE

    def score(self, a: Row, b: Row) -> int:
        """How much speaks for a pair; nothing, where one of them is settled elsewhere."""
        if a.token != b.token and (_lives(a, self.now) or _lives(b, self.known)):
            return 0
        return _score(a, b)


def _paired(old: Sequence[Row], new: Sequence[Row], nodes: _Nodes) -> list[tuple[int, int]]:
    """Pairs (index in new, index in old) with the highest sum of scores, in order."""
    if len(old) * len(new) > _MAX_PAIRS:
        return []
    best = [[0] * (len(old) + 1) for _ in range(len(new) + 1)]
    scores = [[nodes.score(a, b) for a in old] for b in new]
    for i in range(len(new) - 1, -1, -1):
        row, below, mine = best[i], best[i + 1], scores[i]
        for j in range(len(old) - 1, -1, -1):
            skip = max(below[j], row[j + 1])
            row[j] = max(skip, below[j + 1] + mine[j]) if mine[j] else skip
    pairs, i, j = [], 0, 0
    while i < len(new) and j < len(old):
        if scores[i][j] and best[i][j] == best[i + 1][j + 1] + scores[i][j]:
            pairs.append((i, j))
            i, j = i + 1, j + 1
        elif best[i][j] == best[i][j + 1]:
            j += 1
        else:
            i += 1
    return pairs


def _lives(row: Row, others: dict[int, Row]) -> bool:
    """Whether its node is there in the other reading and says the same: then it is that row."""
    other = others.get(row.token)
    return other is not None and _score(row, other) > _NODE


def _score(a: Row, b: Row) -> int:
    if RowKind.GAP in (a.kind, b.kind):
        return 0
    if _family(a) != _family(b):
        return _ABOUT if {a.kind, b.kind} == _STEPS and _became(a.text, b.text) else 0
    node = _SETTLED if a.token == b.token else 0
    if _words(a) == _words(b):
        return _ALIKE + node
    if _about(a, b):
        return _ABOUT + node
    return _NODE if node and _may_change(a) else 0


def _family(row: Row) -> str:
    return "talk" if row.kind in _TALK else row.kind.value


def _words(row: Row) -> tuple[object, ...]:
    if row.kind is RowKind.COMMAND:
        return row.command, row.cwd, row.exit_code, row.state, row.label
    return row.label, row.text, row.src


def _about(a: Row, b: Row) -> bool:
    if a.kind is RowKind.COMMAND:
        return a.command == b.command and not (_is_over(a) and not _is_over(b))
    if a.kind in _STEPS and _became(a.text, b.text):
        return True
    if a.kind is RowKind.TOOL:
        grew = a.text != b.text and b.text.startswith(a.text)
        return a.target != "" and b.target.startswith(a.target) and (a.state == "running" or grew)
    if a.kind is RowKind.THINKING and not (a.text and b.text):
        return a.token == b.token or a.label == b.label
    if a.kind is RowKind.NOTICE:
        return a.token == b.token and b.text.startswith(a.text)
    if a.kind in _TALK or a.kind in (RowKind.THINKING, RowKind.TASK):
        return _grew(a.text, b.text)
    return False


def _became(before: str, now: str) -> bool:
    """`Editing x` and `Edited x +4 -1`: the same step, under way and done; or still under way."""
    (doing, what), (done, more) = (_step(one) for one in (before, now))
    if not what or (more != what and not more.startswith(f"{what} ")):
        return False
    stem = _doing_stem(doing)
    if stem is None:
        return False
    return done == doing or done in _IRREGULAR.get(doing, ()) or _done_stem(done) == stem


def _step(text: str) -> tuple[str, str]:
    """Its verb, and what it is about; counts are left out. In Japanese the verb stands last."""
    words = _COUNTS.sub(" ", text).lower().split()
    if not words:
        return "", ""
    if (japanese := _JA_VERB.fullmatch(words[0])) or not _JA_VERB.fullmatch(words[-1]):
        return japanese[0] if japanese else words[0], " ".join(words[1:])
    return words[-1], " ".join(words[:-1]).rstrip("を").strip()


def _doing_stem(verb: str) -> str | None:
    if found := _JA_VERB.fullmatch(verb):
        return found["stem"] if found["doing"] else None
    return verb[:-3].rstrip("e") if len(verb) > 5 and verb.endswith("ing") else None


def _done_stem(verb: str) -> str | None:
    if found := _JA_VERB.fullmatch(verb):
        return None if found["doing"] else found["stem"]
    return verb[:-2].rstrip("e") if verb.endswith("ed") else None


_COUNTS = re.compile(r"(?<=\s)[+\-\u2212]\d+(?=\s|$)|…|\.{3}")
_JA_VERB = re.compile(
    r"を?(?P<stem>[\u4e00-\u9fff\u30a0-\u30ff]{2,8})"
    r"(?:(?P<doing>中(?:です)?|しています)|しました|完了|済み)"
)
_IRREGULAR = {
    "reading": ("read",), "writing": ("wrote", "written"), "running": ("ran",),
    "finding": ("found",), "building": ("built",), "getting": ("got",), "making": ("made",),
}  # fmt: skip


def _is_over(row: Row) -> bool:
    return row.state in ("done", "failed", "rejected")


def _may_change(row: Row) -> bool:
    """Whether a row may change all its words and still be that row."""
    if row.kind is RowKind.TOOL:
        return row.state == "running"
    return row.kind in _TALK or row.kind in (RowKind.THINKING, RowKind.TASK, RowKind.FOLD)


def _grew(before: str, after: str) -> bool:
    """One begins as the other does; marks at its end (`**bo`) may be finished in between."""
    shorter = min(len(before), len(after))
    if shorter == 0:
        return False
    stem = max(shorter - 8, (shorter + 1) // 2)
    return before[:stem] == after[:stem]
