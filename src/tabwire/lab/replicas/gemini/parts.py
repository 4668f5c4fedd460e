"""By which names the parts of gemini.google.com's page can be told, best first.

Every mark is a word of the page's own files: a tag, a class, the value of an attribute. A
rebuild of the page gives new names to some of them, see `lab/drift`. What only a label tells is
not here: labels are the page's language.
"""

PARTS: dict[str, dict[str, tuple[str, ...]]] = {
    "app": {
        "composer": ("rich-textarea", "ql-editor"),
        "decoys": ("ql-clipboard",),
        # one button sends and stops; the sign on it says which
        "send": ("send-button", "data-mat-icon-name"),
        "stop": ("send-button", "data-mat-icon-name"),
        "exchange": ("conversation-container",),
        "user_message": ("user-query",),
        "assistant_message": ("model-response",),
        "text_root": ("message-content-id-", "message-content", "model-response-text"),
        "thinking": ("model-thoughts", "thoughts-container", "thoughts-content"),
        "citation": ("source-footnote",),
        "actions": ("message-actions", "response-footer", "data-mat-icon-name"),
        "model_picker": ("bard-mode-menu-button",),
        "upload": ("hidden-local-file-upload-button", "hidden-local-image-upload-button"),
        "new_chat": ("new-chat-button",),
        "title": ("conversation-title", "selected"),
        "scroller": ("chat-history-container", "infinite-scroller"),
    },
}
