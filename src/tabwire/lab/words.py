"""Words of prompts and answers: what the lab reads in a prompt, and how an answer is cut."""

import re
import zlib
from collections.abc import Iterator

DIRECTION = re.compile(r"^\s*lab:(.*)$", re.MULTILINE)
MAX_QUOTE = 80  # characters of the prompt that the answer repeats
SPOILS_MARKDOWN = re.compile(r"[`*_|<>\[\]#\\~$]+")


def mark_of(prompt: str) -> str:
    """A short name for a prompt, which its answers carry: anyone can tell whose they are."""
    return f"{zlib.crc32(prompt.encode('utf-8', 'replace')):08x}"


def quoted(prompt: str) -> str:
    """The prompt's own words, without what they could do to Markdown."""
    words = " ".join(SPOILS_MARKDOWN.sub("", DIRECTION.sub(" ", prompt)).split())
    return words if len(words) <= MAX_QUOTE else words[:MAX_QUOTE].rstrip() + "…"


def in_words(text: str) -> Iterator[str]:
    """Cut as a model cuts: a few words at a time, with their spaces."""
    words = re.findall(r"\s*\S+", text)
    step = max(1, len(words) // 40)
    for start in range(0, len(words), step):
        yield "".join(words[start : start + step])
