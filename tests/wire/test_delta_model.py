"""The decoder of deltas against a plain one: random operations that fit, in several spellings.

The plain reader below keeps ordinary dicts, lists and strings, knows no short way and
inherits nothing: it is told every operation in full.
"""

import json
from dataclasses import dataclass, field
from typing import Any

from hypothesis import Phase, given, settings
from hypothesis import strategies as st

from tabwire.wire.delta import Appended, Changed, DeltaDecoder, Opened
from wire.streams import ANNOUNCED, PART, cuts, documents, event, message, read

HIGH, LOW = "\ud83d", "\ude00"
TEXTS = st.sampled_from(["a", "bc", "", " ", "\n", "日本", "😀", HIGH, LOW, '"\\', "/~"])
LEAVES = TEXTS | st.sampled_from([None, True, 0, 7, 2.5])
KEYS = ["a", "b", "a/b", "~1", "", "0", "-", "日"]
VALUES = st.recursive(
    LEAVES,
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(KEYS), inner, max_size=3)
    ),
    max_leaves=5,
)
KINDS = "append grow grow text text add insert replace remove truncate message patch".split()
INTENTS = st.lists(
    st.tuples(st.sampled_from(KINDS), st.integers(0, 10**6), TEXTS, VALUES), min_size=3, max_size=25
)

Place = tuple[str, ...]


@dataclass
class Step:
    """One operation in full, and the words the decoder must answer it with."""

    channel: int
    op: str
    place: Place
    value: Any = None
    inner: list["Step"] = field(default_factory=list)
    goes_on: bool = False  # text appended to text, or where nothing stood

    @property
    def pointer(self) -> str:
        return "".join("/" + s.replace("~", "~0").replace("/", "~1") for s in self.place)

    def records(self) -> list[Any]:
        if self.op == "patch":
            return [record for step in self.inner for record in step.records()]
        if self.op == "append" and self.goes_on:
            return [Appended(self.channel, self.pointer, self.value)]
        return [Changed(self.channel, self.pointer) if self.place else Opened(self.channel)]


class Plain:
    """Documents changed in the most direct way."""

    def __init__(self) -> None:
        self.roots: dict[int, Any] = {}

    def at(self, channel: int, place: Place) -> Any:
        found = self.roots[channel]
        for segment in place:
            found = found[int(segment)] if isinstance(found, list) else found[segment]
        return found

    def do(self, step: Step) -> None:
        if step.op == "patch":
            for one in step.inner:
                self.do(one)
        elif not step.place:
            self.roots[step.channel] = _copy(step.value)
        else:
            holder = self.at(step.channel, step.place[:-1])
            key: Any = step.place[-1]
            if isinstance(holder, list):
                key = len(holder) if key == "-" else int(key)
            self._do(step, holder, key)

    def _do(self, step: Step, holder: Any, key: Any) -> None:
        value = _copy(step.value)
        in_list = isinstance(holder, list)
        match step.op:
            case "add" if in_list:
                holder.insert(key, value)
            case "add" | "replace":
                holder[key] = value
            case "remove":
                del holder[key]
            case "truncate":
                held = holder[key]
                holder[key] = held[:value] if isinstance(held, list) else _cut(held, value)
            case "append":
                held = holder[key] if (in_list or key in holder) else None
                if held is None:
                    holder[key] = value
                elif isinstance(held, str):
                    holder[key] = held + value
                elif isinstance(held, dict):
                    held.update(value)
                else:
                    held.extend(value if isinstance(value, list) else [value])


def _copy(value: Any) -> Any:
    return json.loads(json.dumps(value))


def _cut(text: str, units: int) -> str:
    return (
        _joined(text)
        .encode("utf-16-le", "surrogatepass")[: 2 * units]
        .decode("utf-16-le", "surrogatepass")
    )


def _joined(value: Any) -> Any:
    if isinstance(value, str):
        return value.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "surrogatepass")
    if isinstance(value, dict):
        return {_joined(key): _joined(item) for key, item in value.items()}
    return [_joined(item) for item in value] if isinstance(value, list) else value


def places(value: Any, here: Place = ()) -> list[tuple[Place, Any]]:
    """Every place below a value, with what stands there."""
    if isinstance(value, dict):
        below = list(value.items())
    elif isinstance(value, list):
        below = [(str(n), item) for n, item in enumerate(value)]
    else:
        return []
    return [
        found
        for key, item in below
        for found in [((*here, key), item), *places(item, (*here, key))]
    ]


