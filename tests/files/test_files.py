"""Files as the system gives them, or does not: missing, forbidden, piped, huge."""

import io
import os
import shutil
import subprocess
import sys
import threading

import pytest

from files.spoken import BODIES, chatgpt_stored, read_all, read_one, said, sse
from kit.chatgpt import CONVERSATION
from tabwire.files import reader as reading
from tabwire.hub import Kind, read_files


def test_a_file_that_is_not_there(tmp_path):
    (report,) = read_files([tmp_path / "gone.sse"])
    assert report.file == str(tmp_path / "gone.sse")
    assert (report.site, report.kind, report.conversation_id) == (None, None, None)
    assert (report.problems, report.damaged) == (("No such file or directory",), True)


def test_a_folder(tmp_path):
    (report,) = read_files([tmp_path])
    assert (report.problems, report.damaged) == (("Is a directory",), True)


def test_a_loop_of_links_and_a_name_that_is_too_long(tmp_path):
    (tmp_path / "loop").symlink_to(tmp_path / "loop")
    for path in (tmp_path / "loop", tmp_path / ("n" * 300)):
        (report,) = read_files([path])
        assert report.problems
        assert report.damaged


def test_a_file_we_may_not_read(tmp_path):
    """Root may read anything, so root asks as somebody else."""
    path = tmp_path / "secret.sse"
    path.write_bytes(sse())
    path.chmod(0)
    program = (
        "import sys; from pathlib import Path; from tabwire.hub import read_files\n"
        "(report,) = read_files([Path(sys.argv[1])])\n"
        "print(report.problems, report.damaged)"
    )
    command = [sys.executable, "-c", program, str(path)]
    if os.geteuid() == 0:
        if shutil.which("setpriv") is None:
            pytest.skip("runs as root, who may read anything, and there is no setpriv")
        command = ["setpriv", "--reuid=65534", "--regid=65534", "--clear-groups", *command]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if "ModuleNotFoundError" in done.stderr or done.returncode in (126, 127):
        pytest.skip("another user may not run this Python")
    assert (done.stdout, done.stderr) == ("('Permission denied',) True\n", "")


class _Standard:
    """As `sys.stdin`, with the bytes a pipe would bring."""

    def __init__(self, body: bytes) -> None:
        self.buffer = io.BytesIO(body)


@pytest.mark.parametrize("kind", Kind, ids=str)
def test_standard_input_is_read_like_a_file(monkeypatch, tmp_path, kind):
    monkeypatch.setattr(sys, "stdin", _Standard(BODIES[kind]))
    reports = list(read_files([reading.STDIN]))
    assert {report.file for report in reports} == {"-"}
    in_file = read_all(tmp_path, BODIES[kind])
    assert [(r.kind, r.conversation_id, said(r)) for r in reports] == [
        (r.kind, r.conversation_id, said(r)) for r in in_file
    ]


def test_nothing_on_standard_input(monkeypatch):
    monkeypatch.setattr(sys, "stdin", _Standard(b""))
    (report,) = read_files([reading.STDIN])
    assert (report.problems, report.damaged) == (("the file is empty",), True)


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no named pipes here")
def test_a_pipe_with_a_name_is_read_like_standard_input(tmp_path):
    """`tabwire parse <(curl …)`: it has no size and cannot be read twice."""
    path = tmp_path / "pipe"
    os.mkfifo(path)
    writer = threading.Thread(target=path.write_bytes, args=[sse()], daemon=True)
    writer.start()
    (report,) = read_files([path])
    writer.join(5)
    assert (report.conversation_id, report.problems) == (CONVERSATION, ())


# -- size -----------------------------------------------------------------------------------


def test_a_single_body_has_a_limit(monkeypatch, tmp_path):
    body = chatgpt_stored()
    monkeypatch.setattr(reading, "MAX_BODY", len(body))
    assert read_one(tmp_path, body).conversation_id == CONVERSATION
    report = read_one(tmp_path, body + b"\n")
    assert (report.conversation_id, report.damaged, report.site) == (None, True, None)
    assert str(len(body)) in report.problems[0]


def test_the_limit_does_not_hold_for_what_is_read_in_pieces(monkeypatch, tmp_path):
    monkeypatch.setattr(reading, "MAX_BODY", 10)
    for kind in (Kind.SSE, Kind.NDJSON, Kind.STREAM_GENERATE, Kind.HAR, Kind.EXPORT):
        assert read_all(tmp_path, BODIES[kind])[0].conversation_id is not None, kind


@pytest.mark.parametrize("kind", [Kind.SSE, Kind.NDJSON, Kind.STREAM_GENERATE, Kind.EXPORT])
def test_how_far_a_file_is_read_is_told(monkeypatch, tmp_path, kind):
    monkeypatch.setattr(reading, "PIECE", 64)
    told = []
    read_all(tmp_path, BODIES[kind], progress=lambda *args: told.append(args))
    size = len(BODIES[kind])
    assert {(path.name, of) for path, _, of in told} == {("0.body", size)}
    done = [done for _, done, _ in told]
    assert done == sorted(done)
    assert 0 < done[0] <= done[-1] <= size


def test_progress_through_a_har_is_told(tmp_path):
    told = []
    read_all(tmp_path, BODIES[Kind.HAR], progress=lambda *args: told.append(args[1:]))
    assert len(told) == 1
    assert 0 < told[0][0] < told[0][1] == len(BODIES[Kind.HAR])


@pytest.mark.parametrize("kind", [None, *Kind], ids=str)
@pytest.mark.rows(3, first=1)
def test_200_mb_of_zeros_are_refused_with_little_memory(tmp_path, kind):
    """A sparse file, so no disk; peak memory of a process of its own.

    Asked of /proc where there is one: `ru_maxrss` begins with the peak of the parent.
    """
    path = tmp_path / "zeros"
    path.touch()
    os.truncate(path, 200 * 1024 * 1024)
    program = (
        "import resource, sys; from pathlib import Path\n"
        "from tabwire.hub import Kind, read_files\n"
        "kind = Kind(sys.argv[2]) if sys.argv[2:] else None\n"
        "(report,) = read_files([Path(sys.argv[1])], kind=kind)\n"
        "assert report.conversation_id is None and report.problems and report.damaged\n"
        "status = Path('/proc/self/status')\n"
        "lines = status.read_text().splitlines() if status.exists() else []\n"
        "peak = [int(line.split()[1]) for line in lines if line.startswith('VmHWM')]\n"
        "print(*(peak or [resource.getrusage(resource.RUSAGE_SELF).ru_maxrss]))"
    )
    command = [sys.executable, "-c", program, str(path), *([kind] if kind else [])]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.stderr == ""
    unit = 1 if sys.platform == "darwin" else 1024
    megabytes = int(done.stdout) * unit // 2**20
    # Looked at, it is refused at once; said to be a stream, one line of it may be held.
    assert megabytes < (150 if kind is None else 400), f"{megabytes} MB"
