"""`tabwire dashboard`: a real hub, started by it, and the address it gives."""

import http.client
import json
import os
import stat
import sys
from urllib.parse import urlsplit

import pytest

from kit.hub_process import kill_hub, tabwire

pytestmark = pytest.mark.skipif(os.name != "posix", reason="the stand-in of a browser is a script")


@pytest.fixture
def home(tmp_path, monkeypatch):
    place = tmp_path / "h"
    place.mkdir(mode=0o700)
    monkeypatch.setenv("TABWIRE_HOME", str(place))
    for name in ("DISPLAY", "WAYLAND_DISPLAY", "WSL_DISTRO_NAME", "BROWSER"):
        monkeypatch.delenv(name, raising=False)
    yield place
    kill_hub(place)


def visit(url):
    """Status, and where it leads to."""
    parts = urlsplit(url)
    line = http.client.HTTPConnection(parts.netloc, timeout=30)
    line.request("GET", parts.path, headers={"accept": "text/html"})
    answer = line.getresponse()
    body = answer.read().decode()
    line.close()
    return answer.status, answer.headers.get("location"), body


def test_it_starts_a_hub_and_gives_an_address_that_works_once(home):
    done = tabwire(home, "dashboard", "--no-open")
    assert done.returncode == 0, done.stderr
    url = done.stdout.strip()
    assert "within 60 s. It works once." in done.stderr
    status, place, _ = visit(url)
    assert (status, place.partition("#")[0]) == (303, "/dashboard/")
    status, _, page = visit(url)
    assert (status, "tabwire dashboard" in page) == (401, True)
    told = json.loads(tabwire(home, "dashboard", "--no-open", "--json").stdout)
    assert (told["seconds"], told["opened"]) == (60.0, False)
    assert told["url"] != url
    assert visit(told["url"])[0] == 303
    log = (home / "logs" / "hub.log").read_text()
    assert url.rpartition("/")[2] not in log


def test_it_opens_the_persons_browser_and_says_no_secret(home, tmp_path, monkeypatch):
    seen = tmp_path / "seen"
    browser = tmp_path / "browser"
    browser.write_text(
        f"#!{sys.executable}\nimport sys\nopen({str(seen)!r}, 'w').write(sys.argv[1])\n"
    )
    browser.chmod(browser.stat().st_mode | stat.S_IXUSR)
    done = tabwire(home, "dashboard", BROWSER=str(browser))
    assert done.returncode == 0, done.stderr
    url = seen.read_text()
    assert done.stdout == f"opened in your browser: {url.partition('/enter/')[0]}/\n"
    assert url.rpartition("/")[2] not in done.stdout + done.stderr
    assert visit(url)[0] == 303


def test_where_there_is_no_screen_the_address_is_printed(home):
    done = tabwire(home, "dashboard")
    assert done.returncode == 0, done.stderr
    assert "Could not open a browser." in done.stderr
    assert visit(done.stdout.strip())[0] == 303
