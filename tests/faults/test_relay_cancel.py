"""The person presses Cancel on Chrome's debugging bar in the middle of an answer: obeyed, and said.

Promises: say, truth. Without a screen nobody can press it, so its word is put on the line as Chrome
would have it: the debugger leaves, and says `canceled_by_user`.
"""

import pytest

from kit.asking import asking_home, begun, in_words, new_prompt, prompts_in
from tabwire.cdp.relay_frames import Frame
from tabwire.model.ask import Answer, AskRequest, TextCame

__all__ = ["asking_home"]

pytestmark = [
    pytest.mark.asyncio,
    pytest.mark.xdist_group("extension"),
    pytest.mark.usefixtures("asking_home"),
]


async def test_who_presses_cancel_is_obeyed_and_told_so(lab, relay, extension_browser_url):
    opened = []
    install = relay.relays._used
    do = install.session.do

    def watched(verb, arguments, done):
        if verb in ("tabs.create", "debugger.attach"):
            opened.append(verb)
        do(verb, arguments, done)

    install.session.do = watched
    prompt = new_prompt(seed=917, pieces=60, every=0.03)
    async with begun(extension_browser_url, AskRequest("chatgpt", prompt)) as ask:
        await ask.until(TextCame, lambda one: not one.thinking)
        before = list(opened)
        (tab,) = {one for _, share in install.carriers for one in share.held}
        install.heard(Frame(on="debugger.detached", tab=tab, reason="canceled_by_user"))
        result = await ask.result()
    assert isinstance(result, Answer), in_words(result)
    assert result.completeness == "partial"
    assert any("you pressed Cancel" in one for one in result.problems), result.problems
    assert any("tabwire fetch" in one for one in result.problems), result.problems
    assert opened == before, "it is not fought: no other tab, and not this one again"
    assert len(prompts_in(lab, prompt)) == 1
