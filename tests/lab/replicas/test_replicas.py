"""All sites are played, each under names of its own."""

from tabwire.lab.replicas import NAMES, replicas
from tabwire.sites.known import SITES


def test_every_site_we_know_is_played_at_its_own_address():
    assert tuple(replicas()) == NAMES
    assert set(NAMES) == set(SITES)
    for name, replica in replicas().items():
        assert SITES[name].page.home.startswith(replica.home)


def test_no_name_is_played_twice():
    hosts = [host for replica in replicas().values() for host in replica.hosts]
    assert len(hosts) == len(set(hosts))
