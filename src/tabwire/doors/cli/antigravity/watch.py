"""`tabwire watch antigravity`: what an agent says and what it does, apart, as it happens.

Lines as in seed 000, section 6: a level, what changed, and a short beginning of it. Whole texts
are printed with --full only; they are a person's, and a terminal may be a log.
"""

import asyncio
import io
import sys
import time
from collections.abc import AsyncGenerator
from contextlib import aclosing

import msgspec
from rich.console import Console
from rich.text import Text

from tabwire.doors.cli.safe_text import harmless
from tabwire.hub import Baseline, Spot, remote_hub
from tabwire.hub import agent_event_data as as_data
from tabwire.model.agent import (
    AgentAttached,
    AgentCard,
    AgentEnded,
    AgentEvent,
    AgentImage,
    AgentLog,
    AgentLost,
    AgentPhase,
    AgentProgress,
    AgentQuota,
    AgentShown,
    LogEntry,
)
from tabwire.model.exits import COMPLETE, FAILED, LIMIT, LOST, PARTIAL, STOPPED

EXITS = {
    "complete": COMPLETE,
    "stopped": STOPPED,
    "failed": FAILED,
    "timeout": PARTIAL,
    "quota_reached": LIMIT,
}
NOT_WELL = ("disconnected", "quota_reached", "timeout", "stopped", "failed")
BEGINNING = 60  # characters of a text that a line repeats
STYLES = {
    "ERROR": "red",
    "WARN": "yellow",
    "INFO": "cyan",
    "PHASE": "magenta",
    "DONE": "green",
}
OPEN_IT = "open it with Ctrl+L"
CLASSIC_LINE = "start — pollInterval=2000ms maxDuration=300000ms stopGoneConfirm=3"


async def watch_agent(
    window: str,
    *,
    as_json: bool,
    profile: str,
    once: bool,
    full: bool,
    seconds: float | None,
) -> int:
    """Follow a window, and print what happens. The exit code."""
    narrator = AgentNarrator(full=full)
    code = COMPLETE if not once else FAILED
    try:
        async with asyncio.timeout(seconds):
            while True:
                windows = remote_hub(start=False).agents.windows
                classic = profile == "classic"
                source = windows.follow_classic(window) if classic else windows.follow(window)
                async with aclosing(source) as events:
                    ended = await _listen(events, narrator, as_json=as_json, once=once)
                if isinstance(ended, AgentLost):
                    return LOST
                if ended is not None and once:
                    return exit_of(ended)
                if ended is None:
                    return FAILED
    except TimeoutError:
        return code


def exit_of(ended: AgentEnded) -> int:
    """The code of a run that ended. A limit counts also where something was said before it."""
    if ended.lost:
        return LOST
    if ended.quota and ended.phase != "stopped":
        return LIMIT
    return EXITS.get(ended.phase, FAILED)


async def _listen(
    events: AsyncGenerator[tuple[Spot, Baseline] | AgentEvent, None]
    | AsyncGenerator[AgentEvent, None],
    narrator: "AgentNarrator",
    *,
    as_json: bool,
    once: bool,
) -> AgentEnded | AgentLost | None:
    """Until the stream is over, or with `once` until a run ended; the last end."""
    began = time.monotonic()
    last: AgentEnded | AgentLost | None = None
    async for event in events:
        if isinstance(event, tuple):
            if not as_json:
                narrator.begins(event[0].name, event[1])
            continue
        if as_json:
            sys.stdout.buffer.write(msgspec.json.encode(as_data(event, began)) + b"\n")
            sys.stdout.buffer.flush()
        else:
            narrator.tell(event)
        if isinstance(event, AgentEnded | AgentLost):
            last = event
            if once or isinstance(event, AgentLost):
                return last
    return last


