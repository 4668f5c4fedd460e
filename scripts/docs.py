"""Write the parts of the docs that come from the code, or check that they are in sync.

    python scripts/docs.py --write
    python scripts/docs.py --check

Such a part stands between `<!-- NAME: … -->` and `<!-- end of NAME -->`.
"""

import re
import sys
from dataclasses import fields
from pathlib import Path

from tabwire.config.settings import PREFIX, Settings
from tabwire.fusion.table import mermaid
from tabwire.lab.stories.known import STORIES
from tabwire.lab.stories.story import SITES, Story

DOCS = Path(__file__).resolve().parent.parent / "docs"


def parts() -> dict[str, dict[str, str]]:
    """Every written part by the page it stands in, and by its name."""
    return {
        "architecture.md": {"states": f"```mermaid\n{mermaid().rstrip()}\n```"},
        "lab.md": {"stories": stories()},
        "settings.md": {"settings": settings()},
    }


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
    rows = ["| setting | environment | without it | meaning |", "|---|---|---|---|"]
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
