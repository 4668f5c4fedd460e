"""When a limit is over: said with the refusal, asked for by the page, or not known."""

import time

import pytest

from kit.asking import asked, asking_home, in_words, new_prompt, prompts_in
from kit.carriers import both_carriers
from tabwire.lab.replicas.grok.refusals import WAIT_SECONDS
from tabwire.model.ask import AskRequest
from tabwire.model.ask_errors import LimitReached
from tabwire.model.errors import Retry

__all__ = ["asking_home", "both_carriers"]

pytestmark = [
    pytest.mark.asyncio,
    pytest.mark.xdist_group("asking"),
    pytest.mark.usefixtures("asking_home"),
]


@pytest.mark.parametrize(
    "story, wait", [("limit-until", WAIT_SECONDS), ("limit-asked", WAIT_SECONDS), ("limit", None)]
)
@pytest.mark.rows(1)
async def test_a_limit_says_when_it_is_over_where_anybody_says_it(
    story, wait, lab, lab_browser_url
):
    prompt = new_prompt(told=f"story={story}")
    began = time.time()
    ((error,), _events) = await asked(lab_browser_url, AskRequest("grok", prompt))
    assert isinstance(error, LimitReached), in_words(error)
    assert error.retry is Retry.SAME
    assert len(prompts_in(lab, prompt)) == 1
    if wait is None:
        assert error.resets_at is None
    else:
        assert began + wait <= error.resets_at <= time.time() + wait
