"""awk and sed: programs in an argument, which can run others and write files."""

import re

from tabwire_guard.call import Call
from tabwire_guard.pattern import pattern
from tabwire_guard.programs.files.awk import awk_program
from tabwire_guard.programs.files.sed import sed_script
from tabwire_guard.programs.registry import program, words
from tabwire_guard.values import Value

_AWK_LONG = {
    "field-separator": "F", "assign": "v", "file": "f", "source": "e", "include": "i", "load": "l",
    "exec": "E", "pretty-print": "o", "dump-variables": "d", "profile": "p", "debug": "D",
}  # fmt: skip
_AWK_PLAIN = words(
    "characters-as-bytes traditional copyright gen-pot help csv trace bignum use-lc-numeric "
    "non-decimal-data optimize no-optimize posix re-interval sandbox lint-old version lint"
)
_AWK_FILES = {"o": "awkprof.out", "p": "awkprof.out", "d": "awkvars.out"}


@program("awk gawk mawk nawk original-awk goawk")
def awk(call: Call) -> None:
    """Lines by a program."""
    said, rest = _awk_options(call)
    codes = [value for name, value in said if name == "e"]
    in_place = any(name == "i" and value.text == "inplace" for name, value in said)
    for name, value in said:
        if name in "fElD" or (name == "i" and value.text != "inplace"):
            call.ask("run.script", "an awk program in a file of unknown content")
        elif name in _AWK_FILES and value.text != "-":
            call.writes(value if value.text else Value(_AWK_FILES[name]))
    if not codes and not any(name in "fE" for name, _ in said) and rest:
        codes = [rest.pop(0)]
    for code in codes:
        _awk_code(call, code)
    if rest and all(call.nothing(one) for one in rest):
        call.gives("")
    for one in rest:
        if re.match(r"[A-Za-z_]\w*=", one.text):
            continue
        call.reads(one)
        if in_place:
            call.writes(one)


def _awk_options(call: Call) -> tuple[list[tuple[str, Value]], list[Value]]:
    """Options by their letters, with their values, up to the first operand; and what follows."""
    said: list[tuple[str, Value]] = []
    rest = list(call.args)
    while rest and rest[0].text.startswith("-") and len(rest[0].text) > 1:
        word = rest.pop(0)
        text = word.text
        if text == "--":
            break
        if text.startswith("--"):
            name, equals, value = text[2:].partition("=")
            names = [one for one in (*_AWK_LONG, *_AWK_PLAIN) if one.startswith(name)]
            if name in names:
                names = [name]
            if len(names) != 1:
                call.ask("unknown.option", f"`{call.name} {word.shown}` is not known")
            elif names[0] in _AWK_LONG:
                letter = _AWK_LONG[names[0]]
                if not equals and letter in "FvfeilE" and rest:
                    value = rest.pop(0).text
                said.append((letter, word._replace(text=value)))
            continue
        letters = text[1:]
        while letters:
            letter, letters = letters[0], letters[1:]
            if letter in "FvfeilE":
                value_of = word._replace(text=letters) if letters else rest.pop(0) if rest else word
                said.append((letter, value_of))
                break
            if letter in "odpD":
                said.append((letter, word._replace(text=letters)))
                break
            if letter == "L" or (letter == "W" and "version" in (letters, *call.texts[1:2])):
                break
            if letter not in "bcCghkMNnOPrsStVI":
                call.ask("unknown.option", f"`{call.name} {word.shown}` is not known")
                break
    return said, rest


def _awk_code(call: Call, code: Value) -> None:
    if code.holed:
        call.ask("run.unknown", "an awk program that is known only at run time")
    found = awk_program(code.text)
    if found.runs:
        call.ask("run.inline", "an awk program that runs others")
    if found.odd:
        call.ask("run.inline", f"an awk program that cannot be analysed: {found.odd}")
    if found.runs or found.odd:
        for one in found.strings:
            if one.startswith(("/", "~")) and " " not in one:
                call.reads(Value(one))
            elif one.strip():
                call.script(one, "in awk", shell="sh")
    if (found.runs and found.runs_unsaid) or found.connects:
        call.deny("run.hidden", "an awk program that runs text from elsewhere")
    for one in found.writes:
        call.writes(Value(one))
    if found.writes_unsaid:
        call.ask("write.unknown", "an awk program that writes files")


_SED_LONG = words(
    "quiet silent debug expression file follow-symlinks in-place line-length null-data "
    "zero-terminated posix regexp-extended separate sandbox unbuffered binary help version"
)


