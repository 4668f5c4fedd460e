"""The entries of the guard in each assistant's configuration: data in, data out.

An assistant's file is read as JSON and only the guard's entries in it are touched: other hooks,
unknown keys and their order stay as they are.
"""

import json
import re
from collections.abc import Iterator

Json = dict[str, object]

SECONDS = 10
"""After that an assistant gives up waiting. The hook itself answers within 5 s."""

CLAUDE_TOOLS = (
    "Bash|Monitor|PowerShell|Write|Edit|MultiEdit|NotebookEdit|Read|NotebookRead|Grep|Glob|LS"
)
CODEX_TOOLS = "^(Bash|shell|local_shell|exec_command|apply_patch|view_image)$"
GEMINI_TOOLS = (
    "^(run_shell_command|write_file|replace|edit|read_file|read_many_files|grep_search"
    "|search_file_content|glob|list_directory)$"
)
CURSOR_TOOLS = "Write|Edit|MultiEdit|StrReplace|Delete|EditNotebook|ApplyPatch|Grep|Glob|LS"


class BadConfiguration(Exception):
    """A configuration that cannot be changed safely; the message says why."""


def entries(assistant: str, command: str) -> dict[str, Json]:
    """By event, what is added to `hooks` so that this assistant runs that command."""
    handler: Json = {"type": "command", "command": command, "timeout": SECONDS}
    if assistant == "claude-code":
        handler["onFailure"] = "block"
        return {"PreToolUse": {"matcher": CLAUDE_TOOLS, "hooks": [handler]}}
    if assistant == "codex":
        handler["statusMessage"] = "Tabwire guard"
        return {"PreToolUse": {"matcher": CODEX_TOOLS, "hooks": [handler]}}
    if assistant == "gemini-cli":
        handler = {"name": "tabwire-guard", **handler, "timeout": SECONDS * 1000}
        return {"BeforeTool": {"matcher": GEMINI_TOOLS, "hooks": [handler]}}
    plain: Json = {"command": command, "timeout": SECONDS, "failClosed": True}
    return {
        "beforeShellExecution": plain,
        "beforeReadFile": dict(plain),
        "preToolUse": {**plain, "matcher": CURSOR_TOOLS},
    }


def added(configuration: Json, assistant: str, command: str) -> Json:
    """The configuration with the guard's entries, each once, and all else as it was."""
    changed = removed(configuration, assistant)
    if assistant == "cursor":
        changed.setdefault("version", 1)
    hooks = _object(changed.setdefault("hooks", {}), "hooks")
    for event, entry in entries(assistant, command).items():
        _list(hooks.setdefault(event, []), f"hooks.{event}").append(entry)
    return changed


def removed(configuration: Json, assistant: str) -> Json:
    """The configuration without the guard's entries, and without lists that held only them."""
    changed: Json = json.loads(json.dumps(configuration))
    if "hooks" not in changed:
        return changed
    hooks = _object(changed["hooks"], "hooks")
    for event, groups in list(hooks.items()):
        if not isinstance(groups, list):
            continue
        kept = [one for one in (_without(one, assistant) for one in groups) if one is not None]
        if kept != groups:
            hooks[event] = kept
            if not kept:
                del hooks[event]
    if not hooks and changed != configuration:
        del changed["hooks"]
    return changed


def _without(group: object, assistant: str) -> object | None:
    """A group of hooks without ours; None if nothing of it is left."""
    if not isinstance(group, dict):
        return group
    if is_ours(group.get("command"), assistant):
        return None
    handlers = group.get("hooks")
    if not isinstance(handlers, list):
        return group
    kept = [
        one
        for one in handlers
        if not (isinstance(one, dict) and is_ours(one.get("command"), assistant))
    ]
    if len(kept) == len(handlers):
        return group
    return {**group, "hooks": kept} if kept else None


def commands(configuration: Json, assistant: str) -> Iterator[tuple[str, str]]:
    """Event and command of each entry of the guard."""
    hooks = configuration.get("hooks")
    for event, groups in hooks.items() if isinstance(hooks, dict) else ():
        for group in groups if isinstance(groups, list) else ():
            if not isinstance(group, dict):
                continue
            handlers = group.get("hooks")
            for one in (group, *(handlers if isinstance(handlers, list) else ())):
                command = one.get("command") if isinstance(one, dict) else None
                if is_ours(command, assistant):
                    yield event, str(command)


_OURS = r"tabwire(?:[-_]guard)?(?:\.exe)?['\"]?(?: guard)? hook {}(?:\s|$)"


def is_ours(command: object, assistant: str) -> bool:
    """Whether that is a command that `hook install` wrote for this assistant."""
    return isinstance(command, str) and bool(re.search(_OURS.format(re.escape(assistant)), command))


def switched_off(configuration: Json, assistant: str) -> str:
    """The setting by which the person has switched hooks off, if they have."""
    if assistant == "claude-code" and configuration.get("disableAllHooks") is True:
        return "disableAllHooks is true"
    if assistant == "gemini-cli":
        told = configuration.get("hooksConfig")
        if isinstance(told, dict) and told.get("enabled") is False:
            return "hooksConfig.enabled is false"
    return ""


def _object(value: object, name: str) -> Json:
    if not isinstance(value, dict):
        raise BadConfiguration(f"{name} is not an object")
    return value


def _list(value: object, name: str) -> list[object]:
    if not isinstance(value, list):
        raise BadConfiguration(f"{name} is not a list")
    return value
