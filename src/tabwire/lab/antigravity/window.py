"""A window of the replica: which, in what shape, with which past. Data."""

from dataclasses import dataclass
from typing import Literal

from tabwire.lab.antigravity.plan import Plan
from tabwire.lab.antigravity.words import Lang

Generation = Literal[
    "1.x", "2.0", "cascade", "app", "manager", "launchpad", "settings", "browser", "cursor"
]
MODELS = (
    "Gemini 3.1 Pro (High)",
    "Gemini 3.1 Pro (Low)",
    "Gemini 3 Flash",
    "Claude Sonnet 4.6 (Thinking)",
    "Claude Opus 4.6 (Thinking)",
    "GPT-OSS 120B (Medium)",
)
MODES = ("Planning", "Fast")

PAGES: dict[Generation, str] = {
    "1.x": "/out/vs/code/electron-browser/workbench/workbench.html",
    "2.0": "/out/vs/code/electron-browser/workbench/workbench.html",
    "cascade": "/out/vs/code/electron-browser/workbench/workbench.html",
    "cursor": "/out/vs/code/electron-sandbox/workbench/workbench.html",
    "manager": "/out/vs/code/electron-browser/workbench/workbench-jetski-agent.html",
    "launchpad": "/out/vs/code/electron-browser/workbench/workbench-jetski-agent.html",
    "settings": "/webview/index.html",
    "browser": "/checkout",
    "app": "/",
}
"""Where each is served. As in the real thing, windows of a kind share one address."""


@dataclass(frozen=True, slots=True)
class Past:
    """A conversation that was there before."""

    title: str
    when: str = "2 mins ago"
    here: bool = True  # of this workspace; else under "Other Conversations"
    turns: tuple[tuple[str, str], ...] = (("What is this?", "A shop."),)  # prompts and answers


@dataclass(frozen=True, slots=True)
class Window:
    """A window to open."""

    workspace: str = "shop"
    generation: Generation = "1.x"
    lang: Lang = "en"
    file: str = ""  # open in the editor, and in the title
    plans: tuple[Plan, ...] = ()  # what the first prompts start, one by one
    past: tuple[Past, ...] = ()
    turns: tuple[tuple[str, str], ...] = ()  # earlier turns of the conversation that is open
    title: str = ""  # of that conversation
    model: str = MODELS[0]
    mode: str = MODES[0]
    stop: str = ""  # the stop control has no tooltip id, but this label
    strict: bool = False  # every control wants pointer events before the click
    typeahead: bool = True
    nodes: int = 0  # in the panel besides
    panel: bool = True  # an agent panel is open in it
    plain_thumbs: bool = False  # Good and Bad below a turn are bare words
    most: int = 0  # steps between two texts that the app shows; the others: "Show N more"

    @property
    def page_title(self) -> str:
        """What the window's title says once it is open."""
        name = {
            "cursor": "Cursor",
            "manager": "Manager",
            "launchpad": "Launchpad",
            "settings": "Multi Purpose Agent Settings",
            "browser": "Checkout",
            "app": "Antigravity",
        }.get(self.generation, "Antigravity")
        if self.generation in ("1.x", "2.0", "cascade", "cursor"):
            return f"{self.workspace} — {name}" + (f" - {self.file}" if self.file else "")
        return name
