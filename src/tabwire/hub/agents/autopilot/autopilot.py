"""The autopilot of this hub: which windows it drives, what is on, and how to stop it.

    autopilot = Autopilot(store.autopilot, tell=publish)
    async with asyncio.TaskGroup() as group:
        group.create_task(autopilot.run(PortWindows(9004)))
        await autopilot.on(Switches(commands=True))
        …
        await autopilot.approve("3f2a…", Answerer("me"))
        await autopilot.panic("said so")

Off until somebody turns it on, and off at once when somebody turns it off. What a person is asked
is answered through here, from whichever door (`approvals.py`).
"""

import asyncio
import os
import secrets
import time
from collections.abc import Callable, Mapping
from contextlib import aclosing, suppress
from dataclasses import replace
from pathlib import Path

from tabwire.autopilot.context import Given
from tabwire.autopilot.questions import APPROVAL_SECONDS
from tabwire.autopilot.ruling import Judge, Seat
from tabwire.browser.agent.connection import PageSession
from tabwire.browser.agent.header import head_of
from tabwire.browser.agent.window import AgentWindow
from tabwire.browser.agent.windows import PortWindows
from tabwire.config.home import home, run_folder
from tabwire.hub import guard as guarding
from tabwire.hub.agents.autopilot.approvals import Approvals
from tabwire.hub.agents.autopilot.folders import folder_shown, folders_called
from tabwire.hub.agents.autopilot.lock import DriverLock
from tabwire.hub.agents.autopilot.previous import LeftOn, give_sign, left_on
from tabwire.hub.agents.autopilot.window import DrivenWindow
from tabwire.model.autopilot import (
    Act,
    Answered,
    Answerer,
    Approval,
    ApprovalState,
    AuditLine,
    AutopilotEvent,
    Did,
    Halted,
    Statistics,
    Switches,
)
from tabwire.model.errors import TabwireError
from tabwire.sites.antigravity.page import Place, Window
from tabwire.sites.antigravity.page.head import project_name
from tabwire.store.autopilot_rows import AutopilotRows
from tabwire.store.errors import StoreError
from tabwire_guard.judgement import judge as judge_text
from tabwire_guard.verdict import Judgement

SETTLE_SECONDS = 2.0
"""How often what was decided meanwhile is written, and a sign of life given."""

STOP_FILE = "autopilot.stop"
_DAY_SECONDS = 86_400.0
_DEFAULT = ""


def guard(environment: Mapping[str, str] = os.environ) -> Judge:
    """The guard with the person's rules, as they are at the moment it is asked."""

    def judged(
        command: str, *, shell: str, cwd: str | None, workspace: str | None, home: str | None
    ) -> Judgement:
        own = guarding.own_rules(Path(workspace or home or "/"), environment)
        return judge_text(
            command, shell=shell, cwd=cwd, workspace=workspace, home=home, rules=own.rules
        )

    return judged


def panic_stop(why: str = "", environment: Mapping[str, str] = os.environ) -> None:
    """Stop every autopilot of this person, from any process. It holds until one is turned on."""
    path = run_folder(environment) / STOP_FILE
    path.write_text(why or "it was stopped", encoding="utf-8")


