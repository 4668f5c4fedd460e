"""Files that tools name are judged by where they are, and by where links lead."""

import pytest

from tabwire_guard.flow.state import State
from tabwire_guard.hook.files import judge_read, judge_write

HOME = "/home/ann"


def state(workspace="/home/ann/app", cwd="", home=HOME, shell="bash"):
    return State(shell=shell, workspace=workspace, cwd=cwd or workspace, home=home)


WRITES = [
    # path, verdict
    ("/home/ann/app/src/a.py", "none"),
    ("src/a.py", "none"),
    ("./src/../b.py", "none"),
    ("new/folder/a.py", "none"),
    ("/tmp/scratch/a.txt", "none"),
    ("/dev/null", "none"),
    ("../other/a.py", "ask"),
    ("/home/ann/other/a.py", "ask"),
    ("/home/ann/appendix/a.py", "ask"),
    ("/data/a.csv", "ask"),
    ("Makefile", "ask"),
    ("package.json", "ask"),
    (".github/workflows/ci.yml", "ask"),
    (".env", "ask"),
    (".env.example", "none"),
    ("~/notes.txt", "ask"),
    ("/etc/hosts", "deny"),
    ("/usr/local/bin/x", "deny"),
    ("../../../etc/cron.d/x", "deny"),
    ("src/../../.bashrc", "deny"),
    ("/home/ann/.zshrc", "deny"),
    ("~/.bashrc", "deny"),
    ("/home/ann/.config/fish/config.fish", "deny"),
    ("/home/ann/.ssh/authorized_keys", "deny"),
    ("/home/ann/.gitconfig", "deny"),
    (".git/hooks/pre-commit", "deny"),
    (".git/config", "deny"),
    ("sub/.git/hooks/post-checkout", "deny"),
    (".husky/pre-push", "deny"),
    (".githooks/pre-push", "deny"),
    (".claude/settings.json", "deny"),
    (".claude/settings.local.json", "deny"),
    (".claude/hooks/guard.py", "deny"),
    (".codex/hooks.json", "deny"),
    (".codex/config.toml", "deny"),
    (".gemini/settings.json", "deny"),
    (".cursor/hooks.json", "deny"),
    (".cursor/mcp.json", "deny"),
    (".mcp.json", "deny"),
    (".tabwire/guard.toml", "deny"),
    (".claude/./settings.json", "deny"),
    (".claude//settings.json", "deny"),
    (".claude/commands/../settings.json", "deny"),
    (".claude/settings.json/", "deny"),
    ("/home/ann/.claude/plans/../CLAUDE.md", "deny"),
    ("/home/ann/.claude/plans/../commands/a.md", "deny"),
    (".CLAUDE/Settings.json", "deny"),
    ("/home/ann/.claude/settings.json", "deny"),
    ("/home/ann/.codex/config.toml", "deny"),
    (".claude/commands/review.md", "ask"),
    (".cursor/rules/style.mdc", "ask"),
    ("/home/ann/.claude/plans/a.md", "none"),
    ("/home/ann/.claude/projects/-app/memory/MEMORY.md", "none"),
    ("/home/ann/.claude/projects/-app/memory/../../../settings.json", "deny"),
    ("/", "deny"),
    ("", "deny"),
    ("a\0b", "deny"),
    ("\ufdd0/etc", "deny"),
    ("x" * 5000, "none"),
]


@pytest.mark.parametrize("path, verdict", WRITES, ids=[ascii(one[0][:60]) for one in WRITES])
def test_a_file_is_written_where_files_of_the_project_are(path, verdict):
    assert judge_write(path, state()).verdict == verdict


READS = [
    ("src/a.py", False, "none"),
    ("/usr/include/stdio.h", False, "none"),
    ("/home/ann/other/README.md", False, "none"),
    (".env", False, "ask"),
    ("config/secrets.yml", False, "ask"),
    ("/home/ann/.ssh/id_rsa", False, "deny"),
    ("/home/ann/.ssh/id_rsa.pub", False, "none"),
    ("~/.aws/credentials", False, "deny"),
    ("../.netrc", False, "deny"),
    ("/etc/shadow", False, "deny"),
    ("/home/ann/.config/some/settings.json", False, "ask"),
    ("/dev/sda", False, "ask"),
    ("src", True, "none"),
    (".", True, "none"),
    ("/home/ann", True, "ask"),
    ("/", True, "ask"),
    ("/home/ann/.ssh", True, "deny"),
]


@pytest.mark.parametrize("path, deep, verdict", READS, ids=[one[0] for one in READS])
def test_a_file_is_read_where_no_secrets_are(path, deep, verdict):
    assert judge_read(path, state(), deep=deep).verdict == verdict


def test_windows_paths_are_judged_anywhere():
    where = state(r"C:\Users\ann\app", home=r"C:\Users\ann", shell="powershell")
    for path, verdict in (
        (r"C:\Users\ann\app\src\a.py", "none"),
        (r"src\a.py", "none"),
        (r"C:\Windows\System32\drivers\etc\hosts", "deny"),
        (r"C:\Users\ann\app\.git\hooks\pre-commit", "deny"),
        (r"..\.ssh\authorized_keys", "deny"),
        (r"C:\Users\ann\app\.claude\settings.json", "deny"),
        (r"C:\Users\ann\app\.claude\.\settings.json", "deny"),
        (r"D:\data\a.csv", "ask"),
    ):
        assert judge_write(path, where).verdict == verdict, path


@pytest.fixture
def project(tmp_path):
    """A project whose path is itself a link, as `/tmp` is on some systems."""
    (tmp_path / "real" / "src").mkdir(parents=True)
    (tmp_path / "link").symlink_to(tmp_path / "real")
    return tmp_path / "link"


def test_links_are_judged_by_where_they_lead(project):
    where = state(str(project))
    for name, target in {
        "notes.txt": "/etc/hosts",
        "settings": "/etc",
        "data.txt": "/etc/shadow",
        "lib": "src",
    }.items():
        (project / name).symlink_to(target)
    assert judge_write("notes.txt", where).verdict == "deny"
    assert judge_write("settings/new.conf", where).verdict == "deny"
    assert judge_read("data.txt", where).verdict == "deny"
    assert judge_write("lib/a.py", where).verdict == "none"
    assert judge_write("src/a.py", where).verdict == "none"
    assert judge_write(f"{project.resolve()}/src/a.py", where).verdict == "none"


def test_a_link_to_the_projects_own_git_folder_is_seen(project):
    (project / "tools").symlink_to(".git/hooks")
    assert judge_write("tools/pre-commit", state(str(project))).verdict == "deny"


def test_a_link_that_leads_to_itself_is_an_answer_too(project):
    (project / "round").symlink_to("round")
    assert judge_write("round/a.py", state(str(project))).verdict in ("none", "ask", "deny")


def test_the_projects_secrets_are_not_called_a_place_outside():
    """The advice for `write.outside` is to write inside the project, where `.env` is already."""
    assert judge_write(".env", state()).rule == "write.protected"
