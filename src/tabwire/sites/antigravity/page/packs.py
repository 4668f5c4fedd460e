"""Selector packs, one per generation of the panel.

SIDE_PANEL   inside the editor's own page: captured 2026-02 (workbench, generating), 2026-03
STAND_ALONE  the program of 2026-05 and later: captured 2026-07 (conversation, generating)
CASCADE      the older frame `cascade-panel`: known from other projects' sources only
MANAGER      Agent Manager: captured 2026-03, with no conversation open
CURSOR       a panel of the same family in another editor: classes from other projects' sources

Where a generation lacks a capture the selectors of its neighbour stand in, and the self-test
says which of them matched.
"""

from dataclasses import replace
from typing import Final

from tabwire.sites.antigravity.page.shape import Pack, Selectors
from tabwire.sites.antigravity.page.texts import LABELS
from tabwire.sites.page import Selector, any_of


def _all(seen_on: str, *css: str) -> Selectors:
    return tuple(Selector(one, seen_on) for one in css)


_BOX = r"#antigravity\.agentSidePanelInputBox"

_COMPOSER = (
    *_all("2026-02", f'{_BOX} [contenteditable="true"][role="textbox"]'),
    *_all("2026-07", f'{_BOX} [contenteditable="true"][role="combobox"]'),
    *_all(
        "2026-07",
        '[contenteditable="true"][role="combobox"][aria-label="Message input"]',
        '[contenteditable="true"][data-lexical-editor="true"]',
    ),
    *_all("2026-06", '[contenteditable="true"][role="textbox"]'),
)
_SEND = _all(
    "2026-02",
    '[data-tooltip-id="input-send-button-send-tooltip"]',
    f'{_BOX} button[aria-label^="Send"]',
)
_STOP = _all("2026-07", '[data-tooltip-id="input-send-button-cancel-tooltip"]')
_NO_WORDS = _all("2026-02", "details", '[class*="feedback"]', "footer", "form")
"""Never what the agent says, in any generation."""
_SKIP = _NO_WORDS + _all(
    "2026-02",
    '[data-tooltip-id^="up-"]',
    '[data-tooltip-id^="down-"]',
    '[data-tooltip-id^="copy-"]',
    ".sr-only",
    '[aria-hidden="true"]',
    "textarea",
    "style",
    "script",
)
_MODAL = _all("2026-06", '[role="dialog"]')
_DIALOG = _MODAL + _all(
    "2026-06",
    '[role="alertdialog"]',
    ".modal",
    ".dialog",
    ".approval-container",
    ".permission-dialog",
)
_SURFACE = _all(
    "2026-06",
    '[role="alert"]',
    "h3",
    '[class*="banner"]',
    '[class*="toast"]',
    '[class*="quota"]',
    '[class*="rate-limit"]',
    '[class*="notification"]',
    '[class*="warning"]',
    '[class*="error"]',
    '[class*="alert"]',
)
_BARE = ":not(:has(.leading-relaxed, .rendered-markdown, .prose, .isolate, .truncate))"
_ACTS = "button, [role='button'], [contenteditable], input, textarea"
_PROSE = (
    *_all("2026-07", ".leading-relaxed.select-text"),
    *_all("2026-02", ".rendered-markdown"),
    *_all("2026-01", ".prose"),
    # around all the agent says: only where nothing in it is known better
    *_all("2026-06", f".gap-y-3 .text-ide-message-block-bot-color{_BARE}:not(:has({_ACTS}))"),
    *_all(
        "2026-01",
        f'[data-message-author-role="assistant"]{_BARE}',
        f'[data-message-role="assistant"]{_BARE}',
    ),
)
_COMMAND_LINE = (
    *_all("2026-07", "pre.font-mono.break-all", "pre.font-mono"),
    *_all("2026-06", "pre code", "pre", "code"),
)