class Autopilot:
    """Drives the windows of an editor. `tell` is told of everything, in the loop."""

    def __init__(
        self,
        rows: AutopilotRows,
        *,
        tell: Callable[[AutopilotEvent], None] = lambda _: None,
        judge: Judge | str | None = "own",
        environment: Mapping[str, str] = os.environ,
        folders: tuple[str, ...] = (),
        folder_of: Callable[[Window], str | None] = lambda _: None,
        chat_users: frozenset[str] = frozenset(),
        approval_seconds: float = APPROVAL_SECONDS,
        lock_folder: Path | None = None,
    ) -> None:
        self._rows = rows
        self._tell = tell
        self._environment = environment
        self._judge = guard(environment) if isinstance(judge, str) else judge
        self._folders = folders
        self._folder_of = folder_of
        self._approval_seconds = approval_seconds
        self._lock_folder = lock_folder
        self._switches: dict[str, Switches] = {}
        self._marks: tuple[object, ...] = ()
        self._unwritten: list[AuditLine] = []
        self._stop_file = run_folder(environment) / STOP_FILE
        self.session = secrets.token_hex(4)
        self.windows: dict[str, DrivenWindow] = {}
        self._approvals = Approvals(rows, self.windows, chat_users, self._stopped)

    # --- windows -----------------------------------------------------------------------------

    async def run(self, port: PortWindows, *, only: str = "") -> None:
        """Drive every window of a port, or the one that is called so, until cancelled."""
        try:
            async with asyncio.TaskGroup() as group, aclosing(port.each()) as windows:
                group.create_task(self._settles())
                async for window in windows:
                    listed = window.listed
                    named = (listed.name, listed.workspace, listed.id) if listed else ()
                    if not only or only in named:
                        group.create_task(self._drive(port.port, window))
        finally:  # also when the person's word is taken back: that changes the settings
            self.switches()
            with suppress(StoreError):
                await self._settle()

    async def _settles(self) -> None:
        while True:
            await self._settle()
            await asyncio.sleep(SETTLE_SECONDS)

    async def _drive(self, port: int, window: AgentWindow) -> None:
        """Drive this window, also after it came back under another id: as another one, as nobody
        can say whether it is."""
        changed = asyncio.Event()
        async with window.listening(lambda _: changed.set()):
            while window.ended is None:
                if window.is_there and window.listed is not None:
                    await self._drive_listed(f"{port}/{window.listed.id}", window, window.listed)
                else:
                    await changed.wait()
                    changed.clear()
        if not isinstance(window.ended.error, TabwireError):
            raise window.ended.error

    async def _drive_listed(self, key: str, window: AgentWindow, listed: Window) -> None:
        self.windows[key] = driven = self._driven(key, window, listed)
        try:
            await driven.run()
        finally:
            self.windows.pop(key, None)

    def _driven(self, key: str, window: AgentWindow, listed: Window) -> DrivenWindow:
        async def seat_now(session: PageSession) -> Seat:
            """Of the project that is shown at this moment; of none where that is not certain."""
            head = None
            with suppress(TabwireError):
                head = await head_of(session)
            shown = project_name(head.project) if head else ""
            folder = folder_shown(head.project, self._environment) if head else None
            return self._seat(key, replace(listed, workspace=shown), folder)

        async def given(why_not: Callable[[], str]) -> Given:
            now = time.time()
            await self._rows.lose(
                key, "the process that asked has ended; the card is asked again", now
            )
            return Given(
                judge=self._judge,
                audit=self._write,
                open=self._rows.open,
                close=self._close,
                tell=self._tell,
                switches=lambda: self.switches(key, driven.seat.name),
                stopped=lambda: self._stopped() or why_not(),
                session=self.session,
                rules=self._rule_marks,
                refused=await self._rows.refused(key, now - _DAY_SECONDS),
            )

        lock = DriverLock(key, self._lock_folder)
        driven = DrivenWindow(
            self._seat(key, listed), window, lock, given, self._tell,
            approval_seconds=self._approval_seconds,
            seat_in=lambda now: self._seat(key, now),
            seat_now=seat_now if listed.place is Place.APP else None,
        )  # fmt: skip
        return driven

    def _seat(self, key: str, window: Window, shown: str | None = None) -> Seat:
        """Where it works, as far as that is certain. `shown`: its folder, as the window says. A
        project of the stand-alone program may have any name, so nothing is guessed from that."""
        known = folders_called(window.workspace, self._environment) if shown is None else ()
        return Seat(
            key,
            window.name,
            window.workspace,
            self._folder_of(window) or shown or (known[0] if len(known) == 1 else None),
            (*self._folders, *known),
            str(Path.home()),
            guarding.usual_shell(),
            guess=not known and window.place is not Place.APP,
        )

    async def _write(self, line: AuditLine) -> None:
        await self._rows.append(line)

    async def _close(self, said: str, state: ApprovalState, note: str) -> Approval | None:
        return await self._rows.close(said, state, note, time.time())

    # --- on and off --------------------------------------------------------------------------

    def switches(self, key: str = _DEFAULT, name: str = _DEFAULT) -> Switches:
        """What goes on by itself in a window, at this moment."""
        if self._switches and self._marks != self._rule_marks():
            # somebody, perhaps the agent itself, changed what the guard goes by
            self._switches.clear()
            why = "the guard's rules or the settings changed: check them, then turn it on again"
            self._unwritten.append(self._line(Act.OFF, "", "", why))
            self._tell(Halted("", why))
        for said in (key, name, _DEFAULT):
            if said in self._switches:
                return self._switches[said]
        return Switches()

    async def on(self, switches: Switches, *, window: str = _DEFAULT, by: str = "") -> None:
        """Let this go on by itself, in one window (its name or key) or in all."""
        await self._settle()
        self._stop_file.unlink(missing_ok=True)
        self._marks = self._rule_marks()
        await self._write(self._line(Act.ON, window, by, ",".join(switches.on)))
        if window == _DEFAULT:
            self._switches.clear()
        self._switches[window] = switches
        for driven in tuple(self.windows.values()):
            if driven.pilot is not None:
                driven.pilot.mend()
            await driven.wake()

    async def off(self, *, window: str = _DEFAULT, by: str = "") -> None:
        """Nothing goes on by itself any more, in one window or in all: at once, also not what
        was decided on already. When this returns no page clicks."""
        if window == _DEFAULT:
            self._switches.clear()
        else:
            self._switches[window] = Switches()
        await self._revoke()
        await self._write(self._line(Act.OFF, window, by, ""))

    async def panic(self, why: str = "", *, by: str = "") -> None:
        """Stop everything, answers of people included, until it is turned on again."""
        self._switches.clear()
        panic_stop(why, self._environment)
        await self._revoke()
        await self._write(self._line(Act.PANIC, "", by, why))
        self._tell(Halted("", why or "it was stopped"))

    async def _revoke(self) -> None:
        for driven in tuple(self.windows.values()):
            if not self.switches(driven.seat.key, driven.seat.name).on:
                await driven.revoke()

    async def left_on(self) -> LeftOn | None:
        """What was on when the hub before this one ended, where nobody said anything since."""
        await self._settle()
        if self._stopped():
            return None
        return await left_on(self._rows, self.session, self._environment)

    async def _settle(self) -> None:
        """Write what was decided where nothing could be awaited; while something is on, give a
        sign that we are here."""
        while self._unwritten:
            await self._write(self._unwritten.pop(0))
        if any(one.on for one in self._switches.values()):
            give_sign(self._environment)

    def _stopped(self) -> str:
        """Why nothing may be clicked at all; also where another process said so."""
        if not self._stop_file.exists():
            return ""
        return "the autopilot was stopped; turn it on to continue"

    def _rule_marks(self) -> tuple[object, ...]:
        base = home(self._environment)
        files = [base / guarding.FILE, base / guarding.ACCEPTED, base / "config.toml"]
        files += [Path(one) / guarding.WORKSPACE_FILE for one in self._folders]
        return tuple(_mark(one) for one in files)

    def _line(self, act: Act, window: str, by: str, note: str) -> AuditLine:
        line = AuditLine(time.time(), act, window, self.session, by=by, note=note)
        self._tell(Did(line))
        return line

    # --- what was done, and what is asked ----------------------------------------------------

    async def statistics(self, *, since: float = 0.0, session: bool = False) -> Statistics:
        """What was done since then, or in this session. Reading it changes nothing."""
        return await self._rows.statistics(since=since, session=self.session if session else "")

    async def audit(self, limit: int = 100) -> list[AuditLine]:
        """The newest lines, oldest of them first."""
        return await self._rows.lines(limit)

    async def approvals(self) -> list[Approval]:
        """What waits for a person."""
        return await self._rows.approvals()

    async def approve(self, said: str, who: Answerer) -> Answered:
        """A person says yes to one of them."""
        return await self._approvals.answer(said, True, who)

    async def reject(self, said: str, who: Answerer) -> Answered:
        """A person says no."""
        return await self._approvals.answer(said, False, who)


def _mark(path: Path) -> tuple[int, int, int] | None:
    try:
        found = path.stat()
    except OSError:
        return None
    return found.st_mtime_ns, found.st_size, found.st_ino
