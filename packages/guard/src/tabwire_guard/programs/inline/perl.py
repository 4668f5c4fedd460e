"""perl in an argument: harmless where it only filters and prints lines.

The code is cut into tokens once, from left to right. How perl cuts its code depends on all that
came before, so only the plain forms are known; at the first other one the code is not harmless.
"""

import re

from tabwire_guard.call import Call
from tabwire_guard.pattern import pattern
from tabwire_guard.record import field, record
from tabwire_guard.values import HOLE, Value

_SAFE = frozenset(
    """
    print printf say if unless and or not split join map grep sort keys values scalar length
    substr index rindex lc uc lcfirst ucfirst sprintf next last chomp chop push pop shift
    unshift my our foreach for while until eq ne lt gt le ge cmp x BEGIN END exists defined
    delete reverse int abs sqrt die warn return sub use strict warnings utf8
    feature STDIN STDOUT STDERR local else elsif redo wantarray ord chr hex oct each eof sin cos
    exp log atan2 lt uniq sum max min undef
    """.split()
)
_TAKES_MORE = frozenset(
    "if unless and or not split grep map while until return print push x eq ne lt gt le ge".split()
)
"""Words behind which a value begins: a slash is a regular expression's."""
_WORD = pattern(r"[A-Za-z_]\w*")
_NUMBER = pattern(r"\d[\d_]*(?:\.(?!\.)\d*)?(?:[eE][-+]?\d+)?|\.\d+")
_VARIABLE = pattern(r"\$#\w+|[$@%](?:[A-Za-z_]\w*|\d+)|\$[&.!,;/\\|\"+@0`'](?!\{)|[$@%](?=[{$@])")
_SIGN = pattern(
    r"<=>|<>|<STDIN>|=>|=~|!~|->(?=[\[{])|\.\.|&&|\|\||\*\*|\+\+|--|==|!=|<=|>="
    r"|[-+*%.=<>!?:;,(){}\[\]~\\|^]"
)
_HIDDEN = frozenset("ENV ARGV INC SIG ISA EXPORT".split())
_PLAIN_BEHIND = pattern(r"(?:\[-?\d+\]|\[\$\w+\]|\{\w+\}|\{\$\w+\})*")
_FLAGS = pattern(r"[a-z]*")
_CLOSES = {"{": "}", "(": ")", "[": "]", "<": ">"}


def harmless_perl(code: str) -> bool:
    """Whether nothing in it does more than filter and print."""
    if HOLE in code or len(code) > 20_000 or re.search(r"(?m)^=[A-Za-z]", code):
        return False
    return _Reader(code).harmless()


class _Odd(Exception):
    """Something that is not among the plain forms."""


class _Reader:
    def __init__(self, code: str) -> None:
        self._code = code
        self._at = 0
        self._value = False
        """Whether a value stands before this place: then a slash divides."""
        self._unsure = False
        """Nobody knows whether one does."""

    def harmless(self) -> bool:
        try:
            while self._at < len(self._code):
                if self._code[self._at].isspace():
                    self._at += 1
                else:
                    self._token()
        except _Odd:
            return False
        return True

    def _next(self) -> str:
        return self._code[self._at : self._at + 1]

    def _takes(self, pattern: re.Pattern[str]) -> str:
        found = pattern.match(self._code, self._at)
        if found is None:
            return ""
        self._at = found.end()
        return found[0]

    def _is(self, *, value: bool, unsure: bool = False) -> None:
        self._value, self._unsure = value, unsure

    def _token(self) -> None:
        char = self._code[self._at]
        if char in "'\"":
            self._at += 1
            text = self._until(char)
            if char == '"':
                _interpolated(text)
            self._is(value=True)
        elif char == "/":
            self._slash()
        elif self._takes(_NUMBER):
            self._is(value=True)
        elif char in "$@%" and not (char == "%" and self._value):
            name = self._takes(_VARIABLE)
            if not name or name.lstrip("$@%#") in _HIDDEN:
                raise _Odd
            self._is(value=len(name) > 1)
        elif word := self._takes(_WORD):
            self._word(word)
        elif sign := self._takes(_SIGN):
            self._sign(sign)
        else:
            raise _Odd

    def _slash(self) -> None:
        if self._unsure:
            raise _Odd
        self._at += 1
        if self._value:
            if self._code.startswith("/", self._at):
                self._at += 1
            self._is(value=False)
            return
        _interpolated(self._until("/"), pattern=True)
        self._modifiers("gimsxocaunlpd")
        self._is(value=True)

    def _word(self, word: str) -> None:
        after = self._code[self._at : self._at + 1]
        if after == "'" or self._code.startswith("::", self._at):
            raise _Odd
        if word in ("s", "tr", "y", "m", "qr", "q", "qq", "qw"):
            self._quoted(word)
            return
        if word not in _SAFE:
            raise _Odd
        takes = word in _TAKES_MORE
        self._is(value=False, unsure=not takes)

    def _quoted(self, word: str) -> None:
        """`s/…/…/`, `tr/…/…/`, `m{…}`, `qw(…)`."""
        if self._value:  # `$x x 3`, `$h{y}`: not what it looks like
            raise _Odd
        opens = self._code[self._at : self._at + 1]
        if not opens or opens not in "/|{(#,!:[":
            raise _Odd
        if self._code.startswith("=>", self._at) or (opens == "," and word not in ("s", "tr", "y")):
            raise _Odd
        self._at += 1
        closes = _CLOSES.get(opens, opens)
        first = self._until(closes, opens if closes != opens else "")
        if word in ("s", "m", "qr"):
            _interpolated(first, pattern=True)
        elif word == "qq":
            _interpolated(first)
        if word in ("s", "tr", "y"):
            if closes != opens:
                if not self._code.startswith(opens, self._at):
                    raise _Odd
                self._at += 1
            second = self._until(closes, opens if closes != opens else "")
            if word == "s":
                _interpolated(second)
        self._modifiers("gimsxocaunlpdr" if word not in ("q", "qq", "qw") else "")
        self._is(value=True)

    def _modifiers(self, known: str) -> None:
        if set(self._takes(_FLAGS)) - set(known):
            raise _Odd

    def _until(self, closes: str, opens: str = "") -> str:
        """What stands up to a quote's end, which is taken."""
        start = self._at
        while self._at < len(self._code):
            char = self._code[self._at]
            if char == "\\":
                self._at += 2
                continue
            if opens and char == opens:
                raise _Odd
            self._at += 1
            if char == closes:
                return self._code[start : self._at - 1]
        raise _Odd

    def _sign(self, sign: str) -> None:
        before = self._value
        if sign == "<" and not before:
            raise _Odd  # `<$file>`, `<*.c>`
        if sign == "*" and not before:
            raise _Odd  # a name for anything
        if sign == "|" and not before:
            raise _Odd
        if sign == "-" and not before and self._next().isalpha():
            raise _Odd  # `-e $file`
        if sign == "\\" and self._next() in ("&", "*"):
            raise _Odd
        if sign in (")", "]", "<>", "<STDIN>", "++", "--"):
            self._is(value=True, unsure=sign in (")", "++", "--"))
        elif sign == "}":
            self._is(value=False, unsure=True)
        else:
            self._is(value=False)


