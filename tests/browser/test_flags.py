"""The flags a browser of ours starts with."""

from pathlib import Path

import pytest

from tabwire.browser.flags import Surroundings, flags_for
from tabwire.model.errors import BadChoice

PROFILE = Path("/p")
PERSON = Surroundings(root=False, shm_bytes=None)


def build(around=PERSON, **wishes):
    return flags_for(PROFILE, around, **{"headless": True, "temporary": True, "more": (), **wishes})


def test_the_port_is_never_one_that_can_be_guessed():
    flags, _ = build()
    assert [flag for flag in flags if "remote-debugging" in flag] == ["--remote-debugging-port=0"]


def test_the_sandbox_stays_on_for_everybody_but_root_who_is_told():
    assert "--no-sandbox" not in build()[0]
    flags, (note,) = build(Surroundings(root=True, shm_bytes=None))
    assert "--no-sandbox" in flags
    assert "root" in note


def test_little_shared_memory_is_not_used():
    """A container's 64 MB fill up and tabs crash."""
    flags, (note,) = build(Surroundings(root=False, shm_bytes=64 << 20))
    assert "--disable-dev-shm-usage" in flags
    assert "shared memory" in note
    assert "--disable-dev-shm-usage" not in build(Surroundings(False, 1 << 30))[0]


def test_a_profile_that_is_kept_keeps_its_secrets_in_the_persons_keyring():
    assert "--password-store=basic" not in build(temporary=False)[0]
    assert "--password-store=basic" in build(temporary=True)[0]


def test_visible_means_no_headless():
    assert not [flag for flag in build(headless=False)[0] if "headless" in flag]


@pytest.mark.parametrize(
    "flag",
    ["--remote-debugging-port=9222", "--remote-debugging-pipe", "--user-data-dir=/x", "http://x"],
)
def test_what_we_set_ourselves_cannot_be_set_otherwise(flag):
    with pytest.raises(BadChoice):
        build(more=(flag,))


def test_more_flags_come_last():
    assert build(more=("--lang=de",))[0][-1] == "--lang=de"
