"""cmd's commands that hold others: `if` and `for`."""

import re

from tabwire_guard.cmd.scanner import Scanner, is_far
from tabwire_guard.pattern import pattern
from tabwire_guard.script import (
    Block,
    Lit,
    Node,
    Script,
    Simple,
    Sub,
    Unknown,
    Unparsable,
    Var,
    Word,
)

MAX_DEPTH = 20
"""Brackets and loops in one another."""

_COMPARISONS = frozenset("equ neq lss leq gtr geq".split())
_FOR = pattern(
    r"(?P<kind>/[dlfr](?![\w:]))?\s*(?:(?P<options>\"[^\"]*\"|[^\s%\"]\S*)\s+)?"
    r"%%?(?P<letter>[A-Za-z])\s+in\s*\((?P<set>(?:[^()\"]|\"[^\"]*\"|\([^()]*\))*)\)\s*do\b",
    re.IGNORECASE,
)


def _looked_at(word: Word, text: str) -> Script:
    """A path on another machine is asked for there."""
    return Script((Simple((Word((Lit("dir"),), "dir"), word), text=text),))


class Blocks(Scanner):
    """Reads conditions and loops."""

    depth = 0
    branches = 0
    """Inside what may or may not run: variables set there are not known afterwards."""

    def commands(self) -> Script:
        """Commands up to the end, or to a closing bracket."""
        raise NotImplementedError

    def command(self) -> Node | None:
        """One command; None for labels, comments and the like."""
        raise NotImplementedError

    def plain(self, name: Word, base: str, start: int) -> Node:
        """A command with arguments."""
        raise NotImplementedError

    def inner(self, text: str) -> "Blocks":
        """A reader for a part of this text."""
        raise NotImplementedError

    def deeper(self) -> None:
        """One bracket more; `depth` is taken back by whoever closes it."""
        self.depth += 1
        if self.depth > MAX_DEPTH:
            raise Unparsable("nested too deeply")

    def if_block(self, start: int) -> Node:
        """`if`, from after the word."""
        self.deeper()
        while True:
            self.blanks(",;=")
            if not (found := re.compile(r"/i\b|not\b", re.IGNORECASE).match(self.text, self.at)):
                break
            self.at = found.end()
        words = [self._operand()]
        self.blanks()
        said = words[0].raw.lower()
        far = False
        if said in ("exist", "defined", "errorlevel", "cmdextversion"):
            words = [self._operand()]
            far = said == "exist" and is_far(words[0])
        elif self.takes("=="):
            words.append(self._operand())
        else:
            comparison = self.word()
            if comparison.raw.lower() not in _COMPARISONS:
                raise Unparsable("an unsupported condition")
            words.append(self._operand())
        self.branches += 1
        scripts = [self._branch()]
        if found := re.compile(r"\s*else\b", re.IGNORECASE).match(self.text, self.at):
            self.at = found.end()
            scripts.append(self._branch())
        self.branches -= 1
        self.depth -= 1
        text = self.text[start : self.at].strip()
        if far:
            scripts.insert(0, _looked_at(words[0], text))
        return Block("if", tuple(scripts), tuple(words), text=text)

    def _operand(self) -> Word:
        """One side of a comparison."""
        self.blanks(",;")
        word = self.word(" \t\v\f=")
        if not word.pieces:
            raise Unparsable("an unsupported condition")
        return word

    def _branch(self) -> Script:
        self.blanks()
        if self.ends():
            raise Unparsable("a condition without a command")
        node = self.command()
        return Script(() if node is None else (node,))

    def for_block(self, start: int) -> Node:
        """`for`, from after the word."""
        self.deeper()
        self.blanks()
        found = _FOR.match(self.text, self.at)
        if found is None:
            raise Unparsable("an unsupported form of `for`")
        self.at = found.end()
        kind = (found["kind"] or "").lower()
        options = (found["options"] or "").strip('"')
        words = self._values(kind, options, found["set"])
        first = ord(found["letter"])
        letters = [found["letter"]]
        if kind == "/f":  # `tokens=1,2` sets the letters behind it too
            letters += [chr(first + more) for more in range(1, 6) if chr(first + more).isalpha()]
        outer = self.loops
        self.loops = self.loops | frozenset(letters)
        self.branches += 1
        self.looping += 1
        body = self._branch()
        self.looping -= 1
        self.branches -= 1
        self.loops = outer
        self.depth -= 1
        text = self.text[start : self.at].strip()
        looked = tuple(_looked_at(one, text) for one in words if is_far(one))
        return Block("for", (*looked, body), tuple(words), f"%{letters[0]}", text=text)

    def _values(self, kind: str, options: str, said: str) -> list[Word]:
        """What a loop goes over."""
        if kind == "/l":
            return [Word((Unknown(said, harmless=True),), said)]
        if kind == "/f":
            return [self._lines(options, said.strip())]
        inner = self.inner(said)
        words: list[Word] = []
        while True:
            inner.blanks(",;=\r\n")
            if not inner.peek():
                break
            word = inner.word(" \t\v\f,;=")
            if not word.pieces:
                raise Unparsable("an unsupported kind of loop")
            words.append(word)
        if kind == "/r":
            folder = self.inner(options).word("").pieces if options else (Var("cd", quoted=True),)
            words = [Word((*folder, Lit("\\"), *(one.pieces)), one.raw) for one in words]
        elif options:
            raise Unparsable("an unsupported form of `for`")
        return words

    def _lines(self, options: str, said: str) -> Word:
        """`for /f`: lines of a command's output, of files, or of a text."""
        back = "usebackq" in options.lower()
        command, text = ("`", "'") if back else ("'", '"')
        whole = not options or re.fullmatch(r"(?i)(?:usebackq\s*)?(?:tokens=\*|delims=)?", options)
        if len(said) > 1 and said[0] == said[-1] == command:
            inner = self.inner(re.sub(r"\^(.)", r"\1", said[1:-1]))
            script = inner.commands()
        elif len(said) > 1 and said[0] == said[-1] == text:
            if whole:
                return self.inner(said[1:-1]).word("")
            script = Script()
        else:
            files = self.inner(said).plain(Word((Lit("type"),), "type"), "type", 0)
            script = Script((files,))
        piece = Sub(script, quoted=bool(options)) if whole else Unknown(said, (script,))
        return Word((piece,), said)
