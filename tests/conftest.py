"""What every test may ask for, and what surrounds it."""

import os
import signal
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

from guard_kit.named import run_what_is_named
from kit.agent_hub import agent_home, agent_hub
from kit.antigravity import agent_window, antigravity
from kit.carriers import carrier, relay
from kit.chromium import aside, blank, browser_url, chromium, line, new_tab
from kit.extension import extension, extension_browser_url
from kit.lab import lab, lab_browser_url, lab_tab
from kit.places import paired_place
from kit.postgres import postgres, postgres_server, postgres_url
from kit.turns import leave_rows_to_soak

__all__ = [
    "agent_home",
    "agent_hub",
    "agent_window",
    "antigravity",
    "aside",
    "blank",
    "browser_url",
    "carrier",
    "chromium",
    "extension",
    "extension_browser_url",
    "lab",
    "lab_browser_url",
    "lab_tab",
    "line",
    "new_tab",
    "paired_place",
    "postgres",
    "postgres_server",
    "postgres_url",
    "relay",
]

ROOT = Path(__file__).resolve().parent.parent
SHARED = ROOT.parent / "shared"
SEED = int(os.environ.get("TABWIRE_SEED", "20261115"))

# `make test` tries the same examples every time; `make soak` tries many others, seeded.
settings.register_profile("test", deadline=None, derandomize=True, max_examples=100)
settings.register_profile("quick", deadline=None, derandomize=True, max_examples=8)
settings.register_profile(
    "soak",
    deadline=None,
    max_examples=int(os.environ.get("TABWIRE_EXAMPLES", "2000")),
    suppress_health_check=[HealthCheck.too_slow],
)
settings.load_profile(os.environ.get("TABWIRE_EXAMPLES_OF", "test"))


# A run in the background of a shell ignores Ctrl-C, and so would every process it starts.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)

# Hundreds of tests start `tabwire` in a process of its own. Where Python is told to keep no
# bytecode, each of them would compile all of it anew, which is half of what it costs.
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)

# Output that is compared is plain and of one width, whatever terminal the tests run in.
for name in ("FORCE_COLOR", "PY_COLORS", "GITHUB_ACTIONS", "TTY_COMPATIBLE"):
    os.environ.pop(name, None)
os.environ.update(NO_COLOR="1", TERM="dumb", COLUMNS="100")


@pytest.hookimpl(tryfirst=True)  # before those marked `soak` are left out
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Of long matrices only some rows are due, unless a test is named."""
    leave_rows_to_soak(items)
    run_what_is_named(config, items)


@pytest.fixture(scope="session")
def root() -> Path:
    """The repository."""
    return ROOT


@pytest.fixture(scope="session")
def shared() -> Path:
    """Recordings and peers' test vectors that lie beside the checkout, where they do."""
    if not SHARED.is_dir():
        pytest.skip("no `shared` folder beside the checkout: nothing recorded to compare with")
    return SHARED


@pytest.fixture(scope="session")
def seed() -> int:
    """What random tests draw from: fixed in `make test`, TABWIRE_SEED in `make soak`."""
    return SEED
