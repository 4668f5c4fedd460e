"""What each assistant hands to a pre-tool hook, and what it understands as an answer.

The facts are those of docs/hook.md, which names where each was found. Two of them decide most:
an exit code other than 0 and 2 lets the call go on, and Codex, like some events of Cursor, takes
`ask` for an error and lets the call go on too. There an `ask` becomes a `deny`.
"""

import os

from tabwire_guard.hook.advice import advice
from tabwire_guard.hook.toolcall import (
    ALLOW,
    ASK,
    DENY,
    NO_DECISION,
    Decision,
    InputError,
    ToolCall,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from typing import ClassVar

Payload = dict[str, object]

_PATHS = (
    "file_path", "path", "notebook_path", "target_file", "target_notebook", "absolute_path",
    "filePath", "filename",
)  # fmt: skip
"""Where a file tool names its file."""
_PATTERNS = ("glob", "include", "glob_pattern", "include_pattern")
"""Where a search names the files it is about; `pattern` too where that is no text to find."""
_FOLDERS = ("path", "dir_path", "target_directory", "directory")
_WHERE = ("dir_path", "directory", "workdir", "working_directory", "cwd")
"""Where a shell tool may name the folder it runs in."""
_SHELLS = {"zsh": "zsh", "ksh": "ksh", "dash": "dash", "ash": "ash"}


class Assistant:
    """The protocol of one assistant."""

    name = ""
    title = ""
    events: "ClassVar[Mapping[str, bool]]"
    """The events that are judged, and whether the assistant can ask the person at each."""
    shells: frozenset[str] = frozenset()
    writers: frozenset[str] = frozenset()
    readers: frozenset[str] = frozenset()
    searchers: frozenset[str] = frozenset()
    globbers = frozenset(("Glob", "glob"))
    """Searchers whose `pattern` is one of paths."""
    patchers: frozenset[str] = frozenset()

    def read(self, payload: Payload) -> ToolCall:
        """The tool call in that payload."""
        event = _text(payload, "hook_event_name") or next(iter(self.events))
        if event not in self.events:
            known = ", ".join(self.events)
            raise InputError(f"unknown event {event!r}: this hook is for {known}")
        tool = _text(payload, "tool_name")
        if not tool:
            raise InputError("the tool call has no tool_name")
        given = payload.get("tool_input")
        if not isinstance(given, dict):
            raise InputError("the tool call has no tool_input object")
        call = self.call(event, payload)
        self.fill(call, tool, given)
        return call

    def unread(self, payload: Payload) -> ToolCall | None:
        """What is known of a call that cannot be read: its event, if that is one of these."""
        event = payload.get("hook_event_name")
        if not isinstance(event, str) or event not in self.events:
            return None
        return ToolCall(event, cwd="", asks=self.events[event])

    def call(self, event: str, payload: Payload) -> ToolCall:
        """An empty call: where it happens."""
        cwd = _text(payload, "cwd") or os.getcwd()
        return ToolCall(event, cwd=cwd, roots=self.roots(cwd, payload), asks=self.events[event])

    def roots(self, cwd: str, payload: Payload) -> tuple[str, ...]:  # noqa: ARG002
        """The folders of the project."""
        return (cwd,)

    def fill(self, call: ToolCall, tool: str, given: Payload) -> None:
        """What that tool is about to do. A tool nothing is known of does nothing to judge."""
        if tool in self.shells:
            call.command = _text(given, "command")
            if call.command is None:
                raise InputError(f"{tool} has no command")
            call.shell = self.shell(tool, call.cwd)
            if folder := next(filter(None, (_text(given, one) for one in _WHERE)), None):
                call.cwd = os.path.join(call.cwd, folder)
        elif tool in self.patchers:
            call.writes = patched(given)
        elif tool in self.writers:
            call.writes = _named(given, tool)
        elif tool in self.readers:
            call.reads = _named_many(given) or _named(given, tool)
        elif tool in self.searchers:
            folders = (_text(given, one) for one in _FOLDERS)
            folder = next(filter(None, folders), call.cwd)
            call.searches = (folder, *_starts(given, folder, named=tool in self.globbers))

    def shell(self, tool: str, cwd: str) -> str:  # noqa: ARG002
        """The shell that reads a command of that tool."""
        return "powershell" if on_windows(cwd) else unix_shell()

    def answer(self, decision: Decision, call: ToolCall | None) -> Payload:
        """The answer in this assistant's format."""
        raise NotImplementedError


class ClaudeCode(Assistant):
    """Claude Code: `PreToolUse` and `PermissionRequest`."""

    name = "claude-code"
    title = "Claude Code"
    events = {"PreToolUse": True, "PermissionRequest": True}
    shells = frozenset(("Bash", "Monitor", "PowerShell"))
    writers = frozenset(("Write", "Edit", "MultiEdit", "NotebookEdit"))
    readers = frozenset(("Read", "NotebookRead"))
    searchers = frozenset(("Grep", "Glob", "LS"))

    def roots(self, cwd: str, payload: Payload) -> tuple[str, ...]:  # noqa: ARG002
        """The project it was started in, where `cwd` is still inside; else `cwd`."""
        project = os.environ.get("CLAUDE_PROJECT_DIR", "")
        return (project if project and within(cwd, project) else cwd,)

    def shell(self, tool: str, cwd: str) -> str:
        """`Bash` is bash on Windows too."""
        if tool == "PowerShell":
            return "powershell"
        return "bash" if on_windows(cwd) else unix_shell()

    def answer(self, decision: Decision, call: ToolCall | None) -> Payload:
        """`hookSpecificOutput`, with the event's own fields."""
        if call is not None and call.event == "PermissionRequest":
            return permission_request(decision)
        return pre_tool_use(decision)


class Codex(Assistant):
    """Codex: as Claude Code, without `allow` and `ask`, which it takes for errors."""

    name = "codex"
    title = "Codex"
    events = {"PreToolUse": False, "PermissionRequest": True}
    shells = frozenset(("Bash", "shell", "local_shell", "exec_command"))
    patchers = frozenset(("apply_patch",))
    readers = frozenset(("view_image",))

    def answer(self, decision: Decision, call: ToolCall | None) -> Payload:
        """A `deny`, or nothing."""
        if call is not None and call.event == "PermissionRequest":
            return permission_request(decision)
        if decision.verdict == ALLOW:
            return {}
        return pre_tool_use(decision)


class GeminiCli(Assistant):
    """Gemini CLI: `BeforeTool`."""

    name = "gemini-cli"
    title = "Gemini CLI"
    events = {"BeforeTool": True}
    shells = frozenset(("run_shell_command",))
    writers = frozenset(("write_file", "replace", "edit"))
    readers = frozenset(("read_file", "read_many_files"))
    searchers = frozenset(("grep_search", "search_file_content", "glob", "list_directory"))

    def answer(self, decision: Decision, call: ToolCall | None) -> Payload:  # noqa: ARG002
        """`decision` and `reason`; what the person is shown is `systemMessage`."""
        if decision.verdict == NO_DECISION:
            return {}
        told: Payload = {"decision": decision.verdict, "reason": text_of(decision)}
        if decision.verdict == ASK:
            told["systemMessage"] = text_of(decision)
        return told


class Cursor(Assistant):
    """Cursor: `beforeShellExecution`, `beforeReadFile` and `preToolUse`."""

    name = "cursor"
    title = "Cursor"
    events: "ClassVar[Mapping[str, bool]]" = {
        "preToolUse": False,
        "beforeShellExecution": True,
        "beforeReadFile": False,
    }
    shells = frozenset(("Shell",))
    writers = frozenset(("Write", "Edit", "MultiEdit", "StrReplace", "Delete", "EditNotebook"))
    readers = frozenset(("Read",))
    searchers = frozenset(("Grep", "Glob", "LS"))
    patchers = frozenset(("ApplyPatch",))

    def read(self, payload: Payload) -> ToolCall:
        """Two of its events name no tool."""
        event = _text(payload, "hook_event_name")
        if event is None and "tool_name" not in payload:
            event = "beforeShellExecution" if "command" in payload else "beforeReadFile"
        if event == "beforeShellExecution":
            call = self.call(event, payload)
            self.fill(call, "Shell", payload)
            return call
        if event == "beforeReadFile":
            call = self.call(event, payload)
            attached = payload.get("attachments")
            files = attached if isinstance(attached, list) else []
            named = [path for one in files if isinstance(one, dict) for path in _named(one, event)]
            call.reads = (*_named(payload, event), *named)
            return call
        return super().read(payload)

    def roots(self, cwd: str, payload: Payload) -> tuple[str, ...]:
        """The folders open in the window; the one `cwd` is in comes first."""
        given = payload.get("workspace_roots")
        named = given if isinstance(given, list) else []
        roots = [one for one in named if isinstance(one, str) and one]
        return tuple(sorted(roots, key=lambda one: not within(cwd, one))) or (cwd,)

    def call(self, event: str, payload: Payload) -> ToolCall:
        """`cwd` may be empty: then it is the first folder of the window."""
        if not _text(payload, "cwd"):
            roots = self.roots("", payload)
            payload = {**payload, "cwd": roots[0]}
        return super().call(event, payload)

    def answer(self, decision: Decision, call: ToolCall | None) -> Payload:
        """`permission`, and a text for the person and for the agent.

        What was judged and not objected to is `allow`: Cursor blocks an answer without
        `permission` from a hook that is set to fail closed.
        """
        if decision.verdict == NO_DECISION:
            return {"permission": ALLOW} if call is not None and call.judged else {}
        told: Payload = {"permission": decision.verdict}
        if decision.verdict != ALLOW:
            told["user_message"] = told["agent_message"] = text_of(decision)
        return told


ASSISTANTS: "Mapping[str, Assistant]" = {
    one.name: one for one in (ClaudeCode(), Codex(), GeminiCli(), Cursor())
}


def text_of(decision: Decision) -> str:
    """Why, about which part, and what to do instead: for the agent and the person."""
    if decision.verdict == ALLOW:
        return f"Tabwire guard: {decision.reason}."
    told = "denied" if decision.verdict == DENY else "asks the person"
    text = f"Tabwire guard {told}: {decision.reason}"
    if decision.rule:
        text += f" (rule {decision.rule})"
    segment = " ".join(decision.segment.split())
    if segment and segment not in decision.reason:
        text += f", in `{segment[:160]}{'…' if len(segment) > 160 else ''}`"
    return f"{text}. {advice(decision.rule, denied=decision.verdict == DENY)}".strip()


def pre_tool_use(decision: Decision) -> Payload:
    """The answer of Claude Code's `PreToolUse`, which Codex has taken over."""
    if decision.verdict == NO_DECISION:
        return {}
    return {
        "hookSpecificOutput": {
            "hookEventName": "PreToolUse",
            "permissionDecision": decision.verdict,
            "permissionDecisionReason": text_of(decision),
        }
    }


def permission_request(decision: Decision) -> Payload:
    """The person is about to be asked: only a `deny` answers for them."""
    if decision.verdict != DENY:
        return {}
    answer = {"behavior": DENY, "message": text_of(decision)}
    return {"hookSpecificOutput": {"hookEventName": "PermissionRequest", "decision": answer}}


def patched(given: Payload) -> tuple[str, ...]:
    """The files a patch in Codex's format adds, changes, deletes and moves."""
    texts = (_text(given, one) for one in ("command", "patch", "input", "diff"))
    patch = "\n".join(filter(None, texts))
    if not patch:
        raise InputError("apply_patch has no patch")
    files = []
    for line in patch.splitlines():
        head, colon, name = line.strip().partition(":")
        if colon and head in _PATCH_LINES:
            files.append(name.strip())
    if not files:
        raise InputError("the patch names no file")
    return tuple(files)


_PATCH_LINES = ("*** Add File", "*** Update File", "*** Delete File", "*** Move to")


def unix_shell() -> str:
    """The person's shell, as far as the guard knows its grammar: assistants use that one."""
    name = os.environ.get("SHELL", "").rsplit("/", 1)[-1]
    return _SHELLS.get(name, "bash")


def on_windows(path: str) -> bool:
    """Whether that path is one of Windows."""
    return path[1:3] in (":\\", ":/") or path.startswith("\\\\")


def within(path: str, folder: str) -> bool:
    """Whether a path is a folder or in it, as text."""
    one, other = (text.replace("\\", "/").rstrip("/") + "/" for text in (path, folder))
    if on_windows(folder):
        one, other = one.lower(), other.lower()
    return one.startswith(other)


def _text(payload: Payload, key: str) -> str | None:
    value = payload.get(key)
    if value is not None and not isinstance(value, str):
        raise InputError(f"{key} is not a string")
    return value


def _named(given: Payload, tool: str) -> tuple[str, ...]:
    named = [_text(given, key) for key in _PATHS]
    found = tuple(dict.fromkeys(one for one in named if one is not None))
    if not found:
        raise InputError(f"{tool} names no file")
    return found


def _starts(given: Payload, folder: str, *, named: bool) -> "Iterator[str]":
    """Where the patterns of a search lead: as far as they are plain names."""
    for key in (*_PATTERNS, "pattern") if named else _PATTERNS:
        value = given.get(key)
        steps = value.split("/") if isinstance(value, str) else []
        plain = next((at for at, one in enumerate(steps) if set("*?[{") & set(one)), len(steps))
        start = "/".join(steps[:plain]) or ("/" if plain else "")
        if start:
            yield start if start.startswith("~") else os.path.join(folder, start)


def _named_many(given: Payload) -> tuple[str, ...]:
    """Gemini CLI's `read_many_files` has a list of paths or patterns."""
    for key in ("include", "paths", "file_paths"):
        value = given.get(key)
        if isinstance(value, list) and value and all(isinstance(one, str) for one in value):
            return tuple(value)
    return ()
