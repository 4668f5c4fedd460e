"""The configuration is written, once, beside what is there, and taken out again exactly."""

import json
import os
import shlex
import stat
import subprocess
import sys

import pytest

from tabwire_guard.hook.arguments import main
from tabwire_guard.hook.configuration import BadConfiguration, added, entries, is_ours, removed
from tabwire_guard.hook.install import config_path, install, uninstall

ASSISTANTS = ("claude-code", "codex", "gemini-cli", "cursor")
FILES = {
    "claude-code": ".claude/settings.json",
    "codex": ".codex/hooks.json",
    "gemini-cli": ".gemini/settings.json",
    "cursor": ".cursor/hooks.json",
}
OTHERS = {
    "claude-code": {
        "model": "opus",
        "permissions": {"allow": ["Bash(ls:*)"], "deny": ["Read(./.env)"]},
        "hooks": {
            "PostToolUse": [{"matcher": "Edit", "hooks": [{"type": "command", "command": "fmt"}]}],
            "PreToolUse": [
                {"matcher": "Bash", "hooks": [{"type": "command", "command": "tabwire status"}]},
                "not one of ours",
            ],
        },
        "später": {"x": [1, 2.5, None, True]},
    },
    "codex": {"hooks": {"Stop": [{"hooks": [{"type": "command", "command": "say"}]}]}},
    "gemini-cli": {"theme": "Dark"},
    "cursor": {"version": 1, "hooks": {"stop": [{"command": "./done.sh"}]}},
}


