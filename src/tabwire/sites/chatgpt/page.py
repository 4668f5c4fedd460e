"""chatgpt.com as a page: three layouts, what its notices look like, how long things take.

Which layout an account sees is the site's choice (rolled out from 2026-09-21, account by
account, and the old one still served), so it is recognised, never assumed: the first layout
of which a `recognise` selector matches. In every list the first selector that matches is the
one to use; a later one may match more, or something nested inside.

Not here because CSS cannot say it: that thinking may be skipped ("今すぐ回答", "Skip
thinking", "Answer now" are words in a button, and an answer may contain them too).

A selector that `classic.py` looks for too is named where it stands in its list.
"""

from tabwire.sites.page import Layout, Notice, NoticeKind, Page, Selector, Timings

# Who saw it, by the day that stands in `seen_on`.
PROBED = "2026-09-21"  # a probe of the logged-in page, right after one exchange
ROLLED_OUT = "2026-09"  # tests and notes of several projects in the weeks of the change
LOGGED_OUT = "2026-10-03"  # a capture of the logged-out page, in Chinese
OLD_ACCOUNT = "2026-09-26"  # live runs with an account still on the old page, and logged out
ORACLE = "2026-08-14"  # steipete/oracle
SUMMER = "2026-08"  # notes on the logged-out page before its last changes
SHARED_PAGE = "2026-06"  # reduced copies of shared conversations
SAVED_PAGE = "2026-04"  # a whole page, saved while logged out
SEED = "2026-02"  # seed 001, sections 3 and 6
SNAPSHOT = "2025-10-31"  # a list of selectors, logged in

PROMPT_TEXTAREA = 'textarea[data-testid="prompt-textarea"]'
SEND_IN_JAPANESE = 'button[aria-label*="送信"]'

TURN_KEY = Layout(
    name="turn_key",
    recognise=(
        Selector("form[data-chatgpt-composer]", PROBED),
        Selector("[data-turn-key]", PROBED),
        Selector("[data-chatgpt-agent-turn-start]", PROBED),
    ),
    composer=(
        Selector(
            "form[data-chatgpt-composer] "
            '[data-composer-markdown][contenteditable="true"][role="textbox"]',
            PROBED,
        ),
        TURN_KEY_TEXTBOX := Selector(
            'form[data-chatgpt-composer] [contenteditable="true"][role="textbox"]', PROBED
        ),
    ),
    decoys=(
        Selector(
            '[data-markdown-copy="code-block"] [contenteditable="true"]',
            PROBED,
            "a finished code block is a textbox one can write into",
        ),
        Selector(
            '[data-content-search-unit-key] button[aria-label="Copy"]',
            PROBED,
            "inside the message, Copy is a code block's and there before the answer is done",
        ),
    ),
    send=(
        TURN_KEY_SUBMIT := Selector(
            'form[data-chatgpt-composer] button[type="submit"]',
            ROLLED_OUT,
            "exists only while the composer holds text",
        ),
        Selector('form[data-chatgpt-composer] button[aria-label="Send"]', PROBED),
    ),
    stop=(
        Selector(
            'form[data-chatgpt-composer] button[aria-label="Stop"]',
            PROBED,
            "in the form only, and the whole label: reading aloud and dictation say stop too",
        ),
        Selector('form[data-chatgpt-composer] button[aria-label="停止"]', ROLLED_OUT),
    ),
    exchange=(
        Selector("[data-turn-key]", PROBED, "holds the question and the answer both"),
        Selector("[data-content-search-turn-key]", PROBED),
    ),
    user_message=(
        TURN_KEY_QUESTION := Selector('[data-content-search-unit-key$=":user"]', PROBED),
        TURN_KEY_QUESTION_OTHER := Selector('[data-chatgpt-search-unit-key$=":user"]', ROLLED_OUT),
        Selector('[data-user-message-bubble="true"]', PROBED),
    ),
    assistant_message=(
        Selector('[data-content-search-unit-key$=":assistant"]', PROBED),
        Selector('[data-chatgpt-search-unit-key$=":assistant"]', ROLLED_OUT),
    ),
    text_root=(Selector('[data-markdown-text-style="assistant-message"]', PROBED),),
    actions=(
        Selector(
            '[data-turn-key] .turn-action-controls button[aria-haspopup="menu"]',
            ROLLED_OUT,
            "a menu: the question's own bar has only plain buttons",
        ),
        Selector('[data-turn-key] button[aria-label="More actions"]', PROBED),
        Selector('[data-turn-key] button[aria-label="Regenerate response"]', PROBED),
        Selector('[data-turn-key] button[aria-label="Rate response"]', PROBED),
        Selector(
            '[data-turn-key] button[aria-label="Copy"]:not([data-content-search-unit-key] *)',
            PROBED,
            "the bar stands outside the message; inside it, Copy is a code block's",
        ),
    ),
    code_block=(
        Selector(
            '[data-markdown-copy="code-block"]',
            PROBED,
            "`pre` and `code` are there only while the answer streams",
        ),
        Selector('[data-markdown-text-style="assistant-message"] pre', ROLLED_OUT),
    ),
    model_picker=(
        Selector("button[data-codex-intelligence-trigger]", ROLLED_OUT),
        Selector('button[aria-label="Select ChatGPT model"]', PROBED),
    ),
    upload=(
        Selector('[data-composer-navigation-target="add-context"]', ROLLED_OUT),
        Selector('form[data-chatgpt-composer] button[aria-label="Add files and more"]', PROBED),
    ),
    scroller=(Selector("[data-app-action-timeline-scroll]", ROLLED_OUT),),
    logged_in=(Selector('nav a[href^="/c/"]', ROLLED_OUT),),
)

