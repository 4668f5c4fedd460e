"""`tabwire-guard`: a verdict, an exit code, JSON for programs, rules of one's own."""

import json
import os
import subprocess
import sys

import pytest


@pytest.fixture
def run(tmp_path):
    """Runs the program in a folder of its own: exit code, output, errors."""
    project = tmp_path / "project"
    project.mkdir()
    environment = {**os.environ, "TABWIRE_HOME": str(tmp_path / "home")}

    def program(*arguments, text=""):
        done = subprocess.run(
            [sys.executable, "-m", "tabwire_guard", *arguments],
            cwd=project, env=environment, input=text, capture_output=True, text=True, check=False,
        )  # fmt: skip
        return done.returncode, done.stdout, done.stderr

    return program


@pytest.mark.parametrize("command, code", [("ls -la", 0), ("npm install x", 3), ("rm -rf /", 4)])
def test_the_exit_code_is_the_verdict(run, command, code):
    assert run("check", command)[0] == code
    assert run("explain", command)[0] == code
    assert run("check", "--json", "--shell", "bash", "--", *command.split())[0] == code


def test_the_program_answers_alike_where_argparse_reads_the_options(run):
    """An abbreviated option is not read by the fast way."""
    first = run("check", "--json", "--shell=powershell", "ls; rm C:\\ -r")
    assert run("check", "--js", "--sh=powershell", "ls; rm C:\\ -r") == first
    assert first[0] == 4


def test_a_command_comes_from_standard_input_and_many_from_a_file(run):
    assert run("check", text="rm -rf ~\n")[0] == 4
    lines = '{"cmd": "ls", "id": 7}\n{"cmd": "npm install x", "shell": "bash"}\nno json\n'
    code, out, _ = run("check", "--file", "-", text=lines)
    assert [json.loads(line)["verdict"] for line in out.splitlines()] == ["allow", "ask", "ask"]
    assert code == 3


BAD = [
    (("check", "--shell", "fish", "ls"), "unknown shell: fish"),
    (("check", "--file", "/no/such"), "cannot be read"),
    (("check", "--file", "x", "ls"), "cannot be combined"),
    (("explain", "--shell", "fish", "ls"), "unknown shell: fish"),
    (("check", "--nonsense", "ls"), "--nonsense"),
    (("nonsense",), "nonsense"),
    (("test", "/no/such"), "cannot be read"),
    (("ban", "/[bad/"), "invalid pattern"),
    (("allow", "npm * test"), "plain words"),
]


@pytest.mark.parametrize("arguments, message", BAD, ids=[" ".join(case[0]) for case in BAD])
def test_invalid_input_is_an_error_on_standard_error(run, arguments, message):
    code, out, err = run(*arguments)
    assert (code, out) == (2, "")
    assert message in err
    assert "Traceback" not in err


def test_a_broken_rule_file_allows_nothing(run, tmp_path):
    (tmp_path / "home").mkdir()
    (tmp_path / "home" / "guard.toml").write_text("allow = [")
    code, out, err = run("check", "ls")
    assert (code, out) == (2, "")
    assert "guard.toml" in err


def test_own_rules_are_added_listed_accepted_and_forgotten(run, tmp_path):
    assert run("check", "npm install")[0] == 3
    assert "ask -> allow: npm install" in run("allow", "npm install", "--here")[1]
    assert run("check", "npm install")[0] == 0
    kinds = {json.loads(line)["kind"] for line in run("rules", "--json")[1].splitlines()}
    assert kinds == {"built-in", "allow"}
    assert json.loads(run("forget", "npm install", "--json")[1])["changed"][0]["now"] == "ask"
    code, _, err = run("forget", "npm install")
    assert (code, "no rule" in err) == (1, True)
    folder = tmp_path / "project" / ".tabwire"
    folder.mkdir()
    (folder / "guard.toml").write_text('allow = ["npm install"]\n')
    assert run("check", "npm install")[0] == 3
    assert run("accept")[0] == 0
    assert run("check", "npm install")[0] == 0


def test_a_labelled_file_is_scored(run):
    rows = [{"cmd": "rm -rf /", "label": "deny"}, {"cmd": "ls", "label": "allow"}]
    code, out, _ = run("test", "-", "--json", text=json.dumps(rows))
    assert (code, json.loads(out)["met"]) == (0, True)
    rows.append({"cmd": "ls", "label": "deny"})
    code, out, _ = run("test", "-", text=json.dumps(rows))
    assert (code, "deny -> allow: 'ls'" in out) == (1, True)


def test_the_tree_shows_decoded_payloads(run):
    assert "rm -rf /  (piped in)" in run("explain", "echo cm0gLXJmIC8= | base64 -d | sh")[1]


def test_help_names_the_commands_and_the_exit_codes(run):
    for arguments in ((), ("--help",)):
        code, out, _ = run(*arguments)
        assert code == 0
        assert "explain" in out
        assert "3 ask" in out
