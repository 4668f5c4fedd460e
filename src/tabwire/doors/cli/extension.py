"""`tabwire extension`: everyday Chrome, through the extension."""

import asyncio
import sys
from collections.abc import Awaitable, Callable
from datetime import datetime
from typing import Annotated, Any

import typer

from tabwire.doors.cli.json_lines import write
from tabwire.doors.cli.safe_text import harmless
from tabwire.hub.relay.extension_files import extension_folder, extension_version
from tabwire.hub.remote.connection import LineLost, NoHub
from tabwire.hub.remote.hub import RemoteHub
from tabwire.model.exits import FAILED

JSON = Annotated[bool, typer.Option("--json", help="Print JSON.")]
NAME = Annotated[
    str, typer.Argument(metavar="NAME", help="As `tabwire extension list` shows it: chrome-3f9a.")
]


def path(as_json: JSON = False) -> None:
    """Print the folder to load in chrome://extensions.

    Open chrome://extensions, switch Developer mode on, press "Load unpacked" and choose this
    folder. Then pair it once: `tabwire extension pair`. After an update of Tabwire press the
    reload button of the extension there.

    Examples:

      tabwire extension path
    """
    folder = extension_folder()
    if as_json:
        write([{"path": str(folder), "version": extension_version()}])
    else:
        print(folder)


def pair(as_json: JSON = False) -> None:
    """Show a code to type in the extension, and wait until it is typed.

    The page for it opens by itself when the extension finds a hub it does not know, and with a
    click on its icon. The code lives five minutes and can be used once; both sides keep a long
    key from then on, so this is done once for each browser profile. Ten wrong codes lock pairing
    for ten minutes.

    With --json two objects are printed, each on its line: the code, then who typed it.

    Exit code 0: paired. 1: nobody typed the code in time, or it could not be shown.

    Examples:

      tabwire extension pair
    """

    async def run() -> int:
        hub = RemoteHub()
        shown = await hub.pair_extension()
        if as_json:
            write([shown])
            sys.stdout.flush()
        else:
            print(f"code: {shown['code']}", flush=True)
            minutes = f"{shown['seconds'] / 60:.0f} min"
            print(f"Type it in the extension's page within {minutes}.", file=sys.stderr, flush=True)
            if (problem := shown.get("problem")) is not None:
                print(f"tabwire: {problem['message']}\n{problem['what_to_do']}", file=sys.stderr)
                sys.stderr.flush()
        while True:
            told = await hub.paired_extension()
            if told["paired"] or not told["waiting"]:
                break
        if as_json:
            write([told])
        elif told["paired"]:
            print(f"paired: {harmless(told['paired'])}")
        else:
            print("tabwire: the code was not typed in time, or guessed wrong", file=sys.stderr)
            print("Run `tabwire extension pair` for a new one.", file=sys.stderr)
        return 0 if told["paired"] else FAILED

    raise typer.Exit(asyncio.run(run()))


def status(as_json: JSON = False) -> None:
    """Say whether the extension is connected, and if not, why.

    Looks only: no hub is started, and without a hub nothing is connected.

    Exit code 0: connected. 1: not.

    Examples:

      tabwire extension status --json
    """
    told = _asked(lambda hub: hub.extensions(), start=False)
    if as_json:
        about = {"running": told is not None, "connected": False, "ours": extension_version()}
        write([{**about, **(told or {})}])
    elif told is None:
        print("no hub runs, so no extension is connected; it starts by itself when it is needed")
    else:
        _print_status(told)
    raise typer.Exit(0 if told is not None and told["connected"] else FAILED)


def listed(
    as_json: Annotated[
        bool, typer.Option("--json", help="Print JSON Lines, one object per extension.")
    ] = False,
) -> None:
    """List the extensions that are paired, one per browser profile.

    One is used at a time. Another that wants to connect is told so, and stands here as waiting;
    `tabwire extension use NAME` changes to it.

    Examples:

      tabwire extension list --json
    """
    told = _asked(lambda hub: hub.extensions())
    assert told is not None
    if as_json:
        write(told["installs"])
        return
    asking = {one["name"] for one in told["asking"]}
    for one in told["installs"]:
        state = "connected" if one["connected"] else "waiting" if one["name"] in asking else "away"
        seen = f"seen {_moment(one['seen_at'])}" if one["seen_at"] else "never seen"
        about = f"Chrome {harmless(one['chrome'])}, version {harmless(one['version'])}, {seen}"
        print(f"{harmless(one['name']):<16} {state:<10} {about}")
    if not told["installs"]:
        print("no extension is paired: `tabwire extension pair`", file=sys.stderr)


