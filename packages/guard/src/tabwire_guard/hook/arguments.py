"""`hook` on the command line: one call, or installing, uninstalling and looking."""

import os
import sys

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from tabwire_guard.hook.install import Change

ASSISTANTS = ("claude-code", "codex", "gemini-cli", "cursor")
FAILED, USAGE = 1, 2

HELP = """\
Usage: {program} ASSISTANT [--on-failure deny|ask] [--on-ask deny|pass] [--timeout SECONDS]
       {program} install ASSISTANT [--user | --project DIR] [--on-failure deny|ask]
                        [--on-ask deny|pass] [--dry-run] [--json]
       {program} uninstall ASSISTANT [--user | --project DIR] [--dry-run] [--json]
       {program} doctor [ASSISTANT] [--user | --project DIR] [--json]

Judge every tool call of a coding assistant before it runs.
ASSISTANT: claude-code, codex, gemini-cli or cursor.

Run `install` once. From then on, the assistant runs the first form before each tool call, passes
the call as JSON, and gets allow, ask or deny, with a reason for the agent. Shell commands are
judged as by `check`, with your own rules; file tools are judged by the paths they use. Tools that
the guard does not know are left to the assistant's own permissions. Your deny rules in the
assistant always apply.

  --on-failure deny|ask   if a call cannot be judged: deny it (default), or ask you
  --on-ask deny|pass      if the assistant cannot ask you from a hook (Codex; Cursor's file tools):
                          deny the call with the reason (default), or leave it to the assistant
  --timeout SECONDS       time limit for the verdict (default 5)
  --user                  use your own configuration (default)
  --project DIR           use the configuration of this project
  --dry-run               show the change and write nothing
  --json                  print one JSON object; doctor: JSON Lines, one object per assistant

Exit codes for a tool call: 0 answered on standard output, 2 it could not be judged and is blocked.
For install, uninstall and doctor: 0 done, or nothing to do, 1 refused, or a problem was found,
2 usage error.

Examples:

  {program} install claude-code
  {program} install codex --project . --dry-run
  {program} doctor
  echo '{{"tool_name": "Bash", "tool_input": {{"command": "ls"}}}}' | {program} claude-code
"""


def main(arguments: "Sequence[str]", program: str) -> int:
    """What the arguments say; the exit code. `program` is how the person calls it."""
    if arguments and arguments[0] in ASSISTANTS and not {"--help", "-h"} & set(arguments):
        from tabwire_guard.hook.command import hook

        return hook(arguments[0], arguments[1:])
    if not arguments or {"--help", "-h"} & set(arguments):
        sys.stdout.write(HELP.format(program=program))
        return 0
    try:
        return _manage(list(arguments), program)
    except UsageError as problem:
        sys.stderr.write(f"{program}: {problem}\nRun `{program} --help` for usage.\n")
        return USAGE


class UsageError(ValueError):
    """Arguments that are not valid."""


def _manage(arguments: list[str], program: str) -> int:
    action = arguments.pop(0)
    if action not in ("install", "uninstall", "doctor"):
        known = ", ".join((*ASSISTANTS, "install", "uninstall", "doctor"))
        raise UsageError(f"invalid value {action!r}: expected one of {known}")
    given = Given(arguments)
    return manage(
        action,
        given.assistant,
        project=given.project,
        options=given.options,
        dry_run=given.dry_run,
        as_json=given.as_json,
        program=program,
    )


