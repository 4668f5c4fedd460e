"""What `make bench` compares with: pinned apart, fetched once, and in nobody else's way."""

import tomllib
from importlib.util import find_spec
from pathlib import Path

import pytest

from scripts import lock, peers, prepare

ROOT = Path(__file__).resolve().parent.parent
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]


@pytest.fixture
def checkout(tmp_path, monkeypatch):
    """A checkout in which pip notes what it is asked for."""
    (tmp_path / peers.LOCK).write_text("a==1\n")
    monkeypatch.setattr(prepare, "ROOT", tmp_path)
    monkeypatch.setattr(prepare, "VENV", tmp_path / ".venv")
    asked: list[tuple[str, ...]] = []

    def pip(*arguments):
        asked.append(arguments)
        (tmp_path / ".venv" / "peers").mkdir(parents=True)
        return True

    monkeypatch.setattr(prepare, "pip", pip)
    return tmp_path, asked


def test_peers_are_fetched_once_into_a_folder_of_their_own(checkout):
    folder, asked = checkout
    assert peers.main() == 0
    assert peers.main() == 0
    (arguments,) = asked
    assert {"--no-deps", "--require-hashes", peers.LOCK} <= set(arguments)
    assert arguments[arguments.index("--target") + 1] == str(folder / ".venv" / "peers")


def test_other_versions_are_fetched_into_an_empty_folder(checkout):
    folder, asked = checkout
    peers.main()
    (folder / ".venv" / "peers" / "left over").touch()
    (folder / peers.LOCK).write_text("a==2\n")
    assert peers.main() == 0
    assert len(asked) == 2
    assert not (folder / ".venv" / "peers" / "left over").exists()


def test_a_fetch_that_failed_is_tried_again(checkout, monkeypatch):
    """Promise: back."""
    _, asked = checkout
    working = prepare.pip
    monkeypatch.setattr(prepare, "pip", lambda *arguments: working(*arguments) and False)
    assert peers.main() == 1
    monkeypatch.setattr(prepare, "pip", working)
    assert peers.main() == 0
    assert len(asked) == 2


def test_the_two_locks_share_nothing_and_name_no_registry():
    first, second = ((ROOT / name).read_text() for name in ("requirements.lock", peers.LOCK))
    assert set(lock.names(second))
    assert set(lock.names(first)) & set(lock.names(second)) == set()
    for text in (first, second):
        assert "://" not in text
        assert text.count("--hash=sha256:") >= len(lock.names(text))


def test_every_peer_is_in_the_extra_and_pinned():
    pinned = {*lock.names((ROOT / peers.LOCK).read_text())}
    pinned |= {*lock.names((ROOT / "requirements.lock").read_text())}
    wanted = {one.partition(">=")[0] for one in PROJECT["optional-dependencies"]["bench"]}
    assert wanted <= pinned
    assert {"cdp-use", "playwright"} <= pinned


@pytest.mark.parametrize("module", ["cdp_use", "playwright"])
def test_the_tests_cannot_come_to_need_a_peer(module):
    assert find_spec(module) is None
