"""What an ask brought back, against what the lab really received and said."""

from collections.abc import Sequence

from tabwire.lab.demo.columns import Column
from tabwire.lab.demo.keepsake import Tile
from tabwire.lab.ledger import Entry
from tabwire.lab.serve import Lab
from tabwire.model.ask import Answer


def differences(column: Column, result: Answer | Exception, lab: Lab, prompt: str) -> list[str]:
    """Everything that is not as it should be at one site, in words. Nothing: it is true."""
    if not isinstance(result, Answer):
        return [f"no answer: {result}"]
    found = []
    if not result.complete:
        found.append(f"the answer is {result.completeness}: {result.why}")
    received = [
        (entry.prompt, entry.conversation_id)
        for entry in lab.ledger.asked(column.name)
        if not entry.refused
    ]
    if received != [(prompt, result.conversation_id)]:
        found.append(f"the ledger has {len(received)} prompts, not just ours in this conversation")
    said = [
        exchange
        for chat in lab.room.conversations[column.name].values()
        for exchange in chat.exchanges
        if exchange.prompt == prompt
    ]
    if [exchange.text for exchange in said] != [result.text]:
        found.append("the text is NOT the text the lab sent")
    if [_words("".join(exchange.thoughts)) for exchange in said] != [_words(result.thinking or "")]:
        found.append("the thinking is NOT what the lab thought")
    if column.text != result.text:
        found.append("the text shown as it came is NOT the answer")
    return found


def proven(tiles: Sequence[Tile], received: Sequence[Entry]) -> bool:
    """Whether all is true, and the lab received as many things as were asked, and no more."""
    return len(received) == len(tiles) > 0 and not any(tile.differs for tile in tiles)


def _words(text: str) -> list[str]:
    """Thoughts without what parts them: each site has its own way."""
    return text.split()
