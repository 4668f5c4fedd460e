"""The demo shows what really happened, says so if it did not, and leaves nothing behind."""

import asyncio
import base64
import io
import re
from dataclasses import replace

import psutil
import pytest
from rich.console import Console

from tabwire.fusion.table import Cause, State
from tabwire.fusion.verdict import Judgement, Verdict
from tabwire.lab.demo import play as demo
from tabwire.lab.demo.columns import Column, Show
from tabwire.lab.demo.keepsake import Tile, page_of
from tabwire.model.errors import TabwireError
from tabwire.model.signals import Source
from tabwire.monitor import told

DEMO_SECONDS = 60.0  # what the demo may take


@pytest.mark.asyncio
async def test_three_tabs_are_asked_read_and_agree_with_the_lab(chromium, tmp_path):
    before = {process.pid for process in psutil.Process().children(recursive=True)}
    console = Console(file=io.StringIO(), width=200)
    to = tmp_path / "made" / "demo.html"
    async with asyncio.timeout(DEMO_SECONDS):
        assert await demo.play(console, to)
    shown = console.file.getvalue()
    for site in ("chatgpt", "gemini", "grok"):
        assert re.search(rf"{site} +verdict: complete \(end of turn\)", shown), shown
        assert re.search(rf"{site} +complete: the lab's own text", shown)
        assert re.search(rf"{site} +one more witness: dom_hint", shown)
    page = to.read_text(encoding="utf-8")
    pictures = re.findall(r"base64,([A-Za-z0-9+/=]+)", page)
    assert len(pictures) == 3
    assert all(base64.b64decode(one).startswith(b"\x89PNG") for one in pictures)
    assert "<script" not in page
    after = {process.pid for process in psutil.Process().children(recursive=True)}
    assert after <= before


def test_a_page_that_cannot_be_saved_says_which(tmp_path):
    (tmp_path / "file").write_text("")
    with pytest.raises(TabwireError, match="cannot be written") as caught:
        demo._save(tmp_path / "file" / "demo.html", "")
    assert "--to" in caught.value.what_to_do


def test_what_an_answer_says_is_no_part_of_the_page():
    verdict = Verdict(Judgement.PARTIAL, "cut", "<script>alert(1)</script>", evidence=("<b>",))
    column = Column("x", prompt="<i>", verdict=verdict)
    page = page_of([Tile(column, b"png", agrees=False)], ["<u>"])
    assert "<script" not in page
    assert "&lt;script&gt;alert(1)&lt;/script&gt;" in page
    assert not re.search(r"<(b|i|u)>", page)
    assert "NOT the text the lab sent" in page


def sightings():
    verdict = Verdict(Judgement.COMPLETE, "end of turn", "Hello", evidence=("network_stream: x",))
    yield told.Asked(1.0, "a1", None, "Hi?")
    yield told.StateMoved(1.0, "a1", State.IDLE, State.PROMPT_SENT, Cause.PROMPT_LEFT)
    yield told.Grew(2.0, "a1", "Hm. ", thinking=True)
    yield told.Grew(2.0, "a1", "Hel")
    yield told.Grew(2.1, "a1", "lo")
    yield told.Judged(3.0, "a1", State.COMPLETED_HINT, verdict, ())
    yield told.Witnessed(3.1, "a1", Source.PAGE, ("network_stream: x", "dom_hint: same text"))


def test_a_column_keeps_up_with_its_tab():
    column = Column("x")
    for one in sightings():
        column.take(one, 0.0)
    assert (column.prompt, column.text, column.thinking) == ("Hi?", "Hello", "Hm. ")
    assert column.verdict is not None
    assert column.verdict.evidence == ("network_stream: x", "dom_hint: same text")
    column.take(told.Rewritten(4.0, "a1", "Bye"), 0.0)
    assert column.text == "Bye"


def test_on_a_terminal_the_columns_are_drawn_side_by_side():
    console = Console(file=io.StringIO(), force_terminal=True, width=120, color_system=None)
    with Show(("left", "right"), console, 0.0) as show:
        for one in sightings():
            show.tell("left", one)
        show.tell("right", replace(next(sightings()), prompt="Ho?"))
    drawn = console.file.getvalue()
    for words in ("left", "right", "Hello", "Hm.", "complete: end of turn", "dom_hint", "Ho?"):
        assert words in drawn