_CODE_IN = pattern(
    r"\(\?\??\{|\(\?p\{|\(\*|[$@]\{|\$\$\w|@\$|\$\(|@\(|\$\[|@\[|\$#[{$]|\$\^|[$@][^\w\s\\][\[{]|[$@]::"
)


def _interpolated(text: str, *, pattern: bool = False) -> None:
    """Code may stand in a text too: only plain variables are known."""
    if _CODE_IN.search(text) and not (pattern and _ends_only(text)):
        raise _Odd
    for found in re.finditer(r"[$@](\w+)", text):
        if found[1] in _HIDDEN:
            raise _Odd
        plain = _PLAIN_BEHIND.match(text, found.end())
        behind = text[plain.end() : plain.end() + 3] if plain else ""
        if re.match(r"->|::|'\w|[\[{]", behind):
            raise _Odd


def _ends_only(text: str) -> bool:
    """In a pattern a dollar before a bracket that closes is the end of the line."""
    return not _CODE_IN.search(re.sub(r"\\.|\$(?=[)|]|$)", "", text))


# Options


@record
class Options:
    """What perl was given."""

    codes: list[Value] = field(default_factory=list)
    rest: list[Value] = field(default_factory=list)
    in_place: bool = False
    checks: bool = False


_MODULES = pattern(
    r"(?:strict|warnings|utf8|feature=[\w,:]+|List::Util=[\w,]+|Data::Dumper|JSON::PP|POSIX|5\.\d+"
    r"|Time::(?:HiRes|Local|Piece)(?:=[\w,]+)?)"
)
_NUMBERED = {
    "0": pattern(r"^(?:[xX][\da-fA-F]+|[0-7]*)"),
    "l": pattern(r"^[0-7]*"),
    "C": pattern(r"^[SIOEioADLa\d]*"),
}
_SEPARATOR = pattern(r"/(?:[^/$@\\]|\\.)*/|[^/'\"$@]*")


def perl_options(call: Call) -> Options | None:
    """perl's options, letter by letter; None where it only tells about itself."""
    said = Options()
    args = list(call.args)
    while args and args[0].text.startswith("-") and args[0].text != "-":
        word = args.pop(0)
        if word.text == "--":
            break
        if word.text in ("-v", "-V", "--version", "-h", "--help"):
            return None
        letters = word.text[1:]
        while letters:
            letter, letters = letters[0], letters[1:]
            if letter in "eE":
                text = word._replace(text=letters) if letters else args.pop(0) if args else None
                said.codes.append(text or Value(""))
                letters = ""
            elif letter in "anpwWXtTf":
                continue
            elif letter == "c":
                said.checks = True
            elif letter in _NUMBERED:
                letters = _NUMBERED[letter].sub("", letters, count=1)
            elif letter == "i":
                said.in_place = True
                if "/" in letters or "*" in letters:
                    call.ask("write.outside", "keeps the old files in another place")
                letters = ""
            elif letter == "F":
                value = letters or (args.pop(0).text if args else "")
                if not _SEPARATOR.fullmatch(value):
                    call.ask("run.option", "a separator with code in it")
                letters = ""
            elif letter in "mM":
                name = letters or (args.pop(0).text if args else "")
                if not _MODULES.fullmatch(name):
                    said.codes.append(word._replace(text=f"use {name};"))
                letters = ""
            else:
                call.ask("run.option", f"`perl -{letter}` loads something, or is not known")
                letters = ""
    said.rest = args
    if said.checks and said.codes:
        said.checks = False
    return said
