"""What the stand-alone program says over a conversation: its project, and its title. Data, and
what the words mean.

Captured 2026-07: `C:\\Work\\shop / Add a total`. Of seven projects in that capture two were shown
as the whole path of their folder, five by a name that may be any words. The title is written by
the agent, so which of the two is which is told by where it stands, never by what it says.
"""

import re
from typing import Final

HEAD: Final = {
    "view": '[data-testid="conversation-view"]',
    "beside": '[data-testid="titlebar-more-actions"]',
    "crumb": "span.truncate.inline-block",
    "pill": '[data-testid^="convo-pill-"]',
    "active": "bg-sidebar-secondary",
    "section": r".group\/section",
    "project": "[data-project-card]",
}
"""The head of the window, and in the side bar the project whose conversation is open."""

_WHOLE = re.compile(r"/|[A-Za-z]:[\\/]|\\\\")


def is_folder(project: str) -> bool:
    """Whether a project is shown as the whole path of its folder."""
    return bool(_WHOLE.match(project)) and "…" not in project and "..." not in project


def project_name(project: str) -> str:
    """What a project is called: the last part of its path, or its name."""
    return re.split(r"[\\/]", project.rstrip("\\/"))[-1] if is_folder(project) else project
