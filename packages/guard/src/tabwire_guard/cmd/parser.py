"""cmd text -> the tree of script.py.

Strict: what is not followed is said (`Unparsable`), never guessed. `scanner.py` reads
characters, `blocks.py` what holds other commands; here are commands and the few that cmd reads in
a way of their own.
"""

import re

from tabwire_guard.cmd.blocks import Blocks
from tabwire_guard.cmd.scanner import cut_at_quote, unquoted
from tabwire_guard.pattern import pattern
from tabwire_guard.script import (
    Assign,
    Block,
    Lit,
    Node,
    Opaque,
    Piece,
    Pipeline,
    Script,
    Simple,
    Unknown,
    Unparsable,
    Word,
)

MAX_WORDS = 1_000

_OWN = frozenset(
    """rd rmdir del erase dir cd chdir md mkdir copy move ren rename type pushd popd mklink assoc
    ftype color vol title ver cls path prompt pause start call shift verify date time exit
    setlocal endlocal break dpath keys label chcp more attrib where""".split()
)
"""Between arguments of these, commas, semicolons and equals signs are blanks."""
_JUMPS = pattern(r"\bgoto\b|\bcall[\s,;=]*:", re.IGNORECASE)
_RUNS_REST = pattern(r"(?:/[a-z](?::\w+)?\s*)*?/[ckr]", re.IGNORECASE)
_SWITCHES = pattern(r"/[a-z](?::\w+)?(?=[\s/])", re.IGNORECASE)


def parse(text: str) -> Script:
    """The tree of a text for cmd.exe; raises Unparsable."""
    parser = _Parser(text, {}, frozenset())
    if not _JUMPS.search(text):
        return parser.commands()
    parser.branches = 1  # nobody follows where it goes: nothing that is set is known
    script = parser.commands()
    return Script((Block("while", tuple(Script((one,)) for one in script.nodes), text=text),))


