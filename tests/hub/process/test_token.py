"""The token: made once, kept secret, never taken from where others could have put it."""

import stat

import pytest

from tabwire.config.redaction import without_secrets
from tabwire.hub.process.token import made_token, read_token
from tabwire.model.errors import BadSetting


@pytest.fixture
def path(tmp_path, monkeypatch):
    monkeypatch.setenv("TABWIRE_HOME", str(tmp_path / "h"))
    return tmp_path / "h" / "run" / "token"


def test_it_is_made_once_for_its_owner_alone(path):
    assert read_token() is None
    token = made_token()
    assert len(token) >= 43
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert made_token() == read_token() == token
    assert token not in without_secrets(f"it is {token}.")


@pytest.mark.parametrize("how", ["readable by others", "too short", "empty"])
def test_one_that_is_no_secret_is_replaced(path, how):
    old = made_token()
    if how == "readable by others":
        path.chmod(0o644)
    else:
        path.write_text("abc" if how == "too short" else "")
    assert read_token() is None
    new = made_token()
    assert new not in (old, "abc", "")
    assert stat.S_IMODE(path.stat().st_mode) == 0o600


def test_a_link_in_its_place_is_not_followed(path, tmp_path):
    """T17."""
    path.parent.mkdir(parents=True)
    (tmp_path / "theirs").write_text("x" * 43)
    path.symlink_to(tmp_path / "theirs")
    for ask in (made_token, read_token):
        with pytest.raises(BadSetting, match="a symbolic link"):
            ask()
    assert (tmp_path / "theirs").read_text() == "x" * 43
