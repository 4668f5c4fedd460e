"""The page the demo saves: what each tab showed, and what we know of it. One file, no script."""

import base64
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, fields
from html import escape

from tabwire.lab.demo.columns import Column
from tabwire.lab.ledger import Entry
from tabwire.model.ask import Timings

STYLE = """
:root { color-scheme: light dark; --ink: #1c1c1e; --soft: #57606a; --line: #d8dee4;
  --paper: #fff; --ground: #f6f8fa; --good: #116329; --bad: #a40e26; }
@media (prefers-color-scheme: dark) { :root { --ink: #e6edf3; --soft: #9198a1; --line: #3d444d;
  --paper: #151b23; --ground: #0d1117; --good: #3fb950; --bad: #ff7b72; } }
body { font: 15px/1.5 system-ui, sans-serif; margin: 2rem auto; padding: 0 1.5rem;
  max-width: 110rem; color: var(--ink); background: var(--ground); }
h1 { margin-bottom: 0; } h3 { margin: 1.2rem 0 .3rem; font-size: 15px; }
blockquote { margin: .5rem 0 1rem; font-size: 18px; font-style: italic; }
main { display: grid; gap: 1.5rem; margin-top: 1.5rem;
  grid-template-columns: repeat(auto-fit, minmax(min(24rem, 100%), 1fr)); }
article, table { background: var(--paper); border: 1px solid var(--line); border-radius: 10px; }
article { padding: 1rem 1.2rem; min-width: 0; } article h2 { margin: 0; }
table { border-spacing: 0; padding: .4rem .3rem; } .wide { overflow-x: auto; }
th, td { padding: .15rem .7rem; text-align: left; } .number { text-align: right;
  font-variant-numeric: tabular-nums; }
img { width: 100%; border: 1px solid var(--line); border-radius: 6px; }
pre { white-space: pre-wrap; overflow-wrap: anywhere; max-height: 24rem; overflow: auto;
  margin: 0; font-size: 13px; }
ul, ol { margin: 0; padding-left: 1.2rem; }
.good { color: var(--good); font-weight: 600; } .bad { color: var(--bad); font-weight: 600; }
.small { color: var(--soft); font-size: 13px; overflow-wrap: anywhere; }
"""

PARTS = tuple(one.name for one in fields(Timings))


@dataclass(frozen=True, slots=True)
class Tile:
    """One site at the end: its column, a picture of its tab, and what the lab says otherwise."""

    column: Column
    picture: bytes
    differs: tuple[str, ...] = ()

    @property
    def judged(self) -> str:
        """What the answer is worth, in a word."""
        answer = self.column.answer
        return str(answer.completeness) if answer is not None else "no answer"

    @property
    def timings(self) -> Timings:
        """How long each part took."""
        return self.column.answer.timings if self.column.answer is not None else Timings()


@dataclass(frozen=True, slots=True)
class Keepsake:
    """Everything the page says."""

    prompt: str
    tiles: Sequence[Tile]
    ledger: Sequence[Entry]
    facts: Sequence[str]

    def page(self) -> str:
        """The whole page."""
        names = [tile.column.name for tile in self.tiles]
        spans = (
            [part.replace("_", " "), *(ms(tile.timings, part) for tile in self.tiles)]
            for part in PARTS
        )
        received = (
            [str(one.number), one.site, str(one.kind), one.prompt, one.conversation_id]
            for one in self.ledger
        )
        return (
            "<!doctype html><html lang='en'><meta charset='utf-8'>"
            "<meta name='viewport' content='width=device-width'><title>Tabwire demo</title>"
            f"<style>{STYLE}</style><h1>One question, three tabs, three answers</h1>"
            f"<blockquote>{escape(self.prompt)}</blockquote>"
            f"<ul class='small'>{_items(self.facts)}</ul>"
            f"<main>{''.join(map(_tile, self.tiles))}</main>"
            f"<h2>How long it took</h2>{_table(['milliseconds', *names], spans, numbers=True)}"
            "<h2>What the lab received</h2>"
            f"{_table(['', 'site', 'what', 'prompt', 'conversation'], received)}</html>\n"
        )


def ms(timings: Timings, part: str) -> str:
    """One of the timings, for people; empty where there was no such part."""
    took: float | None = getattr(timings, part)
    return "" if took is None else f"{took:,.1f}" if took < 100 else f"{took:,.0f}"


def _tile(tile: Tile) -> str:
    column, answer = tile.column, tile.column.answer
    good = not tile.differs
    says = "; ".join(tile.differs) or "the same text as the lab sent"
    why = f" ({answer.why})" if answer is not None else ""
    known = () if answer is None else (("model", answer.model), ("title", answer.title))
    about = [f"{what}: {said}" for what, said in known if said]
    steps = [f"{seconds:.2f} s  {what}" for seconds, what in sorted(column.steps)]
    evidence = answer.evidence if answer is not None else ()
    problems = answer.problems if answer is not None else ()
    text = answer.text if answer is not None else column.text
    data = base64.b64encode(tile.picture).decode()
    name = escape(column.name)
    picture = f"<img alt='the tab of {name} at the end' src='data:image/png;base64,{data}'>"
    return (
        f"<article><h2>{name}</h2>"
        f"<p class='{'good' if good else 'bad'}'>{escape(f'{tile.judged}{why}: {says}')}</p>"
        f"{picture if tile.picture else ''}"
        f"<p class='small'>{escape(answer.url or '') if answer is not None else ''}<br>"
        f"{escape(', '.join(about))}</p>"
        f"<h3>Evidence</h3><ul>{_items([*evidence, *problems])}</ul>"
        f"<h3>Text</h3><pre>{escape(text)}</pre>"
        f"<h3>Thinking</h3><pre class='small'>{escape(column.thinking)}</pre>"
        f"<h3>What happened</h3><ol class='small'>{_items(steps)}</ol></article>"
    )


def _items(texts: Iterable[str]) -> str:
    return "".join(f"<li>{escape(one)}</li>" for one in texts)


def _table(heads: Sequence[str], rows: Iterable[Sequence[str]], *, numbers: bool = False) -> str:
    """A table; with `numbers` every column but the first is one of numbers."""

    def cells(tag: str, texts: Sequence[str]) -> str:
        kinds = ["", *[" class='number'" if numbers else ""] * (len(texts) - 1)]
        return "".join(
            f"<{tag}{kind}>{escape(text)}</{tag}>" for kind, text in zip(kinds, texts, strict=True)
        )

    body = "".join(f"<tr>{cells('td', texts)}</tr>" for texts in rows)
    return f"<div class='wide'><table><tr>{cells('th', heads)}</tr>{body}</table></div>"
