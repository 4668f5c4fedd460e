"""JavaScript in an argument: harmless where every name in it is known.

The code is cut into tokens once, from left to right. Where it cannot be told how an engine cuts
it (a slash behind a bracket, comments, templates with code in them), it is not harmless. Then no
function that does harm has a way into it: names are known ones or its own, modules are few,
properties stand there in letters.
"""

import re

from tabwire_guard.call import Call
from tabwire_guard.pattern import pattern
from tabwire_guard.values import HOLE, Value

_BLANK = pattern(r"\s*")
_TOKEN = pattern(
    r"(?P<name>[A-Za-z_$][\w$]*)"
    r"|(?P<number>0[xXbBoO][\da-fA-F_]+n?|(?:\d[\d_]*(?:\.\d*)?|\.\d+)(?:[eE][-+]?\d+)?n?)"
    r"|(?P<string>'(?:[^'\\\n]|\\.)*'|\"(?:[^\"\\\n]|\\.)*\"|`(?:[^`\\$]|\\.)*`)"
    r"|(?P<sign>=>|\.\.\.|\?\.|===|!==|\*\*|==|!=|<=|>=|&&|\|\||\?\?|\+\+|--|[-+*%&|^~!<>=?:;,.(){}\[\]])",
    re.DOTALL,
)
_REGEX = pattern(r"/(?![/*])(?:[^/\\\n\[]|\\.|\[(?:[^\]\\\n]|\\.)*\])+/[dgimsuvy]*")
_TAKES_MORE = frozenset("return typeof case in instanceof new void else throw do".split())
"""Words behind which a value begins: a slash is a regular expression's, a bracket a list's."""
_DECLARES = ("const", "let", "var")
_GLOBALS = frozenset(
    """
    process require module exports global globalThis eval Function fetch Buffer WebSocket
    EventSource XMLHttpRequest WebAssembly Worker Deno Bun prompt confirm alert importScripts
    setTimeout setInterval setImmediate queueMicrotask structuredClone performance navigator crypto
    localStorage sessionStorage caches self window Reflect Proxy MessageChannel BroadcastChannel
    async_hooks buffer child_process cluster constants dgram diagnostics_channel dns domain events
    http http2 https inspector net perf_hooks readline repl stream sys timers tls trace_events tty
    v8 vm wasi worker_threads zlib sqlite sea ffi quic test await of Error Promise
    """.split()
)
"""An own name must be none of these: outside of its block it would be what it always is. Node
gives code in an argument all its modules by name."""
_COMPUTING = frozenset("path url util os assert querystring string_decoder punycode".split())
_READERS = frozenset("readFileSync existsSync statSync readdirSync".split())
_PROCESS = frozenset(
    """version versions platform arch cwd argv memoryUsage uptime hrtime exit pid ppid release
    title exitCode stdout stderr execPath cpuUsage features config""".split()
)
_SAFE = frozenset(
    """
    console log error warn info table dir process version versions platform arch cwd argv
    memoryUsage uptime hrtime node v8 exit pid release name title exitCode require JSON parse
    stringify Math max min floor ceil round abs random pow sqrt PI trunc sign log2 log10 Object
    keys values entries assign fromEntries freeze Array isArray from of map filter reduce
    forEach find findIndex some every includes indexOf lastIndexOf join slice splice concat sort
    reverse flat flatMap push pop shift unshift length fill at String Number Boolean Symbol
    BigInt Date now toISOString getTime getFullYear toString toFixed toUpperCase toLowerCase
    trim trimStart trimEnd padStart padEnd repeat replace replaceAll split charAt charCodeAt
    startsWith endsWith match matchAll substring substr localeCompare Set Map has get set add
    size parseInt parseFloat isNaN isFinite NaN Infinity undefined null true false typeof
    instanceof new return if else for while do of in const let var function await async try catch
    throw Error void message default break continue switch case RegExp test finally
    encodeURIComponent decodeURIComponent Intl existsSync statSync readdirSync readFileSync
    utf8 scripts dependencies devDependencies main exports description author license engines
    type workspaces Promise resolve then all basename dirname extname sep delimiter isAbsolute
    relative normalize format inspect cpus totalmem freemem EOL toLocaleString getMonth
    getDate getDay getHours getMinutes getSeconds toLocaleDateString toLocaleTimeString
    os path url util isTTY columns homedir tmpdir hostname isInteger hypot sin cos tan atan2 cbrt
    isDirectory isFile mtime bigint toSorted toReversed findLast findLastIndex codePointAt
    fromCharCode write
    """.split()
)
_ODD = pattern(
    r"(?:env|constructor|prototype|binding|mainModule|global|globalThis|eval|Function|dlopen|_\w+"
    r"|kill|getBuiltinModule|import|this|with|class|extends|super|yield|delete|module|arguments"
    r"|Reflect|Proxy|setTimeout|setInterval|setImmediate|caller|callee|get|set)"
)
_ACCESSORS = frozenset(("get", "set"))
MAX_CODE = 20_000


