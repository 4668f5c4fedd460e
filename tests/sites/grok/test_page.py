"""The page's data has what an ask needs, and every selector says when it was seen."""

import dataclasses
import re

from tabwire.sites.grok import SITE
from tabwire.sites.page import Layout, NoticeKind, Selector

LAYOUT = SITE.page.layouts[0]
NEEDED = ("recognise", "composer", "send", "stop", "exchange", "user_message",
          "assistant_message", "text_root", "thinking", "new_chat", "upload")  # fmt: skip


def selectors(layout: Layout) -> list[Selector]:
    fields = (getattr(layout, field.name) for field in dataclasses.fields(layout))
    return [one for value in fields if isinstance(value, tuple) for one in value]


def test_all_an_ask_needs_is_there():
    assert [name for name in NEEDED if not getattr(LAYOUT, name)] == []


def test_every_selector_has_its_date_and_balanced_brackets():
    noticed = [one for notice in SITE.page.notices for one in notice.selectors]
    for selector in [*selectors(LAYOUT), *noticed]:
        assert re.fullmatch(r"20\d\d-\d\d(-\d\d)?", selector.seen_on), selector
        assert selector.css.count("[") == selector.css.count("]"), selector
        assert selector.css.count("'") % 2 == 0, selector


def test_no_selector_stands_twice_in_one_place():
    for field in dataclasses.fields(LAYOUT):
        value = getattr(LAYOUT, field.name)
        if isinstance(value, tuple):
            assert len({one.css for one in value}) == len(value), field.name


def test_login_and_challenge_are_recognised():
    kinds = {notice.kind for notice in SITE.page.notices}
    assert {NoticeKind.LOGIN, NoticeKind.CHALLENGE} <= kinds


def test_the_site_lists_the_hosts_it_answers_for():
    assert {"grok.com", "www.grok.com", "x.com", "grok.x.com"} <= set(SITE.hosts)
    assert SITE.name == "grok"
