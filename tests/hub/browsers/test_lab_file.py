"""The word a running lab leaves, and how a stale word is no word."""

import os
import stat
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread

import msgspec
import pytest

from tabwire.browser.choose import Attach, Lab
from tabwire.browser.endpoint import Endpoint
from tabwire.browser.process import mark_of
from tabwire.config.settings import Settings
from tabwire.hub.browsers.access import chosen
from tabwire.hub.browsers.lab_file import Word, is_lab_browser, lab_endpoint, posted, running_lab
from tabwire.model.errors import BrowserNotReachable, TabwireError

PORT, SPKI = 1234, "hash"


@pytest.fixture
def file(tmp_path, monkeypatch):
    """Where the word of a lab is left, in a home of this test's own."""
    monkeypatch.setenv("TABWIRE_HOME", str(tmp_path / "home"))
    return tmp_path / "home" / "run" / "lab.json"


def left_there(file, **settings):
    mine = mark_of(os.getpid())
    word = Word(**{"pid": mine.pid, "started": mine.started, "port": 1, "spki": "s", **settings})
    file.parent.mkdir(parents=True)
    file.write_bytes(msgspec.json.encode(word))


def test_a_word_hangs_there_for_the_length_of_a_block(file):
    with posted(PORT, SPKI):
        assert running_lab() == Word(os.getpid(), mark_of(os.getpid()).started, PORT, SPKI, None)
        assert [path.name for path in file.parent.iterdir()] == ["lab.json"]
    assert list(file.parent.iterdir()) == []


@pytest.mark.parametrize("devtools, words", [(None, "has no browser"), (9, "has a browser open")])
def test_a_second_lab_is_told_of_the_first(file, devtools, words):
    left_there(file, devtools=devtools)
    with pytest.raises(TabwireError, match=words) as raised, posted(PORT, SPKI):
        pass
    assert str(os.getpid()) in raised.value.what_to_do
    assert running_lab().devtools == devtools


@pytest.mark.parametrize("left", [{"started": "tick 1"}, {"pid": 2**22 + 1}])
def test_the_word_of_a_lab_that_was_killed_counts_for_nothing(file, left):
    left_there(file, **left)
    assert running_lab() is None
    with posted(PORT, SPKI):
        assert running_lab().port == PORT


def test_a_damaged_word_counts_for_nothing(file):
    file.parent.mkdir(parents=True)
    file.write_bytes(b'{"pid": ')
    assert running_lab() is None
    with posted(PORT, SPKI):
        assert running_lab().port == PORT


def test_the_word_of_another_lab_is_not_taken_down(file):
    with posted(PORT, SPKI):
        file.unlink()
        file.write_bytes(b'{"pid":1,"started":"x","port":2,"spki":"y"}')
    assert file.exists()


def test_looking_for_a_lab_leaves_no_trace(file):
    assert running_lab() is None
    assert not file.parent.exists()


@pytest.mark.asyncio
async def test_without_a_lab_the_remedy_is_to_open_one(file):
    with pytest.raises(BrowserNotReachable, match="no lab is running") as raised:
        await lab_endpoint()
    assert "tabwire lab open" in raised.value.what_to_do


@pytest.mark.asyncio
async def test_a_lab_without_a_browser_is_not_the_same_as_no_lab(file):
    left_there(file)
    with pytest.raises(BrowserNotReachable, match="has no browser") as raised:
        await lab_endpoint()
    assert "tabwire lab open" in raised.value.what_to_do


@pytest.mark.asyncio
async def test_a_browser_that_is_gone_is_said(file):
    left_there(file, devtools=1)
    with pytest.raises(BrowserNotReachable, match="browser is gone"):
        await lab_endpoint()


def test_the_word_is_this_persons_alone(file):
    with posted(PORT, SPKI):
        assert stat.S_IMODE(file.stat().st_mode) == 0o600


class Devtools(BaseHTTPRequestHandler):
    """A debugging port that says who it is."""

    path_told = "/devtools/browser/of-the-lab"

    def do_GET(self):
        told = {"webSocketDebuggerUrl": f"ws://127.0.0.1:1{self.path_told}", "Browser": "Chrome/1"}
        body = msgspec.json.encode(told)
        self.send_response(200)
        self.send_header("content-length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_):
        pass


@pytest.fixture
def devtools():
    """Its port."""
    with ThreadingHTTPServer(("127.0.0.1", 0), Devtools) as server:
        thread = Thread(target=server.serve_forever)
        thread.start()
        yield server.server_address[1]
        server.shutdown()
        thread.join()


@pytest.mark.parametrize("how", ["{port}", "http://127.0.0.1:{port}", "localhost:{port}",
                                 "ws://127.0.0.1:{port}/devtools/browser/of-the-lab"])  # fmt: skip
def test_whoever_attaches_to_the_browser_of_the_lab_is_in_the_lab(file, devtools, how):
    said = f"attach={how.format(port=devtools)}"
    with posted(PORT, SPKI) as word:
        assert isinstance(chosen(said, Settings()), Attach)
        word.browser(Endpoint("127.0.0.1", devtools, Devtools.path_told))
        assert chosen(said, Settings()) == Lab()
        assert chosen(None, Settings(browser=said)) == Lab()
        assert isinstance(chosen(f"attach={devtools + 1}", Settings()), Attach)
    assert isinstance(chosen(said, Settings()), Attach), "no lab runs any more"


def test_a_port_that_another_browser_has_by_now_is_not_the_labs(file, devtools, monkeypatch):
    with posted(PORT, SPKI) as word:
        word.browser(Endpoint("127.0.0.1", devtools, Devtools.path_told))
        assert is_lab_browser("127.0.0.1", devtools)
        assert not is_lab_browser("127.0.0.1", devtools, "/devtools/browser/another")
        monkeypatch.setattr(Devtools, "path_told", "/devtools/browser/another")
        assert not is_lab_browser("127.0.0.1", devtools)