_USER_ROLE = _all("2026-01", '[data-message-author-role="user"]', '[data-message-role="user"]')
_USER = (
    *_all("2026-07", '[role="article"][aria-label="User message"]'),
    *_all("2026-07", '[data-testid="user-input-step"]'),
    *_all("2026-02", r".bg-gray-500\/15.select-text", r".bg-gray-500\/15.p-2.rounded-lg"),
    *_all("2026-06", ".bg-input.p-2"),
    *_USER_ROLE,
)
_FOLD = ".relative:has(> button[aria-expanded])"
_THINKING = (
    *_all("2026-03", ".isolate:not(.h-fit):not(.border):has(> button)"),
    # the oldest panels: an answer is never faded; with the button that folds it, or without
    *_all(
        "2026-01",
        "div:has(> button + div .prose.opacity-70):not(:has(.prose:not(.opacity-70)))",
        ".prose.opacity-70",
        ".leading-relaxed.opacity-70",
    ),
    *_all(
        "2026-07",
        f".min-w-0.grow > .flex.flex-col > {_FOLD}",
        # unfolded: thoughts and no further steps
        f"{_FOLD}:has(> .relative .cursor-edit):not(:has(> .relative button[aria-expanded]))",
    ),
)

SIDE_PANEL: Final = Pack(
    name="side-panel",
    product="Antigravity 1.x and Antigravity IDE 2.0, panel inside the editor's page",
    root=_all("2026-03", ".antigravity-agent-side-panel"),
    turns=_all(
        "2026-03",
        "#conversation .relative.flex.flex-col.gap-y-3.px-4",
        "#conversation .gap-y-3",
        ".relative.flex.flex-col.gap-y-3.px-4",
    ),
    composer=_COMPOSER,
    send=_SEND,
    stop=_STOP,
    user=_USER,
    user_text=_all("2026-02", ".whitespace-pre-wrap"),
    prose=_PROSE,
    thinking=_THINKING,
    fold=_all("2026-07", _FOLD),
    task=_all("2026-02", ".isolate.border.rounded-lg"),
    pinned=_all("2026-02", ".border-t:has(~ .border-t .sticky)"),
    command=(
        *_all("2026-02", r".flex.flex-col.gap-2.border.rounded-lg.my-1"),
        *_all("2026-07", r".group\/run-command"),
    ),
    command_line=_COMMAND_LINE,
    cwd=_all("2026-07", "span.text-ellipsis", "span[data-tooltip-id]"),
    prompt_mark=_all(
        "2026-07",
        "span.opacity-50:not(.text-ellipsis)",
        "span.text-muted-foreground:not(.text-ellipsis)",
    ),
    tool=_all("2026-07", ".flex.flex-row:has(> .min-w-0.grow)"),
    tool_line=_all("2026-07", ".group .truncate", ".truncate"),
    plan=_all("2026-02", ".notify-user-container"),
    artifact=_all("2026-07", ".artifact-card"),
    files=_all("2026-07", ".files-changed-header"),
    status=(
        *_all("2026-02", ".opacity-50.pt-2 > span.text-sm", ".opacity-50.pt-2 span.text-sm"),
        *_all("2026-07", '[data-testid="agent-loading"]'),
    ),
    closed=_all("2026-07", '[data-tooltip-id^="up-"]', '[aria-label="Good response"]'),
    title=_all("2026-02", '[class*="border-b"] > [class*="text-ellipsis"]'),
    model=_all(
        "2026-07",
        f"{_BOX} [aria-label^='Select model'] span.text-ellipsis",
        f"{_BOX} [aria-haspopup='dialog'] span.text-ellipsis.text-xs",
        "[aria-haspopup='dialog'] span.min-w-0.select-none.text-ellipsis.text-xs",
        "span.min-w-0.select-none.overflow-hidden.text-ellipsis.text-xs",
    ),
    mode=_all(
        "2026-03",
        f"{_BOX} button:has(svg[class*='chevron'])",
        "[aria-haspopup='dialog'] button, [aria-haspopup='dialog'] [tabindex]",
    ),
    placeholder=_all("2026-02", r".rounded-lg.bg-gray-500\/10:empty", ".flex.flex-col:empty"),
    older=_all("2026-07", "button.sr-only"),
    skip=_SKIP,
    dialog=_DIALOG,
    surface=_SURFACE,
    spinner=_all("2026-07", ".animate-spin"),
)

STAND_ALONE: Final = replace(
    SIDE_PANEL,
    name="stand-alone",
    product="Antigravity 2.x, the stand-alone program",
    root=_all("2026-07", '[data-testid="conversation-view"]'),
    turns=_all("2026-07", ".relative.flex.flex-col.gap-y-3.px-4", ".gap-y-3"),
    title=_all("2026-07", "[data-tooltip-id] > span.truncate.inline-block"),
)

