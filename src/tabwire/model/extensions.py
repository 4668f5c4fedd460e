"""The extensions of a hub: the paired ones, the one in use, and pairing, as data.

The fields are the keys of the JSON, in its order. Those with a default may be missing in what an
older hub sends.
"""

from dataclasses import asdict, dataclass, field
from typing import Any


@dataclass(frozen=True, slots=True)
class Obstacle:
    """What prevents a connection to an extension, and what a person can do about it."""

    message: str
    what_to_do: str = ""


@dataclass(frozen=True, slots=True)
class LastRefusal:
    """The last connection that the hub refused. `why` is a code for programs."""

    why: str
    message: str
    what_to_do: str = ""
    at: float = 0.0  # seconds since 1970


@dataclass(frozen=True, slots=True)
class UsedExtension:
    """The extension that the hub uses, connected or away for a moment."""

    name: str
    version: str = ""
    chrome: str = ""
    connected: bool = False
    pages: int = 0  # open pages of known sites
    waiting: int = 0  # requests without a reply
    on: bool | None = None
    """The switch in its popup; None until the extension reports it."""
    sites: dict[str, bool] | None = None
    """The same of each site."""

    def as_data(self) -> dict[str, Any]:
        """For JSON, without the switches as long as they are unknown."""
        return {name: value for name, value in asdict(self).items() if value is not None}


@dataclass(frozen=True, slots=True)
class PairedExtension:
    """An extension in one browser profile that has a key of this hub. Times since 1970."""

    name: str
    version: str = ""
    chrome: str = ""
    paired_at: float = 0.0
    seen_at: float = 0.0
    connected: bool = False
    chosen: bool = False  # by the person, where several are paired


@dataclass(frozen=True, slots=True)
class WaitingExtension:
    """An extension that is refused while another one is in use."""

    name: str
    chrome: str = ""


@dataclass(frozen=True, slots=True)
class ExtensionStatus:
    """Which extensions are paired, which one is used, why none is, and whether a pairing code is
    shown. The code itself is not in it."""

    hub: str
    version: str
    connected: bool
    why: Obstacle | None = None
    used: UsedExtension | None = None
    installs: tuple[PairedExtension, ...] = ()
    asking: tuple[WaitingExtension, ...] = ()
    last_refused: LastRefusal | None = None
    dropped: dict[str, int] = field(default_factory=dict)  # rejected page messages, by reason
    code_seconds: float = 0.0  # 0: no code is valid
    code_number: int = 0
    code_typed_by: str | None = None
    locked_seconds: float = 0.0

    def as_data(self) -> dict[str, Any]:
        """For JSON."""
        return {**asdict(self), "used": None if self.used is None else self.used.as_data()}


# --- pairing --------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class PairingCode:
    """A code for a person to type in the extension, and why it may not help."""

    code: str
    seconds: float  # for which it is valid
    number: int = 0  # codes of one hub are counted
    problem: Obstacle | None = None


@dataclass(frozen=True, slots=True)
class PairingOutcome:
    """The name of the extension that the code was typed in, and whether the code is still valid."""

    paired: str | None = None
    waiting: bool = False


@dataclass(frozen=True, slots=True)
class ChosenExtension:
    """The name of the extension that is used from now on."""

    used: str


@dataclass(frozen=True, slots=True)
class ForgottenExtension:
    """The name of the extension whose key was revoked."""

    forgotten: str


# --- stream dump ----------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class DumpedFrame:
    """One frame of a page's traffic, without its content."""

    site: str = ""
    attempt: str = ""
    frame: str = ""  # its kind
    size: int = 0
    at: float = 0.0


@dataclass(frozen=True, slots=True)
class StreamDump:
    """The newest frames of all pages, if the dump is enabled in the extension's options."""

    frames: tuple[DumpedFrame, ...] = ()
