"""Pickers of other make than the lab's: the same button, another menu behind it."""

from pathlib import Path

import pytest

from asking.choosing import at
from tabwire.asking import menus
from tabwire.asking.model_choice import Chosen, choose
from tabwire.model.ask_errors import ModelNotAvailable

pytestmark = pytest.mark.asyncio

SCRIPT = (Path(__file__).parent / "other_menus.js").read_text(encoding="utf-8")
EFFORT = "document.querySelector('button').dataset.selectedReasoningEffort"


async def other(lab_tab, layout, picker):
    """A page with this picker."""
    asking = await at(lab_tab, layout)
    await asking.person.finds(SCRIPT)
    await asking.person.finds(f"others.{picker}")
    return asking


@pytest.mark.parametrize(
    "model, effort, value",
    [
        ("5.6 terra", "max", "max"),
        (None, "xhigh", "xhigh"),
        ("luna 5.6", None, None),
        (None, "low", "low"),
        ("GPT-5.5", "ultra", "ultra"),
    ],
)
@pytest.mark.rows(1, first=2)
async def test_a_compact_view_is_opened_to_its_menus(lab_tab, model, effort, value):
    """As on the Work surface, September 2026. The row that opens the rest has any name."""
    asking = await other(lab_tab, "turn_key", "advanced()")
    if model == "luna 5.6":
        with pytest.raises(ModelNotAvailable, match="not offered") as refused:
            await choose(*asking.given, model=model, effort=effort)
        assert "GPT-5.6 Luna" in refused.value.offered
        return
    await choose(*asking.given, model=model, effort=effort)
    assert await asking.person.finds(EFFORT) == value
    assert "Faster" not in await asking.person.finds("taken")
    assert await asking.person.counts(".opened") == 0


@pytest.mark.parametrize("rtl", ["false", "true"])
@pytest.mark.parametrize("wanted", ["pro", "instant", "high"])
@pytest.mark.rows(1, first=2)
async def test_a_slider_alone_is_moved_by_keys(lab_tab, wanted, rtl):
    asking = await other(lab_tab, "turn_key", f"slider(4, {rtl})")
    assert await choose(*asking.given, model=None, effort=wanted) == Chosen(None, wanted)
    assert await asking.person.finds(EFFORT) == wanted
    assert await asking.person.counts(".opened") == 0


async def test_a_slider_that_does_not_go_so_far_is_moved_back(lab_tab):
    asking = await other(lab_tab, "turn_key", "slider(3, false)")
    with pytest.raises(ModelNotAvailable, match="not offered"):
        await choose(*asking.given, model=None, effort="pro")
    assert await asking.person.finds(EFFORT) == "medium"


PLAIN = [("expert", "Expert"), ("fast", "Fast")]


@pytest.mark.parametrize("wanted, label", PLAIN)
async def test_rows_that_say_nothing_of_themselves_are_proven_by_the_button(lab_tab, wanted, label):
    """A row of the same name in another menu, which stood there before, is left alone."""
    asking = await other(lab_tab, "grok.com", "plain()")
    assert await choose(*asking.given, model=wanted, effort=None) == Chosen(label)
    assert await asking.person.finds("document.querySelector('button').innerText") == label
    before = await asking.person.finds("taken.length")
    assert await choose(*asking.given, model=wanted, effort=None) == Chosen(label)
    assert await asking.person.finds(f"taken.slice({before})") == [label]  # the button alone


@pytest.mark.parametrize("wanted", ["heavy", "supergrok", "custom", "upgrade"])
async def test_what_leads_elsewhere_is_no_choice(lab_tab, wanted):
    asking = await other(lab_tab, "grok.com", "plain()")
    with pytest.raises(ModelNotAvailable, match="not offered") as refused:
        await choose(*asking.given, model=wanted, effort=None)
    assert refused.value.offered == ("Auto", "Expert", "Fast")
    assert set(await asking.person.finds("taken")) == {"Auto"}
    assert await asking.person.counts(".opened") == 0


async def test_a_row_that_is_off_in_another_way_is_off(lab_tab):
    asking = await other(lab_tab, "grok.com", "plain()")
    with pytest.raises(ModelNotAvailable, match='is disabled: "Coming soon"'):
        await choose(*asking.given, model="grok 5", effort=None)
    assert set(await asking.person.finds("taken")) == {"Auto"}


async def test_a_menu_that_shows_one_level_at_a_time_is_gone_through(lab_tab, monkeypatch):
    monkeypatch.setattr(menus, "CLOSE_SECONDS", 0.3)
    asking = await other(lab_tab, "grok.com", "drill()")
    assert await choose(*asking.given, model="grok 6", effort=None) == Chosen("Grok 6")
    assert (await asking.person.finds("taken")).count("Grok 6") == 1
