"""The settings of Tabwire: what stands in config.toml, over it the environment, over it flags.

Every setting has one name: `browser` in the file, TABWIRE_BROWSER in the environment,
`--browser` on the command line. What is not known is an error, not silence: a misspelt
setting that does nothing is worse than none. The tool Tabwire grew out of had four variables
of its own, CAI_…; they still count, and a bad number in one of them is passed over with a
warning, as it was there.
"""

import difflib
import os
import re
import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import Field, dataclass, field, fields
from pathlib import Path
from typing import Any

from tabwire.config.home import home
from tabwire.config.kinds import (
    MANY,
    SOME,
    YEAR_MINUTES,
    CannotBe,
    Choice,
    Folders,
    Kind,
    Number,
    Text,
)
from tabwire.model.errors import BadSetting

FILE = "config.toml"
PREFIX = "TABWIRE_"
LEVELS = ("error", "warn", "done", "phase", "info", "debug")
"""Of the log, the most important first."""


def _setting(default: Any, says: str, kind: Kind | None = None, alias: str = "") -> Any:
    marks = {"says": says, "kind": kind or Text(), "alias": alias}
    return field(default=default, metadata=marks)


def _minutes(default: float, says: str, *, least: float = SOME, alias: str = "") -> Any:
    return _setting(default, says, Number(least, YEAR_MINUTES), alias)


def _whole(default: int, says: str, least: int, most: int, alias: str = "") -> Any:
    return _setting(default, says, Number(least, most, whole=True), alias)


@dataclass(frozen=True, slots=True)
class Settings:
    """Everything that can be set, and what it is without a word from the person."""

    browser: str = _setting(
        "auto", "which browser to use: auto, extension, launch, attach, attach=URL or lab"
    )
    profile: str = _setting(
        "main", "the profile that Tabwire's own browser starts with, kept in the home"
    )
    program: str = _setting(
        "", "the browser to start: chrome, chromium, edge, brave, a preview of one, or a path"
    )
    hub: str = _setting(
        "auto",
        "whether commands use the hub, starting it if needed (auto), or run without it (off)",
        Choice(("auto", "off")),
    )
    port: int = _whole(
        8766, "the port on 127.0.0.1 where the hub serves HTTP; 0 lets the system choose", 0, 65535
    )
    idle_minutes: float = _minutes(
        15, "how long an automatically started hub keeps running when idle; 0: forever", least=0
    )
    database: str = _setting(
        "", "the URL of a PostgreSQL database to use instead of SQLite in the home"
    )
    lanes: int = _whole(3, "how many questions are asked at one site at the same time", 1, 100)
    wait_seconds: float = _setting(
        45,
        "how long an MCP client that shows no progress waits before it gets the job's id",
        Number(0, 24 * 3600),
    )
    agent_id: str = _setting(
        "", "the name under which an assistant has its own chats and tabs", alias="CAI_AGENT_ID"
    )
    session_ttl_minutes: float = _minutes(
        30,
        "after how long without use an agent's chats are forgotten",
        alias="CAI_SESSION_TTL_MINUTES",
    )
    max_agents: int = _whole(
        10, "how many agents are remembered at once", 1, MANY, alias="CAI_MAX_AGENTS"
    )
    cleanup_interval_minutes: float = _minutes(
        5, "how often expired agents are looked for", alias="CAI_CLEANUP_INTERVAL_MINUTES"
    )
    file_roots: tuple[Path, ...] = _setting(
        (), "folders whose files may be given to a site over MCP and HTTP", Folders()
    )
    log_level: str = _setting(
        "info",
        "what the hub logs: error, warn, done, phase, info or debug, each including those before "
        "it",
        Choice(LEVELS),
    )
    log_file: str = _setting("", "the hub's log; without it, logs/hub.log in the home")
    antigravity: str = _setting(
        "off",
        "whether Tabwire may follow and drive Antigravity; `tabwire antigravity on` asks you first",
        Choice(("off", "on")),
    )
    antigravity_port: int = _whole(
        0,
        "the debugging port that Antigravity was started with; 0: try the usual ones",
        0,
        65535,
    )
    antigravity_program: str = _setting(
        "",
        "the program that `tabwire antigravity open` starts; without it, Tabwire searches for it",
    )
    antigravity_lost_seconds: float = _setting(
        120,
        "how long a watched Antigravity window may be gone before it is given up",
        Number(1, 24 * 3600),
    )
    antigravity_quota: str = _setting(
        "off",
        "whether Antigravity's own language server on this machine is asked for the remaining "
        "quota",
        Choice(("off", "on")),
    )
    antigravity_quota_seconds: float = _setting(
        60, "how often it is asked for the quota", Number(30, 600)
    )
    antigravity_auto_continue: str = _setting(
        "off",
        "whether `Continue` is sent once when a used-up model is available again and nothing is "
        "running",
        Choice(("off", "on")),
    )


