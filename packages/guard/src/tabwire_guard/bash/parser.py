"""bash text -> a tree of commands.

Strict: a construct this parser does not follow is `Unparsable`, and whoever asked hears so. It
accepts a little more than bash does (a stray `;`), never less of what would run: every command
bash would run is a node of the tree.
"""

import re
from collections.abc import Callable

from tabwire_guard.bash.dollars import MAX_DEPTH
from tabwire_guard.bash.simple import NOT_EVERYWHERE, SimpleCommands
from tabwire_guard.dialects import BASH, Dialect
from tabwire_guard.pattern import pattern
from tabwire_guard.record import replace
from tabwire_guard.script import (
    Block,
    Function,
    Node,
    Pipeline,
    Refused,
    Script,
    Unparsable,
    Word,
)

_FUNCTION = pattern(r"([^\s;&|<>()$`'\"\\=]+)[ \t]*\([ \t]*\)")
_CLOSERS = frozenset("then else elif fi do done esac } in".split())


def parse(text: str, dialect: Dialect = BASH) -> Script:
    """The tree of a script; Unparsable says what stands in the way."""
    reader = Bash(text, 0, dialect)
    return reader.whole() if dialect is BASH else reader.as_far()


class Bash(SimpleCommands):
    """Reads commands."""

    def whole(self) -> Script:
        """All of the text."""
        script = self._list(frozenset())
        if self.at < len(self.text):
            raise Unparsable(f"an unexpected `{self.peek()}`")
        return script

    def as_far(self) -> Script:
        """What this shell takes of the text: up to a line that it refuses.

        At a prompt the next line is read all the same.
        """
        nodes: list[Node] = []
        joins: list[str] = []
        aside: set[int] = set()
        while True:
            try:
                self._list_into(nodes, joins, aside, frozenset())
                if self.at >= len(self.text):
                    break
                raise Refused(f"an unexpected `{self.peek()}`")
            except Refused:
                line = self.text.find("\n", self.at)
                if "typed" not in self.has or line < 0:
                    break
                self.at, self.depth = line + 1, 0
        del joins[len(nodes) :]
        return Script(tuple(nodes), tuple(joins), frozenset(aside))

    def script(self, until: str) -> Script:
        """Commands up to a closing bracket."""
        self._deeper()
        script = self._list(frozenset())
        self.blanks()
        if self.peek() != until:
            raise Unparsable(f"a missing `{until}`")
        self.at += 1
        self.depth -= 1
        return script

    def inner(self, text: str) -> Script:
        """A text of its own, one level deeper."""
        inner = Bash(text, self.depth + 1, self.dialect)
        return inner.whole() if self.dialect is BASH else inner.as_far()

    def _deeper(self) -> None:
        self.depth += 1
        if self.depth > MAX_DEPTH:
            raise Unparsable("nested too deeply")

    # Lists and pipelines

    def _list(self, until: frozenset[str]) -> Script:
        """Commands until one of these words, or until something closes."""
        nodes: list[Node] = []
        joins: list[str] = []
        aside: set[int] = set()
        self._list_into(nodes, joins, aside, until)
        return Script(tuple(nodes), tuple(joins), frozenset(aside))

    def _list_into(
        self, nodes: list[Node], joins: list[str], aside: set[int], until: frozenset[str]
    ) -> None:
        join = ";"
        while True:
            self.gap()
            closes = self.peek() == ")" or self.text.startswith((";;", ";&"), self.at)
            if self.at >= len(self.text) or closes or (until and self.keyword() in until):
                return
            joins.append(join)
            nodes.append(self._pipeline())
            join = ";"
            self.blanks()
            if self.text.startswith(("&&", "||"), self.at):
                join = self.text[self.at : self.at + 2]
                self.at += 2
                self.gap(semicolons=False)
                if self.at >= len(self.text):
                    raise Unparsable("nothing after the last `&&` or `||`")
            elif self.peek() and self.peek() in ";&\n":
                if self.peek() == "&":
                    aside.add(len(nodes) - 1)
                if not self.text.startswith((";;", ";&"), self.at):
                    self.at += self.peek() != "\n"
            elif self.at < len(self.text) and self.peek() != ")" and not self.closed_early():
                raise Refused(f"an unexpected `{self.peek()}`")

    def _pipeline(self) -> Node:
        start = self.at
        parts: list[Node] = []
        while True:
            while (word := self.keyword()) == "!" or (word == "time" and "time" in self.has):
                self.at += len(word)
                self.blanks()
                if word == "time" and re.compile(r"-p(?=\s)").match(self.text, self.at):
                    self.at += 2
                    self.blanks()
            if self.at >= len(self.text) or self.peek() in ";\n":
                break
            parts.append(self._command())
            self.blanks()
            if self.peek() == "|" and self.peek(1) != "|":
                if self.peek(1) == "&" and self.has.isdisjoint(("pipe-both", "coproc")):
                    raise Refused("an unexpected `&`")
                self.at += 2 if self.peek(1) == "&" else 1
                self.gap(semicolons=False)
                if self.at >= len(self.text):
                    raise Unparsable("nothing after the last `|`")
                continue
            break
        if len(parts) == 1:
            return parts[0]
        return Pipeline(tuple(parts), self.text[start : self.at].strip())

    # Commands

    def _command(self) -> Node:
        start = self.at
        node = self._compound()
        if node is None:
            return self.simple()
        redirects = self.redirects()
        text = self.text[start : self.at].strip()
        if isinstance(node, Block):
            return replace(node, redirects=tuple(redirects), text=text)
        return replace(node, text=text) if isinstance(node, Function) else node

    def _compound(self) -> Node | None:
        if self.peek() == "(":
            sums = self.peek(1) == "(" and "sums" in self.has
            if sums and (sum_ := self.arithmetic(self.at + 2, "))")):
                return Block("sum", sum_.scripts)
            self.at += 1
            return Block("subshell", (self.script(")"),))
        word = self.keyword()
        if word == "{":
            self.at += 1
            return self._group()
        if word == "[[" and "tests" in self.has:
            return self._test()
        readers: dict[str, Callable[[], Node]] = {
            "if": self._if,
            "while": self._while,
            "until": self._while,
            "for": self._for,
            "select": self._for,
            "case": self._case,
            "function": self._function,
            "coproc": self._coproc,
        }
        reads = readers.get(word)
        if reads is not None and (word not in NOT_EVERYWHERE or word in self.has):
            self.at += len(word)
            self._deeper()
            node = reads()
            self.depth -= 1
            return node
        if word in _CLOSERS:
            raise (Unparsable if word == "in" else Refused)(f"an unexpected `{word}`")
        if found := _FUNCTION.match(self.text, self.at):
            self.at = found.end()
            return self._body(found[1])
        return None

    def _group(self) -> Block:
        scripts = [self._until("}")]
        if "zsh" in self.has:
            self.blanks()
            if self.keyword() == "always":
                self.at += len("always")
                self.gap(semicolons=False)
                self.expect("{")
                scripts.append(self._until("}"))
        return Block("group", tuple(scripts))

    def _if(self) -> Block:
        scripts = [self._until("then")]
        while True:
            scripts.append(self._list(frozenset(("elif", "else", "fi"))))
            word = self.take()
            if word == "fi":
                return Block("if", tuple(scripts))
            if word == "elif":
                scripts.append(self._until("then"))
            elif word != "else":
                raise Unparsable("an `if` without `fi`")

    def _while(self) -> Block:
        condition = self._until("do")
        return Block("while", (condition, self._until("done")))

    def _for(self) -> Block:
        self.blanks()
        if self.text.startswith("((", self.at):
            if "sums" not in self.has:
                raise Refused("a `for` without a name")
            sum_ = self.arithmetic(self.at + 2, "))")
            if sum_ is None:
                raise Unparsable("an unclosed `for ((`")
            self.gap()
            self.expect("do")
            return Block("for", (*sum_.scripts, self._until("done")))
        name = re.compile(r"[A-Za-z_]\w*").match(self.text, self.at)
        if not name:
            raise Unparsable("a `for` without a name")
        self.at = name.end()
        self.gap(semicolons=False)
        words: list[Word] = []
        if self.keyword() == "in":
            self.at += 2
            while True:
                self.blanks()
                if not self.peek() or self.peek() in ";\n":
                    break
                if self.peek() in "&|<>()":
                    raise Unparsable(f"an unexpected `{self.peek()}`")
                words += self.words()
        self.gap()
        self.expect("do")
        return Block("for", (self._until("done"),), tuple(words), name[0])

    def _case(self) -> Block:
        self.blanks()
        words = self.words()
        self.gap(semicolons=False)
        self.expect("in")
        scripts: list[Script] = []
        while True:
            self.gap()
            if self.keyword() == "esac":
                self.at += 4
                return Block("case", tuple(scripts), tuple(words))
            if self.peek() == "(":
                self.at += 1
            while True:
                self.blanks()
                if not self.peek() or self.peek() in ";&<>(\n":
                    raise Unparsable("an unsupported form of `case`")
                if self.peek() == ")":
                    self.at += 1
                    break
                if self.peek() == "|":
                    self.at += 1
                    continue
                words += self.words(braces=False)
            scripts.append(self._list(frozenset(("esac",))))
            if self.text.startswith((";;&", ";;", ";&"), self.at):
                self.at += 3 if self.text.startswith(";;&", self.at) else 2

    def _function(self) -> Function:
        self.blanks()
        name = re.compile(r"[^\s;&|<>()$`'\"\\]+").match(self.text, self.at)
        if not name:
            raise Unparsable("a function without a name")
        self.at = name.end()
        if brackets := re.compile(r"[ \t]*\([ \t]*\)").match(self.text, self.at):
            self.at = brackets.end()
        return self._body(name[0])

    def _coproc(self) -> Block:
        self.blanks()
        named = re.compile(r"[A-Za-z_]\w*[ \t]+(?=[{(])").match(self.text, self.at)
        if named:
            self.at = named.end()
        return Block("coproc", (Script((self._command(),)),))

    def _body(self, name: str) -> Function:
        self.gap(semicolons=False)
        body = self._compound()
        if body is None:
            raise Unparsable("a function without a body")
        if isinstance(body, Block):
            body = replace(body, redirects=tuple(self.redirects()))
        return Function(name, Script((body,)))

    def _test(self) -> Block:
        self.at += 2
        words: list[Word] = []
        while True:
            last = self.at
            self.gap(semicolons=False)
            beside = self.peek() == "(" and last == self.at and words and "zsh" in self.has
            if beside and not any(one.raw == "=~" for one in words):
                raise Unparsable("a pattern in brackets")
            if not self.peek():
                raise Unparsable("an unclosed `[[`")
            if re.compile(r"\]\](?=[\s;&|)<>]|$)").match(self.text, self.at):
                self.at += 2
                return Block("test", (), tuple(words))
            if self.peek() == ";":
                raise Unparsable("an unclosed `[[`")
            if self.peek() in "<>" and self.peek(1) == "(":
                words += self.words(braces=False)
            elif self.peek() in "<>()&|":
                self.at += 1
            else:
                words += self.words(braces=False)

    def _until(self, word: str) -> Script:
        script = self._list(frozenset((word,)))
        self.expect(word)
        return script
