"""The table of rows says something about tests that are there, and only about them."""

from pathlib import Path

from kit.turns import ROWS

TESTS = Path(__file__).resolve().parents[1]


def test_every_name_is_a_test_with_rows():
    for name, count in ROWS.items():
        file, _, function = name.partition("::")
        text = (TESTS / file).read_text()
        assert f"def {function}(" in text, name
        assert count > 0
