"""The sites, played: one folder for each, with its pages and its part of the server.

A folder exports `HOSTS` (the names it answers to, the page's own first) and `routes(room)`.
Pages are plain files under `static`; what several use is in the `static` beside the folders.
What the server says is written by `lab/speak_*.py`.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache
from importlib import import_module
from pathlib import Path

from starlette.responses import Response
from starlette.routing import BaseRoute

from tabwire.lab.room import Room

NAMES = ("chatgpt", "gemini", "grok")
MIME = {".html": "text/html", ".js": "text/javascript", ".css": "text/css", ".svg": "image/svg+xml"}


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


def static_file(site: str, name: str) -> Response:
    """A file of a site's own `static` folder, else of the one all share; 404 for any other."""
    here = Path(__file__).parent
    folders = (here / site / "static", here / "static")
    paths = [folder / name for folder in folders if (folder / name).parent == folder]
    path = next((one for one in paths if one.suffix in MIME and one.is_file()), None)
    if path is None:
        return Response("not here", 404)
    # read again each time: whoever edits a replica reloads the tab and sees it
    return Response(
        path.read_bytes(), headers={"cache-control": "no-store"}, media_type=MIME[path.suffix]
    )
