"""The page the demo saves: what each tab showed, and what we know of it. One file, no script."""

import base64
from collections.abc import Sequence
from dataclasses import dataclass
from html import escape

from tabwire.lab.demo.columns import Column

STYLE = """
body { font: 15px/1.5 system-ui, sans-serif; margin: 2rem; color: #1c1c1e; background: #fafafa; }
main { display: grid; gap: 1.5rem; grid-template-columns: repeat(auto-fit, minmax(22rem, 1fr)); }
article { background: #fff; border: 1px solid #ddd; border-radius: 10px; padding: 1rem; }
img { width: 100%; border: 1px solid #ddd; border-radius: 6px; }
pre { white-space: pre-wrap; overflow-wrap: anywhere; max-height: 22rem; overflow: auto; }
.complete { color: #116329; font-weight: 600; } .partial { color: #9a6700; font-weight: 600; }
.small { color: #57606a; font-size: 13px; }
"""


@dataclass(frozen=True, slots=True)
class Tile:
    """One tab at the end: its column, its picture, and whether the lab agrees."""

    column: Column
    picture: bytes
    agrees: bool


def page_of(tiles: Sequence[Tile], facts: Sequence[str]) -> str:
    """The whole page."""
    body = "".join(map(_tile, tiles))
    told = "".join(f"<li>{escape(fact)}</li>" for fact in facts)
    return (
        "<!doctype html><html lang='en'><meta charset='utf-8'><title>Tabwire demo</title>"
        f"<style>{STYLE}</style><h1>Three tabs, three answers, read off the wire</h1>"
        f"<ul class='small'>{told}</ul><main>{body}</main></html>\n"
    )


def _tile(tile: Tile) -> str:
    column, verdict = tile.column, tile.column.verdict
    data = base64.b64encode(tile.picture).decode()
    judged = str(verdict.judgement) if verdict is not None else "no verdict"
    why = verdict.why if verdict is not None else ""
    evidence = "".join(f"<li>{escape(one)}</li>" for one in verdict.evidence) if verdict else ""
    states = "".join(f"<li>{escape(one)}</li>" for one in column.states)
    lab = "the same text as the lab sent" if tile.agrees else "NOT the text the lab sent"
    return (
        f"<article><h2>{escape(column.name)}</h2>"
        f"<p>{escape(column.prompt)}</p>"
        f"<p class='{escape(judged)}'>{escape(judged)}: {escape(why)}; {lab}</p>"
        f"<img alt='the tab of {escape(column.name)} at the end' "
        f"src='data:image/png;base64,{data}'>"
        f"<h3>Evidence</h3><ul>{evidence}</ul><h3>States</h3><ol class='small'>{states}</ol>"
        f"<h3>Text</h3><pre>{escape(verdict.text if verdict else column.text)}</pre></article>"
    )
