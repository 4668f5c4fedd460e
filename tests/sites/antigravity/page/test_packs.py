"""What the classic profile looks for in the panel is listed with the packs, and only there."""

import re

from tabwire.browser.inpage import script
from tabwire.sites.antigravity.page.packs import CLASSIC, SIDE_PANEL

SEED = {
    "scope": '.antigravity-agent-side-panel, [data-testid="conversation-view"]',
    "excluded": (
        'details, [class*="feedback"], footer, [role="dialog"], form, .notify-user-container, '
        '[data-message-author-role="user"], [data-message-role="user"]'
    ),
    "message": (
        ".rendered-markdown, .prose, pre, code, [data-message-author-role], [data-message-role], "
        '[class*="message-content"], .leading-relaxed'
    ),
    "banners": (
        'h3, h3 span, [role="alert"], [class*="error"], [class*="warning"], [class*="toast"], '
        '[class*="banner"], [class*="notification"], [class*="alert"], [class*="quota"], '
        '[class*="rate-limit"]'
    ),
    "cancel": '[data-tooltip-id="input-send-button-cancel-tooltip"]',
}
"""Seed 000, its detectors: a pack that changes must not change these without a word."""


def test_the_classic_profile_looks_for_what_the_seed_does():
    for part, css in SEED.items():
        assert set(CLASSIC[part].split(", ")) == set(css.split(", ")), part
    assert [score for score, _ in CLASSIC["scored"]] == list(range(10, 1, -1))


def test_the_script_has_no_selectors_of_its_own():
    """It asks for buttons by their labels; everything else is told to it."""
    text = script("agent/classic").split("needs: agent/text agent/limits")[1]
    literal = re.findall(r"(?:querySelector(?:All)?|closest|matches)\((['\"`].*?['\"`])\)", text)
    assert literal == ["\"button,[role='button']\""]
    assert SIDE_PANEL.root[0].css not in text
