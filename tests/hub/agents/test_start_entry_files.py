"""What start entries say with a debugging port: tables, and the files run for real."""

import json
import os
import re
import stat
import subprocess
import sys

import pytest

from tabwire.hub.agents.start_entry_files import (
    CannotChange,
    checked_port,
    exec_with_port,
    is_antigravity,
    mac_wrapper,
    windows_script,
    with_port,
)

PORT = "--remote-debugging-port=9004"

EXECS = [
    # id, Exec before, after
    ("plain", "/usr/bin/antigravity", f"/usr/bin/antigravity {PORT}"),
    ("before the files", "antigravity --new-window %F", f"antigravity --new-window {PORT} %F"),
    ("once only", f"antigravity {PORT} %F", f"antigravity {PORT} %F"),
    ("another port", "antigravity --remote-debugging-port=9222 %U", f"antigravity {PORT} %U"),
    ("apart", "antigravity --remote-debugging-port 9222 %U", f"antigravity {PORT} %U"),
    ("behind the files", f"antigravity %F {PORT}", f"antigravity {PORT} %F"),
    ("quoted", '"/usr/lib/Anti Gravity/a" "%F"', f'"/usr/lib/Anti Gravity/a" {PORT} "%F"'),
    ("env", "env A=1 antigravity %F", f"env A=1 antigravity {PORT} %F"),
    ("end of flags", "antigravity -- %F", f"antigravity {PORT} -- %F"),
    (
        "flatpak",
        "flatpak run --file-forwarding com.google.Antigravity @@ %F @@",
        f"flatpak run --file-forwarding com.google.Antigravity {PORT} @@ %F @@",
    ),
    ("a per cent sign", "antigravity --x=%% %u", f"antigravity --x=%% {PORT} %u"),
]


@pytest.mark.parametrize("before, after", [c[1:] for c in EXECS], ids=[c[0] for c in EXECS])
def test_the_port_stands_before_what_is_opened(before, after):
    assert exec_with_port(before, 9004) == after
    assert exec_with_port(after, 9004) == after


@pytest.mark.parametrize(
    "line", ["", 'antigravity "%F', 'sh -c "antigravity %F"', "/bin/bash -c x"]
)
def test_a_line_nobody_can_read_is_left(line):
    with pytest.raises(CannotChange):
        exec_with_port(line, 9004)


DESKTOP = """[Desktop Entry]
# a comment
Name=Antigravity
Name[ja]=アンチグラビティ
Exec=/usr/share/antigravity/antigravity %F
DBusActivatable=true
Actions=new-empty-window;

[Desktop Action new-empty-window]
Name=New Empty Window
Exec=/usr/share/antigravity/antigravity --new-window %F
Icon=antigravity
"""


def test_every_line_that_starts_something_has_it_and_no_other_is_touched():
    changed = with_port(DESKTOP, 9004)
    assert changed.lines == 2
    before, after = DESKTOP.splitlines(), changed.text.splitlines()
    differ = [(a, b) for a, b in zip(before, after, strict=True) if a != b]
    assert differ == [
        (
            "Exec=/usr/share/antigravity/antigravity %F",
            f"Exec=/usr/share/antigravity/antigravity {PORT} %F",
        ),
        ("DBusActivatable=true", "DBusActivatable=false"),
        (
            "Exec=/usr/share/antigravity/antigravity --new-window %F",
            f"Exec=/usr/share/antigravity/antigravity --new-window {PORT} %F",
        ),
    ]
    assert with_port(changed.text, 9004).text == changed.text


def test_a_line_that_is_left_is_said():
    changed = with_port('[Desktop Entry]\nExec=sh -c "antigravity"\nExec=antigravity\n', 9004)
    assert changed.lines == 1
    assert len(changed.left) == 1
    assert "through a shell" in changed.left[0]


def test_line_ends_stay_as_they_are():
    assert (
        with_port("Exec=antigravity\r\nName=x", 9004).text == f"Exec=antigravity {PORT}\r\nName=x"
    )


NAMES = [
    # file, Exec, is it Antigravity's?
    ("antigravity.desktop", "/usr/bin/anything", True),
    ("antigravity-url-handler.desktop", "x", True),
    ("com.google.Antigravity.desktop", "x", True),
    ("ide.desktop", "/usr/share/antigravity/antigravity %F", True),
    ("ide.desktop", "/usr/lib/Antigravity-IDE/electron %F", True),
    ("ide.desktop", "env A=1 antigravity", True),
    ("code.desktop", "/usr/bin/code /srv/p/antigravity", False),
    ("notes.desktop", "gedit --new /srv/p/antigravity.txt", False),
    ("anti.desktop", "antivirus", False),
]


@pytest.mark.parametrize("name, command, ours", NAMES)
def test_only_antigravitys_own_entries_are_changed(name, command, ours):
    assert is_antigravity(name, f"[Desktop Entry]\nExec={command}\n") is ours


@pytest.mark.parametrize("port", [0, 80, 1023, 65536, -1])
def test_a_port_that_is_none_is_refused(port):
    with pytest.raises(ValueError, match="is not a port"):
        checked_port(port)
    for make in (
        lambda: with_port("", port),
        lambda: mac_wrapper("/x", port),
        lambda: windows_script(port, "x"),
    ):
        with pytest.raises(ValueError, match="is not a port"):
            make()


EVIL = ["$(touch pwned)", "`touch pwned`", '"; touch pwned; "', "'; touch pwned; '", "a b\nc", "-x"]


@pytest.mark.skipif(os.name != "posix", reason="a shell script")
def test_the_macs_wrapper_hands_folders_on_as_they_are_called(tmp_path):
    """Seed 002's relauncher let a folder's name run as a command (facts 5.10)."""
    program = tmp_path / "Anti'Gravity $(touch pwned).app" / "Electron"
    program.parent.mkdir()
    said = "import json, sys\nprint(json.dumps(sys.argv[1:]))\n"
    program.write_text(f"#!{sys.executable}\n{said}")
    program.chmod(0o755)
    wrapper = tmp_path / "antigravity-cdp"
    wrapper.write_text(mac_wrapper(str(program), 9004))
    wrapper.chmod(wrapper.stat().st_mode | stat.S_IXUSR)
    done = subprocess.run([wrapper, *EVIL], capture_output=True, cwd=tmp_path, check=True)
    assert json.loads(done.stdout) == [PORT, *EVIL]
    assert not (tmp_path / "pwned").exists()


def test_the_windows_script_quotes_the_one_path_that_is_put_into_it():
    script = windows_script(9004, "C:\\Users\\O'Neil\\$(calc)\\BACKUPS PORT")
    assert "$backups = 'C:\\Users\\O''Neil\\$(calc)\\BACKUPS PORT'\n" in script
    assert "$port = 9004\n" in script
    assert re.findall(r"\bPORT\b|\bBACKUPS\b", script) == ["BACKUPS", "PORT"]


def test_the_windows_script_shows_first_keeps_copies_and_can_be_undone():
    script = windows_script(9004, "C:\\copies")
    assert "param([switch]$Apply, [switch]$Undo)" in script
    show, change = script.index("if (-not $Apply) { continue }"), script.index("$link.Save()")
    copy = script.index("Copy-Item -LiteralPath $file.FullName")
    assert show < copy < change
    assert "Invoke-Expression" not in script
    assert "cmd /c" not in script