OTHER_VARIABLES = frozenset(
    {
        "HOME",
        "KEPT_PLACE",
    }  # where the home is (home.py); from a hub to its successor (lock.py)
    | {"SEED", "EXAMPLES", "EXAMPLES_OF", "PICTURES"}  # of the tests and of `make`
)
"""What follows `TABWIRE_` in variables that are not settings."""

FIELDS: dict[str, Field[Any]] = {one.name: one for one in fields(Settings)}
NAMES = tuple(FIELDS)


@dataclass(frozen=True, slots=True)
class Told:
    """The settings, where each came from, and what was passed over.

    `origins` says `default`, the file with its line, the name of a variable, or the flag.
    """

    settings: Settings
    origins: Mapping[str, str]
    warnings: tuple[str, ...] = ()


def settings(environment: Mapping[str, str] = os.environ, **flags: str | None) -> Settings:
    """What holds now: the file, over it the environment, over it what was said for this once."""
    return told_settings(environment, **flags).settings


def told_settings(environment: Mapping[str, str] = os.environ, **flags: str | None) -> Told:
    """The same, with where each value came from."""
    said, origins = _from_file(home(environment) / FILE)
    _check_variables(environment)
    warnings: list[str] = []
    for name, one in FIELDS.items():
        alias = one.metadata["alias"]
        if alias and (text := environment.get(alias, "").strip()):
            try:
                said[name], origins[name] = one.metadata["kind"].from_text(text), alias
            except CannotBe as exc:
                warnings.append(f"{alias}: {text!r} {exc}; it is ignored")
        variable = f"{PREFIX}{name.upper()}"
        if text := environment.get(variable, "").strip():
            said[name], origins[name] = _read(variable, one, text), variable
    for name, flag in flags.items():
        if flag is not None:
            origin = f"--{name.replace('_', '-')}"
            said[name], origins[name] = _read(origin, FIELDS[name], flag), origin
    origins = {name: origins.get(name, "default") for name in NAMES}
    return Told(Settings(**said), origins, tuple(warnings))


def log_path(now: Settings, environment: Mapping[str, str] = os.environ) -> Path:
    """Where the hub's log is."""
    named = Path(now.log_file).expanduser() if now.log_file else Path("logs", "hub.log")
    return home(environment) / named


def _read(origin: str, one: Field[Any], text: str) -> Any:
    try:
        return one.metadata["kind"].from_text(text)
    except CannotBe as exc:
        raise BadSetting(origin, text, str(exc), f"Use {exc.instead}.") from None


def _check_variables(environment: Mapping[str, str]) -> None:
    """Refuse a variable of ours that sets nothing: somebody believes that it does."""
    for variable, text in environment.items():
        name = variable.removeprefix(PREFIX)
        known = name in OTHER_VARIABLES or name in (one.upper() for one in NAMES)
        if name != variable and text.strip() and not known:
            names = [f"{PREFIX}{one.upper()}" for one in NAMES]
            # without its value, which may be a secret
            raise BadSetting("environment", variable, "is not a setting", _meant(variable, names))


def _meant(name: str, names: Sequence[str]) -> str:
    """What somebody who wrote `name` may have meant."""
    near = difflib.get_close_matches(name, names, 1)
    hint = f"Did you mean {near[0]}? " if near else ""
    return f"{hint}The settings are: {', '.join(names)}."


def _from_file(path: Path) -> tuple[dict[str, Any], dict[str, str]]:
    """The values in the file, and the place of each."""
    try:
        text = path.read_text(encoding="utf-8")
        said = tomllib.loads(text)
    except FileNotFoundError:
        return {}, {}
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError) as exc:
        raise BadSetting(
            FILE, str(path), f"cannot be read: {exc}", "Correct the file, or move it away."
        ) from exc
    places = {name: f"{path}:{_line_of(name, text)}" for name in said}
    for name, value in said.items():
        if name not in FIELDS:
            raise BadSetting(places[name], name, "is not a setting", _meant(name, NAMES))
        try:
            said[name] = FIELDS[name].metadata["kind"].from_toml(value)
        except CannotBe as exc:
            remedy = f"Write {name} = {exc.instead}."
            raise BadSetting(f"{places[name]}: {name}", str(value), str(exc), remedy) from None
    return said, places


def _line_of(name: str, text: str) -> int:
    """Where a setting stands: as a key, or as a table somebody took it for."""
    found = re.search(rf"^[ \t]*\[*[ \t]*([\"']?){re.escape(name)}\1[ \t]*[\].=]", text, re.M)
    return 1 if found is None else text.count("\n", 0, found.start()) + 1
