"""What an address says to the lab, and what it may not say."""

import json

import pytest

from tabwire.lab.stories.stage import (
    DEFAULT,
    BadStage,
    Stage,
    as_json,
    lab_words,
    stage_from,
    staged,
)


def test_words_are_read_over_a_base():
    base = Stage(lang="ja", swallow=2)
    stage = stage_from("layout:octane,hydrate:1.5,aloud,late-message:2", base)
    assert (stage.layout, stage.hydrate, stage.aloud, stage.late_message) == (
        "octane",
        1.5,
        True,
        2,
    )
    assert (stage.lang, stage.swallow) == ("ja", 2)


@pytest.mark.parametrize(
    "told",
    (
        "colour:red lang:xx login:maybe hydrate:soon swallow:-1 hydrate:nan "
        "aloud:perhaps drift:wild overlay:rug hydrate:1e9"
    ).split(),
)
def test_what_makes_no_sense_is_said(told):
    with pytest.raises(BadStage, match=told.partition(":")[0]):
        stage_from(told)


@pytest.mark.parametrize(
    "told", ["drift:cosmetic.7", "drift:none", "overlay:cookies", "aloud:off", ""]
)
def test_what_makes_sense_is_taken(told):
    assert isinstance(stage_from(told), Stage)


def test_a_storys_wishes_yield_to_what_was_chosen():
    wishes = {"lang": "de", "hydrate": 1.0}
    assert staged(Stage(lang="ja"), wishes) == Stage(lang="ja", hydrate=1.0)
    assert staged(DEFAULT, {}) is not None


def test_an_address_speaks_to_the_lab_in_its_query():
    assert lab_words("https://chatgpt.com/c/1?x=2&lab=lang:ja,aloud") == "lang:ja,aloud"
    assert lab_words("https://chatgpt.com/c/1?lab=a&lab=b") == "a,b"
    assert lab_words("https://chatgpt.com/") == ""


def test_the_page_gets_every_field():
    assert json.loads(as_json(Stage(lang="ar")))["lang"] == "ar"
    assert set(json.loads(as_json(DEFAULT))) == set(Stage.__slots__)
