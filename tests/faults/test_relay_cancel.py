"""The person presses Cancel on Chrome's debugging bar in the middle of an answer: obeyed, and said.

Promises: say, truth. Without a screen nobody can press it, so its word is put on the line as Chrome
would have it: the debugger leaves, and says `canceled_by_user`.
"""

import asyncio
import time

import pytest

from kit.asking import asked, asking_home, begun, in_words, new_prompt, prompts_in
from tabwire.cdp.relay_frames import Frame
from tabwire.hub.jobs.books import opened_books
from tabwire.model.ask import Answer, AskRequest, Step, StillWaiting, TextCame
from tabwire.model.ask_errors import TabClosed
from tabwire.model.errors import Retry
from tabwire.store.rows import Owner

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


@pytest.mark.parametrize(
    "conversation_id, there",
    [("1ab0000000000001", False), (None, True)],
    ids=["on the way to the conversation", "at the list of them"],
)
async def test_who_presses_cancel_while_an_answer_is_looked_for_ends_that(
    conversation_id, there, relay, extension_browser_url
):
    """Whoever asked died before. What came in between is tried again, but not against a wish."""
    request = AskRequest("gemini", new_prompt(seed=918))
    async with opened_books() as books:
        row, _ = await books.store.begin(request, Owner(2**22 + 1, 1.0), time.time())
        await books.store.note(row.id, Step.SENT, time.time(), conversation_id=conversation_id)
    install, loop = relay.relays._used, asyncio.get_running_loop()
    do, heard = install.session.do, install.heard

    def cancel(tab):
        heard(Frame(on="debugger.detached", tab=tab, reason="canceled_by_user"))

    def watched(verb, arguments, done):
        navigates = arguments.get("method") == "Page.navigate"

        def then(said):
            done(said)
            loop.call_soon(cancel, arguments["tab"])

        do(verb, arguments, then if navigates and there else done)
        if navigates and not there:
            loop.call_soon(cancel, arguments["tab"])

    install.session.do = watched
    (result,), events = await asked(extension_browser_url, request)
    assert isinstance(result, TabClosed), in_words(result)
    assert "you pressed Cancel" in str(result)
    assert result.retry is Retry.RESUME
    assert not [one for one in events if isinstance(one, StillWaiting)]
