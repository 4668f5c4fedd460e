"""How Gemini and Grok cite: marks in the text, and what each stands for beside it.

ChatGPT's are in `speak_chatgpt`. The sources are the lab's own, numbered from nought, and the
same at every site; Gemini counts from one.
"""

import json
import re
import uuid
from typing import Any

CITED = "https://example.com/lab/0/search"
GEMINI_MARK = re.compile(r" ?\[cite: ([\d, ]+)\]")
GROK_TAG = re.compile(
    r'<grok:render card_id="([^"]*)" card_type="citation_card"'
    r".*?>(\d+)</argument>\s*</grok:render>",
    re.DOTALL,
)


def citation_groups(text: str) -> list[Any]:
    """The marks of a text, each with the sources that its numbers name, in their order."""
    return [
        [[found[0], None, 1], [_source(int(number)) for number in re.findall(r"\d+", found[1])]]
        for found in GEMINI_MARK.finditer(text)
    ]


def _source(number: int) -> list[Any]:
    """Its icon, its address and its title, deep in what else is said of it."""
    place = number - 1
    told = [f"https://example.com/icon/{place}.png", f"{CITED}/{place}", f"The lab, search {place}"]
    return [None, None, None, [told]]


def citation_tag(number: int) -> str:
    """How the model cites its source of this number, in its text."""
    card = uuid.uuid5(uuid.NAMESPACE_URL, f"tabwire-lab/source/{number}").hex[:6]
    return (
        f'<grok:render card_id="{card}" card_type="citation_card" type="render_inline_citation">\n'
        f'<argument name="citation_id">{number}</argument>\n</grok:render>'
    )


def citation_cards(text: str) -> list[str]:
    """The card of each tag in a text: where its source is."""
    return [
        json.dumps(
            {
                "id": card,
                "type": "render_inline_citation",
                "cardType": "citation_card",
                "url": f"{CITED}/{number}",
            }
        )
        for card, number in dict.fromkeys(GROK_TAG.findall(text))
    ]


def cited_results(text: str) -> list[dict[str, Any]]:
    """The sources of a text among what was searched for."""
    return [
        {
            "url": f"{CITED}/{number}",
            "title": f"The lab, search {number}",
            "preview": "What the lab found.",
            "siteName": "The lab",
            "citationId": number,
        }
        for _card, number in dict.fromkeys(GROK_TAG.findall(text))
    ]
