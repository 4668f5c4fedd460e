"""The effort that was wanted is looked for in the request, not only in the page."""

import json
from types import SimpleNamespace

import pytest

from tabwire.ask.flow import Flow
from tabwire.model.ask import AskRequest
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
        ear=SimpleNamespace(bodies=[json.dumps(asked).encode()]),
        site=SITES["chatgpt"],
        request=AskRequest("chatgpt", "Why?", effort=wanted),
        watch=SimpleNamespace(problems=[]),
    )
    Flow._check_body(flow, 0)
    told = [f"the request asks for the effort {said}, not {wanted}"] if other else []
    assert flow.watch.problems == told


@pytest.mark.parametrize("body", [b"", b"[]", b"not json", b'{"thinking_effort": 3}'])
def test_a_request_that_names_no_effort_says_none(body):
    assert SITES["chatgpt"].effort_in_request(body) is None
    assert SITES["grok"].effort_in_request(body) is None
