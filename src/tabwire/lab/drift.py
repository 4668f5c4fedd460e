"""Drift: a page rebuilt by its makers, in four grades, the same for the same seed.

`cosmetic` changes nothing that matters: classes and ids that mark no part, wrappers, the order
of attributes, more attributes. `structural` gives a few parts a new name for their best mark;
every part keeps one that is known. `breaking` gives at least one part new names for all of its
marks. Each grade does what the ones before it do. The page itself works as ever: a name is
changed in all of its files.

Which names mark which part is said by the replicas themselves, in their `parts.py`.
"""

import os
import random
import re
from collections.abc import Iterable, Mapping, Set
from dataclasses import dataclass
from functools import lru_cache
from importlib import import_module
from pathlib import Path

from tabwire.lab.rename import Files, Names, Renamer
from tabwire.lab.stories.stage import GRADES

COSMETIC, STRUCTURAL, BREAKING = GRADES[1:]
MOST_PARTS = 3  # whose best mark a structural drift changes
CLASSES_SHARE, IDS_SHARE, WRAPPERS_SHARE = 0.7, 0.6, 0.5
WRAPPABLE = ("main", "nav", "header", "form", "footer", "aside", "chat-window", "input-container")
LEFT = frozenset(
    # names of libraries, which no rebuild of the page changes, and the marks of notices
    "katex katex-display katex-mathml sr-only cdk-visually-hidden cm-editor cm-content "
    "captcha-form challenge-error-text onetrust-banner-sdk gb_B no-auth-soft-rate-limit-dialog "
    "aria-notify-live-region-assertive".split()
)
LETTERS = "bcdfghjklmnpqrstvwz", "aeiou"
REPLICAS = Path(__file__).parent / "replicas"

Parts = Mapping[str, Mapping[str, tuple[str, ...]]]
"""Layout, part, marks: best first."""


@dataclass(frozen=True, slots=True)
class Drift:
    """What a seed does to one layout."""

    renamed: Mapping[str, tuple[str, ...]]
    """The marks of each part that have new names; parts that keep all are not here."""
    broken: tuple[str, ...]
    """Parts none of whose marks is left."""


@dataclass(frozen=True, slots=True)
class _Build:
    """Everything a rebuild changes, for one site."""

    names: Names
    renamer: Renamer
    key: str


def drifted(text: str, site: str, drift: str, *, kind: str) -> str:
    """One of a page's files with other names in it. `kind` is how the file's name ends."""
    if drift.startswith("none"):
        return text
    return _drifted(text, kind, site, drift, _signature(site))


@lru_cache(maxsize=512)
def _drifted(text: str, kind: str, site: str, drift: str, signature: int) -> str:
    build = _build(site, drift, signature)
    text = build.renamer.apply(text, kind)
    if kind == ".html":
        return _rebuilt_html(text, build.key)
    return _rebuilt_element(text, build.key) if kind == ".js" else text


def drift_of(site: str, layout: str, drift: str) -> Drift:
    """What this drift does to the parts of a layout."""
    if drift.startswith("none"):
        return Drift({}, ())
    changed = set(_build(site, drift, _signature(site)).names.marked)
    parts = parts_of(site)[layout]
    renamed = {
        part: tuple(mark for mark in marks if mark in changed)
        for part, marks in parts.items()
        if changed & set(marks)
    }
    return Drift(renamed, tuple(p for p, marks in renamed.items() if marks == parts[p]))


def parts_of(site: str) -> Parts:
    """What a replica says of its own parts."""
    parts: Parts = import_module(f"tabwire.lab.replicas.{site}.parts").PARTS
    return parts


# -- what is changed ----------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class _Vocabulary:
    """What of a site's names can be changed."""

    parts: Parts
    marks: frozenset[str]
    classes: tuple[str, ...]
    ids: tuple[str, ...]


@lru_cache(maxsize=8)
def _vocabulary(site: str, signature: int) -> _Vocabulary:
    del signature  # only there so that an edited replica is looked at again
    files = Files({path.name: path.read_text("utf-8") for path in _files(site)})
    parts = parts_of(site)
    marks = {mark for layout in parts.values() for known in layout.values() for mark in known}
    return _Vocabulary(
        parts,
        marks=frozenset(mark for mark in marks if files.can_rename(mark)),
        classes=tuple(name for name in files.classes if name not in marks | LEFT),
        ids=tuple(name for name in files.ids if name not in marks | LEFT),
    )


@lru_cache(maxsize=64)
def _build(site: str, drift: str, signature: int) -> _Build:
    grade, _, seed = drift.partition(".")
    key = f"{site}/{grade}.{seed}"
    known = _vocabulary(site, signature)
    wanted: set[str] = set()
    if grade in (STRUCTURAL, BREAKING):
        rng = random.Random(f"{key}/parts")
        if grade == BREAKING:
            wanted |= _broken(known.parts, known.marks, rng)
        wanted |= _weakened(known.parts, known.marks, wanted, rng)
    rng = random.Random(f"{key}/names")
    classes = [name for name in known.classes if rng.random() < CLASSES_SHARE]
    ids = [name for name in known.ids if rng.random() < IDS_SHARE]
    names = Names(
        marked={mark: _new_name(mark, key) for mark in sorted(wanted)},
        classes={name: _hashed(name, key) for name in classes},
        ids={name: _hashed(name, key) for name in ids},
    )
    return _Build(names, Renamer(names), key)


