"""What the browser says of one tab, as far as it is read."""

import msgspec


class Frame(msgspec.Struct):
    """A frame of the page."""

    id: str
    loader: str = msgspec.field(default="", name="loaderId")
    parent: str | None = msgspec.field(default=None, name="parentId")
    url: str = ""
    fragment: str = msgspec.field(default="", name="urlFragment")
    unreachable: str = msgspec.field(default="", name="unreachableUrl")


class Tree(msgspec.Struct):
    """Its frames, of which only the main one is read."""

    frame: Frame


class Frames(msgspec.Struct):
    """Reply of Page.getFrameTree."""

    tree: Tree = msgspec.field(name="frameTree")


class FrameNavigated(msgspec.Struct):
    """Page.frameNavigated."""

    frame: Frame
    type: str = ""


class Started(msgspec.Struct):
    """Page.frameStartedNavigating."""

    frame: str = msgspec.field(name="frameId")
    loader: str = msgspec.field(default="", name="loaderId")
    kind: str = msgspec.field(default="", name="navigationType")


class Within(msgspec.Struct):
    """Page.navigatedWithinDocument."""

    frame: str = msgspec.field(name="frameId")
    url: str = ""


class Dialog(msgspec.Struct):
    """Page.javascriptDialogOpening."""

    type: str = "alert"
    message: str = ""


class Called(msgspec.Struct):
    """Runtime.bindingCalled."""

    name: str
    payload: str


class Value(msgspec.Struct):
    """A number a page gave."""

    value: int | None = None


class Evaluated(msgspec.Struct):
    """Reply of Runtime.evaluate."""

    result: Value


class Loaded(msgspec.Struct):
    """Reply of Page.navigate and Page.reload."""

    loader: str = msgspec.field(default="", name="loaderId")
    error: str = msgspec.field(default="", name="errorText")
