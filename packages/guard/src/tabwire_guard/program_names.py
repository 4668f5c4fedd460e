"""Which program a first word means."""

import re

from tabwire_guard.flow.state import State
from tabwire_guard.paths import Place, place
from tabwire_guard.pattern import pattern
from tabwire_guard.record import NamedTuple
from tabwire_guard.values import REMOTE, SECRET, Value

_BINS = pattern(
    r"(?:/usr)?(?:/local)?/s?bin/[^/]+|/opt/(?:homebrew|local)/s?bin/[^/]+|/snap/bin/[^/]+"
    r"|/home/linuxbrew/\.linuxbrew/bin/[^/]+"
    r"|(?:[a-z]:|(?:/mnt|/cygdrive)?/[a-z])/windows"
    r"(?:/(?:system32|syswow64)(?:/windowspowershell/v1\.0)?)?/[^/]+"
    r"|[a-z]:/program files(?: \(x86\))?/(?:git|nodejs|dotnet|powershell)/(?:[^/]+/)*[^/]+",
    re.IGNORECASE,
)
_OWN_BINS = pattern(
    r"(?:\./)?(?:[\w./-]*/)?(?:node_modules/\.bin|\.?v?env/(?:bin|scripts)|vendor/bin|\.venv/bin"
    r"|\.tox/[\w.-]+/bin)/([^/]+)",
    re.IGNORECASE,
)
_WRAPPERS = pattern(
    r"(?:\./)?(gradlew|mvnw|bin/(?:rails|rake|rspec|bundle))(?:\.bat|\.cmd)?", re.IGNORECASE
)
NAMES_ONLY = frozenset(
    """
    ls dir vdir stat file test [ du df tree find fd cd pushd popd echo printf print basename dirname
    realpath readlink which type where git grep egrep fgrep rg ag ack set-location test-path
    get-childitem gci write-host write-output join-path split-path resolve-path findstr awk sed jq
    export declare local read set true false : help man
    """.split()
)
"""Programs for which a path is a name or a text; what they do with files they say themselves."""

_ENDINGS = pattern(r"\.(?:exe|cmd|bat|com|ps1)$")


_TOOLS = (
    r"gcc|g\+\+|cpp|cc|c\+\+|clang|clang\+\+|gfortran|as|ld|ar|nm|size|strip|objcopy|objdump|ranlib"
    r"|readelf|strings|addr2line|c\+\+filt|gdb"
)
_CROSS = pattern(
    r"(?:(?:arm\w*|aarch64|riscv\d+|x86_64|i[3-6]86|avr|xtensa|mips\w*|powerpc\w*|ppc64\w*|sparc\w*"
    r"|s390x|m68k|msp430|loongarch64|nios2|or1k)(?:-[\w.]+){0,3}-|llvm-)"
    rf"({_TOOLS})(?:-\d[\d.]*)?"
)
_VERSIONED = pattern(r"(gcc|g\+\+|cpp|clang|clang\+\+|gfortran|clang-format|clang-tidy)-\d[\d.]*")


def _plain(base: str) -> str:
    """`arm-none-eabi-gcc` and `gcc-13` are gcc."""
    found = _CROSS.fullmatch(base) or _VERSIONED.fullmatch(base) if "-" in base else None
    return found[1] if found else base


class Name(NamedTuple):
    """The program's plain name, and what speaks against the way it is named."""

    base: str
    problem: str = ""
    rule: str = ""
    deny: bool = False


def named(first: Value, state: State) -> Name:
    """The program that a first word means."""
    text = first.text
    if not first.known:
        if first.globbed:
            return Name("", "a pattern is used as a program name", "name.hidden", deny=True)
        if first.taints & {REMOTE, SECRET}:
            return Name("", "text from elsewhere is run as a command", "run.remote", deny=True)
        return Name("", "the program's name is known only at run time", "name.hidden")
    if text in ("", ".", ".."):
        return Name(text) if text == "." else Name("", "no program is named", "name.hidden")
    slashed = text.replace("\\", "/") if state.windows else text
    base = slashed.rsplit("/", 1)[-1].lower()
    if state.windows or base.endswith(".exe"):
        base = _ENDINGS.sub("", base)
    if "/" not in slashed or _BINS.fullmatch(slashed):
        return Name(_plain(base))
    if found := _WRAPPERS.fullmatch(slashed):
        return Name(found[1].rsplit("/", 1)[-1])
    if (found := _OWN_BINS.fullmatch(slashed)) and place(text, state) is Place.TOUCHY:
        return Name(_ENDINGS.sub("", found[1].lower()))
    if slashed.startswith("//") and state.windows:
        return Name("", "a program on another machine", "run.remote", deny=True)
    return Name(_NO_PROGRAM)


_NO_PROGRAM = "a file that is run"
"""No program has such a name: a file that is run is looked at as a file."""

_SAFE = pattern(r"[A-Za-z0-9_@%+=:,./-]+")


def quoted(value: Value, shell: str) -> str:
    """A value as it could be written again; marks stay what they are."""
    if _SAFE.fullmatch(value.text):
        return value.text
    if shell == "cmd":
        return f'"{value.text}"'
    doubled = "''" if shell == "powershell" else "'\\''"
    return "'" + value.text.replace("'", doubled) + "'"
