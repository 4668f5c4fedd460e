"""A code once, a key from then on: what is kept, what is refused, and for how long."""

import asyncio
import hashlib
import hmac
import json
import os
import stat

import pytest

from tabwire.hub.relay import pairing as subject
from tabwire.hub.relay.pairing import EXTENSION, HUB, NoSuchExtension, Pairing, PairingLocked
from tabwire.model.errors import BadSetting

INSTALL = "install-0123456789"


class Clock:
    """Seconds that pass when the test says so."""

    def __init__(self):
        self.now = 1000.0

    def __call__(self):
        return self.now


@pytest.fixture
def clock():
    return Clock()


@pytest.fixture
def pairing(tmp_path, clock):
    return Pairing(tmp_path, clock=clock, wall=lambda: 5000.0 + clock.now)


@pytest.fixture(autouse=True)
def quick(monkeypatch):
    """The number of rounds is tested once; elsewhere it only takes time."""
    monkeypatch.setattr(subject, "ROUNDS", 2)


def said(code, theirs, ours):
    """What an extension would say to this code."""
    return subject.proof(subject.code_key(code, ours, theirs), EXTENSION, theirs, ours)


def guess(pairing, code):
    e, h = subject.new_nonce(), subject.new_nonce()
    return asyncio.run(pairing.guessed(e, h, said(code, h, e)))


def test_the_proofs_are_those_of_the_contract(monkeypatch):
    """Computed here by hand: both sides were written apart."""
    monkeypatch.setattr(subject, "ROUNDS", 200_000)
    e, h = subject.new_nonce(), subject.new_nonce()
    key = hashlib.pbkdf2_hmac("sha256", b"ABCD2345", f"{e}.{h}".encode(), 200_000, 32)
    assert subject.code_key("abcd-2345", e, h) == key
    proof = subject.to_text(hmac.new(key, f"hub.{e}.{h}".encode(), "sha256").digest())
    assert subject.proof(key, HUB, e, h) == proof
    assert "=" not in proof
    assert len(subject.from_text(proof)) == 32
    assert subject.lasting_key(key) == hmac.new(key, b"tabwire relay key", "sha256").digest()


def test_a_right_code_pairs_once(pairing):
    code = pairing.new_code()
    assert len(code.text) == 8
    assert set(code.text) <= set(subject.LETTERS)
    assert code.shown == f"{code.text[:4]}-{code.text[4:]}"
    assert guess(pairing, code.shown.lower()) is not None
    assert pairing.code is None
    assert guess(pairing, code.text) is None, "a code is used once"


def test_a_code_runs_out(pairing, clock):
    code = pairing.new_code()
    clock.now += subject.CODE_SECONDS
    assert pairing.code is None
    assert guess(pairing, code.text) is None


def test_t19_ten_wrong_codes_lock_for_ten_minutes_and_void_the_code(pairing, clock):
    code = pairing.new_code()
    for _ in range(9):
        assert guess(pairing, "WRONGCDE") is None
    assert pairing.locked_seconds == 0
    assert guess(pairing, "WRONGCDE") is None
    assert pairing.locked_seconds == 600
    assert guess(pairing, code.text) is None, "not even with the right one"
    with pytest.raises(PairingLocked, match="10 min"):
        pairing.new_code()
    clock.now += 600
    assert guess(pairing, code.text) is None, "the code is void"
    assert guess(pairing, pairing.new_code().text) is not None


def test_t20_a_proof_that_was_recorded_proves_nothing_to_another_nonce(pairing):
    code = pairing.new_code()
    e, h = subject.new_nonce(), subject.new_nonce()
    recorded = said(code.text, h, e)
    assert asyncio.run(pairing.guessed(e, subject.new_nonce(), recorded)) is None
    key = b"k" * 32
    proof = subject.proof(key, EXTENSION, h, e)
    assert subject.proves(key, EXTENSION, h, e, proof)
    assert not subject.proves(key, EXTENSION, subject.new_nonce(), e, proof)
    assert not subject.proves(key, HUB, h, e, proof), "ours cannot be sent back to us"


@pytest.mark.parametrize("text", ["", "é" * 10, "\ud800", "x" * 10_000])
def test_nonsense_is_a_wrong_proof(text):
    safe = text.encode("utf-8", "replace").decode()
    assert not subject.proves(b"k" * 32, HUB, "a", "b", safe)
    assert not subject.is_nonce(text)


def test_what_is_paired_is_known_to_the_next_hub(pairing, tmp_path, clock):
    known = pairing.keep(INSTALL, b"k" * 32, "0.1.0", "156")
    pairing.seen(INSTALL, "0.2.0", "157")
    again = Pairing(tmp_path, clock=clock)
    assert again.hub_id == pairing.hub_id
    found = again.find(INSTALL)
    assert (found.key, found.version, found.chrome) == (known.key, "0.2.0", "157")
    assert found.seen_at == 6000.0


def test_the_file_is_for_its_owner_alone_and_is_written_whole(pairing, tmp_path, monkeypatch):
    path = tmp_path / subject.FILE
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    pairing.keep(INSTALL, b"k" * 32, "", "")
    before = path.read_bytes()

    def full(_file):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(subject.os, "fsync", full)
    with pytest.raises(BadSetting, match="No space"):
        pairing.forget(INSTALL)
    assert path.read_bytes() == before
    assert os.listdir(tmp_path) == [subject.FILE], "nothing is left behind"


def test_keys_that_others_could_read_are_not_used(pairing, tmp_path):
    pairing.keep(INSTALL, b"k" * 32, "", "")
    (tmp_path / subject.FILE).chmod(0o644)
    assert Pairing(tmp_path).known == ()


def test_a_damaged_file_is_put_aside(pairing, tmp_path):
    (tmp_path / subject.FILE).write_text("{")
    (tmp_path / subject.FILE).chmod(0o600)
    assert Pairing(tmp_path).known == ()
    assert (tmp_path / "extensions.damaged").read_text() == "{"


def test_a_link_is_not_followed(tmp_path):
    (tmp_path / "elsewhere").write_text(json.dumps({"hub": "x"}))
    (tmp_path / subject.FILE).symlink_to(tmp_path / "elsewhere")
    with pytest.raises(BadSetting, match="link"):
        Pairing(tmp_path)


def test_names_are_short_and_of_one_only(pairing):
    first = pairing.keep("abcd-111111", b"1" * 32, "", "")
    second = pairing.keep("abcd-222222", b"2" * 32, "", "")
    assert (first.name, second.name) == ("chrome-abcd", "chrome-abcd2")
    assert pairing.keep("abcd-111111", b"3" * 32, "", "").name == "chrome-abcd", "paired anew"
    assert len(pairing.known) == 2


def test_one_that_is_forgotten_has_no_key_any_more(pairing, tmp_path):
    pairing.keep(INSTALL, b"k" * 32, "", "")
    pairing.choose("chrome-inst")
    assert pairing.chosen == INSTALL
    pairing.forget("chrome-inst")
    assert (pairing.find(INSTALL), pairing.chosen) == (None, None)
    assert INSTALL not in (tmp_path / subject.FILE).read_text()
    with pytest.raises(NoSuchExtension, match="chrome-inst"):
        pairing.forget("chrome-inst")
