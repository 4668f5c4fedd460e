"""The page of grok.com: selectors best first, notices, timings. Data only."""

from tabwire.sites.page import Layout, Notice, NoticeKind, Page, Selector, Timings

_LOGGED_OUT_PAGE = "2026-04"  # a saved page, logged out
_LIVE = "2026-09-29"  # checked on the live page

GROK_COM = Layout(
    name="grok.com",
    recognise=(
        Selector("[data-testid='chat-transcript-scroller']", _LIVE),
        Selector(".query-bar", _LOGGED_OUT_PAGE),
    ),
    composer=(
        Selector(".query-bar .tiptap.ProseMirror[contenteditable='true']", "2026-09"),
        Selector(".tiptap.ProseMirror[contenteditable='true']", "2026-09"),
    ),
    send=(
        Selector("button[type='submit'][aria-label='Submit']", _LOGGED_OUT_PAGE),
        Selector(
            ".query-bar button[type='submit']",
            _LOGGED_OUT_PAGE,
            "the label is in the language of the page, the place is not",
        ),
    ),
    stop=(Selector("button[aria-label*='Stop' i]", "2026-08"),),
    exchange=(Selector("div[id^='response-']", _LIVE, "one per message: `response-<uuid>`"),),
    user_message=(
        Selector(".message-bubble[role='article'][data-testid='user-message']", _LIVE),
        Selector(".message-bubble[role='article'][aria-label='You']", _LIVE),
    ),
    assistant_message=(
        Selector(".message-bubble[role='article'][data-testid='assistant-message']", _LIVE),
        Selector(".message-bubble[role='article'][aria-label='Grok']", _LIVE),
    ),
    text_root=(
        Selector(
            ".message-bubble .response-content-markdown",
            _LIVE,
            "the bubble itself also holds the thinking and the sources pill",
        ),
    ),
    decoys=(Selector("textarea[aria-hidden='true']", _LOGGED_OUT_PAGE, "measures heights only"),),
    thinking=(
        Selector(".thinking-container", _LIVE),
        Selector("[data-testid='canvas-trigger']", _LIVE, "the line that says how long it worked"),
    ),
    actions=(
        Selector("button[aria-label='Regenerate']", _LOGGED_OUT_PAGE),
        Selector("button[aria-label='Copy']", _LOGGED_OUT_PAGE),
    ),
    code_block=(
        Selector(
            "div[data-testid='code-block']",
            _LIVE,
            "its `pre` is mounted only after scrolling into view",
        ),
        Selector("[class~='group/code-header']", _LIVE, "the header: no part of the code"),
    ),
    citation=(Selector("a.citation", _LIVE, "its text starts with U+2060"),),
    model_picker=(
        Selector("#model-select-trigger", _LOGGED_OUT_PAGE),
        Selector("button[aria-label='Model select']", "2026-08"),
    ),
    upload=(
        Selector("button[aria-label='Attach']", "2026-08"),
        Selector("input[type='file'][name='files']", _LOGGED_OUT_PAGE),
    ),
    new_chat=(Selector("[data-testid='new-chat']", "2026-08"),),
    title=(Selector("title", _LOGGED_OUT_PAGE),),
    scroller=(
        Selector(
            "[data-testid='chat-transcript-scroller']",
            _LIVE,
            "virtualised: messages out of sight are spacers",
        ),
    ),
    logged_in=(Selector("img[alt='pfp']", "2025-11"),),
)

PAGE = Page(
    home="https://grok.com/",
    chat="https://grok.com/c/{}",
    elsewhere=(("[0-9]{10,20}", "https://x.com/i/grok?conversation={}"),),
    temporary="https://grok.com/c#private",
    layouts=(GROK_COM,),
    notices=(
        Notice(
            NoticeKind.LOGIN,
            selectors=(
                Selector("a[href='/sign-in']", _LOGGED_OUT_PAGE),
                Selector("a[href='/sign-up']", _LOGGED_OUT_PAGE),
            ),
        ),
        Notice(
            NoticeKind.CHALLENGE,
            selectors=(
                Selector("#challenge-error-text", "2026-03"),
                Selector("script[src*='/challenge-platform/']", "2026-09"),
            ),
            title_contains=("Just a moment",),
        ),
        Notice(
            NoticeKind.CONSENT,
            selectors=(Selector("#onetrust-banner-sdk", _LOGGED_OUT_PAGE),),
        ),
        # No notice for a spent limit: none was seen on the page, only on the wire.
    ),
    # Nobody measured Grok apart: the shared numbers are seed 001's (section 9.1), and the
    # quiet time is the one the page needs after its stop control goes (style.md, section 4).
    timings=Timings(quiet_seconds=1.5),
    title_suffixes=(" - Grok",),
)
