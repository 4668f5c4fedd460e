"""`tabwire antigravity send` and its like: act in one window."""

import asyncio
import sys
from pathlib import Path
from typing import Annotated

import typer

from tabwire.doors.cli import json_lines
from tabwire.doors.cli.antigravity.option import JSON, WINDOW
from tabwire.doors.cli.old_options import hint
from tabwire.doors.cli.safe_text import harmless
from tabwire.hub import What, remote_hub
from tabwire.model.exits import COMPLETE


def send(
    prompt: Annotated[
        str, typer.Argument(metavar="PROMPT", help="Prompt to send; - reads standard input.")
    ],
    window: WINDOW = "",
    conversation: Annotated[
        str,
        typer.Option(
            "--conversation",
            "-c",
            metavar="NAME",
            help="Open the conversation with this exact name first.",
        ),
    ] = "",
    files: Annotated[
        list[Path] | None, typer.Option("--file", metavar="FILE", help="Attach a file.")
    ] = None,
    force: Annotated[
        bool, typer.Option("--force", help="Send even if the quota of the model is used up.")
    ] = False,
    as_json: JSON = False,
) -> None:
    """Send a prompt to the agent once and confirm that it started.

    A draft in the input field is restored afterwards. Never sends while the agent is working or
    waiting for a decision. Does not wait for the answer; use `tabwire watch antigravity` for that.

    Exit codes: 0 the agent started, 1 not sent, 2 no such window or conversation, 3 unknown
    whether it was sent, 4 not turned on, 5 the quota of the model is used up.

    Examples:

      tabwire antigravity send "Fix the failing test"

      tabwire antigravity send -c "Fix login" --file shot.png "What is wrong here?"
    """
    text = sys.stdin.read() if prompt == "-" else prompt
    spot, sent = asyncio.run(
        remote_hub(start=False).agents.windows.send(
            text, window, conversation=conversation, files=files or (), anyway=force
        )
    )
    if as_json:
        about = {"window": spot.name, "conversation": sent.conversation, "how": sent.how}
        json_lines.write([about | {"draft_restored": sent.draft, "files": sent.files}])
        return
    draft = "; your draft was restored" if sent.draft else ""
    print(harmless(f"sent in {spot.name}, conversation {sent.conversation or 'new'}{draft}"))


def stop(window: WINDOW = "", as_json: JSON = False) -> None:
    """Stop the agent and confirm that it stopped.

    Exit codes: 0 stopped, or nothing was running, 1 did not stop, 4 not turned on.

    Example:

      tabwire antigravity stop
    """
    spot, stopped = asyncio.run(remote_hub(start=False).agents.windows.stop(window))
    said = "stopped" if stopped else "nothing was running"
    _say(as_json, {"window": spot.name, "stopped": stopped}, said)


def new(
    window: WINDOW = "",
    force: Annotated[
        bool,
        typer.Option(
            "--force", help="Even while the agent is working; it continues in the background."
        ),
    ] = False,
    as_json: JSON = False,
) -> None:
    """Start a new conversation.

    Exit codes: 0 the panel shows an empty conversation, 1 it does not, or the agent is busy,
    4 not turned on.

    Example:

      tabwire antigravity new
    """
    spot, begun = asyncio.run(
        remote_hub(start=False).agents.windows.new_chat(window, leave_running=force)
    )
    said = "started a new conversation" if begun else "the conversation is already empty"
    _say(as_json, {"window": spot.name, "begun": begun}, said)


def conversations(
    window: WINDOW = "",
    as_json: Annotated[
        bool, typer.Option("--json", help="Print JSON Lines, one object per conversation.")
    ] = False,
) -> None:
    """List the conversations of a window.

    Exit codes: 0 listed, 1 the window has no list, 4 not turned on.

    Example:

      tabwire antigravity conversations --json
    """
    _, found = asyncio.run(remote_hub(start=False).agents.windows.conversations(window))
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
    name: Annotated[str, typer.Argument(metavar="NAME", help="Exact name of the conversation.")],
    window: WINDOW = "",
    as_json: JSON = False,
) -> None:
    """Open the conversation with this exact name.

    Exit codes: 0 it is open, 1 it did not open, or the agent is busy in another one, 2 no
    conversation or several have this name, 4 not turned on.

    Example:

      tabwire antigravity select "Fix login"
    """
    spot = asyncio.run(remote_hub(start=False).agents.windows.select(name, window))
    _say(as_json, {"window": spot.name, "conversation": name}, f"open: {name}")


def model(
    name: Annotated[
        str,
        typer.Argument(metavar="NAME", help="Exact name of the model. Default: list the models."),
    ] = "",
    window: WINDOW = "",
    as_json: JSON = False,
) -> None:
    """List the models, or select one by its exact name.

    Exit codes: 0 listed, or selected and verified, 1 could not be selected, 2 no such model,
    4 not turned on.

    Examples:

      tabwire antigravity model

      tabwire antigravity model "Gemini 3 Flash"
    """
    _pick("model", name, window, as_json)


def mode(
    name: Annotated[
        str, typer.Argument(metavar="NAME", help="Fast or Planning. Default: list the modes.")
    ] = "",
    window: WINDOW = "",
    as_json: JSON = False,
) -> None:
    """List the modes of a conversation, or select one.

    Exit codes: 0 listed, or selected and verified, 1 could not be selected, or this panel has no
    modes, 2 no such mode, 4 not turned on.

    Example:

      tabwire antigravity mode Planning
    """
    _pick("mode", name, window, as_json)


def _pick(what: str, name: str, window: str, as_json: bool) -> None:
    windows = remote_hub(start=False).agents.windows
    kind: What = "model" if what == "model" else "mode"
    if name:
        spot, chosen = asyncio.run(windows.choose(kind, name, window))
        _say(as_json, {"window": spot.name, what: chosen}, f"{what}: {chosen}")
        return
    spot, now, names = asyncio.run(windows.choices(kind, window))
    if as_json:
        json_lines.write([{"window": spot.name, what: now, f"{what}s": names}])
        return
    for one in names:
        print(harmless(f"{'*' if one == now else ' '} {one}"))


def shot(
    out: Annotated[
        Path, typer.Option("--out", metavar="FILE", dir_okay=False, help="The PNG file to write.")
    ] = Path("antigravity.png"),
    window: WINDOW = "",
    as_json: JSON = False,
    file: Annotated[Path | None, typer.Argument(dir_okay=False, hidden=True)] = None,
) -> None:
    """Save a screenshot of a window, even one in the background.

    Exit codes: 0 written, 1 no screenshot could be taken, 4 not turned on.

    Example:

      tabwire antigravity shot --out panel.png
    """
    if file is not None:
        hint("FILE", "--out FILE")
        out = file
    spot, data = asyncio.run(remote_hub(start=False).agents.windows.screenshot(window))
    out.write_bytes(data)
    _say(as_json, {"window": spot.name, "file": str(out), "bytes": len(data)}, f"written: {out}")


def _say(as_json: bool, about: dict[str, object], words: str) -> None:
    if as_json:
        json_lines.write([about])
    else:
        print(harmless(words))
    raise typer.Exit(COMPLETE)
