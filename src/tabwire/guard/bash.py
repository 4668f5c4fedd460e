"""bash text -> a tree of commands.

Strict: a construct this parser does not follow is `Unparsable`, and whoever asked hears so. It
accepts a little more than bash does (a stray `;`), never less of what would run: every command
bash would run is a node of the tree.
"""

import re
from collections.abc import Callable
from dataclasses import replace

from tabwire.guard.bash_lines import Lines
from tabwire.guard.bash_words import MAX_DEPTH
from tabwire.guard.script import (
    Assign,
    Block,
    Function,
    Lit,
    Node,
    Pipeline,
    Redirect,
    Script,
    Simple,
    Unknown,
    Unparsable,
    Word,
)

_ASSIGN = re.compile(r"([A-Za-z_][A-Za-z0-9_]*)(\[[^\]\s$`]*\])?(\+?=)")
_FUNCTION = re.compile(r"([^\s;&|<>()$`'\"\\=]+)[ \t]*\([ \t]*\)")
_CLOSERS = frozenset("then else elif fi do done esac } in".split())


def parse(text: str) -> Script:
    """The tree of a script; Unparsable says what stands in the way."""
    return Bash(text).whole()


class Bash(Lines):
    """Reads commands."""

    def whole(self) -> Script:
        """All of the text."""
        script = self._list(frozenset())
        if self.at < len(self.text):
            raise Unparsable(f"an unexpected `{self.peek()}`")
        return script

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
        return Bash(text, self.depth + 1).whole()

    def _deeper(self) -> None:
        self.depth += 1
        if self.depth > MAX_DEPTH:
            raise Unparsable("nested too deep")

    # Lists and pipelines

    def _list(self, until: frozenset[str]) -> Script:
        """Commands until one of these words, or until something closes."""
        nodes: list[Node] = []
        joins: list[str] = []
        aside: set[int] = set()
        join = ";"
        while True:
            self.gap()
            closes = self.peek() == ")" or self.text.startswith((";;", ";&"), self.at)
            if self.at >= len(self.text) or closes or (until and self.keyword() in until):
                return Script(tuple(nodes), tuple(joins), frozenset(aside))
            nodes.append(self._pipeline())
            joins.append(join)
            join = ";"
            self.blanks()
            if self.text.startswith(("&&", "||"), self.at):
                join = self.text[self.at : self.at + 2]
                self.at += 2
                self.gap(semicolons=False)
                if self.at >= len(self.text):
                    raise Unparsable("nothing behind the last `&&` or `||`")
            elif self.peek() and self.peek() in ";&\n":
                if self.peek() == "&":
                    aside.add(len(nodes) - 1)
                if not self.text.startswith((";;", ";&"), self.at):
                    self.at += self.peek() != "\n"
            elif self.at < len(self.text) and self.peek() != ")":
                raise Unparsable(f"an unexpected `{self.peek()}`")

    def _pipeline(self) -> Node:
        start = self.at
        parts: list[Node] = []
        while True:
            while (word := self.keyword()) in ("!", "time"):
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
                self.at += 2 if self.peek(1) == "&" else 1
                self.gap(semicolons=False)
                if self.at >= len(self.text):
                    raise Unparsable("nothing behind the last `|`")
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
            return self._simple()
        redirects = self.redirects()
        text = self.text[start : self.at].strip()
        if isinstance(node, Block):
            return replace(node, redirects=tuple(redirects), text=text)
        return replace(node, text=text) if isinstance(node, Function) else node

    def _compound(self) -> Node | None:
        if self.peek() == "(":
            if self.peek(1) == "(" and (sum_ := self._arithmetic(self.at + 2, "))")):
                return Block("sum", sum_.scripts)
            self.at += 1
            return Block("subshell", (self.script(")"),))
        word = self.keyword()
        if word == "{":
            self.at += 1
            return Block("group", (self._until("}"),))
        if word == "[[":
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
        if reads is not None:
            self.at += len(word)
            self._deeper()
            node = reads()
            self.depth -= 1
            return node
        if word in _CLOSERS:
            raise Unparsable(f"an unexpected `{word}`")
        if found := _FUNCTION.match(self.text, self.at):
            self.at = found.end()
            return self._body(found[1])
        return None

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
            sum_ = self._arithmetic(self.at + 2, "))")
            if sum_ is None:
                raise Unparsable("a `for ((` that is never closed")
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
                    raise Unparsable("a `case` in a form that is not followed")
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
            self.gap(semicolons=False)
            if not self.peek():
                raise Unparsable("a `[[` that is never closed")
            if re.compile(r"\]\](?=[\s;&|)<>]|$)").match(self.text, self.at):
                self.at += 2
                return Block("test", (), tuple(words))
            if self.peek() == ";":
                raise Unparsable("a `[[` that is never closed")
            if self.peek() in "<>" and self.peek(1) == "(":
                words += self.words(braces=False)
            elif self.peek() in "<>()&|":
                self.at += 1
            else:
                words += self.words(braces=False)

    def _simple(self) -> Node:
        start = self.at
        assigns: list[Assign] = []
        words: list[Word] = []
        redirects: list[Redirect] = []
        while True:
            self.blanks()
            if (redirect := self.redirect()) is not None:
                redirects.append(redirect)
                continue
            char = self.peek()
            if not char or char in ";&|\n)":
                break
            if char == "(":
                raise Unparsable("an unexpected `(`")
            if char == "#":
                self.comment()
                break
            found = _ASSIGN.match(self.text, self.at)
            if found and (not words or self._declares(words[0])):
                self.at = found.end()
                assigns.append(self._assign(found))
                continue
            words += self.words()
        if not words and not assigns and not redirects:
            raise Unparsable(f"an unexpected `{self.peek()}`" if self.peek() else "an end too soon")
        text = self.text[start : self.at].strip()
        return Simple(tuple(words), tuple(assigns), tuple(redirects), text)

    def _declares(self, word: Word) -> bool:
        return word.raw in ("export", "declare", "local", "readonly", "typeset")

    def _assign(self, found: re.Match[str]) -> Assign:
        name, index, equals = found.groups()
        if self.peek() == "(" and not index:
            self.at += 1
            pieces: list[Word] = []
            while True:
                self.gap(semicolons=False)
                if self.peek() == ")":
                    self.at += 1
                    break
                if not self.peek() or self.peek() in ";&|<>(":
                    raise Unparsable("an array in a form that is not followed")
                pieces += self.words()
            if self.peek() and self.peek() not in " \t\r\n;&|<>)":
                raise Unparsable("something right behind an array")
            joined = [piece for one in pieces for piece in (*one.pieces, Lit(" "))]
            return Assign(name, Word(tuple(joined)), equals == "+=")
        if not self.peek() or self.peek() in " \t\n;&|<>()":
            return Assign(name, Word((Lit("", quoted=True),)), equals == "+=")
        word = self.word()
        if index:  # one of many: nobody follows which
            word = Word((*word.pieces, Unknown(index)), word.raw)
        return Assign(name, word, equals == "+=")

    def _until(self, word: str) -> Script:
        script = self._list(frozenset((word,)))
        self.expect(word)
        return script
