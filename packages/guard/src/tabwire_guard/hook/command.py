"""One tool call: read it, judge it, answer it. Every failure blocks the call.

Exit code 0: the answer on standard output holds. 2: something failed; the call is blocked, and
the reason is on standard error. No other exit code is used: assistants take those for a hook
that did not work, and let the call go on.
"""

import gc
import os
import sys

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from tabwire_guard.hook.protocols import Assistant
    from tabwire_guard.hook.toolcall import ToolCall

MAX_INPUT = 32_000_000
"""Bytes of a tool call. The largest ones carry a whole file; assistants allow a few megabytes."""
SECONDS = 5.0
"""How long reading and judging may take. Less than the timeout the installed hook has."""
BLOCKED = 2

OPTIONS = {
    "--on-failure": ("deny", "ask"),
    "--on-ask": ("deny", "pass"),
}


class Failed(Exception):
    """The call cannot be judged."""


class Overdue(BaseException):
    """No verdict in time, or ended before. Nothing but the hook itself catches this."""


def hook(assistant: str, arguments: "Sequence[str]") -> int:
    """Answer one tool call of that assistant, read from standard input; the exit code."""
    gc.disable()  # the process is gone before there is anything worth collecting
    settings = {name: choices[0] for name, choices in OPTIONS.items()}
    known: Assistant | None = None
    call: ToolCall | None = None
    payload: dict[str, object] = {}
    try:
        from tabwire_guard.hook.protocols import ASSISTANTS

        known = ASSISTANTS[assistant]
        seconds = _options(arguments, settings)
        _limit(seconds)
        payload = _payload(_input())
        from tabwire_guard.hook.decision import as_told, decide

        call = known.read(payload)
        decision = as_told(decide(call), call, settings["--on-ask"])
        answer = known.answer(decision, call)
        _disarm()
        _print(answer)
    except BaseException as problem:  # noqa: BLE001 (a bug must not let the call go on)
        if known is not None and call is None:
            call = known.unread(payload)
        return _failed(problem, known, call, settings["--on-failure"])
    return 0


def _options(arguments: "Sequence[str]", settings: dict[str, str]) -> float:
    seconds = SECONDS
    rest = list(arguments)
    while rest:
        name, equals, value = rest.pop(0).partition("=")
        if not equals:
            if not rest:
                raise Failed(f"invalid option {name}")
            value = rest.pop(0)
        if name == "--timeout":
            seconds = _seconds(value)
        elif value in OPTIONS.get(name, ()):
            settings[name] = value
        else:
            raise Failed(f"invalid option {name} {value}")
    return seconds


def _seconds(value: str) -> float:
    try:
        seconds = float(value)
    except ValueError:
        seconds = 0.0
    if not 0 < seconds <= 60:
        raise Failed(f"invalid value {value!r} for --timeout: expected seconds, at most 60")
    return seconds


def _limit(seconds: float) -> None:
    """Fail when that time is over."""

    def over(number: int, _: object) -> None:
        if number == SIGALRM:
            raise Overdue(f"no verdict within {seconds:g} s")
        raise Overdue(f"ended by {Signals(number).name}")

    try:
        from signal import (
            ITIMER_REAL,
            SIGALRM,
            SIGHUP,
            SIGINT,
            SIGTERM,
            Signals,
            setitimer,
            signal,
        )
    except ImportError:  # Windows
        import _thread
        import time

        def watch() -> None:
            time.sleep(seconds)
            _say(f"no verdict within {seconds:g} s")
            os._exit(BLOCKED)

        _thread.start_new_thread(watch, ())
        return
    for one in (SIGALRM, SIGTERM, SIGHUP, SIGINT):
        signal(one, over)
    setitimer(ITIMER_REAL, seconds)


def _input() -> bytes:
    if sys.stdin is None or sys.stdin.closed:
        raise Failed("standard input is closed; the assistant passes the tool call there")
    if sys.stdin.isatty():
        raise Failed("no tool call on standard input; see `hook --help`")
    chunks, size = [], 0
    while chunk := os.read(sys.stdin.fileno(), 1_000_000):
        chunks.append(chunk)
        size += len(chunk)
        if size > MAX_INPUT:
            raise Failed(f"the tool call has more than {MAX_INPUT:,} bytes")
    return b"".join(chunks)


def _payload(data: bytes) -> dict[str, object]:
    from json import loads

    if not data.strip():
        raise Failed("standard input is empty")
    try:
        payload = loads(data.decode("utf-8-sig"))
    except RecursionError:
        raise Failed("the tool call is nested too deeply") from None
    except ValueError as problem:  # no JSON, or no UTF-8
        raise Failed(f"the tool call is not valid JSON: {problem}") from None
    if not isinstance(payload, dict):
        raise Failed("the tool call is not a JSON object")
    return payload


def _failed(
    problem: BaseException, known: "Assistant | None", call: "ToolCall | None", on_failure: str
) -> int:
    """Block the call, or ask where the person prefers that and the assistant can."""
    _disarm()
    reason = str(problem) or type(problem).__name__
    if helps := getattr(problem, "what_to_do", ""):
        reason = f"{reason}. {helps}"
    elif not isinstance(problem, (Failed, Overdue, ValueError)):
        reason = f"{type(problem).__name__}: {reason}"
    reason = f"this call could not be judged: {reason}"
    try:
        from tabwire_guard.hook.toolcall import ASK, DENY, Decision

        if known is not None:
            can_ask = call.asks if call is not None else next(iter(known.events.values()))
            asks = on_failure == ASK and can_ask
            _print(known.answer(Decision(ASK if asks else DENY, reason, "input"), call))
            if asks:
                _say(reason)
                return 0
    except BaseException as another:  # noqa: BLE001
        if str(another) not in reason:
            reason += f" ({type(another).__name__}: {another})"
    _say(reason)
    return BLOCKED


def _disarm() -> None:
    """What follows a failure is short, and must not fail of the same timeout."""
    try:
        from signal import ITIMER_REAL, setitimer

        setitimer(ITIMER_REAL, 0)
    except ImportError:  # Windows: the thread goes with the process
        pass


def _print(answer: dict[str, object]) -> None:
    from json import dumps

    data = (dumps(answer) + "\n").encode()
    if sys.stdout is None:
        raise Failed("standard output is closed")
    sys.stdout.flush()
    descriptor = sys.stdout.fileno()
    while data:
        data = data[os.write(descriptor, data) :]


def _say(reason: str) -> None:
    """On standard error, where assistants look for the reason of exit code 2."""
    try:  # noqa: SIM105 (contextlib would be imported for this)
        os.write(2, f"Tabwire guard: {reason}\n".encode("ascii", "backslashreplace"))
    except OSError:
        pass
