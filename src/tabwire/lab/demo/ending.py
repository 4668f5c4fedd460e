"""The last words of the demo: what every site answered, how long it took, and whether it is so."""

from collections.abc import Sequence
from dataclasses import fields

from rich.console import Console
from rich.rule import Rule
from rich.table import Table
from rich.text import Text

from tabwire.lab.demo.keepsake import Tile, ms
from tabwire.model.ask import Timings

PARTS = tuple(one.name for one in fields(Timings))


def tell_end(tiles: Sequence[Tile], console: Console) -> None:
    """Answers, where no columns show them; timings; and what the lab says to all of it."""
    if not console.is_terminal:
        for tile in tiles:
            console.print(Rule(tile.column.name, align="left"))
            console.print(Text(tile.column.text), soft_wrap=True)
        console.print(Rule())
    console.print(_timings(tiles))
    for tile in tiles:
        words = "; ".join(tile.differs) or "the lab's own text, asked once"
        style = "bold red" if tile.differs else "green"
        console.print(Text(f"{tile.column.name:<8} {tile.judged}: {words}", style=style))


def _timings(tiles: Sequence[Tile]) -> Table:
    table = Table(box=None, pad_edge=False, header_style="bold")
    table.add_column("milliseconds")
    for tile in tiles:
        table.add_column(tile.column.name, justify="right")
    for part in PARTS:
        table.add_row(part.replace("_", " "), *(ms(tile.timings, part) for tile in tiles))
    return table
