"""`tabwire extension`: everyday Chrome, through the extension."""

import asyncio
import sys
from collections.abc import Awaitable, Callable
from dataclasses import asdict
from datetime import datetime
from typing import Annotated, TypeVar

import typer

from tabwire.doors.cli.json_lines import write
from tabwire.doors.cli.safe_text import harmless
from tabwire.hub import LineLost, NoHub, RunningHub, extension_folder, extension_version, remote_hub
from tabwire.model.exits import FAILED
from tabwire.model.extensions import ExtensionStatus

T = TypeVar("T")

HELD_SECONDS = 30.0  # that one request waits for the code; then the next one does
JSON = Annotated[bool, typer.Option("--json", help="Print one JSON object.")]
NAME = Annotated[
    str,
    typer.Argument(
        metavar="NAME", help="Name as `tabwire extension list` shows it, such as chrome-3f9a."
    ),
]


def path(as_json: JSON = False) -> None:
    """Print the folder to load in chrome://extensions.

    Open chrome://extensions, turn on Developer mode, click "Load unpacked" and choose this
    folder. Then pair it once: `tabwire extension pair`. After updating Tabwire, click the reload
    button of the extension there.

    Examples:

      tabwire extension path
    """
    folder = extension_folder()
    if as_json:
        write([{"path": str(folder), "version": extension_version()}])
    else:
        print(folder)


def pair(
    as_json: Annotated[
        bool, typer.Option("--json", help="Print JSON Lines, one object per event.")
    ] = False,
) -> None:
    """Show a pairing code and wait until it is entered in the extension.

    The extension opens a page for the code when it finds a new hub, or when you click its icon.
    The code is valid once, for five minutes. Afterwards both sides share a long key, so you need
    to pair each browser profile only once. Ten wrong codes lock pairing for ten minutes.

    With --json, prints the event `code`, then `paired` or `expired`.

    Exit codes: 0 paired, 1 the code was not entered in time or could not be shown.

    Examples:

      tabwire extension pair
    """

    async def run() -> int:
        hub = remote_hub()
        shown = await hub.extensions.pair()
        if as_json:
            write([{"event": "code", **asdict(shown)}])
            sys.stdout.flush()
        else:
            print(f"code: {shown.code}", flush=True)
            minutes = f"{shown.seconds / 60:.0f} min"
            print(
                f"Enter it on the extension's page within {minutes}.", file=sys.stderr, flush=True
            )
            if (problem := shown.problem) is not None:
                print(f"tabwire: {problem.message}\n{problem.what_to_do}", file=sys.stderr)
                sys.stderr.flush()
        while True:
            outcome = await hub.extensions.paired(HELD_SECONDS)
            if outcome.paired or not outcome.waiting:
                break
        if as_json:
            write([{"event": "paired" if outcome.paired else "expired", **asdict(outcome)}])
        elif outcome.paired:
            print(f"paired: {harmless(outcome.paired)}")
        else:
            print(
                "tabwire: the code was not entered in time, or entered incorrectly", file=sys.stderr
            )
            print("Run `tabwire extension pair` for a new code.", file=sys.stderr)
        return 0 if outcome.paired else FAILED

    raise typer.Exit(asyncio.run(run()))


def status(as_json: JSON = False) -> None:
    """Show whether the extension is connected, and if not, why.

    Read-only: does not start a hub. Without a hub, no extension is connected.

    Exit codes: 0 connected, 1 not connected.

    Examples:

      tabwire extension status --json
    """
    found = _from_running_hub(lambda hub: hub.extensions.status())
    if as_json:
        about = {"running": found is not None, "connected": False, "ours": extension_version()}
        write([{**about, **(found.as_data() if found is not None else {})}])
    elif found is None:
        print("not connected: the hub is not running; it starts on demand")
    else:
        _print_status(found)
    raise typer.Exit(0 if found is not None and found.connected else FAILED)


def listed(
    as_json: Annotated[
        bool, typer.Option("--json", help="Print JSON Lines, one object per extension.")
    ] = False,
) -> None:
    """List the paired extensions, one per browser profile.

    One extension is used at a time. Others that try to connect are listed as waiting; switch to
    one with `tabwire extension use NAME`.

    Examples:

      tabwire extension list --json
    """
    found = _from_hub(lambda hub: hub.extensions.status())
    if as_json:
        write(found.installs)
        return
    asking = {waiting.name for waiting in found.asking}
    for install in found.installs:
        state = (
            "connected" if install.connected else "waiting" if install.name in asking else "away"
        )
        seen = f"seen {_moment(install.seen_at)}" if install.seen_at else "never seen"
        about = f"Chrome {harmless(install.chrome)}, version {harmless(install.version)}, {seen}"
        print(f"{harmless(install.name):<16} {state:<10} {about}")
    if not found.installs:
        print("no extension paired; run `tabwire extension pair`", file=sys.stderr)


