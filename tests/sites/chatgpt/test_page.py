"""What is written down of ChatGPT's page: that it is well formed, and that it fits."""

import re
from dataclasses import astuple

import pytest

from kit.selectors import find, parts, read_page, readable, recognised, select
from tabwire.sites.chatgpt.page import CLASSIC, OCTANE, PAGE, PROBED, SAVED_PAGE, TURN_KEY
from tabwire.sites.page import NoticeKind

NEEDED = "recognise composer send stop exchange user_message assistant_message text_root".split()
LISTS = [
    *((f"{one.name}.{name}", found) for one in PAGE.layouts for name, found in parts(one).items()),
    *((f"notice.{one.kind}", one.selectors) for one in PAGE.notices),
]
EVERY_LIST = pytest.mark.parametrize(
    "selectors", [found for _, found in LISTS], ids=[name for name, _ in LISTS]
)
EVERY_LAYOUT = pytest.mark.parametrize("layout", PAGE.layouts, ids=lambda layout: layout.name)


@EVERY_LAYOUT
def test_a_layout_knows_all_that_an_ask_needs(layout):
    assert [name for name in NEEDED if not parts(layout)[name]] == []


def test_the_three_layouts_are_tried_newest_first():
    assert [one.name for one in PAGE.layouts] == ["turn_key", "octane", "classic"]


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


def test_no_two_layouts_are_recognised_by_the_same_mark():
    marks = [one.css for layout in PAGE.layouts for one in layout.recognise]
    assert len(marks) == len(set(marks))


@EVERY_LAYOUT
def test_a_decoy_is_never_listed_for_use(layout):
    use = {one.css for name in NEEDED[1:] for one in parts(layout)[name]}
    assert use.isdisjoint(one.css for one in layout.decoys)


def test_there_is_one_notice_of_each_kind_and_a_way_to_see_it():
    assert sorted(one.kind for one in PAGE.notices) == sorted(NoticeKind)
    assert all(one.selectors or one.title_contains or one.text_contains for one in PAGE.notices)


def test_every_wait_has_a_bound_and_an_answer_may_take_an_hour():
    """Pro answers run 10 to 60 minutes; 480 s cut them off (seed 001)."""
    assert all(seconds > 0 for seconds in astuple(PAGE.timings))
    assert PAGE.timings.answer_seconds > 3600


