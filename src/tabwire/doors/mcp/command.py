"""`tabwire mcp --help`. The command itself never gets here: __main__ leads to the pump."""


def mcp() -> None:
    """Serve MCP to an assistant; its client starts this (docs/mcp.md).

    Not for typing: it speaks over stdin and stdout. Put this into the client's configuration, as
    docs/mcp.md shows for each: the command is `tabwire`, its one argument `mcp`. It starts the
    hub if none runs, and finds it again if it is restarted.
    """
    from tabwire.doors.mcp.pump import main

    raise SystemExit(main())
