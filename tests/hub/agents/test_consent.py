"""Nothing is touched without the person's word, which is kept with its day."""

import json
from datetime import UTC, datetime

import pytest

from tabwire.config.settings import settings
from tabwire.hub.agents.consent import (
    SENTENCE,
    ConsentNeeded,
    agree,
    require_consent,
    switch,
)
from tabwire.model.exits import NEEDS_YOU

NOW = datetime(2026, 11, 18, 12, 0, tzinfo=UTC)


@pytest.fixture
def environment(tmp_path):
    return {"TABWIRE_HOME": str(tmp_path / "home")}


def test_it_is_off_until_the_person_agreed(environment):
    with pytest.raises(ConsentNeeded, match="not agreed") as said:
        require_consent(environment)
    assert said.value.exit_code == NEEDS_YOU
    assert SENTENCE in said.value.what_to_do


def test_the_setting_alone_is_no_consent(environment):
    switch(True, environment)
    with pytest.raises(ConsentNeeded, match="not agreed"):
        require_consent(environment)
    with pytest.raises(ConsentNeeded):
        require_consent({**environment, "TABWIRE_ANTIGRAVITY": "on"})


def test_the_consent_is_kept_with_its_sentence_and_its_day(environment, tmp_path):
    agree(NOW, environment)
    path = tmp_path / "home" / "antigravity" / "consent.json"
    said = json.loads(path.read_text())
    assert said["sentence"] == SENTENCE
    assert datetime.fromisoformat(said["at"]) == NOW
    assert path.stat().st_mode & 0o777 == 0o600
    assert require_consent(environment).at == said["at"]


def test_off_is_off_whatever_was_agreed(environment):
    agree(NOW, environment)
    switch(False, environment)
    with pytest.raises(ConsentNeeded, match="setting `antigravity` is off"):
        require_consent(environment)
    agree(NOW, environment)
    with pytest.raises(ConsentNeeded):
        require_consent({**environment, "TABWIRE_ANTIGRAVITY": "off"})


def test_another_sentence_is_another_question(environment, tmp_path):
    agree(NOW, environment)
    path = tmp_path / "home" / "antigravity" / "consent.json"
    path.write_text(json.dumps({"sentence": "Nothing can happen.", "at": "2026-01-02T00:00:00"}))
    with pytest.raises(ConsentNeeded, match="2026-01-02 has changed"):
        require_consent(environment)


@pytest.mark.parametrize("broken", ["", "{}", "[]", "no json", '{"sentence": 3}'])
def test_a_damaged_consent_is_none(environment, tmp_path, broken):
    agree(NOW, environment)
    (tmp_path / "home" / "antigravity" / "consent.json").write_text(broken)
    with pytest.raises(ConsentNeeded):
        require_consent(environment)


FILES = [
    # config.toml before, after
    ("", 'antigravity = "on"\n'),
    ("lanes = 2\n", 'antigravity = "on"\nlanes = 2\n'),
    ('# mine\nantigravity = "off" # why\nlanes = 2', '# mine\nantigravity = "on"\nlanes = 2'),
    ("antigravity_port = 9004\n", 'antigravity = "on"\nantigravity_port = 9004\n'),
]


@pytest.mark.parametrize("before, after", FILES)
def test_every_other_line_of_the_settings_stays(environment, tmp_path, before, after):
    (tmp_path / "home").mkdir()
    path = tmp_path / "home" / "config.toml"
    path.write_text(before)
    switch(True, environment)
    assert path.read_text() == after
    assert settings(environment).antigravity == "on"
