"""`tabwire parse` as a process of its own: pipes, character sets, readers that leave."""

import json
import os
import subprocess
import sys

import pytest

from files.spoken import export, exported, sse
from kit.chatgpt import CONVERSATION, OTHER


def objects(out: str):
    return [json.loads(line) for line in out.splitlines()]


def program(*arguments: str, **settings):
    """`tabwire parse …` as a process of its own."""
    environment = os.environ | settings.pop("env", {})
    return subprocess.run(
        [sys.executable, "-m", "tabwire", "parse", *arguments],
        capture_output=True,
        check=False,
        env=environment,
        **settings,
    )


def test_as_a_program_it_reads_standard_input(tmp_path):
    done = program("-", "--json", input=sse())
    assert (done.returncode, done.stderr) == (0, b"")
    (told,) = objects(done.stdout.decode())
    assert (told["file"], told["conversation_id"]) == ("-", CONVERSATION)


def test_as_a_program_it_leaves_with_2(tmp_path):
    done = program("-", input=b"prose")
    assert (done.returncode, done.stdout) == (2, b"")
    assert done.stderr == b"-: not a known format\n"


def test_what_is_printed_into_a_file_has_no_colours(tmp_path):
    done = program("-", input=sse("**fett**"), env={"NO_COLOR": "", "TERM": "xterm-256color"})
    assert done.returncode == 0
    assert b"\x1b" not in done.stdout
    assert b"fett" in done.stdout


@pytest.mark.parametrize("encoding", ["ascii", "cp1252", "utf-8"])
def test_a_narrow_character_set_is_no_crash(encoding):
    """A console or a redirection that knows few characters, as on Windows."""
    environment = {"PYTHONIOENCODING": encoding, "PYTHONUTF8": "0"}
    done = program("-", input=sse("Ein 标签 🙂", title="Tabs — 标签"), env=environment)
    assert done.stderr == b""
    assert done.returncode == 0
    assert b"Tabs" in done.stdout
    done = program("-", "--json", input=sse("Ein 标签 🙂"), env=environment)
    assert objects(done.stdout.decode("utf-8"))[0]["messages"][-1]["text"] == "Ein 标签 🙂"


@pytest.mark.parametrize("options", [["--json"], []], ids=["json", "text"])
def test_a_reader_that_has_seen_enough_is_no_error(tmp_path, options):
    """`tabwire parse … | head -1`."""
    path = tmp_path / "export.json"
    path.write_bytes(export(*(exported(OTHER, "word " * 2000) for _ in range(60))))
    command = [sys.executable, "-m", "tabwire", "parse", str(path), *options]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        assert process.stdout.readline()
        process.stdout.close()
        assert process.stderr.read() == b""
        assert process.wait(30) == 1
