"""`tabwire mcp --help`. The command itself never gets here: __main__ leads to the pump."""


def mcp() -> None:
    """Run the MCP server for an assistant; MCP clients start this (docs/mcp.md).

    Talks MCP over stdin and stdout, so it is not meant to be run by hand. Put it into the
    configuration of your MCP client as docs/mcp.md shows: command `tabwire`, argument `mcp`.
    Starts the hub if necessary and reconnects when the hub restarts.
    """
    from tabwire.doors.mcp.pump import main

    raise SystemExit(main())
