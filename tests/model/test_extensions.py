"""What a hub says of its extensions, read from JSON and written again."""

import json

import msgspec
import pytest

from tabwire.model.extensions import ExtensionStatus, Obstacle, PairingCode, UsedExtension


def read(text, kind):
    """As another process reads it."""
    return msgspec.json.decode(text, type=kind)


OLDER = {"hub": "h", "version": "0.0.1", "connected": True}
USED = {"name": "chrome-1", "version": "1", "chrome": "156", "connected": True}


def test_an_older_and_a_newer_hub_can_be_read():
    """What an older one lacks has its default, what a newer one adds is ignored."""
    older = read(json.dumps(OLDER), ExtensionStatus)
    assert older == ExtensionStatus("h", "0.0.1", connected=True)
    newer = {**OLDER, "new": 1, "used": {**USED, "new": {}}, "why": {"message": "m", "new": []}}
    found = read(json.dumps(newer), ExtensionStatus)
    assert (found.used, found.why) == (UsedExtension(*USED.values()), Obstacle("m"))
    assert read('{"code": "A", "seconds": 1.0}', PairingCode) == PairingCode("A", 1.0)


@pytest.mark.parametrize("switches", [{}, {"on": True, "sites": {}}])
def test_switches_are_in_the_json_only_if_they_were_reported(switches):
    used = USED | {"pages": 0, "waiting": 0} | switches
    status = read(json.dumps({**OLDER, "used": used}), ExtensionStatus)
    assert status.as_data()["used"] == used
