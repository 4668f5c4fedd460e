"""What an autopilot had on when its hub ended, from the audit it left.

What is on is held in memory alone, so a hub that is killed or ended leaves it off: that is the
safe way, and nobody would notice. So the next one says it, until somebody turns it on or off.
"""

import os
import shlex
import time
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from tabwire.config.home import run_folder
from tabwire.model.autopilot import Act, AuditLine, Switch, WasOn, WindowSwitches
from tabwire.store.autopilot_rows import AutopilotRows

SIGN_FILE = "autopilot.seen"
"""Touched while something is on: its time is when the hub was last there."""

SWITCHED = (Act.ON, Act.OFF, Act.PANIC)
MAX_LINES = 500  # of one hub; nobody switches more often


@dataclass(frozen=True, slots=True)
class LeftOn:
    """What was on, in all windows ("") or in one, and when its hub was last seen."""

    on: dict[str, tuple[str, ...]]
    since: float
    ended_at: float

    @property
    def commands(self) -> tuple[str, ...]:
        """What turns it on again."""
        said = ("tabwire", "antigravity", "auto", "on")
        return tuple(
            shlex.join([*said, *names, *(["--window", where] if where else [])])
            for where, names in self.on.items()
        )

    @property
    def says(self) -> str:
        """For people."""
        what = "; ".join(
            ", ".join(names) + (f" in {where}" if where else "") for where, names in self.on.items()
        )
        moment = datetime.fromtimestamp(self.ended_at).astimezone()
        again = " and ".join(f"`{one}`" for one in self.commands)
        return (
            f"was on ({what}) until the hub ended at {moment:%Y-%m-%d %H:%M:%S}; "
            f"nothing is clicked until you turn it on again: {again}"
        )

    def told(self) -> WasOn:
        """As doors tell it."""
        on = tuple(WindowSwitches(where, names) for where, names in self.on.items())
        return WasOn(on, self.since, self.ended_at, self.commands, self.says)


def give_sign(environment: Mapping[str, str] = os.environ) -> None:
    """We are here, and something is on."""
    with suppress(OSError):  # then the audit's last line tells, which is less exact
        _sign(environment).touch(mode=0o600)


async def left_on(
    rows: AutopilotRows, session: str = "", environment: Mapping[str, str] = os.environ
) -> LeftOn | None:
    """What was on when the last hub ended. None: nothing, or it was turned on or off since, or
    `session` itself did."""
    lines = await rows.lines(MAX_LINES, acts=SWITCHED)
    if not lines or lines[-1].session == session:
        return None
    last = lines[-1].session
    on = switched([one for one in lines if one.session == last])
    if not on:
        return None
    since = next(one.at for one in reversed(lines) if one.act is Act.ON)
    newest = await rows.lines(1, session=last)
    return LeftOn(on, since, max([since, *(one.at for one in newest), *_seen(environment, since)]))


async def turned_off(rows: AutopilotRows, by: str = "") -> None:
    """Somebody says off where no hub runs: nothing is on, and now nothing was."""
    await rows.append(AuditLine(time.time(), Act.OFF, "", by=by))


def switched(lines: Sequence[AuditLine]) -> dict[str, tuple[str, ...]]:
    """What is on after these lines of one hub, as `Autopilot` takes them."""
    on: dict[str, tuple[str, ...]] = {}
    for line in lines:
        if line.window == "" or line.act is Act.PANIC:
            on.clear()
        names = line.note.split(",") if line.act is Act.ON else []
        on[line.window] = tuple(one.value for one in Switch if one.value in names)
    return {where: names for where, names in on.items() if names}


def _sign(environment: Mapping[str, str]) -> Path:
    return run_folder(environment) / SIGN_FILE


def _seen(environment: Mapping[str, str], since: float) -> list[float]:
    try:
        at = _sign(environment).stat().st_mtime
    except OSError:
        return []
    return [at] if since <= at <= time.time() else []
