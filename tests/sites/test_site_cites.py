"""The sources that Grok and Gemini name: links in a text, and none of their marks."""

import json

import pytest

from kit.cuts import every_cut
from tabwire.asking.mark_filter import Unmarked
from tabwire.model.citations import Citation
from tabwire.model.signals import Cited, TurnEnded
from tabwire.sites.gemini.candidate import read_candidate
from tabwire.sites.gemini.cites import references_of
from tabwire.sites.known import SITES
from tabwire.sites.links import linked
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


def group(mark, *addresses):
    """Sources as Gemini names them: by the numbers of a mark, icon, address and title each."""
    return [[mark, None], [[None, None, None, [["icon", *one]]] for one in addresses]]


A, B = (ADDRESS, "A report"), ("https://example.org/", "Another")
REPEATED = [10, 40, [ADDRESS, "", "", None], 2, 2, None, [1, "normal"]]  # as recorded in 2023
NO_ADDRESS = [909, 1095, ["", "someone/repository", "", None], 1, 100, None, [1]]
GEMINI_TEXTS = [
    # id, text, [2], groups of [12], what is read, what is cited
    ("a number", "[cite_start]So it is[cite: 1].", None, [group(" [cite: 1]", A)],
     f"So it is ([A report]({ADDRESS})).", [ADDRESS]),
    ("numbers not in order", "So [cite: 7, 3].", None, [group("[cite: 7, 3]", B, A)],
     f"So ([Another](https://example.org/), [A report]({ADDRESS})).", [B[0], ADDRESS]),
    ("named by another mark", "One [cite: 3]. Two [cite: 7].", None,
     [group("[cite: 3]", A), group("[cite: 3, 7]", A, B)],
     f"One ([A report]({ADDRESS})). Two ([Another](https://example.org/)).", [ADDRESS, B[0]]),
    ("from one to another", "So [cite: 1-2].", None, [group("[cite: 1, 2]", A, B)],
     f"So ([A report]({ADDRESS}), [Another](https://example.org/)).", [ADDRESS, B[0]]),
    ("no address", "So [cite: 1].", None, [[["[cite: 1]"], [[None, None, None, [["i", None]]]]]],
     "So.", []),
    ("a number of nothing", "[cite_start]So it is[cite: 9].", None, [group("[cite: 1]", A)],
     "So it is.", [ADDRESS]),
    ("repeated word for word", "So it is.", [[REPEATED, NO_ADDRESS]], None, "So it is.", [ADDRESS]),
    ("no sources", "[cite_start]So it is [cite: 1-3, 5].", None, None, "So it is.", []),
    ("no marks", "So it is [1].", None, [group("[cite: 1]", A)], "So it is [1].", [ADDRESS]),
]  # fmt: skip


def rich(groups):
    """The rich content of a candidate, both ways in which Google writes field 44 of a list."""
    return [None, {"44": groups}], [*[None] * 43, groups]


@pytest.mark.parametrize("way", [0, 1], ids=["sparse", "by place"])
@pytest.mark.parametrize(
    "text, repeated, groups, read, cited",
    [c[1:] for c in GEMINI_TEXTS],
    ids=[c[0] for c in GEMINI_TEXTS],
)
def test_gemini_names_its_sources(text, repeated, groups, read, cited, way):
    node = ["rc_1", [text], repeated, *[None] * 9, rich(groups)[way] if groups else None]
    candidate = read_candidate(node)
    found, citations = linked(text, references_of(text, candidate.sources), GEMINI.marks)
    assert found == read
    assert [one.url for one in citations] == cited


def test_the_sources_recorded_at_gemini_are_read(shared):
    """Of 2023: what the answer repeats, with an address, and from repositories without one."""
    found = {}
    for path in sorted((shared / "recordings/gemini").glob("bardapi_*.json")):
        for candidate in json.loads(path.read_text())[0][4]:
            one = read_candidate(candidate)
            found[one.id] = [source.url for source in one.sources.others]
    if not found:
        pytest.skip("no recordings of Gemini")
    assert [urls for urls in found.values() if urls] == [["https://en.wikipedia.org/wiki/Orca"]]
