"""`tabwire ask` as a person runs it: a process of its own, a terminal, the lab's real browser."""

import asyncio
import fcntl
import json
import os
import pty
import re
import signal
import struct
import sys
import termios

import pytest

from tabwire.lab.plan import plan_for

pytestmark = pytest.mark.asyncio

RUN_SECONDS = 90.0  # a command starts in one; a busy machine needs more
SITES = ("chatgpt", "gemini", "grok")


@pytest.fixture
def place(tmp_path):
    return {**os.environ, "TABWIRE_HOME": str(tmp_path / "home")}


@pytest.fixture
def tabwire(place, lab_browser_url):
    """Start `tabwire …` in a process of its own, at the lab's browser where it needs one."""

    async def started(*arguments, **streams):
        pipes = {"stdout": asyncio.subprocess.PIPE, "stderr": asyncio.subprocess.PIPE}
        more = () if arguments[0] == "history" else ("--browser", f"attach={lab_browser_url}")
        command = (sys.executable, "-m", "tabwire", *arguments, *more)
        environment = dict(place)
        if "stdin" in streams:  # a terminal, whose own size counts
            environment.pop("COLUMNS", None)
            environment["TERM"] = "xterm"
        return await asyncio.create_subprocess_exec(*command, env=environment, **(pipes | streams))

    return started


async def ended(process):
    """(exit code, stdout, stderr)"""
    async with asyncio.timeout(RUN_SECONDS):
        out, err = await process.communicate()
    return process.returncode, out, err.decode()


def sent(lab, prompt):
    """At which sites the lab received a prompt, each as often as it did."""
    return sorted(one.site for one in lab.ledger.entries if one.prompt == prompt)


async def test_three_sites_into_a_pipe_then_fetched_listed_and_continued(tabwire, lab):
    prompt = "lab: pieces=15 every=0.02 first=0.1 think=1 seed=501"
    text = plan_for(prompt).text.rstrip("\n")
    code, out, err = await ended(await tabwire("ask", prompt, "--to", ",".join(SITES)))
    assert code == 0, err
    parts = re.split(r"^# (\w+)\n\n", out.decode(), flags=re.MULTILINE)[1:]
    assert parts[::2] == list(SITES)
    assert {part.rstrip("\n") for part in parts[1::2]} == {text}
    assert sent(lab, prompt) == list(SITES)

    code, out, err = await ended(await tabwire("fetch", "last", "--site", "grok", "--json"))
    assert code == 0, err
    (fetched,) = json.loads(out)["answers"]
    assert fetched["text"].rstrip("\n") == text
    assert sent(lab, prompt) == list(SITES)

    code, out, err = await ended(await tabwire("history", "--json"))
    rows = [json.loads(line) for line in out.splitlines()]
    assert sorted((row["site"], row["completeness"]) for row in rows) == [
        (site, "complete") for site in SITES
    ]

    more = "lab: pieces=5 every=0.02 first=0.1 seed=502"
    code, out, err = await ended(
        await tabwire("ask", more, "--to", "grok", "--continue", "last", "--json", "--stream")
    )
    assert code == 0, err
    *events, last = [json.loads(line) for line in out.splitlines()]
    (answer,) = last["answers"]
    assert answer["conversation_id"] == fetched["conversation_id"]
    assert (
        "".join(
            one["text"] for one in events if one["event"] == "text" and not one["thinking"]
        ).strip()
        == answer["text"].strip()
    )
    assert (last["event"], last["exit_code"]) == ("end", 0)


async def test_after_ctrl_c_the_answer_is_fetched_by_what_was_said(tabwire, lab):
    """Promise: send. The command it names finds the answer, and nothing is asked twice."""
    prompt = "lab: pieces=60 every=0.05 first=0.1 seed=503"
    process = await tabwire("ask", prompt, "--to", "grok")
    async with asyncio.timeout(RUN_SECONDS):
        while b"grok: answering" not in (line := await process.stderr.readline()):
            assert line, "it ended before it began"
        process.send_signal(signal.SIGINT)
    code, out, err = await ended(process)
    assert (code, out) == (130, b"")
    assert "interrupted after the prompt was sent; Grok is still writing" in err
    (command,) = re.findall(r"`tabwire (fetch \S+ --site grok) --browser attach=\S+`", err)
    code, out, err = await ended(await tabwire(*command.split()))
    assert code == 0, err
    assert out.decode().rstrip("\n") == plan_for(prompt).text.rstrip("\n")
    assert sent(lab, prompt) == ["grok"]


@pytest.mark.parametrize("width", [60, 140])
@pytest.mark.rows(1, first=1)
async def test_on_a_terminal_columns_grow_and_answers_follow_in_full(tabwire, width):
    prompt = f"lab: pieces=30 every=0.05 first=0.1 think=2 seed={width}"
    ours, theirs = pty.openpty()
    fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", 30, width, 0, 0))
    process = await tabwire(
        "ask", prompt, "--to", "gemini,grok", stdin=theirs, stdout=theirs, stderr=theirs
    )
    os.close(theirs)
    seen = await asyncio.to_thread(_read_all, ours)
    async with asyncio.timeout(RUN_SECONDS):
        assert await process.wait() == 0, seen
    drawn, _, printed = seen.rpartition("╯")
    assert ("╮╭" in drawn) is (width == 140)  # side by side, or below each other
    assert "answering · " in drawn
    words = plan_for(prompt).text.split()
    assert [printed.count(words[0]), printed.count("complete: ")] == [2, 2]
    assert set(words) - set(re.sub(r"[^\S\n]+|\n", " ", printed).split()) == set()


def _read_all(terminal):
    pieces = []
    while True:
        try:
            piece = os.read(terminal, 65536)
        except OSError:  # what a terminal says when nobody is left at its other end
            piece = b""
        if not piece:
            os.close(terminal)
            return b"".join(pieces).decode()
        pieces.append(piece)