@program("sed", "gsed")
def sed(call: Call) -> None:
    """Lines by a script."""
    said, paths = _sed_options(call)
    scripts = [value for name, value in said if name == "e"]
    in_place = any(name == "i" for name, _ in said)
    if any(name == "f" for name, _ in said):
        call.ask("run.script", "a sed script in a file of unknown content")
    elif not scripts and paths:
        if in_place and paths[0].text == "" and len(paths) > 1:
            paths.pop(0)  # `sed -i ''`, as macOS wants it
        scripts = [paths.pop(0)]
    whole = "\n".join(one.text for one in scripts)
    for rule, kind, what, value in sed_script(whole):
        if kind == "write":
            call.writes(Value(value))
        elif kind == "read":
            call.reads(Value(value))
        elif kind == "ask":
            call.ask(rule, what)
        else:
            call.deny(rule, what)
            if value:
                call.script(value, "in sed", shell="sh")
    if re.match(r"\ufdd0|.*[;}\n]\s*\ufdd0", whole, re.DOTALL):
        call.ask("run.unknown", "a sed script that is known only at run time")
    for one in paths:
        if in_place:
            call.writes(one, text="" if _ALL_LINES.fullmatch(whole) else None)
        call.reads(one)


_ALL_LINES = pattern(
    r"\s*(?:[01]\s*,\s*\$|[01]~1|/\.?\*?/|//)?\s*\{?\s*[dDQ]\s*;?\s*\}?\s*|1?\s*[Q]\s*"
)
"""Scripts that leave no line: `d`, `1,$d`."""


def _sed_options(call: Call) -> tuple[list[tuple[str, Value]], list[Value]]:
    """Options by their letters, with their values; and operands."""
    said: list[tuple[str, Value]] = []
    operands: list[Value] = []
    rest = list(call.args)
    while rest:
        word = rest.pop(0)
        text = word.text
        if text == "--":
            operands += rest
            break
        if not text.startswith("-") or text == "-":
            operands.append(word)
            continue
        letters = text[1:]
        if text.startswith("--"):
            name, equals, value = text[2:].partition("=")
            names = [name] if name in _SED_LONG else [n for n in _SED_LONG if n.startswith(name)]
            letters = {"expression": "e", "file": "f", "in-place": "i", "line-length": "l"}.get(
                names[0] if len(names) == 1 else "", ""
            )
            if len(names) != 1:
                call.ask("unknown.option", f"`sed {word.shown}` is not known")
            letters += value if equals else ""
        while letters:
            letter, letters = letters[0], letters[1:]
            if letter in "nErsuzb":
                continue
            if letter == "i":
                said.append(("i", word._replace(text=letters)))
                if "/" in letters or "*" in letters:
                    call.ask("write.outside", "keeps the old files in another place")
            elif letter in "efl":
                value_of = word._replace(text=letters) if letters else rest.pop(0) if rest else word
                said.append((letter, value_of))
                if letter == "l" and not value_of.text.isdigit():
                    call.ask("unknown.option", "`sed -l` without a number")
            else:
                call.ask("unknown.option", f"`sed {word.shown}` is not known")
            break
    return said, operands


@program("tr", "rev")
def turns(call: Call) -> None:
    """Letters for other letters, or the other way round."""
    text = call.stdin.text
    if call.name == "rev":
        if text is not None:
            call.gives("\n".join(line[::-1] for line in text.split("\n")), "decoded")
        return
    plain = [one for one in call.texts if not one.startswith("-")]
    if text is not None and len(plain) == 2 and not any("[:" in one for one in plain):
        first, second = (_letters(one) for one in plain)
        second = second + second[-1:] * (len(first) - len(second))
        call.gives(text.translate(str.maketrans(first, second[: len(first)])), "decoded")
    elif text is not None and "-d" in call.texts and len(plain) == 1:
        gone = set(_letters(plain[0]))
        call.gives("".join(one for one in text if one not in gone), "decoded")
    else:
        call.gives(None, "decoded")


def _letters(spec: str) -> str:
    spec = spec.replace("\\n", "\n").replace("\\t", "\t").replace("\\0", "\0")
    return re.sub(
        r"(.)-(.)",
        lambda m: "".join(map(chr, range(ord(m[1]), ord(m[2]) + 1))) if m[1] <= m[2] else m[0],
        spec,
        flags=re.DOTALL,
    )