def _broken(parts: Parts, can: Set[str], rng: random.Random) -> set[str]:
    """All marks of one part in each layout."""
    wanted: set[str] = set()
    for layout in parts.values():
        breakable = [part for part, marks in layout.items() if set(marks) <= can]
        if breakable:
            wanted |= set(layout[rng.choice(breakable)])
    return wanted


def _weakened(parts: Parts, can: Set[str], gone: set[str], rng: random.Random) -> set[str]:
    """The best mark of a few parts in each layout, of which each keeps another."""
    wanted: set[str] = set()
    for layout in parts.values():
        count, left = 0, rng.randint(1, MOST_PARTS)
        for part in rng.sample(sorted(layout), len(layout)):
            best = layout[part][0]
            if count >= left or best not in can or best in gone | wanted:
                continue
            if _breaks_nothing(parts, wanted | {best}, gone):
                wanted.add(best)
                count += 1
    return wanted


def _breaks_nothing(parts: Parts, wanted: set[str], gone: set[str]) -> bool:
    """Whether no part is lost by these that was not lost before."""
    every = [set(marks) for layout in parts.values() for marks in layout.values()]
    return not any(marks <= wanted | gone and not marks <= gone for marks in every)


# -- new names ----------------------------------------------------------------------------


def _new_name(mark: str, key: str) -> str:
    """A name of the same kind, that nobody knows: `data-turn-key` is `data-mozek-ruti`."""
    rng = random.Random(f"{key}/{mark}")
    head = "data-" if mark.startswith("data-") else ""
    pieces = mark.removeprefix(head).replace("/", "-").split("-")
    return head + "-".join(_syllables(rng) if piece else "" for piece in pieces)


def _syllables(rng: random.Random) -> str:
    return "".join(rng.choice(LETTERS[at % 2]) for at in range(rng.randint(5, 7)))


def _hashed(name: str, key: str) -> str:
    """A build's own name: one that may be a class, an id, or where it has a hyphen a tag."""
    rng = random.Random(f"{key}/{name}")
    letters = "".join(rng.choice("abcdefghijklmnopqrstuvwxyz0123456789") for _ in range(7))
    return ("c-" if "-" in name else "c_") + letters


# -- what is around the names -------------------------------------------------------------


def _rebuilt_html(text: str, key: str) -> str:
    """Attributes in another order, wrappers that are not seen, another build's number."""
    head, body, rest = text.partition("<body")
    if not body:
        return text
    rng = random.Random(f"{key}/html")

    def tag(found: re.Match[str]) -> str:
        attributes = re.findall(r'[^\s="]+(?:="[^"]*")?', found[2])
        rng.shuffle(attributes)
        return f"<{' '.join((found[1], *attributes))}>"

    rest = re.sub(r'<([a-z][\w-]*)((?:\s+[^\s="<>/]+(?:="[^"]*")?)+)\s*>', tag, rest)
    for name in WRAPPABLE:
        opens = re.findall(rf"<{name}[\s>]", rest)
        if len(opens) == 1 and rest.count(f"</{name}>") == 1 and rng.random() < WRAPPERS_SHARE:
            mark = f'<div data-{_hashed(name, key)[2:]} style="display:contents">'
            rest = re.sub(rf"<{name}(?=[\s>])", rf"{mark}\g<0>", rest)
            rest = rest.replace(f"</{name}>", f"</{name}></div>")
    rest = re.sub(r">\n", lambda _: ">\n" + " " * rng.randint(0, 3), rest)
    return f"{head}{body}{rest.rstrip()}\n<!-- build {_hashed('build', key)[2:]} -->\n"


def _rebuilt_element(text: str, key: str) -> str:
    """Every element that a script makes has one attribute more, and its others in another order."""
    rng = random.Random(f"{key}/element")
    extra = f'\n  made.setAttribute("data-v-{_hashed("element", key)[2:]}", "");'
    made = "const made = document.createElement(name);"
    if made not in text or "export function make" not in text:
        return text
    text = text.replace(made, made + (extra if rng.random() < 0.5 else ""), 1)
    if rng.random() < 0.5:
        return text.replace("Object.entries(attributes)", "Object.entries(attributes).reverse()", 1)
    later = extra.replace("data-v-", "data-c-")
    return text.replace(
        "made.append(...children);", f"{later.strip()}\n  made.append(...children);", 1
    )


def _files(site: str) -> Iterable[Path]:
    folders = (REPLICAS / site / "static", REPLICAS / "static")
    return (path for folder in folders for path in sorted(folder.iterdir()) if path.is_file())


def _signature(site: str) -> int:
    """Another number when a file was edited."""
    folders = (REPLICAS / site / "static", REPLICAS / "static")
    return hash(tuple(one.stat().st_mtime_ns for folder in folders for one in os.scandir(folder)))
