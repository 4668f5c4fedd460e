"""A word and what is known -> its values.

As bash does it: variables, substitutions, then splitting of what was not quoted. What cannot be
known becomes a mark (values.py).
"""

import re
from collections.abc import Callable, Iterable

from tabwire_guard.flow.arithmetic import is_number, names_data
from tabwire_guard.flow.state import State
from tabwire_guard.paths import FOREIGN, place
from tabwire_guard.pattern import pattern
from tabwire_guard.script import Glob, Home, Lit, Script, Sub, Unknown, Var, Word
from tabwire_guard.values import (
    ANY,
    CLEAN,
    HOLE,
    NUMBER,
    PRIVATE,
    SECRET,
    STAR,
    TERMINAL,
    Flow,
    Value,
)

Run = Callable[[Script, Flow], Flow]
"""Judges the script of a substitution, with what goes into it, and says what comes out."""

MAX_WORDS = 200
"""Words one variable may be split into; more are one that nobody knows."""

_INDIRECT = pattern(r"\$\{!\w+\}")
_NAMED = pattern(r"\$\{(?:!\w|\w+(?:\[[^\]]*\])?@)")
SECRET_NAME = pattern(
    r"TOKEN|SECRET|PASSW|PASSPHRASE|API_?KEY|PRIVATE_?KEY|ACCESS_?KEY|CREDENTIAL|_PAT$|_KEY$", re.I
)
"""Variables that are named for what must not be told."""

MAX_NAMES = 12
"""Words of a variable that are looked at as paths."""

_SLY = pattern(r"\w\[[^\]\[]*(?:\$\(|`)")
"""The subscript of an array: a sum puts it in, and with it what stands there."""

_ACTIVE = str.maketrans({"*": STAR, "?": ANY})