def harmless_javascript(code: str, call: Call) -> bool:
    """Whether nothing in it does more than compute, read what it names and print."""
    if HOLE in code or len(code) > MAX_CODE or re.search(r"\\[xu]|<!--|-->|\u2028|\u2029", code):
        return False
    tokens = _tokens(code)
    if tokens is None:
        return False
    reader = _Reader(tokens)
    if not reader.harmless():
        return False
    for path in reader.read:
        call.reads(Value(path))
    return True


Token = tuple[str, str]
"""Its kind (`name`, `number`, `string`, `regex`, `sign`) and its text."""


def _tokens(code: str) -> list[Token] | None:
    """The code in tokens; None where it is not sure how it is cut."""
    done: list[Token] = []
    at = 0
    while True:
        blank = _BLANK.match(code, at)
        at = blank.end() if blank else at
        if at >= len(code):
            return done
        if code[at] == "/":
            place = _begins(done, len(done))
            if place is None:
                return None
            if not place:
                if code[at + 1 : at + 2] in ("/", "*"):
                    return None
                done.append(("sign", "/"))
                at += 1
                continue
            found = _REGEX.match(code, at)
            kind: str | None = "regex"
        else:
            found = _TOKEN.match(code, at)
            kind = found.lastgroup if found else None
        if found is None or kind is None:
            return None
        done.append((kind, found[0]))
        at = found.end()


def _begins(tokens: list[Token], at: int) -> bool | None:
    """Whether a value begins at a token: a slash there opens a regular expression. None: unsure."""
    if not at:
        return True
    kind, text = tokens[at - 1]
    before = tokens[at - 2][1] if at > 1 else ""
    if kind == "name" and text == "of":
        return at > 3 and tokens[at - 2][0] == "name" and tokens[at - 3][1] in _DECLARES
    if kind == "name":
        return text in _TAKES_MORE and before not in (".", "?.")
    if kind != "sign":
        return False
    if text in (")", "}", "++", "--"):
        return None
    return text != "]"


