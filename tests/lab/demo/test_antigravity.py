"""`make demo-antigravity`: what it shows is what happened."""

import io

import pytest
from rich.console import Console

from tabwire.lab.demo import antigravity

pytestmark = [pytest.mark.asyncio, pytest.mark.xdist_group("browser")]


async def test_three_are_clicked_one_asks_and_one_is_refused(chromium):
    out = io.StringIO()
    assert await antigravity.play(Console(file=out, width=200, highlight=False))
    shown = out.getvalue()
    assert shown.count("clicked (allow)") == 3
    assert shown.count("you?   │ npm publish") == 1
    assert shown.count("REFUSED (deny)") == 1
    assert "3 clicks, 1 refused, 1 asked" in shown
    output = [line for line in shown.splitlines() if "output │" in line]
    log = [line for line in shown.splitlines() if "log    │" in line]
    assert any("VAT is in the cart" in line for line in output)
    assert any("Ran command: ~/shop $ git status (exit code 0)" in line for line in log)
    assert not any("git status" in line for line in output)


async def test_a_command_that_ran_and_should_not_have_fails_it(chromium, monkeypatch):
    """The comparison is not for show: a plan whose danger is let through ends in red."""
    steps = tuple(
        antigravity.Command(antigravity.DENIED, ask=False)
        if isinstance(one, antigravity.Command) and one.command == antigravity.DENIED
        else one
        for one in antigravity.PLAN.steps
    )
    monkeypatch.setattr(antigravity, "PLAN", antigravity.Plan(steps))
    out = io.StringIO()
    assert not await antigravity.play(Console(file=out, width=200, highlight=False))
    assert "RAN" in out.getvalue()
