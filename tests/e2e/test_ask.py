"""`tabwire ask`, killed in the middle: what it asked for is found by the next command.

By a debugging port the command asks by itself; over the relay it asks the hub, which has the
extension. The command itself, with its columns and keys, is in doors/cli/ask/test_ask_lab.py.
"""

import asyncio
import json
import sys

import pytest

from kit.asking import new_prompt, prompts_in
from kit.places import both_places
from tabwire.lab.plan import plan_for

__all__ = ["both_places"]

pytestmark = [pytest.mark.asyncio, pytest.mark.xdist_group("asking-doors")]

TOLD = 10  # pieces of the answer; there are several times as many
RUN_SECONDS = 90.0  # a command starts in one; a busy machine needs more


class Shell:
    """Runs `tabwire`, with one home and one browser."""

    def __init__(self, place):
        by_itself = {} if place.extension else {"TABWIRE_HUB": "off"}
        self._environment = {**place.environment, **by_itself}
        self._browser = ("--browser", place.browser)

    async def start(self, *arguments):
        return await asyncio.create_subprocess_exec(
            sys.executable, "-m", "tabwire", *arguments, *self._browser,
            stdin=asyncio.subprocess.DEVNULL, stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.PIPE, env=self._environment, limit=1 << 22,
        )  # fmt: skip

    async def run(self, *arguments):
        """(exit code, stdout, stderr) of a command."""
        async with asyncio.timeout(RUN_SECONDS):
            process = await self.start(*arguments)
            out, err = await process.communicate()
        return process.returncode, out.decode(), err.decode()

    async def killed(self, *arguments):
        """A command that is killed once it has told some of the answer: so much that what names
        its conversation is on disk. Kills at each step are in faults/test_asking_killed.py."""
        process = await self.start(*arguments, "--json", "--stream")
        told = []
        async with asyncio.timeout(RUN_SECONDS):
            while line := await process.stdout.readline():
                told.append(json.loads(line)["event"])
                if told.count("text") == TOLD:
                    process.kill()
            _out, err = await process.communicate()
        assert told.count("text") >= TOLD, (told, err.decode())


@pytest.fixture
def shell(place):
    return Shell(place)


async def test_what_a_killed_command_asked_for_is_fetched_whole(shell, lab):
    prompt = new_prompt(seed=603, pieces=80, every=0.05)
    await shell.killed("ask", prompt, "--to", "grok")
    code, out, err = await shell.run("fetch", "last", "--site", "grok")
    assert code == 0, (out, err)
    assert out.strip() == plan_for(prompt).text.strip()
    assert len(prompts_in(lab, prompt)) == 1


@pytest.mark.soak
async def test_the_command_once_more_finds_the_answer_that_was_asked_for(shell, lab):
    prompt = new_prompt(seed=604, pieces=80, every=0.05)
    await shell.killed("ask", prompt, "--to", "chatgpt")
    code, out, err = await shell.run("ask", prompt, "--to", "chatgpt")
    assert code == 0, (out, err)
    assert out.strip() == plan_for(prompt).text.strip()
    assert len(prompts_in(lab, prompt)) == 1