# Small pages of our own. What the part must match bears `hit`; nothing else may match.
FITS = [
    # id, layout, part, page
    (
        "turn_key: a finished code block is no composer",
        *(TURN_KEY, "composer"),
        """<div data-turn-key="1"><div data-content-search-unit-key="1:2:assistant">
        <div data-markdown-copy="code-block"><div contenteditable="true" role="textbox"></div></div>
        </div></div><form data-chatgpt-composer>
        <div contenteditable="true" role="textbox" data-composer-markdown="" hit></div></form>""",
    ),
    (
        "turn_key: reading aloud and dictation are no answer",
        *(TURN_KEY, "stop"),
        """<div data-turn-key="1"><button aria-label="Stop"></button></div>
        <form data-chatgpt-composer><button aria-label="Stop dictation"></button></form>""",
    ),
    (
        "turn_key: stop, in English and in Chinese",
        *(TURN_KEY, "stop"),
        """<form data-chatgpt-composer><button type="button" aria-label="Stop" hit></button>
        <button type="button" aria-label="停止" hit></button></form>""",
    ),
    (
        "turn_key: stop does not send",
        *(TURN_KEY, "send"),
        """<form data-chatgpt-composer><button type="submit" aria-label="送る" hit></button>
        <button type="button" aria-label="Stop"></button></form>""",
    ),
    (
        "turn_key: neither a code block's copy nor the question's bar ends an answer",
        *(TURN_KEY, "actions"),
        """<div data-turn-key="1"><div data-content-search-unit-key="1:0:user">
        <button aria-label="Copy message"></button></div>
        <div class="turn-action-controls"><button aria-label="Copy message"></button></div>
        <div data-content-search-unit-key="1:2:assistant"><div data-markdown-copy="code-block">
        <button aria-label="Copy"></button></div></div>
        <div class="turn-action-controls"><button aria-label="Copy" hit></button>
        <button aria-label="その他" aria-haspopup="menu" hit></button></div></div>""",
    ),
    (
        "turn_key: both messages stand in one exchange",
        *(TURN_KEY, "assistant_message"),
        """<div data-turn-key="1"><div data-content-search-unit-key="1:0:user"></div>
        <div data-content-search-unit-key="fallback-turn-0:2:assistant" hit></div></div>""",
    ),
    (
        "octane: the button sends",
        *(OCTANE, "send"),
        '<button data-composer-submit type="submit" aria-disabled="true" hit></button>',
    ),
    (
        "octane: the same button stops",
        *(OCTANE, "stop"),
        '<button data-composer-submit type="button" data-stop-generating hit></button>',
    ),
    (
        "octane: while it stops it does not send",
        *(OCTANE, "send"),
        '<button data-composer-submit type="button" data-stop-generating></button>',
    ),
    (
        "octane: text still comes after the streaming mark has gone",
        *(OCTANE, "streaming"),
        """<ol data-conversation-transcript><li data-message-role="user"></li>
        <li data-message-role="assistant" data-message-complete></li>
        <li data-message-role="assistant" data-assistant-content-started hit></li></ol>""",
    ),
    (
        "octane: the placeholder is not the text",
        *(OCTANE, "text_root"),
        """<li data-message-role="assistant"><div data-assistant-placeholder-slot></div>
        <div data-assistant-markdown hit><p data-assistant-stream-block></p></div></li>""",
    ),
    (
        "octane: the question's copy ends nothing",
        *(OCTANE, "actions"),
        """<div data-user-message-actions><button data-copy-message></button></div>
        <div data-assistant-message-actions><button data-copy-message hit></button></div>""",
    ),
    (
        "classic: the textarea before the page has come alive is no composer",
        *(CLASSIC, "composer"),
        '<form><textarea id="prompt-textarea" name="prompt-textarea"></textarea></form>',
    ),
    (
        "classic: the editor beside that textarea is one",
        *(CLASSIC, "composer"),
        """<form><textarea id="prompt-textarea" name="prompt-textarea"></textarea>
        <div id="prompt-textarea" contenteditable="true" role="textbox" hit></div></form>""",
    ),
    (
        "classic: an id on the wrong element is no composer",
        *(CLASSIC, "composer"),
        '<div id="prompt-textarea" role="banner">ChatGPT</div>',
    ),
    (
        "classic: send, by label in English and in Japanese",
        *(CLASSIC, "send"),
        """<button aria-label="Send feedback"></button><form>
        <button aria-label="Send prompt" hit></button>
        <button aria-label="プロンプトを送信する" hit></button></form>""",
    ),
    (
        "classic: the place of send, while it stops",
        *(CLASSIC, "send"),
        '<form><button id="composer-submit-button" data-testid="stop-button"></button></form>',
    ),
    (
        "classic: reading aloud and dictation are no answer",
        *(CLASSIC, "stop"),
        """<section data-turn="assistant"><button aria-label="Stop generating"></button></section>
        <form><button aria-label="Stop dictation"></button>
        <button aria-label="Stop streaming" hit></button>
        <button aria-label="生成を停止する" hit></button></form>""",
    ),
    (
        "classic: a turn by any tag",
        *(CLASSIC, "exchange"),
        """<article data-testid="conversation-turn-1" data-turn="user" hit></article>
        <section data-testid="conversation-turn-2" data-turn="assistant" hit></section>
        <div data-testid="conversation-turn-3" hit></div>
        <div data-testid="conversation-list"></div>""",
    ),
    (
        "classic: the question's copy ends nothing",
        *(CLASSIC, "actions"),
        """<section data-turn="user">
        <button data-testid="copy-turn-action-button"></button></section>
        <section data-turn="assistant">
        <button data-testid="copy-turn-action-button" hit></button></section>""",
    ),
    (
        "classic: a thinking button beside the composer is the person's, not the answer's",
        *(CLASSIC, "thinking"),
        """<div data-message-author-role="assistant"><button aria-expanded="false" hit></button>
        <div class="markdown prose"></div></div>
        <form><button aria-expanded="false"></button></form>""",
    ),
    (
        "classic: a profile button does not mean logged in",
        *(CLASSIC, "logged_in"),
        """<nav><div data-testid="accounts-profile-button"></div><a href="/"></a>
        <a href="/c/0f" hit></a></nav><main><a href="/c/0e"></a></main>""",
    ),
]


@pytest.mark.parametrize("layout, part, html", [c[1:] for c in FITS], ids=[c[0] for c in FITS])
def test_a_part_fits_what_it_should_and_nothing_that_looks_like_it(layout, part, html):
    root = read_page(html)
    found = {one for selector in parts(layout)[part] for one in select(root, selector.css)}
    assert found == set(select(root, "[hit]"))


SEEN = [
    # id                            kind                  page
    ("limit, logged out", "limit", '<dialog id="no-auth-soft-rate-limit-dialog" open></dialog>'),
    ("limit, not shown", None, '<dialog id="no-auth-soft-rate-limit-dialog"></dialog>'),
    ("login", "login", '<button data-testid="login-button">Log in</button>'),
    ("login, logged out", "login", "<form data-logged-out></form>"),
    ("challenge", "challenge", '<script src="/cdn-cgi/challenge-platform/h/g/x"></script>'),
    ("error", "error", '<div role="alert">Something went wrong</div>'),
    ("an empty live region", None, '<p role="alert" id="aria-notify-live-region-assertive"></p>'),
    ("consent", "consent", '<dialog role="dialog" open>Cookies</dialog>'),
    (
        "limit is not consent",
        "limit",
        '<dialog role="dialog" id="no-auth-soft-rate-limit-dialog" open>',
    ),
]


@pytest.mark.parametrize("kind, html", [c[1:] for c in SEEN], ids=[c[0] for c in SEEN])
def test_a_notice_is_seen_for_what_it_is(kind, html):
    root = read_page(html)
    seen = [str(one.kind) for one in PAGE.notices if find(root, one.selectors)]
    assert seen == ([kind] if kind else [])


