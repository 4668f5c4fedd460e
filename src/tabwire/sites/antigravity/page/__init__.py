"""What the page rooms need to know of the agent panel. Data only.

drive.py    where a person writes, chooses and finds conversations in the panel's window
head.py     what the stand-alone program says over a conversation
limits.py   what says that a limit is reached
packs.py    selector packs, one per generation of the panel
shape.py    what is known of one generation of the panel
targets.py  which entries of a debugging port's list are windows of the product, and what they are
            called
texts.py    what controls are labelled, and the words that say a limit, an error or a command's
            state
wish.py     all of this as the scripts in the page take it
"""

from tabwire.sites.antigravity.page.limits import is_limit, may_be_limit
from tabwire.sites.antigravity.page.packs import PACKS
from tabwire.sites.antigravity.page.shape import Pack
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
from tabwire.sites.antigravity.page.wish import wish

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
