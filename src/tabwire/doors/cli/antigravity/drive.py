"""`tabwire antigravity send` and its like: act in one window."""

import asyncio
import sys
from pathlib import Path
from typing import Annotated

import typer

from tabwire.doors.cli import json_lines
from tabwire.doors.cli.antigravity.command import JSON, WINDOW
from tabwire.doors.cli.safe_text import harmless
from tabwire.model.exits import COMPLETE


def send(
    prompt: Annotated[
        str, typer.Argument(metavar="PROMPT", help="What to send; - reads standard input.")
    ],
    window: WINDOW = "",
    conversation: Annotated[
        str,
        typer.Option(
            "--conversation",
            "-c",
            metavar="NAME",
            help="Open the conversation of exactly this name first.",
        ),
    ] = "",
    files: Annotated[
        list[Path] | None, typer.Option("--file", "-f", metavar="FILE", help="Attach a file.")
    ] = None,
    anyway: Annotated[
        bool, typer.Option("--anyway", help="Also where the model in use is known to be used up.")
    ] = False,
    as_json: JSON = False,
) -> None:
    """Send a prompt to the agent, once, and see that its turn began.

    What stands half-typed in the composer is put back afterwards. A prompt is never sent while
    the agent works or asks. Does not wait for the answer: `tabwire watch antigravity` tells it.

    Exit code 0: its turn began. 1: it was not sent. 2: no such window or conversation. 3: nobody
    knows whether it was sent. 4: not switched on. 5: the model in use is used up.

    Examples:

      tabwire antigravity send "Fix the failing test"

      tabwire antigravity send -c "Fix login" -f shot.png "What is wrong here?"
    """
    from tabwire.hub.agents.windows import send as sends

    text = sys.stdin.read() if prompt == "-" else prompt
    spot, sent = asyncio.run(
        sends(text, window, conversation=conversation, files=files or (), anyway=anyway)
    )
    if as_json:
        about = {"window": spot.name, "conversation": sent.conversation, "how": sent.how}
        json_lines.write([about | {"draft_restored": sent.draft, "files": sent.files}])
        return
    draft = "; your draft stands in the composer again" if sent.draft else ""
    print(harmless(f"sent in {spot.name}, conversation {sent.conversation or 'new'}{draft}"))


def stop(window: WINDOW = "", as_json: JSON = False) -> None:
    """Stop the agent, and see that it stopped.

    Exit code 0: it stopped, or nothing ran. 1: it did not stop. 4: not switched on.

    Example:

      tabwire antigravity stop
    """
    from tabwire.hub.agents.windows import stop as stops

    spot, stopped = asyncio.run(stops(window))
    said = "stopped" if stopped else "nothing ran"
    _say(as_json, {"window": spot.name, "stopped": stopped}, said)


def new(
    window: WINDOW = "",
    force: Annotated[
        bool, typer.Option("--force", help="Also while the agent works; it goes on out of sight.")
    ] = False,
    as_json: JSON = False,
) -> None:
    """Begin an empty conversation.

    Exit code 0: the panel shows an empty one. 1: it does not, or the agent is busy. 4: not
    switched on.

    Example:

      tabwire antigravity new
    """
    from tabwire.hub.agents.windows import new_chat

    spot, begun = asyncio.run(new_chat(window, leave_running=force))
    said = "a new conversation" if begun else "it is empty already"
    _say(as_json, {"window": spot.name, "begun": begun}, said)


def conversations(window: WINDOW = "", as_json: JSON = False) -> None:
    """List the conversations that a window offers.

    Exit code 0: listed. 1: the window has no list. 4: not switched on.

    Example:

      tabwire antigravity conversations --json
    """
    from tabwire.hub.agents.windows import conversations as lists

    _, found = asyncio.run(lists(window))
    rows = [
        {"name": one.name, "when": one.when, "here": one.here, "open": one.active} for one in found
    ]
    if as_json:
        json_lines.write(rows)
        return
    for row in rows:
        mark = "*" if row["open"] else " "
        elsewhere = "" if row["here"] else "  (another workspace)"
        print(harmless(f"{mark} {row['name']}  {row['when']}{elsewhere}"))


def select(
    name: Annotated[str, typer.Argument(metavar="NAME", help="Exactly as it is called.")],
    window: WINDOW = "",
    as_json: JSON = False,
) -> None:
    """Open the conversation of exactly this name, and see that it is open.

    Exit code 0: it is open. 2: none is called so, or several are; nothing was opened. 1: it did
    not open, or the agent is busy in another one. 4: not switched on.

    Example:

      tabwire antigravity select "Fix login"
    """
    from tabwire.hub.agents.windows import select as selects

    spot = asyncio.run(selects(name, window))
    _say(as_json, {"window": spot.name, "conversation": name}, f"open: {name}")


def model(
    name: Annotated[
        str, typer.Argument(metavar="[NAME]", help="Exactly as it is called; none: list them.")
    ] = "",
    window: WINDOW = "",
    as_json: JSON = False,
) -> None:
    """Show the models, or choose the one of exactly this name.

    Exit code 0: shown, or chosen and read back. 2: none is called so. 1: it was not taken. 4: not
    switched on.

    Examples:

      tabwire antigravity model

      tabwire antigravity model "Gemini 3 Flash"
    """
    _pick("model", name, window, as_json)


def mode(
    name: Annotated[
        str, typer.Argument(metavar="[NAME]", help="Fast or Planning; none: list them.")
    ] = "",
    window: WINDOW = "",
    as_json: JSON = False,
) -> None:
    """Show the modes of a conversation, or choose one.

    Exit code 0: shown, or chosen and read back. 2: none is called so. 1: it was not taken, or this
    panel has no modes. 4: not switched on.

    Example:

      tabwire antigravity mode Planning
    """
    _pick("mode", name, window, as_json)


def _pick(what: str, name: str, window: str, as_json: bool) -> None:
    from tabwire.hub.agents.windows import What, choices, choose_one

    kind: What = "model" if what == "model" else "mode"
    if name:
        spot, chosen = asyncio.run(choose_one(kind, name, window))
        _say(as_json, {"window": spot.name, what: chosen}, f"{what}: {chosen}")
        return
    spot, now, names = asyncio.run(choices(kind, window))
    if as_json:
        json_lines.write([{"window": spot.name, what: now, f"{what}s": names}])
        return
    for one in names:
        print(harmless(f"{'*' if one == now else ' '} {one}"))


def shot(
    file: Annotated[
        Path, typer.Argument(metavar="FILE", dir_okay=False, help="The PNG to write.")
    ] = Path("antigravity.png"),
    window: WINDOW = "",
    as_json: JSON = False,
) -> None:
    """Take a picture of a window, also of one that is not in front.

    Exit code 0: written. 1: it could not be taken. 4: not switched on.

    Example:

      tabwire antigravity shot panel.png
    """
    from tabwire.hub.agents.windows import picture

    spot, data = asyncio.run(picture(window))
    file.write_bytes(data)
    _say(as_json, {"window": spot.name, "file": str(file), "bytes": len(data)}, f"written: {file}")


def _say(as_json: bool, about: dict[str, object], words: str) -> None:
    if as_json:
        json_lines.write([about])
    else:
        print(harmless(words))
    raise typer.Exit(COMPLETE)