def dump(
    as_json: Annotated[
        bool, typer.Option("--json", help="Print JSON Lines, one object per frame.")
    ] = False,
) -> None:
    """Print what went by in the pages: when, which piece, how large. No content.

    Switch "Stream dump" on in the extension's options first, then do what goes wrong. The hub
    remembers the newest 2,000 pieces until it ends. Looks only: no hub is started.

    Exit code 0, also where nothing was dumped.

    Examples:

      tabwire extension dump --json > dump.jsonl
    """
    told = _asked(lambda hub: hub.extension_dump(), start=False)
    frames = told["frames"] if told is not None else []
    if as_json:
        write(frames)
        return
    for one in frames:
        at = datetime.fromtimestamp(one["at"]).astimezone()
        about = f"{harmless(one['frame']):<6} {one['size']:>10,}  {harmless(one['attempt'])}"
        print(f"{at:%H:%M:%S.%f}  {about}")
    if not frames:
        print('nothing was dumped: switch "Stream dump" on in the options', file=sys.stderr)


def use(name: NAME, as_json: JSON = False) -> None:
    """Use this extension from now on, where several are paired.

    The one that is connected is sent away, and this one is let in as soon as it asks again, which
    takes it up to half a minute.

    Examples:

      tabwire extension use chrome-3f9a
    """
    told = _asked(lambda hub: hub.use_extension(name))
    _say(told, as_json, "used from now on")


def forget(name: NAME, as_json: JSON = False) -> None:
    """Forget an extension: its key is void at once.

    It is sent away, and has to be paired anew before it is let in again.

    Examples:

      tabwire extension forget chrome-3f9a
    """
    told = _asked(lambda hub: hub.forget_extension(name))
    _say(told, as_json, "forgotten")


# --- what they share -------------------------------------------------------------------------


def _asked(
    ask: Callable[[RemoteHub], Awaitable[dict[str, Any]]], *, start: bool = True
) -> dict[str, Any] | None:
    """What the hub says; None where none runs and none is started."""

    async def run() -> dict[str, Any] | None:
        hub = RemoteHub(start=start)
        if start:
            return await ask(hub)
        try:
            await hub.status()  # at once, where there is none
            return await ask(hub)
        except (NoHub, LineLost):
            return None

    return asyncio.run(run())


def _say(told: dict[str, Any] | None, as_json: bool, words: str) -> None:
    assert told is not None
    if as_json:
        write([told])
    else:
        (name,) = told.values()
        print(f"{words}: {harmless(str(name))}")


def _print_status(told: dict[str, Any]) -> None:
    used = told["used"]
    if told["connected"]:
        print(f"connected: {harmless(used['name'])} (Chrome {harmless(used['chrome'])})")
        print(f"  extension {harmless(used['version'])}, Tabwire {told['version']}")
        if used.get("on") is False:
            print("  switched off in its popup")
    elif used is not None:
        print(f"{harmless(used['name'])} was cut off a moment ago; it may come back")
    else:
        print("not connected")
        if (why := told.get("why")) is not None:
            print(f"  {harmless(why['message'])}. {harmless(why['what_to_do'])}")
    if told["installs"] and not told["connected"]:
        last = max(told["installs"], key=lambda one: one["seen_at"])
        print(f"  last seen: {harmless(last['name'])}, {_moment(last['seen_at'])}")
    for one in told["asking"]:
        name = harmless(one["name"])
        print(f"  {name} wants to connect too: `tabwire extension use {name}`")
    if (refused := told["last_refused"]) is not None:
        print(f"  last refused: {harmless(refused['message'])}. {harmless(refused['what_to_do'])}")
    if dropped := told.get("dropped"):
        reasons = ", ".join(f"{harmless(name)} {count}" for name, count in dropped.items())
        print(f"  messages of pages that were not taken: {reasons}")
    if told["code_seconds"]:
        print(f"  a code is shown for another {told['code_seconds']:.0f} s")


def _moment(seconds: float) -> str:
    return f"{datetime.fromtimestamp(seconds).astimezone():%Y-%m-%d %H:%M}"
