"""How a replica's files are served: on which stage, in which language, drifted how far.

A page's HTML is a file of its site; here it gets the language, the stage as JSON for its
scripts (`<script id="lab-stage">`), and the address its scripts are at. That address names the
drift (a drifted page is the same page with other names in all of its files) and the edition:
a browser may keep a script for ever, and whoever edits one and loads the page anew gets another
address.
"""

import os
import zlib
from collections.abc import Iterator
from pathlib import Path

from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response

from tabwire.lab.drift import drifted
from tabwire.lab.room import Room
from tabwire.lab.stories.known import STORIES
from tabwire.lab.stories.stage import BadStage, Stage, as_json, lab_words, stage_from, staged

MIME = {".html": "text/html", ".js": "text/javascript", ".css": "text/css", ".svg": "image/svg+xml"}
ASSETS = "/assets/"
STAGE_PLACE = '<script id="lab-stage" type="application/json"></script>'
RIGHT_TO_LEFT = ("ar",)


def stage_of(request: Request, room: Room) -> Stage:
    """The stage of a page's request, or of the page a request comes from. May raise BadStage."""
    told = lab_words(str(request.url)) or lab_words(request.headers.get("referer", ""))
    stage = stage_from(told, room.stage)
    story = STORIES.get(stage.story)
    if stage.story and story is None:
        raise BadStage(f"there is no story {stage.story!r}; `tabwire lab stories` lists them")
    return staged(stage, story.stage) if story else stage


def page(site: str, name: str, stage: Stage) -> Response:
    """One of a site's pages."""
    if stage.down:  # led back to itself for ever: no browser follows that
        return Response(status_code=302, headers={"location": "#"})
    path = _find(site, name)
    if path is None:
        return Response("not here", 404)
    text = path.read_text("utf-8")
    direction = "rtl" if stage.lang in RIGHT_TO_LEFT else "ltr"
    text = text.replace('<html lang="en"', f'<html lang="{stage.lang}" dir="{direction}"', 1)
    json = as_json(stage).replace("<", "\\u003c")
    text = text.replace(STAGE_PLACE, STAGE_PLACE.replace("></", f">{json}</"), 1)
    return _served(site, path, text, stage.drift)


def bad_stage(problem: BadStage) -> Response:
    """Whoever mistypes an address is told so."""
    return PlainTextResponse(f"Tabwire lab: {problem}", 400)


def asset(site: str, where: str) -> Response:
    """A file of a site's own `static` folder, else of the one all share; 404 for any other.

    `where` is its name, or drift, edition and name: `breaking.17~1a2b/app.js`.
    """
    folder, _, name = where.rpartition("/")
    drift, _, stated = folder.partition("~")
    path = _find(site, name)
    if path is None or path.suffix == ".html":
        return Response("not here", 404)
    try:
        drift = stage_from(f"drift:{drift or 'none'}").drift
    except BadStage:
        return Response("not here", 404)
    served = _served(site, path, path.read_text("utf-8"), drift)
    if stated == edition(site):
        served.headers["cache-control"] = "max-age=86400, immutable"
    return served


def edition(site: str) -> str:
    """Another word whenever one of the files a site's pages are made of was edited."""
    found = [(one.name, one.stat().st_mtime_ns) for one in _files(site)]
    return f"{zlib.crc32(repr(sorted(found)).encode()):08x}"


def _served(site: str, path: Path, text: str, drift: str) -> Response:
    if not drift.startswith("none"):
        text = drifted(text, site, drift, kind=path.suffix)
    text = text.replace(ASSETS, f"{ASSETS}{drift}~{edition(site)}/")
    return Response(text, headers={"cache-control": "no-store"}, media_type=MIME[path.suffix])


def _find(site: str, name: str) -> Path | None:
    paths = [folder / name for folder in _folders(site) if (folder / name).parent == folder]
    return next((one for one in paths if one.suffix in MIME and one.is_file()), None)


def _files(site: str) -> Iterator[os.DirEntry[str]]:
    for folder in _folders(site):
        yield from os.scandir(folder)


def _folders(site: str) -> tuple[Path, Path]:
    here = Path(__file__).parent
    return here / site / "static", here / "static"
