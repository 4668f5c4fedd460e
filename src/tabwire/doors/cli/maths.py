r"""Formulas on a terminal, as the site wrote them.

To Markdown `\(` is a bracket, `\\` one backslash and `_` the beginning of emphasis, so a formula
would lose half of its signs. Inside a formula each of them is escaped once more.
"""

import re

_PARTS = re.compile(
    r"""
      (?P<code> ^(?P<fence>`{3,}|~{3,})[^\n]*\n .*? (?:^(?P=fence)[`~]*[ \t]*$|\Z)
        | (?P<ticks>`+)(?!`) .+? (?<!`)(?P=ticks)(?!`) )
    | (?P<formula> \\\( .+? \\\)
        | \\\[ .+? \\\]
        | \$\$ .+? \$\$
        | (?<![\\$\w]) \$ (?![\s$]) [^$\n]*? (?<![\s\\]) \$ (?![\d$\w]) )
    """,
    re.DOTALL | re.MULTILINE | re.VERBOSE,
)
_SIGNS = re.compile(r"[!-/:-@\[-`{-~]")  # what Markdown lets a backslash stand before


def formulas_kept(markdown: str) -> str:
    """The same text, whose formulas come out of Markdown as they went in."""
    return _PARTS.sub(_kept, markdown)


def _kept(found: re.Match[str]) -> str:
    formula = found["formula"]
    return found[0] if formula is None else _SIGNS.sub(lambda sign: f"\\{sign[0]}", formula)
