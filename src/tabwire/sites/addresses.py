"""How URLs are compared: as parsed hosts and paths, never by substring."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from urllib.parse import parse_qs, urlsplit


@dataclass(frozen=True, slots=True)
class Address:
    """The parts of a URL that decide what it is."""

    scheme: str
    host: str
    path: str
    query: Mapping[str, str] = field(default_factory=dict)

    @property
    def segments(self) -> tuple[str, ...]:
        """The path's parts, empty ones left out."""
        return tuple(part for part in self.path.split("/") if part)


NOWHERE = Address("", "", "")


def read_address(url: str | None) -> Address:
    """Take a URL apart; what cannot be taken apart is `NOWHERE`, which matches nothing."""
    if not url:
        return NOWHERE
    try:
        parts = urlsplit(url)
        host = (parts.hostname or "").rstrip(".")
        query = {key: values[0] for key, values in parse_qs(parts.query).items()}
    except ValueError:
        return NOWHERE
    return Address(parts.scheme, host, parts.path, query)