class _Reader:
    def __init__(self, tokens: list[Token]) -> None:
        self._tokens = tokens
        self.read: list[str] = []
        self._files: set[str] = set()
        """Names that stand for `fs`."""
        self._own = self._declared()

    def _text(self, at: int) -> str:
        return self._tokens[at][1] if 0 <= at < len(self._tokens) else ""

    def _kind(self, at: int) -> str:
        return self._tokens[at][0] if 0 <= at < len(self._tokens) else ""

    def _declared(self) -> set[str]:
        """Names that the code gives itself."""
        own: set[str] = set()
        for at, (kind, text) in enumerate(self._tokens):
            before, after = self._text(at - 1), self._text(at + 1)
            if kind == "name" and before in (*_DECLARES, "function"):
                own.add(text)
            takes = after == "(" and "function" in (text, before)
            if takes or (text in _DECLARES and after in ("{", "[")):
                own |= self._listed(at + 1)
            elif text == "=>" and self._kind(at - 1) == "name":
                own.add(before)
            elif text == "(" and before == "catch":
                own |= self._listed(at)
        return own | self._arrows()

    def _arrows(self) -> set[str]:
        """Names in the brackets before `=>`."""
        own: set[str] = set()
        open_at: list[int] = []
        for at, (kind, text) in enumerate(self._tokens):
            if kind != "sign":
                continue
            if text in ("(", "[", "{"):
                open_at.append(at)
            elif text in (")", "]", "}") and open_at:
                start = open_at.pop()
                if text == ")" and self._text(at + 1) == "=>":
                    own |= {one for k, one in self._tokens[start:at] if k == "name"}
        return own

    def _listed(self, at: int) -> set[str]:
        """Names up to the bracket that closes the one here."""
        names: set[str] = set()
        depth = 0
        for kind, text in self._tokens[at : at + 60]:
            if kind == "sign":
                depth += (text in ("(", "[", "{")) - (text in (")", "]", "}"))
            elif kind == "name":
                names.add(text)
            if depth == 0:
                break
        return names

    def harmless(self) -> bool:
        """Whether every token is known."""
        self._find_files()
        if self._own & (_GLOBALS | _READERS | _TAKES_MORE):
            return False
        return all(self._allowed(at) for at in range(len(self._tokens)))

    def _find_files(self) -> None:
        """`const fs = require('fs')`."""
        for at in range(len(self._tokens)):
            if (
                self._kind(at) == "name"
                and self._text(at - 1) in _DECLARES
                and self._text(at + 1) == "="
                and self._module_at(at + 2) == "fs"
                and self._text(at + 6) in (";", ",", "")
            ):
                self._files.add(self._text(at))

    def _module_at(self, at: int) -> str:
        """The module of `require('…')` here."""
        if self._text(at) == "require" and self._text(at + 1) == "(" and self._text(at + 3) == ")":
            return _plain(self._tokens[at + 2]).removeprefix("node:")
        return ""

    def _allowed(self, at: int) -> bool:
        kind, text = self._tokens[at]
        before, after = self._text(at - 1), self._text(at + 1)
        if kind == "string":
            # A template behind a value is a call.
            return text[0] != "`" or _begins(self._tokens, at) is True
        if kind == "sign":
            return self._sign(at, text)
        if kind != "name":
            return True
        member = before in (".", "?.")
        if member and self._text(at - 2) in self._files:
            return False if after != "(" else self._reads(at)
        if text in self._files:
            return after == "." or before in _DECLARES
        if text in _READERS:
            # Only of `fs`, and only where it stands there what is read.
            return member and self._module_at(at - 5) == "fs" and self._reads(at)
        if text == "require" and not member:
            return self._requires(at)
        if text == "process" and not member:
            return after == "." and self._text(at + 2) in _PROCESS
        if _ODD.fullmatch(text) and not (text in _ACCESSORS and member):
            return False
        if member and after != "(":
            return True
        if not member and after == ":" and before in ("{", ","):
            return True
        return text in _SAFE or (text in self._own and not member)

    def _sign(self, at: int, text: str) -> bool:
        if text != "[" or _begins(self._tokens, at) is True:
            return True
        # A member by its number, or by a name in quotes: no others are known.
        kind, inner = self._tokens[at + 1] if at + 1 < len(self._tokens) else ("", "")
        if self._text(at + 2) != "]" or self._text(at - 1) in self._files | {"process", ")"}:
            return False if kind != "number" else self._text(at + 2) == "]"
        if kind == "string":
            name = _plain((kind, inner))
            return not _ODD.fullmatch(name) and self._text(at + 3) != "("
        return kind == "number"

    def _requires(self, at: int) -> bool:
        name = self._module_at(at)
        if name in _COMPUTING:
            return True
        if name == "fs":
            bound = self._text(at - 1) == "=" and self._text(at - 2) in self._files
            return bound or (self._text(at + 4) == "." and self._text(at + 5) in _READERS)
        if name.endswith(".json") and not name.startswith(("/", "~")) and ".." not in name:
            if re.match(r"[A-Za-z]:", name):
                return False
            self.read.append(name if name.startswith(".") else f"node_modules/{name}")
            return True
        return False

    def _reads(self, at: int) -> bool:
        """`readFileSync('…')`, or one of its like, with a path that stands there."""
        if self._text(at) not in _READERS or self._text(at + 1) != "(":
            return False
        path = _plain(self._tokens[at + 2]) if at + 2 < len(self._tokens) else ""
        if not path or self._text(at + 3) not in (",", ")"):
            return False
        self.read.append(path)
        return True


def _plain(token: Token) -> str:
    """What a string says, if that is sure."""
    kind, text = token
    return text[1:-1] if kind == "string" and "\\" not in text and "$" not in text else ""
