"""The sources that Grok and Gemini name: links in a text, and none of their marks."""

import json

import pytest

from kit.cuts import every_cut
from tabwire.ask.cites import linked
from tabwire.ask.unmarked import Unmarked
from tabwire.model.citations import Citation
from tabwire.model.signals import Cited, TurnEnded
from tabwire.sites.gemini.candidate import read_candidate
from tabwire.sites.gemini.cites import references_of
from tabwire.sites.known import SITES
from tabwire.sites.memory import Memory

GROK, GEMINI = SITES["grok"], SITES["gemini"]
CHAT = "11111111-2222-4333-8444-555555555555"
LOAD = f"https://grok.com/rest/app-chat/conversations/{CHAT}/load-responses"
FOLLOW_UP = f"https://grok.com/rest/app-chat/conversations/{CHAT}/responses"
ADDRESS = "https://example.com/report"
CARD = json.dumps(
    {"id": "c1", "type": "render_inline_citation", "cardType": "citation_card", "url": ADDRESS}
)
RESULT = {"url": ADDRESS, "title": "A report", "siteName": "Example", "citationId": "37"}
OTHER = {"url": "https://example.org/", "title": "Another", "citationId": 14}


def tag(card="c1", number="37", kind="citation_card"):
    return (
        f'<grok:render card_id="{card}" card_type="{kind}" type="render_inline_citation">\n'
        f'<argument name="citation_id">{number}</argument>\n</grok:render>'
    )


COPIED = '<grok-card data-id="c1" data-type="citation_card"></grok-card>'
GROK_TEXTS = [
    # id             text, beside it, what is read
    ("a card", f"So it is.{tag()} More.", {"cardAttachmentsJson": [CARD]},
     f"So it is. ([example.com]({ADDRESS})) More."),
    ("its title", f"So it is.{tag()}",
     {"cardAttachmentsJson": [CARD], "webSearchResults": [RESULT]},
     f"So it is. ([Example]({ADDRESS}))"),
    ("by its number", f"So it is.{tag('other', '14')}", {"citedWebSearchResults": [RESULT, OTHER]},
     "So it is. ([Another](https://example.org/))"),
    ("as it was copied", f"So it is.{COPIED}", {"cardAttachmentsJson": [CARD]},
     f"So it is. ([example.com]({ADDRESS}))"),
    ("two in a row", f"So.{tag()} {tag('other', '14')}",
     {"cardAttachmentsJson": [CARD], "webSearchResults": [OTHER]},
     f"So. ([example.com]({ADDRESS})) ([Another](https://example.org/))"),
    ("nobody explains it", f"So it is{tag('unknown', '9')}.", {}, "So it is."),
    ("a picture", f"{tag('p', '', 'generated_image_card')}Here it is.", {}, "Here it is."),
    ("cut", 'So it is.<grok:render card_id="c1" card_ty', {}, "So it is."),
    ("no mark", "a <b> c < d <g", {}, "a <b> c < d <g"),
]  # fmt: skip


def grok_answer(text, beside):
    answer = {"responseId": "a", "message": text, "sender": "assistant", "partial": False}
    return {**answer, "parentResponseId": "u", **beside}


@pytest.mark.parametrize(
    "text, beside, read", [c[1:] for c in GROK_TEXTS], ids=[c[0] for c in GROK_TEXTS]
)
def test_grok_names_its_sources(text, beside, read):
    body = json.dumps({"responses": [grok_answer(text, beside)]}).encode()
    (stored,) = GROK.read_body(body, LOAD, Memory()).conversations
    assert linked(text, stored.turns[0].references, GROK.marks)[0] == read
    line = json.dumps({"result": {"modelResponse": grok_answer(text, beside)}}).encode()
    stream = GROK.open_stream(FOLLOW_UP, Memory())
    signals = [*stream.feed(line + b"\n"), *stream.close()]
    cited = [one for one in signals if isinstance(one, Cited)]
    told = cited[0].references if cited else ()
    assert linked(text, told, GROK.marks)[0] == read
    if cited:
        ends = [place for place, one in enumerate(signals) if isinstance(one, TurnEnded)]
        assert signals.index(cited[0]) < ends[0], "before whoever asked is told the answer"


def test_a_card_told_while_grok_writes_is_kept_for_the_end():
    lines = [
        {"result": {"token": f"So it is.{tag()}", "responseId": "a"}},
        {"result": {"cardAttachment": {"jsonData": CARD}, "responseId": "a"}},
        {"result": {"token": "", "isSoftStop": True, "responseId": "a"}},
    ]
    stream = GROK.open_stream(FOLLOW_UP, Memory())
    raw = b"".join(json.dumps(line).encode() + b"\n" for line in lines)
    signals = [*stream.feed(raw), *stream.close()]
    (cited,) = [one for one in signals if isinstance(one, Cited)]
    assert cited.references[0].citations == (Citation(ADDRESS),)
    found = stream.conversation()
    assert found is not None
    assert found.turns[-1].references == cited.references


MARKED = [
    ("grok", f"So it is.{tag()} More <b> and < less.", "So it is. More <b> and < less."),
    (
        "gemini",
        "[cite_start]So it is [cite: 1, 2]. [a] b[0] [cited]",
        "So it is . [a] b[0] [cited]",
    ),
]


@pytest.mark.parametrize("site, text, shown", MARKED)
def test_a_growing_text_never_shows_a_mark_or_half_of_one(site, text, shown):
    for pieces in every_cut(text.encode()):
        unmarked = Unmarked(SITES[site].marks)
        assert "".join(unmarked.take(piece.decode()) for piece in pieces) == shown
    unmarked = Unmarked(SITES[site].marks)
    assert "".join(map(unmarked.take, text)) == shown


SOURCE = [10, 40, ADDRESS, "", None]
GEMINI_TEXTS = [
    ("numbers of sources", "[cite_start]So it is[cite: 1].", [[SOURCE]],
     f"So it is ([example.com]({ADDRESS}))."),
    ("a number of nothing", "[cite_start]So it is[cite: 9].", [[SOURCE]], "So it is."),
    ("no sources", "[cite_start]So it is [cite: 1-3, 5].", None, "So it is."),
    ("no marks", "So it is [1].", [[SOURCE]], "So it is [1]."),
]  # fmt: skip


@pytest.mark.parametrize(
    "text, metadata, read", [c[1:] for c in GEMINI_TEXTS], ids=[c[0] for c in GEMINI_TEXTS]
)
def test_gemini_names_its_sources(text, metadata, read):
    candidate = read_candidate(["rc_1", [text], metadata])
    found, citations = linked(text, references_of(text, candidate.sources), GEMINI.marks)
    assert found == read
    assert [one.url for one in citations] == ([ADDRESS] if metadata else [])
