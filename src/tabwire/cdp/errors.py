"""What goes wrong between us and a browser. Every error of a command names its command.

TabwireError
└── CdpError
    ├── CannotConnect       nobody answered where a browser should be
    ├── CommandFailed       the browser refused a command
    ├── CommandTimedOut     no reply came within the command's bound
    ├── LineFull            the browser does not read, and enough waits for it already
    ├── Malformed           the browser sent something that cannot be read
    ├── SessionLost         the tab, frame or worker we spoke to is gone, or crashed
    └── ConnectionEnded     the whole line to the browser is gone
        ├── ConnectionLost      it broke
        └── ConnectionClosed    we closed it

`retry` is about the command: SAME where it certainly was not carried out, RESUME where it
may have been and one must look first, NO where trying again gives the same.
"""

from tabwire.model.errors import Retry, TabwireError

MAX_SAID = 300
"""Characters of a browser's own words that are repeated: they may quote a whole script."""


class CdpError(TabwireError):
    """Something between us and the browser. `command` is the method it was about, if any."""

    def __init__(
        self, what: str, *, what_to_do: str, retry: Retry = Retry.NO, command: str | None = None
    ) -> None:
        super().__init__(what, what_to_do=what_to_do, retry=retry)
        self.command = command


class CannotConnect(CdpError):
    """Nobody answered where a browser should be. Says the address without its path: that
    is the browser's secret."""

    def __init__(self, where: str, why: str) -> None:
        super().__init__(
            f"no DevTools connection to {where}: {why}",
            what_to_do="Check that the browser is running with remote debugging enabled, then try "
            "again.",
            retry=Retry.SAME,
        )


class CommandFailed(CdpError):
    """The browser refused. `code` and `said` are its own."""

    def __init__(self, command: str, code: int, said: str, data: str = "") -> None:
        words = f"{said} ({data})" if data else said
        super().__init__(
            f"{command}: the browser refused: {words[:MAX_SAID]} (code {code})",
            what_to_do="Run `tabwire doctor`; the page or the browser's version may have changed.",
            command=command,
        )
        self.code = code
        self.said = said


class CommandTimedOut(CdpError):
    """No reply within the command's bound. It may have been carried out all the same."""

    def __init__(self, command: str, seconds: float) -> None:
        super().__init__(
            f"{command}: no reply within {seconds:g} s",
            what_to_do="The tab may be frozen or busy: look at it, or reload it.",
            retry=Retry.RESUME,
            command=command,
        )
        self.seconds = seconds


class LineFull(CdpError):
    """The browser does not read what it is told; a command on top was not sent.

    Raised by a carrier, which does not know the command; a caller gets it with its name.
    """

    def __init__(self, waiting_bytes: int, command: str | None = None) -> None:
        about = f"{command}: not sent: " if command else ""
        super().__init__(
            f"{about}the browser is not reading; {waiting_bytes / 1e6:.0f} MB are queued",
            what_to_do="The browser is frozen or overloaded: look at it, or restart it.",
            retry=Retry.SAME,
            command=command,
        )
        self.waiting_bytes = waiting_bytes


class Malformed(CdpError):
    """A reply or event whose content is not what its envelope promised."""

    def __init__(self, command: str, why: str) -> None:
        super().__init__(
            f"{command}: unreadable reply from the browser: {why[:MAX_SAID]}",
            what_to_do="Run `tabwire doctor`; the browser's version may have changed.",
            retry=Retry.RESUME,
            command=command,
        )


class SessionLost(CdpError):
    """The tab, frame or worker is gone; the browser is still there.

    After a crash the session itself lives on: a reload brings the tab back into it.
    """

    def __init__(
        self,
        session: str,
        command: str | None = None,
        *,
        sent: bool = True,
        crashed: bool = False,
    ) -> None:
        about = f"{command}: " if command else ""
        what = "has crashed" if crashed else "was closed or detached"
        super().__init__(
            f"{about}its tab {what}",
            what_to_do="Reload the tab." if crashed else "Open the conversation in a new tab.",
            retry=Retry.RESUME if sent else Retry.SAME,
            command=command,
        )
        self.session = session
        self.crashed = crashed


class ConnectionEnded(CdpError):
    """The line to the browser is gone. `why` is the carrier's reason."""

    did = "ended"
    help = "Restart the browser."

    def __init__(self, why: str, command: str | None = None, *, sent: bool = True) -> None:
        about = f"{command}: " if command else ""
        super().__init__(
            f"{about}the connection to the browser {self.did}: {why}",
            what_to_do=self.help,
            retry=Retry.RESUME if sent else Retry.SAME,
            command=command,
        )
        self.why = why


class ConnectionLost(ConnectionEnded):
    """It broke: the browser went away, or the line to it did."""

    did = "was lost"
    help = "Check that the browser is still running; restart it if it is not."


class ConnectionClosed(ConnectionEnded):
    """We closed it."""

    did = "was closed"
    help = "Nothing is wrong: Tabwire was asked to close this connection."
