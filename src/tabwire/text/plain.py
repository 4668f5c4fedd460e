"""An answer as plain text: what the marks meant is said, the marks are gone.

Seed 001 (3.5) strips `**bold**`, `*italic*`, `$…$`, `$$…$$` and `[Image of …]` by patterns,
anywhere, and so spoils code and `a*b*c`. Here code keeps every character: only its fences go.
A link keeps its address in brackets, a list its marks, a table becomes lines with tabs.
"""

import re

from tabwire.text.blocks import Block, Kind, blocks
from tabwire.text.formula import plain_formula
from tabwire.text.inline import plain_inline

_CELL = re.compile(r"(?<!\\)\|")
_BULLET = re.compile(r"[*+•](?= )")


def plain(markdown: str) -> str:
    """The text without Markdown, LaTeX and pictures."""
    parts: list[str] = []
    for block in blocks(markdown):
        if block.kind in (Kind.BLANK, Kind.RULE):
            if block.kind is Kind.BLANK and parts and parts[-1]:
                parts.append("")
            continue
        said = _say(block)
        if said or block.kind is Kind.CODE:
            parts.append(said)
    while parts and not parts[-1].strip():
        parts.pop()
    return "\n".join(parts)


def _say(block: Block) -> str:
    match block.kind:
        case Kind.CODE:
            return block.text
        case Kind.FORMULA:
            return plain_formula(block.text)
        case Kind.ROW:
            return "\t".join(plain_inline(cell) for cell in cells(block.text))
        case Kind.ITEM:
            # Its further lines stand under its words, not under its mark.
            said = plain_inline(block.text).replace("\n", "\n" + " " * len(block.mark))
            return _BULLET.sub("-", block.mark) + said
        case _:
            return plain_inline(block.text)


def cells(row: str) -> list[str]:
    """The cells of a table's row."""
    inner = row.strip().removeprefix("|")
    if inner.endswith("|") and not inner.endswith("\\|"):
        inner = inner[:-1]
    return [cell.strip().replace("\\|", "|") for cell in _CELL.split(inner)]