class AgentNarrator:
    """Prints events. `full`: whole texts as well."""

    def __init__(self, console: Console | None = None, *, full: bool = False) -> None:
        if console is None and isinstance(sys.stdout, io.TextIOWrapper):
            sys.stdout.reconfigure(errors="replace")
        self._console = console or Console(highlight=False, soft_wrap=True)
        self._full = full
        self._phase = ""
        self._text = ""
        self._entries: dict[str, LogEntry] = {}

    def begins(self, window: str, baseline: Baseline) -> None:
        """The classic profile says what it begins with."""
        length = len(baseline.text or "")
        self._line("INFO", f"{window}: {CLASSIC_LINE} baselineLen={length}")

    def tell(self, event: AgentEvent) -> None:
        """Say one thing."""
        match event:
            case AgentAttached(window=window, test=test, conversation=conversation, model=model):
                read = test.pack if test.recognised else "no turns recognized yet"
                facts = [f for f in (conversation, model) if f]
                self._line("INFO", f"start — {window}: {' · '.join([read or '', *facts])}")
                if not test.panel:
                    self._line("WARN", f"{window}: no agent panel is open in it; {OPEN_IT}")
            case AgentShown(window=window, shown=shown, why=why):
                if shown:
                    self._line("INFO", f"{window}: an agent panel is open now")
                else:
                    self._line("WARN", f"{window}: {why}; {OPEN_IT}")
            case AgentLost(window=window, after_seconds=after, why=why):
                said = f"{window}: the window did not come back within {after:g} s ({why})"
                self._line("ERROR", f"{said}; the setting antigravity_lost_seconds is how long")
            case AgentPhase(phase=phase, text=text, why=why):
                self._begin_run(phase)
                because = f" ({why})" if why else ""
                level = "WARN" if phase in NOT_WELL else "PHASE"
                arrow = f"{self._phase} -> {phase}" if self._phase else phase
                self._line(level, f"{arrow} textLen={len(text)}{because}")
                self._phase = phase
            case AgentLog(entries=entries):
                self._logged(entries)
            case AgentProgress(text=text):
                self._grew(text)
            case AgentImage(alt=alt, width=width, height=height):
                self._line("INFO", f"image {width}x{height} {_beginning(alt)}")
            case AgentCard(card=card, gone=False):
                what = card.command or card.title or card.text
                self._line("WARN", f"asks: {card.kind} {_beginning(what)}")
            case AgentQuota(text=text, model=model):
                self._line("WARN", f"limit reached on {model or 'the model in use'}: {text}")
            case AgentEnded():
                self._ended(event)
            case _:
                pass

    def _begin_run(self, phase: str) -> None:
        if phase == "waiting":
            self._phase, self._text, self._entries = "", "", {}

    def _logged(self, entries: tuple[LogEntry, ...]) -> None:
        for one in entries:
            self._entries[one.id] = one
            if self._full:
                self._line("PHASE", f"log │ {one.text}")
        length = len(_log(tuple(self._entries.values())))
        latest = _beginning(entries[-1].text)
        about = f"entries={len(self._entries)} len={length} latest={latest}"
        self._line("INFO", f"processLog updated {about}")

    def _grew(self, text: str) -> None:
        before, self._text = self._text, text
        self._line("INFO", f"text changed len={len(before)}->{len(text)} {_beginning(text)}")
        if self._full:
            new = text[len(before) :] if text.startswith(before) else text
            self._line("DONE", f"output │ {new.strip()}")

    def _ended(self, event: AgentEnded) -> None:
        log = _log(event.log)
        level = "DONE" if event.phase == "complete" and not event.quota else "WARN"
        because = f" ({event.why or event.error})" if event.why or event.error else ""
        limit = ", a limit was reached" if event.quota and event.phase == "complete" else ""
        self._line(level, f"{event.phase}! finalTextLen={len(event.text)}{limit}{because}")
        self._line("INFO", f"finalize payload outputLen={len(event.text)} logLen={len(log)}")
        self._block("DONE", "Output", event.text, "")
        self._block("PHASE", "ProcessLog", log, event.why_no_log)

    def _block(self, level: str, name: str, text: str, why_empty: str) -> None:
        if self._full:
            self._line(level, f"[{name}]\n{text}" if text else f"[{name}] empty: {why_empty}")
            return
        lines = text.count("\n") + 1 if text else 0
        said = f"{len(text)} characters, {lines} lines; --full shows them" if text else "empty"
        self._line(level, f"[{name}] {said}" + (f": {why_empty}" if not text and why_empty else ""))

    def _line(self, level: str, words: str) -> None:
        line = Text(f"[{level}]".ljust(8), style=f"bold {STYLES[level]}")
        line.append(harmless(words), style=STYLES[level] if level != "INFO" else "")
        self._console.print(line)


def _log(entries: tuple[LogEntry, ...]) -> str:
    return "\n".join(one.text for one in entries)


def _beginning(text: str) -> str:
    line = " ".join(text.split())
    shown = line if len(line) <= BEGINNING else f"{line[:BEGINNING]}…"
    return f'"{shown}"'
