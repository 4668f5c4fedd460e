"""The list of commands, and the options of `tabwire` itself."""

from collections.abc import Mapping
from typing import Annotated, Any

import typer

from tabwire import __version__
from tabwire.doors.cli.lazy import Table, lazy_commands, lazy_group
from tabwire.model.errors import TabwireError

COMMANDS: Table = {
    "ask": (
        "Ask a question in real tabs and bring back the proven answers.",
        "tabwire.doors.cli.ask.command:ask",
    ),
    "fetch": (
        "Fetch the answer to a question that was asked before.",
        "tabwire.doors.cli.ask.fetch:fetch",
    ),
    "history": (
        "List, search and show what was asked before, the newest first.",
        "tabwire.doors.cli.history:history",
    ),
    "conversations": (
        "List the conversations that are kept on this machine, the newest first.",
        "tabwire.doors.cli.conversations:conversations",
    ),
    "export": (
        "Write one kept conversation to a file.",
        "tabwire.doors.cli.export:export",
    ),
    "login": (
        "Open a window of Tabwire's own browser, to log in at a site once.",
        "tabwire.doors.cli.browser.login:login",
    ),
    "parse": (
        "Read saved chat traffic and print the conversations in it.",
        "tabwire.doors.cli.parse:parse",
    ),
    "watch": (
        "Follow a chat tab and tell what its answers are worth.",
        "tabwire.doors.cli.watch:watch",
    ),
    "mcp": (
        "Serve MCP to an assistant; its client starts this (docs/mcp.md).",
        "tabwire.doors.mcp.command:mcp",
    ),
    "tabs": ("List the chat tabs of the browser.", "tabwire.doors.cli.browser.tabs:tabs"),
    "snapshot": (
        "Keep a picture of a chat page and of how our selectors do on it.",
        "tabwire.doors.cli.browser.snapshot:snapshot",
    ),
    "dom": (
        "Show which elements of a chat page a CSS selector finds.",
        "tabwire.doors.cli.browser.dom:dom",
    ),
    "doctor": (
        "Check the browser, the profile, and each site: reached, logged in, readable.",
        "tabwire.doors.cli.browser.doctor:doctor",
    ),
    "dashboard": (
        "Open the dashboard in your browser: the hub, the extension, pairing, questions.",
        "tabwire.doors.cli.hub.dashboard:dashboard",
    ),
    "serve": ("Run the hub here, until Ctrl-C.", "tabwire.doors.cli.hub.serve:serve"),
    "status": (
        "Say whether the hub runs, and what it does.",
        "tabwire.doors.cli.hub.status:status",
    ),
    "stop": ("End the hub; questions under way are not lost.", "tabwire.doors.cli.hub.stop:stop"),
    "restart": (
        "End the hub and start it anew, with the settings as they are now.",
        "tabwire.doors.cli.hub.stop:restart",
    ),
    "repair": (
        "Set a damaged store aside and put its last good copy in its place.",
        "tabwire.doors.cli.hub.repair:repair",
    ),
    "logs": ("Show what the hub wrote down.", "tabwire.doors.cli.hub.logs:logs"),
    "config": (
        "Show every setting that holds now, and where it came from.",
        "tabwire.doors.cli.hub.config:config",
    ),
}

