"""PowerShell's operators, indexes and casts, worked out where their values are known."""

import re
from collections.abc import Sequence

from tabwire_guard.pattern import pattern
from tabwire_guard.powershell.values import (
    MAX_ITEMS,
    MAX_TEXT,
    NOTHING,
    Const,
    Nothing,
    Val,
    array,
    blend,
    constant,
    elements,
    harmless,
    join_pieces,
    pieced,
    text,
)
from tabwire_guard.script import Lit, Piece, Unknown


def operate(op: str, left: Val, right: Val, raw: str) -> Val:
    """What a binary operator gives."""
    if op == "+":
        return _plus(left, right, raw)
    if op in ("-", "*", "/", "%"):
        return _arithmetic(op, left, right, raw)
    if op == "..":
        return _range(left, right, raw)
    if op == "-f":
        return _format(left, right, raw)
    if op == "-join":
        items = elements(left)
        if items is None or not isinstance(right.const, str):
            return blend(raw, left, right)
        return pieced(join_pieces(items, right.const))
    bare = re.sub(r"^-[ic]?(?=replace|split)", "-", op)
    if bare == "-replace":
        return _replace(left, right, raw)
    if bare == "-split":
        return _split(left, right, raw)
    # Of a list, a comparison gives those elements for which it is true.
    if op in _ALWAYS_BARE or left.known:
        return harmless(raw, left, right)
    return blend(raw, left, right)


_ALWAYS_BARE = frozenset(
    """-and -or -xor -band -bor -bxor -shl -shr -is -isnot -contains -icontains -ccontains
    -notcontains -inotcontains -cnotcontains -in -iin -cin -notin -inotin -cnotin""".split()
)
"""Operators that never give anything but a yes, a no or a number."""


def _plus(left: Val, right: Val, raw: str) -> Val:
    if left.table is not None or right.table is not None:
        return blend(raw, left, right)
    if left.items is not None:
        return array((*left.items, *(right.items if right.items is not None else (right,))))
    if _number(left) is not None:
        return _arithmetic("+", left, right, raw)
    if _number(right) is not None and not left.known:
        return blend(raw, left)
    return pieced((*left.pieces, *right.pieces))


def _number(value: Val) -> int | float | None:
    number = value.const
    if isinstance(number, (int, float)) and not isinstance(number, bool):
        return number
    return None


def _arithmetic(op: str, left: Val, right: Val, raw: str) -> Val:
    times = _number(right)
    if op == "*" and isinstance(left.const, str) and isinstance(times, int):
        if times >= 0 and times * len(left.const) <= MAX_TEXT:
            return text(left.const * times)
        return blend(raw)
    one = _number(left)
    other = times if times is not None else _as_number(right)
    if op == "*" and not left.known:  # a text or a list, so many times
        return blend(raw, left, right)
    if one is None or other is None or max(abs(one), abs(other)) > 1e9:
        return harmless(raw, left, right)
    if op in ("/", "%"):
        if not other:
            return harmless(raw, left, right)
        return constant(one / other if op == "/" else one % other)
    return constant({"+": one + other, "-": one - other, "*": one * other}[op])


def _as_number(value: Val) -> int | None:
    if isinstance(value.const, str) and re.fullmatch(r"\s*[+-]?\d{1,9}\s*", value.const):
        return int(value.const)
    return None


def _range(left: Val, right: Val, raw: str) -> Val:
    first, last = _number(left), _number(right)
    if first is None or last is None or abs(last - first) >= MAX_ITEMS:
        return harmless(raw, left, right)
    step = 1 if last >= first else -1
    return array([constant(one) for one in range(int(first), int(last) + step, step)])


_FIELD = pattern(r"\{\{|\}\}|\{(\d{1,3})(?:,-?\d{1,3})?(?::([^{}]*))?\}")


def _format(left: Val, right: Val, raw: str) -> Val:
    if not isinstance(left.const, str):
        return blend(raw, left, right)
    return format_text(left.const, right.items if right.items is not None else (right,), raw)


