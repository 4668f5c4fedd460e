"""gemini.google.com: selectors, notices and timings of the page. Data only.

Dates: 2026-08 and 2026-07 are live checks of other projects, 2026-04 a signed-in page in
French and 2026-01 one in Japanese that we could read whole, 2026-02 the design this
project grew from (`classic`, kept as the last resort), 2025-10 a list of selectors.
The interface is translated; icons, `data-test-id` (with that hyphen) and element names
are not. Custom elements may hide behind shadow roots: search through them.

A selector that `classic.py` looks for too is named where it stands in its list.
"""

from tabwire.sites.page import Layout, Notice, NoticeKind, Page, Selector, Timings

_NOT_SEEN = "known from public sources read that month; we have not seen such a page"

LAYOUT = Layout(
    name="app",
    recognise=(
        Selector("chat-window", "2026-04"),
        Selector('[data-test-id="chat-app"]', "2026-04"),
        Selector("rich-textarea", "2026-08"),
    ),
    composer=(
        Selector('rich-textarea .ql-editor[contenteditable="true"][role="textbox"]', "2026-08"),
        Selector('.ql-editor[contenteditable="true"]', "2026-04"),
        CLASSIC_TEXTBOX := Selector('[role="textbox"]', "2026-02", "classic"),
        Selector('div[contenteditable="true"]', "2026-02", "classic; also matches a decoy"),
        CLASSIC_TEXTAREA := Selector("textarea", "2026-02", "classic"),
    ),
    # Quill pastes through an editable of its own beside the editor.
    decoys=(Selector("rich-textarea .ql-clipboard", "2026-04"),),
    # One button sends and stops; while it stops it has the class `stop`.
    send=(
        Selector("button.send-button.submit", "2026-04"),
        Selector("button.send-button:not(.stop)", "2026-08"),
        Selector('[data-test-id="send-button"]', "2026-10", "some builds"),
        SEND_ICON := Selector(
            'mat-icon[data-mat-icon-name="send"]', "2026-04", "inside the button"
        ),
        Selector('button[aria-label="Send message"]', "2026-08", "English"),
        Selector('button[aria-label="Envoyer un message"]', "2026-04", "French"),
        CLASSIC_SEND_JAPANESE := Selector(
            'button[aria-label*="送信"]', "2026-02", "classic; Japanese"
        ),
        CLASSIC_SEND_ENGLISH := Selector(
            'button[aria-label*="Send"]', "2026-02", "classic; English"
        ),
    ),
    stop=(
        STOP := Selector("button.send-button.stop", "2026-09"),
        STOP_ICON := Selector(
            'mat-icon[data-mat-icon-name="stop"]', "2026-09", "inside the button"
        ),
        Selector('button[aria-label="Stop response"]', "2026-09", "English"),
        Selector('button[aria-label*="停止"]', "2026-02", "classic; Japanese"),
        Selector('button[aria-label*="Stop"]', "2026-02", "classic; English"),
    ),
    exchange=(Selector(".conversation-container", "2026-04"),),
    user_message=(
        Selector("user-query", "2026-07"),
        Selector(".user-query", "2026-02", "classic"),
    ),
    assistant_message=(ANSWER := Selector("model-response", "2026-07", "absent on share pages"),),
    text_root=(
        Selector('model-response message-content[id^="message-content-id-r_"]', "2026-04"),
        Selector("model-response message-content", "2026-04"),
        Selector(".model-response-text", "2025-10"),
        LIVE_REGION := Selector('[aria-live="polite"]', "2026-02", "classic, last resort"),
    ),
    thinking=(
        THOUGHTS := Selector("model-thoughts", "2026-07"),
        THOUGHTS_CONTAINER := Selector(
            ".thoughts-container", "2026-07", "stands empty where nothing was thought"
        ),
        Selector(".thoughts-content", "2026-07"),
        DEEP_RESEARCH := Selector("thinking-panel", "2026-01", "deep research"),
    ),
    actions=(
        ACTION_BAR := Selector("message-actions", "2026-08"),
        Selector(".response-footer.complete", "2026-08"),
        THUMB_UP_ICON := Selector('mat-icon[data-mat-icon-name="thumb_up"]', "2026-04"),
        THUMB_UP_IMAGE := Selector('img[alt="thumb_up"]', "2026-02", "classic; any language"),
        THUMB_DOWN_IMAGE := Selector('img[alt="thumb_down"]', "2026-02", "classic; any language"),
        Selector('button[aria-label="Good response"]', "2026-08", "English"),
        Selector('button[aria-label="Bonne réponse"]', "2026-04", "French"),
        Selector('button[aria-label="良い回答"]', "2026-02", "classic; Japanese"),
    ),
    citation=(Selector("source-footnote", "2026-01"),),
    model_picker=(
        Selector('[data-test-id="bard-mode-menu-button"]', "2026-08"),
        Selector('[data-test-id^="bard-mode-option-"]', "2026-08", "the options it opens"),
    ),
    upload=(
        Selector('[data-test-id="hidden-local-file-upload-button"]', "2026-04"),
        Selector('[data-test-id="hidden-local-image-upload-button"]', "2026-04"),
        Selector('button[aria-label="Upload & tools"]', "2026-08", "English, newer"),
        Selector('button[aria-label="Open upload file menu"]', "2025-10", "English, older"),
    ),
    new_chat=(
        Selector('[data-test-id="new-chat-button"]', "2026-04"),
        Selector('button[aria-label="New chat"]', "2025-10", "English"),
    ),
    title=(
        Selector('[data-test-id="conversation-title"]', "2026-04"),
        Selector('[data-test-id="conversation"].selected', "2026-04", "side list"),
    ),
    scroller=(
        Selector('infinite-scroller[data-test-id="chat-history-container"]', "2026-04"),
        Selector("infinite-scroller.chat-history", "2026-07"),
    ),
    logged_in=(
        Selector('a[href^="https://accounts.google.com/SignOutOptions"]', "2026-04"),
        Selector("a.gb_B[role='button'][aria-label*='Google Account']", "2025-10", "English"),
    ),
)

# No limit banner of Gemini has been seen as a page; the wire says it (error 1037). The
# element below stands empty on every page and is filled when no more files may be sent.
_NOTICES = (
    Notice(
        NoticeKind.LIMIT,
        selectors=(Selector("freemium-file-upload-quota-exceeded-disclaimer *", "2026-04"),),
    ),
    Notice(
        NoticeKind.LOGIN,
        selectors=(Selector('a[href*="accounts.google.com/ServiceLogin"]', "2026-11", _NOT_SEEN),),
    ),
    Notice(
        NoticeKind.CHALLENGE,
        selectors=(Selector("form#captcha-form", "2026-11", _NOT_SEEN),),
    ),
)

PAGE = Page(
    home="https://gemini.google.com/app",
    chat="https://gemini.google.com/app/{}",
    layouts=(LAYOUT,),
    notices=_NOTICES,
    # Measured by the design this project grew from (its 9.1, column Gemini); `render` and
    # `quiet` are what every site has, for that design had none for Gemini.
    timings=Timings(
        load_seconds=30.0,
        settle_seconds=0.5,
        composer_seconds=15.0,
        send_seconds=60.0,
        sent_seconds=8.0,
        first_output_seconds=30.0,
        answer_seconds=480.0,
        render_seconds=120.0,
        quiet_seconds=1.5,
    ),
    title_suffixes=(" - Gemini Advanced", " - Google Gemini", " - Gemini"),
)
