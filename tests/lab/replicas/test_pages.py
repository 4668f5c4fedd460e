"""How a page is served: on the stage its address asks for, with nothing else in it."""

import json
import os
import re
import shutil
from pathlib import Path

import pytest
from starlette.requests import Request

from tabwire.lab.replicas import pages
from tabwire.lab.replicas.pages import asset, bad_stage, edition, page, stage_of
from tabwire.lab.room import Room
from tabwire.lab.stories.stage import BadStage, Stage

STAGE = re.compile(r'<script id="lab-stage" type="application/json">(.*?)</script>')
SITES = (("chatgpt", "turn_key.html"), ("gemini", "index.html"), ("grok", "index.html"))


def request(url, referer=None):
    _, _, rest = url.partition("://")
    host, _, path = rest.partition("/")
    plain, _, query = path.partition("?")
    headers = [(b"host", host.encode())]
    if referer is not None:
        headers.append((b"referer", referer.encode()))
    scope = {"type": "http", "method": "GET", "scheme": "https", "path": f"/{plain}"}
    return Request({**scope, "query_string": query.encode(), "headers": headers})


@pytest.mark.parametrize("site, name", SITES)
def test_a_page_has_its_language_its_direction_and_its_stage(site, name):
    body = page(site, name, Stage(lang="ar", swallow=3)).body.decode()
    assert '<html lang="ar" dir="rtl"' in body
    assert json.loads(STAGE.search(body).group(1))["swallow"] == 3


def test_nothing_in_a_stage_can_end_the_script_it_stands_in():
    body = page("grok", "index.html", Stage(layout="</script><b>")).body.decode()
    assert "</script><b>" not in body
    assert json.loads(STAGE.search(body).group(1))["layout"] == "</script><b>"


def test_the_address_chooses_and_so_does_the_page_a_request_comes_from():
    room = Room(stage=Stage(lang="de"))
    assert stage_of(request("https://grok.com/?lab=aloud"), room) == Stage(lang="de", aloud=True)
    api = request("https://grok.com/rest/x", referer="https://grok.com/c/1?lab=lang:ja")
    assert stage_of(api, room).lang == "ja"
    assert stage_of(request("https://grok.com/"), room) == room.stage


def test_a_story_brings_its_stage_and_yields_to_what_the_address_says():
    room = Room()
    stage = stage_of(request("https://grok.com/?lab=story:late-page"), room)
    assert (stage.story, stage.hydrate) == ("late-page", 1.5)
    stage = stage_of(request("https://grok.com/?lab=story:late-page,hydrate:0.2"), room)
    assert stage.hydrate == 0.2


@pytest.mark.parametrize("words", ["story:none", "colour:red"])
def test_a_slip_in_the_address_is_said(words):
    with pytest.raises(BadStage) as slip:
        stage_of(request(f"https://grok.com/?lab={words}"), Room())
    answer = bad_stage(slip.value)
    assert answer.status_code == 400
    assert words.partition(":")[2] in answer.body.decode() or "colour" in answer.body.decode()


def test_the_scripts_of_a_drifted_page_are_the_drifted_ones():
    body = page("grok", "index.html", Stage(drift="cosmetic.3")).body.decode()
    where = f"cosmetic.3~{edition('grok')}"
    assert f'"/assets/{where}/' in body
    script = asset("grok", f"{where}/app.js").body.decode()
    assert f'"/assets/{where}/' in script
    assert '"/assets/app' not in body


def test_a_script_may_be_kept_while_its_edition_is_the_newest():
    kept = asset("grok", f"none~{edition('grok')}/app.js")
    assert "immutable" in kept.headers["cache-control"]
    for where in ("app.js", "none~00000000/app.js", "none/app.js"):
        assert asset("grok", where).headers["cache-control"] == "no-store"


def test_a_page_that_was_edited_has_other_addresses(tmp_path, monkeypatch):
    for folder in ("static", "grok/static"):
        shutil.copytree(Path(pages.__file__).parent / folder, tmp_path / folder)
    monkeypatch.setattr(pages, "__file__", str(tmp_path / "pages.py"))
    before = edition("grok")
    os.utime(tmp_path / "static" / "stage.js", ns=(1, 1))
    assert edition("grok") != before


def test_pages_are_not_handed_out_as_scripts():
    assert asset("grok", "index.html").status_code == 404
    assert asset("grok", "app.js").media_type == "text/javascript"
    assert asset("grok", "app.js").headers["cache-control"] == "no-store"


@pytest.mark.parametrize("where", ["../app.js", "cosmetic.1/../../server.py", "a/b/../app.py", ""])
def test_nothing_outside_the_folders_is_handed_out(where):
    assert asset("grok", where).status_code == 404
