"""Settings: one name each, the environment over the file, nothing misspelt in silence."""

import os
import stat
from pathlib import Path

import pytest

from tabwire.config.home import home, made, run_folder
from tabwire.config.settings import FIELDS, NAMES, Settings, settings, told_settings
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
    ("unknown", 'colour = "red"', "The settings are: browser"),
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


UNKNOWN = [
    ("misspelt", "TABWIRE_BROWSRE", "Did you mean TABWIRE_BROWSER?"),
    ("unknown", "TABWIRE_COLOUR", "The settings are: TABWIRE_BROWSER"),
    ("without a name", "TABWIRE_", "The settings are: TABWIRE_BROWSER"),
    ("in small letters", "TABWIRE_browser", "The settings are: TABWIRE_BROWSER"),
]


@pytest.mark.parametrize("variable, remedy", [c[1:] for c in UNKNOWN], ids=[c[0] for c in UNKNOWN])
def test_a_variable_that_sets_nothing_is_an_error_without_its_value(tmp_path, variable, remedy):
    with pytest.raises(BadSetting, match=f"^environment: '{variable}' is not a setting") as caught:
        settings({"TABWIRE_HOME": str(tmp_path), variable: "hush"})
    assert remedy in caught.value.what_to_do
    assert "hush" not in f"{caught.value} {caught.value.what_to_do}"
    assert settings({"TABWIRE_HOME": str(tmp_path), variable: " "}) == Settings()


def test_variables_of_others_and_of_the_tests_are_left_alone(tmp_path):
    names = ("TABWIRE_SEED", "TABWIRE_EXAMPLES", "XTABWIRE_BROWSRE", "CAI_OTHER")
    environment = {"TABWIRE_HOME": str(tmp_path)} | dict.fromkeys(names, "7")
    assert settings(environment) == Settings()


VALUES = [
    # id, setting, in the environment, in the file, what it is then
    ("whole number", "port", "9000", "9000", 9000),
    ("any port", "port", "0", "0", 0),
    ("number", "idle_minutes", "0.5", "0.5", 0.5),
    ("number without fraction", "wait_seconds", "10", "10", 10),
    ("choice", "log_level", "DEBUG", '"debug"', "debug"),
    ("off", "hub", "off", '"off"', "off"),
    ("folders", "file_roots", f"/a{os.pathsep}/b c", '["/a", "/b c"]', (Path("/a"), Path("/b c"))),
    ("one folder", "file_roots", "/a", '"/a"', (Path("/a"),)),
    ("home folder", "file_roots", "~/x", '["~/x"]', (Path("~/x").expanduser(),)),
]


@pytest.mark.parametrize(
    "name, text, toml, value", [c[1:] for c in VALUES], ids=[c[0] for c in VALUES]
)
def test_a_value_is_read_from_the_environment_and_from_the_file(tmp_path, name, text, toml, value):
    said = {"TABWIRE_HOME": str(tmp_path), f"TABWIRE_{name.upper()}": text}
    assert getattr(settings(said), name) == value
    (tmp_path / "config.toml").write_text(f"{name} = {toml}\n")
    assert getattr(settings({"TABWIRE_HOME": str(tmp_path)}), name) == value


BAD = [
    # id, setting, in the environment, in the file
    ("no number", "port", "http", '"8766"'),
    ("a fraction of a port", "port", "1.5", "1.5"),
    ("yes is no number", "lanes", "true", "true"),
    ("too much", "port", "65536", "65536"),
    ("too little", "lanes", "0", "0"),
    ("no time at all", "session_ttl_minutes", "0", "0"),
    ("before the beginning", "idle_minutes", "-1", "-1"),
    ("not a number", "wait_seconds", "nan", "nan"),
    ("endless", "wait_seconds", "inf", "inf"),
    ("no such choice", "log_level", "loud", '"loud"'),
    ("a number for a choice", "log_level", "3", "3"),
    ("from here", "file_roots", "here", '["here"]'),
    ("numbers for folders", "file_roots", "1", "[1]"),
]