class Expansion:
    """Expands words; remembers whether a fallback stood beside an unknown variable."""

    def __init__(
        self,
        state: State,
        run: Run,
        seen: set[str],
        *,
        fall_back: bool = False,
        stdin: Flow = TERMINAL,
        assigned: Callable[[str, Value], None] = lambda _name, _value: None,
        data: Callable[[str], None] = lambda _text: None,
    ) -> None:
        self._state = state
        self._run = run
        self._assigned = assigned
        """Judges `${X:=value}`."""
        self._data = data
        """Told of a sum that names a variable with what was read from elsewhere."""
        self._fall_back = fall_back
        self._seen = seen
        """What else was met: `sums`, and `sly` text that runs where a sum names it."""
        self._flowing = Flow(None, stdin.taints | {PRIVATE}, True)
        """What a `>(…)` is fed: a command's output, which nobody has read."""
        self.had_fallback = False

    def words(self, words: Iterable[Word]) -> list[Value]:
        """The values of several words."""
        return [value for word in words for value in self.word(word)]

    def one(self, word: Word) -> Value:
        """A single value, where nothing is split (assignments, redirections)."""
        values = self.word(word)
        if len(values) == 1:
            return values[0]
        taints = frozenset(taint for one in values for taint in one.taints)
        return Value(" ".join(one.text for one in values), taints)

    def word(self, word: Word) -> list[Value]:
        """The values of one word: often one, none for an empty variable, several when split."""
        done: list[Value] = []
        text, taints, quoted, begun = "", frozenset[str](), False, False
        for piece in word.pieces:
            if isinstance(piece, Lit):
                text += piece.text
                quoted = quoted or piece.quoted
                begun = True
                continue
            value, splits = self._piece(piece)
            taints |= value.taints
            quoted = quoted or value.quoted
            if not splits:
                text += value.text
                begun = begun or bool(value.text) or value.quoted
                continue
            fields = self._split(value.text)
            if not fields:
                if value.text and begun:  # `rm${IFS}-rf`
                    done.append(Value(text, taints, quoted))
                    text, begun = "", False
                continue
            if value.text[:1].isspace() and begun:
                done.append(Value(text, taints, quoted))
                text = ""
            for field in fields[:-1]:
                done.append(Value(text + field, taints, quoted))
                text = ""
            text += fields[-1]
            begun = True
            if value.text[-1:].isspace():
                done.append(Value(text, taints, quoted))
                text, begun = "", False
        if begun:
            done.append(Value(text, taints, quoted))
        if any(_SLY.search(one.text) for one in done):
            self._seen.add("sly")
        return done

    def _split(self, text: str) -> list[str]:
        separators = self._state.variables.get("IFS")
        known = separators.text if separators is not None and separators.known else " \t\n"
        for one in known:
            text = text.replace(one, " ")
        fields = text.split(" ") if not known.isspace() else text.split()
        if len(fields) > MAX_WORDS:
            return [HOLE]
        return [one.translate(_ACTIVE) for one in fields if one]

    def _piece(self, piece: object) -> tuple[Value, bool]:
        """The value of a piece, and whether it is split at blanks."""
        match piece:
            case Glob(mark):
                return Value(mark), False
            case Home(user):
                return Value(_home_of(user, self._state)), False
            case Var():
                return self._variable(piece)
            case Sub():
                return self._substitution(piece)
            case Unknown(raw, scripts, harmless):
                taints = frozenset[str]()
                if _INDIRECT.fullmatch(raw):  # the value of a variable that another one names
                    taints |= {SECRET}
                if harmless:
                    self._seen.add("sums")
                if harmless or raw[0] == "[" or _NAMED.match(raw):
                    self.sums(raw)
                for script in scripts:
                    taints |= self._run(script, TERMINAL).taints
                return Value("0" if harmless else HOLE, taints), False
        raise TypeError(piece)

    def _variable(self, piece: Var) -> tuple[Value, bool]:
        if piece.sums:
            self.sums(piece.sums)
        name = piece.name.removesuffix("[@]").removesuffix("[*]")
        as_list = name != piece.name or name in ("@", "*")
        splits = as_list or not piece.quoted
        known = self._state.variables.get(name)
        if splits and not as_list and known is not None and self._state.unsplit:
            splits = known.text.endswith(" ")  # of what is one word there, only lists are more
        if known is not None and not piece.edited and (known.text or piece.fallback is None):
            return known._replace(quoted=piece.quoted and not as_list), splits
        taints = known.taints if known is not None else frozenset()
        if known is not None and self._leads_out(known.text):
            taints |= {PRIVATE}  # `${X%x}`: some other path, near the one it was
        if piece.fallback is not None:
            fallback = self.one(piece.fallback)
            self.had_fallback = True
            if piece.assigns:
                self._assigned(name, fallback)
                empty = known is not None and not known.text
                self._state.variables[name] = fallback if empty else Value(HOLE, fallback.taints)
            if self._fall_back:
                return fallback._replace(quoted=piece.quoted), not piece.quoted
            taints |= fallback.taints
        if SECRET_NAME.search(name):
            taints |= {SECRET}
        return Value(HOLE, taints, piece.quoted), False

    def sums(self, text: str) -> None:
        """Look at the variables a sum names."""
        if text.startswith("${#"):  # a length; a sum is only what stands in brackets
            text = text.partition("[")[2]
        if names_data(text, self._state.variables):
            self._data(text)

    def _leads_out(self, text: str) -> bool:
        """Whether it names a place that is not the project's."""
        return any(
            one[0] in "/~.\\" or one[1:2] == ":"
            for one in text.split()[:MAX_NAMES]
            if place(one, self._state) in FOREIGN
        )

    def _substitution(self, piece: Sub) -> tuple[Value, bool]:
        quoted = piece.quoted
        flow = self._run(piece.script, self._flowing if piece.fed else TERMINAL)
        if piece.as_file:
            name = f"/dev/fd/{63 - len(self._state.files)}"
            if flow.text is not None:
                self._state.files[name] = flow.text
            return Value(name, flow.taints), False
        if flow.text is None:
            if len(flow.items) == 1:
                return Value(flow.items[0], flow.taints, quoted), False
            number = {NUMBER} if is_number(piece.script) else CLEAN
            return Value(HOLE, flow.taints | number, quoted), False
        text = flow.text.replace("\0", "").rstrip("\n")  # bash drops zero bytes
        return Value(text, flow.taints, quoted), not quoted


def _home_of(user: str, state: State) -> str:
    if not user:
        return state.home
    if user == "root" and not state.windows:
        return "/root"
    return f"{state.home.replace(chr(92), '/').rsplit('/', 1)[0]}/{user}"
