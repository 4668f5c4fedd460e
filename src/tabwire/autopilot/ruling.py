"""The verdict on one card: the guard on its command, or where its paths lead. Pure.

It is on the whole text of that very card. What cannot be read, is shortened, or is about
something no rule knows, asks. Without a guard nothing is allowed.
"""

import hashlib
import re
from collections.abc import Callable
from dataclasses import dataclass

from tabwire.autopilot.paths import asked_for, edited, is_in, is_path, is_whole, whole
from tabwire.model.agent import Card, card_hash
from tabwire.model.errors import TabwireError
from tabwire_guard.appearance import looks
from tabwire_guard.flow.state import State
from tabwire_guard.paths import Place, place
from tabwire_guard.secret_paths import secret
from tabwire_guard.verdict import Judgement, Verdict

MAX_TEXT = 19_000
"""Characters of a card; the page reads 20,000, so more may have been left out."""

Judge = Callable[..., Judgement]
"""The guard with the person's rules: judge(command, shell=, cwd=, workspace=, home=)."""


@dataclass(frozen=True, slots=True)
class Seat:
    """Where a window's agent works.

    `folder` is its workspace on disk, where that is known; `folders` are the person's projects: a
    command that runs in one of them has that as its workspace. `guess`: a folder in the home that
    is called like the window is taken for it.
    """

    key: str
    name: str
    workspace: str
    folder: str | None = None
    folders: tuple[str, ...] = ()
    home: str = "/home/you"
    shell: str = "unix"
    """`unix`, `windows`: nobody knows which one, so every grammar counts."""
    guess: bool = True


@dataclass(frozen=True, slots=True)
class Ruling:
    """What was found. `reason` may quote the command and goes to the person alone."""

    verdict: Verdict
    rule: str
    reason: str
    command_hash: str

    @property
    def word(self) -> str:
        """`allow`, `ask` or `deny`."""
        return self.verdict.word


def command_hash(card: Card) -> str:
    """Of what would run, and where."""
    said = "\n".join((card.kind, card.cwd, card.command or card.text))
    return hashlib.sha256(said.encode("utf-8", "replace")).hexdigest()


def rule_on(card: Card, seat: Seat, judge: Judge | None, detail: str = "") -> Ruling:
    """The ruling on a card. `detail`: what stands beside it and belongs to it."""
    try:
        found = _worst(card, seat, judge, detail)
    except TabwireError as exc:  # rules of the person's that cannot be read
        found = ASK, "guard.broken", str(exc)
    return Ruling(*found, command_hash(card))


_Found = tuple[Verdict, str, str]
ASK, ALLOW, DENY = Verdict.ASK, Verdict.ALLOW, Verdict.DENY
_BY_PATH = frozenset({"permission", "accept", "files"})
_RUNS_NOTHING = frozenset({"plan", "error", "continue"})


def _worst(card: Card, seat: Seat, judge: Judge | None, detail: str) -> _Found:
    if judge is None:
        return ASK, "guard.missing", "no guard is available to judge it"
    if card.hash != card_hash(card.kind, card.text, card.cwd, card.command):
        return ASK, "card.unreadable", "the parts of the card do not match"
    found: list[_Found] = []
    if card.shortened:
        found.append((ASK, "card.shortened", "part of it is not shown"))
    if len(card.text) > MAX_TEXT:
        found.append((ASK, "card.too-long", "too long to review before approving it"))
    if card.command and not (card.kind in _BY_PATH and is_path(card.command)):
        found.append(_command(card, seat, judge))
    elif card.kind == "command":
        found.append((ASK, "card.unreadable", "its command is unreadable"))
    elif card.kind in _BY_PATH:
        found.append(_paths(card, seat, detail))
    elif card.kind in _RUNS_NOTHING:
        found.append(_plain(card))
    else:
        found.append((ASK, "card.unknown", "unknown kind of card"))
    return max(found, key=lambda one: one[0])


def _command(card: Card, seat: Seat, judge: Judge) -> _Found:
    folder = folder_of(card, seat)
    cwd = whole(card.cwd, seat.home, folder or seat.home) if card.cwd else folder
    windows = bool(re.match(r"[A-Za-z]:", cwd or ""))
    shell = "windows" if windows and seat.shell == "unix" else seat.shell
    judgement = judge(card.command, shell=shell, cwd=cwd, workspace=folder, home=seat.home)
    if judgement.verdict is not ALLOW:
        return judgement.verdict, judgement.rule, judgement.reason
    if "…" in card.cwd or "..." in card.cwd:
        return ASK, "card.shortened", "the folder it would run in is not fully shown"
    if card.kind != "command":
        # a permission that shows code is about more than the code
        return ASK, "card.unknown", "it shows code but is not a command card"
    if folder is None:
        return ASK, "workspace.unknown", "the folder of this window is not known"
    if not is_in(cwd or folder, folder):
        return ASK, "path.outside", "it would run outside the workspace"
    return ALLOW, judgement.rule, judgement.reason


