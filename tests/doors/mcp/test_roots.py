"""Which files may be sent: below allowed folders, wherever a path says it leads."""

import os
from pathlib import Path

import pytest

from kit.mcp_clients import client_of, serving
from kit.mcp_jobs import jobs_of, scripted_hub
from tabwire.doors.mcp.roots import FileRefused, roots_of


@pytest.fixture
def places(tmp_path, monkeypatch):
    """A project with a file, and a secret beside it, with every way from one to the other."""
    project, outside, home = tmp_path / "project", tmp_path / "outside", tmp_path / "project/own"
    for folder in (project / "deep", outside, home / "run"):
        folder.mkdir(parents=True)
    (project / "notes.txt").write_text("notes")
    (project / "deep/more.txt").write_text("more")
    (outside / "secret.txt").write_text("secret")
    (home / "run/token").write_text("token")
    (project / "link.txt").symlink_to(outside / "secret.txt")
    (project / "linked").symlink_to(outside)
    (project / "inside.txt").symlink_to(project / "notes.txt")
    (project / "ring").symlink_to(project / "ring")
    monkeypatch.setenv("TABWIRE_HOME", str(home))
    return tmp_path


ALLOWED = ["notes.txt", "deep/more.txt", "deep/../notes.txt", "inside.txt", "{}/project/notes.txt"]
REFUSED = [
    # id, path, why
    ("above", "../outside/secret.txt", "not in an allowed folder"),
    ("by its whole path", "{}/outside/secret.txt", "not in an allowed folder"),
    ("a link out", "link.txt", "not in an allowed folder"),
    ("a linked folder", "linked/secret.txt", "not in an allowed folder"),
    ("beside, with the same beginning", "{}/project-secrets", "not in an allowed folder"),
    ("our own folder", "own/run/token", "not in an allowed folder"),
    ("a folder", "deep", "file not found"),
    ("nothing", "gone.txt", "file not found"),
    ("a ring of links", "ring", "invalid path"),
    ("a zero byte", "notes.txt\0", "invalid path"),
    ("of the system", "/etc/passwd", "not in an allowed folder"),
    ("a device", "/dev/stdin", "not in an allowed folder"),
]


@pytest.mark.parametrize("name", ALLOWED)
def test_files_of_the_project_may_be_sent(places, name):
    roots = roots_of(str(places / "project"), ())
    (found,) = roots.files("grok", [name.format(places)])
    assert Path(found).read_text() in ("notes", "more")
    assert found == os.path.realpath(found), "a link may be turned elsewhere later"


@pytest.mark.parametrize("name, why", [one[1:] for one in REFUSED], ids=[one[0] for one in REFUSED])
def test_files_from_elsewhere_may_not(places, name, why):
    roots = roots_of(str(places / "project"), ())
    with pytest.raises(FileRefused, match=why):
        roots.files("grok", [name.format(places)])


@pytest.mark.parametrize("cwd", ["/", "~"])
def test_the_whole_disk_and_the_persons_home_are_no_project(places, monkeypatch, cwd):
    """Some clients start their servers there."""
    monkeypatch.setenv("HOME", str(places))
    roots = roots_of(os.path.expanduser(cwd), ())
    assert roots.folders == ()
    with pytest.raises(FileRefused):
        roots.files("grok", [str(places / "project/notes.txt")])


def test_folders_of_the_setting_are_allowed_also_without_a_project(places):
    roots = roots_of("", (places / "outside",))
    assert roots.files("grok", [str(places / "outside/secret.txt")])
    with pytest.raises(FileRefused, match="not in an allowed folder"):
        roots.files("grok", [str(places / "project/notes.txt")])
    with pytest.raises(FileRefused, match="not an absolute path"):
        roots.files("grok", ["secret.txt"])


@pytest.mark.asyncio
async def test_a_tool_sends_real_paths_and_asks_nothing_where_one_is_refused(places, path):
    hub = scripted_hub(file_roots=(places / "outside",))
    project = str(places / "project")
    async with serving(hub, path), client_of(path, cwd=project) as client:
        for files in (
            ["inside.txt", str(places / "outside/secret.txt")],
            ["link.txt"],
            ["own/run/token"],
        ):
            last = await client.call_tool("ask_grok_web", {"question": "now", "files": files})
    assert last.is_error
    assert last.structured_content["error"]["code"] == "file_refused"
    jobs = list(jobs_of(hub).all.values())
    assert [job.request.files for job in jobs] == [
        # the second is a link, and it leads into a folder that is allowed
        (str(places / "project/notes.txt"), str(places / "outside/secret.txt")),
        (str(places / "outside/secret.txt"),),
    ]
