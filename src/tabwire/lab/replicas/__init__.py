"""The sites, played: one folder for each, with its pages and its part of the server.

A folder exports `HOSTS` (the names it answers to, the page's own first) and `routes(room)`.
Pages are plain files under `static`; what several use is in the `static` beside the folders.
What the server says is written by `lab/speak_*.py`.

chatgpt/  chatgpt.com, played
gemini/   gemini.google.com, played
grok/     grok.com, played
pages.py  how a replica's files are served
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache
from importlib import import_module

from starlette.routing import BaseRoute

from tabwire.lab.room import Room

NAMES = ("chatgpt", "gemini", "grok")


@dataclass(frozen=True, slots=True)
class Replica:
    """One site as the lab plays it."""

    name: str
    hosts: tuple[str, ...]
    routes: Callable[[Room], list[BaseRoute]]

    @property
    def home(self) -> str:
        """Where its page is."""
        return f"https://{self.hosts[0]}/"


@cache
def replicas() -> Mapping[str, Replica]:
    """All there are, by site."""
    modules = {name: import_module(f"{__name__}.{name}") for name in NAMES}
    return {name: Replica(name, one.HOSTS, one.routes) for name, one in modules.items()}
