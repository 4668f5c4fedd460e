"""Promise: never twice. A hub that slept while another one had its database sends nothing again.

It is stopped with a job that was not sent yet, and the server is restarted, which lets all locks
go. A second hub, of another home, does the job. Then the first one goes on where it stood.
"""

import json
import os
import signal
from contextlib import contextmanager

import pytest

from kit.asking import new_prompt, prompts_in
from kit.hub_process import program
from tabwire.lab.plan import plan_for

pytestmark = pytest.mark.xdist_group("asking-killed")

WAIT_SECONDS = 60.0

POINTS = [
    # where the first hub stands meanwhile, the soak's alone
    pytest.param("due", id="about to begin", marks=pytest.mark.soak),
    pytest.param("taken", id="just begun", marks=pytest.mark.soak),
    pytest.param("phase:input", id="before it types", marks=pytest.mark.soak),
    pytest.param("phase:send", id="typed"),
]


@pytest.fixture
def hub_in(tmp_path, lab_browser_url, postgres):
    """Hubs on one database, each with a home of its own. `ELSEWHERE`: on machines of their own."""

    @contextmanager
    def hub(name, *words, **more):
        home = tmp_path / name
        home.mkdir(mode=0o700)
        browser = f"attach={lab_browser_url}"
        said = {"TABWIRE_DATABASE": postgres, **more}
        with program(home, "-m", "kit.hub_child", browser, *words, **said) as process:
            yield process

    return hub


def frozen(process):
    """It stands still."""
    state = os.waitid(os.P_PID, process.pid, os.WSTOPPED | os.WEXITED | os.WNOWAIT)
    assert state.si_code == os.CLD_STOPPED, process.communicate()


def goes_on(process):
    """To its end; what it said, but for the lines that were read before, and its log."""
    process.send_signal(signal.SIGCONT)
    said, err = process.communicate(timeout=WAIT_SECONDS)
    return said.splitlines(), err


def list_in(lines, err):
    """The jobs it told of at its end."""
    (said,) = [line for line in lines if line.startswith("[")] or [None]
    assert said, (lines, err)
    return json.loads(said)


def right(lab, prompt, lines, err):
    """The lab's whole answer, and the lab was asked once."""
    (job,) = list_in(lines, err)
    assert job["state"] == "completed", (job, lines, err)
    assert (job["complete"], job["text"]) == (True, plan_for(prompt).text)
    assert len(prompts_in(lab, prompt)) == 1, (lines, err)


@pytest.mark.parametrize("point", POINTS)
def test_what_another_hub_did_meanwhile_is_not_sent_by_the_one_that_slept(
    point, lab, hub_in, postgres_server
):
    """The other one, on another machine, is gone again: the place is free, and is taken back."""
    prompt = new_prompt(seed=700, pieces=8)
    with hub_in("one", f"freeze:{point}", "grok", prompt) as first:
        frozen(first)
        postgres_server.restart()
        with hub_in("two", ELSEWHERE="1") as second:
            right(lab, prompt, *goes_on(second))
        lines, err = goes_on(first)
        right(lab, prompt, lines, err)


@pytest.mark.parametrize("point", POINTS)
def test_a_hub_that_slept_sends_nothing_and_ends_where_another_has_the_place(
    point, lab, hub_in, postgres_server
):
    prompt = new_prompt(seed=700, pieces=8)
    with hub_in("one", f"freeze:{point}", "grok", prompt) as first:
        frozen(first)
        postgres_server.restart()
        with hub_in("two", "freeze:rests", ELSEWHERE="1") as second:
            frozen(second)  # it has done everything, and keeps its place
            lines, err = goes_on(first)
            assert any("lost: another Tabwire home" in line for line in lines), (lines, err)
            right(lab, prompt, *goes_on(second))


@pytest.mark.soak
def test_a_hub_waits_for_another_of_this_machine_that_only_slept(lab, hub_in, postgres_server):
    """Its process lives, so what it began is its own until it has ended."""
    prompt = new_prompt(seed=700, pieces=8)
    with hub_in("one", "freeze:phase:send", "grok", prompt) as first:
        frozen(first)
        postgres_server.restart()
        with hub_in("two") as second:
            assert any(line.strip() == "StillWaiting" for line in second.stdout)
            assert not prompts_in(lab, prompt)
            lines, err = goes_on(first)
            assert any("lost: another Tabwire home" in line for line in lines), (lines, err)
            right(lab, prompt, *goes_on(second))
