"""Which function judges which program."""

import re
from collections.abc import Callable, Iterable
from functools import wraps
from importlib import import_module

from tabwire_guard.call import Call
from tabwire_guard.paths import Place
from tabwire_guard.pattern import pattern
from tabwire_guard.values import Value

Handler = Callable[[Call], None]
Table = dict[str, Handler]

PROGRAMS: Table = {}
"""Programs that are the same whichever shell starts them, and the commands of bash."""
CMDLETS: Table = {}
"""PowerShell's own commands and aliases, in small letters."""
CMD: Table = {}
"""The commands of cmd.exe, in small letters."""


def program(
    *names: str, table: Table = PROGRAMS, runs_project: bool = False
) -> Callable[[Handler], Handler]:
    """Say which programs a function judges: their names, each alone or many in one text.

    `runs_project`: it runs what it finds in the folder it stands in or is pointed at (a builder,
    a test runner, a checker with plugins). Outside the project that asks, whatever the function
    says.
    """

    def add(handler: Handler) -> Handler:
        judged = _near(handler, strict=table is not PROGRAMS)
        if runs_project:
            judged = _in_project(judged)
        for name in " ".join(names).split():
            if name in table:
                raise ValueError(f"two functions judge {name}")
            table[name] = judged
        return judged

    return add


_FAR = pattern(
    r"(?:[-/]\w+:)?(?:[\w.\\]*::)?[\\/]{2}(?:[?.\ufdd2][\\/]+unc[\\/]+|(?![?.\ufdd2][\\/]))"
    r"[\w.$%@\ufdd0-]+(?P<share>[\\/]+[\w$%\ufdd0])?",
    re.IGNORECASE,
)
_TEXTS = frozenset(
    """echo write-output write write-host write-verbose write-debug write-warning write-error
    write-information rem title prompt set join-path split-path select-string sls git rg grep
    set-variable sv""".split()
)
"""What is no path for these, or is looked at by themselves."""


def _near(handler: Handler, *, strict: bool) -> Handler:
    """Windows tells another machine who one is as soon as a path there is only looked at."""

    @wraps(handler)
    def judged(call: Call) -> None:
        if call.state.windows and call.name not in _TEXTS:
            for one in call.args:
                far = _FAR.match(one.text)
                if far and (far["share"] or (strict and "\\\\" in one.text)):
                    call.ask("network.share", f"{one.shown} is on another machine")
        handler(call)

    return judged


def _in_project(handler: Handler) -> Handler:
    """Ask where it would run what is not the project's."""

    @wraps(handler)
    def judged(call: Call) -> None:
        handler(call)
        if call.place(_HERE) in _NOT_OURS and call.texts[:1] not in _TELLS:
            call.ask("run.elsewhere", f"{call.said} runs what it finds outside the project")
        if not call.spoken and call.texts[:1] not in _VERSIONS:
            import_module("tabwire_guard.programs.foreign_paths").foreign(call)

    return judged


_HERE = Value(".")
_NOT_OURS = frozenset(
    (
        Place.TEMP,
        Place.TEMPS,
        Place.HOME,
        Place.HOMES,
        Place.OUTSIDE,
        Place.ABOVE,
        Place.ROOT,
        Place.SYSTEM,
        Place.STARTUP,
    )
)
_VERSIONS = tuple([one] for one in "--version -v -V -version --help -h version help".split())
_TELLS = (*_VERSIONS, *([one] for one in ("list", "view", "info")))


def words(text: str | Iterable[str]) -> frozenset[str]:
    """A list of words, as a set."""
    return frozenset(text.split() if isinstance(text, str) else text)
