"""What is said between the hub and the extension, as data: frames in, frames out. No I/O.

In:  a frame as text.      Out: a `Frame`, of which nested parts stay bytes until they are read.
The extension numbers what it says (`n`), so that what is said twice is heard once and what is
missing is noticed. Pages hold half characters now and then, and a frame must not fail over one.
"""

import json
from typing import Any

import msgspec

NOTHING = msgspec.Raw(b"{}")
_ABSENT = msgspec.Raw(b"")

UNKNOWN_VERB = -32601
BAD_ARGUMENTS = -32602
CHROME_SAID = -32000
NOT_OURS = -32001
"""No such tab or session, or none that we may use. Also what a browser says of a lost session."""
INTERRUPTED = -32002
NOT_ALLOWED = -32003
SWITCHED_OFF = -32004


class Trouble(msgspec.Struct, frozen=True):
    """Why a verb was not carried out."""

    code: int = CHROME_SAID
    message: str = ""


class TabSaid(msgspec.Struct, frozen=True):
    """A tab as the extension tells of it: one we opened, or one the person offered."""

    tab: int
    url: str | None = ""
    title: str | None = ""
    target: str | None = None
    opened: bool = False
    offered: bool = False
    attached: bool = False


class Frame(msgspec.Struct):
    """One frame of the extension. Which fields it has says what it is."""

    n: int | None = None
    re: int | None = None
    ok: msgspec.Raw = _ABSENT
    error: Trouble | None = None
    on: str | None = None  # an event
    enabled: bool = True  # of `switched`
    piece: str | None = None
    more: bool = False
    ping: Any = None
    pong: Any = None

    # of events
    tab: int | None = None
    session: str | None = None
    method: str = ""
    params: msgspec.Raw = NOTHING
    reason: str = ""
    url: str | None = ""
    title: str | None = ""
    target: str | None = None
    opened: bool = False
    offered: bool = False
    attached: bool = False
    page: str | int | None = None
    site: str = ""
    again: bool = False  # of `page.opened`: the page was there before
    asks: bool = False  # and tells again of a question that left before
    visible: bool = True
    k: int | None = None  # of `page.said`: the page's own number, for its whole life
    message: msgspec.Raw = NOTHING
    tabs: list[int] = []
    sites: dict[str, bool] = {}
    ask: str = ""  # of `dashboard`: by it the extension knows its own question

    @property
    def tab_said(self) -> TabSaid:
        """The tab an event tells of."""
        return TabSaid(
            self.tab or 0,
            self.url,
            self.title,
            self.target,
            self.opened,
            self.offered,
            self.attached,
        )


class Unreadable(ValueError):
    """No frame of ours."""


_decode = msgspec.json.Decoder(Frame).decode
_encode = msgspec.json.Encoder().encode
_RAW = ("ok", "params", "message")


def read_frame(text: str) -> Frame:
    """What a frame says. Raises `Unreadable`."""
    try:
        return _decode(text)
    except (ValueError, RecursionError) as exc:
        if "\\u" not in text:
            raise Unreadable(str(exc)[:200]) from None
    try:
        said = json.loads(text)
        if not isinstance(said, dict):
            raise Unreadable("not an object")
        raws = {name: said.pop(name) for name in _RAW if name in said}
        frame = msgspec.convert(said, Frame)
        for name, value in raws.items():
            setattr(frame, name, msgspec.Raw(json.dumps(value).encode()))
    except Unreadable:
        raise
    except (ValueError, RecursionError) as exc:
        raise Unreadable(str(exc)[:200]) from None
    return frame


class _Numbered(msgspec.Struct):
    n: int


def number_of(text: str) -> int | None:
    """The number of a frame that cannot be read otherwise, where that much can be."""
    try:
        return msgspec.json.decode(text, type=_Numbered).n
    except (ValueError, RecursionError):
        return None


def read_raw(raw: msgspec.Raw, shape: Any = Any) -> Any:
    """A nested part. Raises `Unreadable`."""
    try:
        return msgspec.json.decode(raw, type=shape)
    except (ValueError, RecursionError) as exc:
        try:
            return msgspec.convert(json.loads(bytes(raw).decode("utf-8", "replace")), shape)
        except (ValueError, RecursionError):
            raise Unreadable(str(exc)[:200]) from None


def write_verb(verb: str, number: int, arguments: dict[str, Any]) -> str:
    """A request, as a frame."""
    said = {"do": verb, "id": number, **arguments}
    try:
        return _encode(said).decode()
    except UnicodeEncodeError:  # half a character, as a paste may hold it
        return json.dumps(msgspec.to_builtins(said))
