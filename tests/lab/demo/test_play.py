"""The demo shows what really happened, says so if it did not, and leaves nothing behind."""

import asyncio
import base64
import io
import os
import re
from contextlib import suppress

import psutil
import pytest
from rich.console import Console

from tabwire.config.home import SETTING, home
from tabwire.lab.demo import play as demo
from tabwire.lab.demo.home import borrowed_home
from tabwire.model.errors import TabwireError

DEMO_SECONDS = 60.0  # what the demo may take


@pytest.mark.asyncio
async def test_three_sites_are_asked_at_once_and_agree_with_the_lab(chromium, tmp_path):
    before = set(psutil.Process().children())
    console = Console(file=io.StringIO(), width=200)
    to = tmp_path / "made" / "demo.html"
    async with asyncio.timeout(DEMO_SECONDS):
        assert await demo.play(console, to)
    shown = console.file.getvalue()
    for site in ("chatgpt", "gemini", "grok"):
        assert re.search(rf"{site} +the request left with the prompt in it", shown), shown
        assert re.search(rf"{site} +complete: end of turn; evidence: network_stream", shown), shown
        assert re.search(rf"{site} +complete: the lab's own text, asked once", shown)
    assert len(re.findall(r"^You asked: “Why is the sky blue", shown, re.M)) == 3
    assert re.search(r"^total +[\d,]+ +[\d,]+ +[\d,]+", shown, re.M)
    page = to.read_text(encoding="utf-8")
    pictures = re.findall(r"base64,([A-Za-z0-9+/=]+)", page)
    assert len(pictures) == 3
    assert all(base64.b64decode(one).startswith(b"\x89PNG") for one in pictures)
    assert page.count("the same text as the lab sent") == 3
    assert page.count("<td>prompt</td>") == 3, "one line of the ledger for each"
    assert "<script" not in page
    # ours only: a browser that other tests share makes and ends processes as it likes
    left = set(psutil.Process().children()) - before
    _gone, alive = psutil.wait_procs(left, timeout=30)
    assert not alive


def test_a_page_that_cannot_be_saved_says_which(tmp_path):
    (tmp_path / "file").write_text("")
    with pytest.raises(TabwireError, match="cannot be written") as caught:
        demo._save(tmp_path / "file" / "demo.html", "")
    assert "--out" in caught.value.what_to_do


@pytest.mark.parametrize("before", [None, "/somewhere/else"])
def test_the_home_is_another_one_while_it_plays_and_the_old_one_afterwards(monkeypatch, before):
    monkeypatch.delenv(SETTING, raising=False)
    if before is not None:
        monkeypatch.setenv(SETTING, before)
    with suppress(RuntimeError), borrowed_home() as folder:
        assert home() == folder
        assert not list(folder.iterdir())
        raise RuntimeError("also when it fails")
    assert os.environ.get(SETTING) == before
    assert not folder.exists()
