"""The windows of Antigravity on this machine, by name. Asks for the person's consent first."""

import hashlib
import time
from collections.abc import Sequence
from dataclasses import dataclass

from tabwire.browser.agent.header import called
from tabwire.browser.agent.lists import What as What  # for the doors
from tabwire.browser.agent.targets import at_port, find_windows
from tabwire.browser.agent.window import AgentWindow
from tabwire.config.home import home, made
from tabwire.config.settings import Settings, settings
from tabwire.hub.agents.consent import FOLDER, require_consent, write_whole
from tabwire.hub.agents.language_server import NoLanguageServer, read_allowance
from tabwire.model.errors import Retry, TabwireError
from tabwire.model.exits import LIMIT, USAGE
from tabwire.model.moments import moment
from tabwire.monitor.agent_quota import Quota, QuotaState
from tabwire.sites.antigravity.page import Place, Window

TALKING = (Place.EDITOR, Place.APP, Place.FRAME)
"""Windows that are meant where none is named; Agent Manager only where it is alone."""


class NoSuchWindow(TabwireError):
    """No window of this name, or several."""

    exit_code = USAGE

    def __init__(self, said: str, names: Sequence[str]) -> None:
        what = f"no single Antigravity window is named {said!r}" if said else "which window?"
        named = ", ".join(repr(one) for one in names)
        super().__init__(what, what_to_do=f"Choose one of these: {named}.")


class QuotaSpent(TabwireError):
    """The model in use is used up. Nothing was sent."""

    exit_code = LIMIT

    def __init__(self, model: str, quota: Quota) -> None:
        when = ""
        if quota.resets_at is not None:
            when = f" It resets {moment(quota.resets_at, time.time())}."
        super().__init__(
            f"the model in use, {model}, is used up",
            what_to_do=f"Wait, or choose another: `tabwire antigravity model NAME`.{when} "
            "--force sends it anyway.",
            retry=Retry.SAME,
        )
        self.resets_at = quota.resets_at


@dataclass(frozen=True, slots=True)
class Spot:
    """A window, and the debugging port it is at."""

    port: int
    window: Window

    @property
    def name(self) -> str:
        """How it is called."""
        return self.window.name

    def attachable(self, *, give_up_seconds: float | None = None) -> AgentWindow:
        """The window by itself, to follow or to act in: it is attached while somebody listens."""
        find = at_port(self.port, self.window)
        return AgentWindow(find, self.window, give_up_seconds=give_up_seconds)


async def windows(now: Settings | None = None) -> tuple[Spot, ...]:
    """All windows of Antigravity on this machine. Raises `ConsentNeeded` and `NoWindow`."""
    require_consent()
    port = (now or settings()).antigravity_port or None
    spots: list[Spot] = []
    for found in await find_windows(port):
        spots += [Spot(found.port, one) for one in await called(found.windows)]
    return tuple(spots)


async def window(said: str = "", now: Settings | None = None) -> Spot:
    """The window that is meant: by its name, its workspace or its id; alone, without a word."""
    return meant(await windows(now), said)


def meant(spots: Sequence[Spot], said: str) -> Spot:
    """One of these windows. Raises `NoSuchWindow` for none and for several."""
    if said:
        for name in ("name", "workspace", "id"):
            found = [one for one in spots if getattr(one.window, name) == said]
            talking = [one for one in found if one.window.place in TALKING]
            if len(found) == 1 or len(talking) == 1:
                return (talking if len(talking) == 1 else found)[0]
    else:
        talking = [one for one in spots if one.window.place in TALKING]
        if len(talking) == 1 or len(spots) == 1:
            return (talking or list(spots))[0]
    raise NoSuchWindow(said, [one.name for one in spots])


# --- before a prompt is sent -----------------------------------------------------------------


async def check_quota(model: str) -> None:
    """Raise `QuotaSpent` where this model is known to be used up and the setting lets us ask."""
    if settings().antigravity_quota != "on" or not model:
        return
    try:
        quota = (await read_allowance()).of(model)
    except NoLanguageServer:
        return  # not known: that blocks nothing
    if quota.state is QuotaState.EXHAUSTED:
        raise QuotaSpent(model, quota)


class Draft:
    """A person's half-typed words, on disk while they are not in the composer."""

    def __init__(self, spot: Spot) -> None:
        folder = made(home(), FOLDER, "drafts")
        name = hashlib.sha256(f"{spot.port} {spot.window.name}".encode()).hexdigest()[:16]
        self.path = folder / f"{name}.txt"

    async def keep(self, draft: str) -> None:
        """Keep it, or forget it where it is "": it stands there again."""
        if draft:
            write_whole(self.path, draft)
        else:
            self.path.unlink(missing_ok=True)
