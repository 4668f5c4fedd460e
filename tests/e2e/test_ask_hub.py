"""`tabwire ask` through the hub's own process: the command is only a waiter."""

import asyncio
import json
import os
import signal

import psutil
import pytest

from kit.asking import new_prompt, prompts_in
from kit.house import RUN_SECONDS, house, run, started
from kit.hub_process import tabwire
from kit.places import both_places
from tabwire.hub.process import lock
from tabwire.lab.plan import plan_for

__all__ = ["both_places", "house"]

pytestmark = [pytest.mark.asyncio, pytest.mark.xdist_group("hub")]


async def heard(process, event):
    """Read what `ask --json --stream` tells until this event."""
    async with asyncio.timeout(RUN_SECONDS):
        while line := await process.stdout.readline():
            if json.loads(line)["event"] == event:
                return
    raise AssertionError((event, (await process.stderr.read()).decode()))


async def test_a_killed_command_and_a_killed_hub_lose_nothing(house, lab):
    """The command starts a hub, which goes on without it; the next hub goes on without that."""
    prompt = new_prompt(seed=711, pieces=80, every=0.05)
    command = await started(house, "ask", prompt, "--to", "grok", "--json", "--stream")
    await heard(command, "text")
    command.kill()
    await command.communicate()
    first = lock.holder(house.home / "run")
    assert first is not None, "no hub was started"
    waiting = await started(house, "ask", prompt, "--to", "grok", "--json", "--stream")
    await heard(waiting, "text")
    os.kill(first.pid, signal.SIGKILL)
    async with asyncio.timeout(RUN_SECONDS):
        out, err = await waiting.communicate()
    assert waiting.returncode == 0, err.decode()
    end = json.loads(out.splitlines()[-1])
    assert end["answers"][0]["text"].strip() == plan_for(prompt).text.strip()
    assert lock.holder(house.home / "run").pid != first.pid
    assert len(prompts_in(lab, prompt)) == 1


async def test_three_columns_over_one_hub_look_like_any_others(house, lab):
    prompt = new_prompt(seed=712, pieces=10, think=1)
    arguments = ("ask", prompt, "--to", "chatgpt,gemini,grok", "--json", "--stream")
    code, out, err = await run(house, *arguments)
    assert code == 0, err
    lines = [json.loads(line) for line in out.splitlines()]
    for site in ("chatgpt", "gemini", "grok"):
        told = [one["event"] for one in lines if one.get("site") == site]
        assert told[0] == "phase"
        assert {"sent", "conversation", "text", "answer"} <= set(told), told
    texts = {one["text"].strip() for one in lines[-1]["answers"]}
    assert texts == {plan_for(prompt).text.strip()}
    # whoever asks the same just afterwards is a client that tries again
    code, out, err = await run(house, "ask", prompt, "--to", "grok")
    assert (code, out.strip()) == (0, plan_for(prompt).text.strip()), err
    assert "--again" in err
    assert len(prompts_in(lab, prompt)) == 3
    jobs = json.loads(tabwire(house.home, "history", "--json", **house.said).stdout.splitlines()[0])
    assert jobs["completeness"] == "complete"


async def test_ctrl_c_before_the_prompt_left_keeps_it_from_leaving(house, lab):
    prompt = new_prompt(seed=713, pieces=20)
    command = await started(house, "ask", prompt, "--to", "gemini", "--json", "--stream")
    await heard(command, "phase")
    command.send_signal(signal.SIGINT)
    async with asyncio.timeout(RUN_SECONDS):
        out, err = await command.communicate()
    assert command.returncode == 130, err.decode()
    told = json.loads(out.splitlines()[-1])["answers"][0]["error"]
    assert (told["code"], told["retry"]) == ("interrupted", "same"), told
    code, out, err = await run(house, "fetch", "last", "--site", "gemini")
    assert code != 0
    assert not prompts_in(lab, prompt)


async def test_what_was_left_by_ctrl_c_is_fetched_from_the_hub(house, lab):
    prompt = new_prompt(seed=714, pieces=60, every=0.05)
    command = await started(house, "ask", prompt, "--to", "chatgpt", "--json", "--stream")
    await heard(command, "sent")
    command.send_signal(signal.SIGINT)
    async with asyncio.timeout(RUN_SECONDS):
        out, err = await command.communicate()
    assert command.returncode == 130, err.decode()
    told = json.loads(out.splitlines()[-1])["answers"][0]["error"]
    assert "is still writing" in told["what"]
    code, out, err = await run(house, "fetch", "last", "--site", "chatgpt")
    assert (code, out.strip()) == (0, plan_for(prompt).text.strip()), err
    assert len(prompts_in(lab, prompt)) == 1


async def test_without_a_hub_the_command_asks_on_its_own(lab_browser_url, lab, tmp_path):
    """Not over the relay: the extension is the hub's alone, and who means it is told so."""
    prompt, home = new_prompt(seed=715, pieces=5), tmp_path / "h"
    said = {"TABWIRE_BROWSER": f"attach={lab_browser_url}", "TABWIRE_HUB": "off"}
    how = ("ask", prompt, "--to", "grok")
    done = await asyncio.to_thread(tabwire, home, *how, **said)
    assert (done.returncode, done.stdout.strip()) == (0, plan_for(prompt).text.strip()), done
    assert lock.holder(home / "run") is None
    assert not [one for one in psutil.process_iter(["cmdline"]) if str(home) in str(one.info)]
