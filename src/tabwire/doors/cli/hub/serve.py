"""`tabwire serve`: be the hub."""

import os
import sys
from collections.abc import Coroutine
from typing import Annotated, Any

import typer

from tabwire.hub import HUB_READY as READY
from tabwire.hub import LOG_LEVELS as LEVELS
from tabwire.hub import (
    LOOPBACK,
    Ending,
    ServedHub,
    Sockets,
    log_path,
    run_hub,
    tell_failure,
    told_settings,
)
from tabwire.hub import ToldSettings as Told


def serve(
    port: Annotated[
        str | None,
        typer.Option(metavar="PORT", help="HTTP port on 127.0.0.1; 0 for any free port."),
    ] = None,
    log_level: Annotated[
        str | None, typer.Option(metavar="LEVEL", help=f"Log level: {', '.join(LEVELS)}.")
    ] = None,
    log_file: Annotated[
        str | None, typer.Option(metavar="FILE", help="Log file, instead of logs/hub.log.")
    ] = None,
    on_demand: Annotated[
        bool,
        typer.Option("--on-demand", hidden=True, help="Run in the background until idle."),
    ] = False,
) -> None:
    """Run the hub in the foreground until Ctrl-C.

    The hub is the process that owns the browser, the database and all unfinished questions. It
    starts on demand in the background and exits when idle, so you rarely need this command: use
    it to watch the hub, or to run it as a service.

    Only one hub can run per user: a second one prints the PID of the first and exits with 1.

    Examples:

      tabwire serve

      tabwire serve --log-level debug --port 8800
    """
    if on_demand:
        leave_parent()
    try:
        told = told_settings(port=port, log_level=log_level, log_file=log_file)
        ended = run_hub(
            told,
            open_doors,
            on_demand=on_demand,
            ready=lambda sockets: ready(told, sockets, on_demand=on_demand),
        )
    except Exception as error:
        if on_demand:
            tell_failure(error)
        raise
    if ended.restart:
        restart()


def leave_parent() -> None:
    """Be nobody's child: whoever started us may end, and need not bury us."""
    if hasattr(os, "fork") and os.fork():
        os._exit(0)


def ready(told: Told, sockets: Sockets, *, on_demand: bool) -> None:
    """Doors may knock: say so, then begin the log, whose import takes a while."""
    if on_demand:
        os.write(1, READY)
        nowhere = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nowhere, 1)  # whoever waited for that word may go
        os.close(nowhere)
    from tabwire.hub import open_log

    now = told.settings
    open_log(now.log_level, file=log_path(now), stderr=not on_demand)
    if not on_demand:
        where = f"http://{LOOPBACK}:{sockets.port}"
        print(
            f"hub listening on {where} (pid {os.getpid()}); press Ctrl-C to stop it",
            file=sys.stderr,
        )


def open_doors(hub: ServedHub, sockets: Sockets, ending: Ending) -> list[Coroutine[Any, Any, None]]:
    """The doors of a hub, each of which serves until it is cancelled."""
    from tabwire.doors.http.serving import HttpDoor
    from tabwire.doors.mcp.server import McpDoor

    mcp = McpDoor(hub)
    http = HttpDoor(hub, sockets, ending, mcp=mcp.http_app())
    serving = [http.serve()]
    if sockets.mcp is not None:
        serving.append(mcp.serve_socket(sockets.mcp, sockets.mcp_secret))
    return serving


def restart() -> None:
    """Become a new hub: the same process, started in the same way."""
    sys.stdout.flush()
    sys.stderr.flush()
    os.execv(sys.executable, [sys.executable, *sys.orig_argv[1:]])
