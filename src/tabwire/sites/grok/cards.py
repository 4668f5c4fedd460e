"""Tool cards: Grok writes its tool calls as XML into the same tokens as its words.

A card may be spread over many tokens, and cards of several agents interleave, so each
speaker has a filter of its own. What might be the beginning of a card is held back
until the next token decides.
"""

from dataclasses import dataclass

_OPEN = "<xai:tool_usage_card>"
_CLOSE = "</xai:tool_usage_card>"


@dataclass(frozen=True, slots=True)
class ToolCard:
    """One tool call: which tool, with what."""

    name: str
    args: str
    id: str = ""


class CardFilter:
    """Text in, the same text without its tool cards out; the cards apart."""

    def __init__(self) -> None:
        self._tail = ""  # may be the beginning of the next mark
        self._card: list[str] | None = None  # pieces of the card we are inside of

    def feed(self, text: str) -> tuple[str, list[ToolCard]]:
        """The words and the finished cards of the next piece."""
        if self._card is None and not self._tail and "<" not in text:
            return text, []
        words: list[str] = []
        cards: list[ToolCard] = []
        text = self._tail + text
        start = 0
        while (at := text.find(self._mark, start)) >= 0:
            inside, before = self._card, text[start:at]
            start = at + len(self._mark)
            if inside is None:
                words.append(before)
                self._card = []
            else:
                cards.append(_read_card("".join([*inside, before])))
                self._card = None
        end = len(text) - _overlap(text, start, self._mark)
        self._tail = text[end:]
        (words if self._card is None else self._card).append(text[start:end])
        return "".join(words), cards

    def close(self) -> tuple[str, list[ToolCard]]:
        """What was held back: words that were no card after all, or a card cut short."""
        tail, self._tail = self._tail, ""
        if self._card is None:
            return tail, []
        card, self._card = _read_card("".join([*self._card, tail])), None
        return "", [card]

    @property
    def _mark(self) -> str:
        return _OPEN if self._card is None else _CLOSE


def without_cards(text: str) -> str:
    """A stored text without the tool cards that stand in it."""
    if _OPEN not in text:
        return text
    cards = CardFilter()
    words, _ = cards.feed(text)
    return words + cards.close()[0]


def _overlap(text: str, start: int, mark: str) -> int:
    """How many of the last characters could begin the mark (which has one `<`, its first)."""
    at = text.rfind("<", max(start, len(text) - len(mark) + 1))
    return len(text) - at if at >= 0 and mark.startswith(text[at:]) else 0


def _read_card(inside: str) -> ToolCard:
    args = _between(inside, "tool_args")
    if args.startswith("<![CDATA["):
        args = args.removeprefix("<![CDATA[").removesuffix("]]>")
    return ToolCard(
        _between(inside, "tool_name") or "tool", args, _between(inside, "tool_usage_card_id")
    )


def _between(text: str, tag: str) -> str:
    _, _, rest = text.partition(f"<xai:{tag}>")
    return rest.partition(f"</xai:{tag}>")[0].strip()
