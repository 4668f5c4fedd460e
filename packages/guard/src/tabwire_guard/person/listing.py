"""Every rule that holds, and how the guard scores on labelled commands."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from tabwire_guard.catalogue import CATALOGUE
from tabwire_guard.errors import BadInput
from tabwire_guard.person.judgement import judge_with_own_rules
from tabwire_guard.person.rule_files import WORKSPACE_FILE, own_rules

LABELS = ("deny", "ask", "allow")


def list_rules(workspace: Path, home: Path) -> list[dict[str, str]]:
    """Every rule: the built-in ones, then the person's."""
    rows = [
        {"kind": "built-in", "rule": name, "meaning": meaning, "origin": "Tabwire"}
        for name, meaning in CATALOGUE.items()
    ]
    own = own_rules(workspace, home)
    rows += [
        {"kind": "ban", "rule": one.said, "meaning": "always denied", "origin": one.origin}
        for one in own.rules.bans
    ]
    rows += [
        {
            "kind": "allow",
            "rule": one.said,
            "meaning": "allowed without asking",
            "origin": one.origin,
        }
        for one in own.rules.allows
    ]
    rows += [
        {
            "kind": "waiting",
            "rule": one,
            "meaning": "applies once you accept it",
            "origin": str(workspace / WORKSPACE_FILE),
        }
        for one in own.waiting
    ]
    return rows


def score(entries: Sequence[Any], workspace: str | None, home: Path) -> dict[str, Any]:
    """How the guard does on labelled commands."""
    counts: dict[str, dict[str, int]] = {label: {} for label in LABELS}
    missed: list[dict[str, str]] = []
    for entry in entries:
        if not isinstance(entry, dict) or entry.get("label") not in counts:
            raise BadInput(
                f"an entry has no label: {str(entry)[:80]}", 'Each entry needs "cmd" and "label".'
            )
        label = entry["label"]
        shell = entry.get("shell") or "bash"
        windows = shell in ("powershell", "cmd", "windows")
        folder = workspace or (r"C:\Users\you\project" if windows else None)
        judgement = judge_with_own_rules(
            str(entry.get("cmd", "")), shell=shell, workspace=folder, home=home
        )
        verdict = judgement.verdict.word
        counts[label][verdict] = counts[label].get(verdict, 0) + 1
        if (verdict == "allow") != (label == "allow"):
            missed.append(
                {
                    "cmd": judgement.command,
                    "shell": shell,
                    "label": label,
                    "verdict": verdict,
                    "rule": judgement.rule,
                }
            )
    totals = {label: sum(row.values()) for label, row in counts.items()}
    through = counts["deny"].get("allow", 0)
    held = 1 - counts["ask"].get("allow", 0) / totals["ask"] if totals["ask"] else 1.0
    stopped = 1 - counts["allow"].get("allow", 0) / totals["allow"] if totals["allow"] else 0.0
    return {
        "counts": counts,
        "deny_allowed": through,
        "ask_held": held,
        "allow_stopped": stopped,
        "met": through == 0 and held >= 0.95 and stopped < 0.10,
        "missed": missed,
    }
