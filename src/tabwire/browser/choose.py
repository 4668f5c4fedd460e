"""What a person may say of the browser to use: `auto | extension | launch | attach[=URL] | lab`.

One way for every command, setting and door. Pure. To attach is to hand over the whole browser,
so an address off this machine counts only where the person allowed it in as many words.
"""

from dataclasses import dataclass
from urllib.parse import urlsplit

from tabwire.browser.endpoint import bracketed, is_loopback
from tabwire.model.errors import BadChoice

WORDS = ("auto", "extension", "launch", "attach", "lab")


@dataclass(frozen=True, slots=True)
class Auto:
    """What is there, best first: in a hub the extension, attach, else one of our own. Never the
    lab."""


@dataclass(frozen=True, slots=True)
class Extension:
    """The person's own, through the extension they paired with the hub."""


@dataclass(frozen=True, slots=True)
class LaunchOwn:
    """Start one with a profile of its own."""


@dataclass(frozen=True, slots=True)
class Address:
    """Where a browser listens. With `path` the DevTools address is whole."""

    host: str
    port: int
    path: str | None = None

    def __str__(self) -> str:
        scheme = "http" if self.path is None else "ws"
        return f"{scheme}://{bracketed(self.host)}:{self.port}{self.path or ''}"


@dataclass(frozen=True, slots=True)
class Attach:
    """Use one that runs: at an address, or the person's own with remote debugging on."""

    address: Address | None = None


@dataclass(frozen=True, slots=True)
class Lab:
    """The one in which the lab's sites are."""


Choice = Auto | Extension | LaunchOwn | Attach | Lab


def parse_choice(text: str, *, allow_remote: bool = False) -> Choice:
    """Read a choice. Raises `BadChoice`, which says what is valid, where it is invalid."""
    word, equals, value = text.strip().partition("=")
    word = word.strip().lower()
    if equals and word in WORDS and word != "attach":
        raise BadChoice(f"{word} takes no value, but {value!r} was given")
    match word:
        case "auto":
            return Auto()
        case "extension":
            return Extension()
        case "launch":
            return LaunchOwn()
        case "lab":
            return Lab()
        case "attach":
            if equals and not value.strip():
                raise BadChoice("attach= needs an address", what_to_do=_EXAMPLE)
            return Attach(parse_address(value, allow_remote=allow_remote) if equals else None)
    if "://" in text or text.strip().isdecimal():
        raise BadChoice(
            f"{text!r} is an address, not a browser choice",
            what_to_do=f"Write attach={text.strip()}.",
        )
    raise BadChoice(f"unknown browser {text!r}")


def parse_address(text: str, *, allow_remote: bool = False) -> Address:
    """Read the address of a debugging port: a port, host:port, or a http or ws URL."""
    text = text.strip()
    whole = f"//127.0.0.1:{text}" if text.isdecimal() else text if "://" in text else f"//{text}"
    try:
        parts = urlsplit(whole)
        host, port = parts.hostname, parts.port
    except ValueError as exc:
        raise BadChoice(f"invalid address {text!r}: {exc}", what_to_do=_EXAMPLE) from exc
    if parts.username is not None or parts.password is not None or parts.query or parts.fragment:
        # not repeated in the message: it may be a secret
        raise BadChoice(
            "an address to attach to must not have a user name, password or query",
            what_to_do=_EXAMPLE,
        )
    if parts.scheme not in ("", "http", "ws"):
        raise BadChoice(f"cannot attach with {parts.scheme}://", what_to_do=_EXAMPLE)
    if not host or not port:
        raise BadChoice(f"{text!r} has no host and port", what_to_do=_EXAMPLE)
    if not allow_remote and not is_loopback(host):
        raise BadChoice(
            f"{host} is not this machine",
            what_to_do="A program that can reach the debugging port controls the browser, so "
            "Tabwire attaches to 127.0.0.1 only, unless remote addresses are explicitly "
            "allowed.",
        )
    if parts.path.startswith("/devtools/browser"):
        return Address(host, port, parts.path)
    if parts.path not in ("", "/", "/json/version", "/json/version/"):
        raise BadChoice(f"{parts.path} is not the address of a browser", what_to_do=_EXAMPLE)
    if parts.scheme == "ws":
        raise BadChoice("a ws address needs its path", what_to_do=_EXAMPLE)
    return Address(host, port)


_EXAMPLE = (
    "Use attach=http://127.0.0.1:PORT, attach=ws://127.0.0.1:PORT/devtools/browser/ID, or just "
    "attach for a browser with remote debugging enabled."
)
