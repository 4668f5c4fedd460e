"""One command about to run, as the rooms of `programs/` see it.

A program's function is handed a `Call`. It says what speaks against it (`ask`, `deny`), what it
does with files (`reads`, `writes`, `deletes`), what it sends away (`sends`), what else it runs
(`runs`, `script`), and what comes out of it (`output`). One that says nothing is allowed, so a
function for a program says `ask` for everything it does not know.
"""

import re
from collections.abc import Iterable, Sequence

from tabwire_guard import paths, secret_paths
from tabwire_guard.flow.environment import COMMANDS, listed, poisoned
from tabwire_guard.flow.state import State
from tabwire_guard.options import Options, options
from tabwire_guard.paths import Place
from tabwire_guard.pattern import pattern
from tabwire_guard.values import (
    ANY,
    CLASS,
    CLEAN,
    HOLE,
    PRIVATE,
    PROJECT,
    SECRET,
    SHOWN,
    STAR,
    TERMINAL,
    Flow,
    Value,
)
from tabwire_guard.verdict import Finding, Part, Verdict

TYPE_CHECKING = False  # importing `typing` takes as long as a judgement
if TYPE_CHECKING:
    from collections.abc import Collection
    from typing import Protocol
else:
    Protocol = object

MAX_SEGMENT = 4_000
"""Characters of a segment that a finding shows."""

_LOST = frozenset(
    (
        Place.ROOT, Place.SYSTEM, Place.HOMES, Place.HOME, Place.STARTUP, Place.ABOVE,
        Place.DEVICE, Place.NETWORK, Place.GIT, Place.GUARDED, Place.OUTSIDE, Place.WORKSPACE,
        Place.MAYBE_ROOT, Place.TEMPS,
    )
)  # fmt: skip
"""Where deleting destroys what no commit brings back."""

PROTECTED = frozenset(
    (
        Place.ROOT, Place.SYSTEM, Place.HOMES, Place.STARTUP, Place.DEVICE, Place.NETWORK,
        Place.GIT, Place.GUARDED,
    )
)  # fmt: skip
"""Where nothing is ever written without a person."""


_LOCK = pattern(r"(?:^|[\\/])\.git[\\/](?:index|HEAD|config|packed-refs|shallow)\.lock$")
"""What git leaves behind when it is stopped."""
_TOLD = frozenset((SECRET, PRIVATE, PROJECT))
"""Of what flows, what is not for others."""
_ALL = frozenset((STAR, ANY, CLASS, ".", "/", "\\"))
"""What a path is made of that means all there is where one stands."""


_NEW = pattern(
    r"(?:^|/)(?:__init__\.py|py\.typed|\.(?:git)?keep|\.nojekyll|[^/]*\.(?:log|out|txt|tmp))$"
    r"|(?:^|/)(?:logs?|tmp|build|dist|out|coverage)/",
    re.IGNORECASE,
)
"""Files that are made empty, or are worth nothing."""


class Walker(Protocol):
    """What follows scripts and commands: flow/walker.py."""

    def simple(self, words: Sequence[Value], call: "Call", stdin: Flow, note: str) -> Flow:
        """Judge a command that another one runs."""

    def text(self, text: str, shell: str, call: "Call", note: str) -> Flow:
        """Judge a script that stands in an argument."""


