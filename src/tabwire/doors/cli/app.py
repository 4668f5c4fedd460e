"""The list of commands, and the options of `tabwire` itself."""

from collections.abc import Mapping
from typing import Annotated, Any

import typer

from tabwire import __version__
from tabwire.doors.cli.lazy import Group, Table, lazy_commands, lazy_group
from tabwire.model.errors import TabwireError

COMMANDS: Table = {
    "ask": (
        "Ask one or more sites a question and print the verified answers.",
        "tabwire.doors.cli.ask.command:ask",
    ),
    "fetch": (
        "Fetch the answer to an earlier question, without asking again.",
        "tabwire.doors.cli.ask.fetch:fetch",
    ),
    "history": (
        "List, search and show earlier questions, newest first.",
        "tabwire.doors.cli.history:history",
    ),
    "conversations": (
        "List the conversations saved on this machine, newest first.",
        "tabwire.doors.cli.conversations:conversations",
    ),
    "export": (
        "Export a saved conversation to a file.",
        "tabwire.doors.cli.export:export",
    ),
    "login": (
        "Open Tabwire's own browser so that you can log in to a site.",
        "tabwire.doors.cli.browser.login:login",
    ),
    "parse": (
        "Print the conversations found in saved chat traffic.",
        "tabwire.doors.cli.parse:parse",
    ),
    "watch": (
        "Watch a chat tab and report whether each answer is complete.",
        "tabwire.doors.cli.watch:watch",
    ),
    "mcp": (
        "Run the MCP server for an assistant; MCP clients start this (docs/mcp.md).",
        "tabwire.doors.mcp.command:mcp",
    ),
    "tabs": ("List the chat tabs open in the browser.", "tabwire.doors.cli.browser.tabs:tabs"),
    "snapshot": (
        "Save a screenshot of a chat page and a selector report.",
        "tabwire.doors.cli.browser.snapshot:snapshot",
    ),
    "dom": (
        "Show which elements of a chat page match a CSS selector.",
        "tabwire.doors.cli.browser.dom:dom",
    ),
    "doctor": (
        "Check the browser, the profile and each site: reachable, logged in, readable.",
        "tabwire.doors.cli.browser.doctor:doctor",
    ),
    "dashboard": (
        "Open the dashboard: hub, extension, pairing and questions.",
        "tabwire.doors.cli.hub.dashboard:dashboard",
    ),
    "serve": ("Run the hub in the foreground until Ctrl-C.", "tabwire.doors.cli.hub.serve:serve"),
    "status": (
        "Show whether the hub is running and what it is doing.",
        "tabwire.doors.cli.hub.status:status",
    ),
    "stop": (
        "Stop the hub. The next hub resumes unfinished questions.",
        "tabwire.doors.cli.hub.stop:stop",
    ),
    "restart": (
        "Restart the hub with the current settings.",
        "tabwire.doors.cli.hub.stop:restart",
    ),
    "repair": (
        "Restore a damaged database from its last good backup.",
        "tabwire.doors.cli.hub.repair:repair",
    ),
    "logs": ("Show the hub log.", "tabwire.doors.cli.hub.logs:logs"),
    "config": (
        "Show the effective settings and where each value comes from.",
        "tabwire.doors.cli.hub.config:config",
    ),
}