def dump(
    as_json: Annotated[
        bool, typer.Option("--json", help="Print JSON Lines, one object per frame.")
    ] = False,
) -> None:
    """Print the stream dump that the extension recorded.

    Lists time, kind and size of each frame, without its content. Turn on "Stream dump" in the
    extension's options first, then reproduce the problem. The hub keeps the last 2,000 frames
    until it exits. Read-only: does not start a hub.

    Examples:

      tabwire extension dump --json > dump.jsonl
    """
    found = _from_running_hub(lambda hub: hub.extensions.dump())
    frames = found.frames if found is not None else ()
    if as_json:
        write(frames)
        return
    for frame in frames:
        at = datetime.fromtimestamp(frame.at).astimezone()
        about = f"{harmless(frame.frame):<6} {frame.size:>10,}  {harmless(frame.attempt)}"
        print(f"{at:%H:%M:%S.%f}  {about}")
    if not frames:
        print('no frames recorded; turn on "Stream dump" in the extension options', file=sys.stderr)


def use(name: NAME, as_json: JSON = False) -> None:
    """Switch to this extension when several are paired.

    Disconnects the current extension. The new one connects at its next attempt, within half a
    minute.

    Examples:

      tabwire extension use chrome-3f9a
    """
    chosen = _from_hub(lambda hub: hub.extensions.use(name))
    if as_json:
        write([chosen])
    else:
        print(f"switched to: {harmless(chosen.used)}")


def forget(name: NAME, as_json: JSON = False) -> None:
    """Unpair an extension; its key is revoked immediately.

    The extension is disconnected and must be paired again before it can connect.

    Examples:

      tabwire extension forget chrome-3f9a
    """
    gone = _from_hub(lambda hub: hub.extensions.forget(name))
    if as_json:
        write([gone])
    else:
        print(f"unpaired: {harmless(gone.forgotten)}")


# --- what they share -------------------------------------------------------------------------


def _from_hub(ask: Callable[[RunningHub], Awaitable[T]]) -> T:
    """What the hub returns; it is started if none runs."""

    async def run() -> T:
        return await ask(remote_hub())

    return asyncio.run(run())


def _from_running_hub(ask: Callable[[RunningHub], Awaitable[T]]) -> T | None:
    """What the hub returns; None if none runs."""

    async def run() -> T | None:
        hub = remote_hub(start=False)
        try:
            await hub.status()  # at once, where there is none
            return await ask(hub)
        except (NoHub, LineLost):
            return None

    return asyncio.run(run())


def _print_status(found: ExtensionStatus) -> None:
    used = found.used
    if found.connected and used is not None:
        print(f"connected: {harmless(used.name)} (Chrome {harmless(used.chrome)})")
        print(f"  extension {harmless(used.version)}, Tabwire {found.version}")
        if used.on is False:
            print("  turned off in its popup")
    elif used is not None:
        print(f"{harmless(used.name)} lost its connection a moment ago and may reconnect")
    else:
        print("not connected")
        if (why := found.why) is not None:
            print(f"  {harmless(why.message)}. {harmless(why.what_to_do)}")
    if found.installs and not found.connected:
        last = max(found.installs, key=lambda install: install.seen_at)
        print(f"  last seen: {harmless(last.name)}, {_moment(last.seen_at)}")
    for waiting in found.asking:
        name = harmless(waiting.name)
        print(f"  {name} is waiting to connect: `tabwire extension use {name}`")
    if (refused := found.last_refused) is not None:
        print(f"  last refused: {harmless(refused.message)}. {harmless(refused.what_to_do)}")
    if found.dropped:
        reasons = ", ".join(f"{harmless(name)} {count}" for name, count in found.dropped.items())
        print(f"  rejected page messages: {reasons}")
    if found.code_seconds:
        print(f"  a pairing code is valid for another {found.code_seconds:.0f} s")


def _moment(seconds: float) -> str:
    return f"{datetime.fromtimestamp(seconds).astimezone():%Y-%m-%d %H:%M}"
