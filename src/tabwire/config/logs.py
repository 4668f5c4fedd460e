"""What the hub writes down as it goes: six levels, and nothing that is not for a log.

A line has a time, a level, a sentence and fields. Tokens, cookies and passwords are taken out
at every level (`redaction.py`); what people asked and were answered stands only in debug lines.
Until `open_log` is called nothing is written anywhere: a library is silent.
"""

import logging
import os
import sys
import time
import traceback
from collections.abc import Callable, MutableMapping
from dataclasses import dataclass
from logging.handlers import RotatingFileHandler
from pathlib import Path
from typing import Any

import structlog

from tabwire.config.redaction import withhold
from tabwire.model.errors import BadSetting

NUMBERS = {"error": 40, "warn": 30, "done": 25, "phase": 22, "info": 20, "debug": 10}
"""The seed's levels. What is told at one is told at all below it."""

COLOURS = {"error": 31, "warn": 33, "done": 32, "phase": 35, "info": 36, "debug": 2}
"""ANSI codes: red, yellow, green, magenta, cyan, dim."""

MAX_BYTES = 5_000_000  # of the file; three older ones are kept beside it
KEPT = 3
MAX_FIELD = 2000  # characters of one field: a log is read by people
MAX_FOREIGN = 200  # … of what a library says
MAX_FRAMES = 8

Event = MutableMapping[str, Any]


class Log(structlog.BoundLoggerBase):
    """A log with its six levels. `bind(name=…)` gives one that says so in each line."""

    def error(self, event: str, **fields: Any) -> None:
        """Something failed."""
        self._proxy_to_logger("write", event, level="error", **fields)

    def warn(self, event: str, **fields: Any) -> None:
        """Not as it should be; things go on."""
        self._proxy_to_logger("write", event, level="warn", **fields)

    def info(self, event: str, **fields: Any) -> None:
        """Something changed."""
        self._proxy_to_logger("write", event, level="info", **fields)

    def phase(self, event: str, **fields: Any) -> None:
        """An ask does something else now."""
        self._proxy_to_logger("write", event, level="phase", **fields)

    def done(self, event: str, **fields: Any) -> None:
        """Something came to its end as it should."""
        self._proxy_to_logger("write", event, level="done", **fields)

    def debug(self, event: str, **fields: Any) -> None:
        """For whoever looks for a fault. May hold prompts and answers."""
        self._proxy_to_logger("write", event, level="debug", **fields)


@dataclass(slots=True)
class Output:
    """Where lines go. One per process; empty until `open_log`."""

    least: int = 0
    sinks: tuple[Callable[[Event], None], ...] = ()
    files: tuple[logging.Handler, ...] = ()

    def write(self, event: Event) -> None:
        """To all of them."""
        for sink in self.sinks:
            sink(event)


_OUTPUT = Output()


def get_log(**fields: Any) -> Log:
    """A log for a part of the hub, which may say its name in `fields`."""
    log: Log = structlog.wrap_logger(
        _OUTPUT,
        processors=[_enough, structlog.contextvars.merge_contextvars, _stamp, withhold, _handed],
        wrapper_class=Log,
    )
    return log.bind(**fields)


def is_written(level: str) -> bool:
    """Whether what is said at this level goes anywhere."""
    return bool(_OUTPUT.sinks) and NUMBERS[level] >= _OUTPUT.least


def open_log(
    level: str, *, file: Path | None = None, stderr: bool = False, colours: bool | None = None
) -> None:
    """Begin to write; also what libraries have to warn of."""
    close_log()
    sinks: list[Callable[[Event], None]] = []
    if stderr:
        lively = sys.stderr.isatty() and "NO_COLOR" not in os.environ
        sinks.append(_to_stderr(lively if colours is None else colours))
    if file is not None:
        handler = _open_file(file)
        _OUTPUT.files = (handler,)
        sinks.append(lambda event: handler.emit(logging.makeLogRecord({"msg": line_of(event)})))
    _OUTPUT.least, _OUTPUT.sinks = NUMBERS[level], tuple(sinks)
    logging.getLogger().addHandler(_Others(logging.WARNING))