GROUPS: Mapping[str, tuple[str, Table]] = {
    "extension": (
        "Install, pair and inspect the extension that connects your everyday Chrome.",
        {
            "path": (
                "Print the folder to load in chrome://extensions.",
                "tabwire.doors.cli.extension:path",
            ),
            "pair": (
                "Show a pairing code and wait until it is entered in the extension.",
                "tabwire.doors.cli.extension:pair",
            ),
            "status": (
                "Show whether the extension is connected, and if not, why.",
                "tabwire.doors.cli.extension:status",
            ),
            "list": (
                "List the paired extensions, one per browser profile.",
                "tabwire.doors.cli.extension:listed",
            ),
            "dump": (
                "Print the stream dump that the extension recorded.",
                "tabwire.doors.cli.extension:dump",
            ),
            "use": (
                "Switch to this extension when several are paired.",
                "tabwire.doors.cli.extension:use",
            ),
            "forget": (
                "Unpair an extension; its key is revoked immediately.",
                "tabwire.doors.cli.extension:forget",
            ),
        },
    ),
    "guard": (
        "Judge shell commands before they run: allow, ask or deny, with a reason.",
        {
            "check": (
                "Judge a shell command without running it: allow, ask or deny.",
                "tabwire.doors.cli.guard:check",
            ),
            "explain": (
                "Show the parts of a command as a tree, with a verdict for each.",
                "tabwire.doors.cli.guard:explain",
            ),
            "test": (
                "Measure the accuracy of the guard on a labelled file.",
                "tabwire.doors.cli.guard_rules:scored",
            ),
            "rules": (
                "List the built-in rules and your own, and where each comes from.",
                "tabwire.doors.cli.guard_rules:rules",
            ),
            "allow": (
                "Allow a command that the guard would otherwise ask about.",
                "tabwire.doors.cli.guard_rules:allow",
            ),
            "ban": (
                "Deny every command that contains this text or matches this pattern.",
                "tabwire.doors.cli.guard_rules:ban",
            ),
            "forget": ("Remove one of your own rules.", "tabwire.doors.cli.guard_rules:forget"),
            "accept": (
                "Trust the allow rules in a project's guard.toml.",
                "tabwire.doors.cli.guard_rules:accept",
            ),
            "hook": (
                "Judge every tool call of Claude Code, Codex, Gemini CLI or Cursor.",
                "tabwire.doors.cli.guard_hook:hook",
            ),
        },
    ),
    "antigravity": (
        "Monitor and control Antigravity's agent. Off until you turn it on.",
        {
            "on": (
                "Turn on Antigravity support, after a notice about Google's terms.",
                "tabwire.doors.cli.antigravity.command:turn_on",
            ),
            "off": (
                "Turn off Antigravity support: no more monitoring or clicking.",
                "tabwire.doors.cli.antigravity.command:turn_off",
            ),
            "open": (
                "Start Antigravity with a debugging port, unless one is already open.",
                "tabwire.doors.cli.antigravity.command:open_it",
            ),
            "status": (
                "Show the windows of Antigravity and their state.",
                "tabwire.doors.cli.antigravity.command:status",
            ),
            "doctor": (
                "Check the port, each window, and which panel parts are recognized.",
                "tabwire.doors.cli.antigravity.command:doctor",
            ),
            "setup": (
                "Change Antigravity's launchers to start it with a debugging port.",
                "tabwire.doors.cli.antigravity.command:setup",
            ),
            "send": (
                "Send a prompt to the agent once and confirm that it started.",
                "tabwire.doors.cli.antigravity.drive:send",
            ),
            "stop": (
                "Stop the agent and confirm that it stopped.",
                "tabwire.doors.cli.antigravity.drive:stop",
            ),
            "new": (
                "Start a new conversation.",
                "tabwire.doors.cli.antigravity.drive:new",
            ),
            "conversations": (
                "List the conversations of a window.",
                "tabwire.doors.cli.antigravity.drive:conversations",
            ),
            "select": (
                "Open the conversation with this exact name.",
                "tabwire.doors.cli.antigravity.drive:select",
            ),
            "model": (
                "List the models, or select one by its exact name.",
                "tabwire.doors.cli.antigravity.drive:model",
            ),
            "mode": (
                "List the modes of a conversation, or select one.",
                "tabwire.doors.cli.antigravity.drive:mode",
            ),
            "shot": (
                "Save a screenshot of a window, even one in the background.",
                "tabwire.doors.cli.antigravity.drive:shot",
            ),
            "auto": (
                "Approve safe agent steps automatically; stop it; show statistics.",
                "tabwire.doors.cli.antigravity.auto:auto",
            ),
            "approvals": (
                "List the agent steps that wait for your decision.",
                "tabwire.doors.cli.antigravity.auto:approvals",
            ),
            "approve": (
                "Approve a waiting step, after checking that it has not changed.",
                "tabwire.doors.cli.antigravity.auto:approve",
            ),
            "reject": (
                "Reject a waiting step.",
                "tabwire.doors.cli.antigravity.auto:reject",
            ),
            "dump": (
                "Show every text of a panel and how it is classified.",
                "tabwire.doors.cli.antigravity.command:dump",
            ),
        },
    ),
    "sessions": (
        "Show and change which chats belong to which agent.",
        {
            "list": (
                "List known agents and the chats they continue in.",
                "tabwire.doors.cli.sessions:listed",
            ),
            "show": (
                "Show an agent: its client, its folder, and its chat on each site.",
                "tabwire.doors.cli.sessions:shown",
            ),
            "clear": (
                "Forget an agent, or only its chat on one site.",
                "tabwire.doors.cli.sessions:cleared",
            ),
            "import": (
                "Import a sessions.json of chrome-ai-bridge, version 1 or 2.",
                "tabwire.doors.cli.sessions:imported",
            ),
            "export": (
                "Export all agents as a version 2 sessions.json.",
                "tabwire.doors.cli.sessions:exported",
            ),
        },
    ),
}
"""Groups of commands by name: one line of help, and their table."""


def build() -> Any:
    """The `tabwire` command with the commands of doors/cli; the caller may add more."""
    app = typer.Typer(cls=Group, context_settings={"help_option_names": ["-h", "--help"]})
    app.callback()(tabwire)
    group = typer.main.get_group(app)
    for command in lazy_commands(COMMANDS):
        group.add_command(command)
    for name, (text, table) in GROUPS.items():
        group.add_command(lazy_group(name, text, table))
    return group


def tabwire(
    version: Annotated[
        bool,
        typer.Option(
            "--version",
            callback=lambda wanted: _say_version() if wanted else None,
            is_eager=True,
            help="Print the version and exit.",
        ),
    ] = False,
) -> None:
    """Connect the AI chat tabs you already have open to everything else you use."""


def named_error(error: OSError) -> TabwireError | None:
    """An error about a file in Tabwire's home, as one of ours; None for any other file."""
    from tabwire.hub import unusable_home as unusable

    return unusable(error)


def _say_version() -> None:
    typer.echo(f"tabwire {__version__}")
    raise typer.Exit
