"""The lab's texts as whoever asks has them: without the private marks of a site."""

from tabwire.asking.mark_filter import Unmarked
from tabwire.lab.citing import citation_cards, citation_groups, cited_results
from tabwire.lab.speak.chatgpt.messages import references
from tabwire.model.citations import Reference
from tabwire.sites.chatgpt.cites import read_references
from tabwire.sites.gemini.cites import read_sources, references_of
from tabwire.sites.grok import cites as grok_cites
from tabwire.sites.known import SITES
from tabwire.sites.links import linked


def as_read(site: str, text: str) -> str:
    """In an answer: with links in the place of marks."""
    return linked(text, _known(site, text), SITES[site].marks)[0]


def as_told(site: str, text: str) -> str:
    """While it grows: without them."""
    return Unmarked(SITES[site].marks).take(text)


def _known(site: str, text: str) -> tuple[Reference, ...]:
    """What the lab's site says beside this text."""
    if site == "gemini":
        rich = [None, {"44": citation_groups(text)}]
        return references_of(text, read_sources([*[None] * 12, rich]))
    if site == "grok":
        cards, results = citation_cards(text), cited_results(text)
        beside = {"cardAttachmentsJson": cards, "citedWebSearchResults": results}
        return grok_cites.read_references(text, beside)
    return read_references({"content_references": references(text)})
