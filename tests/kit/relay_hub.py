"""A hub with real relays behind a real port, in this process; its jobs are scripted."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from kit.http_door import Open, open_door
from kit.mcp_jobs import scripted_hub
from kit.relay_peer import Peer
from tabwire.hub.relay import pairing
from tabwire.hub.relay.pairing import Pairing
from tabwire.hub.relay.relays import Relays


@dataclass(frozen=True, slots=True)
class RelayHub:
    """What a test needs of it."""

    door: Open
    relays: Relays
    pairing: Pairing

    @property
    def port(self) -> int:
        """Where extensions dial in."""
        return self.door.port

    def peer(self, **more: Any) -> Peer:
        """An extension that never was here."""
        return Peer(self.port, **more)

    async def paired(self, **more: Any) -> Peer:
        """An extension that is connected; close it."""
        peer = self.peer(**more)
        await peer.dial()
        await peer.pair((await self.relays.pair()).code)
        return peer


@asynccontextmanager
async def relay_hub(
    home: Path, monkeypatch: pytest.MonkeyPatch, *, rounds: int = 2, **relays: Any
) -> AsyncIterator[RelayHub]:
    """Such a hub, in this block. `rounds`: how dear a code is; few, to save time."""
    monkeypatch.setattr(pairing, "ROUNDS", rounds)
    monkeypatch.setenv("TABWIRE_HOME", str(home))
    keys = Pairing(home)
    one = Relays(keys, **relays)
    async with open_door(home, monkeypatch, hub=scripted_hub(relays=one)) as door:
        try:
            yield RelayHub(door, one, keys)
        finally:
            await one.close()
