"""How titles beat each other: specific over generic, later over earlier of equal worth."""

import re
import unicodedata

MAX_FALLBACK_TITLE = 80  # the peer's length; also what fits a tab and a file name

_GENERIC = frozenset(
    {
        "",
        "untitled",
        "new chat",
        "new conversation",
        "chats",
        "chatgpt",
        "conversation",
        "gemini",
        "gemini advanced",
        "google gemini",
        "gemini conversation",
        "conversation with gemini",
        "grok",
        "grok conversation",
        "grok / x",
    }
)


def is_generic(title: str | None) -> bool:
    """Whether a title says nothing about its conversation ("New chat", "You said …")."""
    plain = " ".join((title or "").split()).casefold()
    return plain in _GENERIC or plain.startswith(("you said ", "you said:"))


def better_title(old: str | None, new: str | None) -> str | None:
    """The title to keep. A generic one never overwrites a specific one."""
    old = old if old and old.strip() else None
    new = new if new and new.strip() else None
    if new is None or (old is not None and is_generic(new) and not is_generic(old)):
        return old
    return new


def fallback_title(first_user_text: str) -> str | None:
    """A title from the first question: one line, at most 80 characters."""
    plain = re.sub(r"\s+", " ", unicodedata.normalize("NFC", first_user_text)).strip()
    if not plain:
        return None
    if len(plain) <= MAX_FALLBACK_TITLE:
        return plain
    return plain[: MAX_FALLBACK_TITLE - 3] + "..."
