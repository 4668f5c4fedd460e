"""Give names in a page's own files other names, in all of them alike, as a rebuild does.

A name is a word of HTML, CSS or JavaScript: an attribute, its value, a class, an id, a tag. A
name with a hyphen can be no word of JavaScript itself, so it is changed wherever it stands; a
plain word (`citation`) only where it is a class, an id, or the whole value of an attribute.
`Files` tells which names that can be done to without breaking the page.
"""

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from enum import Enum, auto
from functools import cached_property

ASSET = r"/assets/[\w./-]*"
LITERAL = re.compile(rf"{ASSET}|\"[^\"\n]*\"|'[^'\n]*'|`[^`\n]*`")
COMMENT = re.compile(r"/\*.*?\*/|^\s*//.*?$", re.MULTILINE | re.DOTALL)
INSERTED = re.compile(r"(\$\{[^}]*\})")  # what a template puts between its words
CLASS_BEFORE = re.compile(
    r"(?:\bclass:|\bclassList\.\w+\(|\bclassName\s*\+?=|[\"']class[\"'],|\bclass=\\?)\s*$"
)
ID_BEFORE = re.compile(r"(?:\bid:|\bgetElementById\(|\.id\s*=|[\"']id[\"'],)\s*$")
VALUE_BEFORE = re.compile(r"(?:\b[\w-]+[\"']?:|[\"'][\w-]+[\"'],)\s*$")
HTML_ATTRIBUTE = re.compile(r"([\w-]+)=\"([^\"]*)\"")
REFERS_TO_ID = ("aria-controls", "aria-labelledby", "aria-describedby", "for", "list")
COLOUR = re.compile(r"[0-9a-fA-F]{3,8}")
WORD = re.compile(r"[A-Za-z_][\w-]*")
LOOK_BACK = 40  # characters before a literal that say what it is for


@dataclass(frozen=True, slots=True)
class Names:
    """Old names and their new ones, by what they are."""

    marked: Mapping[str, str] = field(default_factory=dict)  # marks of parts: whatever they are
    classes: Mapping[str, str] = field(default_factory=dict)
    ids: Mapping[str, str] = field(default_factory=dict)


class Renamer:
    """Changes the names in one file after the other."""

    def __init__(self, names: Names) -> None:
        plain = {old: new for old, new in names.marked.items() if _is_plain(old)}
        hyphened = {
            old: new
            for many in (names.marked, names.classes)
            for old, new in many.items()
            if not _is_plain(old)
        }
        self._classes = {k: v for k, v in names.classes.items() if _is_plain(k)} | plain
        self._ids = dict(names.ids) | plain
        self._values = plain
        self._tokens = _tokens(hyphened)

    def apply(self, text: str, kind: str) -> str:
        """One file. `kind` is how its name ends."""
        text = self._tokens(text)
        if kind == ".css":
            return self._selectors(text)
        return self._html(text) if kind == ".html" else self._script(text)

    def _html(self, text: str) -> str:
        def attribute(found: re.Match[str]) -> str:
            name, value = found.groups()
            if name == "class":
                value = _each(value, self._classes)
            elif name == "id" or name in REFERS_TO_ID:
                value = _each(value, self._ids)
            else:
                value = self._values.get(value, value)
            return f'{name}="{value}"'

        return HTML_ATTRIBUTE.sub(attribute, text)

    def _script(self, text: str) -> str:
        def literal(found: re.Match[str]) -> str:
            whole = found.group()
            if whole[0] == "/":
                return whole
            quote, body = whole[0], whole[1:-1]
            before = text[max(0, found.start() - LOOK_BACK) : found.start()]
            return f"{quote}{self._said(body, before)}{quote}"

        return LITERAL.sub(literal, text)

    def _said(self, body: str, before: str) -> str:
        use = _use(before)
        if use is Use.CLASS:
            return _outside_inserted(body, lambda words: _each(words, self._classes))
        if use is Use.ID:
            return self._ids.get(body, body)
        if use is Use.VALUE and body in self._values:
            return self._values[body]
        if "." not in body and "#" not in body and "=" not in body:
            return body  # no selector
        return _outside_inserted(body, self._selectors)

    def _selectors(self, text: str) -> str:
        def one(found: re.Match[str]) -> str:
            sign, name = found.groups()
            names = self._classes if sign == "." else self._ids
            return sign + names.get(name, name)

        text = re.sub(r"(?<![\d/])([.#])([A-Za-z_][\w-]*)", one, text)
        for old, new in self._values.items():
            text = re.sub(rf"([=\"'])({re.escape(old)})(?=[\"'\]])", rf"\g<1>{new}", text)
        return text


