"""Parameters of PowerShell's commands: by any beginning that is clear, with lists as values."""

import re
from collections.abc import Iterator

from tabwire_guard.call import Call
from tabwire_guard.pattern import pattern
from tabwire_guard.record import field, record
from tabwire_guard.values import ANY, CLASS, HOLE, PRIVATE, PROJECT, SECRET, STAR, Value

_COMMON_TAKES = """erroraction ea warningaction wa informationaction infa progressaction proga
    errorvariable ev warningvariable wv informationvariable iv outvariable ov outbuffer ob
    pipelinevariable pv""".split()
_COMMON_SWITCHES = "verbose vb debug db whatif wi confirm cf".split()
_SETS = frozenset(
    """errorvariable ev warningvariable wv informationvariable iv outvariable ov pipelinevariable
    pv""".split()
)
_PARAMETER = pattern(r"-([A-Za-z_?][\w?-]*)(?::(.*))?", re.DOTALL)
_PATTERN = str.maketrans({"*": STAR, "?": ANY})
_NOT_SET = pattern(r"false|0|\$false", re.IGNORECASE)


@record
class Given:
    """What a command was given."""

    named: dict[str, list[Value]] = field(default_factory=dict)
    """Values by the parameter's first name; a switch has none."""
    loose: list[list[Value]] = field(default_factory=list)
    """Arguments without a name, each with the elements of its list."""
    strange: str = ""
    """The first parameter that the command does not have."""

    def has(self, *names: str) -> bool:
        """Whether one of these was said."""
        return any(name in self.named for name in names)

    def values(self, *names: str) -> list[Value]:
        """What was said with these."""
        return [one for name in names for one in self.named.get(name, ())]

    def text(self, name: str) -> str:
        """The first value of a parameter, in small letters."""
        found = self.named.get(name)
        return found[0].text.lower() if found else ""

    @property
    def dry(self) -> bool:
        """`-WhatIf`: it only says what it would do."""
        return "whatif" in self.named

    def first(self, *names: str, at: int = 0) -> list[Value]:
        """Values by name, or else those of an argument without a name."""
        if self.has(*names):
            return self.values(*names)
        return self.loose[at] if at < len(self.loose) else []


def given(call: Call, takes: str = "", switches: str = "", *, same: str = "") -> Given:
    """Read a command's arguments.

    `takes` names parameters with a value, `switches` those without, `same` other names for them:
    `lp=literalpath`.
    """
    others = dict(one.split("=") for one in same.split())
    valued = {*takes.split(), *_COMMON_TAKES}
    plain = {*switches.split(), *_COMMON_SWITCHES}
    names = valued | plain | others.keys()
    found = Given()
    rest = list(call.args)
    while rest:
        word = rest.pop(0)
        said = _PARAMETER.fullmatch(word.text)
        if said is None or (word.quoted and said[2] is None):
            found.loose.append([word, *_elements(rest)])
            continue
        name = _meant(said[1].lower(), names)
        name = others.get(name, name)
        if not name:
            found.strange = found.strange or word.shown
            name = said[1].lower()
        values: list[Value] = []
        if said[2] is not None:
            values = [word._replace(text=said[2]), *_elements(rest)]
            if name in plain:
                if _NOT_SET.fullmatch(said[2]):
                    continue
                values = []
        elif name in valued and rest:
            values = [rest.pop(0)]
            values += _elements(rest)
        found.named.setdefault({"wi": "whatif"}.get(name, name), []).extend(values)
        if name in _SETS:
            for one in values:
                if not one.known:
                    call.ask("variable.hidden", "sets an unknown variable")
                taints = call.output.taints
                call.state.variables[f"${one.text.lower().lstrip('+')}"] = Value(HOLE, taints)
    return found


def _elements(rest: list[Value]) -> list[Value]:
    """The further elements of a list: commas stand between them."""
    more: list[Value] = []
    while rest and rest[0].text == "," and not rest[0].quoted:
        rest.pop(0)
        if rest:
            more.append(rest.pop(0))
    return more


def _meant(said: str, names: set[str] | frozenset[str]) -> str:
    """The parameter that a beginning means; empty if none or several."""
    if said in names:
        return said
    likely = [one for one in names if one.startswith(said)]
    return likely[0] if len(likely) == 1 else ""


def path(value: Value) -> Value:
    """A value as a path: PowerShell's commands take patterns in quotes too."""
    text = re.sub(r"\[[^\[\]\\/]+\]", CLASS, value.text.translate(_PATTERN))
    return value._replace(text=text)


_DRIVE = pattern(
    r"(?:microsoft\.powershell\.\w+[\\/])?"
    r"(registry::|hklm:|hkcu:|hkcr:|hku:|env:|environment::|function:|alias:|variable:|cert:"
    r"|certificate::|wsman:|ad:|iis:)",
    re.IGNORECASE,
)


def drive(value: Value) -> str:
    """`registry`, `env`, … for a path that is not of a file; else empty."""
    found = _DRIVE.match(value.text)
    if found is None:
        return ""
    name = found[1].lower().rstrip(":")
    if name.startswith(("hk", "registry")):
        return "registry"
    return {"environment": "env", "certificate": "cert"}.get(name, name)


def piped_paths(call: Call) -> list[Value]:
    """Paths that are piped in, as far as they are known."""
    if call.stdin.items:
        return [Value(one, call.stdin.taints) for one in call.stdin.items]
    lines = (call.stdin.text or "").splitlines() if call.stdin.piped else []
    return [path(Value(one, call.stdin.taints)) for one in lines if one]


def far(call: Call, value: Value) -> None:
    """A path on another machine: to look there is to show who one is."""
    if call.far(value):
        call.ask("network.share", f"{value.shown} is on another machine")


def writes_far(call: Call, target: Value) -> None:
    """A path on another machine that something is written to."""
    if call.far(target):
        read = {SECRET, PRIVATE, PROJECT} & (call.output.taints | call.stdin.taints)
        say = call.deny if read else call.ask
        say("network.share", f"writes {target.shown}, on another machine")


def paths_of(found: Given, *, at: int = 0) -> Iterator[Value]:
    """What `-Path`, `-LiteralPath` or the first argument name."""
    for one in found.values("literalpath"):
        yield one
    if not found.has("literalpath") or found.has("path"):
        for one in found.first("path", at=at):
            yield path(one)