class Sender:
    """Turns random intents into operations that fit the documents as they stand."""

    def __init__(self) -> None:
        self.plain = Plain()
        self.steps: list[Step] = []
        self.channel = 0
        self._take(Step(0, "add", (), message("")))

    def _take(self, step: Step) -> None:
        self.plain.do(step)
        self.steps.append(step)

    def send(self, kind: str, pick: int, text: str, value: Any) -> None:
        if kind == "message":
            self.channel = pick % 3
            self._take(Step(self.channel, "add", (), message(text, extra=value)))
            return
        if kind == "patch":
            self._take(self._patch(pick, text, value))
            return
        step = self._fit(kind, pick, text, value)
        if step is not None:
            self._take(step)

    def _patch(self, pick: int, text: str, value: Any) -> Step:
        """Operations in one delta; each must fit the document as the one before left it."""
        trial = Sender.__new__(Sender)
        trial.plain, trial.channel = Plain(), self.channel
        trial.plain.roots = {self.channel: _copy_halves(self.plain.roots[self.channel])}
        inner = []
        for n, kind in enumerate(("text", KINDS[pick % 11], "grow")[: 1 + pick % 3]):
            step = trial._fit(kind, pick // (n + 2), text, value)
            if step is not None:
                trial.plain.do(step)
                inner.append(step)
        return Step(self.channel, "patch", (), inner=inner)

    def _fit(self, kind: str, pick: int, text: str, value: Any) -> Step | None:
        found = [(p, v) for p, v in places(self.plain.roots[self.channel]) if p != ("message",)]
        strings = [p for p, v in found if isinstance(v, str)]
        lists = [(p, v) for p, v in found if isinstance(v, list)]
        dicts = [((), None), *((p, v) for p, v in found if isinstance(v, dict))]

        def one(of: list[Any]) -> Any:
            return of[pick % len(of)]

        match kind:
            case "grow" if strings:
                return self._step("append", one(strings), text, goes_on=True)
            case "text":
                place = tuple(PART.split("/")[1:])
                if place in strings:
                    return self._step("append", place, text, goes_on=True)
            case "append" if lists and pick % 2:
                return self._step("append", one(lists)[0], value)
            case "append":
                holder = one(dicts)[0]
                if holder and isinstance(value, dict):
                    return self._step("append", holder, value)
                taken = self.plain.at(self.channel, holder)
                if "new" not in taken or taken["new"] is None:
                    return self._step("append", (*holder, "new"), value, isinstance(value, str))
            case "add":
                return self._step("add", (*one(dicts)[0], KEYS[pick % len(KEYS)]), value)
            case "insert" if lists:
                place, held = one(lists)
                keys = [*map(str, range(len(held) + 1)), "-"]
                return self._step("add", (*place, keys[pick // 7 % len(keys)]), value)
            case "replace" if found:
                return self._step("replace", one(found)[0], value)
            case "remove" if found:
                return self._step("remove", one(found)[0])
            case "truncate":
                cuttable = [*strings, *(p for p, _ in lists)]
                if cuttable:
                    return self._step("truncate", one(cuttable), pick // 11 % 4)
        return None

    def _step(self, op: str, place: Place, value: Any = None, goes_on: bool = False) -> Step:
        return Step(self.channel, op, place, value, goes_on=goes_on)


def _copy_halves(value: Any) -> Any:
    """A deep copy that leaves two halves side by side apart, as `json` would not."""
    if isinstance(value, dict):
        return {key: _copy_halves(item) for key, item in value.items()}
    return [_copy_halves(item) for item in value] if isinstance(value, list) else value


# -- spellings --------------------------------------------------------------------------


def _written(step: Step) -> dict[str, Any]:
    if step.op == "patch":
        steps = [_written(one) for one in step.inner]
        return {"c": step.channel, "p": step.pointer, "o": "patch", "v": steps}
    written = {"c": step.channel, "p": step.pointer, "o": step.op}
    return written if step.op == "remove" else {**written, "v": step.value}


def in_full(steps: list[Step]) -> bytes:
    """Every field of every delta."""
    return ANNOUNCED + b"".join(event(_written(step), "delta") for step in steps)


def in_short(steps: list[Step]) -> bytes:
    """Only what differs from the delta before, as the site sends it."""
    last: dict[str, Any] = {"c": 0, "p": None, "o": None}
    text_at = None  # where text was last appended
    blocks = []
    for step in steps:
        full = _written(step)
        fields = {key: full[key] for key in "cpo" if full[key] != last[key]}
        fields |= {"v": full["v"]} if "v" in full else {}
        opens = step.op == "add" and not step.place
        after_whole = last["o"] == "patch" or (last["o"], last["p"]) == ("add", "")
        if opens:
            fields = {"c": step.channel, "v": full["v"]}
        elif step.goes_on and after_whole and text_at == step.pointer and "c" not in fields:
            fields, full = {"v": full["v"]}, last  # what is inherited next stays as it was
        elif "o" not in fields and (step.op != "append" or not isinstance(step.value, str)):
            fields = full  # some values have a meaning of their own where `o` is left out
        last = {key: full[key] for key in "cpo"}
        for one in step.inner or [step]:
            text_at = one.pointer if one.goes_on else text_at
        blocks.append(event(fields, "delta"))
    return ANNOUNCED + b"".join(blocks)


def nameless_and_spaced(steps: list[Step]) -> bytes:
    """As in short, so that no event takes the short way."""
    text = in_short(steps).removeprefix(ANNOUNCED)
    text = text.replace(b"event: delta\ndata: {", b"id: 1\r\ndata:{ \t")
    return b"\xef\xbb\xbf" + ANNOUNCED + text


@settings(phases=[Phase.explicit, Phase.reuse, Phase.generate, Phase.shrink])
@given(INTENTS, st.data())
def test_the_decoder_agrees_with_a_plain_reader_in_every_spelling(intents, data):
    sender = Sender()
    for intent in intents:
        sender.send(*intent)
    said = [record for step in sender.steps for record in step.records()]
    expected = {channel: _joined(root) for channel, root in sender.plain.roots.items()}
    nameless = not any(step.op == "remove" for step in sender.steps)
    for spell in (in_full, in_short, *([nameless_and_spaced] if nameless else [])):
        wire = spell(sender.steps)
        for chunks in ([wire], data.draw(cuts(wire))):
            decoder = DeltaDecoder()
            records = read(decoder, chunks)
            assert documents(decoder) == expected, spell.__name__
            assert [_say(one) for one in records] == [_say(one) for one in said], spell.__name__


def _say(record: Any) -> Any:
    """Escaped halves that arrive side by side are one character to a JSON reader."""
    if isinstance(record, Appended):
        return Appended(record.channel, record.pointer, _joined(record.text))
    return record
