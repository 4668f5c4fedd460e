"""What the page shows, and of which answer it is a witness."""

import pytest

from monitor.wire import PROMPT, TEXT, Tab, pieces
from tabwire.browser.observed import NoticeSeen, PageState, PageText
from tabwire.model.signals import Source
from tabwire.monitor import sightings as told
from tabwire.monitor.glances import Glances
from tabwire.sites.page import NoticeKind


class Page:
    """A page that shows things to a watcher of a tab without a tab."""

    def __init__(self):
        self.tab = Tab("chatgpt")
        self.wants_text = 0
        self.patience = 0
        self.glances = Glances(
            self.tab.traffic,
            tell=self.tab.told.append,
            clock=lambda: self.tab.now,
            wants_text=self._text,
            wants_patience=self._patience,
        )

    def _text(self):
        self.wants_text += 1

    def _patience(self):
        self.patience += 1

    def shows(self, *, generating=False, actions=False, newest="e1", length=0, notices=()):
        self.tab.now += 0.1
        self.glances.hear(
            PageState(
                url=self.tab.url,
                title="",
                layout="turn_key",
                generating=generating,
                exchanges=1,
                answers=1,
                newest=newest,
                text_length=length,
                actions=actions,
                thinking=False,
                composer=True,
                composer_empty=True,
                send=False,
                logged_in=True,
                notices=notices,
            )
        )

    def reads(self, text, question=PROMPT, newest="e1"):
        self.glances.hear_text(PageText(text, len(text), None, "root", newest, question))


@pytest.fixture
def page():
    return Page()


def test_the_page_confirms_an_answer_without_delaying_it(page):
    page.shows()
    name = page.tab.prompt()
    page.shows(generating=True, newest="e2")
    page.tab.respond(name, pieces("chatgpt"))
    assert page.tab.verdict.complete
    page.shows(actions=True, newest="e2", length=9)
    assert page.wants_text
    page.reads(TEXT, newest="e2")
    (witness,) = page.tab.of(told.Witnessed)
    assert witness.source is Source.PAGE
    assert len(page.tab.of(told.Judged)) == 1


def test_the_exchange_before_is_no_witness_of_the_one_that_begins(page):
    """It still stands there, finished, with its bar, when the prompt leaves."""
    page.shows(actions=True, length=50)
    name = page.tab.prompt()
    page.shows(actions=True, length=50)
    assert page.wants_text == 0
    page.reads("The answer of the turn before.")
    page.tab.respond(name, pieces("chatgpt"))
    assert page.tab.verdict.complete
    assert not page.tab.of(told.Witnessed)


def test_a_text_under_another_question_is_not_taken(page):
    """Promise: truth."""
    page.shows()
    name = page.tab.prompt()
    page.shows(generating=True, newest="e2")
    page.tab.respond(name, pieces("chatgpt"))
    page.shows(actions=True, newest="e2", length=9)
    page.reads(TEXT, question="Quite another question?")
    assert not page.tab.of(told.Witnessed)


def test_a_stop_control_just_before_the_request_is_no_answer_unheard(page):
    """Pages draw first and ask then."""
    page.shows()
    page.shows(generating=True)
    assert page.patience == 1
    name = page.tab.prompt()
    page.glances.unheard()
    page.tab.respond(name, pieces("chatgpt"))
    assert not page.tab.of(told.Unheard)
    assert page.tab.verdict.complete
    assert page.tab.traffic.newest == "a1"


def test_an_answer_whose_request_was_not_heard_is_followed_by_the_page(page):
    page.shows(generating=True, length=5)
    page.glances.unheard()
    assert page.tab.of(told.Unheard)
    assert page.tab.states == ["streaming"]
    page.shows(actions=True, length=40)
    page.reads("What the page shows.", question=None)
    page.tab.now += 2
    page.glances.look_again()
    page.tab.wait(10)
    assert page.tab.verdict.judgement == "partial"
    assert page.tab.verdict.text == "What the page shows."
    assert page.tab.verdict.text_from is Source.PAGE


def test_an_unheard_answer_that_is_over_before_our_patience_is_told_too(page):
    page.shows(generating=True, length=5)
    page.shows(actions=True, length=40)
    assert page.tab.of(told.Unheard)
    assert page.tab.traffic.newest == "a1"


def test_a_stop_control_of_which_nothing_came_is_no_answer(page):
    page.shows(generating=True)
    page.shows()
    page.glances.unheard()
    assert not page.tab.of(told.Unheard)
    assert page.tab.traffic.newest is None


def test_a_page_that_still_draws_a_judged_answer_is_not_at_another(page):
    """The page lags behind the wire."""
    name = page.tab.prompt()
    page.shows(generating=True)
    page.tab.respond(name, pieces("chatgpt"))
    page.shows(generating=True, length=3)
    assert page.patience == 0
    page.shows(actions=True, length=9)
    page.shows(generating=True, length=9)  # now it is another one
    assert page.patience == 1


def test_a_notice_is_told_once_for_as_long_as_it_stands(page):
    limit = NoticeSeen(NoticeKind.LIMIT, ".limit", "You have reached your limit")
    page.shows(notices=(limit,))
    page.shows(notices=(limit,), length=1)
    page.shows()
    page.shows(notices=(limit,))
    assert [one.kind for one in page.tab.of(told.PageNotice)] == ["limit", "limit"]
