"""Write which room of the guard knows which program, and the names of all its rules.

    python scripts/index.py --write
    python scripts/index.py --check

A judgement then imports the rooms it needs and no others: a command line starts fast.
"""

import ast
import json
import re
import subprocess
import sys
import textwrap
from collections import defaultdict
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
GUARD = ROOT / "src" / "tabwire_guard"
INDEX = GUARD / "programs" / "index.py"
RULES = GUARD / "rule_names.py"
NO_ROOMS = {"registry", "index"}
ASKS = """
import importlib, json, sys
ROOMS = "tabwire_guard.programs"
found = {}
for room in sys.argv[1:]:
    # Each room alone: none that was imported before it may bring its programs along.
    for name in [one for one in sys.modules if one == ROOMS or one.startswith(ROOMS + ".")]:
        del sys.modules[name]
    registry = importlib.import_module(ROOMS + ".registry")
    importlib.import_module(ROOMS + "." + room)
    tables = registry.PROGRAMS, registry.CMDLETS, registry.CMD
    found[room] = [sorted(one) for one in tables]
print(json.dumps(found))
"""
TABLES = ("PROGRAMS", "CMDLETS", "CMD")


def index() -> str:
    """The text of index.py: each program under the smallest room that brings it."""
    folder = GUARD / "programs"
    files = sorted(path for path in folder.rglob("*.py") if path.stem != "__init__")
    modules = [".".join(path.relative_to(folder).with_suffix("").parts) for path in files]
    command = [sys.executable, "-c", ASKS, *(one for one in modules if one not in NO_ROOMS)]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    brought: dict[str, list[list[str]]] = json.loads(done.stdout)
    sizes = {room: sum(map(len, tables)) for room, tables in brought.items()}
    lines = [
        '"""Which room knows which program. Written by `make docs` from the rooms."""',
        "",
        "ROOMS: dict[str, dict[str, str]] = {",
    ]
    for at, table in enumerate(TABLES):
        rooms: dict[str, list[str]] = defaultdict(list)
        for name in sorted({name for tables in brought.values() for name in tables[at]}):
            having = [room for room in brought if name in brought[room][at]]
            rooms[min(having, key=lambda room: (sizes[room], room))].append(name)
        lines.append(f'    "{table}": {{')
        for room, names in sorted(rooms.items()):
            lines.append(f'        "{room}": """')
            lines += textwrap.wrap(
                " ".join(names), 96, initial_indent=" " * 12, subsequent_indent=" " * 12,
                break_long_words=False, break_on_hyphens=False,
            )  # fmt: skip
            lines.append('        """,')
        lines.append("    },")
    return "\n".join([*lines, "}", '"""By table and room, the names."""', ""])


def rule_names() -> str:
    """The text of rule_names.py: every rule a finding can name."""
    names: set[str] = set()
    for path in GUARD.rglob("*.py"):
        if path != RULES:
            names |= _rules_in(ast.parse(path.read_text(encoding="utf-8")))
    body = textwrap.wrap(
        " ".join(sorted(names)), 96, initial_indent="    ", subsequent_indent="    ",
        break_long_words=False, break_on_hyphens=False,
    )  # fmt: skip
    head = '"""The rules a finding can name. Written by `make docs` from the rooms."""'
    return "\n".join([head, "", "NAMES = frozenset(", '    """', *body, '    """.split()', ")", ""])


_RULE = re.compile(r"[a-z]+(?:-[a-z]+)*(?:\.[a-z]+(?:-[a-z]+)*)?")
_TAKES_RULES = {"ask", "deny", "say", "Finding", "Poison", "Name"}


def _rules_in(tree: ast.AST) -> set[str]:
    """Texts that are handed over as a rule, and texts shaped like one beside a known family."""
    from tabwire_guard.catalogue import FAMILIES

    found: set[str] = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            family, dot, rest = node.value.partition(".")
            if dot and family in FAMILIES and _RULE.fullmatch(node.value) and rest not in _ENDINGS:
                found.add(node.value)
        if isinstance(node, ast.Call):
            called = node.func.attr if isinstance(node.func, ast.Attribute) else ""
            called = called or (node.func.id if isinstance(node.func, ast.Name) else "")
            at = {"Finding": 1, "say": 1, "Name": 2}.get(called, 0)
            if called in _TAKES_RULES and len(node.args) > at:
                rule = node.args[at]
                said = rule.value if isinstance(rule, ast.Constant) else None
                if isinstance(said, str) and _RULE.fullmatch(said):
                    found.add(said)
    return found


_ENDINGS = frozenset(
    "py js sh json toml yml yaml sock com txt exe msc recipe std test server".split()
)


def main(wish: str) -> int:
    """Write, or say whether something would have to be written."""
    stale = []
    for path, fresh in ((RULES, rule_names()), (INDEX, index())):
        if path.exists() and path.read_text(encoding="utf-8") == fresh:
            continue
        if wish == "--write":
            path.write_text(fresh, encoding="utf-8")
        else:
            stale.append(path.name)
    if stale:
        print(f"{' and '.join(stale)} not in sync with the guard's rooms; run `make docs`")
    return 1 if stale else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