@pytest.mark.parametrize("name, text, toml", [c[1:] for c in BAD], ids=[c[0] for c in BAD])
def test_a_bad_value_is_named_with_its_variable_or_its_file_and_line(tmp_path, name, text, toml):
    variable = f"TABWIRE_{name.upper()}"
    with pytest.raises(BadSetting, match=f"^{variable}: "):
        settings({"TABWIRE_HOME": str(tmp_path), variable: text})
    path = tmp_path / "config.toml"
    path.write_text(f'# {name} = 1\nprofile = "{name}"\n\n  {name} = {toml}\n')
    with pytest.raises(BadSetting) as caught:
        settings({"TABWIRE_HOME": str(tmp_path)})
    assert str(caught.value).startswith(f"{path}:4: {name}: ")
    assert caught.value.what_to_do.startswith(f"Write {name} = ")


def test_a_table_where_a_setting_should_be_is_named_with_its_line(tmp_path):
    (tmp_path / "config.toml").write_text('profile = "x"\n[port]\na = 1\n')
    with pytest.raises(BadSetting, match=r"config\.toml:2: port"):
        settings({"TABWIRE_HOME": str(tmp_path)})


def test_each_value_says_where_it_came_from(tmp_path):
    path = tmp_path / "config.toml"
    path.write_text('browser = "launch"\nport = 1\nlanes = 2\n\nmax_agents = 4\n')
    environment = {
        "TABWIRE_HOME": str(tmp_path),
        "TABWIRE_PORT": "3",
        "TABWIRE_LANES": "5",
        "CAI_MAX_AGENTS": "6",
    }
    told = told_settings(environment, lanes="7", program=None)
    assert told.settings == Settings(browser="launch", port=3, lanes=7, max_agents=6)
    assert set(told.origins) == set(NAMES)
    assert {name: at for name, at in told.origins.items() if at != "default"} == {
        "browser": f"{path}:1",
        "port": "TABWIRE_PORT",
        "lanes": "--lanes",
        "max_agents": "CAI_MAX_AGENTS",
    }
    assert told.warnings == ()


ALIASES = {
    "CAI_AGENT_ID": ("agent_id", "mine", "mine"),
    "CAI_SESSION_TTL_MINUTES": ("session_ttl_minutes", "7", 7),
    "CAI_MAX_AGENTS": ("max_agents", "3", 3),
    "CAI_CLEANUP_INTERVAL_MINUTES": ("cleanup_interval_minutes", "2", 2),
}


def test_the_aliases_are_these_and_no_others(root):
    assert {one.metadata["alias"] for one in FIELDS.values()} - {""} == set(ALIASES)
    text = (root / "docs" / "settings.md").read_text()
    for alias, (name, _, _) in ALIASES.items():
        assert f"| `{alias}` | `{name}` |" in text


@pytest.mark.parametrize("alias", ALIASES)
def test_an_older_name_counts_below_ours(tmp_path, alias):
    name, text, value = ALIASES[alias]
    environment = {"TABWIRE_HOME": str(tmp_path), alias: text}
    assert getattr(settings(environment), name) == value
    environment[f"TABWIRE_{name.upper()}"] = "9"
    assert str(getattr(settings(environment), name)).startswith("9")


@pytest.mark.parametrize("text", ["0", "-5", "abc", "NaN"])
@pytest.mark.parametrize("alias", [alias for alias in ALIASES if alias != "CAI_AGENT_ID"])
def test_a_bad_number_under_an_older_name_is_passed_over_with_a_warning(tmp_path, alias, text):
    """The seed: `> 0` or fallback to default."""
    name = ALIASES[alias][0]
    told = told_settings({"TABWIRE_HOME": str(tmp_path), alias: text})
    assert told.settings == Settings()
    assert told.origins[name] == "default"
    (warning,) = told.warnings
    assert warning.startswith(f"{alias}: {text!r}")


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