RECOGNISED = [
    ("turn_key", '<form data-chatgpt-composer><div class="ProseMirror"></div></form>'),
    ("turn_key", '<div data-turn-key="1"><i data-user-message-bubble="true"></i></div>'),
    ("octane", '<textarea id="mobile-composer-prompt" name="prompt"></textarea>'),
    ("octane", "<ol data-conversation-transcript><li data-user-message-bubble></li></ol>"),
    ("classic", '<form><textarea name="prompt-textarea"></textarea></form>'),
    ("classic", '<div data-message-author-role="assistant"></div>'),
    (None, '<main><textarea></textarea><div contenteditable="true" role="textbox"></div></main>'),
    (None, '<div id="prompt-textarea" role="banner">ChatGPT</div>'),
]


@pytest.mark.parametrize("name, html", RECOGNISED)
def test_a_page_is_recognised_as_one_layout_or_none(name, html):
    assert recognised(PAGE, read_page(html)) == ([name] if name else [])


RECORDED = [
    # file, layout, how many elements each part finds there
    (
        *("dom_probe_loggedin_turnkey_skeleton_2026-09-21.html", TURN_KEY),
        {"composer": 1, "send": 0, "stop": 0, "exchange": 1, "user_message": 1}
        | {"assistant_message": 1, "text_root": 1, "actions": 1, "code_block": 1}
        | {"model_picker": 1, "upload": 1},
    ),
    (
        *("dom_tochi_full_page_loggedout_2026-04.html", CLASSIC),
        {"composer": 1, "send": 0, "stop": 0, "exchange": 4, "user_message": 2}
        | {"assistant_message": 2, "text_root": 2, "actions": 2, "thinking": 0, "streaming": 0}
        | {"model_picker": 1, "upload": 1, "new_chat": 2, "scroller": 1, "logged_in": 0},
    ),
    (
        *("dom_defuddle_chatgpt-citations.html", CLASSIC),
        {"exchange": 2, "user_message": 1, "assistant_message": 1, "text_root": 1, "citation": 9},
    ),
    (
        *("dom_defuddle_chatgpt-post-thought-content.html", CLASSIC),
        {"exchange": 2, "assistant_message": 2, "text_root": 2},
    ),
    ("agbrowse/chatgpt-composer-v1.html", CLASSIC, {"composer": 1}),
    ("agbrowse/chatgpt-composer-disabled.html", CLASSIC, {"composer": 1}),
    ("agbrowse/chatgpt-composer-overlay.html", CLASSIC, {"composer": 1}),
    ("agbrowse/chatgpt-composer-duplicate.html", CLASSIC, {"composer": 1}),
    ("agbrowse/chatgpt-gpt56-chat.html", CLASSIC, {"composer": 1, "send": 1, "upload": 1}),
]


@pytest.mark.parametrize("file, layout, counts", RECORDED, ids=[c[0] for c in RECORDED])
def test_a_recorded_page_is_recognised_and_read(shared, file, layout, counts):
    root = read_page(_recording(shared, file))
    assert recognised(PAGE, root) == [layout.name]
    assert {name: len(find(root, parts(layout)[name])) for name in counts} == counts
    usable = {one for selector in layout.composer for one in select(root, selector.css)}
    assert usable.isdisjoint(one for decoy in layout.decoys for one in select(root, decoy.css))


@pytest.mark.parametrize(
    "file, layout, day, absent",
    [
        (RECORDED[0][0], TURN_KEY, PROBED, {"send", "stop"}),  # recorded idle, its box empty
        (RECORDED[1][0], CLASSIC, SAVED_PAGE, set()),
    ],
    ids=["probed", "saved"],
)
def test_a_selector_dated_to_a_recording_matches_there(shared, file, layout, day, absent):
    root = read_page(_recording(shared, file))
    dated = [
        one
        for name, found in parts(layout).items()
        for one in found
        if one.seen_on == day and name not in absent
    ]
    assert [one.css for one in dated if not select(root, one.css)] == []


@pytest.mark.parametrize(
    "variant",
    [
        *("baseline", "cosmetic-churn", "parallel-a", "parallel-b"),  # bare boxes, no site's marks
        *("breaking", "structural-churn", "composer-v2", "composer-stale"),  # the marks have gone
        "gpt56-work",  # the Work surface swallows chat prompts
    ],
)
def test_a_page_without_the_sites_marks_is_not_guessed_at(shared, variant):
    root = read_page(_recording(shared, f"agbrowse/chatgpt-{variant}.html"))
    assert recognised(PAGE, root) == []


def test_the_recorded_logged_out_page_shows_its_login_and_nothing_worse(shared):
    root = read_page(_recording(shared, "dom_tochi_full_page_loggedout_2026-04.html"))
    assert [one.kind for one in PAGE.notices if find(root, one.selectors)] == [NoticeKind.LOGIN]


def _recording(shared, file):
    path = shared / "recordings" / "chatgpt" / file
    if not path.is_file():
        pytest.skip(f"{file} is not among the recordings")
    return path.read_text(encoding="utf-8")
