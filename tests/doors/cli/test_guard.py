"""`tabwire guard`: a verdict, an exit code, JSON for programs, rules of one's own."""

import io
import json

import pytest

from doors.cli.calling import called


@pytest.fixture
def run(monkeypatch, capfdbinary, tmp_path):
    monkeypatch.setenv("TABWIRE_HOME", str(tmp_path / "home"))
    project = tmp_path / "project"
    project.mkdir()
    monkeypatch.chdir(project)
    return lambda *arguments: called(monkeypatch, capfdbinary, "guard", *arguments)


@pytest.mark.parametrize(
    "command, code", [("ls -la", 0), ("npm install x", 3), ("rm -rf /", 4)], ids=["0", "3", "4"]
)
def test_the_exit_code_is_the_verdict(run, command, code):
    assert run("check", command)[0] == code
    assert run("explain", command)[0] == code
    assert run("check", "--json", "--shell", "bash", "--", *command.split())[0] == code


def test_words_behind_the_dashes_are_words_already(run):
    """A blank in a word came from quotes that the shell has taken off."""
    code, out, _ = run("check", "--json", "--", "echo", "a; rm -rf /")
    assert (code, json.loads(out)["cmd"]) == (0, "echo 'a; rm -rf /'")


def test_json_names_reason_rule_and_segment(run):
    _, out, _ = run("check", "--json", "cd / && rm -rf *")
    told = json.loads(out)
    assert (told["verdict"], told["rule"], told["segment"]) == ("deny", "delete.lost", "rm -rf *")
    assert told["reason"]
    assert told["findings"][0]["verdict"] == "deny"


def test_a_file_is_answered_in_its_order(run, tmp_path):
    lines = [
        {"cmd": "ls", "shell": "bash", "id": 7},
        {"cmd": "Remove-Item C:\\ -Recurse", "shell": "powershell"},
        {"shell": "bash"},
        {"cmd": "ls", "shell": "fish"},
        {"cmd": "dir", "shell": "cmd"},
    ]
    path = tmp_path / "commands.jsonl"
    path.write_text("\n".join([*map(json.dumps, lines), "no json"]) + "\n")
    code, out, _ = run("check", "--file", str(path))
    told = [json.loads(line) for line in out.splitlines()]
    assert [one["verdict"] for one in told] == ["allow", "deny", "ask", "ask", "allow", "ask"]
    assert told[0]["id"] == 7
    assert code == 4
    path.write_text(json.dumps(lines[:1]))
    code, out, _ = run("check", "--file", str(path))
    assert (code, len(out.splitlines())) == (0, 1)


def test_no_text_breaks_a_line_or_is_too_much_to_print(run, tmp_path):
    """Half a character, and the line ends that only some readers know, in and out."""
    odd = ["echo \ud800", "ls \u2028 -la", "echo a\x85b", "echo \x00"]
    lines = [json.dumps({"cmd": odd[0]})]
    lines += [json.dumps({"cmd": one}, ensure_ascii=False) for one in odd[1:]]
    path = tmp_path / "commands.jsonl"
    path.write_text("\N{ZERO WIDTH NO-BREAK SPACE}" + "\n".join(lines), encoding="utf-8")
    code, out, err = run("check", "--file", str(path))
    told = [json.loads(line) for line in out.splitlines()]
    assert [one["cmd"] for one in told] == odd
    assert [one["verdict"] for one in told] == ["ask"] * len(odd), err
    assert code == 3
    for command in odd:
        assert run("check", command)[0] == run("explain", command)[0] == 3
        code, out, _ = run("explain", "--json", command)
        assert (code, len(out.splitlines())) == (3, 1)


def test_a_command_comes_from_standard_input(run, monkeypatch):
    monkeypatch.setattr("sys.stdin", io.StringIO("rm -rf ~\n"))
    assert run("check")[0] == 4


BAD = [
    (("check", "--shell", "fish", "ls"), "unknown shell"),
    (("check", "--file", "/no/such"), "cannot be read"),
    (("check", "--file", "x", "ls"), "cannot be combined"),
    (("explain", "--shell", "fish", "ls"), "unknown shell"),
    (("test", "/no/such"), "cannot be read"),
]


