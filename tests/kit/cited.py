"""The lab's texts as whoever asks has them: without the private marks of a site."""

from tabwire.ask.cites import linked
from tabwire.ask.unmarked import Unmarked
from tabwire.lab.speak_chatgpt.messages import references
from tabwire.sites.chatgpt.cites import read_references
from tabwire.sites.known import SITES


def as_read(site: str, text: str) -> str:
    """In an answer: with links in the place of marks."""
    known = read_references({"content_references": references(text)})
    return linked(text, known, SITES[site].marks)[0]


def as_told(site: str, text: str) -> str:
    """While it grows: without them."""
    return Unmarked(SITES[site].marks).take(text)
