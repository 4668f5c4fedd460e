"""Tabwire as Python programs use it: the examples of docs/library.md, run as they stand, and what
is left when a program leaves in the middle. In the lab's browser."""

import asyncio
import gc
import re
import sys
from contextlib import aclosing

import pytest
import pytest_asyncio

import tabwire
from conftest import ROOT
from kit.asking import home_at, new_prompt, prompts_in
from kit.places import both_places
from kit.watched import watching
from tabwire.lab.plan import plan_for

__all__ = ["both_places"]

pytestmark = [pytest.mark.asyncio, pytest.mark.xdist_group("asking-doors")]

RUN_SECONDS = 90.0  # a program starts in one; a busy machine needs more
PAGE = (ROOT / "docs" / "library.md").read_text(encoding="utf-8")
EXAMPLES = re.findall(r"^```python\n(.*?)^```", PAGE, re.MULTILINE | re.DOTALL)
TAB, SKY = (plan_for(prompt).text.strip() for prompt in ("What is a tab?", "Why is the sky blue?"))


def example(word):
    """The one with this word in it."""
    (found,) = [one for one in EXAMPLES if word in one]
    return found


@pytest_asyncio.fixture
async def program(place):
    """Start an example in a process of its own, in which a warning is an error."""
    processes = []

    async def started(word, *arguments):
        process = await asyncio.create_subprocess_exec(
            sys.executable, "-W", "error", "-c", example(word), *arguments,
            stdout=asyncio.subprocess.PIPE, stderr=asyncio.subprocess.PIPE,
            env=place.environment,
        )  # fmt: skip
        processes.append(process)
        return process

    yield started
    for process in processes:
        if process.returncode is None:  # a test that failed leaves none behind
            process.kill()
            await process.communicate()


async def ended(process):
    async with asyncio.timeout(RUN_SECONDS):
        out, err = await process.communicate()
    assert (process.returncode, err.decode()) == (0, "")
    return out.decode()


SAID = [
    # a word of the example, what it prints
    ("answer.evidence", [TAB, "complete: True because ", "link: https://chatgpt.com/c/",
                         "timings: {'connectMs': "]),
    ("tabwire.run(tabwire.ask(", [SKY]),
    ("ask_many", [f"{site} says: {TAB[:60]}" for site in ("chatgpt", "gemini", "grok")]),
    ("tabwire.stream", ["[connect]", "[send]", TAB, "complete: True"]),
    ("No such model", ["model_not_available - ", "what to do: Choose another --model"]),
]  # fmt: skip


@pytest.mark.parametrize("word, said", SAID, ids=[case[0] for case in SAID])
async def test_an_example_of_the_docs_does_what_it_says(program, word, said):
    out = await ended(await program(word))
    for words in said:
        assert words in out


async def test_the_example_that_watches_hears_what_somebody_else_asks(program, place):
    prompt = "lab: pieces=10 every=0.02 first=0.1 think=1 seed=71"
    async with watching(place.url, "grok") as tab:
        process = await program("tabwire.watch", tab.tab.target)
        async with asyncio.timeout(RUN_SECONDS):
            assert (await process.stdout.readline()).startswith(b"watching https://grok.com/")
        await tab.ask(prompt)
        assert (await ended(process)).strip() == plan_for(prompt).text.strip()


async def test_the_example_that_keeps_a_picture_keeps_it_in_the_home(program, place):
    async with watching(place.url, "gemini") as tab:
        out = await ended(await program("tabwire.snapshot", tab.tab.target))
    site, layout, folder = out.split()
    assert (site, layout) == ("gemini", "app")
    assert folder.startswith(str(place.home))


async def test_a_command_is_judged_as_the_docs_say(capsys):
    exec(example("tabwire.judge"), {})
    assert capsys.readouterr().out == "deny delete.lost rm -rf /\n"


async def test_every_example_is_run():
    ran = [example(case[0]) for case in SAID]
    ran += [example(word) for word in ("tabwire.watch", "tabwire.snapshot", "tabwire.judge")]
    assert sorted(ran) == sorted(EXAMPLES)


# --- leaving in the middle -------------------------------------------------------------------


async def some_text(events):
    """Listen until there is some of the answer."""
    told = []
    async for event in events:
        told.append(event)
        if isinstance(event, tabwire.TextCame):
            return
    raise AssertionError(f"it ended before: {told}")


async def leave_the_loop(start):
    await some_text(start())
    gc.collect()  # nobody holds it any more: now it is closed, soon


async def close_it(start):
    async with aclosing(start()) as events:
        await some_text(events)


async def be_cancelled(start):
    heard = asyncio.Event()

    async def listen():
        events = start()
        await some_text(events)
        heard.set()
        async for _event in events:
            pass  # until it is cancelled, inside the stream

    async with asyncio.TaskGroup() as group:
        listening = group.create_task(listen())
        await heard.wait()
        listening.cancel()


@pytest.mark.parametrize("leave", [leave_the_loop, close_it, be_cancelled])
@pytest.mark.rows(1, first=2)
async def test_whoever_leaves_a_stream_leaves_nothing_behind(place, lab, leave):
    """Nothing goes on once the loop is left. The answer is found later, and was asked for once."""
    prompt = new_prompt(seed=72, pieces=80, every=0.04)
    before = asyncio.all_tasks()
    with home_at(place.home):
        async with asyncio.timeout(RUN_SECONDS):
            await leave(lambda: tabwire.stream(prompt, to="grok", browser=place.browser))
            while left := asyncio.all_tasks() - before:
                await asyncio.wait(left)
            (row,) = await tabwire.LocalHub().asks.history(1)
            assert row.step in ("sending", "sent")  # text may come before the note that it left
            assert row.answer is None
            answer = await tabwire.LocalHub().asks.fetch("last", site="grok", browser=place.browser)
    assert answer.text.strip() == plan_for(prompt).text.strip()
    assert len(prompts_in(lab, prompt)) == 1