class Files:
    """All files a site's pages are made of, by name, and which of their names can be changed."""

    def __init__(self, texts: Mapping[str, str]) -> None:
        bare = {
            name: text if name.endswith(".html") else COMMENT.sub("", text)
            for name, text in texts.items()
        }
        self._css = "\n".join(text for name, text in bare.items() if name.endswith(".css"))
        self._html = "\n".join(text for name, text in bare.items() if name.endswith(".html"))
        self._scripts = [text for name, text in bare.items() if name.endswith(".js")]

    def has(self, name: str) -> bool:
        """Whether a name occurs at all."""
        shape = re.compile(_bounded(name))
        return any(shape.search(text) for text in (self._css, self._html, *self._scripts))

    def can_rename(self, name: str) -> bool:
        """Whether every place that uses the name would be found."""
        if not self.has(name):
            return False
        if not _is_plain(name):
            return not re.search(rf"(?<![\w.#-]){re.escape(name)}\s*:", self._css)
        return self._plain_words.get(name, True)

    @cached_property
    def classes(self) -> tuple[str, ...]:
        """Classes that only looks hang on, or whose every use is found."""
        seen = set(re.findall(r"(?<![\d/])\.([A-Za-z_][\w-]*)", self._css))
        asked = {name for sign, name in self._asked if sign == "."}
        # a plain word that no script asks for may be missed somewhere: then it loses its looks
        return tuple(
            sorted(n for n in seen if self.can_rename(n) or (_is_plain(n) and n not in asked))
        )

    @cached_property
    def ids(self) -> tuple[str, ...]:
        """Ids of the HTML that scripts only ask for by `#id`."""
        seen = {value for name, value in HTML_ATTRIBUTE.findall(self._html) if name == "id"}
        return tuple(sorted(n for n in seen if not COLOUR.fullmatch(n) and n != "lab-stage"))

    @cached_property
    def _asked(self) -> set[tuple[str, str]]:
        """Classes and ids that scripts look for."""
        found: set[tuple[str, str]] = set()
        for text in self._scripts:
            for literal in LITERAL.findall(text):
                if literal[0] != "/":
                    found |= set(re.findall(r"([.#])([A-Za-z_][\w-]*)", literal[1:-1]))
        return found

    @cached_property
    def _plain_words(self) -> dict[str, bool]:
        """Each plain word in a literal of a script, and whether it is changed wherever it is."""
        found: dict[str, bool] = {}
        for text in self._scripts:
            for literal in LITERAL.finditer(text):
                whole = literal.group()
                if whole[0] == "/":
                    continue
                body = whole[1:-1]
                before = text[max(0, literal.start() - LOOK_BACK) : literal.start()]
                use = _use(before)
                for piece in INSERTED.split(body):
                    for word in WORD.finditer(piece):
                        known = word.start() > 0 and piece[word.start() - 1] in ".#"
                        inserted = piece.startswith("${")
                        valued = use in (Use.ID, Use.VALUE) and word.group() == body
                        fine = known or valued or (use is Use.CLASS and not inserted)
                        found[word.group()] = found.get(word.group(), True) and fine
        return found


class Use(Enum):
    """What a literal of a script is for."""

    CLASS = auto()
    ID = auto()
    VALUE = auto()
    OTHER = auto()


def _use(before: str) -> Use:
    """What stands before a literal tells what it is for."""
    if not before.rstrip().endswith((":", "(", ",", "=", "\\")):
        return Use.OTHER
    if CLASS_BEFORE.search(before):
        return Use.CLASS
    if ID_BEFORE.search(before):
        return Use.ID
    return Use.VALUE if VALUE_BEFORE.search(before) else Use.OTHER


def _is_plain(name: str) -> bool:
    """Whether a name could be a word of JavaScript."""
    return name.isidentifier()


def _bounded(name: str) -> str:
    """The name and nothing longer. One that ends with a hyphen is the beginning of many."""
    shape = re.escape(name).replace("/", r"\\{0,2}/")
    return rf"(?<![\w-]){shape}" + ("" if name.endswith("-") else r"(?![\w-])")


def _tokens(names: Mapping[str, str]) -> Callable[[str], str]:
    """Change names that stand for themselves wherever they are."""
    datasets = {_camel(old): _camel(new) for old, new in names.items() if old.startswith("data-")}
    longest_first = sorted(names, key=len, reverse=True)

    def one(found: re.Match[str]) -> str:
        if name := found["name"]:
            return names[name.replace("\\", "")]
        return datasets[found["camel"]] if found["camel"] else found.group()

    def change(text: str) -> str:
        # few names stand in one file, and a shape of few is quick
        bare = text.replace("\\", "")
        here = "|".join(_bounded(name) for name in longest_first if name in bare) or r"(?!)"
        camel = "|".join(name for name in datasets if f"dataset.{name}" in text) or r"(?!)"
        if here == camel:
            return text
        shape = rf"(?P<asset>{ASSET})|(?P<name>{here})|(?<=dataset\.)(?P<camel>{camel})\b"
        return re.sub(shape, one, text)

    return change


def _camel(name: str) -> str:
    first, *rest = name.removeprefix("data-").split("-")
    return first + "".join(word[:1].upper() + word[1:] for word in rest)


def _each(words: str, names: Mapping[str, str]) -> str:
    return re.sub(r"[^\s]+", lambda found: names.get(found.group(), found.group()), words)


def _outside_inserted(body: str, change: Callable[[str], str]) -> str:
    pieces: Iterable[str] = INSERTED.split(body)
    return "".join(piece if piece.startswith("${") else change(piece) for piece in pieces)