class Call:
    """One command about to run."""

    def __init__(
        self,
        name: str,
        args: list[Value],
        state: State,
        part: Part,
        walker: Walker,
        *,
        stdin: Flow = TERMINAL,
        said: str = "",
        depth: int = 0,
    ) -> None:
        self.name = name
        """Without folder and `.exe`, in small letters."""
        self.args = args
        self.state = state
        self.stdin = stdin
        self.said = said or name
        """The name as it was written."""
        self.depth = depth
        self.output = Flow(None, stdin.taints | _taints(args), True)
        self._part = part
        self._walker = walker
        self._looked: set[str] = set()
        """Paths of which it was said what happens with them."""

    @property
    def texts(self) -> list[str]:
        """The arguments' texts, marks included."""
        return [one.text for one in self.args]

    def options(self, takes: "Collection[str]" = (), *, first: bool = False) -> Options:
        """The arguments as options and operands."""
        return options(self.args, takes, first=first)

    # What speaks against it

    def ask(self, rule: str, reason: str) -> None:
        """Somebody should look at it first."""
        self._found(Verdict.ASK, rule, reason)

    def deny(self, rule: str, reason: str) -> None:
        """Never click it."""
        self._found(Verdict.DENY, rule, reason)

    def _found(self, verdict: Verdict, rule: str, reason: str) -> None:
        segment = self._part.text[:MAX_SEGMENT].translate(SHOWN)
        self._part.findings.append(Finding(verdict, rule, reason.translate(SHOWN), segment))

    @property
    def spoken(self) -> bool:
        """Whether anything speaks against it yet."""
        return bool(self._part.findings)

    def names_protected(self) -> None:
        """Ask where an argument names what nobody should touch, whatever the option is for."""
        for one in self.args:
            for text in _paths_in(one.text):
                if text in self._looked:
                    continue
                where = paths.place(text, self.state)
                if where in (Place.STARTUP, Place.GUARDED, Place.DEVICE, Place.NETWORK):
                    self.ask("write.protected", f"names {one.shown[:80]}: {where.value}")
                elif secret_paths.secret(text, self.state) == "key":
                    self.ask("secret.read", f"names {one.shown[:80]}, where keys are kept")

    # What it does with files

    def place(self, path: Value) -> Place:
        """Where an argument leads, taken as a path."""
        return paths.place(path.text, self.state)

    def far(self, path: Value) -> bool:
        """Whether a path is on another machine, as Windows names them."""
        return self.state.windows and _FAR.match(path.text) is not None

    def reads(self, path: Value, *, deep: bool = False) -> None:
        """It reads a file; `deep`: and everything beneath."""
        self._looked.add(path.text)
        kind = secret_paths.secret(path.text, self.state)
        where = self.place(path)
        if kind == "key":
            self.taint(SECRET)
            self.deny("secret.read", f"{path.shown} contains keys or passwords")
        elif kind == "project":
            self.taint(SECRET)
            self.ask("secret.project", f"{path.shown} may contain the project's secrets")
        elif secret_paths.settings(path.text, self.state):
            self.taint(SECRET)
            self.ask("secret.settings", f"{path.shown} may contain a personal token")
        elif where in (Place.ROOT, Place.HOMES, Place.MAYBE_ROOT) and (deep or not path.known):
            self.taint(SECRET)
            self.ask("secret.search", f"reads everything in {path.shown}, secrets included")
        elif deep and secret_paths.holds_keys(path.text, self.state):
            self.taint(SECRET)
            self.ask("secret.search", f"reads everything in {path.shown}, where keys are kept")
        elif where is Place.TEMP:
            self.taint(*self.state.touched)  # what it has read may stand there by now
        elif where is Place.DEVICE:
            self.ask("read.device", f"reads the device {path.shown}")
        elif where is Place.NETWORK:
            self.deny("network.socket", f"opens a connection: {path.shown}")
        elif where is Place.UNKNOWN and PRIVATE in path.taints:
            self.taint(PRIVATE)
            self.ask("read.unknown", f"reads {path.shown}, a file outside the workspace")
        elif where is Place.UNKNOWN and self.state.cwd is None and not path.text.startswith("-"):
            self.taint(PRIVATE)
            self.ask("read.unknown", f"reads {path.shown} in an unknown folder")
        elif where in (Place.HOME, Place.HOMES, Place.STARTUP, Place.OUTSIDE, Place.ABOVE):
            self.taint(PRIVATE)
        elif where in (Place.INSIDE, Place.WORKSPACE, Place.UNKNOWN, Place.GIT, Place.TOUCHY):
            self.taint(PROJECT)

    def writes(self, path: Value, *, append: bool = False, text: str | None = None) -> None:
        """It writes a file, or changes one; `text`: what will stand in it, if that is known."""
        self._looked.add(path.text)
        where = self.place(path)
        if where is Place.TEMP:
            self.state.touched |= self.output.taints & _TOLD
        emptied = where is Place.INSIDE and text is not None and not text.strip() and not append
        if emptied and not _NEW.search(path.text.replace("\\", "/")):
            self.ask("write.over", f"empties {path.shown}")
        if where in (Place.NOWHERE, Place.TEMP, Place.INSIDE):
            full = paths.absolute(path.text, self.state)
            if full is not None and path.known:
                before = self.state.files.pop(full, None)
                if text is not None and not append:
                    self.state.files[full] = text
                elif text is not None and before is not None:
                    self.state.files[full] = before + text
            return
        what = f"writes {path.shown}: {where.value}"
        if where in PROTECTED or secret_paths.secret(path.text, self.state) == "key":
            self.deny("write.protected", what)
        elif where is Place.HOME and not append:
            self.deny("write.home", what)
        elif where is Place.MAYBE_ROOT:
            self.deny("write.maybe-root", what)
        else:
            self.ask("write.outside", what)

    def nothing(self, path: Value) -> bool:
        """Whether a path is the device in which there is nothing: `/dev/null`, `nul`, `$null`."""
        name = path.text.replace("\\", "/").rsplit("/", 1)[-1].lower().rstrip(":")
        return path.text == "/dev/null" or (self.state.windows and name == "nul")

    def deletes(self, path: Value, *, deep: bool = False) -> None:
        """It deletes a file, or with `deep` a folder."""
        self._looked.add(path.text)
        where = self.place(path)
        if where is Place.NOWHERE:
            return
        what = f"deletes {path.shown}: {where.value}"
        if where is Place.GIT and _LOCK.search(path.text):
            self.ask("delete.lock", f"deletes {path.shown}: git may be at work")
        elif where in _LOST or (where is Place.UNKNOWN and deep and path.text == HOLE):
            self.deny("delete.lost", what)
        elif where is Place.UNKNOWN and deep and set(path.text) <= _ALL:
            self.deny("delete.lost", f"deletes {path.shown} in an unknown folder")
        else:
            self.ask("delete.workspace", what)

    def sets(self, name: str, value: Value, *, alone: bool = False) -> None:
        """It gives a variable a value, for whatever runs afterwards.

        `alone`: no command follows. In bash then, as in `$x` of PowerShell, programs do not see it.
        """
        if "tied" in self.state.dialect.has and name.endswith("path"):
            name = name.upper()  # of zsh: `path` is PATH
        own = alone and (name.startswith("$") or not self.state.windows)
        fault = poisoned(name, value, self.state, handed_on=not own)
        if fault is None:
            return
        (self.deny if fault.deny else self.ask)(fault.rule, fault.reason)
        if COMMANDS.fullmatch(name.upper() if self.state.windows else name):
            output = self.output
            line = value._replace(text=value.text.lstrip("|!- "))
            self.script_of(line, f"what {name} runs", shell="sh")
            self.output = output

    def assigns(self, name: str, value: Value) -> None:
        """A builtin or a loop gives a variable of this shell a value: judged as `name=value` is."""
        bare = re.split(r"[\[\ufdd0-\ufddf]", name)[0]
        if not self.state.windows and (listed(bare) or not bare):
            self.sets(bare, value, alone=True)
            if not bare:
                self.ask("run.hidden", "sets a variable that is known only at run time")
        self.state.variables[name] = value

    # What it sends

    def taint(self, *taints: str) -> None:
        """What comes out of it is of that kind."""
        self.state.touched |= _TOLD.intersection(taints)
        self.output = self.output._replace(taints=self.output.taints | frozenset(taints))

    def gives(self, text: str | None, *taints: str) -> None:
        """What comes out of it, where that is known."""
        self.output = Flow(text, self.output.taints | frozenset(taints), True)

    def names(self, folders: Iterable[Value]) -> None:
        """It prints names of files in these folders, for others to do something with them."""
        if any(self.place(one) in paths.FOREIGN for one in folders):
            self.taint(PRIVATE)

    def passes_names(self) -> None:
        """What comes in comes out line by line, so names stay what they are."""
        if self.stdin.items and self.output.text is None:
            self.output = self.output._replace(items=self.stdin.items)

    def sends(self, what: Iterable[Value] = (), *, where: str) -> None:
        """It sends these, and what is piped in, to another machine."""
        taints = self.stdin.taints | _taints(what)
        if SECRET in taints:
            self.deny("network.secret", f"sends secrets to {where}")
        elif PRIVATE in taints:
            self.deny("network.private", f"sends files from outside the workspace to {where}")
        elif PROJECT in taints and self.stdin.piped:
            self.deny("network.project", f"sends the project's files to {where}")

    # What else it runs

    def runs(self, words: Sequence[Value], note: str, *, stdin: Flow | None = None) -> Flow:
        """It runs another command with these words."""
        given = self.stdin if stdin is None else stdin
        self.output = self._walker.simple(words, self, given, note)
        return self.output

    def script(self, text: str, note: str, *, shell: str = "") -> Flow:
        """It runs a script that stands in its arguments.

        `shell`: which one reads it (dialects.py); else the shell that programs start, or this
        very one for what a shell does itself.
        """
        if not shell and not self.state.windows and self.name not in _OF_SHELL:
            shell = "sh"
        self.output = self._walker.text(text, shell, self, note)
        return self.output

    def script_of(self, word: Value, note: str, *, shell: str = "") -> None:
        """It runs an argument as a script, if that can be read."""
        if SECRET in word.taints or "remote" in word.taints:
            self.deny("run.remote", f"runs text that comes from elsewhere ({note})")
        elif word.holed:
            self.ask("run.unknown", f"runs text that is known only at run time ({note})")
            self.script(word.text, note, shell=shell)
        else:
            self.script(word.text, note, shell=shell)


_OF_SHELL = frozenset("eval trap alias abbr source . mapfile readarray".split())
_FAR = pattern(
    r"(?:[\w.\\]*::)?[\\/]{2}(?:[?.\ufdd2][\\/]+unc[\\/]|(?![?.\ufdd2][\\/]))", re.IGNORECASE
)
_PATH_IN = pattern(r"(?:~|[A-Za-z]:[\\/]|\.{0,2}/)[^\s'\"=,;|]*")


def _paths_in(text: str) -> list[str]:
    """Paths in an argument: the whole of it, or a part (`--out=/a`, `-o/a`, `@/a`, `a:/b`)."""
    return [text, *_PATH_IN.findall(text)] if "/" in text or "\\" in text or "~" in text else []


def _taints(values: Iterable[Value]) -> frozenset[str]:
    taints = CLEAN
    for one in values:
        taints |= one.taints
    return taints
