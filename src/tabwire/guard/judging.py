"""The whole judgement of a command, in order: looks, ban list, parse and walk."""

from tabwire.guard.looks import looks
from tabwire.guard.paths import on_drive
from tabwire.guard.rules import Rules
from tabwire.guard.state import State, known_variables
from tabwire.guard.verdict import Finding, Judgement, Part, Verdict
from tabwire.guard.walk import TooMuch, Walk
from tabwire.guard.words import MARKS

MAX_TEXT = 20_000
"""Characters; more than anybody reads before agreeing to it."""
SHELLS = ("bash", "powershell", "cmd")

_HOMES = {"bash": "/home/you", "powershell": r"C:\Users\you", "cmd": r"C:\Users\you"}
_WORKSPACES = {
    "bash": "/home/you/project",
    "powershell": r"C:\Users\you\project",
    "cmd": r"C:\Users\you\project",
}
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
        raise ValueError(f"no shell of ours: {shell!r} (bash, powershell or cmd)")
    workspace = workspace or _WORKSPACES[shell]
    if shell != "bash":
        workspace = on_drive(workspace)
        cwd, home = cwd and on_drive(cwd), home and on_drive(home)
    home = home or _HOMES["cmd" if ":" in workspace[:3] else "bash"]
    parts: list[Part] = []
    findings = looks(command[:MAX_TEXT], shell)
    findings += rules.banned(command)

    def say(rule: str, reason: str) -> None:
        findings.append(Finding(Verdict.ASK, rule, reason, command[:200]))

    if len(command) > MAX_TEXT:
        say("too-long", f"has {len(command):,} characters; nobody reads that before agreeing to it")
    elif not command.strip():
        say("empty", "there is no command to read")
    elif not MARKS.isdisjoint(command):
        say("looks.private", "has characters without a meaning")
    else:
        state = State(
            shell=shell, workspace=workspace, cwd=cwd or workspace, home=home,
            variables=dict(known_variables(home, cwd or workspace, windows=shell != "bash")),
        )  # fmt: skip
        walk = Walk(rules)
        try:
            walk.whole(command, state)
        except TooMuch as problem:
            say("too-much", str(problem))
        except RecursionError:
            say("too-much", "nested deeper than can be followed")
        parts = walk.parts
    findings += [one for part in parts for one in part.findings]
    findings.sort(key=lambda one: -one.verdict)
    verdict = max((one.verdict for one in findings), default=Verdict.ALLOW)
    return Judgement(verdict, tuple(findings), tuple(parts), command, shell)
