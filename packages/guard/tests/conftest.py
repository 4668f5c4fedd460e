"""What the guard's tests share. They need the guard, pytest and Hypothesis, nothing of Tabwire."""

import os

import pytest
from hypothesis import HealthCheck, settings

from guard_kit.named import run_what_is_named

# By default the same examples every time; `make soak` tries many others, seeded.
settings.register_profile("test", deadline=None, derandomize=True, max_examples=100)
settings.register_profile("quick", deadline=None, derandomize=True, max_examples=8)
settings.register_profile(
    "soak",
    deadline=None,
    max_examples=int(os.environ.get("TABWIRE_EXAMPLES", "2000")),
    suppress_health_check=[HealthCheck.too_slow],
)
settings.load_profile(os.environ.get("TABWIRE_EXAMPLES_OF", "test"))


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """A test that is named runs. Not `tryfirst`: Tabwire's own hook, where it is loaded too, first
    marks the rows that it sets aside."""
    run_what_is_named(config, items)


@pytest.fixture(scope="session")
def seed() -> int:
    """What random tests draw from: fixed by default, TABWIRE_SEED in `make soak`."""
    return int(os.environ.get("TABWIRE_SEED", "20261115"))