class Given:
    """The arguments behind the action."""

    def __init__(self, rest: list[str]) -> None:
        self.assistant = ""
        self.project: str | None = None
        self.dry_run = self.as_json = False
        self.options: tuple[str, ...] = ()
        user = False
        while rest:
            word = rest.pop(0)
            name, equals, value = word.partition("=")
            if name in ("--project", "--on-failure", "--on-ask"):
                if not equals and not rest:
                    raise UsageError(f"{name} needs a value")
                self._valued(name, value if equals else rest.pop(0))
            elif word == "--user":
                user = True
            elif word == "--dry-run":
                self.dry_run = True
            elif word == "--json":
                self.as_json = True
            elif word.startswith("-") or self.assistant:
                raise UsageError(f"invalid argument {word!r}")
            else:
                self.assistant = word
        if user and self.project is not None:
            raise UsageError("--user and --project cannot be used together")

    def _valued(self, name: str, value: str) -> None:
        from tabwire_guard.hook.command import OPTIONS

        if name == "--project":
            self.project = value
        elif value in OPTIONS[name]:
            self.options += (name, value) if value != OPTIONS[name][0] else ()
        else:
            known = " or ".join(OPTIONS[name])
            raise UsageError(f"invalid value {value!r} for {name}: expected {known}")


def manage(
    action: str,
    assistant: str,
    *,
    project: str | None,
    options: tuple[str, ...] = (),
    dry_run: bool = False,
    as_json: bool = False,
    program: str,
) -> int:
    """Install, uninstall or look; print what came of it; the exit code."""
    from tabwire_guard.hook.configuration import BadConfiguration
    from tabwire_guard.hook.install import install, uninstall

    if assistant not in ASSISTANTS and (assistant or action != "doctor"):
        known = ", ".join(ASSISTANTS)
        raise UsageError(f"invalid assistant {assistant!r}: expected one of {known}")
    if project is not None:
        project = os.path.abspath(os.path.expanduser(project))
    if action == "doctor":
        return _doctor(assistant, project, as_json=as_json, program=program)
    try:
        if action == "install":
            change = install(assistant, project=project, options=options, dry_run=dry_run)
        else:
            change = uninstall(assistant, project=project, dry_run=dry_run)
    except BadConfiguration as problem:
        _print({"error": str(problem), "written": False} if as_json else "")
        sys.stderr.write(f"{program}: nothing was changed: {problem}\n")
        return FAILED
    _tell(action, assistant, change, dry_run=dry_run, as_json=as_json)
    return 0


def _tell(action: str, assistant: str, change: "Change", *, dry_run: bool, as_json: bool) -> None:
    from tabwire_guard.hook.install import NEXT

    if as_json:
        _print(
            {
                "action": action,
                "assistant": assistant,
                "path": change.path,
                "changed": change.changed,
                "written": change.changed and not dry_run,
                "command": change.command,
                "backup": change.backup or None,
                "diff": change.diff(),
            }
        )
        return
    if not change.changed:
        is_so = "is already installed in" if action == "install" else "is not installed in"
        _print(f"The guard {is_so} {change.path}.")
        return
    if dry_run:
        _print(f"{change.diff()}\n\nNothing was written.")
        return
    gone = ", and deleted the file, which `install` had created" if change.after is None else ""
    done = "Installed the guard in" if action == "install" else "Removed the guard from"
    _print(f"{done} {change.path}{gone}.")
    if change.backup:
        _print(f"Backup of the previous file: {change.backup}")
    if action == "install":
        _print(f"Command: {change.command}\n{NEXT[assistant]}")


def _doctor(assistant: str, project: str | None, *, as_json: bool, program: str) -> int:
    from tabwire_guard.hook.doctor import examine

    names = (assistant,) if assistant else ASSISTANTS
    reports = [examine(one, project) for one in names]
    for one in reports:
        if as_json:
            _print(one.as_data())
            continue
        state = "installed" if one.installed else "not installed"
        _print(f"{one.assistant}: {'problem' if one.problems else state}  [{one.path}]")
        for line in (*one.problems, *one.notes):
            _print(f"  {line}")
    if not as_json and not any(one.installed for one in reports):
        _print(f"Install it with `{program} install ASSISTANT`.")
    asked = assistant and not reports[0].installed
    return FAILED if asked or any(one.problems for one in reports) else 0


def _print(told: object) -> None:
    if isinstance(told, str):
        if told:
            sys.stdout.write(told + "\n")
        return
    import json

    sys.stdout.write(json.dumps(told) + "\n")
