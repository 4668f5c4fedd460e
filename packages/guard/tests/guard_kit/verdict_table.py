"""A table of verdicts in plain text: a line has the verdict and the command.

CASES = '''
deny   tar -cf x.tar --checkpoint-action=exec=reboot src
allow  tar -tf x.tar
'''

@verdict_table(CASES)
def test_verdicts(lines):
    assert not wrong_verdicts(lines)
"""

from collections.abc import Iterable

import pytest

from tabwire_guard.judgement import judge

Line = tuple[str, str]
"""A verdict, and a command."""


def verdict_table(cases: str) -> pytest.MarkDecorator:
    """One test for each program, the first word of a command, with the lines of that program."""
    found: dict[str, list[Line]] = {}
    for line in cases.strip().split("\n"):
        verdict, command = line[:6].strip(), line[7:]
        found.setdefault(command.split()[0], []).append((verdict, command))
    return pytest.mark.parametrize("lines", found.values(), ids=list(found))


def wrong_verdicts(lines: Iterable[Line]) -> list[str]:
    """Commands that bash would run in a project and that got another verdict than their own."""
    wrong = []
    for verdict, command in lines:
        found = judge(command, shell="bash", workspace="/home/dev/app")
        if found.verdict.word != verdict:
            wrong.append(
                f"{command}: {found.verdict.word}, not {verdict} ({found.rule}: {found.reason})"
            )
    return wrong
