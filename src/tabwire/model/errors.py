"""What stops us: what happened, what to do, and whether trying again can help.

TabwireError
├── Unreadable            a file or body we were asked to read is nothing we know
├── BadSetting            a setting, in the environment or config.toml, is invalid
├── BadChoice             what was said of the browser to use means nothing
├── NoSuchTab             what was said of the tab to use means no tab, or several
├── BadSelector           what should be a CSS selector is none
├── BrowserNotFound       no browser on this machine, or not the one that was named
├── BrowserDidNotStart    a browser was started and never answered
│   └── ProfileInUse      because another one has its profile open
└── BrowserNotReachable   nobody to attach to at an address
    └── ExtensionNotConnected     no extension has dialled in, and why as far as is known

A class exists because some caller branches on it.
"""

from enum import StrEnum

from tabwire.model.exits import FAILED, USAGE


class Retry(StrEnum):
    """What a caller may do next. The queue reads this, the doors print `what_to_do`."""

    NO = "no"
    SAME = "same"  # the prompt never left: the same thing may be tried again
    RESUME = "resume"  # it was sent: look for its answer, never ask twice


class TabwireError(Exception):
    """Three facts: what happened (`str`), what to do, and `retry`."""

    exit_code = FAILED
    lab: bool | None = None  # whether the site was the lab's stand-in, where that is known
    resets_at: float | None = None  # seconds since 1970: when a limit ends, where that is known
    debug: dict[str, object] | None = None  # what helps to find the cause

    def __init__(
        self,
        what: str,
        *,
        what_to_do: str,
        retry: Retry = Retry.NO,
        site: str | None = None,
    ) -> None:
        super().__init__(what)
        self.what_to_do = what_to_do
        self.retry = retry
        self.site = site


class Unreadable(TabwireError):
    """Nothing we know how to read."""

    def __init__(self, what: str, *, what_to_do: str | None = None) -> None:
        super().__init__(
            what,
            what_to_do=what_to_do
            or "Give a saved response body, a HAR or a ChatGPT data export; "
            "`tabwire parse --help` lists what can be read.",
        )


class BadSetting(TabwireError):
    """An invalid setting. `name` is how it is written where it stands."""

    exit_code = USAGE

    def __init__(self, name: str, value: str, why: str, what_to_do: str) -> None:
        super().__init__(f"{name}: {value!r} {why}", what_to_do=what_to_do)
        self.name = name


class BadChoice(TabwireError):
    """An invalid choice of browser."""

    exit_code = USAGE

    def __init__(self, what: str, *, what_to_do: str | None = None) -> None:
        super().__init__(
            what,
            what_to_do=what_to_do
            or "Choose auto, extension, launch, attach, attach=http://127.0.0.1:PORT or lab.",
        )


class NoSuchTab(TabwireError):
    """No tab is meant by that, or `many` are."""

    exit_code = USAGE

    def __init__(self, said: str, sites: tuple[str, ...], *, many: int = 0) -> None:
        what = f"{said} matches {many} tabs" if many else f"no tab matches {said}"
        super().__init__(
            what,
            what_to_do=f"Give {', '.join(sites)}, the URL of a chat there, or the full ID of "
            "a tab as `tabwire tabs` shows it.",
        )


class BadSelector(TabwireError):
    """No CSS selector."""

    exit_code = USAGE

    def __init__(self, selector: str) -> None:
        super().__init__(
            f"{selector!r} is not a valid CSS selector",
            what_to_do="Write it as in a style sheet, in quotes: 'button[aria-label=\"Stop\"]'.",
        )


class BrowserNotFound(TabwireError):
    """No browser we can drive."""

    def __init__(self, what: str, *, what_to_do: str) -> None:
        super().__init__(what, what_to_do=what_to_do)


class BrowserDidNotStart(TabwireError):
    """Started, and it ended or kept silent. `said` is the end of what it wrote to stderr."""

    def __init__(
        self,
        what: str,
        *,
        said: tuple[str, ...] = (),
        what_to_do: str | None = None,
    ) -> None:
        super().__init__(
            what,
            what_to_do=what_to_do
            or "Start it by hand to see its error message, or set TABWIRE_PROGRAM to another one.",
            retry=Retry.SAME,
        )
        self.said = said


class ProfileInUse(BrowserDidNotStart):
    """Two browsers cannot share one profile."""

    def __init__(self, profile: str, holder: str, *, said: tuple[str, ...] = ()) -> None:
        super().__init__(
            f"the profile {profile} is in use by {holder}",
            said=said,
            what_to_do="Close that browser, or choose another profile.",
        )
        self.profile = profile


class BrowserNotReachable(TabwireError):
    """Nothing to attach to. `status` is what an HTTP server said there, if one did."""

    def __init__(self, what: str, *, what_to_do: str, status: int | None = None) -> None:
        super().__init__(what, what_to_do=what_to_do, retry=Retry.SAME)
        self.status = status


class ExtensionNotConnected(BrowserNotReachable):
    """The person's own Chrome cannot be reached through the extension."""

    code = "extension_not_connected"

    def __init__(self, why: str, what_to_do: str) -> None:
        super().__init__(f"extension not connected: {why}", what_to_do=what_to_do)
        self.why = why
