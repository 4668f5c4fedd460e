"""The fields the tap reads of the browser's messages. All that can be absent has a default."""

import binascii

import msgspec


class Entry(msgspec.Struct, gc=False):
    """A piece of a request's body; without `data` it is a file or a blob."""

    data: bytes | None = msgspec.field(default=None, name="bytes")


class Asked(msgspec.Struct):
    """The request in `requestWillBeSent`."""

    url: str
    method: str
    post_data: str | None = msgspec.field(default=None, name="postData")
    has_post_data: bool = msgspec.field(default=False, name="hasPostData")
    entries: tuple[Entry, ...] = msgspec.field(default=(), name="postDataEntries")

    @property
    def body(self) -> bytes | None:
        """What it carries, if the browser said it whole."""
        if self.entries:
            pieces = [entry.data for entry in self.entries]
            whole = [piece for piece in pieces if piece is not None]
            return b"".join(whole) if len(whole) == len(pieces) else None
        if self.post_data is not None:
            return self.post_data.encode("utf-8", "replace")
        return None


class Sent(msgspec.Struct):
    """`Network.requestWillBeSent`."""

    id: str = msgspec.field(name="requestId")
    at: float = msgspec.field(name="timestamp")
    request: Asked
    kind: str = msgspec.field(default="Other", name="type")
    frame: str | None = msgspec.field(default=None, name="frameId")
    loader: str = msgspec.field(default="", name="loaderId")
    redirect: msgspec.Raw = msgspec.field(default=msgspec.Raw(b""), name="redirectResponse")


class Head(msgspec.Struct):
    """The response in `responseReceived`."""

    url: str
    status: int
    mime: str = msgspec.field(default="", name="mimeType")
    charset: str = ""
    headers: dict[str, str] = {}
    from_service_worker: bool = msgspec.field(default=False, name="fromServiceWorker")
    from_disk_cache: bool = msgspec.field(default=False, name="fromDiskCache")
    from_prefetch_cache: bool = msgspec.field(default=False, name="fromPrefetchCache")
    came_at: float = msgspec.field(default=0.0, name="responseTime")  # milliseconds since 1970

    @property
    def encoded(self) -> bool:
        """It travelled compressed."""
        return any(name.lower() == "content-encoding" for name in self.headers)

    @property
    def retry_after(self) -> str:
        """How long to wait, in HTTP's own words."""
        return self._header("retry-after")

    @property
    def date(self) -> str:
        """What time it was at the site, in HTTP's own words."""
        return self._header("date")

    def _header(self, wanted: str) -> str:
        named = (value for name, value in self.headers.items() if name.lower() == wanted)
        return next(named, "")


class Responded(msgspec.Struct):
    """`Network.responseReceived`."""

    id: str = msgspec.field(name="requestId")
    at: float = msgspec.field(name="timestamp")
    response: Head


class Data(msgspec.Struct, gc=False):
    """`Network.dataReceived`: msgspec reads base64 into bytes by itself."""

    id: str = msgspec.field(name="requestId")
    at: float = msgspec.field(name="timestamp")
    length: int = msgspec.field(name="dataLength")
    encoded: int = msgspec.field(default=0, name="encodedDataLength")
    data: bytes | None = None


class Finished(msgspec.Struct, gc=False):
    """`Network.loadingFinished`, and what `loadingFailed` adds."""

    id: str = msgspec.field(name="requestId")
    at: float = msgspec.field(name="timestamp")
    why: str = msgspec.field(default="", name="errorText")
    canceled: bool = False


class About(msgspec.Struct, gc=False):
    """Any event of which only the request matters."""

    id: str = msgspec.field(name="requestId")


class EventMessage(msgspec.Struct):
    """`Network.eventSourceMessageReceived`."""

    id: str = msgspec.field(name="requestId")
    at: float = msgspec.field(name="timestamp")
    name: str = msgspec.field(default="message", name="eventName")
    event_id: str = msgspec.field(default="", name="eventId")
    data: str = ""


class SocketCreated(msgspec.Struct):
    """`Network.webSocketCreated`. It has no time."""

    id: str = msgspec.field(name="requestId")
    url: str


class Frame(msgspec.Struct):
    """The frame in `webSocketFrameReceived` and `webSocketFrameSent`."""

    opcode: int
    payload: str = msgspec.field(default="", name="payloadData")


class SocketSaid(msgspec.Struct):
    """Any event of a WebSocket."""

    id: str = msgspec.field(name="requestId")
    at: float = msgspec.field(name="timestamp")
    frame: Frame = msgspec.field(default_factory=lambda: Frame(1), name="response")
    why: str = msgspec.field(default="", name="errorMessage")


class SocketAnswered(msgspec.Struct, gc=False):
    """`Network.webSocketHandshakeResponseReceived`."""

    id: str = msgspec.field(name="requestId")
    at: float = msgspec.field(name="timestamp")


class PageFrame(msgspec.Struct):
    """The frame in `Page.frameNavigated`."""

    id: str
    loader: str = msgspec.field(default="", name="loaderId")
    parent: str | None = msgspec.field(default=None, name="parentId")


class FrameNavigated(msgspec.Struct):
    """`Page.frameNavigated`."""

    frame: PageFrame


class FrameDetached(msgspec.Struct):
    """`Page.frameDetached`."""

    frame: str = msgspec.field(name="frameId")


class TargetInfo(msgspec.Struct):
    """What a target is."""

    id: str = msgspec.field(default="", name="targetId")
    kind: str = msgspec.field(default="", name="type")
    url: str = ""


class Attached(msgspec.Struct):
    """`Target.attachedToTarget`."""

    session: str = msgspec.field(name="sessionId")
    target: TargetInfo = msgspec.field(name="targetInfo")


class Detached(msgspec.Struct):
    """`Target.detachedFromTarget`."""

    session: str = msgspec.field(name="sessionId")


class TargetReply(msgspec.Struct):
    """The reply to `Target.getTargetInfo`."""

    target: TargetInfo = msgspec.field(name="targetInfo")


class Buffered(msgspec.Struct, gc=False):
    """The reply to `Network.streamResourceContent`: the bytes so far."""

    data: bytes = msgspec.field(default=b"", name="bufferedData")


class Stored(msgspec.Struct):
    """The reply to `Network.getResponseBody`."""

    body: str = ""
    base64: bool = msgspec.field(default=False, name="base64Encoded")


class PostData(msgspec.Struct):
    """The reply to `Network.getRequestPostData`."""

    text: str = msgspec.field(default="", name="postData")
    base64: bool = msgspec.field(default=False, name="base64Encoded")

    @property
    def body(self) -> bytes:
        """The bytes themselves."""
        if self.base64:
            return binascii.a2b_base64(self.text)
        return self.text.encode("utf-8", "replace")