def folder_of(card: Card, seat: Seat) -> str | None:
    """The workspace on disk: as it was said; else a project of the person's that the card's
    folder lies in; else that folder, if it lies in the home and is called like the window."""
    if seat.folder:
        return seat.folder
    if not card.cwd:
        return None
    cwd = whole(card.cwd, seat.home, "")
    inside = [one for one in seat.folders if is_in(cwd, one)]
    if inside:
        return max(inside, key=len)
    named = re.split(r"[\\/]", cwd.rstrip("\\/"))[-1] == seat.workspace != ""
    return cwd if seat.guess and named and is_in(cwd, seat.home) else None


# --- paths ------------------------------------------------------------------------------------

_NEVER = frozenset({Place.ROOT, Place.SYSTEM, Place.HOMES, Place.STARTUP, Place.DEVICE, Place.GIT,
                    Place.GUARDED, Place.SECRETS, Place.NETWORK})  # fmt: skip
_FINE = frozenset({Place.INSIDE, Place.WORKSPACE})


def _paths(card: Card, seat: Seat, detail: str) -> _Found:
    paths: tuple[str, ...] | None
    if card.kind == "files":
        paths = edited(f"{card.text} {detail}")
    elif card.kind == "accept":
        paths = edited(card.text) or asked_for(card.text)
    else:
        paths = asked_for(card.text)
    # a path in letters of code is one of those its sentence is about, or the sentence is not known
    if not paths or (card.command and card.command not in paths):
        return ASK, "path.unreadable", "the files it is about cannot be read"
    return max((_path(one, seat) for one in paths), key=lambda one: one[0])


def _workspace(path: str, seat: Seat) -> str | None:
    """The workspace a path could lie in. Relative ones are the workspace's own, wherever it is."""
    if seat.folder:
        return seat.folder
    named = f"{seat.home}/{seat.workspace}" if seat.guess and seat.workspace else ""
    if not is_whole(path):
        return f"{seat.home}/{seat.workspace or 'workspace'}"
    lies = whole(path, seat.home, "")
    inside = [one for one in (*seat.folders, named) if one and is_in(lies, one)]
    return max(inside, key=len, default=None)


def _path(path: str, seat: Seat) -> _Found:
    known = _workspace(path, seat)
    folder = known or f"{seat.home}/\0"  # a folder nothing lies in
    windows = bool(re.match(r"[A-Za-z]:", whole(path, seat.home, folder)))
    state = State("powershell" if windows else "bash", folder, folder, seat.home)
    lies = whole(path, seat.home, folder)
    where = place(lies, state)
    kind = secret(lies, state)
    if kind == "key" or where in _NEVER:
        why = where.value if where in _NEVER else "a way to gain more access"
        return DENY, "path.protected", f"{path} is {why}"
    if kind:
        return ASK, "path.secret", f"{path} is a secret file of the project"
    if not is_whole(path) and place(f"{seat.home}/{path}", state) in _NEVER:
        return ASK, "path.protected", f"{path} may be a protected path in your home folder"
    if where in _FINE:
        return ALLOW, "path.inside", "it is in the workspace"
    return ASK, "path.outside", f"{path} is {where.value}"


_TAKES_BACK = re.compile(
    r"\b(?:delet|remov|undo|revert|discard|reset|eras|wip|overwrit|clear|restor)\w*\b[^.!?]*\?"
    r"|(?:削除|元に戻|取り消|破棄|リセット|消去)[^。]*(?:[?\uff1f]|か(?:。|\s|$))",
    re.IGNORECASE,
)
"""Asked as a question. The words of a plan may say so of files, and are read by the person."""


def _plain(card: Card) -> _Found:
    if not card.text.strip():
        return ASK, "card.unreadable", "it has no readable text"
    if _TAKES_BACK.search(card.text):
        return ASK, "card.takes-back", "it asks about something that cannot be undone"
    hidden = looks(card.text, "bash")
    if hidden:
        return ASK, hidden[0].rule, hidden[0].reason
    return ALLOW, f"card.{card.kind}", "it runs nothing on its own"
