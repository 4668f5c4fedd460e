"""Programs that are no browser, or a bad one: each ends in a named error, and nothing stays."""

import asyncio
import os
import signal

import psutil
import pytest

from tabwire.browser.find import Brand, Channel, Found
from tabwire.browser.launch import Exit, Launch, Patience, launch
from tabwire.model.errors import BrowserDidNotStart, ProfileInUse, Retry

pytestmark = pytest.mark.asyncio

SHORT = Patience(start_seconds=5, polite_seconds=0.1, grace_seconds=0.2, bury_seconds=5)


LISTENS = "echo 'DevTools listening on ws://127.0.0.1:1/devtools/browser/x' >&2"
HANDED_ON = "echo Opening in existing browser session."
BAD = [
    # id, the program, the error, what is said
    (
        "ends at once",
        "echo no display >&2; exit 3",
        BrowserDidNotStart,
        "code 3; its output: no disp",
    ),
    ("ends well at once", "echo done", BrowserDidNotStart, "code 0; its output: done"),
    ("says nothing", "kill -9 $$", BrowserDidNotStart, "exited immediately with code -9$"),
    ("gave itself to another", HANDED_ON, ProfileInUse, "is in use by another browser"),
    (
        "announces what is not",
        f"{LISTENS}; exec sleep 60",
        BrowserDidNotStart,
        "nothing is listening at",
    ),
    ("announces nonsense", "echo DevTools listening on x; sleep 60", BrowserDidNotStart, "started"),
]


@pytest.mark.parametrize("text, error, said", [c[1:] for c in BAD], ids=[c[0] for c in BAD])
async def test_what_is_no_browser_ends_in_a_named_error(program, base, text, error, said):
    """Promise: say."""
    async with asyncio.timeout(20):
        with pytest.raises(error, match=said) as caught:
            await launch(Launch(program(f"#!/bin/sh\n{text}"), patience=SHORT))
    assert type(caught.value) is error
    assert caught.value.what_to_do
    assert caught.value.retry is Retry.SAME


async def test_a_file_that_is_no_program(program, base):
    async with asyncio.timeout(20):
        with pytest.raises(BrowserDidNotStart, match="cannot be run: Exec format error"):
            await launch(Launch(program("text"), patience=SHORT))


async def test_a_file_that_may_not_be_run(program, base):
    async with asyncio.timeout(20):
        with pytest.raises(BrowserDidNotStart, match="cannot be run: Permission denied"):
            await launch(Launch(program("#!/bin/sh", 0o644), patience=SHORT))


async def test_a_path_that_is_gone(program, base):
    async with asyncio.timeout(20):
        with pytest.raises(BrowserDidNotStart, match="cannot be run: No such file"):
            await launch(Launch(Found(Brand.OTHER, Channel.STABLE, "/no/such"), patience=SHORT))


async def test_one_that_never_answers_is_given_up_and_killed(program, base, tmp_path):
    """It ignores polite requests too, and has a child that left its session."""
    noted = tmp_path / "pids"
    text = f"""#!/bin/sh
trap '' TERM
setsid sh -c 'trap "" TERM; echo $$ >> {noted}; while :; do sleep 60; done' &
echo $$ >> {noted}
echo still thinking >&2
while :; do sleep 60; done
"""
    patience = Patience(start_seconds=1, grace_seconds=0.1)
    async with asyncio.timeout(20):
        with pytest.raises(BrowserDidNotStart, match=r"within 1 s; its output: still thinking"):
            await launch(Launch(program(text), patience=patience))
    pids = [int(pid) for pid in noted.read_text().split()]
    assert len(pids) == 2
    assert [pid for pid in pids if psutil.pid_exists(pid)] == []


async def test_a_flood_on_stderr_does_not_fill_memory_and_its_end_is_kept(program, base):
    """A browser whose stderr nobody reads stops dead at 64 KB."""
    text = """#!/bin/sh
yes x | head -n 50000 >&2
yes | head -c 3000000 | tr -d '\\n' >&2
echo end >&2
echo last >&2
exit 1
"""
    async with asyncio.timeout(20):
        with pytest.raises(BrowserDidNotStart, match="its output: last") as caught:
            await launch(Launch(program(text), patience=SHORT))
    said = caught.value.said
    assert len(said) == 40
    assert said[-2].endswith("yyyend")
    assert max(map(len, said)) <= 8 << 10


async def test_a_keeper_that_is_frozen_is_not_waited_for_forever(answering, base):
    patience = Patience(start_seconds=10, grace_seconds=0.1, bury_seconds=0.2)
    async with asyncio.timeout(20):
        browser = await launch(Launch(answering, patience=patience))
        assert browser.version.browser == "Fake/1"
        main = psutil.Process(browser.pid)
        os.kill(browser.keeper_pid, signal.SIGSTOP)
        assert await browser.stop() == Exit(None, asked=True)
        _, alive = await asyncio.to_thread(psutil.wait_procs, [main], timeout=30)
    assert alive == []