OCTANE = Layout(
    name="octane",
    recognise=(
        OCTANE_TEXTAREA := Selector("textarea#mobile-composer-prompt", LOGGED_OUT),
        Selector("[data-octane-lexical-host]", LOGGED_OUT),
        Selector("ol[data-conversation-transcript]", LOGGED_OUT),
        Selector("section[data-web-mobile-conversation]", LOGGED_OUT),
    ),
    composer=(
        OCTANE_TEXTAREA,
        Selector('[data-composer-editor-host] textarea[name="prompt"]', LOGGED_OUT),
    ),
    decoys=(
        Selector(
            "[data-assistant-placeholder-slot]",
            LOGGED_OUT,
            "text beside the answer that is not part of it",
        ),
    ),
    send=(
        Selector(
            'button[data-composer-submit][type="submit"]',
            LOGGED_OUT,
            "the same button stops, as type `button`; switched off it is `aria-disabled` only",
        ),
    ),
    stop=(
        OCTANE_STOP := Selector("button[data-composer-submit][data-stop-generating]", LOGGED_OUT),
        Selector('button[data-composer-submit][type="button"]', LOGGED_OUT),
    ),
    exchange=(
        Selector(
            "ol[data-conversation-transcript] > li[data-message-role]",
            LOGGED_OUT,
            "one per message: the answer is the next item",
        ),
    ),
    user_message=(
        OCTANE_QUESTION := Selector('li[data-message-role="user"]', LOGGED_OUT),
        Selector("p[data-user-message-copy]", LOGGED_OUT),
    ),
    assistant_message=(Selector('li[data-message-role="assistant"]', LOGGED_OUT),),
    text_root=(Selector("[data-assistant-markdown]", LOGGED_OUT),),
    streaming=(
        Selector(
            'li[data-message-role="assistant"]:not([data-message-complete])',
            LOGGED_OUT,
            "`data-message-streaming` goes when the address changes, while text still comes",
        ),
        Selector("li[data-message-streaming]", LOGGED_OUT),
    ),
    actions=(
        Selector(
            "[data-assistant-message-actions] button[data-copy-message]",
            LOGGED_OUT,
            "the question has a `data-copy-message` of its own",
        ),
    ),
    upload=(
        Selector("#octane-mobile-composer-files-input", LOGGED_OUT),
        Selector("#octane-mobile-composer-photos-input", LOGGED_OUT),
        Selector("#octane-mobile-composer-camera-input", LOGGED_OUT),
    ),
)

