"""What the providers' terms say: once per home and site, in one sentence, never in the lab."""

from pathlib import Path

import pytest

from tabwire.hub.terms import SENTENCES, first_words
from tabwire.sites.known import SITES

ROOT = Path(__file__).resolve().parents[2]
PROVIDERS = {"chatgpt": "OpenAI", "gemini": "Google", "grok": "xAI"}


@pytest.fixture
def environment(tmp_path):
    return {"TABWIRE_HOME": str(tmp_path / "home"), "TABWIRE_BROWSER": "launch"}


def test_every_site_has_one_plain_sentence_that_names_its_provider_and_whose_choice_it_is():
    assert SENTENCES.keys() == SITES.keys() == PROVIDERS.keys()
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    for site, sentence in SENTENCES.items():
        assert sentence.startswith(f"{PROVIDERS[site]}'s terms "), sentence
        assert sentence.count(".") == 1
        assert "the choice is yours" in sentence
        assert sentence in readme, f"README does not say: {sentence}"


def test_each_is_said_once_per_home_whatever_names_the_site(environment, tmp_path):
    said = first_words(["chatgpt", "chatgpt", "https://grok.com/c/1"], environment=environment)
    assert said == (SENTENCES["chatgpt"], SENTENCES["grok"])
    assert first_words(["chatgpt", "grok", "gemini"], environment=environment) == (
        SENTENCES["gemini"],
    )
    assert first_words(list(SITES), environment=environment) == ()
    other = {**environment, "TABWIRE_HOME": str(tmp_path / "other")}
    assert first_words(["grok"], environment=other) == (SENTENCES["grok"],)


def test_a_changed_sentence_is_said_again(environment, monkeypatch):
    first_words(["grok"], environment=environment)
    monkeypatch.setitem(SENTENCES, "grok", "xAI's terms have changed.")
    assert first_words(["grok"], environment=environment) == ("xAI's terms have changed.",)
    assert first_words(["grok"], environment=environment) == ()


@pytest.mark.parametrize("said", ["lab", None])
def test_in_the_lab_nothing_is_said_and_nothing_is_noted(environment, said):
    environment["TABWIRE_BROWSER"] = "lab"
    assert first_words(list(SITES), browser=said, environment=environment) == ()
    assert first_words(["chatgpt"], browser="launch", environment=environment)


@pytest.mark.parametrize("site", ["", "https://example.org/", "A1B2C3", "antigravity"])
def test_of_what_is_no_site_nothing_is_said(environment, site):
    assert first_words([site], environment=environment) == ()


def test_a_home_that_cannot_be_used_is_not_in_the_way(tmp_path):
    (tmp_path / "file").write_text("")
    where = {"TABWIRE_HOME": str(tmp_path / "file" / "home"), "TABWIRE_BROWSER": "launch"}
    assert first_words(["chatgpt"], environment=where) == ()
