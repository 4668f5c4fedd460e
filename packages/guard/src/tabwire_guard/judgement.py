"""The whole judgement of a command, in order: looks, ban list, parse and walk."""

from tabwire_guard.appearance import looks
from tabwire_guard.dialects import family, typed_trap
from tabwire_guard.flow.state import State, known_variables
from tabwire_guard.flow.walker import TooMuch, Walk
from tabwire_guard.paths import on_drive
from tabwire_guard.record import replace
from tabwire_guard.rules import Rules
from tabwire_guard.values import MARKS
from tabwire_guard.verdict import Finding, Judgement, Part, Verdict

TYPE_CHECKING = False  # importing `typing` takes as long as a judgement
if TYPE_CHECKING:
    from typing import Any

MAX_TEXT = 20_000
"""Characters; more than anybody reads before agreeing to it."""
SHELLS = ("bash", "sh", "dash", "ash", "ksh", "zsh", "unix", "powershell", "cmd", "windows")
"""`unix`: a prompt on Linux or macOS, and nobody knows of which shell; `windows` likewise."""

_HOMES = {True: r"C:\Users\you", False: "/home/you"}
NO_RULES = Rules()


def judge(
    command: str,
    *,
    shell: str = "bash",
    cwd: str | None = None,
    workspace: str | None = None,
    home: str | None = None,
    rules: Rules = NO_RULES,
) -> Judgement:
    """Judge a command that would run in `cwd`.

    Paths are text: nothing is looked up. Without a workspace it is some folder in some home.
    """
    if shell not in SHELLS:
        raise ValueError(f"unknown shell {shell!r}: expected one of {', '.join(SHELLS)}")
    if shell == "windows":
        return _on_windows(command, cwd=cwd, workspace=workspace, home=home, rules=rules)
    kind = family(shell)
    windows = kind != "bash"
    if workspace is None or not workspace:
        workspace = rf"{_HOMES[True]}\project" if windows else f"{_HOMES[False]}/project"
    if windows:
        workspace = on_drive(workspace)
        cwd, home = cwd and on_drive(cwd), home and on_drive(home)
    home = home or _HOMES[":" in workspace[:3]]
    parts: list[Part] = []
    findings = looks(command[:MAX_TEXT], kind)
    findings += rules.banned(command)

    def say(rule: str, reason: str) -> None:
        findings.append(Finding(Verdict.ASK, rule, reason, command[:200]))

    if shell == "unix" and (trap := typed_trap(command[:MAX_TEXT])):
        say("parse", f"cannot be parsed: {trap}")
    if len(command) > MAX_TEXT:
        say("too-long", f"has {len(command):,} characters, too many to review before approving")
    elif not command.strip():
        say("empty", "there is no command to read")
    elif not MARKS.isdisjoint(command):
        say("looks.private", "has characters without a meaning")
    else:
        state = State(
            shell=kind, workspace=workspace, cwd=cwd or workspace, home=home,
            variables=dict(known_variables(home, cwd or workspace, windows=windows)),
        )  # fmt: skip
        walk = Walk(rules)
        try:
            walk.whole(command, shell, state)
        except TooMuch as problem:
            say("too-much", str(problem))
        except RecursionError:
            say("too-much", "nested too deeply")
        parts = walk.parts
    findings += [one for part in parts for one in part.findings]
    findings.sort(key=lambda one: -one.verdict)
    verdict = max((one.verdict for one in findings), default=Verdict.ALLOW)
    return Judgement(verdict, tuple(findings), tuple(parts), command, shell)


def _on_windows(command: str, **where: "Any") -> Judgement:
    """As PowerShell reads it, and what cmd would do that must never be clicked.

    cmd knows next to nothing of PowerShell, so what it only does not know says little.
    """
    first = judge(command, shell="powershell", **where)
    second = judge(command, shell="cmd", **where)
    if second.verdict is not Verdict.DENY:
        return replace(first, shell="windows")
    findings = sorted({*first.findings, *second.findings}, key=lambda one: -one.verdict)
    parts = first.parts + second.parts
    return Judgement(Verdict.DENY, tuple(findings), parts, command, "windows")
