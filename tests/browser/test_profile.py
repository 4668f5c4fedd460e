"""Folders: closed to others, swept when their owner is gone, never another's."""

import json
import os
import socket
import stat
import subprocess
import sys
from dataclasses import asdict
from pathlib import Path

import psutil
import pytest

from tabwire.browser.process import Mark, is_running, mark_of
from tabwire.browser.profile import (
    OWNER,
    PREFIX,
    UNOWNED_SECONDS,
    holder_of,
    make_folders,
    named_profile,
    sweep,
    temporary_base,
)
from tabwire.model.errors import BadChoice


def mode(path):
    return stat.S_IMODE(path.stat().st_mode)


def test_all_folders_are_closed_to_others(tmp_path):
    old = os.umask(0)
    try:
        folders = make_folders(None, tmp_path)
        kept = named_profile(tmp_path / "home", "work")
    finally:
        os.umask(old)
    everything = [folders.scratch, folders.profile, *folders.scratch.iterdir()]
    assert {mode(folder) for folder in everything if folder.is_dir()} == {0o700}
    assert {mode(kept), mode(kept.parent), mode(kept.parent.parent)} == {0o700}
    assert folders.temporary


def test_a_kept_profile_that_was_open_is_closed(tmp_path):
    kept = named_profile(tmp_path, "work")
    kept.chmod(0o755)
    folders = make_folders(kept, tmp_path)
    assert folders.profile == kept
    assert mode(kept) == 0o700
    assert not folders.temporary


@pytest.mark.parametrize("name", ["", "..", ".hidden", "a/b", "a\\b", "x" * 65, "a b", "é", "a\n"])
def test_a_name_cannot_lead_elsewhere(tmp_path, name):
    with pytest.raises(BadChoice):
        named_profile(tmp_path, name)
    assert list(tmp_path.iterdir()) == []


def owned_by(base, name, mark):
    folder = base / f"{PREFIX}{name}"
    folder.mkdir(mode=0o700)
    (folder / OWNER).write_text(json.dumps(asdict(mark)))
    return folder


def test_only_what_nobody_owns_any_more_is_swept(tmp_path):
    me = mark_of(os.getpid())
    gone = owned_by(tmp_path, "gone", Mark(me.pid, "another start"))
    owned_by(tmp_path, "mine", me)
    (tmp_path / "other").mkdir()
    (tmp_path / f"{PREFIX}file").touch()
    (tmp_path / f"{PREFIX}new").mkdir()
    damaged = owned_by(tmp_path, "damaged", me)
    (damaged / OWNER).write_text("{")
    old = tmp_path / f"{PREFIX}old"
    old.mkdir()
    os.utime(old, (0, old.stat().st_mtime - UNOWNED_SECONDS - 60))
    precious = tmp_path / "precious"
    precious.mkdir()
    (precious / OWNER).write_text((gone / OWNER).read_text())
    (tmp_path / f"{PREFIX}link").symlink_to(precious)
    assert sorted(sweep(tmp_path)) == sorted([gone, old])
    assert not gone.exists()
    assert not old.exists()
    left = {path.name.removeprefix(PREFIX) for path in tmp_path.iterdir()}
    assert left == {"mine", "other", "file", "new", "damaged", "precious", "link"}


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can make another person's folder")
def test_another_persons_folder_is_left_alone(tmp_path):
    folder = owned_by(tmp_path, "theirs", Mark(1, "never"))
    os.chown(folder, 12345, -1)
    assert sweep(tmp_path) == []


def test_a_browser_left_by_both_of_its_parents_is_ended_with_its_folder(tmp_path):
    folder = owned_by(tmp_path, "gone", Mark(os.getpid(), "another start"))
    argument = f"--user-data-dir={folder / 'profile'}"
    code = "import sys; print(flush=True); sys.stdin.read()"
    with subprocess.Popen(
        [sys.executable, "-c", code, argument],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
    ) as left:
        left.stdout.readline()
        assert sweep(tmp_path) == [folder]
        assert left.wait(10) == -9


def test_a_mark_is_one_process_only():
    me = mark_of(os.getpid())
    assert is_running(me)
    assert not is_running(Mark(me.pid, me.started + "1"))
    with subprocess.Popen(["true"]) as child:
        child_mark = mark_of(child.pid)
        os.waitid(os.P_PID, child.pid, os.WEXITED | os.WNOWAIT)
        assert mark_of(child.pid) is None, "dead and not yet buried counts as running"
    assert child_mark is None or not is_running(child_mark)


LOCKS = [
    # id, where the lock points
    ("none", None),
    ("a process that is gone", f"{socket.gethostname()}-999999"),
    ("another program with that pid", f"{socket.gethostname()}-{os.getpid()}"),
    ("another machine", f"elsewhere-{os.getpid()}"),
    ("damaged", "x"),
]


@pytest.mark.parametrize("target", [c[1] for c in LOCKS], ids=[c[0] for c in LOCKS])
def test_a_lock_nobody_holds_is_no_obstacle(tmp_path, target):
    if target:
        (tmp_path / "SingletonLock").symlink_to(target)
    assert holder_of(tmp_path) is None


def test_a_lock_that_is_held_names_its_holder(tmp_path):
    code = "import sys; print(flush=True); sys.stdin.read()"
    argument = f"--user-data-dir={tmp_path}/../{tmp_path.name}"
    with subprocess.Popen(
        [sys.executable, "-c", code, argument], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    ) as holder:
        holder.stdout.readline()
        (tmp_path / "SingletonLock").symlink_to(f"{socket.gethostname()}-{holder.pid}")
        assert holder_of(tmp_path) == f"the browser with pid {holder.pid}"
        psutil.Process(holder.pid).kill()


def test_a_snap_gets_its_folder_where_it_can_see_it(tmp_path, monkeypatch):
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path / "t"))
    common = tmp_path / "snap" / "chromium" / "common"
    assert temporary_base("/snap/bin/chromium", tmp_path) == Path(tmp_path / "t")
    common.mkdir(parents=True)
    assert temporary_base("/snap/bin/chromium", tmp_path) == common
    assert temporary_base("/usr/bin/chromium", tmp_path) == tmp_path / "t"
