"""The verdict on a tool call: the guard's on its command, and on the files it names."""

import os

from tabwire_guard.hook.protocols import on_windows, within
from tabwire_guard.hook.toolcall import ASK, DENY, NO_DECISION, Decision, ToolCall
from tabwire_guard.person.where import has_rules

TYPE_CHECKING = False
if TYPE_CHECKING:
    from tabwire_guard.rules import Rules

NO_PROJECT = ".no-project"
"""Stands for the project where the assistant was started in a folder that is none."""
_TOO_WIDE = frozenset(
    """
    /etc /usr /bin /sbin /lib /boot /var /opt /srv /sys /proc /dev /run /home /users /mnt /media
    /system /library /applications /volumes /private c:/windows c:/users c:/programdata
    """.split()
)
"""Folders that are nobody's project: what is in them is not inside a project."""


def decide(call: ToolCall) -> Decision:
    """The verdict on a tool call, with the person's own rules."""
    if not call.judged:
        return Decision(NO_DECISION)
    rules = own_rules(call.roots[0])
    decision = Decision(NO_DECISION)
    if call.command is not None:
        decision = _command(call, call.command, rules)
    if call.writes or call.reads or call.searches:
        decision = decision.worse(_files(call, rules))
    return decision


def own_rules(workspace: str) -> "Rules":
    """The person's rules for that workspace; a file of rules that is not valid is an error."""
    if not has_rules(workspace):
        from tabwire_guard.rules import Rules

        return Rules()
    from pathlib import Path

    from tabwire_guard.person.home import home_folder
    from tabwire_guard.person.rule_files import own_rules as read

    return read(Path(workspace), home_folder()).rules


def _command(call: ToolCall, command: str, rules: "Rules") -> Decision:
    from tabwire_guard.judgement import judge

    workspace = _workspace(call)
    judgement = judge(
        command,
        shell=call.shell,
        cwd=call.cwd,
        workspace=workspace,
        home=_home(workspace),
        rules=rules,
    )
    word = judgement.verdict.word
    return Decision(word, judgement.reason, judgement.rule, judgement.segment)


def _files(call: ToolCall, rules: "Rules") -> Decision:
    from tabwire_guard.flow.state import State
    from tabwire_guard.hook.files import judge_read, judge_write

    decision = Decision(NO_DECISION)
    for path in (*call.writes, *call.reads, *call.searches):
        state = State(
            shell="powershell" if on_windows(call.cwd) else "bash",
            workspace=_workspace(call, path),
            cwd=call.cwd,
            home=_home(call.cwd) or "/home/you",
        )
        if banned := rules.banned(path):
            first = banned[0]
            decision = decision.worse(Decision(first.verdict.word, first.reason, first.rule, path))
        elif path in call.writes:
            decision = decision.worse(judge_write(path, state))
        else:
            decision = decision.worse(judge_read(path, state, deep=path in call.searches))
    return decision


def _workspace(call: ToolCall, path: str = "") -> str:
    """The project's folder: that the path is in, else that the call is in."""
    root = next((one for one in call.roots if path and within(path, one)), call.roots[0])
    bare = root.replace("\\", "/").rstrip("/")
    home = os.path.expanduser("~").replace("\\", "/")
    if not bare or bare.lower() in _TOO_WIDE or bare[1:] == ":" or within(home, bare):
        return f"{root.rstrip('/' + chr(92))}/{NO_PROJECT}"
    return root


def _home(workspace: str) -> str | None:
    """The person's home, where it is of the same kind as the workspace's path."""
    here = os.path.expanduser("~")
    return here if on_windows(here) == on_windows(workspace) else None


def as_told(decision: Decision, call: ToolCall, on_ask: str) -> Decision:
    """What can be answered: an `ask` the assistant cannot put to the person is a `deny`."""
    if decision.verdict != ASK or call.asks:
        return decision
    if on_ask == "pass":
        return Decision(NO_DECISION)
    theirs = "run it, or allow it with a rule" if call.command is not None else "do it themselves"
    reason = (
        f"{decision.reason}; the person must agree to this, and a hook cannot ask them here: "
        f"tell them what you want to do and why, so that they can {theirs}"
    )
    return Decision(DENY, reason, decision.rule, decision.segment)
