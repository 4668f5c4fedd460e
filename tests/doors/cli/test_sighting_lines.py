"""What happens in a tab, told to a person."""

import io

import pytest
from rich.console import Console

from hub.browsers.test_sightings import ONE_OF_EACH
from tabwire.doors.cli.sighting_lines import Narrator
from tabwire.monitor import sightings as told


@pytest.fixture
def shown():
    return Console(file=io.StringIO(), width=200, highlight=False, soft_wrap=True)


def tell(console, *sightings):
    narrator = Narrator(console)
    for one in sightings:
        narrator.tell(one, one.at - 100.0)
    return console.file.getvalue()


def test_every_kind_of_sighting_has_words(shown):
    for one in ONE_OF_EACH:
        before = len(shown.file.getvalue())
        tell(shown, one)
        assert len(shown.file.getvalue()) > before + 1, one


def test_text_flows_and_everything_else_is_a_line_of_its_own(shown):
    said = tell(
        shown,
        told.Grew(101.0, "a1", "Hm. ", thinking=True),
        told.Grew(101.0, "a1", "Hel"),
        told.Grew(101.1, "a1", "lo"),
        told.Waiting(102.0, "a1", "it thinks"),
    )
    assert said.splitlines() == ["Hm. ", "Hello", "   2.000 s  still waiting: it thinks"]


def test_what_a_chat_says_does_not_drive_the_terminal(shown):
    said = tell(
        shown,
        told.Grew(101.0, "a1", "\x1b[2Jgone\x07"),
        told.Asked(101.0, "a1", None, "\x1b]0;title\x07"),
        told.PageNotice(101.0, "error", "x", "\x9b31m"),
    )
    assert not {"\x1b", "\x07", "\x9b"} & set(said)


def test_a_long_prompt_is_not_repeated_whole(shown):
    assert len(tell(shown, told.Asked(101.0, "a1", None, "x" * 5000))) < 300
