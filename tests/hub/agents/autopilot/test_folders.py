"""Which folder a window works in, by what the editor keeps about it."""

import json

import pytest

from tabwire.hub.agents.autopilot.folders import folder_shown, folders_called

KEPT = [
    # id, what the files say, the folders called `shop`
    ("one", [{"folder": "file:///srv/me/shop"}], ("/srv/me/shop",)),
    ("another name", [{"folder": "file:///srv/me/shopping"}], ()),
    ("twice the same", [{"folder": "file:///srv/me/shop"}] * 2, ("/srv/me/shop",)),
    (
        "two of that name",
        [{"folder": "file:///a/shop"}, {"folder": "file:///b/shop"}],
        ("/a/shop", "/b/shop"),
    ),
    ("blanks", [{"folder": "file:///srv/me/my%20code/shop"}], ("/srv/me/my code/shop",)),
    ("Windows", [{"folder": "file:///c%3A/Users/me/shop"}], ("c:/Users/me/shop",)),
    ("another machine", [{"folder": "vscode-remote://ssh-remote%2Bx/srv/me/shop"}], ()),
    ("a share", [{"folder": "file://server/shop"}], ()),
    ("several folders at once", [{"workspace": "file:///srv/me/shop.code-workspace"}], ()),
    ("no object", [["file:///srv/me/shop"]], ()),
]


@pytest.mark.parametrize("said, found", [c[1:] for c in KEPT], ids=[c[0] for c in KEPT])
def test_the_folder_is_the_one_the_editor_opened(tmp_path, said, found):
    for at, one in enumerate(said):
        folder = tmp_path / "Antigravity" / "User" / "workspaceStorage" / str(at)
        folder.mkdir(parents=True)
        (folder / "workspace.json").write_text(json.dumps(one))
    environment = {"XDG_CONFIG_HOME": str(tmp_path), "APPDATA": str(tmp_path), "HOME": "/none"}
    assert folders_called("shop", environment) == found
    assert folders_called("", environment) == ()


def test_what_cannot_be_read_is_left_out(tmp_path):
    folder = tmp_path / "Cursor" / "User" / "workspaceStorage" / "x"
    folder.mkdir(parents=True)
    (folder / "workspace.json").write_text("{")
    assert folders_called("shop", {"XDG_CONFIG_HOME": str(tmp_path)}) == ()


def test_a_folder_that_is_shown_must_be_one_here_and_no_more_than_a_project(tmp_path):
    own = tmp_path / "home" / "me"
    shop = own / "shop"
    shop.mkdir(parents=True)
    (tmp_path / "link").symlink_to(own)
    (own / "file").write_text("")
    environment = {"HOME": str(own)}
    assert folder_shown(str(shop), environment) == str(shop)
    for none in (own, own.parent, tmp_path, "/", tmp_path / "link", own / "file", own / "none"):
        assert folder_shown(str(none), environment) is None
    for name in ("shop", "~/shop", "", "./shop", f"{own}/…/shop", "C:\\shop", "/\0"):
        assert folder_shown(name, environment) is None
