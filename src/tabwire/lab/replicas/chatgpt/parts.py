"""By which names the parts of chatgpt.com's pages can be told, in each layout, best first.

Every mark is a word of the page's own files: the name of an attribute, its value, a class, an
id. A rebuild of the page gives new names to some of them, see `lab/drift`. Parts that only a
label or a tag tells are not here: those words are the page's language.
"""

PARTS: dict[str, dict[str, tuple[str, ...]]] = {
    "turn_key": {
        "composer": ("data-composer-markdown", "data-chatgpt-composer"),
        "send": ("data-chatgpt-composer",),
        "stop": ("data-chatgpt-composer",),
        "exchange": ("data-turn-key", "data-content-search-turn-key"),
        "user_message": (
            "data-content-search-unit-key",
            "data-chatgpt-search-unit-key",
            "data-user-message-bubble",
        ),
        "assistant_message": ("data-content-search-unit-key", "data-chatgpt-search-unit-key"),
        "text_root": ("data-markdown-text-style",),
        "actions": ("turn-action-controls", "data-turn-key"),
        "code_block": ("data-markdown-copy", "data-markdown-text-style"),
        "model_picker": ("data-codex-intelligence-trigger",),
        "upload": ("data-composer-navigation-target",),
        "scroller": ("data-app-action-timeline-scroll",),
    },
    "octane": {
        "composer": ("mobile-composer-prompt", "data-composer-editor-host"),
        "send": ("data-composer-submit",),
        "stop": ("data-stop-generating", "data-composer-submit"),
        "exchange": ("data-conversation-transcript", "data-message-role"),
        "user_message": ("data-message-role", "data-user-message-copy"),
        "assistant_message": ("data-message-role",),
        "text_root": ("data-assistant-markdown",),
        "streaming": ("data-message-complete", "data-message-streaming"),
        "actions": ("data-assistant-message-actions", "data-copy-message"),
        "upload": (
            "octane-mobile-composer-files-input",
            "octane-mobile-composer-photos-input",
            "octane-mobile-composer-camera-input",
        ),
    },
    "classic": {
        "composer": ("prompt-textarea",),
        "send": ("send-button", "composer-submit-button"),
        "stop": ("stop-button", "composer-submit-button"),
        "exchange": ("conversation-turn-", "data-turn"),
        "user_message": ("data-message-author-role", "data-turn"),
        "assistant_message": ("data-message-author-role", "data-turn"),
        "text_root": ("markdown", "prose"),
        "streaming": ("streaming-animation",),
        "thinking": ("result-thinking",),
        "actions": (
            "copy-turn-action-button",
            "good-response-turn-action-button",
            "bad-response-turn-action-button",
        ),
        "model_picker": ("model-switcher-dropdown-button",),
        "upload": ("upload-files", "composer-plus-btn"),
        "new_chat": ("create-new-chat-button",),
        "scroller": ("data-scroll-root",),
    },
}
