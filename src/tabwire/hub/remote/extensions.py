"""The extensions of the hub, from another process: `Extensions` over `/api/v1`."""

from typing import Any

from tabwire.hub.remote.api import HELD_SECONDS, Api

Data = dict[str, Any]


class RemoteExtensions:
    """The extensions of a hub in another process. Raises `NoHub` where none is to be started."""

    def __init__(self, api: Api) -> None:
        self._api = api

    async def status(self) -> Data:
        """As `Extensions.status`."""
        return await self._api.get("/extensions", Data)

    async def dump(self) -> Data:
        """As `Extensions.dump`."""
        return await self._api.get("/extensions/dump", Data)

    async def pair(self) -> Data:
        """As `Extensions.pair`. A lost response is asked for again: the code is the same."""
        return await self._api.post("/extensions/pair", {}, Data, repeat=True)

    async def paired(self, seconds: float = HELD_SECONDS) -> Data:
        """As `Extensions.paired`."""
        return await self._api.get(f"/extensions/paired?seconds={seconds:g}", Data, held=seconds)

    async def use(self, name: str) -> Data:
        """As `Extensions.use`. Idempotent."""
        return await self._api.post("/extensions/use", {"name": name}, Data, repeat=True)

    async def forget(self, name: str) -> Data:
        """As `Extensions.forget`. A lost response is not asked for again: the name is gone."""
        return await self._api.post("/extensions/forget", {"name": name}, Data)
