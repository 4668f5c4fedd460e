"""Which title a conversation keeps, and who gave it.

Best first: what the site's wire says; what was specific before; what the page calls itself;
the first question. A title that says nothing ("New chat") never takes the place of one that
says something, however late it comes and whoever says it.
"""

import re
from collections.abc import Iterable

from tabwire.model.captured import Title, TitleFrom
from tabwire.model.conversation import Conversation, Role
from tabwire.sites.titles import fallback_title, is_generic
from tabwire.wire.text import showable

MAX_TITLE = 500  # characters kept; the longest title a site made has 100

_RANK = {TitleFrom.SITE: 3, TitleFrom.PAGE: 2, TitleFrom.PROMPT: 1, TitleFrom.NOBODY: 0}
_SITE_NAME = re.compile(
    r"\s+[-\u2013\u2014|/]\s+(ChatGPT|Google Gemini|Gemini( Advanced)?|Grok|X)\s*$", re.IGNORECASE
)


def better(held: Title, new: Title) -> Title:
    """The one to keep. Of two of equal worth the later."""
    return new if _worth(new) >= _worth(held) and new.text.strip() else held


def site_title(text: str | None) -> Title:
    """A title the wire told; one that says nothing is none."""
    return _title(None if is_generic(text) else text, TitleFrom.SITE)


def page_title(text: str | None) -> Title:
    """The title of a document, without the site's own name behind it."""
    plain = _SITE_NAME.sub("", text or "")
    return _title(None if is_generic(plain) else plain, TitleFrom.PAGE)


def first_question(conversation: Conversation) -> Title:
    """A title made of the first thing the person asked."""
    asked: Iterable[str] = (
        turn.text
        for turn in conversation.chain()
        if turn.role is Role.USER and not turn.hidden and turn.text.strip()
    )
    return _title(fallback_title(next(iter(asked), "")), TitleFrom.PROMPT)


def _title(text: str | None, source: TitleFrom) -> Title:
    plain = " ".join(showable(text or "").split())[:MAX_TITLE]
    return Title(plain, source) if plain else Title()


def _worth(title: Title) -> int:
    return 0 if is_generic(title.text) else _RANK[title.source]
