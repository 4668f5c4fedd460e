"""The demo shows what the rooms really say."""

import io

import pytest
from rich.console import Console

from tabwire.lab import demo


@pytest.fixture
def shown(monkeypatch: pytest.MonkeyPatch) -> str:
    monkeypatch.setattr(demo.time, "sleep", lambda _seconds: None)
    console = Console(file=io.StringIO(), width=120)
    demo.run(1.0, console)
    assert isinstance(console.file, io.StringIO)
    return console.file.getvalue()


def test_each_site_goes_through_its_states_to_a_proven_answer(shown: str) -> None:
    for _ in range(3):
        start = shown.index("prompt_sent → streaming")
        shown = shown[start:]
        for step in (
            "→ completed_hint",
            "verdict: complete",
            "→ captured_ready",
            "canonical_ready",
        ):
            assert step in shown
            shown = shown[shown.index(step) :]


def test_a_cut_answer_is_never_called_complete(shown: str) -> None:
    last = shown[shown.rindex("cut off by the network") :]
    assert "verdict: partial" in last
    assert "verdict: complete" not in last


def test_the_network_may_cut_anywhere_and_loses_nothing() -> None:
    for scene in demo.scenes():
        assert b"".join(demo.cut_like_a_network(scene.pieces)) == b"".join(scene.pieces)
