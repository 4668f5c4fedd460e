"""What stands between words of bash: blanks, comments, redirections, here-documents."""

import re

from tabwire_guard.bash.dollars import MAX_DEPTH
from tabwire_guard.bash.words import Words
from tabwire_guard.dialects import BASH, Dialect
from tabwire_guard.pattern import pattern
from tabwire_guard.script import Lit, Redirect, Refused, Unparsable, Word

_REDIRECT = pattern(r"(\d*|\{[A-Za-z_]\w*\})(<<<|<<-|<<|<>|<&|>>|>\||>&|<|>)|(&>>|&>)")
_ZSH_REDIRECT = pattern(
    r"(\d*|\{[A-Za-z_]\w*\})(<<<|<<-|<<|<>|<&|>>&?[!|]?|>&[!|]?|>[!|]?|<)|(&>>?[!|]?)"
)
_NUMBERS = pattern(r"<\d*-\d*>")
_BLANKS = pattern(r"(?:[ \t]|\\\r?\n)*")
_QUOTES = pattern(r"'[^'\n]*'|\"[^\"\n]*\"|\\.")
MAX_BODIES = 40
"""Here-documents in one text."""

_KEYWORD = pattern(r"(?:[a-z]+|\[\[|[{}!])(?=[\s;&|<>()]|$)")


class Lines(Words):
    """Reads what is around words; a subclass reads commands."""

    def __init__(self, text: str, depth: int = 0, dialect: Dialect = BASH) -> None:
        super().__init__(text, depth, dialect)
        if depth > MAX_DEPTH:
            raise Unparsable("nested too deeply")
        self._bodies: dict[int, int] = {}
        """Where here-documents stand: the line break before them, the place after them."""

    def redirects(self) -> list[Redirect]:
        """All redirections that stand here."""
        found: list[Redirect] = []
        while True:
            self.blanks()
            redirect = self.redirect()
            if redirect is None:
                return found
            found.append(redirect)

    def redirect(self) -> Redirect | None:
        """The redirection that begins here, if one does."""
        zsh = "zsh" in self.has
        found = (_ZSH_REDIRECT if zsh else _REDIRECT).match(self.text, self.at)
        if not found or not self._has_redirect(found):
            return None
        op = found[2] or found[3]
        if op in ("<", ">") and self.text.startswith("(", found.end()):
            if "processes" not in self.has:
                raise Refused("an unexpected `(`")
            return None  # a process substitution: a word
        if zsh:
            if _NUMBERS.match(self.text, found.start(2)):
                raise Unparsable("a pattern of numbers")
            op = op.rstrip("!|") if op != ">|" else op
            op = "&>>" if op == ">>&" else op
        elif self.text.startswith("!", found.end()) and op != "<":
            raise Unparsable("a redirection to `!`, which zsh reads differently")
        self.at = found.end()
        number = found[1] or ""
        if op in ("<<", "<<-"):
            return Redirect(op, self._here_document(strip=op == "<<-"), number)
        self.blanks()
        if (
            not self.peek()
            or self.peek() in ";&|\n)"
            or (self.peek() in "<>" and self.peek(1) != "(")
        ):
            raise Unparsable("a redirection without a target")
        targets = self.words()
        if len(targets) > 1:
            raise Unparsable("a redirection to several files")
        return Redirect(op, targets[0], number)

    def _has_redirect(self, found: re.Match[str]) -> bool:
        """Whether this shell takes what was found for a redirection that begins there."""
        number = found[1] or ""
        if found[3]:
            return "both" in self.has
        if number.startswith("{"):
            return "fd-names" in self.has
        return len(number) < 2 or "long-fds" in self.has

    def _here_document(self, *, strip: bool) -> Word:
        self.blanks()
        if not self.peek() or self.peek() in ";&|<>()\n":
            raise Refused("a here-document without an end marker")
        word = self.word()
        if not all(isinstance(one, Lit) for one in word.pieces):
            raise Unparsable("a here-document whose end marker is not a plain word")
        pieces = [one for one in word.pieces if isinstance(one, Lit)]
        end = "".join(one.text for one in pieces)
        quoted = any(one.quoted for one in pieces)
        line = self.text.find("\n", self.at)
        if line < 0:
            raise Unparsable("a here-document without text")
        if any(char in _QUOTES.sub("", self.text[self.at : line]) for char in "'\"\\`"):
            raise Unparsable("a here-document on the same line as a multi-line quote")
        if "\r" in self.text:
            raise Unparsable("a here-document in a text with carriage returns")
        if len(self._bodies) >= MAX_BODIES:
            raise Unparsable("too many here-documents")
        start = self._bodies.get(line, line + 1)
        lines: list[str] = []
        joined = ""  # of lines that end in a backslash: bash reads them as one
        begun = 0
        at = start
        while True:
            if at >= len(self.text):
                raise Unparsable("an unclosed here-document")
            stop = self.text.find("\n", at)
            stop = len(self.text) if stop < 0 else stop
            one = self.text[at:stop]
            at = stop + 1
            if strip:
                one = one.lstrip("\t")
            if joined + one == end:
                del lines[begun:]
                break
            lines.append(one)
            slashes = len(one) - len(one.rstrip("\\"))
            if slashes and not quoted and self.dialect is not BASH:
                raise Unparsable("a joined line in a here-document")
            joined = joined + one[:-1] if slashes % 2 and not quoted else ""
            begun = begun if joined else len(lines)
        self._bodies[line] = min(at, len(self.text))
        body = "".join(f"{one}\n" for one in lines)
        if quoted:
            return Word((Lit(body, quoted=True),), body)
        inner = type(self)(body, self.depth + 1, self.dialect)
        return Word(tuple(inner.expandable("")), body)

    # Between words

    def blanks(self) -> None:
        """Past blanks and joined lines."""
        found = _BLANKS.match(self.text, self.at)
        if found:
            self.at = found.end()
        if self.peek() == "\r" and self.peek(1) in ("\n", ""):
            self.at += 1

    def gap(self, *, semicolons: bool = True) -> None:
        """Past blanks, comments, line breaks with their here-documents, and separators."""
        while True:
            self.blanks()
            char = self.peek()
            if char == "\n":
                self.at = self._bodies.pop(self.at, self.at + 1)
            elif char == "#" and "typed" not in self.has:
                self.comment()
            elif (char == ";" and semicolons and self.peek(1) not in (";", "&")) or (
                char == "&"
                and semicolons
                and self.peek(1) not in ("&", *(">" if "both" in self.has else ""))
            ):
                self.at += 1
            else:
                return

    def comment(self) -> None:
        """Past a comment, up to the end of its line."""
        end = self.text.find("\n", self.at)
        self.at = len(self.text) if end < 0 else end

    def keyword(self) -> str:
        """The bare word here, if it could be a keyword; nothing is taken."""
        found = _KEYWORD.match(self.text, self.at)
        return found[0] if found else ""

    def take(self) -> str:
        """The bare word here, which is taken."""
        word = self.keyword()
        self.at += len(word)
        return word

    def expect(self, word: str) -> None:
        """Take that word, or say that it is missing."""
        if self.take() != word:
            raise Unparsable(f"a missing `{word}`")
