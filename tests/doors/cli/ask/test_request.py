"""What a person says on the command line, and what is invalid."""

from pathlib import Path

import pytest
import typer

from doors.cli.ask.scripted import CONVERSATION, URL, ScriptedHub
from tabwire import hub
from tabwire.doors.cli.ask.request import (
    Wishes,
    read_choices,
    read_requests,
    read_seconds,
    read_sites,
)
from tabwire.model.ask import AskRequest

SITES = hub.SITE_NAMES

TIMES = [
    # said      seconds
    ("90", 90),
    ("90s", 90),
    ("0.5", 0.5),
    ("10m", 600),
    ("1h", 3600),
    ("1h30m", 5400),
    ("1H 30M 5s", 5405),
    ("2m30", 150),
]


@pytest.mark.parametrize("said, seconds", TIMES)
def test_a_time_is_read_as_people_write_it(said, seconds):
    assert read_seconds(said) == seconds


@pytest.mark.parametrize("said", ["", "0", "-5", "soon", "nan", "inf", "5d", "1e3", "m", "٣s"])
def test_what_is_no_time_is_told(said):
    with pytest.raises(typer.BadParameter, match="expected a duration"):
        read_seconds(said)


def test_sites_are_named_with_commas_or_again_each_counts_once():
    assert read_sites(["grok,chatgpt", " Gemini ", "grok"], SITES) == ("grok", "chatgpt", "gemini")


@pytest.mark.parametrize("said", ["claude", "chatgpt,", "chatgpt,claude", ""])
def test_an_unknown_site_names_the_known_ones(said):
    with pytest.raises(typer.BadParameter, match="expected one of chatgpt, gemini, grok"):
        read_sites([said], SITES)


CHOICES = [
    # id                 said                            of two sites
    ("for all", ["Pro"], {"chatgpt": "Pro", "gemini": "Pro"}),
    ("for one", ["gemini=Pro"], {"gemini": "Pro"}),
    ("one beats all", ["Fast", "gemini=Pro"], {"chatgpt": "Fast", "gemini": "Pro"}),
    ("a sign of its own", ["a=b"], {"chatgpt": "a=b", "gemini": "a=b"}),
    ("spaces", [" ChatGPT = 5 Pro "], {"chatgpt": "5 Pro"}),
    ("none", [], {}),
]


@pytest.mark.parametrize("said, meant", [c[1:] for c in CHOICES], ids=[c[0] for c in CHOICES])
def test_a_model_is_for_every_site_or_for_one(said, meant):
    assert read_choices(said, ("chatgpt", "gemini"), SITES, "--model") == meant


UNCLEAR = [
    (["A", "B"], "SITE=NAME"),
    (["gemini=A", "gemini=B"], "two values for gemini"),
    (["grok=A"], "not in --to"),
    (["gemini="], "expected a name"),
    ([" "], "expected a name"),
]


@pytest.mark.parametrize("said, told", UNCLEAR)
def test_a_model_that_cannot_be_meant_is_told(said, told):
    with pytest.raises(typer.BadParameter, match=told):
        read_choices(said, ("chatgpt", "gemini"), SITES, "--model")


def requests(hub=None, **wishes):
    return read_requests(hub or ScriptedHub(), "Why?", Wishes(**wishes))


def test_every_wish_reaches_the_request(tmp_path):
    file = tmp_path / "a.txt"
    assert requests(
        to=("grok",),
        model=("Fast",),
        effort=("High",),
        model_best_effort=True,
        files=(file,),
        temporary=True,
        timeout="2m",
        guest=True,
        allow_focus=True,
        debug=True,
    ) == (
        AskRequest(
            "grok",
            "Why?",
            model="Fast",
            effort="High",
            model_best_effort=True,
            files=(str(file),),
            temporary=True,
            guest=True,
            timeout_seconds=120,
            allow_focus=True,
            debug=True,
        ),
    )


def test_without_wishes_an_hour_in_a_new_chat():
    assert requests(to=("grok", "gemini")) == (
        AskRequest("grok", "Why?"),
        AskRequest("gemini", "Why?"),
    )


def test_a_file_is_named_so_that_any_process_finds_it(monkeypatch, tmp_path):
    monkeypatch.chdir(tmp_path)
    (one,) = requests(to=("grok",), files=(Path("a.txt"),))
    assert one.files == (str(tmp_path / "a.txt"),)


