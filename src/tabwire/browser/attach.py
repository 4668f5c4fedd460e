"""A browser that runs already -> its DevTools address. Each place is asked once, never again.

Chrome's own switch (chrome://inspect/#remote-debugging) answers 404 to `/json/version` and shows
the person a dialog for every connection. So its address is read from the file it writes, and
all we try is whether anybody listens there.
"""

from dataclasses import dataclass
from pathlib import Path

from tabwire.browser.choose import Address, Attach
from tabwire.browser.endpoint import ANSWER_SECONDS, HOW, Endpoint, ask_version, listens
from tabwire.browser.find import Machine, own_profiles
from tabwire.model.errors import BrowserNotReachable

PORT_FILE = "DevToolsActivePort"
MAX_FILE = 1024  # a port and a path
NOT_FOUND = 404


@dataclass(frozen=True, slots=True)
class Running:
    """A browser to attach to. `dialog`: the person is asked at each connection, so hold one."""

    endpoint: Endpoint
    whose: str  # in words
    dialog: bool


async def find_endpoint(
    choice: Attach, machine: Machine, *, seconds: float = ANSWER_SECONDS
) -> Running:
    """The address to connect to, or why there is none."""
    if choice.address is None:
        return await _own_browser(machine, seconds)
    address = choice.address
    if address.path is not None:
        endpoint = Endpoint(address.host, address.port, address.path)
        return Running(endpoint, f"the browser at {address}", dialog=False)
    try:
        version = await ask_version(address.host, address.port, seconds=seconds)
    except BrowserNotReachable as exc:
        if exc.status == NOT_FOUND and (running := _switched_on(address, machine)):
            return running
        raise
    return Running(version.endpoint, f"{version.browser} at {address}", dialog=False)


def read_port_file(folder: str) -> Endpoint | None:
    """What a profile folder says of the port its browser listens on."""
    try:
        with Path(folder, PORT_FILE).open("rb") as file:
            port, path = file.read(MAX_FILE).decode().split()
    except (OSError, ValueError):
        return None
    if not (port.isdecimal() and 0 < int(port) < 1 << 16 and path.startswith("/devtools/browser")):
        return None
    return Endpoint("127.0.0.1", int(port), path)


async def _own_browser(machine: Machine, seconds: float) -> Running:
    stale = []
    for name, folder in own_profiles(machine):
        endpoint = read_port_file(folder)
        if endpoint is None:
            continue
        if await listens(endpoint.host, endpoint.port, seconds=seconds):
            return Running(endpoint, f"your own {name}", dialog=True)
        stale.append(name)
    what = "none of your browsers has remote debugging enabled"
    if stale:
        what += f" ({', '.join(stale)} had, but no longer listens)"
    raise BrowserNotReachable(what, what_to_do=HOW)


def _switched_on(address: Address, machine: Machine) -> Running | None:
    for name, folder in own_profiles(machine):
        endpoint = read_port_file(folder)
        if endpoint is not None and endpoint.port == address.port:
            return Running(endpoint, f"your own {name}", dialog=True)
    return None