class _Parser(Blocks):
    """Reads commands."""

    def __init__(self, text: str, variables: dict[str, str], loops: frozenset[str]) -> None:
        super().__init__(text, variables, loops)
        self.ever: dict[str, None] = {}
        """All that was set."""

    def commands(self) -> Script:
        """Commands up to the end, or to the bracket that closes this list, which is taken."""
        nodes: list[Node] = []
        joins: list[str] = []
        join = ";"
        closing = self.parens
        while True:
            self.blanks(",;=@&")
            if self.peek() and self.peek() in "\r\n":
                self.at += 1
                join = ";"
                if not self.parens:
                    self.begins_line()
                continue
            if not self.peek():
                if closing:
                    raise Unparsable("an unclosed bracket")
                return Script(tuple(nodes), tuple(joins))
            if self.peek() == ")":
                if not closing:
                    raise Unparsable("a closing bracket without an opening one")
                self.at += 1
                return Script(tuple(nodes), tuple(joins))
            before = self.at, self.put_in
            self.branches += join != ";"
            node = self._pipeline()
            self.branches -= join != ";"
            if node is not None:
                nodes.append(node)
                joins.append(join)
            self.blanks()
            join = next((one for one in ("&&", "||") if self.takes(one)), ";")
            if join != ";" or self.takes("&"):
                continue
            if (self.at, self.put_in) == before:
                raise Unparsable(f"unexpected: {self.peek(20)!r}")

    def _pipeline(self) -> Node | None:
        start = self.at
        before = dict(self.variables)
        node = self.command()
        parts = [] if node is None else [node]
        self.blanks()
        while self.peek() == "|" and not self.sees("||"):
            self.at += 1
            self.blanks(",;=@")
            node = self.command()
            if node is None and self.ends():
                raise Unparsable("nothing after a pipe")
            parts += [] if node is None else [node]
            self.blanks()
            if len(parts) > 100:
                raise Unparsable("a pipeline that is too long")
        if len(parts) > 1:
            self.variables.clear()  # each part runs in a cmd of its own
            self.variables.update(before)
            return Pipeline(tuple(parts), self.text[start : self.at].strip())
        return parts[0] if parts else None

    # One command

    def command(self) -> Node | None:
        """One command; None for labels, comments and the like."""
        self.blanks(",;=@")
        start = self.at
        outer, self.redirects = self.redirects, []
        try:
            if self.takes("("):
                return self._group(start)
            if self.sees(":"):
                self.line_end()
                return None
            return self._named(start)
        finally:
            self.redirects = outer

    def _group(self, start: int) -> Node:
        self.deeper()
        self.parens += 1
        script = self.commands()
        self.parens -= 1
        self.depth -= 1
        self.blanks()
        if self.peek() in ("<", ">") or re.match(r"\d[<>]", self.peek(2)):
            said = self.word()
            if said.pieces:
                raise Unparsable("words after a closing bracket")
        text = self.text[start : self.at]
        return Block("group", (script,), redirects=tuple(self.redirects), text=text)

    def _named(self, start: int) -> Node | None:
        name = self.word(" \t\v\f\u00a0,;=", name=True)
        if not name.pieces:
            if self.redirects:
                return Simple((), redirects=tuple(self.redirects), text=self.text[start : self.at])
            return None
        said = "".join(one.text for one in name.pieces if isinstance(one, Lit)).lower()
        if not all(isinstance(one, Lit) for one in name.pieces):
            return self.plain(name, "", start)
        match said:
            case "rem":
                self.blanks()
                if not self.sees("&", "|"):
                    self.line_end()
                return None
            case "goto":
                self.word("")
                return None
            case "call":
                return self._call()
            case "if":
                return self.if_block(start)
            case "for":
                return self.for_block(start)
            case "set":
                return self._set(start)
            case "echo":
                return self._echo(name, start)
            case "endlocal":
                return self._endlocal(name, start)
        base = re.sub(r"\.(?:exe|com)$", "", said.replace("/", "\\").rsplit("\\", 1)[-1])
        return self._runs_rest(name, start) if base == "cmd" else self.plain(name, base, start)

    def plain(self, name: Word, base: str, start: int) -> Node:
        """A command with arguments."""
        separators = " \t\v\f\u00a0,;=" if base in _OWN else " \t\v\f\u00a0"
        words = [name]
        while True:
            self.blanks(separators)
            if self.ends():
                break
            before = self.at, self.put_in
            word = self.word(separators)
            if word.pieces:
                words.append(word)
            elif (self.at, self.put_in) == before:
                raise Unparsable(f"unexpected: {self.peek(20)!r}")
            if len(words) > MAX_WORDS:
                raise Unparsable("too many arguments")
        text = self.text[start : self.at].strip()
        said = [one.raw for one in words[1:]]
        if said == ["/?"] or (base in _OWN and "/?" in said):
            words.insert(0, Word((Lit("help"),), "help"))  # it only says how it is used
        return Simple(tuple(words), redirects=tuple(self.redirects), text=text)

    def _endlocal(self, name: Word, start: int) -> Node:
        """What was set since `setlocal` is as it was before: nobody keeps count."""
        node = self.plain(name, "endlocal", start)
        for one in self.ever:
            self.variables.pop(one, None)
        self.here |= self.ever.keys()
        unknown = Word((Unknown("before setlocal"),))
        gone = Simple((), tuple(Assign(one, unknown) for one in self.ever), text="endlocal")
        return Block("group", (Script((node, gone)),))

    def _echo(self, name: Word, start: int) -> Node:
        """All that follows is one text, quotes and blanks included."""
        if self.peek() and self.peek() in " \t.:(/\\+,;=[]":
            self.at += 1
        said = self.word("", keep=True)
        words = (name, said) if said.pieces else (name,)
        text = self.text[start : self.at].strip()
        return Simple(words, redirects=tuple(self.redirects), text=text)

    def _runs_rest(self, name: Word, start: int) -> Node:
        """`cmd /c …`: the rest is a script, quotes and all."""
        self.blanks(",;=")
        words = [name]
        found = _RUNS_REST.match(self.text, self.at)
        while found is None and (switch := _SWITCHES.match(self.text, self.at)):
            words.append(Word((Lit(switch[0]),), switch[0]))
            self.at = switch.end()
            self.blanks(",;=")
            found = _RUNS_REST.match(self.text, self.at)
        if found is None:
            return self.plain(name, "cmd", start)
        self.at = found.end()
        self.blanks()
        words.append(Word((Lit(found[0].strip()[-2:].lower()),), found[0]))
        self.leaves = True
        rest = self.word("", keep=True)
        self.leaves = False
        words.append(Word(unquoted(rest.pieces), rest.raw))
        text = self.text[start : self.at].strip()
        return Simple(tuple(words), redirects=tuple(self.redirects), text=text)

    def _call(self) -> Node | None:
        self.blanks(",;=")
        if self.sees(":"):
            self.word("")
            return None
        self.deeper()
        start, outer, self.guessed = self.at, self.guessed, False
        self.calling += 1
        node = self.command()
        self.calling -= 1
        self.depth -= 1
        if self.guessed and node is not None:
            text = self.text[start : self.at].strip()
            unsure = Opaque("a variable that the same line sets may have another value", text)
            node = Block("group", (Script((node, unsure)),), text=text)
        self.guessed = outer
        return node

    def inner(self, text: str) -> "_Parser":
        """A reader for a part of this text."""
        inner = _Parser(text, self.variables, self.loops)
        inner.depth = self.depth
        inner.deeper()
        inner.branches = self.branches + 1
        inner.put_in = self.put_in
        inner.ever = self.ever
        inner.line, inner.here, inner.looping = self.line, self.here, self.looping
        return inner

    def _set(self, start: int) -> Node:
        self.blanks(",;=")
        found = re.compile(r"/([ap])(?=[\s\"])", re.IGNORECASE).match(self.text, self.at)
        if found:
            self.at = found.end()
            self.blanks()
        rest = self.word("", keep=True)
        text = self.text[start : self.at].strip()
        pieces = rest.pieces
        first = pieces[0].text if pieces and isinstance(pieces[0], Lit) else ""
        named = re.match(r"\s*(\"?)([^=\"]+?)\s*[-+*/%&|^]?=", first)
        redirects = tuple(self.redirects)
        if named is None:
            words = (Word((Lit("set"),), "set"), *((rest,) if pieces else ()))
            return Simple(words, redirects=redirects, text=text)
        name = named[2].strip().lower()
        self.here.add(name)
        self.ever[name] = None
        value: tuple[Piece, ...]
        if found or self.branches:
            self.variables.pop(name, None)
            arithmetic = found is not None and found[1].lower() == "a"
            value = (Unknown(text, harmless=arithmetic),)
            return Simple((), (Assign(name, Word(value)),), redirects, text)
        value = (Lit(first[named.end() :]), *pieces[1:])
        if named[1]:
            value = cut_at_quote(value)
        if all(isinstance(one, Lit) for one in value):
            self.variables[name] = "".join(one.text for one in value if isinstance(one, Lit))
        else:
            self.variables.pop(name, None)
        return Simple((), (Assign(name, Word(value, rest.raw)),), redirects, text)
