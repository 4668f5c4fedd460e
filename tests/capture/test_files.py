"""T34: inside the folder, through no link, over nothing unasked."""

import os

import pytest

from tabwire.capture.files import CannotWrite, FileThere, write_in


def test_a_file_is_written_whole_and_for_its_owner_alone(tmp_path):
    path = write_in(tmp_path / "new" / "folder", "a.json", b"{}")
    assert path.read_bytes() == b"{}"
    assert path.stat().st_mode & 0o777 == 0o600
    assert [one.name for one in path.parent.iterdir()] == ["a.json"]


def test_nothing_is_written_over_unasked(tmp_path):
    path = write_in(tmp_path, "a.json", b"1")
    with pytest.raises(FileThere) as raised:
        write_in(tmp_path, "a.json", b"2")
    assert "--force" in raised.value.what_to_do
    assert path.read_bytes() == b"1"
    write_in(tmp_path, "a.json", b"2", force=True)
    assert path.read_bytes() == b"2"
    assert [one.name for one in tmp_path.iterdir()] == ["a.json"]


@pytest.mark.parametrize("force", [False, True])
@pytest.mark.parametrize("leads", ["somewhere", "nowhere"])
def test_a_link_in_the_folder_is_not_followed(tmp_path, force, leads):
    outside = tmp_path / "outside"
    if leads == "somewhere":
        outside.write_bytes(b"precious")
    folder = tmp_path / "root"
    folder.mkdir()
    (folder / "a.json").symlink_to(outside)
    if force:
        write_in(folder, "a.json", b"new", force=True)
        assert not (folder / "a.json").is_symlink()
    else:
        with pytest.raises(FileThere):
            write_in(folder, "a.json", b"new")
    assert outside.exists() == (leads == "somewhere")
    if outside.exists():
        assert outside.read_bytes() == b"precious"


@pytest.mark.parametrize("name", ["../a", "a/b", "/etc/x", "", ".", ".."])
def test_a_name_that_leads_out_is_refused(tmp_path, name):
    with pytest.raises(CannotWrite):
        write_in(tmp_path, name, b"x")
    assert list(tmp_path.iterdir()) == []


def test_a_folder_that_is_none_is_named(tmp_path):
    (tmp_path / "file").write_bytes(b"")
    with pytest.raises(CannotWrite) as raised:
        write_in(tmp_path / "file", "a.json", b"x")
    assert "--out" in raised.value.what_to_do


def test_a_folder_of_that_name_is_not_replaced(tmp_path):
    (tmp_path / "a.json").mkdir()
    with pytest.raises(CannotWrite):
        write_in(tmp_path, "a.json", b"x", force=True)
    assert os.listdir(tmp_path) == ["a.json"]
