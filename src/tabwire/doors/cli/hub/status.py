"""`tabwire status`: does the hub run, and what does it do."""

import asyncio
import sys
from datetime import datetime
from pathlib import Path
from typing import Annotated

import msgspec
import typer

from tabwire.hub import HubStatus, LineLost, NoHub, log_path, remote_hub, settings
from tabwire.hub import home_folder as home
from tabwire.hub import hub_holder as holder
from tabwire.model.exits import FAILED


def status(
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON object.")] = False,
) -> None:
    """Show whether the hub is running and what it is doing.

    Read-only: does not start a hub.

    Exit codes: 0 it is running, 1 it is not running or does not respond.

    Examples:

      tabwire status

      tabwire status --json
    """
    log = log_path(settings())  # an invalid setting is said even while nothing runs
    found = holder()
    told: HubStatus | None = None
    try:
        told = asyncio.run(remote_hub(start=False).status())
    except (NoHub, LineLost):
        told = None
    if as_json:
        about = {"running": told is not None, "pid": found.pid if found else None, "home": home()}
        about |= {"log": log}
        about |= msgspec.to_builtins(told) if told is not None else {}
        sys.stdout.buffer.write(msgspec.json.encode(about, enc_hook=str) + b"\n")
    elif told is not None:
        _print(told, log)
    elif found is not None:
        print(f"the hub (pid {found.pid or 'unknown'}) is not responding")
    else:
        print("the hub is not running; it starts on demand")
    if told is None:
        raise typer.Exit(FAILED)


def _print(told: HubStatus, log: Path) -> None:
    since = datetime.fromtimestamp(told.started_at).astimezone()
    print(f"hub running (pid {told.pid}, version {told.version}) since {since:%Y-%m-%d %H:%M:%S}")
    print(f"  address   http://127.0.0.1:{told.port}")
    print(f"  home      {told.home}")
    print(f"  log       {log}")
    print(f"  clients   {told.guests}")
    print(f"  questions in progress: {len(told.working)}")
    for job in told.working:
        print(f"    {job.id}  {job.site}")
