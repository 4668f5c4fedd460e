"""A body that was cut gives what is whole of it."""

import json

import pytest

from tabwire.sites.grok.history import salvage_json

BODY = {"responses": [{"responseId": "r1", "message": 'a "{[" b'}, {"responseId": "r2", "n": [1]}]}


def test_every_cut_gives_whole_responses_or_nothing():
    raw = json.dumps(BODY).encode()
    for at in range(len(raw)):
        saved = salvage_json(raw[:at])
        if saved is not None:
            kept = saved["responses"]
            whole = [one for one in kept if one in BODY["responses"]]
            assert kept[: len(whole)] == BODY["responses"][: len(whole)]
            assert len(kept) - len(whole) <= 1  # the last may be open at its inner list
    assert salvage_json(raw) == BODY


CASES = [
    ("cut in the second", b'{"a":[{"x":1},{"y":', {"a": [{"x": 1}]}),
    ("nothing whole", b'{"broken"', None),
    ("no JSON", b"hello", None),
    ("wrong brackets", b'{"a":[1}', None),
    ("empty", b"", None),
    ("too deep", b'{"a":' + b"[" * 5000 + b"]", None),
    ("more after it", b'{"a":[1]} x', {"a": [1]}),
    ("bad bytes", b'{"a":[{"x":"\xff"},', {"a": [{"x": "\ufffd"}]}),
]


@pytest.mark.parametrize("raw, saved", [c[1:] for c in CASES], ids=[c[0] for c in CASES])
def test_what_is_whole_is_kept(raw, saved):
    assert salvage_json(raw) == saved
