"""Drifted pages: the same for the same seed, they work as ever, and the health report names the
part that drifted."""

import pytest

from kit.drift import Drifted, drifted_from
from kit.turns import by_turns
from lab.drifting import LAYOUTS, Drifting
from tabwire.lab.drift import drift_of, drifted, parts_of
from tabwire.lab.replicas.pages import asset, edition, page
from tabwire.lab.stories.stage import GRADES, Stage

SEEDS = 200
SITES = ("chatgpt", "gemini", "grok")
TEMPLATES = {
    "turn_key": ("chatgpt", "turn_key.html"),
    "octane": ("chatgpt", "octane.html"),
    "classic": ("chatgpt", "classic.html"),
    "app": ("gemini", "index.html"),
    "grok.com": ("grok", "index.html"),
}
ALL_LAYOUTS = [(site, layout) for site in SITES for layout in parts_of(site)]


def html(layout, drift):
    site, name = TEMPLATES[layout]
    return page(site, name, Stage(drift=drift)).body.decode().replace(drift, "DRIFT")


@pytest.mark.parametrize("grade", GRADES[1:])
@pytest.mark.parametrize("layout", TEMPLATES)
@pytest.mark.rows(3, first=1)
def test_a_seed_is_always_the_same_page_and_every_seed_another(layout, grade):
    pages = {html(layout, f"{grade}.{seed}") for seed in range(SEEDS)}
    assert len(pages) >= SEEDS - 2
    assert html(layout, f"{grade}.7") == html(layout, f"{grade}.7")


@pytest.mark.parametrize("layout", TEMPLATES)
def test_no_drift_changes_nothing(layout):
    assert html(layout, "none") == html(layout, "none.9").replace("none.9", "none")
    site, _ = TEMPLATES[layout]
    assert drift_of(site, layout, "none.9").renamed == {}


@pytest.mark.parametrize("site, layout", ALL_LAYOUTS)
@pytest.mark.rows(2)
def test_each_grade_does_what_it_says(site, layout):
    parts = parts_of(site)[layout]
    weakened = 0
    for seed in range(SEEDS):
        assert drift_of(site, layout, f"cosmetic.{seed}").renamed == {}
        structural = drift_of(site, layout, f"structural.{seed}")
        assert not structural.broken
        weakened += bool(structural.renamed)
        breaking = drift_of(site, layout, f"breaking.{seed}")
        assert breaking.broken
        for part in breaking.broken:
            assert breaking.renamed[part] == parts[part]
    several = any(len(marks) > 1 for marks in parts.values())
    assert weakened > SEEDS * 0.9 if several else weakened == 0


@pytest.mark.parametrize("site", SITES)
def test_every_part_is_broken_by_some_seed(site):
    for layout, parts in parts_of(site).items():
        broken = set()
        for seed in range(SEEDS):
            broken |= set(drift_of(site, layout, f"breaking.{seed}").broken)
        shared = {part for part in parts if part not in broken}
        assert not shared or len(broken) >= len(parts) * 0.7, shared


@pytest.mark.parametrize("site", SITES)
def test_every_mark_stands_in_the_pages_files(site):
    """A table that names what the page has not is a table of another page."""
    from tabwire.lab.drift import _files  # the same files the drift is made of

    text = "\n".join(path.read_text(encoding="utf-8") for path in _files(site))
    for layout, parts in parts_of(site).items():
        missing = {mark for marks in parts.values() for mark in marks if mark not in text}
        assert not missing, layout


def test_a_new_name_stands_in_every_file_that_had_the_old_one():
    drift = next(
        f"breaking.{seed}"
        for seed in range(SEEDS)
        if "scroller" in drift_of("chatgpt", "turn_key", f"breaking.{seed}").broken
    )
    old = "data-app-action-timeline-scroll"
    new = drifted(old, "chatgpt", drift, kind=".css")
    assert new != old
    for name in ("turn_key.js", "turn_key.css"):
        had = asset("chatgpt", name).body.decode()
        has = asset("chatgpt", f"{drift}/{name}").body.decode()
        assert old not in has
        assert has.count(new) == had.count(old)
    assert old not in html("turn_key", drift)
    assert new in html("turn_key", drift)


def test_a_drifted_page_gets_its_scripts_from_its_own_address():
    served = page("grok", "index.html", Stage(drift="cosmetic.3")).body.decode()
    where = f"/assets/cosmetic.3~{edition('grok')}/"
    assert f"{where}app.js" in served
    assert "/assets/app.js" not in served
    assert where in asset("grok", "cosmetic.3/app.js").body.decode()


FEW = ["cosmetic.1", "structural.1", "structural.2", "breaking.1", "breaking.2"]


@pytest.mark.asyncio
@pytest.mark.parametrize("site, layout", by_turns("drifts", LAYOUTS, 2))
async def test_a_drifted_page_works_and_its_health_names_what_drifted(lab, lab_tab, site, layout):
    tab = await Drifting.open(lab, await lab_tab("about:blank"), site, layout)
    before = await tab.health("none")
    assert before.layout == layout
    for drift in FEW:
        await check(tab, before, drift)


async def check(tab, before, drift):
    """The report names every part that drifted, says how, and names no other."""
    now = await tab.health(drift)
    told = set(drifted_from(now, before))
    assert told == tab.predicted(before, drift), drift
    what = drift_of(tab.site, tab.layout, drift)
    seen = {part.part for part in before.parts if part.found}
    assert set(what.broken) & seen <= {one.part for one in told}, drift
    if not what.renamed:
        assert not told


@pytest.mark.asyncio
async def test_the_parts_of_a_page_that_is_not_recognised_are_named_too(lab, lab_tab):
    drift = next(
        f"breaking.{seed}"
        for seed in range(SEEDS)
        if "recognise" in drift_of("grok", "grok.com", f"breaking.{seed}").broken
    )
    tab = await Drifting.open(lab, await lab_tab("about:blank"), "grok", "grok.com")
    before = await tab.health("none")
    now = await tab.health(drift)
    assert now.layout is None
    assert Drifted("recognise", "gone") in drifted_from(now, before)
    await check(tab, before, drift)


@pytest.mark.soak
@pytest.mark.timeout(3600)
@pytest.mark.asyncio
@pytest.mark.parametrize("grade", GRADES)
@pytest.mark.parametrize("site, layout", LAYOUTS)
async def test_many_seeds_of_each_grade(lab, lab_tab, site, layout, grade, seed, root):
    """Goes on where a stopped run was: how many passed is noted for each layout and grade."""
    notes = root / ".soak"
    notes.mkdir(exist_ok=True)
    note = notes / f"drift-{seed}-{layout}-{grade}"
    tab = await Drifting.open(lab, await lab_tab("about:blank"), site, layout)
    before = await tab.health("none")
    passed = int(note.read_text()) if note.exists() else 0
    for number in range(passed, SEEDS):
        await check(tab, before, f"{grade}.{seed * SEEDS + number}")
        note.write_text(str(number + 1))
    every = [notes / f"drift-{seed}-{one}-{kind}" for _, one in LAYOUTS for kind in GRADES]
    if all(one.exists() and one.read_text() == str(SEEDS) for one in every):
        for one in every:
            one.unlink()