def close_log() -> None:
    """Write nothing more."""
    _OUTPUT.sinks = ()
    for file in _OUTPUT.files:
        file.close()
    _OUTPUT.files = ()
    root = logging.getLogger()
    root.handlers = [one for one in root.handlers if not isinstance(one, _Others)]


def line_of(event: Event, *, colours: bool = False) -> str:
    """One line, without a line's end. Whatever stands in a field stays in its line."""
    facts = dict(event)
    level, said = facts.pop("level"), facts.pop("event")
    at = facts.pop("at")
    moment = time.strftime("%Y-%m-%dT%H:%M:%S", time.gmtime(at)) + f".{int(at * 1000) % 1000:03d}Z"
    shown = "".join(f"  {name}={_field(value)}" for name, value in facts.items())
    word = f"{level:<5}"
    if colours:
        word = f"\x1b[{COLOURS[level]}m{word}\x1b[0m"
    return f"{moment}  {word}  {_field(said, bare=True)}{shown}"


def _field(value: object, *, bare: bool = False) -> str:
    text = value if isinstance(value, str) else repr(value)
    if len(text) > MAX_FIELD:
        text = f"{text[:MAX_FIELD]}… ({len(text)} characters)"
    visible = text.encode("unicode_escape").decode() if _drives(text) else text
    quoted = not bare and isinstance(value, str) and (" " in visible or not visible)
    return f'"{visible}"' if quoted else visible


def _drives(text: str) -> bool:
    """Whether it would begin a new line or move a terminal's cursor."""
    return any(ord(one) < 32 or 127 <= ord(one) < 160 for one in text)


def _enough(_logger: object, _method: str, event: Event) -> Event:
    if not is_written(event["level"]):
        raise structlog.DropEvent
    return event


def _stamp(_logger: object, _method: str, event: Event) -> Event:
    event["at"] = time.time()
    return event


def _handed(_logger: object, _method: str, event: Event) -> tuple[tuple[Event], dict[str, Any]]:
    return (event,), {}


def _to_stderr(colours: bool) -> Callable[[Event], None]:
    def write(event: Event) -> None:
        print(line_of(event, colours=colours), file=sys.stderr, flush=True)

    return write


def _open_file(path: Path) -> logging.Handler:
    try:
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        os.close(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600))
        handler = RotatingFileHandler(path, maxBytes=MAX_BYTES, backupCount=KEPT, encoding="utf-8")
    except OSError as exc:
        why = f"cannot be written to: {exc.strerror or exc}"
        remedy = "Set log_file to a file you can write to."
        raise BadSetting("log_file", str(path), why, remedy) from exc
    handler.setFormatter(logging.Formatter("%(message)s"))
    return handler


class _Others(logging.Handler):
    """What libraries warn of goes the same way, and is withheld from in the same way.

    Nobody knows what they put into a message: an input they could not read may be a prompt.
    So below debug there is its first line, cut short, and of an exception only where it was.
    """

    def emit(self, record: logging.LogRecord) -> None:
        """As a line of ours."""
        level = "error" if record.levelno >= logging.ERROR else "warn"
        fields: dict[str, Any] = {"by": record.name}
        said = record.getMessage()
        error = record.exc_info[1] if record.exc_info else None
        if _OUTPUT.least > NUMBERS["debug"]:
            said = said.partition("\n")[0].partition("input_value")[0][:MAX_FOREIGN]
            if error is not None:
                fields |= {"error": type(error).__name__, "where": where(error)}
        elif error is not None:
            fields["trace"] = "".join(traceback.format_exception(error))
        getattr(get_log(), level)(said, **fields)


def where(error: BaseException) -> str:
    """The places an exception came through, without a word of what it says."""
    frames = traceback.extract_tb(error.__traceback__)[-MAX_FRAMES:]
    return " < ".join(f"{Path(one.filename).name}:{one.lineno}" for one in reversed(frames))
