"""What people, pages and the wire call a model."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tabwire.asking.model_choice import fits
from tabwire.asking.model_names import same, words
from tabwire.sites.choices import Models
from tabwire.sites.known import SITES

FITS = [
    # wanted, what the wire names, whether that is it
    ("GPT-5.1 Thinking", "gpt-5-1-thinking", True),
    ("5.1 thinking", "gpt-5-1-thinking", True),
    ("thinking 5.1", "gpt-5-1-thinking", True),
    ("gpt5.1", "gpt-5-1", True),
    ("2.5 Pro", "gemini-2.5-pro", True),
    ("２．５ Pro", "gemini-2.5-pro", True),
    ("gemini_2_5_pro", "Gemini 2.5 Pro", True),
    ("2.5 pro", "gemini-2.5-pro-preview-05-06", True),
    ("pro", "gemini-3-pro", True),
    ("Pro", "3 Pro", True),
    ("Fast", "gemini-fast", True),
    ("o3", "o3-2025-04-16", True),
    ("grok 4", "grok-4-0709", True),
    ("Grok 4 mini", "grok-4-mini", True),
    ("4o", "gpt-4o", True),
    ("auto", "whatever-9", True),
    # a family is not its sister
    ("5", "gpt-5-mini", False),
    ("gpt-5", "gpt-5-1", False),
    ("gpt-5-1", "gpt-5", False),
    ("5.1", "gpt-5-1-thinking", False),
    ("5.1 thinking", "gpt-5-1", False),
    ("5.1 thinking", "gpt-5-1-thinking-mini", False),
    ("pro", "gemini-3-flash", False),
    ("pro", "gemini-3-pro-lite", False),
    ("2.5 pro", "gemini-3-pro", False),
    ("2.5 pro", "gemini-pro", False),
    ("grok-4", "grok-4-fast", False),
    ("grok 4", "grok-3", False),
    ("mini", "gemini-3-pro", False),
    ("grok-4-0709", "grok-4-0815", False),
    ("1.5", "gpt-5-1", False),
    ("o3", "o3-pro", False),
    ("4", "gpt-4o", False),
    ("gpt", "gpt-5", False),
    ("", "gpt-5", False),
    ("pro", "", False),
]


@pytest.mark.parametrize("wanted, named, fit", FITS)
def test_the_model_on_the_wire_is_the_wanted_one_or_not(wanted, named, fit):
    assert fits(wanted, named) is fit


AT_A_SITE = [
    # site, wanted, what the wire names, whether that is it
    ("chatgpt", "GPT-5.6 Sol", "gpt-5-6-thinking", True),
    ("chatgpt", "sol", "gpt-5-6-thinking", True),
    ("chatgpt", "GPT-5.5", "gpt-5-5-thinking", True),
    ("chatgpt", "GPT-5.5", "gpt-5-5-pro", True),
    ("chatgpt", "GPT-5.5", "gpt-5-5-mini", False),
    ("chatgpt", "GPT-5.5 Pro", "gpt-5-5-thinking", False),
    ("chatgpt", "sol", "gpt-5-5-thinking", False),
    ("chatgpt", "pro", "gpt-5-6-thinking", False),
    ("chatgpt", "pro", "gpt-5-6-pro", True),
    ("gemini", "fast", "gemini-3-flash", True),
    ("gemini", "高速モード", "gemini-fast", True),
    ("gemini", "pro", "gemini-fast", False),
    ("gemini", "2.5 pro", "gemini-3-pro", False),
    ("grok", "expert", "grok-4", True),
    ("grok", "expert", "grok-4-fast", False),
    ("grok", "grok 3", "grok-4", False),
]


@pytest.mark.parametrize("site, wanted, named, fit", AT_A_SITE)
def test_a_site_has_names_of_its_own(site, wanted, named, fit):
    assert fits(wanted, named, SITES[site].choices.models) is fit


SAME = [
    ("GPT-5.5", "gpt 5 5", True),
    ("5.5", "GPT-5.5", True),
    ("Pro", "Upgrade to Pro", False),
    ("instant", "auto", False),
    ("grok", "Grok", True),
    ("grok", "Grok 4", False),
    ("", "", False),
    ("…", "Pro", False),
    ("xhigh", "Extra High", True),
    ("high", "Extra High", False),
]


@pytest.mark.parametrize("one, other, are", SAME)
def test_two_names_mean_one_row_or_not(one, other, are):
    models = SITES["chatgpt"].choices.models
    assert same(one, other, models) is are
    assert same(other, one, models) is are


@pytest.mark.parametrize("site", SITES)
def test_no_name_of_a_site_means_two_things(site):
    """A name in two groups would choose whichever comes first."""
    groups = [{words(name) for name in group} for group in SITES[site].choices.models.called]
    for at, group in enumerate(groups):
        assert not any(group & other for other in groups[at + 1 :])


@pytest.mark.parametrize("site", SITES)
def test_pickers_and_uploads_belong_to_layouts_that_are_there(site):
    names = {layout.name for layout in SITES[site].page.layouts}
    choices = SITES[site].choices
    assert {one.layout for one in (*choices.pickers, *choices.uploads)} <= names
    assert {one.layout for one in choices.uploads} == names


@given(st.text(max_size=30), st.text(max_size=30))
def test_any_two_texts_can_be_compared(one, other):
    assert isinstance(fits(one, other, Models(modes=("fast",), effort_words=("pro",))), bool)
    assert same(one, one) is bool(words(one))
