"""`make demo-extension`: loaded, paired and asked through as a person does it."""

import io

import pytest
from rich.console import Console

from tabwire.lab.demo.everyday import play_everyday

pytestmark = pytest.mark.asyncio


@pytest.mark.usefixtures("chromium")
async def test_three_sites_are_asked_through_the_extension(tmp_path):
    """A real hub, a real pairing, three answers that are the lab's, each asked for once."""
    said = io.StringIO()
    console = Console(file=said, width=100)
    assert await play_everyday(console, tmp_path / "demo.html"), said.getvalue()
    assert said.getvalue().count(": complete, ") == 3
    assert {path.name for path in tmp_path.glob("*.png")} == {"demo-connect.png", "demo.png"}
