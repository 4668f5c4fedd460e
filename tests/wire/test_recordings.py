"""Real bytes, where they lie beside the checkout: all of them read, however they are cut."""

import pytest

from kit.cuts import random_cuts
from tabwire.wire.delta import Appended, DeltaDecoder, Done
from tabwire.wire.ndjson import JsonLine, NdjsonDecoder
from tabwire.wire.records import Truncated, Unread
from wire.streams import documents, read

RECORDED = [
    # id            folder      pattern     decoder        a record that must be among what is said
    ("chatgpt", "chatgpt", "*.sse", DeltaDecoder, Appended),
    ("grok", "grok", "*.ndjson", NdjsonDecoder, JsonLine),
]


@pytest.mark.parametrize(
    "folder, pattern, kind, told", [c[1:] for c in RECORDED], ids=[c[0] for c in RECORDED]
)
def test_a_recording_is_read_to_its_end_however_it_is_cut(
    shared, seed, folder, pattern, kind, told
):
    recordings = sorted((shared / "recordings" / folder).glob(pattern))
    assert recordings
    for path in recordings:
        wire = path.read_bytes()
        whole = kind()
        said = read(whole, [wire])
        assert any(isinstance(record, told) for record in said), path.name
        assert not [one for one in said if isinstance(one, Unread | Truncated)], path.name
        for n, pieces in enumerate((2, 12, len(wire))):
            cut = kind()
            assert read(cut, random_cuts(wire, seed + n, pieces)) == said, path.name
            if isinstance(whole, DeltaDecoder):
                assert Done() in said
                assert documents(cut) == documents(whole), path.name
