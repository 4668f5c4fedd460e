"""T33: whatever the title, the file's name is harmless on every system."""

import re
import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tabwire.capture.export import MAX_BYTES, file_name, safe_stem

CASES = [
    # id, title, name
    ("plain", "Why is the sky blue?", "Why_is_the_sky_blue"),
    ("a path", "../../.ssh/authorized_keys", "sshauthorized_keys"),
    ("a path of Windows", "..\\..\\boot.ini", "boot.ini"),
    ("a drive", "C:\\x", "Cx"),
    ("a device", "CON", "_CON"),
    ("a device with an ending", "nul.txt", "_nul.txt"),
    ("a device with spaces", "  aux . ", "_aux"),
    ("a port", "com1", "_com1"),
    ("not a device", "console", "console"),
    ("NUL inside", "a\0b", "ab"),
    ("controls", "a\x1b[31mb\r\nc", "a[31mb_c"),
    ("the other way", "gnp\u202etxt.exe", "gnptxt.exe"),
    ("no width", "a\u200bb\ufeff", "ab"),
    ("trailing dots", "end...", "end"),
    ("hidden", ".bashrc", "bashrc"),
    ("an option", "--force", "force"),
    ("home", "~root", "root"),
    ("only dots", "...", "untitled"),
    ("nothing", "", "untitled"),
    ("half a character", "a\ud800", "a"),
    ("other scripts", "空は青い 😀", "空は青い_😀"),
]


@pytest.mark.parametrize("title, name", [c[1:] for c in CASES], ids=[c[0] for c in CASES])
def test_what_a_title_becomes(title, name):
    assert safe_stem(title) == name


def test_a_long_title_is_cut_between_characters():
    assert safe_stem("x" * 300) == "x" * 80
    assert len(safe_stem("😀" * 300).encode()) <= MAX_BYTES


@given(st.text(max_size=300))
def test_no_title_makes_a_dangerous_name(title):
    name = file_name(title, 1.79e9)
    assert re.fullmatch(r'[^/\\:*?"<>|\x00-\x1f]+_2026-09-21_14-13-20\.json', name), name
    assert not name.startswith((".", "-", "~", " "))
    assert len(name.encode()) < 255
    assert all(unicodedata.category(char)[0] != "C" for char in name)


@pytest.mark.parametrize("when", [None, 1e300, -1e300, float("nan"), float("inf")])
def test_a_time_that_is_none_leaves_the_name(when):
    assert file_name("Blue", when) == "Blue.json"