CLASSIC = Layout(
    name="classic",
    recognise=(
        Selector(
            'div#prompt-textarea[contenteditable="true"]',
            OLD_ACCOUNT,
            "not by the id alone: it outlived the composer once, on another element",
        ),
        CLASSIC_TEXTAREA := Selector("textarea#prompt-textarea", SEED),
        Selector('textarea[name="prompt-textarea"]', SAVED_PAGE),
        Selector('[data-testid="composer-plus-btn"]', ORACLE),
        Selector('[data-testid^="conversation-turn-"]', SHARED_PAGE),
        Selector("[data-message-author-role]", OLD_ACCOUNT),
    ),
    composer=(
        CLASSIC_EDITOR := Selector(
            'div#prompt-textarea[contenteditable="true"]',
            OLD_ACCOUNT,
            "`div`, because the hidden textarea may carry the same id",
        ),
        Selector('form [contenteditable="true"][role="textbox"]', ORACLE),
        Selector('textarea#prompt-textarea:not([name="prompt-textarea"])', SEED),
        Selector(f'{PROMPT_TEXTAREA}:not([name="prompt-textarea"])', SEED),
    ),
    decoys=(
        Selector(
            'textarea[name="prompt-textarea"]',
            SAVED_PAGE,
            "a placeholder until the page is interactive; sending from it only navigates",
        ),
        Selector('textarea[class*="fallbackTextarea"]', SAVED_PAGE),
    ),
    send=(
        CLASSIC_SEND := Selector('button[data-testid="send-button"]', OLD_ACCOUNT),
        Selector(
            'button#composer-submit-button:not([data-testid="stop-button"])',
            OLD_ACCOUNT,
            "the id belongs to the place: voice, send and stop take turns in it",
        ),
        Selector('form button[aria-label^="Send"]', OLD_ACCOUNT),
        Selector(f"form {SEND_IN_JAPANESE}", SEED),
    ),
    stop=(
        CLASSIC_STOP := Selector('button[data-testid="stop-button"]', OLD_ACCOUNT),
        CLASSIC_STOP_IN_COMPOSER := Selector('button[data-testid="composer-stop-button"]', ORACLE),
        CLASSIC_STOP_ANSWERING := Selector(
            'form button[aria-label="Stop answering"]',
            OLD_ACCOUNT,
            "in the form only, and the whole label: reading aloud and dictation say stop too",
        ),
        CLASSIC_STOP_STREAMING := Selector('form button[aria-label="Stop streaming"]', ORACLE),
        Selector('form button[aria-label="Stop generating"]', SEED),
        Selector('form button[aria-label*="生成を停止"]', SEED),
    ),
    exchange=(
        Selector(
            '[data-testid^="conversation-turn-"]',
            SHARED_PAGE,
            "one per message; by no tag: `article` became `section` in 2026-03, and `div` occurs",
        ),
        Selector("[data-turn]", SAVED_PAGE),
    ),
    user_message=(
        CLASSIC_QUESTION := Selector('[data-message-author-role="user"]', OLD_ACCOUNT),
        Selector('[data-turn="user"]', SAVED_PAGE),
    ),
    assistant_message=(
        CLASSIC_ANSWER := Selector(
            '[data-message-author-role="assistant"]',
            OLD_ACCOUNT,
            "on a `div` inside the turn; a turn that thinks midway holds two of them",
        ),
        CLASSIC_ANSWER_TURN := Selector('[data-turn="assistant"]', SAVED_PAGE),
    ),
    text_root=(
        Selector('[data-message-author-role="assistant"] .markdown', OLD_ACCOUNT),
        Selector('[data-message-author-role="assistant"] .prose', SAVED_PAGE),
    ),
    thinking=(
        Selector(
            '[data-message-author-role="assistant"] .result-thinking',
            OLD_ACCOUNT,
            "empty, with dots: an answer that has not begun, even with no stop button",
        ),
        Selector(
            '[data-message-author-role="assistant"] button[aria-expanded]',
            SEED,
            "inside the message only: one like it beside the composer changes the mode",
        ),
    ),
    streaming=(Selector(".markdown.streaming-animation", OLD_ACCOUNT),),
    actions=(
        Selector(
            '[data-turn="assistant"] [data-testid="copy-turn-action-button"]',
            SAVED_PAGE,
            "in the answer's turn only: the question's has a button of the same name",
        ),
        Selector('[data-testid="good-response-turn-action-button"]', ORACLE),
        Selector('[data-testid="bad-response-turn-action-button"]', ORACLE),
    ),
    code_block=(
        Selector('[data-message-author-role="assistant"] pre', ORACLE),
        Selector('[data-message-author-role="assistant"] .cm-content', ORACLE),
    ),
    citation=(Selector('[data-testid="webpage-citation-pill"] a[href]', OLD_ACCOUNT),),
    model_picker=(
        Selector('[data-testid="model-switcher-dropdown-button"]', ORACLE),
        Selector('button.__composer-pill[aria-haspopup="menu"]', ORACLE),
    ),
    upload=(
        Selector(
            "input#upload-files",
            SAVED_PAGE,
            "three file inputs stand on the page; the others are for photos and the camera",
        ),
        Selector('form input[type="file"]', SAVED_PAGE),
        Selector('[data-testid="composer-plus-btn"]', ORACLE),
    ),
    new_chat=(Selector('[data-testid="create-new-chat-button"]', SAVED_PAGE),),
    scroller=(Selector("[data-scroll-root]", SAVED_PAGE),),
    logged_in=(
        Selector(
            'nav a[href^="/c/"]',
            SNAPSHOT,
            "not the profile button: it stands on the logged-out page too",
        ),
    ),
)

