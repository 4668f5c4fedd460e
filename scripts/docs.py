"""Write the parts of the docs that come from the code, or check that they are in sync.

    python scripts/docs.py --write
    python scripts/docs.py --check

Such a part stands between `<!-- NAME: … -->` and `<!-- end of NAME -->`.
"""

import ast
import re
import sys
from dataclasses import fields
from pathlib import Path

from tabwire.config.settings import PREFIX, Settings
from tabwire.fusion.table import mermaid
from tabwire.lab.stories.known import STORIES
from tabwire.lab.stories.story import SITES, Story

ROOT = Path(__file__).resolve().parent.parent
DOCS = ROOT / "docs"
SOURCE = ROOT / "src" / "tabwire"

sys.path.insert(0, str(ROOT / "tests"))
from kit.layers import MAY_IMPORT, imports  # noqa: E402  (the import map is a test's)

EVERYBODYS = ("model", "config")
KNOWS_ALL = ("hub", "lab")


def parts() -> dict[str, dict[str, str]]:
    """Every written part by the page it stands in, and by its name."""
    return {
        "architecture.md": {
            "rooms": rooms(),
            "states": f"```mermaid\n{mermaid().rstrip()}\n```",
        },
        "lab.md": {"stories": stories()},
        "settings.md": {"settings": settings()},
    }


def rooms() -> str:
    """A drawing of the rooms: who imports whom, read from the imports of the source.

    `model`, which every room may import, and the hub's and the lab's many arrows are left out.
    """
    edges: dict[str, set[str]] = {}
    for path in sorted(SOURCE.rglob("*.py")):
        place = path.relative_to(SOURCE)
        if len(place.parts) == 1:
            continue
        for _line, name in imports(ast.parse(path.read_text(encoding="utf-8")), place):
            first, _, rest = name.partition(".")
            other = "guard" if first == "tabwire_guard" else rest.partition(".")[0]
            inside = first == "tabwire_guard" or (first == "tabwire" and other in MAY_IMPORT)
            if inside and other not in (place.parts[0], *EVERYBODYS):
                edges.setdefault(place.parts[0], set()).add(other)
    lines = ["```mermaid", "flowchart BT"]
    for room, others in sorted(edges.items()):
        if room in KNOWS_ALL:
            lines.append(f"    {room}[{room}: may use every room below it]")
            continue
        lines += [f"    {other} --> {room}" for other in sorted(others)]
    top = ["    autopilot & capture & asking & queue & files --> hub", "    hub --> lab"]
    return "\n".join([*lines, *top, "```"])


def stories() -> str:
    """The table of the lab's stories."""
    rows = ["| story | what happens | faults | sites | outcome |", "|---|---|---|---|---|"]
    return "\n".join([*rows, *map(_row, STORIES.values())])


def _row(story: Story) -> str:
    sites = "all" if story.sites == SITES else ", ".join(story.sites)
    cells = (f"`{story.name}`", story.about, ", ".join(story.faults), sites, str(story.outcome))
    return f"| {' | '.join(cells)} |"


def settings() -> str:
    """The table of settings."""
    rows = ["| setting | environment | default | meaning |", "|---|---|---|---|"]
    for one in fields(Settings):
        default = f"`{one.default}`" if one.default else ""
        cells = (f"`{one.name}`", f"`{PREFIX}{one.name.upper()}`", default, one.metadata["says"])
        rows.append(f"| {' | '.join(cells)} |".replace("|  |", "| |"))
    return "\n".join(rows)


def renewed(page: str, text: str) -> str:
    """The same page with its written parts as they should be."""
    for name, part in parts()[page].items():
        place = re.search(rf"<!-- {name}: [^>]*-->\n(.*?)\n<!-- end of {name} -->", text, re.DOTALL)
        if place is None:
            raise SystemExit(f"{page} has no place for `{name}`")
        text = text[: place.start(1)] + part + text[place.end(1) :]
    return text


def main(wish: str) -> int:
    """Write, or say whether something would have to be written."""
    stale = []
    for page in parts():
        text = (DOCS / page).read_text(encoding="utf-8")
        fresh = renewed(page, text)
        if fresh == text:
            continue
        if wish == "--write":
            (DOCS / page).write_text(fresh, encoding="utf-8")
        else:
            stale.append(page)
    if stale:
        print(f"docs/{' and docs/'.join(stale)} not in sync with the code; run `make docs`")
    return 1 if stale else 0


if __name__ == "__main__":
    if sys.argv[1:] not in (["--write"], ["--check"]):
        sys.exit(__doc__)
    sys.exit(main(sys.argv[1]))
