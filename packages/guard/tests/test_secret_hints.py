"""The hints that spare compiling a pattern never hide what the pattern would find."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tabwire_guard import secret_paths

HINTED = {
    "keys": (secret_paths._KEYS, secret_paths._KEY_HINTS),
    "the project's secrets": (secret_paths._PROJECT_SECRETS, secret_paths._PROJECT_HINTS),
    "settings": (secret_paths._SETTINGS, secret_paths._SETTINGS_HINTS),
}


@pytest.mark.parametrize("name", HINTED)
@given(data=st.data())
def test_whatever_a_pattern_matches_has_a_hint(name, data):
    lazily, hints = HINTED[name]
    compiled = lazily.search.__self__
    path = data.draw(st.from_regex(compiled))
    assert secret_paths._hinted(path, hints), path


def test_what_has_no_hint_is_no_secret():
    assert not secret_paths._hinted("/home/ann/app/src/main.py", secret_paths._KEY_HINTS)
    assert not secret_paths._hinted("/home/ann/app/src/main.py", secret_paths._PROJECT_HINTS)
