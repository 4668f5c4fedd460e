"""`tabwire status`: does the hub run, and what does it do."""

import asyncio
import sys
from datetime import datetime
from pathlib import Path
from typing import Annotated

import msgspec
import typer

from tabwire.config.home import home
from tabwire.config.settings import log_path, settings
from tabwire.hub.process.lock import holder
from tabwire.hub.remote.connection import LineLost, NoHub
from tabwire.hub.remote.hub import HubStatus, RemoteHub
from tabwire.model.exits import FAILED


def status(
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON object.")] = False,
) -> None:
    """Say whether the hub runs, and what it does.

    Looks only: no hub is started. Exit code 0: it runs and answers. 1: there is none, or it
    does not answer.

    Examples:

      tabwire status

      tabwire status --json
    """
    log = log_path(settings())  # a setting that cannot be meant is said even while nothing runs
    found = holder()
    told: HubStatus | None = None
    try:
        told = asyncio.run(RemoteHub(start=False).status())
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
        print(f"a hub is there (pid {found.pid or 'not known'}), but it does not answer")
    else:
        print("no hub runs; it starts by itself when it is needed")
    if told is None:
        raise typer.Exit(FAILED)


def _print(told: HubStatus, log: Path) -> None:
    since = datetime.fromtimestamp(told.started_at).astimezone()
    print(f"the hub runs (pid {told.pid}, version {told.version}) since {since:%Y-%m-%d %H:%M:%S}")
    print(f"  address   http://127.0.0.1:{told.port}")
    print(f"  home      {told.home}")
    print(f"  log       {log}")
    print(f"  clients   {told.guests}")
    print(f"  questions under way: {len(told.working)}")
    for one in told.working:
        print(f"    {one['id']}  {one['site']}")
