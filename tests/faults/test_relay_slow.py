"""A line to the extension on which what goes to the browser is late: just then Send is pressed.

Promises: send, truth. Late is what comes before the press (nothing was pressed: it is asked for
once more), the press itself (it is not given up while it is on its way), and where it landed.
"""

import pytest

from kit.asking import asking_home, begun, in_words, new_prompt, prompts_in
from tabwire.asking import submission as submit
from tabwire.browser.page import click as page_click
from tabwire.browser.page.find import Finder
from tabwire.lab.plan import plan_for
from tabwire.model.ask import Answer, AskRequest

__all__ = ["asking_home"]

pytestmark = [
    pytest.mark.asyncio,
    pytest.mark.xdist_group("extension"),
    pytest.mark.usefixtures("asking_home"),
]

BOUND_SECONDS = 2.0  # for one function in the page, and for one mouse event, from Send on
LATE_SECONDS = 3.0
FRAMES = {
    "where_send_is": b'"find"',
    "the_aim": b'"aim"',
    "the_press": b"Input.dispatchMouseEvent",
    "where_it_landed": b'"outcome"',
}
SITES = ("chatgpt", "gemini", "grok")
ROWS = [pytest.param(FRAMES[what], site, id=f"{what}-{site}") for what in FRAMES for site in SITES]


@pytest.mark.parametrize("frame, site", ROWS)
@pytest.mark.rows(2, first=1)
async def test_what_is_late_when_send_is_pressed_is_waited_for_and_the_prompt_leaves_once(
    frame, site, lab, relay, extension_browser_url, monkeypatch
):
    pressed, late = submit._pressed, []

    def lateness(data):
        if late or frame not in data:
            return 0.0
        late.append(frame)
        return LATE_SECONDS

    async def pressed_late(*given, **named):
        monkeypatch.setitem(Finder.ask.__kwdefaults__, "seconds", BOUND_SECONDS)
        monkeypatch.setattr(page_click, "PRESS_SECONDS", BOUND_SECONDS)
        relay.proxy.late = lateness
        await pressed(*given, **named)

    monkeypatch.setattr(submit, "_pressed", pressed_late)
    prompt = new_prompt(seed=841, pieces=4)
    async with begun(extension_browser_url, AskRequest(site, prompt)) as ask:
        result = await ask.result()
    assert late, "nothing was late"
    assert isinstance(result, Answer), in_words(result)
    assert result.completeness == "complete", in_words(result)
    assert result.text.strip() == plan_for(prompt).text.strip()
    assert len(prompts_in(lab, prompt)) == 1
