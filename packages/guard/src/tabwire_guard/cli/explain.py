"""`explain`: the tree of a command, with a verdict for each part."""

from collections.abc import Sequence
from pathlib import Path

from tabwire_guard.appearance import WHOLE
from tabwire_guard.cli.check import EXITS, check_shell, command_text
from tabwire_guard.cli.terminal import print_json, print_text, shorten
from tabwire_guard.explanation import as_data, tree
from tabwire_guard.person.judgement import judge_with_own_rules


def explain(
    command: Sequence[str],
    *,
    home: Path,
    shell: str = "",
    cwd: str | None = None,
    workspace: str | None = None,
    as_json: bool = False,
) -> int:
    """Print the tree; the exit code of the verdict."""
    check_shell(shell)
    text = command_text(command, shell)
    judgement = judge_with_own_rules(text, shell=shell, cwd=cwd, workspace=workspace, home=home)
    if as_json:
        print_json(as_data(judgement, whole=True))
        return EXITS[judgement.verdict.word]
    for finding in judgement.findings:
        if finding.segment == WHOLE:
            _print_part(0, finding.verdict.word, WHOLE, [finding.reason])
    for depth, part, line in tree(judgement):
        reasons = [f"{one.rule}: {one.reason}" for one in part.findings]
        if part.allowed_by:
            reasons.append(f"allowed by {part.allowed_by}")
        _print_part(depth, part.verdict.word, line, reasons)
    print_text(f"\n{judgement.verdict.word}: {judgement.reason}")
    return EXITS[judgement.verdict.word]


def _print_part(depth: int, verdict: str, line: str, reasons: Sequence[str]) -> None:
    print_text(f"{verdict:<5}  {'  ' * depth}{shorten(line)}")
    for reason in reasons:
        print_text(f"       {'  ' * depth}  {reason}")
