"""Start entries made and taken back on this Linux, in folders of their own. S2-059."""

import json
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

from tabwire.hub.agents.start_entries import NothingToChange, apply, plan, undo

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="desktop files")

FLAG = "--remote-debugging-port=9004"
ENTRY = """[Desktop Entry]
Type=Application
Name=Antigravity
Exec={program} %F
Actions=empty;

[Desktop Action empty]
Name=New Empty Window
Exec={program} --new-window %F
"""


@pytest.fixture
def machine(tmp_path):
    """A home, a system with Antigravity in it, and a program that says how it was started."""
    program = tmp_path / "usr" / "antigravity"
    program.parent.mkdir()
    program.write_text(f"#!{sys.executable}\nimport json, sys\nprint(json.dumps(sys.argv[1:]))\n")
    program.chmod(0o755)
    system = tmp_path / "share" / "applications"
    system.mkdir(parents=True)
    (system / "antigravity.desktop").write_text(ENTRY.format(program=program))
    (system / "code.desktop").write_text("[Desktop Entry]\nExec=code %F\n")
    return {
        "HOME": str(tmp_path / "home"),
        "XDG_DATA_HOME": str(tmp_path / "home" / "data"),
        "XDG_DATA_DIRS": str(tmp_path / "share"),
        "TABWIRE_HOME": str(tmp_path / "tabwire"),
    }


def own(machine):
    return Path(machine["XDG_DATA_HOME"]) / "applications" / "antigravity.desktop"


def tree(folder):
    return {str(one): one.read_text() for one in Path(folder).rglob("*") if one.is_file()}


def started(path, folder):
    """Start each line of an entry as a desktop does: no shell, the field code one argument."""
    lines = [line[5:] for line in path.read_text().splitlines() if line.startswith("Exec=")]
    said = []
    for line in lines:
        words = [folder if word == "%F" else word for word in shlex.split(line)]
        done = subprocess.run(words, capture_output=True, check=True, cwd=path.parent)
        said.append(json.loads(done.stdout))
    return said


def test_planning_touches_nothing(machine, tmp_path):
    before = tree(tmp_path)
    (step,) = plan(9004, machine)
    assert step.path == own(machine)
    assert FLAG in step.text
    assert step.before is None
    assert tree(tmp_path) == before
    assert not Path(machine["TABWIRE_HOME"]).exists()


def test_the_entry_starts_it_with_the_port_whatever_a_folder_is_called(machine):
    folder = 'my $(touch pwned) "shop"'
    apply(plan(9004, machine), machine)
    assert started(own(machine), folder) == [[FLAG, folder], ["--new-window", FLAG, folder]]
    assert not (own(machine).parent / "pwned").exists()


def test_what_was_made_is_taken_away_again(machine, tmp_path):
    before = tree(tmp_path / "share")
    apply(plan(9004, machine), machine)
    (gone,) = undo(machine)
    assert (gone.path, gone.what) == (own(machine), "removed")
    assert not own(machine).exists()
    assert tree(tmp_path / "share") == before
    assert undo(machine) == ()


def test_a_persons_own_entry_is_kept_and_put_back(machine):
    own(machine).parent.mkdir(parents=True)
    mine = "[Desktop Entry]\nName=Mine\nExec=/usr/bin/antigravity --mine %F\n"
    own(machine).write_text(mine)
    own(machine).chmod(0o600)
    apply(plan(9004, machine), machine)
    assert f"--mine {FLAG} %F" in own(machine).read_text()
    apply(plan(9333, machine), machine)  # another port: the copy stays the first one
    assert "--remote-debugging-port=9333" in own(machine).read_text()
    (back,) = undo(machine)
    assert back.what == "restored"
    assert own(machine).read_text() == mine
    assert own(machine).stat().st_mode & 0o777 == 0o600


def test_a_link_is_a_link_again(machine, tmp_path):
    own(machine).parent.mkdir(parents=True)
    real = tmp_path / "elsewhere.desktop"
    real.write_text("[Desktop Entry]\nExec=antigravity\n")
    own(machine).symlink_to(real)
    apply(plan(9004, machine), machine)
    assert not own(machine).is_symlink()
    assert real.read_text() == "[Desktop Entry]\nExec=antigravity\n"
    undo(machine)
    assert own(machine).is_symlink()
    assert own(machine).resolve() == real


def test_what_somebody_changed_since_is_left_and_said(machine):
    apply(plan(9004, machine), machine)
    own(machine).write_text("mine now")
    (left,) = undo(machine)
    assert left.what == "left"
    assert "it was changed" in left.why
    assert own(machine).read_text() == "mine now"


def test_twice_is_as_once(machine):
    assert len(apply(plan(9004, machine), machine)) == 1
    assert apply(plan(9004, machine), machine) == ()


def test_an_update_of_the_systems_entry_is_followed(machine, tmp_path):
    apply(plan(9004, machine), machine)
    system = tmp_path / "share" / "applications" / "antigravity.desktop"
    system.write_text(system.read_text().replace("Name=Antigravity", "Name=Antigravity 3"))
    apply(plan(9004, machine), machine)
    assert "Name=Antigravity 3" in own(machine).read_text()
    (gone,) = undo(machine)
    assert gone.what == "removed"


def test_an_end_between_note_and_file_is_undone_as_well(machine, monkeypatch):
    own(machine).parent.mkdir(parents=True)
    own(machine).write_text("[Desktop Entry]\nExec=antigravity\n")
    from tabwire.hub.agents import start_entries as relaunch

    real = relaunch.write_whole

    def fails(path, text, mode=0o600):
        if path == own(machine):
            raise OSError("no room")
        real(path, text, mode)

    monkeypatch.setattr(relaunch, "write_whole", fails)
    with pytest.raises(OSError, match="no room"):
        apply(plan(9004, machine), machine)
    monkeypatch.setattr(relaunch, "write_whole", real)
    assert own(machine).read_text() == "[Desktop Entry]\nExec=antigravity\n"
    (back,) = undo(machine)
    assert back.what == "restored"
    assert own(machine).read_text() == "[Desktop Entry]\nExec=antigravity\n"


def test_nothing_to_change_is_said(machine, tmp_path):
    (tmp_path / "share" / "applications" / "antigravity.desktop").unlink()
    with pytest.raises(NothingToChange, match="no Antigravity start entry"):
        plan(9004, machine)


def test_the_other_systems_plans_are_files_to_look_at(machine, tmp_path, monkeypatch):
    (script,) = plan(9004, machine, "win32")
    assert script.path.name == "shortcuts.ps1"
    assert not script.path.exists()
    from tabwire.hub.agents import start_entries as relaunch

    monkeypatch.setattr(relaunch, "MAC_PROGRAMS", (str(tmp_path / "usr" / "antigravity"),))
    (wrapper,) = plan(9004, machine, "darwin")
    assert wrapper.path == Path(machine["HOME"]) / ".local" / "bin" / "antigravity-cdp"
    apply([wrapper], machine)
    done = subprocess.run([wrapper.path, "a b"], capture_output=True, check=True)
    assert json.loads(done.stdout) == [FLAG, "a b"]