CASCADE: Final = replace(
    SIDE_PANEL,
    name="cascade",
    product="Antigravity before 2026, panel in a frame of its own",
    root=_all("2026-01", "#cascade", "#chat", "#react-app.react-app-container"),
    turns=(
        *_all(
            "2026-01",
            ".relative.flex.flex-col.gap-y-3.px-4",
            ".gap-y-3",
            "#cascade .overflow-y-auto > div",
        ),
    ),
)

MANAGER: Final = replace(
    SIDE_PANEL,
    name="manager",
    product="Agent Manager of the editor",
    # a page of its own: in an editor's window it would be the whole window
    root=_all(
        "2026-03",
        f"body:has({_BOX}):not(:has(.antigravity-agent-side-panel, .part.editor, .monaco-editor))",
    ),
    turns=_all("2026-07", ".relative.flex.flex-col.gap-y-3.px-4", ".gap-y-3"),
)

CURSOR: Final = replace(
    SIDE_PANEL,
    name="cursor",
    product="Cursor, and editors that share its classes",
    root=_all(
        "2026-06",
        ".composer-bar",
        '[class*="composer-bar"]',
        '[class*="anysphere-panel"]',
        ".aichat-pane",
        '[class*="auxiliarybar"]:has([class*="anysphere"])',
    ),
    turns=_all("2026-06", ".composer-messages-container", '[class*="messages-container"]'),
    composer=_all(
        "2026-06",
        '[contenteditable="true"][data-lexical-editor="true"]',
        ".aislash-editor-input",
        '[contenteditable="true"]',
    ),
    send=_all("2026-06", '.send-with-mode [class*="anysphere-icon-button"]'),
    closed=(),
    stop=_all("2026-06", '[class*="anysphere"][aria-label="Stop"]', '[class*="stop-button"]'),
    user=_all("2026-06", '[data-message-role="human"]', '[class*="human-message"]'),
    prose=_all("2026-06", ".markdown-section", ".markdown-root", ".rendered-markdown"),
    command=_all(
        "2026-06",
        ".composer-terminal-tool-call-block-container",
        ".composer-terminal",
        '[class*="tool-call"]:has(pre)',
        '[class*="tool-former"]:has(pre)',
    ),
    card=_all(
        "2026-06",
        '[class*="tool-former"]',
        '[class*="anysphere-card"]',
        '[class*="composer-code-block"]',
    ),
    title=_all("2026-06", ".composite-bar-action-tab.checked .label-name"),
)

PACKS: Final = (STAND_ALONE, SIDE_PANEL, CASCADE, CURSOR, MANAGER)
"""In the order in which they are tried."""

CLASSIC: Final = {
    "scope": any_of(*SIDE_PANEL.root, *STAND_ALONE.root),
    "scored": [
        [10, ".rendered-markdown"],
        [9, ".leading-relaxed.select-text"],
        [8, ".flex.flex-col.gap-y-3"],
        [7, '[data-message-author-role="assistant"]'],
        [6, '[data-message-role="assistant"]'],
        [5, '[class*="assistant-message"]'],
        [4, '[class*="message-content"]'],
        [3, '[class*="markdown-body"]'],
        [2, ".prose"],
    ],
    "excluded": any_of(*_NO_WORDS, *_MODAL, *SIDE_PANEL.plan, *_USER_ROLE),
    "message": (
        ".rendered-markdown, .prose, pre, code, [data-message-author-role], [data-message-role], "
        '[class*="message-content"], .leading-relaxed'
    ),
    "banners": any_of(*_SURFACE, Selector("h3 span", "2026-01")),
    "cancel": any_of(*_STOP),
    "stops": list(LABELS["stop"]),
    "thinking": any_of(*_THINKING),
    "steps": ".flex.flex-row > .min-w-0.grow .group .truncate:not(.truncate .truncate)",
    "user": any_of(*_USER),
}
"""What the classic profile looks for: what seed 000 knew (where the panel is, candidates for the
answer with their scores, what none of them lies in, what a message is, where a limit is said, what
stops the agent), and of panels that it never saw their thinking, steps and questions."""