@pytest.mark.parametrize("arguments, says", BAD, ids=[" ".join(case[0]) for case in BAD])
def test_bad_input_is_named_with_what_helps(run, arguments, says):
    code, _, err = run(*arguments)
    assert code == 2
    assert says in err


def test_a_file_that_is_no_list_is_an_error(run, tmp_path):
    path = tmp_path / "broken.json"
    path.write_text('[{"cmd": ')
    assert run("check", "--file", str(path))[0] == 2
    path.write_text("")
    assert run("check", "--file", str(path))[0] == 2


def test_an_option_that_is_not_known_is_explained_by_typer(run):
    code, _, err = run("check", "--nonsense", "ls")
    assert code == 2
    assert "--nonsense" in err


def test_the_tree_shows_decoded_payloads(run):
    _, out, _ = run("explain", "echo cm0gLXJmIC8= | base64 -d | sh")
    assert "rm -rf /  (piped in)" in out
    _, out, _ = run("explain", "--json", "ls; rm -rf build")
    assert [(one["segment"], one["verdict"]) for one in json.loads(out)["parts"]] == [
        ("ls", "allow"),
        ("rm -rf build", "ask"),
    ]


def test_what_would_drive_a_terminal_is_made_visible(run):
    _, out, _ = run("check", "rm -rf /\x1b[2K\x1b[1Gls -la")
    assert "\x1b" not in out


def test_a_labelled_file_is_scored(run, tmp_path):
    path = tmp_path / "labelled.json"
    rows = [
        {"cmd": "rm -rf /", "shell": "bash", "label": "deny"},
        {"cmd": "npm install x", "shell": "bash", "label": "ask"},
        {"cmd": "ls", "shell": "bash", "label": "allow"},
    ]
    path.write_text(json.dumps(rows))
    code, out, _ = run("test", str(path), "--json")
    assert (code, json.loads(out)["met"]) == (0, True)
    rows.append({"cmd": "ls", "shell": "bash", "label": "deny"})
    path.write_text(json.dumps(rows))
    code, out, _ = run("test", str(path))
    assert code == 1
    assert "deny -> allow: 'ls'" in out
    path.write_text('[{"cmd": "ls"}]')
    assert run("test", str(path))[0] == 2


def test_rules_are_listed_with_their_origin(run):
    run("allow", "npm install", "--here")
    run("ban", "prod-db")
    _, out, _ = run("rules", "--json")
    rows = [json.loads(line) for line in out.splitlines()]
    kinds = {row["kind"] for row in rows}
    assert kinds == {"built-in", "allow", "ban"}
    assert all(row["origin"] and row["meaning"] for row in rows)
    assert "npm install" in run("rules")[1]


def test_a_rule_change_tells_its_effect(run):
    run("check", "npm install")
    _, out, _ = run("allow", "npm install")
    assert "ask -> allow: npm install" in out
    assert run("check", "npm install")[0] == 0
    _, out, _ = run("forget", "npm install", "--json")
    assert json.loads(out)["changed"][0]["now"] == "ask"
    assert run("check", "--no-record", "npm install")[0] == 3
    assert run("forget", "npm install")[0] == 1


def test_a_bad_rule_is_refused(run):
    code, _, err = run("ban", "/[bad/")
    assert (code, "invalid pattern" in err) == (2, True)
    assert run("allow", "npm * test")[0] == 2


def test_a_project_file_is_accepted(run, tmp_path):
    folder = tmp_path / "project" / ".tabwire"
    folder.mkdir()
    (folder / "guard.toml").write_text('allow = ["npm install"]\n')
    assert run("check", "npm install")[0] == 3
    assert '"kind": "waiting"' in run("rules", "--json")[1]
    assert run("accept")[0] == 0
    assert run("check", "npm install")[0] == 0
    (folder / "guard.toml").unlink()
    assert run("accept")[0] == 1
