"""The effort that was wanted is looked for in the request, not only in the page."""

import json
from contextlib import nullcontext
from dataclasses import replace
from types import SimpleNamespace

import pytest

from tabwire.asking.flow import Flow
from tabwire.asking.model_choice import check_effort
from tabwire.model.ask import AskRequest, Press
from tabwire.model.ask_errors import ModelNotAvailable
from tabwire.sites.known import SITES

CASES = [
    # wanted, what the request says, whether that is another effort
    ("high", "extended", False),
    ("high", "high", False),
    ("extra", "max", False),
    ("High", "standard", True),
    ("medium", "standard", False),
    ("instant", "extended", True),
    ("high", None, False),
    (None, "extended", False),
]


@pytest.mark.parametrize("wanted, said, other", CASES)
def test_a_request_for_another_effort_is_a_problem_of_the_answer(wanted, said, other):
    asked = {"messages": [], **({"thinking_effort": said} if said else {})}
    flow = SimpleNamespace(
        ear=SimpleNamespace(bodies=[json.dumps(asked).encode()], press=Press(0.0)),
        _effort="High",
        site=SITES["chatgpt"],
        request=AskRequest("chatgpt", "Why?", effort=wanted),
        watch=SimpleNamespace(problems=[]),
    )
    Flow._check_body(flow, 0)
    told = [f"the request asks for the effort {said}, not {wanted}"] if other else []
    assert flow.watch.problems == told
    assert flow.ear.press.effort == (said or "High"), "the request's word, else the page's"


NONE = "no effort setting besides the model"


@pytest.mark.parametrize(
    "site, model, effort, refused",
    [
        ("chatgpt", None, "high", False),
        ("chatgpt", "gpt-5.5", "nonsense", False),  # its page says what it has
        ("grok", None, "high", True),
        ("grok", None, "Expert", False),  # one menu for both: people say either
        ("grok", "grok 4", "expert", True),
        ("gemini", None, "extended", True),
        ("gemini", None, "flash", False),
        ("gemini", None, None, False),
    ],
)
def test_a_site_without_efforts_says_so_before_anything_is_opened(site, model, effort, refused):
    request = AskRequest(site, "Why?", model=model, effort=effort)
    with pytest.raises(ModelNotAvailable, match=NONE) if refused else nullcontext() as raised:
        check_effort(SITES[site], request)
    if refused:
        assert raised.value.offered == SITES[site].choices.models.modes
    check_effort(SITES[site], replace(request, model_best_effort=True))


@pytest.mark.parametrize("body", [b"", b"[]", b"not json", b'{"thinking_effort": 3}'])
def test_a_request_that_names_no_effort_says_none(body):
    assert SITES["chatgpt"].effort_in_request(body) is None
    assert SITES["grok"].effort_in_request(body) is None
