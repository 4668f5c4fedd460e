"""Redirections: what they read, what they write, and what then flows."""

import re
from collections.abc import Sequence

from tabwire_guard.call import Call
from tabwire_guard.flow.expansion import Expansion
from tabwire_guard.paths import absolute
from tabwire_guard.pattern import pattern
from tabwire_guard.script import Redirect
from tabwire_guard.values import CLEAN, REMOTE, SECRET, Flow


def input_of(redirects: Sequence[Redirect], expansion: Expansion, shell: Call, stdin: Flow) -> Flow:
    """What stands on standard input after these; reading is judged."""
    for one in redirects:
        if one.op == "<<<" or one.op in ("<<", "<<-"):
            value = expansion.one(one.target)
            if SECRET in value.taints:
                shell.ask("secret.environment", "passes on a variable whose name suggests a secret")
            ending = "\n" if one.op == "<<<" else ""
            known = None if not value.known else value.text + ending
            stdin = Flow(known, value.taints, True)
        elif one.op in ("<", "<>", "<&"):
            value = expansion.one(one.target)
            if (one.op == "<&" and value.text.strip("-").isdigit()) or value.text == "-":
                continue
            taken = shell.output
            shell.reads(value)
            full = absolute(value.text, shell.state)
            taints = shell.output.taints | value.taints
            text = "" if shell.nothing(value) else shell.state.files.get(full or "")
            stdin = Flow(text, taints, True)
            if shell.state.downloaded(full):
                stdin = stdin._replace(taints=stdin.taints | {REMOTE})
            shell.output = taken
    return stdin


_SOURCE = pattern(
    r"\.(?:py|[cm]?[jt]sx?|go|rs|[ch]|cc|cpp|hpp|cs|java|kt|rb|php|exs?|swift|sh|ps1|ya?ml|toml|html"
    r"|css|vue|sql|md)$",
    re.IGNORECASE,
)


def _messages(path: str) -> str | None:
    """What a file holds to which only messages go (`2> f`): mostly nothing; a source is lost."""
    return "" if _SOURCE.search(path) else None


def outputs_of(redirects: Sequence[Redirect], expansion: Expansion, shell: Call) -> None:
    """Judge what is written by these, and remember what a file then holds."""
    for one in redirects:
        if one.op in ("<", "<<", "<<-", "<<<", "<&"):
            continue
        value = expansion.one(one.target)
        if one.op == ">&" and (value.text.strip("-").isdigit() or value.text == "-"):
            continue
        of_output = one.number in ("", "1") or one.op in ("&>", "&>>")
        text = shell.output.text if of_output else _messages(value.text)
        shell.writes(value, append=one.op in (">>", "&>>", "<>"), text=text)
        full = absolute(value.text, shell.state)
        if of_output and full and REMOTE in shell.output.taints:
            shell.state.downloads.add(full)
        if of_output:
            shell.output = Flow(None, CLEAN, True)
