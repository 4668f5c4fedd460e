"""The tree of a judgement, with a verdict for each part."""

from collections.abc import Iterator

from tabwire_guard.verdict import Judgement, Part

SIGNS = {"allow": "+", "ask": "?", "deny": "!"}


def tree(judgement: Judgement) -> Iterator[tuple[int, Part, str]]:
    """Depth, part, and its one line: what it is and what was found in it."""
    seen: set[tuple[int, str, str]] = set()
    for part in judgement.parts:
        key = (part.depth, part.text, part.note)
        if key in seen:
            continue
        seen.add(key)
        note = f"  ({part.note})" if part.note else ""
        yield part.depth, part, f"{part.text}{note}"


def as_data(judgement: Judgement, *, whole: bool = False) -> dict[str, object]:
    """A judgement as JSON; `whole`: with every part of the tree."""
    told: dict[str, object] = {
        "verdict": judgement.verdict.word,
        "reason": judgement.reason,
        "rule": judgement.rule,
        "segment": judgement.segment,
        "shell": judgement.shell,
        "cmd": judgement.command,
        "findings": [
            {
                "verdict": one.verdict.word,
                "rule": one.rule,
                "reason": one.reason,
                "segment": one.segment,
            }
            for one in judgement.findings
        ],
    }
    if whole:
        told["parts"] = [
            {
                "segment": part.text,
                "depth": part.depth,
                "note": part.note,
                "verdict": part.verdict.word,
                "rules": [one.rule for one in part.findings],
                "allowed_by": part.allowed_by,
            }
            for _, part, _ in tree(judgement)
        ]
    return told
