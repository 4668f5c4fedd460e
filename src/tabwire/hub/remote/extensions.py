"""The extensions of the hub, from another process: `Extensions` over `/api/v1`."""

from tabwire.hub.remote.api import HELD_SECONDS, Api
from tabwire.model.extensions import (
    ChosenExtension,
    ExtensionStatus,
    ForgottenExtension,
    PairingCode,
    PairingOutcome,
    StreamDump,
)

PATH = "/extensions"


class RemoteExtensions:
    """The extensions of a hub in another process. Raises `NoHub` where none is to be started."""

    def __init__(self, api: Api) -> None:
        self._api = api

    async def status(self) -> ExtensionStatus:
        """As `Extensions.status`."""
        return await self._api.get(PATH, ExtensionStatus)

    async def dump(self) -> StreamDump:
        """As `Extensions.dump`."""
        return await self._api.get(f"{PATH}/dump", StreamDump)

    async def pair(self) -> PairingCode:
        """As `Extensions.pair`. A lost response is asked for again: the code is the same."""
        return await self._api.post(f"{PATH}/pair", {}, PairingCode, repeat=True)

    async def paired(self, seconds: float = HELD_SECONDS) -> PairingOutcome:
        """As `Extensions.paired`."""
        path = f"{PATH}/paired?seconds={seconds:g}"
        return await self._api.get(path, PairingOutcome, held=seconds)

    async def use(self, name: str) -> ChosenExtension:
        """As `Extensions.use`. Idempotent."""
        return await self._api.post(f"{PATH}/use", {"name": name}, ChosenExtension, repeat=True)

    async def forget(self, name: str) -> ForgottenExtension:
        """As `Extensions.forget`. A lost response is not asked for again: the name is gone."""
        return await self._api.post(f"{PATH}/forget", {"name": name}, ForgottenExtension)
