"""Settings: one name each, the environment over the file, nothing misspelt in silence."""

import os
import stat

import pytest

from tabwire.hub.config import Settings, settings
from tabwire.hub.home import home, made, run_folder
from tabwire.model.errors import BadSetting


def test_without_a_word_there_are_defaults_and_nothing_is_made(tmp_path):
    place = tmp_path / "home"
    assert settings({"TABWIRE_HOME": str(place)}) == Settings()
    assert not place.exists()


def test_the_environment_wins_over_the_file(tmp_path):
    (tmp_path / "config.toml").write_text('browser = "launch"\nprofile = "work"\n')
    environment = {"TABWIRE_HOME": str(tmp_path), "TABWIRE_BROWSER": "attach"}
    assert settings(environment) == Settings(browser="attach", profile="work")


def test_an_empty_variable_is_no_word(tmp_path):
    (tmp_path / "config.toml").write_text('browser = "launch"\n')
    environment = {"TABWIRE_HOME": str(tmp_path), "TABWIRE_BROWSER": " "}
    assert settings(environment).browser == "launch"


WRONG = [
    ("misspelt", 'browzer = "auto"', "Did you mean browser?"),
    ("unknown", 'colour = "red"', "There are: browser"),
    ("no text", "browser = 3", 'Write browser = "…".'),
    ("no TOML", "browser = ", "Correct the file"),
    ("no UTF-8", b"\xff\xfe", "Correct the file"),
]


@pytest.mark.parametrize("text, remedy", [c[1:] for c in WRONG], ids=[c[0] for c in WRONG])
def test_a_file_that_cannot_be_meant_says_what_could_be(tmp_path, text, remedy):
    path = tmp_path / "config.toml"
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    with pytest.raises(BadSetting) as caught:
        settings({"TABWIRE_HOME": str(tmp_path)})
    assert remedy in caught.value.what_to_do
    assert caught.value.exit_code == 2


def test_a_home_that_is_no_absolute_path_is_refused():
    with pytest.raises(BadSetting):
        home({"TABWIRE_HOME": "here"})


def test_without_a_name_the_system_says_where(monkeypatch, tmp_path):
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    monkeypatch.setenv("HOME", str(tmp_path))
    assert home({}).name == "tabwire"
    assert home({}).is_relative_to(tmp_path)


def test_folders_are_made_for_one_person_alone(tmp_path):
    run = run_folder({"TABWIRE_HOME": str(tmp_path / "a" / "b")})
    assert run == tmp_path / "a" / "b" / "run"
    for folder in (run, run.parent):
        assert stat.S_IMODE(folder.stat().st_mode) == 0o700


def test_a_home_that_cannot_be_made_is_a_setting_to_correct(tmp_path):
    (tmp_path / "file").write_text("")
    with pytest.raises(BadSetting, match="cannot be used"):
        made(tmp_path / "file", "run")
    assert os.listdir(tmp_path) == ["file"]
