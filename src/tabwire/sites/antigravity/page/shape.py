"""What is known of one generation of the panel: where each part of it stands.

A part is a list of selectors, best first, each with the month it was seen. Rows of a turn are
told apart by where they stand, never by their words: prose in a step of its own is output, in a
folded block it is thinking, beside a file chip it is a tool row.
"""

from dataclasses import dataclass, fields

from tabwire.sites.page import Selector

Selectors = tuple[Selector, ...]


@dataclass(frozen=True, slots=True)
class Pack:
    """Selectors of one generation. Empty where nothing is known."""

    name: str
    product: str
    """Which product and versions it was seen in, in words."""
    root: Selectors
    """The panel. Without it nothing is read."""
    turns: Selectors
    """The list whose children are the turns of the conversation."""
    composer: Selectors
    send: Selectors
    stop: Selectors
    user: Selectors
    user_text: Selectors
    prose: Selectors
    thinking: Selectors
    """A block that unfolds to what the agent thought."""
    fold: Selectors
    """A block that unfolds to steps: `Worked for 4m`, `Ran 1 command`."""
    task: Selectors
    """A section with a title and steps of its own."""
    pinned: Selectors
    """In a task, the part that shows a step once more while it runs."""
    command: Selectors
    """A card that holds one command line."""
    command_line: Selectors
    """In it, where the command stands, with the folder before it."""
    cwd: Selectors
    prompt_mark: Selectors
    tool: Selectors
    """A step that is one line: what was done, to what."""
    tool_line: Selectors
    plan: Selectors
    artifact: Selectors
    files: Selectors
    """The bar that says how many files changed."""
    status: Selectors
    closed: Selectors
    """In a turn that is over: Good and Bad. Never there while the agent works on it."""
    title: Selectors
    model: Selectors
    mode: Selectors
    placeholder: Selectors
    """What a step is replaced by while it is out of sight."""
    older: Selectors
    """A sign that the list does not begin at the conversation's beginning."""
    skip: Selectors
    """Never part of a turn: feedback, folded details, forms, footers, tooltips."""
    dialog: Selectors
    """What lies over the panel and may ask something."""
    surface: Selectors
    """Where a limit or an error is said, outside messages."""
    spinner: Selectors
    card: Selectors = ()
    """Frames around something that asks, for panels whose steps are not known otherwise."""


PARTS = tuple(one.name for one in fields(Pack) if one.name not in ("name", "product"))
