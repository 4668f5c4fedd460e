"""What is written down of Gemini's page: that it is well formed, and that it fits."""

import re
from dataclasses import astuple

import pytest

from kit.selectors import find, parts, read_page, readable, recognised, select
from tabwire.sites.gemini.page import PAGE

NEEDED = "recognise composer send stop exchange user_message assistant_message text_root".split()
(APP,) = PAGE.layouts
LISTS = [
    *parts(APP).items(),
    *((f"notice.{one.kind}", one.selectors) for one in PAGE.notices),
]
EVERY_LIST = pytest.mark.parametrize(
    "selectors", [found for _, found in LISTS], ids=[name for name, _ in LISTS]
)


def test_the_layout_knows_all_that_an_ask_needs():
    assert [name for name in NEEDED if not parts(APP)[name]] == []


@EVERY_LIST
def test_every_selector_can_be_read_and_is_dated(selectors):
    for one in selectors:
        assert readable(one.css), one
        assert re.fullmatch(r"20\d\d-(0[1-9]|1[0-2])(-[0-3]\d)?", one.seen_on), one


@EVERY_LIST
def test_no_list_names_a_selector_twice(selectors):
    named = [one.css for one in selectors]
    assert len(named) == len(set(named))


@EVERY_LIST
def test_what_needs_no_language_comes_before_labels(selectors):
    labelled = ["[aria-label" in one.css for one in selectors]
    assert labelled == sorted(labelled)


def test_every_wait_has_a_bound():
    assert all(seconds > 0 for seconds in astuple(PAGE.timings))


def test_the_longest_suffix_of_a_title_is_taken_off_first():
    for place, suffix in enumerate(PAGE.title_suffixes):
        assert not any(suffix.endswith(other) for other in PAGE.title_suffixes[:place])


# Small pages of our own. What the part must match bears `hit`; nothing else may match.
FITS = [
    # id, part, page
    (
        "the editor, not the place Quill pastes through",
        "composer",
        """<rich-textarea><div class="ql-editor" contenteditable="true" role="textbox" hit></div>
        <div class="ql-clipboard" contenteditable="true"></div></rich-textarea>""",
    ),
    (
        "the button that stops does not send",
        "send",
        '<button class="send-button stop"></button>',
    ),
    (
        "the button that sends does not stop",
        "stop",
        """<button class="send-button submit" aria-label="Envoyer un message">
        <mat-icon data-mat-icon-name="send"></mat-icon></button>""",
    ),
    (
        "stop, in any language",
        "stop",
        '<button class="send-button stop" aria-label="Antwort abbrechen" hit></button>',
    ),
    (
        "the answer's text, not its thoughts",
        "text_root",
        """<model-response><model-thoughts><message-content></message-content></model-thoughts>
        <message-content id="message-content-id-r_1" hit></message-content></model-response>""",
    ),
    (
        "an icon stands for the action bar where its element was renamed",
        "actions",
        '<new-bar><mat-icon data-mat-icon-name="thumb_up" hit></mat-icon></new-bar>',
    ),
]


@pytest.mark.parametrize("part, page", [c[1:] for c in FITS], ids=[c[0] for c in FITS])
def test_the_best_selector_that_matches_finds_the_right_thing(part, page):
    root = read_page(page)
    assert find(root, parts(APP)[part]) == [one for one in root.walk() if "hit" in one.attributes]


def test_the_editor_quill_pastes_through_is_a_decoy():
    root = read_page(
        '<rich-textarea><div class="ql-clipboard" contenteditable></div></rich-textarea>'
    )
    assert len(find(root, APP.decoys)) == 1


ON_THE_SAVED_PAGE = [
    # part, how many its best selector finds: a finished exchange on a signed-in page
    *[(part, 1) for part in ("composer", "decoys", "send", "exchange", "user_message")],
    *[(part, 1) for part in ("assistant_message", "text_root", "actions", "model_picker")],
    *[(part, 1) for part in ("upload", "new_chat", "title", "scroller", "logged_in")],
    *[("stop", 0), ("thinking", 1)],
]


@pytest.mark.parametrize("part, count", ON_THE_SAVED_PAGE)
def test_fits_a_page_somebody_saved(shared, part, count):
    """Signed in, in French, April 2026, answer finished; its thoughts' box stands empty."""
    saved = shared / "recordings/gemini/dom_tochi_full_page_2026-04.html"
    if not saved.is_file():
        pytest.skip("the saved page is not there")
    root = read_page(saved.read_text(encoding="utf-8"))
    assert recognised(PAGE, root) == ["app"]
    assert len(find(root, parts(APP)[part])) == count
    assert not any(select(root, one.css) for notice in PAGE.notices for one in notice.selectors)
