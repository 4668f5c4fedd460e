"""With which flags a browser of ours starts. Pure; what was measured stands beside each.

The port is always 0, so that the system chooses one nobody can guess.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from tabwire.model.errors import BadChoice

QUIET = (
    "--no-first-run",
    "--no-default-browser-check",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--disable-quic",  # over QUIC the body of a response cannot be followed as it arrives
)
TEMPORARY = (
    "--password-store=basic",  # nothing of a temporary profile goes into the person's keyring,
    "--use-mock-keychain",  # which would ask them for a password besides
)
OURS = ("--remote-debugging-", "--user-data-dir", "--headless", "--no-sandbox")
SMALL_SHM = 512 << 20  # containers give 64 MB by default and tabs crash when it is full


@dataclass(frozen=True, slots=True)
class Surroundings:
    """What of the machine decides about flags."""

    root: bool  # the sandbox refuses to start for root
    shm_bytes: int | None  # of shared memory; None where the system has no such place


def flags_for(
    profile: Path, around: Surroundings, *, headless: bool, temporary: bool, more: Sequence[str]
) -> tuple[list[str], list[str]]:
    """The flags, and what a person should know of them."""
    for flag in more:
        if not flag.startswith("--") or flag.startswith(OURS):
            raise BadChoice(
                f"the flag {flag} cannot be added",
                what_to_do="Remove flags that Tabwire sets itself: the debugging port, the "
                "profile, headless and the sandbox.",
            )
    flags = ["--remote-debugging-port=0", f"--user-data-dir={profile}", *QUIET]
    notes = []
    if headless:
        flags += ["--headless=new", "--disable-gpu"]
    if temporary:
        flags += TEMPORARY
    if around.root:
        flags.append("--no-sandbox")
        notes.append(
            "running as root, so without the browser's sandbox, which refuses root (--no-sandbox)"
        )
    if around.shm_bytes is not None and around.shm_bytes < SMALL_SHM:
        flags.append("--disable-dev-shm-usage")
        notes.append("little shared memory: the browser uses files instead")
    return [*flags, *more], notes