def format_text(pattern: str, items: Sequence[Val], raw: str) -> Val:
    """`'{1}{0}' -f a, b`."""
    pieces: list[Piece] = []
    at = 0
    for field in _FIELD.finditer(pattern):
        pieces.append(Lit(pattern[at : field.start()], quoted=True))
        at = field.end()
        if field[0] in ("{{", "}}"):
            pieces.append(Lit(field[0][0], quoted=True))
            continue
        number = int(field[1])
        if number >= len(items):
            return blend(raw, *items)
        item = items[number]
        if "," in field[0].split(":")[0] or (field[2] and _number(item) is None):
            return blend(raw, *items)
        if field[2]:
            pieces += _numeric(item, field[2])
        else:
            pieces += item.pieces
    pieces.append(Lit(pattern[at:], quoted=True))
    return pieced(tuple(pieces))


def _numeric(item: Val, spec: str) -> tuple[Piece, ...]:
    number = _number(item)
    wanted = re.fullmatch(r"([xXdD])(\d{0,2})", spec)
    if not isinstance(number, int) or wanted is None:
        return (Unknown(spec, harmless=True),)
    kind = "d" if wanted[1] in "dD" else wanted[1]
    return (Lit(f"{number:0{wanted[2] or 1}{kind}}", quoted=True),)


def _plain(pattern: str) -> str | None:
    """A regular expression that is only text, as that text."""
    bare = re.sub(r"\\([^A-Za-z0-9])", lambda m: "\0" + m[1], pattern)
    if re.search(r"(?<!\0)[\\^$.|?*+(){}\[\]]", bare):
        return None
    return bare.replace("\0", "")


def _replace(left: Val, right: Val, raw: str) -> Val:
    what = right.items if right.items is not None else (right,)
    pattern = what[0].const if what else NOTHING
    by = what[1].const if len(what) > 1 else ""
    if not (isinstance(left.const, str) and isinstance(pattern, str) and isinstance(by, str)):
        return blend(raw, left, right)
    plain = _plain(pattern)
    if not plain or "$" in by or len(left.const) * (len(by) + 1) > MAX_TEXT * 4:
        return blend(raw, left, right)
    changed = re.sub(re.escape(plain), lambda _: by, left.const, flags=re.IGNORECASE)
    return text(changed) if len(changed) <= MAX_TEXT else blend(raw)


def _split(left: Val, right: Val, raw: str) -> Val:
    if not isinstance(left.const, str) or not isinstance(right.const, str):
        return blend(raw, left, right)
    plain = _plain(right.const)
    if not plain:
        return blend(raw, left, right)
    return array([text(one) for one in re.split(re.escape(plain), left.const, flags=re.I)])


def prefix(op: str, value: Val, raw: str) -> Val:
    """What a unary operator gives."""
    if op == "-join":
        items = elements(value)
        return blend(raw, value) if items is None else pieced(join_pieces(items, ""))
    if op.endswith("split"):
        if isinstance(value.const, str):
            return array([text(one) for one in value.const.split()])
        return blend(raw, value)
    if op == ",":
        return array([value])
    if op in ("-", "+") and (number := _number(value)) is not None:
        return constant(-number if op == "-" else number)
    return harmless(raw, value)


def index(value: Val, at: Val, raw: str) -> Val:
    """`value[at]`."""
    wanted = elements(at)
    items: Sequence[Val] | None = value.items
    if isinstance(value.const, str):
        items = [text(one) for one in value.const[:MAX_TEXT]]
    if value.table is not None and isinstance(at.const, str):
        found = [one for name, one in value.table if name.lower() == at.const.lower()]
        return found[-1] if found else constant(None)
    if items is None or wanted is None:
        return blend(raw, value, at)
    picked: list[Val] = []
    for one in wanted:
        number = _number(one)
        if not isinstance(number, int) or not -len(items) <= number < len(items):
            return blend(raw, value, at)
        picked.append(items[number])
    return array(picked) if at.items is not None else picked[0]


