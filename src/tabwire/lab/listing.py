"""Stories and the ledger in a terminal: tables for people, JSON for programs."""

import json
import time
from collections.abc import Sequence

import msgspec
from rich.console import Console
from rich.table import Table
from rich.text import Text

from tabwire.lab.ledger import Entry
from tabwire.lab.stories.story import SITES, Story

MAX_WORDS = 120  # characters of a prompt that a line shows
SHOWN_AS = "\N{REPLACEMENT CHARACTER}"  # what cannot be shown
COLOURS = {"complete": "green", "nothing": "yellow", "partial": "yellow", "lost": "yellow"}


def story_table(stories: Sequence[Story]) -> Table:
    """Every story with its sentence, the faults it plays, and what must come of it."""
    table = Table(box=None, pad_edge=False, header_style="bold")
    table.add_column("story", no_wrap=True)
    table.add_column("what happens")
    table.add_column("faults")
    table.add_column("outcome", no_wrap=True)
    for story in stories:
        only = "" if story.sites == SITES else f" ({', '.join(story.sites)} only)"
        style = COLOURS.get(story.outcome, "red")
        faults, outcome = " ".join(story.faults), Text(str(story.outcome), style=style)
        table.add_row(story.name, f"{story.about}{only}", faults, outcome)
    return table


def entry_line(entry: Entry) -> str:
    """One thing that was received, as a line for a person."""
    clock = time.strftime("%H:%M:%S", time.localtime(entry.time))
    story = f"[{entry.story}]" if entry.story else ""
    refused = f"refused: {entry.refused}" if entry.refused else ""
    words = " ".join(entry.prompt.split()) or ", ".join(entry.files) or entry.conversation_id
    said = harmless(" ".join(filter(None, (story, refused, words))))
    shown = said if len(said) <= MAX_WORDS else f"{said[: MAX_WORDS - 1]}…"
    return f"{entry.number:>5}  {clock}  {entry.site:<8} {entry.kind:<7} {shown}".rstrip()


def entry_json(entry: Entry) -> str:
    """The same for a program, with every field."""
    return json.dumps(msgspec.structs.asdict(entry), ensure_ascii=False)


def harmless(text: str) -> str:
    """Without what could drive a terminal. Lines stay lines."""
    return "".join(one if one.isprintable() or one == "\n" else SHOWN_AS for one in text)


def console() -> Console:
    """Where tables go: as wide as the terminal, or as wide as they need into a pipe."""
    plain = Console(highlight=False)
    return plain if plain.is_terminal else Console(highlight=False, width=200)