@pytest.fixture
def home(tmp_path, monkeypatch):
    for name in ("CLAUDE_CONFIG_DIR", "CODEX_HOME"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("USERPROFILE", str(tmp_path))
    return tmp_path


def tree(folder):
    """Every file with what is in it and its mode."""
    return {
        str(path.relative_to(folder)): (path.read_bytes(), stat.S_IMODE(path.stat().st_mode))
        for path in sorted(folder.rglob("*"))
        if path.is_file()
    }


def written(home, assistant, text, mode=0o640):
    path = home / FILES[assistant]
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(text.encode())
    path.chmod(mode)
    return path


@pytest.mark.parametrize("assistant", ASSISTANTS)
def test_an_absolute_path_to_a_program_that_exists_is_installed(home, assistant):
    change = install(assistant, project=None)
    assert change.path == str(home / FILES[assistant])
    told = json.loads((home / FILES[assistant]).read_text())
    for event in entries(assistant, ""):
        (entry,) = told["hooks"][event]
        handler = entry["hooks"][0] if "hooks" in entry else entry
        program = shlex.split(handler["command"])[0]
        assert os.path.isabs(program)
        assert os.access(program, os.X_OK)
        assert is_ours(handler["command"], assistant)


@pytest.mark.parametrize("assistant", ASSISTANTS)
def test_uninstalling_leaves_everything_as_it_was(home, assistant):
    before = tree(home)
    install(assistant, project=None)
    assert tree(home) != before
    uninstall(assistant, project=None)
    assert tree(home) == before
    assert not (home / FILES[assistant]).parent.exists()


LAYOUTS = {
    "two blanks": lambda data: json.dumps(data, indent=2) + "\n",
    "tabs": lambda data: json.dumps(data, indent="\t", ensure_ascii=False),
    "one line": lambda data: json.dumps(data),
    "Windows": lambda data: "\ufeff" + json.dumps(data, indent=4).replace("\n", "\r\n"),
}


@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize("assistant", ASSISTANTS)
def test_what_else_is_there_stays_and_comes_back_byte_by_byte(home, assistant, layout):
    path = written(home, assistant, LAYOUTS[layout](OTHERS[assistant]))
    before = tree(home)
    install(assistant, project=None)
    told = json.loads(path.read_text(encoding="utf-8-sig"))
    assert removed(told, assistant) == OTHERS[assistant]
    assert list(told)[: len(OTHERS[assistant])] == list(OTHERS[assistant])
    assert stat.S_IMODE(path.stat().st_mode) == 0o640
    backup = path.with_name(path.name + ".before-tabwire-guard")
    assert backup.read_bytes() == before[FILES[assistant]][0]
    uninstall(assistant, project=None)
    assert tree(home) == before


def test_the_layout_of_the_file_is_kept(home):
    path = written(home, "claude-code", LAYOUTS["tabs"](OTHERS["claude-code"]))
    install("claude-code", project=None)
    text = path.read_text(encoding="utf-8")
    assert '\n\t"model"' in text
    assert "später" in text
    assert not text.endswith("\n")


@pytest.mark.parametrize("assistant", ASSISTANTS)
def test_installing_again_changes_nothing(home, assistant):
    written(home, assistant, json.dumps(OTHERS[assistant]))
    assert install(assistant, project=None).changed
    once = tree(home)
    assert not install(assistant, project=None).changed
    assert tree(home) == once


def test_a_file_that_was_laid_out_anew_is_left_alone_by_installing_again(home):
    install("claude-code", project=None)
    path = home / FILES["claude-code"]
    path.write_text(json.dumps(json.loads(path.read_text()), separators=(",", ":")))
    assert not install("claude-code", project=None).changed


@pytest.mark.parametrize("text", ['{"a": "\\ud83d", "b": "ä"}', '{"a": "\\u00e4"}'])
def test_texts_of_others_are_written_as_they_were(home, text):
    """Also half a character, which no UTF-8 can hold."""
    path = written(home, "codex", text)
    install("codex", project=None)
    assert "\\u" in path.read_text(encoding="utf-8")
    assert removed(json.loads(path.read_text(encoding="utf-8")), "codex") == json.loads(text)
    uninstall("codex", project=None)
    assert path.read_text(encoding="utf-8") == text


def test_a_file_that_is_read_only_is_left_alone(home):
    written(home, "codex", "{}", mode=0o444)
    before = tree(home)
    with pytest.raises(BadConfiguration, match="is read-only"):
        install("codex", project=None)
    assert tree(home) == before


def test_lines_end_as_they_did(home):
    path = written(home, "claude-code", LAYOUTS["Windows"](OTHERS["claude-code"]))
    install("claude-code", project=None)
    assert b"\n" not in path.read_bytes().replace(b"\r\n", b"")


def test_installing_with_other_options_replaces_the_entry(home):
    path = written(home, "codex", json.dumps(OTHERS["codex"], indent=2))
    before = tree(home)
    install("codex", project=None)
    install("codex", project=None, options=("--on-ask", "pass"))
    told = path.read_text()
    assert told.count("hook codex") == 1
    assert "--on-ask pass" in told
    uninstall("codex", project=None)
    assert tree(home) == before


def test_what_was_changed_meanwhile_stays(home):
    path = written(home, "claude-code", json.dumps(OTHERS["claude-code"], indent=2))
    install("claude-code", project=None)
    told = json.loads(path.read_text())
    path.write_text(json.dumps({**told, "model": "other"}))
    change = uninstall("claude-code", project=None)
    left = json.loads(path.read_text())
    assert left == {**OTHERS["claude-code"], "model": "other"}
    assert os.path.exists(change.backup)


def test_what_is_not_installed_is_not_uninstalled(home):
    written(home, "claude-code", json.dumps(OTHERS["claude-code"]))
    before = tree(home)
    assert not uninstall("claude-code", project=None).changed
    assert not uninstall("codex", project=None).changed
    assert tree(home) == before


UNREADABLE = {
    "comments": ('{\n  // mine\n  "model": "x"\n}', "not valid JSON"),
    "half": ('{"hooks": {', "not valid JSON"),
    "a list": ("[]", "not a JSON object"),
    "the same key twice": ('{"hooks": {}, "hooks": {"a": []}}', "appears twice"),
    "hooks that are a list": ('{"hooks": []}', "hooks is not an object"),
    "an event that is an object": ('{"hooks": {"PreToolUse": {}}}', "is not a list"),
    "a number that is not finite": ('{"a": 1e400}', "not valid JSON"),
    "not a number": ('{"a": NaN}', "not valid JSON"),
    "deep": ('{"a":' * 100_000 + "1" + "}" * 100_000, "nested too deeply"),
}


@pytest.mark.parametrize("name", UNREADABLE)
def test_a_configuration_that_cannot_be_read_is_left_alone(home, name, capsys):
    text, says = UNREADABLE[name]
    written(home, "claude-code", text)
    before = tree(home)
    assert main(["install", "claude-code"], "hook") == 1
    assert says in capsys.readouterr().err
    assert tree(home) == before


def test_a_folder_in_the_place_of_the_file_is_left_alone(home):
    (home / FILES["codex"]).mkdir(parents=True)
    with pytest.raises(BadConfiguration):
        install("codex", project=None)


@pytest.mark.parametrize("text", ["", "{}", '{"hooks": {}}', '{"hooks": {"PreToolUse": []}}'])
def test_what_is_empty_is_filled_and_emptied(home, text):
    path = written(home, "claude-code", text)
    before = tree(home)
    install("claude-code", project=None)
    assert "PreToolUse" in json.loads(path.read_text())["hooks"]
    uninstall("claude-code", project=None)
    assert tree(home) == before


def test_a_link_stays_a_link(home):
    """Many keep such files in a repository of their own."""
    real = home / "dotfiles" / "claude.json"
    real.parent.mkdir()
    real.write_text("{}")
    (home / ".claude").mkdir()
    path = home / FILES["claude-code"]
    path.symlink_to(real)
    install("claude-code", project=None)
    assert path.is_symlink()
    assert "hook claude-code" in real.read_text()
    uninstall("claude-code", project=None)
    assert path.is_symlink()
    assert real.read_text() == "{}"


def test_a_link_in_a_project_that_leads_out_of_it_is_refused(home, tmp_path):
    """A repository may bring such a link, to have something of the person's overwritten."""
    project = tmp_path / "project"
    (project / ".cursor").mkdir(parents=True)
    target = home / "precious.json"
    target.write_text("{}")
    (project / FILES["cursor"]).symlink_to(target)
    with pytest.raises(BadConfiguration, match="points outside the project"):
        install("cursor", project=str(project))
    assert target.read_text() == "{}"


def test_a_back_up_that_is_a_link_is_refused(home, tmp_path):
    """Else a repository could have something of the person's overwritten by it."""
    project = tmp_path / "project"
    path = project / FILES["codex"]
    path.parent.mkdir(parents=True)
    path.write_text("{}")
    target = home / "precious"
    target.write_text("mine")
    path.with_name(path.name + ".before-tabwire-guard").symlink_to(target)
    with pytest.raises(BadConfiguration, match="is a link"):
        install("codex", project=str(project))
    assert target.read_text() == "mine"


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can change owners")
def test_root_leaves_a_file_its_owner(home):
    path = written(home, "codex", "{}")
    os.chown(path, 1234, 1234)
    install("codex", project=None)
    assert (path.stat().st_uid, path.stat().st_gid) == (1234, 1234)


def test_a_link_that_leads_to_itself_is_refused(home):
    path = home / FILES["codex"]
    path.parent.mkdir()
    path.symlink_to(path)
    with pytest.raises(BadConfiguration):
        install("codex", project=None)


def test_a_project_has_a_configuration_of_its_own(home, tmp_path):
    project = tmp_path / "project"
    project.mkdir()
    for assistant in ASSISTANTS:
        change = install(assistant, project=str(project))
        assert change.path.startswith(str(project))
        assert os.path.isfile(change.path)
    assert not (home / ".claude").exists()
    assert (project / ".claude" / "settings.local.json").exists()
    with pytest.raises(BadConfiguration, match="not a folder"):
        install("codex", project=str(tmp_path / "none"))


def test_the_assistants_own_folders_are_found(home, monkeypatch):
    monkeypatch.setenv("CLAUDE_CONFIG_DIR", str(home / "c"))
    monkeypatch.setenv("CODEX_HOME", str(home / "x"))
    assert config_path("claude-code", None) == str(home / "c" / "settings.json")
    assert config_path("codex", None) == str(home / "x" / "hooks.json")


def test_a_dry_run_shows_the_change_and_writes_nothing(home, capsys):
    written(home, "cursor", json.dumps(OTHERS["cursor"], indent=2))
    before = tree(home)
    assert main(["install", "cursor", "--dry-run"], "hook") == 0
    shown = capsys.readouterr().out
    assert '+    "beforeShellExecution"' in shown
    assert "Nothing was written" in shown
    assert main(["install", "cursor", "--dry-run", "--json"], "hook") == 0
    told = json.loads(capsys.readouterr().out)
    assert (told["changed"], told["written"]) == (True, False)
    assert tree(home) == before


def test_json_says_what_was_done(home, capsys):
    assert main(["install", "codex", "--json"], "hook") == 0
    (line,) = capsys.readouterr().out.splitlines()
    told = json.loads(line)
    assert told["path"] == str(home / FILES["codex"])
    assert (told["written"], told["backup"]) == (True, None)
    assert main(["install", "codex", "--json"], "hook") == 0
    (line,) = capsys.readouterr().out.splitlines()
    assert json.loads(line)["changed"] is False


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write anywhere")
def test_a_file_that_cannot_be_written_is_an_error(home):
    path = written(home, "codex", "{}")
    path.parent.chmod(0o500)
    with pytest.raises(BadConfiguration, match="cannot be written"):
        install("codex", project=None)
    path.parent.chmod(0o700)


def test_codex_and_gemini_are_blocked_when_the_program_is_gone(home, monkeypatch):
    """They let a call go on when their hook cannot be started."""
    for assistant, behind in (("codex", "|| exit 2"), ("gemini-cli", "|| exit 2"), ("cursor", "")):
        command = install(assistant, project=None).command
        assert command.endswith(behind or "cursor")


def test_the_program_is_named_as_it_was_started(home, monkeypatch, tmp_path):
    for name, words in (("tabwire", ["guard", "hook"]), ("tabwire-guard", ["hook"])):
        program = tmp_path / "a folder" / name
        program.parent.mkdir(exist_ok=True)
        program.write_text("#!/bin/sh\n")
        program.chmod(0o755)
        monkeypatch.setattr(sys, "argv", [str(program)])
        command = install("claude-code", project=None).command
        assert shlex.split(command) == [str(program), *words, "claude-code"]
        assert is_ours(command, "claude-code")


def test_a_module_of_the_project_is_not_run_for_one_of_ours(home, monkeypatch):
    """`python -m` looks for modules in the folder it is started in: the project's."""
    monkeypatch.setattr(sys, "argv", ["/x/tabwire_guard/__main__.py"])
    command = install("claude-code", project=None).command
    assert is_ours(command, "claude-code")
    for name in ("tabwire_guard", "json"):
        (home / f"{name}.py").write_text("print('run'); raise SystemExit(0)")
    done = subprocess.run(
        command,
        shell=True,
        cwd=home,
        env={**os.environ, "PYTHONPATH": os.pathsep.join(one for one in sys.path if one)},
        input=b"{}",
        capture_output=True,
        check=False,
    )
    assert (done.returncode, b"run\n" in done.stdout) == (2, False)


def test_only_our_own_commands_are_ours():
    for command in (
        "/x/tabwire-guard hook codex || exit 2",
        "'/a b/tabwire' guard hook codex --on-ask pass",
        "/x/python -m tabwire_guard hook codex",
        "/x/python -P -m tabwire_guard hook codex || exit 2",
        r'"C:\a b\tabwire-guard.exe" hook codex',
    ):
        assert is_ours(command, "codex")
        assert not is_ours(command, "cursor")
    for command in ("/x/other hook codex", "tabwire status", None, 7, "tabwire guard hook codexx"):
        assert not is_ours(command, "codex")


def test_adding_and_removing_are_each_others_undoing():
    for assistant in ASSISTANTS:
        data = OTHERS[assistant]
        once = added(data, assistant, f"/x/tabwire-guard hook {assistant}")
        assert added(once, assistant, f"/x/tabwire-guard hook {assistant}") == once
        assert removed(once, assistant) == data
