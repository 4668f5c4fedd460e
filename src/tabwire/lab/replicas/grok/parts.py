"""By which names the parts of Grok's pages can be told, in each layout, best first.

Every mark is a word of the page's own files: a class, an id, the value of an attribute. A
rebuild of the page gives new names to some of them, see `lab/drift`. Parts that only a label
tells (Submit, Stop, the bar below an answer) are not here, nor is the id of a message, which
begins as half of the site's addresses do: no rebuild could rename it without those.
"""

PARTS: dict[str, dict[str, tuple[str, ...]]] = {
    "grok.com": {
        "recognise": ("chat-transcript-scroller", "query-bar"),
        "composer": ("tiptap", "ProseMirror"),
        "user_message": ("user-message", "message-bubble"),
        "assistant_message": ("assistant-message", "message-bubble"),
        "text_root": ("response-content-markdown",),
        "thinking": ("thinking-container", "canvas-trigger"),
        "code_block": ("code-block", "group/code-header"),
        "citation": ("citation",),
        "model_picker": ("model-select-trigger",),
        "new_chat": ("new-chat",),
        "scroller": ("chat-transcript-scroller",),
        "logged_in": ("pfp",),
    },
    "x": {
        "recognise": ("grok-header",),
        "composer": ("grok-composer",),
        "new_chat": ("grok-new",),
        "title": ("grok-header",),
        "scroller": ("grok-scroller",),
    },
}
