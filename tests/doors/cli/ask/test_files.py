"""`--out`: whole files or none, and never over what is there."""

import errno
import json
import os
import stat

import pytest

from doors.cli.ask.scripted import WHOLE, ScriptedHub, answer
from tabwire.doors.cli.ask import files as ask_out
from tabwire.model.ask_errors import LoginRequired

TEXT = b"A **tab** holds a page.\n"


def files(folder):
    return {
        str(path.relative_to(folder)): path.read_bytes()
        for path in sorted(folder.rglob("*"))
        if path.is_file()
    }


def test_one_answer_goes_into_a_file_and_not_to_stdout(asked, tmp_path):
    hub = ScriptedHub(WHOLE)
    code, out, err = asked(hub, "ask", "Why?", "--to", "chatgpt", "--out", "new/a.md")
    assert (code, out) == (0, b"")
    assert files(tmp_path) == {"new/a.md": TEXT}
    assert "chatgpt: written to new/a.md" in err
    assert stat.S_IMODE(os.stat("new/a.md").st_mode) & 0o400


def test_one_answer_goes_into_a_folder_that_is_there(asked, tmp_path):
    (tmp_path / "kept").mkdir()
    asked(ScriptedHub(WHOLE), "ask", "Why?", "--to", "chatgpt", "--out", "kept", "--plain")
    assert files(tmp_path) == {"kept/chatgpt.txt": b"A tab holds a page.\n"}


def test_several_answers_go_into_a_folder_without_headings(asked, tmp_path):
    hub = ScriptedHub(WHOLE, answer("grok", "No."), LoginRequired("gemini"))
    to = ("--to", "chatgpt,grok,gemini", "--compare")
    code, out, err = asked(hub, "ask", "Why?", *to, "--out", "kept")
    assert (code, out) == (3, b"")
    found = files(tmp_path / "kept")
    assert found.pop("comparison.md").startswith(b"# Comparison\n")
    assert found == {"chatgpt.md": TEXT, "grok.md": b"No.\n"}
    assert "Gemini requires a login" in err


def test_json_is_one_file(asked, tmp_path):
    hub = ScriptedHub(WHOLE, answer("grok", "No."))
    code, out, _ = asked(hub, "ask", "Why?", "--to", "chatgpt,grok", "--json", "--out", "a.json")
    assert (code, out) == (0, b"")
    assert [one["site"] for one in json.loads(files(tmp_path)["a.json"])["answers"]] == [
        *("chatgpt", "grok")
    ]


@pytest.mark.parametrize("to, there", [("chatgpt", "a.md"), ("chatgpt,grok", "a.md/grok.md")])
def test_what_is_there_is_kept_and_nothing_is_asked(asked, tmp_path, to, there):
    (tmp_path / there).parent.mkdir(exist_ok=True)
    (tmp_path / there).write_bytes(b"mine")
    hub = ScriptedHub(WHOLE, answer("grok"))
    code, out, err = asked(hub, "ask", "Why?", "--to", to, "--out", "a.md")
    assert (code, out, hub.asked) == (2, b"", [])
    assert "--force" in err
    assert files(tmp_path) == {there: b"mine"}
    code, _, _ = asked(hub, "ask", "Why?", "--to", to, "--out", "a.md", "--force")
    assert code == 0
    assert files(tmp_path)[there] == TEXT


def test_force_never_replaces_what_is_no_file(asked, tmp_path):
    os.mkfifo(tmp_path / "pipe")
    code, _, err = asked(
        ScriptedHub(WHOLE), "ask", "Why?", "--to", "chatgpt", "--out", "pipe", "--force"
    )
    assert code == 2
    assert "not a regular file" in err


def test_a_file_that_appears_meanwhile_is_kept_and_the_answer_printed(asked, tmp_path):
    class Slow(ScriptedHub):
        async def ask(self, *arguments, **others):
            (tmp_path / "a.md").write_bytes(b"mine")
            return await super().ask(*arguments, **others)

    code, out, err = asked(Slow(WHOLE), "ask", "Why?", "--to", "chatgpt", "--out", "a.md")
    assert (code, out) == (1, TEXT)
    assert "cannot write a.md: File exists" in err
    assert files(tmp_path) == {"a.md": b"mine"}


@pytest.mark.parametrize("options", [[], ["--json"]], ids=["markdown", "json"])
def test_a_full_disk_loses_no_answer_and_leaves_no_piece(asked, monkeypatch, tmp_path, options):
    def full(_):
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr(os, "fsync", full)
    hub = ScriptedHub(WHOLE)
    code, out, err = asked(hub, "ask", "Why?", "--to", "chatgpt", "--out", "a.md", *options)
    assert code == 1
    assert b"A **tab** holds a page." in out
    assert "No space left" in err
    assert files(tmp_path) == {}


def test_where_files_cannot_be_linked_they_are_still_never_replaced(monkeypatch, tmp_path):
    """FAT and some network folders."""

    def refuse(*_):
        raise OSError(errno.EPERM, "no links here")

    monkeypatch.setattr(os, "link", refuse)
    ask_out.write(tmp_path / "a", b"1", force=False)
    with pytest.raises(FileExistsError):
        ask_out.write(tmp_path / "a", b"2", force=False)
    assert files(tmp_path) == {"a": b"1"}


def test_a_folder_nobody_may_write_into_is_told_before_anything_is_asked(asked, monkeypatch):
    """The tests may run as root, whom no folder refuses, so the system's answer is given here."""
    monkeypatch.setattr(os, "access", lambda *_: False)
    hub = ScriptedHub(WHOLE)
    code, _, err = asked(hub, "ask", "Why?", "--to", "chatgpt", "--out", "new/a.md")
    assert (code, hub.asked) == (2, [])
    assert "is not writable" in err
