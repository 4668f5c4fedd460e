"""Tool cards stand in the same tokens as the words, cut anywhere, and are never words."""

import pytest

from tabwire.sites.grok.cards import CardFilter, ToolCard, without_cards

CARD = (
    "<xai:tool_usage_card><xai:tool_usage_card_id>c1</xai:tool_usage_card_id>"
    "<xai:tool_name>web_search</xai:tool_name>"
    '<xai:tool_args><![CDATA[{"query":"moon < sun"}]]></xai:tool_args></xai:tool_usage_card>'
)
SEARCH = ToolCard("web_search", '{"query":"moon < sun"}', "c1")

TEXTS = [
    # id                      text                     words            cards
    ("no card",               "plain words",           "plain words",   []),
    ("a lone bracket",        "a < b and c<",          "a < b and c<",  []),
    ("almost a card",         "<xai:tool_usage",       "<xai:tool_usage", []),
    ("a card alone",          CARD,                    "",              [SEARCH]),
    ("between words",         f"before {CARD} after",  "before  after", [SEARCH]),
    ("two cards",             f"{CARD}x{CARD}",        "x",             [SEARCH, SEARCH]),
    ("a card cut short",      "w<xai:tool_usage_card>", "w",            [ToolCard("tool", "")]),
    ("another tag",           "<grok:render/>",        "<grok:render/>", []),
]  # fmt: skip


def filtered(pieces: list[str]) -> tuple[str, list[ToolCard]]:
    cards = CardFilter()
    got = [cards.feed(piece) for piece in pieces] + [cards.close()]
    return "".join(words for words, _ in got), [card for _, found in got for card in found]


@pytest.mark.parametrize("text, words, cards", [t[1:] for t in TEXTS], ids=[t[0] for t in TEXTS])
def test_words_and_cards_are_the_same_however_the_text_is_cut(text, words, cards):
    assert filtered([text]) == (words, cards)
    assert filtered(list(text)) == (words, cards)
    for at in range(len(text)):
        assert filtered([text[:at], text[at:]]) == (words, cards), at


def test_words_before_a_card_are_given_out_at_once():
    cards = CardFilter()
    assert cards.feed("words <xai:") == ("words ", [])
    assert cards.feed("y>") == ("<xai:y>", [])


def test_a_stored_text_loses_its_cards_only():
    assert without_cards(f"a{CARD}b") == "ab"
    assert without_cards("a<b") == "a<b"
