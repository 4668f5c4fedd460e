"""Whether two texts are the same prompt. Pure.

A page may change line ends, spaces at the ends of lines and characters nobody sees; no more.
"""

import re
import unicodedata

_UNSEEN = re.compile("[\u200b\u2060\ufeff]")
_SPACE = re.compile(r"\s+")


def bare(text: str) -> str:
    """The text without what editors add or drop on their own."""
    seen = _UNSEEN.sub("", text)
    return _SPACE.sub(" ", unicodedata.normalize("NFC", seen)).strip()


def same_prompt(said: str | None, prompt: str) -> bool:
    """Whether what was said is this prompt. What nobody could read is none."""
    return said is not None and bare(said) == bare(prompt)