# Casts

SAFE_CASTS = frozenset(
    """int int32 int64 long uint32 uint64 int16 uint16 short byte sbyte double single float decimal
    bool boolean string char datetime datetimeoffset timespan guid version xml xmldocument regex uri
    array object pscustomobject psobject ordered hashtable void switch nullable bigint math
    collections.arraylist collections.hashtable collections.generic.list
    collections.generic.hashset collections.generic.dictionary text.encoding io.fileinfo
    io.directoryinfo semver management.automation.semanticversion cultureinfo psmoduleinfo
    management.automation.psmoduleinfo management.automation.switchparameter net.ipaddress
    ipaddress mailaddress stringcomparison io.path""".split()
)


def cast(kind: str, value: Val, raw: str) -> Val | None:
    """`[kind]value`; None for a type that may do more than hold a value."""
    bare = kind.split("[")[0]
    listed = kind.endswith("[]")
    if bare not in SAFE_CASTS:
        return None
    if bare == "void":
        return harmless(raw, value)
    if bare in ("pscustomobject", "ordered", "hashtable", "object", "array", "psobject"):
        return value
    if listed:
        if bare == "char" and isinstance(value.const, str):
            return array([text(one) for one in value.const[:MAX_ITEMS]])
        items = elements(value)
        if items is None:
            return blend(raw, value)
        return array([cast(bare, one, raw) or one for one in items])
    if bare == "string":
        return value if isinstance(value.const, str) else pieced(value.pieces)
    if bare == "char":
        return _char(value, raw)
    if bare.startswith(("int", "uint", "long", "byte", "short")):
        number = _number(value)
        if number is None:
            number = _int(value.const)
        return constant(int(number)) if number is not None else harmless(raw, value)
    if bare in ("double", "single", "float", "decimal", "bool", "boolean", "bigint", "switch"):
        return harmless(raw, value)
    return value if value.known else blend(raw, value)


def _int(value: Const | Nothing) -> int | None:
    if not isinstance(value, str) or len(value) > 12:
        return None
    try:
        return ord(value) if len(value) == 1 and not value.isdigit() else int(value, 0)
    except ValueError:
        return None


def _char(value: Val, raw: str) -> Val:
    number = _number(value)
    if number is None and isinstance(value.const, str):
        if len(value.const) == 1:
            return value
        number = _int(value.const)
    if number is not None and 0 <= number < 0x10000:
        return text(chr(int(number)))
    return blend(raw, value)


# Methods


def of_text(value: Val, name: str, args: Sequence[object]) -> Val | None:
    """Methods of a known text."""
    if not isinstance(value.const, str):
        return Val(value.pieces, value.pieces[0].text) if isinstance(value.pieces[0], Lit) else None
    whole = value.const
    match name, *args:
        case ["tostring"]:
            return value
        case ["tolower" | "tolowerinvariant"]:
            return text(whole.lower())
        case ["toupper" | "toupperinvariant"]:
            return text(whole.upper())
        case ["trim"]:
            return text(whole.strip())
        case ["trim", str(what)] if what:
            return text(whole.strip(what))
        case ["replace", str(old), str(new)] if old and len(whole) * (len(new) + 1) < 100_000:
            return text(whole.replace(old, new))
        case ["substring", int(start)] if 0 <= start <= len(whole):
            return text(whole[start:])
        case ["substring", int(start), int(length)] if start >= 0 and length >= 0:
            return text(whole[start : start + length])
        case ["remove", int(start)] if start >= 0:
            return text(whole[:start])
        case ["remove", int(start), int(length)] if start >= 0 and length >= 0:
            return text(whole[:start] + whole[start + length :])
        case ["insert", int(start), str(more)] if 0 <= start <= len(whole):
            return text(whole[:start] + more + whole[start:])
        case ["split", str(separator)] if len(separator) == 1:
            return array([text(one) for one in whole.split(separator)])
        case ["tochararray"]:
            return array([text(one) for one in whole[:MAX_ITEMS]])
    return None
