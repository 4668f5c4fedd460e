"""Why no extension is connected, as far as a hub can know, and what helps.

It cannot look into the browser. What it knows: who is paired and was seen when, what it last
refused and why, how the last socket ended, and whether it has the port that extensions dial.
"""

import time
from dataclasses import dataclass

from tabwire.config.settings import Settings, settings
from tabwire.hub.process.lock import holder
from tabwire.hub.relay.handshake import Hello
from tabwire.hub.relay.pairing import Known, Pairing
from tabwire.model.errors import ExtensionNotConnected
from tabwire.model.extensions import LastRefusal, Obstacle

RECENT_SECONDS = 600.0  # how long a refusal explains why nobody is there
USUAL_PORT = Settings().port
SHOWS = "Its popup shows its state."


@dataclass(slots=True)
class Whereabouts:
    """What was last heard of extensions."""

    code: str = ""
    message: str = ""
    what_to_do: str = ""
    refused_at: float = 0.0
    asked_at: float = 0.0  # when somebody last said hello
    cut_why: str = ""

    def hello(self, _hello: Hello) -> None:
        """Somebody dialled in."""
        self.asked_at = time.time()

    def refused(self, code: str, message: str, what_to_do: str) -> None:
        """And was sent away."""
        self.code, self.message, self.what_to_do = code, message, what_to_do
        self.refused_at = time.time()

    def connected(self) -> None:
        """And stayed."""
        self.code = self.cut_why = ""

    def cut(self, why: str) -> None:
        """And left."""
        self.cut_why = why

    def last_refusal(self) -> LastRefusal | None:
        """The last refusal, where it still means something."""
        if not self.code or time.time() - self.refused_at > RECENT_SECONDS:
            return None
        return LastRefusal(self.code, self.message, self.what_to_do, self.refused_at)


def not_connected(
    pairing: Pairing, seen: Whereabouts, waited_seconds: float
) -> ExtensionNotConnected:
    """The likeliest reason first."""
    if (refused := seen.last_refusal()) is not None:
        return ExtensionNotConnected(refused.message, refused.what_to_do)
    if (taken := _taken_port()) is not None:
        return taken
    if not pairing.known:
        if time.time() - seen.asked_at < RECENT_SECONDS:
            why = "an extension is waiting to be paired"
            return ExtensionNotConnected(why, "Run `tabwire extension pair` and type the code.")
        return ExtensionNotConnected(
            "no extension has been paired",
            "Load the folder that `tabwire extension path` prints in chrome://extensions, then run "
            "`tabwire extension pair`.",
        )
    last = max(pairing.known, key=lambda one: one.seen_at)
    waited = f" (waited {waited_seconds:g} s: wait `connect`)" if waited_seconds else ""
    how = f"; it left because {seen.cut_why}" if seen.cut_why else ""
    return ExtensionNotConnected(
        f"{last.name} is paired, but has not been seen since {_moment(last)}{how}{waited}",
        "Check that Chrome is running and the extension is enabled in chrome://extensions. "
        + SHOWS,
    )


def switched_off(known: Known | None) -> ExtensionNotConnected:
    """It is there, and its person wants nothing done."""
    name = known.name if known is not None else "it"
    return ExtensionNotConnected(
        f"{name} is connected, but switched off in its popup",
        "Switch it on in the extension's popup, or choose another --browser.",
    )


def port_problem() -> Obstacle | None:
    """Why an extension may not find this hub: it has not the port that extensions dial."""
    if (taken := _taken_port()) is not None:
        return Obstacle(taken.why, taken.what_to_do)
    held = holder()
    if held is None or held.port in (0, USUAL_PORT):
        return None
    return Obstacle(
        f"the hub listens on port {held.port}, but extensions look for it on {USUAL_PORT} until "
        "another port is set",
        f"Set port {held.port} in the extension's options.",
    )


def _taken_port() -> ExtensionNotConnected | None:
    """Another program has the port that was wanted."""
    wanted, held = settings().port, holder()
    if held is None or wanted == 0 or held.port in (0, wanted):
        return None
    return ExtensionNotConnected(
        f"another program uses port {wanted}, where extensions look for the hub; the hub listens "
        f"on {held.port}",
        f"Stop that program and run `tabwire restart`, or set port {held.port} in the extension's "
        "options.",
    )


def _moment(known: Known) -> str:
    return time.strftime("%Y-%m-%d %H:%M:%S", time.localtime(known.seen_at))
