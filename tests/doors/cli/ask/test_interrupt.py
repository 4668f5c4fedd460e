"""Ctrl-C: what is said, what continues, and how one gets out.

Promise: say. The signals are real ones, sent to this process.
"""

import asyncio
import io
import json
import signal

import pytest
from rich.console import Console

from doors.cli.ask.scripted import CONVERSATION, URL, WHOLE, ScriptedHub, answer, story
from tabwire.doors.cli.ask import interrupt as ask_interrupt
from tabwire.doors.cli.ask import text_output as ask_print
from tabwire.model.ask import ConversationKnown, Phase, PhaseBegan, PromptLeft, TextCame
from tabwire.model.ask_errors import LoginRequired

ONE = 1  # Ctrl-C
GROK = "grok"
TYPING = [PhaseBegan(GROK, Phase.INPUT, 0.0)]
SENDING = [*TYPING, PhaseBegan(GROK, Phase.SEND, 0.0)]
SENT = [*SENDING, PromptLeft(GROK, "a7", None, 0.0)]
KNOWN = [*SENT, ConversationKnown(GROK, "a7", CONVERSATION, URL, 0.0)]
WRITING = [*KNOWN, TextCame(GROK, "x" * 4812, False, False, 0.0)]

MOMENTS = [
    # id        what happened before    what is said                           how to go on    retry
    ("typing", TYPING, "interrupted before anything was sent to Grok", "Ask again.", "same"),
    ("nothing yet", [], "interrupted before anything was sent to Grok", "Ask again.", "same"),
    ("sending", SENDING, "it is not known whether the prompt reached Grok",
     "tabwire fetch last --site grok", "resume"),
    ("sent", SENT, "interrupted after the prompt was sent; Grok is still writing",
     "tabwire fetch a7 --site grok", "resume"),
    ("known", KNOWN, "interrupted after the prompt was sent; Grok is still writing",
     f"tabwire fetch {CONVERSATION} --site grok", "resume"),
    ("recovering", [*SENDING, PhaseBegan(GROK, Phase.RECOVERING, 0.0)],
     "it is not known whether the prompt reached Grok", "tabwire fetch last --site grok", "resume"),
    ("known before sent", [KNOWN[-1], *SENT],
     "interrupted after the prompt was sent; Grok is still writing",
     f"tabwire fetch {CONVERSATION} --site grok", "resume"),
    ("writing", WRITING, "is still writing (4 812 characters so far)",
     f"tabwire fetch {CONVERSATION} --site grok", "resume"),
    ("writing before sent", [*SENDING, WRITING[-1]], "is still writing (4 812 characters so far)",
     "tabwire fetch last --site grok", "resume"),
]  # fmt: skip


@pytest.mark.parametrize(
    "before, what, act, retry", [c[1:] for c in MOMENTS], ids=[c[0] for c in MOMENTS]
)
def test_it_says_what_continues_and_how_to_fetch_it(asked, before, what, act, retry):
    hub = ScriptedHub(stories={GROK: [*before, ONE]})
    code, out, err = asked(hub, "ask", "Why?", "--to", GROK)
    assert (code, out, hub.cancelled) == (130, b"", True)
    told = err.replace("\xa0", " ")
    assert what in told
    assert act in told
    code, out, _ = asked(hub, "ask", "Why?", "--to", GROK, "--json")
    (told,) = json.loads(out)["answers"]
    assert (code, json.loads(out)["exit_code"]) == (130, 130)
    assert (told["error"]["code"], told["error"]["retry"]) == ("interrupted", retry)


def test_a_temporary_chat_cannot_be_fetched_and_says_so(asked):
    hub = ScriptedHub(stories={GROK: [*WRITING, ONE]})
    err = asked(hub, "ask", "Why?", "--to", GROK, "--temporary")[2]
    assert "the answer is only in its tab" in err
    assert "tabwire fetch" not in err


def test_columns_that_were_over_are_printed_all_the_same(asked):
    refused = LoginRequired("gemini")
    stories = {
        "chatgpt": story(WHOLE),
        "gemini": story(refused),
        GROK: [*SENT, ONE],
    }
    code, out, err = asked(
        ScriptedHub(stories=stories), "ask", "Why?", "--to", "chatgpt,gemini,grok"
    )
    assert code == 130
    assert out.decode() == "# chatgpt\n\nA **tab** holds a page.\n"
    assert "Gemini requires a login" in err
    assert "tabwire fetch a7 --site grok" in err


