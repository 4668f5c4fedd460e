"""Where to go in the lab: its own address, and every page of every site."""

from dataclasses import dataclass

HOST = "lab.tabwire.test"  # `.test` belongs to nobody: without the lab's flags it leads nowhere
HOME = f"https://{HOST}/"
NAMES = (HOST, "127.0.0.1", "localhost")
"""By which names the lab's own page answers: the latter two for browsers without our flags."""


@dataclass(frozen=True, slots=True)
class Place:
    """One page: in words, and its address. `lab` is what the address says to the lab."""

    label: str
    address: str
    lab: str = ""


@dataclass(frozen=True, slots=True)
class Site:
    """One site: the name people know it by, its pages, the usual one first."""

    name: str
    label: str
    places: tuple[Place, ...]


SITES = (
    Site(
        "chatgpt",
        "ChatGPT",
        (
            Place("September 2026", "https://chatgpt.com/"),
            Place("logged out", "https://chatgpt.com/", "layout:octane"),
            Place("the old page", "https://chatgpt.com/", "layout:classic"),
            Place("temporary chat", "https://chatgpt.com/?temporary-chat=true"),
        ),
    ),
    Site("gemini", "Gemini", (Place("2026", "https://gemini.google.com/app"),)),
    Site(
        "grok",
        "Grok",
        (
            Place("grok.com", "https://grok.com/"),
            Place("on x.com", "https://x.com/i/grok"),
        ),
    ),
)

LANGUAGES = {
    "en": "English",
    "ja": "日本語",
    "de": "Deutsch",
    "fr": "Français",
    "ar": "العربية",
    "zh": "中文",
}
