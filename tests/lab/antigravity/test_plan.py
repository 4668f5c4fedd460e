"""A plan is data: JSON there and back, and what cannot be read is said."""

import json
from typing import get_args

import pytest

from tabwire.lab.antigravity import plan as steps
from tabwire.lab.antigravity.plan import BadPlan, Command, Plan, Say, Task, plan_from, plan_json
from tabwire.lab.antigravity.plans import PLANS
from tabwire.lab.antigravity.words import EN, JA


@pytest.mark.parametrize("name", PLANS)
def test_every_plan_comes_back_from_json_as_it_was(name):
    assert plan_from(plan_json(PLANS[name])) == PLANS[name]


def test_a_plan_may_be_written_by_hand():
    told = {
        "steps": [
            {"step": "say", "text": "Hello."},
            {"step": "task", "title": "T", "steps": [{"step": "command", "command": "ls"}]},
        ]
    }
    assert plan_from(told) == Plan((Say("Hello."), Task("T", steps=(Command("ls"),))))
    assert plan_from(json.dumps(told)) == plan_from(told)


@pytest.mark.parametrize(
    "told, said",
    [
        ({"steps": [{"step": "jump"}]}, "jump"),
        ({"steps": [{"step": "say", "words": "x", "text": "y"}]}, "words"),
        ({"steps": [{"step": "permit", "variant": "maybe"}]}, "maybe"),
        ("{", "Input data"),
    ],
)
def test_what_is_no_plan_is_refused_with_the_place(told, said):
    with pytest.raises(BadPlan, match=said):
        plan_from(told)


def test_every_kind_of_step_is_in_some_plan():
    def kinds(all_of_them):
        for one in all_of_them:
            yield type(one)
            yield from kinds(getattr(one, "steps", ()))

    used = {kind for plan in PLANS.values() for kind in kinds(plan.steps)}
    assert used == set(get_args(steps.Step))


def test_every_kind_of_step_is_in_the_docs(root):
    page = (root / "docs" / "lab.md").read_text("utf-8")
    _, _, below = page.partition("\n| step | what happens |\n")
    table = below.partition("\n\n")[0]
    assert all(f"`{kind.__name__.lower()}`" in table for kind in get_args(steps.Step))


def test_both_languages_have_the_same_words():
    assert EN.keys() == JA.keys()
