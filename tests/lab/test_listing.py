"""Stories and the ledger in a terminal."""

import json

from rich.console import Console

from tabwire.lab.ledger import Deed, Ledger
from tabwire.lab.listing import MAX_WORDS, entry_json, entry_line, harmless, story_table
from tabwire.lab.stories.known import STORIES


def shown(width):
    console = Console(width=width, highlight=False)
    with console.capture() as captured:
        console.print(story_table(list(STORIES.values())))
    return captured.get()


def test_every_story_has_its_line_with_faults_and_outcome():
    lines = shown(200).splitlines()
    assert len(lines) == len(STORIES) + 1
    (limit,) = (line for line in lines if line.startswith("limit-until "))
    assert "F27" in limit
    assert limit.rstrip().endswith("limit")
    (socket,) = (line for line in lines if line.startswith("handoff-socket "))
    assert "(chatgpt only)" in socket


def test_no_name_is_broken_in_a_narrow_terminal():
    text = shown(80)
    assert all(f"\n{name} " in f"\n{text}" for name in STORIES)


def test_an_entry_is_one_line_that_cannot_drive_the_terminal():
    ledger = Ledger()
    entry = ledger.record("grok", "c1", "first\x1b[31m\nsecond\x07", story="cut", refused="limit")
    line = entry_line(entry)
    assert line.startswith("    1  ")
    assert line.endswith("grok     prompt  [cut] refused: limit first\ufffd[31m second\ufffd")
    assert "\x1b" not in line
    upload = ledger.record("grok", "c1", kind=Deed.UPLOAD, files=("a\x1b.txt", "b"), size=7)
    assert entry_line(upload).endswith("upload  a\ufffd.txt, b")
    assert entry_line(ledger.record("grok", "c1", kind=Deed.LIST)).endswith("list    c1")
    long = entry_line(ledger.record("grok", "c1", "x" * 999))
    assert len(long) < MAX_WORDS + 60
    assert long.endswith("…")


def test_a_program_gets_every_field():
    said = json.loads(entry_json(Ledger().record("grok", "c1", "é\x1b")))
    assert (said["kind"], said["number"], said["prompt"], said["files"]) == (
        "prompt",
        1,
        "é\x1b",
        [],
    )


def test_lines_stay_lines():
    assert harmless("a\nb\r\tc") == "a\nb\ufffd\ufffdc"
