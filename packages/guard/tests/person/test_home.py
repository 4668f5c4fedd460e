"""Where the person's rules are, on each kind of system."""

import sys
from pathlib import Path

import pytest

from tabwire_guard.errors import BadSetting
from tabwire_guard.person.home import home_folder, make_folder

HOMES = [
    ("linux", {}, ".local/share/tabwire"),
    ("linux", {"XDG_DATA_HOME": "/data"}, "/data/tabwire"),
    ("linux", {"XDG_DATA_HOME": "relative"}, ".local/share/tabwire"),
    ("linux", {"TABWIRE_HOME": "/mine", "XDG_DATA_HOME": "/data"}, "/mine"),
    ("linux", {"TABWIRE_HOME": "~/mine"}, "mine"),
    ("linux", {"TABWIRE_HOME": "  "}, ".local/share/tabwire"),
    ("darwin", {}, "Library/Application Support/tabwire"),
    ("darwin", {"XDG_DATA_HOME": "/data"}, "/data/tabwire"),
    ("win32", {}, "AppData/Local/tabwire"),
    ("win32", {"LOCALAPPDATA": "/local"}, "/local/tabwire"),
]


@pytest.mark.parametrize("system, environment, folder", HOMES)
def test_the_home_is_named_or_the_system_s_own(monkeypatch, system, environment, folder):
    monkeypatch.setattr(sys, "platform", system)
    assert home_folder(environment) == Path.home() / folder


def test_a_relative_home_is_refused():
    with pytest.raises(BadSetting, match="not an absolute path"):
        home_folder({"TABWIRE_HOME": "here"})


def test_a_home_that_cannot_be_made_is_named(tmp_path):
    (tmp_path / "file").write_text("")
    with pytest.raises(BadSetting, match=r"TABWIRE_HOME: .*file"):
        make_folder(tmp_path / "file" / "home")
