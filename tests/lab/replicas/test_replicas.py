"""All sites are played, each under names of its own, and only its own pages are handed out."""

import pytest

from tabwire.lab.replicas import NAMES, replicas, static_file
from tabwire.sites.known import SITES


def test_every_site_we_know_is_played_at_its_own_address():
    assert tuple(replicas()) == NAMES
    assert set(NAMES) == set(SITES)
    for name, replica in replicas().items():
        assert SITES[name].page.home.startswith(replica.home)


def test_no_name_is_played_twice():
    hosts = [host for replica in replicas().values() for host in replica.hosts]
    assert len(hosts) == len(set(hosts))


@pytest.mark.parametrize(
    "name",
    ["../../gemini/static/index.html", "../static/index.html", "/etc/passwd", "none.js", "", "."],
)
def test_nothing_outside_its_folder_is_handed_out(name):
    assert static_file("chatgpt", name).status_code == 404


def test_a_page_is_handed_out_as_what_it_is():
    page = static_file("chatgpt", "index.html")
    assert (page.status_code, page.media_type) == (200, "text/html")
    assert page.headers["cache-control"] == "no-store"
