"""What a person may ask the command for, without a browser."""

import pytest

from tabwire.doors.cli.lazy import lazy_group
from tabwire.lab import cli
from tabwire.lab.antigravity.open import listed, plan_named, windows
from tabwire.lab.antigravity.plan import plan_json
from tabwire.lab.antigravity.plans import PLANS
from tabwire.model.errors import TabwireError


def test_every_plan_is_listed_with_what_it_does(capsys):
    with pytest.raises(SystemExit):
        lazy_group("lab", cli.HELP, cli.COMMANDS)(args=["antigravity", "--list"], prog_name="lab")
    said = capsys.readouterr().out.splitlines()
    assert said == list(listed())
    assert [line.split()[0] for line in said] == list(PLANS)
    assert all(plan.about for plan in PLANS.values())


def test_a_plan_is_found_by_name_or_in_a_file(tmp_path):
    written = tmp_path / "mine.json"
    written.write_text(plan_json(PLANS["tour"]))
    assert plan_named("tour") == plan_named(str(written)) == PLANS["tour"]


@pytest.mark.parametrize("words, said", [(None, "no plan"), ("{", "is not a valid plan")])
def test_what_is_no_plan_is_said(tmp_path, words, said):
    path = tmp_path / "x.json"
    if words is not None:
        path.write_text(words)
    with pytest.raises(TabwireError, match=said) as raised:
        plan_named(str(path))
    assert raised.value.what_to_do


def test_every_kind_of_window_is_shown():
    kinds = [one.generation for one in windows()]
    assert {"1.x", "2.0", "cascade", "app", "manager", "browser", "settings", "cursor"} == set(
        kinds
    )