GROUPS: Mapping[str, tuple[str, Table]] = {
    "extension": (
        "Use your everyday Chrome: install and pair Tabwire's extension, and see how it is.",
        {
            "path": (
                "Print the folder to load in chrome://extensions.",
                "tabwire.doors.cli.extension:path",
            ),
            "pair": (
                "Show a code to type in the extension, and wait until it is typed.",
                "tabwire.doors.cli.extension:pair",
            ),
            "status": (
                "Say whether the extension is connected, and if not, why.",
                "tabwire.doors.cli.extension:status",
            ),
            "list": (
                "List the extensions that are paired, one per browser profile.",
                "tabwire.doors.cli.extension:listed",
            ),
            "dump": (
                "Print what went by in the pages, where that was switched on.",
                "tabwire.doors.cli.extension:dump",
            ),
            "use": (
                "Use this extension from now on, where several are paired.",
                "tabwire.doors.cli.extension:use",
            ),
            "forget": (
                "Forget an extension: its key is void at once.",
                "tabwire.doors.cli.extension:forget",
            ),
        },
    ),
    "guard": (
        "Judge a command before anyone clicks: allow, ask or deny, and why.",
        {
            "check": (
                "Judge a command: allow, ask or deny, and why.",
                "tabwire.doors.cli.guard:check",
            ),
            "explain": (
                "Draw the tree of a command, with a verdict for each part.",
                "tabwire.doors.cli.guard:explain",
            ),
            "test": ("Score the guard on a labelled file.", "tabwire.doors.cli.guard_rules:scored"),
            "rules": (
                "List the built-in rules and your own, with where each comes from.",
                "tabwire.doors.cli.guard_rules:rules",
            ),
            "allow": (
                "Let a command pass that would be asked about.",
                "tabwire.doors.cli.guard_rules:allow",
            ),
            "ban": (
                "Never click what has this text, or matches this pattern.",
                "tabwire.doors.cli.guard_rules:ban",
            ),
            "forget": ("Remove a rule of your own.", "tabwire.doors.cli.guard_rules:forget"),
            "accept": (
                "Let the allow rules of a project's own file hold.",
                "tabwire.doors.cli.guard_rules:accept",
            ),
            "hook": (
                "Judge every tool call of Claude Code, Codex, Gemini CLI or Cursor.",
                "tabwire.doors.cli.guard_hook:hook",
            ),
        },
    ),
    "antigravity": (
        "Follow and drive the agent of Antigravity. Off until you switch it on.",
        {
            "on": (
                "Let Tabwire follow and drive Antigravity, after a sentence on Google's terms.",
                "tabwire.doors.cli.antigravity.command:turn_on",
            ),
            "off": (
                "Let go of Antigravity: nothing is followed, driven or clicked any more.",
                "tabwire.doors.cli.antigravity.command:turn_off",
            ),
            "open": (
                "Start Antigravity with a debugging port, where it does not listen already.",
                "tabwire.doors.cli.antigravity.command:open_it",
            ),
            "status": (
                "Show the windows of Antigravity, and what each does.",
                "tabwire.doors.cli.antigravity.command:status",
            ),
            "doctor": (
                "Check the port, each window, and which parts of its panel are recognised.",
                "tabwire.doors.cli.antigravity.command:doctor",
            ),
            "setup": (
                "Make Antigravity's start entries open it with a debugging port.",
                "tabwire.doors.cli.antigravity.command:setup",
            ),
            "send": (
                "Send a prompt to the agent, once, and see that its turn began.",
                "tabwire.doors.cli.antigravity.drive:send",
            ),
            "stop": (
                "Stop the agent, and see that it stopped.",
                "tabwire.doors.cli.antigravity.drive:stop",
            ),
            "new": (
                "Begin an empty conversation.",
                "tabwire.doors.cli.antigravity.drive:new",
            ),
            "conversations": (
                "List the conversations that a window offers.",
                "tabwire.doors.cli.antigravity.drive:conversations",
            ),
            "select": (
                "Open the conversation of exactly this name.",
                "tabwire.doors.cli.antigravity.drive:select",
            ),
            "model": (
                "Show the models, or choose the one of exactly this name.",
                "tabwire.doors.cli.antigravity.drive:model",
            ),
            "mode": (
                "Show the modes of a conversation, or choose one.",
                "tabwire.doors.cli.antigravity.drive:mode",
            ),
            "shot": (
                "Take a picture of a window, also of one that is not in front.",
                "tabwire.doors.cli.antigravity.drive:shot",
            ),
            "auto": (
                "Let safe steps of the agent go on by themselves; stop it; see what it did.",
                "tabwire.doors.cli.antigravity.auto:auto",
            ),
            "approvals": (
                "List what the agent wants to do and a person has to say.",
                "tabwire.doors.cli.antigravity.auto:approvals",
            ),
            "approve": (
                "Say yes to one of them; the card is read again first.",
                "tabwire.doors.cli.antigravity.auto:approve",
            ),
            "reject": (
                "Say no to one of them.",
                "tabwire.doors.cli.antigravity.auto:reject",
            ),
            "dump": (
                "Show every text of a panel, and how each is taken.",
                "tabwire.doors.cli.antigravity.command:dump",
            ),
        },
    ),
    "sessions": (
        "See and change which chats belong to which agent.",
        {
            "list": (
                "List the agents that are remembered, and where each goes on.",
                "tabwire.doors.cli.sessions:listed",
            ),
            "show": (
                "Show one agent: its client, its folder, and its chat at each site.",
                "tabwire.doors.cli.sessions:shown",
            ),
            "clear": (
                "Forget an agent, or its chat at one site.",
                "tabwire.doors.cli.sessions:cleared",
            ),
            "import": (
                "Import the sessions.json of chrome-ai-bridge, version 1 or 2.",
                "tabwire.doors.cli.sessions:imported",
            ),
            "export": (
                "Export all agents as a sessions.json of version 2.",
                "tabwire.doors.cli.sessions:exported",
            ),
        },
    ),
}
"""Commands that have commands of their own, by name: one line of help, and their table."""


def build() -> Any:
    """The `tabwire` command with the doors' commands; whoever calls may add more."""
    app = typer.Typer(context_settings={"help_option_names": ["-h", "--help"]})
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
            help="Print the version and leave.",
        ),
    ] = False,
) -> None:
    """Wire the AI chat tabs you already have open to everything else you use."""


def named_error(error: OSError) -> TabwireError | None:
    """What the system said of a file in Tabwire's home, in words; None of any other file."""
    from tabwire.config.home import unusable

    return unusable(error)


def _say_version() -> None:
    typer.echo(f"tabwire {__version__}")
    raise typer.Exit