# Only what is visible counts: the page keeps closed dialogs and empty live regions.
NOTICES = (
    Notice(
        NoticeKind.CHALLENGE,
        selectors=(
            Selector(
                'script[src*="/challenge-platform/"]',
                ORACLE,
                "on healthy pages at times too: believe it only where no layout is recognised",
            ),
        ),
        title_contains=("Just a moment",),
    ),
    Notice(
        NoticeKind.LIMIT,
        selectors=(Selector("dialog#no-auth-soft-rate-limit-dialog[open]", SUMMER),),
        # a dialog without any mark, over the whole page (steipete/oracle#395, 2026-08-18)
        text_contains=("temporarily limited access to your conversations",),
    ),
    Notice(
        NoticeKind.LOGIN,
        selectors=(
            Selector("form[data-logged-out]", LOGGED_OUT),
            Selector("button[data-login-button]", LOGGED_OUT),
            Selector("[data-octane-recurring-login-banner-shell]", LOGGED_OUT),
            Selector(
                '[data-testid="login-button"]',
                SAVED_PAGE,
                "was seen pinned to a page that was logged in: `logged_in` outweighs it",
            ),
            Selector('[data-testid="signup-button"]', SAVED_PAGE),
        ),
    ),
    Notice(
        NoticeKind.ERROR,
        selectors=(
            Selector(
                "[data-composer-submission-retry]",
                LOGGED_OUT,
                "in the page even when nothing failed: only a visible one counts",
            ),
            Selector("[data-composer-submission-status]", LOGGED_OUT),
            Selector("button[data-conversation-recovery-retry]", SUMMER),
            Selector(
                '[role="alert"]:not(#aria-notify-live-region-assertive)',
                SAVED_PAGE,
                "that one is a live region, empty on every page",
            ),
        ),
    ),
    Notice(
        NoticeKind.CONSENT,
        selectors=(
            Selector(
                'dialog[role="dialog"]:not(#no-auth-soft-rate-limit-dialog)',
                OLD_ACCOUNT,
                "the cookie question of the logged-out page: told to the person, never clicked",
            ),
        ),
    ),
)

TIMINGS = Timings(
    load_seconds=30.0,  # seed 001, 9.1: until `readyState` is complete
    settle_seconds=0.5,  # seed 001, 9.1: the page goes on drawing after that
    composer_seconds=30.0,  # seed 001, 9.1: twice Gemini's, ProseMirror starts slowly
    sent_seconds=15.0,  # seed 001, 9.1: until the message stands in the page
    send_seconds=60.0,  # seed 001, 9.1: the button is off while an answer still comes
    first_output_seconds=30.0,  # seed 001, 9.1: until the answer's element is there
    answer_seconds=5400.0,  # seed 001: 480, but Pro runs 10 to 60 min; agbrowse waits 5400
    render_seconds=120.0,  # seed 001, 3.6: text can come long after the stop button went
    quiet_seconds=1.5,  # blackiya's page debounce; oracle finalises after 1.2
)

PAGE = Page(
    home="https://chatgpt.com/",
    chat="https://chatgpt.com/c/{}",
    temporary="https://chatgpt.com/?temporary-chat=true",
    layouts=(TURN_KEY, OCTANE, CLASSIC),
    notices=NOTICES,
    timings=TIMINGS,
)