def test_on_a_terminal_what_came_so_far_stays_readable(asked, monkeypatch):
    console = Console(file=io.StringIO(), width=80, force_terminal=True, color_system=None)
    monkeypatch.setattr(ask_print, "open_console", lambda *, stderr=False: console)
    hub = ScriptedHub(
        stories={GROK: [*KNOWN, TextCame(GROK, "Half a sen", False, False, 0.0), ONE]}
    )
    code, out, _ = asked(hub, "ask", "Why?", "--to", GROK)
    assert (code, out) == (130, b"")
    shown = console.file.getvalue()
    assert "grok · so far" in shown
    assert "Half a sen" in shown


# -- --stop-site ------------------------------------------------------------------------------


def test_a_second_one_stops_the_site_and_the_partial_answer_is_given(asked):
    hub = ScriptedHub(stories={GROK: [*WRITING, ONE, ONE]})
    code, out, err = asked(hub, "ask", "Why?", "--to", GROK, "--stop-site")
    assert (code, out, hub.cancelled) == (130, b"Half\n", False)
    assert "press Ctrl-C again within 3 s to click Stop on the sites" in err
    assert "grok: stopped by user" in err
    assert "fetch the rest" not in err


def test_without_a_second_one_the_site_goes_on(asked, monkeypatch):
    monkeypatch.setattr(ask_interrupt, "AGAIN_SECONDS", 0.0)
    hub = ScriptedHub(stories={GROK: [*WRITING, ONE]})
    code, out, err = asked(hub, "ask", "Why?", "--to", GROK, "--stop-site")
    assert (code, out, hub.cancelled, hub.stopped.is_set()) == (130, b"", True, False)
    assert f"tabwire fetch {CONVERSATION} --site grok" in err


def test_without_the_option_a_site_is_never_stopped(asked):
    hub = ScriptedHub(stories={GROK: [*WRITING, ONE]})
    _, _, err = asked(hub, "ask", "Why?", "--to", GROK)
    assert not hub.stopped.is_set()
    assert "again within" not in err


def test_before_anything_was_sent_there_is_nothing_to_stop(asked):
    hub = ScriptedHub(stories={GROK: [*TYPING, ONE]})
    code, _, err = asked(hub, "ask", "Why?", "--to", GROK, "--stop-site")
    assert code == 130
    assert "again within" not in err
    assert "interrupted before anything was sent to Grok" in err


def test_a_third_one_leaves_a_site_that_does_not_stop(asked, monkeypatch):
    monkeypatch.setattr(ask_interrupt, "STOPPED_SECONDS", 3600.0)  # nobody waits for that

    class Deaf(ScriptedHub):
        def stop_site(self):
            pass

    hub = Deaf(stories={GROK: [*WRITING, ONE, ONE, ONE]})
    code, out, err = asked(hub, "ask", "Why?", "--to", GROK, "--stop-site")
    assert (code, out, hub.cancelled) == (130, b"", True)
    assert "stopping" in err


def test_an_answer_that_comes_while_we_wait_is_given(asked):
    whole = answer(GROK)
    hub = ScriptedHub(stories={GROK: [*WRITING, ONE, *story(whole)]})
    code, out, _ = asked(hub, "ask", "Why?", "--to", GROK, "--stop-site")
    assert (code, out) == (130, b"A **tab** holds a page.\n")


# -- the signal itself ------------------------------------------------------------------------


@pytest.mark.asyncio
async def test_afterwards_ctrl_c_means_what_it_did_before():
    async def nothing():
        return "done"

    with ask_interrupt.CtrlC() as keys:
        over = await ask_interrupt.until_over(nothing(), keys, say=print)
    assert (over.result, over.interrupted) == ("done", False)
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler


@pytest.mark.asyncio
async def test_where_loops_take_no_signals_python_does(monkeypatch):
    """Windows."""
    loop = asyncio.get_running_loop()

    def cannot(*_):
        raise NotImplementedError

    monkeypatch.setattr(loop, "add_signal_handler", cannot)

    async def pressed():
        signal.raise_signal(signal.SIGINT)
        await asyncio.Event().wait()

    before = signal.getsignal(signal.SIGINT)
    async with asyncio.timeout(60):
        with ask_interrupt.CtrlC() as keys:
            over = await ask_interrupt.until_over(pressed(), keys, say=print)
    assert (over.result, over.interrupted) == (None, True)
    assert signal.getsignal(signal.SIGINT) is before
