"""What the page rooms need to know of the agent panel. Data only."""

from tabwire.sites.antigravity.page.limits import is_limit, may_be_limit
from tabwire.sites.antigravity.page.packs import PACKS
from tabwire.sites.antigravity.page.shape import Pack, wish
from tabwire.sites.antigravity.page.targets import (
    PORTS,
    Listed,
    Place,
    Window,
    is_product,
    named,
    windows_of,
    workspace_of,
)
from tabwire.sites.antigravity.page.texts import APPROVALS, LABELS, WORDS

__all__ = [
    "APPROVALS",
    "LABELS",
    "PACKS",
    "PORTS",
    "WORDS",
    "Listed",
    "Pack",
    "Place",
    "Window",
    "is_limit",
    "is_product",
    "may_be_limit",
    "named",
    "windows_of",
    "wish",
    "workspace_of",
]