PLACES = [
    # id                      wishes                                    sites, conversation, url
    ("an id", {"to": ("grok",), "go_on": "abc"}, ("grok",), "abc", None),
    ("an address", {"go_on": URL}, ("chatgpt",), CONVERSATION, None),
    ("both", {"to": ("chatgpt",), "go_on": URL}, ("chatgpt",), CONVERSATION, None),
    ("without https", {"go_on": URL[8:]}, ("chatgpt",), CONVERSATION, None),
    ("a gem", {"url": "https://gemini.google.com/gem/x"}, ("gemini",), None,
     "https://gemini.google.com/gem/x"),
    ("new at a project", {"new": True, "url": "https://grok.com/project/x"}, ("grok",), None,
     "https://grok.com/project/x"),
    ("a project without https", {"url": "grok.com/project/x"}, ("grok",), None,
     "https://grok.com/project/x"),
    ("new", {"new": True, "to": ("grok",)}, ("grok",), None, None),
]  # fmt: skip


@pytest.mark.parametrize(
    "wishes, sites, conversation, url", [c[1:] for c in PLACES], ids=[c[0] for c in PLACES]
)
def test_where_it_is_asked(wishes, sites, conversation, url):
    made = requests(**wishes)
    assert tuple(one.site for one in made) == sites
    assert {one.conversation_id for one in made} == {conversation}
    assert {one.url for one in made} == {url}


NOWHERE = [
    ({}, "expected a site: chatgpt, gemini, grok"),
    ({"to": ("grok",), "go_on": URL}, "belongs to ChatGPT"),
    ({"to": ("grok,chatgpt",), "go_on": URL}, "belongs to ChatGPT"),
    ({"to": ("grok",), "url": URL}, "belongs to ChatGPT"),
    ({"to": ("grok,gemini",), "go_on": "abc"}, "belongs to one site"),
    ({"to": ("grok",), "go_on": " "}, "expected `last`"),
    ({"go_on": "https://chatgpt.com/"}, "not the address of a conversation"),
    ({"go_on": "https://example.org/c/1"}, "not the address of a supported site"),
    ({"url": "ftp://example.org/"}, "not the address of a supported site"),
    ({"url": "grok"}, "expected an address"),
    ({"to": ("grok",), "go_on": "last", "new": True}, "cannot be combined"),
    ({"to": ("grok",), "go_on": "last", "temporary": True}, "cannot be combined"),
    ({"to": ("grok",), "temporary": True, "url": "https://grok.com/"}, "cannot be combined"),
]


@pytest.mark.parametrize("wishes, told", NOWHERE)
def test_a_place_that_cannot_be_meant_is_told(wishes, told):
    with pytest.raises(typer.BadParameter, match=told):
        requests(**wishes)


class Past:
    def __init__(self, site, conversation_id):
        self.request = AskRequest(site, "Before?")
        self.conversation_id = conversation_id


# The newest one got nowhere, so nothing can go on there.
PAST = (Past("chatgpt", None), Past("gemini", "first"), Past("grok", "second"), Past("grok", "x"))

GOING_ON = [
    # said, --to, (site, conversation) of each request
    ("last", (), [("gemini", "first")]),
    ("last", ("grok",), [("grok", "second")]),
    ("last", ("grok,gemini",), [("grok", "second"), ("gemini", "first")]),
    ("second", (), [("grok", "second")]),
    ("x", (), [("grok", "x")]),
    ("elsewhere", ("chatgpt",), [("chatgpt", "elsewhere")]),
]


@pytest.mark.parametrize("go_on, to, meant", GOING_ON)
def test_a_conversation_of_the_past_is_found(go_on, to, meant):
    made = requests(ScriptedHub(past=PAST), to=to, go_on=go_on)
    assert [(one.site, one.conversation_id) for one in made] == meant


@pytest.mark.parametrize(
    "go_on, to, told",
    [("other", (), "expected a site"), ("last", ("chatgpt",), "no ChatGPT conversation")],
)
def test_a_conversation_that_is_not_found_is_told(go_on, to, told):
    with pytest.raises(typer.BadParameter, match=told):
        requests(ScriptedHub(past=PAST), to=to, go_on=go_on)
