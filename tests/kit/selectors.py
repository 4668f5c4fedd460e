"""A small CSS matcher, so that page data can be tried on saved pages without a browser.

Reads the part of CSS our page data uses and refuses the rest by name: what it cannot read
is either a mistake or a reason to teach it one thing more. Like a browser, it does not look
inside `<template>`.
"""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, fields
from html.parser import HTMLParser

from tabwire.sites.page import Layout, Page, Selector

VOID = frozenset(
    "area base br col embed hr img input link meta param source track wbr".split()
)  # no end tag ever comes for these

_NAME = r"-?[A-Za-z_][\w-]*"
_SPACE = re.compile(r"\s*")
_COMBINATOR = re.compile(r"\s*>\s*|\s+")
_TAG = re.compile(rf"\*|{_NAME}")
_ID = re.compile(rf"#({_NAME})")
_CLASS = re.compile(rf"\.({_NAME})")
_ATTRIBUTE = re.compile(rf"""\[({_NAME})(?:([\^$*~]?=)(?:"([^"]*)"|'([^']*)'|({_NAME}))( i)?)?\]""")
_NOT = ":not("


class SelectorError(ValueError):
    """A selector this matcher cannot read, and where it stopped."""

    def __init__(self, css: str, at: int) -> None:
        super().__init__(f"cannot read {css!r} at {at}: {css[at : at + 12]!r}")


@dataclass(slots=True, eq=False)
class Element:
    """One element of a page that was read."""

    tag: str
    attributes: dict[str, str] = field(default_factory=dict)
    parent: "Element | None" = None
    children: list["Element"] = field(default_factory=list)

    def walk(self) -> Iterator["Element"]:
        """Everything below, in document order, templates closed."""
        for child in self.children:
            yield child
            if child.tag != "template":
                yield from child.walk()


@dataclass(frozen=True, slots=True)
class _Attribute:
    name: str
    operator: str
    value: str
    any_case: bool

    def fits(self, element: Element) -> bool:
        held = element.attributes.get(self.name)
        if held is None:
            return False
        wanted = self.value
        if self.any_case:
            held, wanted = held.casefold(), wanted.casefold()
        match self.operator:
            case "":
                return True
            case "=":
                return held == wanted
            case "~=":
                return wanted in held.split()
            case "^=":
                return bool(wanted) and held.startswith(wanted)
            case "$=":
                return bool(wanted) and held.endswith(wanted)
            case _:
                return bool(wanted) and wanted in held


@dataclass(frozen=True, slots=True)
class _Compound:
    """What one element must be, and how it hangs on the compound before it."""

    tag: str
    attributes: tuple[_Attribute, ...]
    nots: tuple["_Chain", ...]
    child: bool  # `>`: of the parent itself, not of any ancestor

    def fits(self, element: Element) -> bool:
        return (
            self.tag in ("*", element.tag)
            and all(one.fits(element) for one in self.attributes)
            and not any(_fits(chain, element) for chain in self.nots)
        )


_Chain = tuple[_Compound, ...]


def read_page(html: str) -> Element:
    """The tree of a page. Its root stands above `<html>` and matches nothing."""
    reader = _PageReader()
    reader.feed(html)
    reader.close()
    return reader.root


def select(root: Element, css: str) -> list[Element]:
    """Every element below `root` that the selector matches, in document order."""
    chains = _read(css)
    return [one for one in root.walk() if any(_fits(chain, one) for chain in chains)]


def find(root: Element, selectors: Iterable[Selector]) -> list[Element]:
    """What the best selector that matches at all finds: how page data is meant to be used."""
    return next((found for one in selectors if (found := select(root, one.css))), [])


def readable(css: str) -> bool:
    """Whether every bracket, quote and name of a selector can be read."""
    try:
        _read(css)
    except SelectorError:
        return False
    return True


def recognised(page: Page, root: Element) -> list[str]:
    """The layouts that a page shows a mark of. One is right; none means we do not know it."""
    return [layout.name for layout in page.layouts if find(root, layout.recognise)]


def parts(layout: Layout) -> dict[str, tuple[Selector, ...]]:
    """Every list of selectors of a layout, by the name of its field."""
    names = [one.name for one in fields(layout) if one.name != "name"]
    return {name: getattr(layout, name) for name in names}


def _fits(chain: _Chain, element: Element) -> bool:
    *before, last = chain
    if not last.fits(element):
        return False
    if not before:
        return True
    above = element.parent
    while above is not None:
        if _fits(tuple(before), above):
            return True
        above = None if last.child else above.parent
    return False


def _read(css: str) -> list[_Chain]:
    chains, end = _read_list(css, _skip(css, 0))
    if end != len(css):
        raise SelectorError(css, end)
    return chains


def _read_list(css: str, at: int) -> tuple[list[_Chain], int]:
    chains = []
    while True:
        chain, at = _read_chain(css, at)
        chains.append(chain)
        if not css.startswith(",", at):
            return chains, at
        at = _skip(css, at + 1)


def _read_chain(css: str, at: int) -> tuple[_Chain, int]:
    chain = []
    child = False
    while True:
        compound, at = _read_compound(css, at, child)
        chain.append(compound)
        joint = _COMBINATOR.match(css, at)
        after = _skip(css, at)
        if joint is None or after == len(css) or css[after] in ",)":
            return tuple(chain), after
        child, at = ">" in joint[0], joint.end()


def _read_compound(css: str, at: int, child: bool) -> tuple[_Compound, int]:
    start, tag = at, "*"
    attributes: list[_Attribute] = []
    nots: list[_Chain] = []
    if found := _TAG.match(css, at):
        tag, at = found[0].lower(), found.end()
    while True:
        if found := _ID.match(css, at):
            attributes.append(_Attribute("id", "=", found[1], any_case=False))
        elif found := _CLASS.match(css, at):
            attributes.append(_Attribute("class", "~=", found[1], any_case=False))
        elif found := _ATTRIBUTE.match(css, at):
            name, operator, *values, any_case = found.groups()
            value = next((one for one in values if one is not None), "")
            attributes.append(_Attribute(name.lower(), operator or "", value, bool(any_case)))
        elif css.startswith(_NOT, at):
            inner, end = _read_list(css, _skip(css, at + len(_NOT)))
            if not css.startswith(")", end):
                raise SelectorError(css, end)
            nots.extend(inner)
            at = end + 1
            continue
        else:
            break
        at = found.end()
    if at == start:
        raise SelectorError(css, at)
    return _Compound(tag, tuple(attributes), tuple(nots), child), at


def _skip(css: str, at: int) -> int:
    found = _SPACE.match(css, at)
    return found.end() if found else at


class _PageReader(HTMLParser):
    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.root = Element("")
        self._open = self.root

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        attributes = {name: value or "" for name, value in attrs}
        element = Element(tag, attributes, self._open)
        self._open.children.append(element)
        if tag not in VOID:
            self._open = element

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.handle_starttag(tag, attrs)
        self.handle_endtag(tag)

    def handle_endtag(self, tag: str) -> None:
        above: Element | None = self._open
        while above is not None and above.tag != tag:
            above = above.parent
        if above is not None and above.parent is not None:  # else: a stray end tag
            self._open = above.parent
