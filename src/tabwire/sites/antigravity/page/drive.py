"""Where a person writes, chooses and finds conversations in the panel's window. Data only.

Seen in captured pages of 2026-02 to 2026-07, or read in other tools' sources (2026-06).
"""

from typing import Final

from tabwire.sites.page import Selector

BOX: Final = r"#antigravity\.agentSidePanelInputBox"

TRAPS: Final = (
    Selector("textarea.ime-text-area", "2026-06"),
    Selector(".xterm", "2026-06"),
    Selector(".xterm-helper-textarea", "2026-06"),
    Selector(".monaco-editor", "2026-06"),
    Selector(".quick-input-widget", "2026-06"),
)
"""What takes text in the same window and is not the composer."""

TYPEAHEAD: Final = (".lexical-typeahead-menu", "#typeahead-menu")
FILE_INPUT: Final = (
    Selector(f'{BOX} input[type="file"]', "2026-02"),
    Selector('[data-testid="conversation-view"] input[type="file"]', "2026-07"),
)
NEW_CHAT: Final = (
    Selector('[data-tooltip-id="new-conversation-tooltip"]', "2026-02"),
    Selector('[data-tooltip-id="new-conversation"]', "2026-07"),
)
HISTORY: Final = (
    Selector("[data-past-conversations-toggle]", "2026-02"),
    Selector('[data-tooltip-id="history-tooltip"]', "2026-02"),
)

LISTS: Final = {
    "floating": ['div[class*="bg-quickinput-background"]'],
    "row": '[class*="cursor-pointer"]',
    "name": ["span.text-sm span", "span.text-sm"],
    "when": "span.text-xs",
    "head": 'div[class*="text-xs"][class*="opacity"]',
    "elsewhere": ["other conversations", "他の会話", "その他の会話"],
    "active": "focusBackground",
    "pill": '[data-testid^="convo-pill-"]',
}
"""Past conversations: the floating list of the editor (LazyGravity, 2026-06), or the pills beside
the panel of the stand-alone program and of Agent Manager (2026-07)."""

PICKERS: Final = {
    "model": {"row": ".cursor-pointer", "name": ["span.text-xs.font-medium", ".font-medium"]},
    "mode": {"row": ".cursor-pointer", "name": [".font-medium"]},
}
"""What a picker's dialog holds. In the editor the dialogs are in the page all the time."""
