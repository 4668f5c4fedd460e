"""A hub with its door open, for tests of the protocol."""

import pytest

from kit.mcp_clients import ERAS
from kit.mcp_jobs import jobs_of, scripted_hub


@pytest.fixture
def hub():
    return scripted_hub(wait_seconds=0.1)


@pytest.fixture
def jobs(hub):
    return jobs_of(hub)


@pytest.fixture
def path(tmp_path):
    """Where the door is: the place at which a pump with this home looks for it."""
    (tmp_path / "run").mkdir()
    return tmp_path / "run" / "mcp.sock"


@pytest.fixture(params=list(ERAS), ids=list(ERAS))
def era(request):
    return ERAS[request.param]
