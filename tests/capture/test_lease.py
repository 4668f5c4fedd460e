"""Seed 003, 8.2: owner-exclusive until expiry, owner-only release."""

from tabwire.capture.lease import LEASE_SECONDS, Leases


def test_a_lease_is_its_owners_until_it_runs_out():
    leases = Leases()
    assert leases.claim("c", "a", 0.0).acquired
    refused = leases.claim("c", "b", LEASE_SECONDS - 0.001)
    assert (refused.acquired, refused.owner, refused.until) == (False, "a", LEASE_SECONDS)
    assert leases.claim("c", "b", LEASE_SECONDS).acquired
    assert leases.holder("c", LEASE_SECONDS) == "b"


def test_its_owner_renews_it():
    leases = Leases()
    leases.claim("c", "a", 0.0)
    assert leases.claim("c", "a", 4.0).until == 4.0 + LEASE_SECONDS
    assert not leases.claim("c", "b", LEASE_SECONDS + 1).acquired


def test_only_its_owner_gives_it_back_and_twice_is_once():
    leases = Leases()
    leases.claim("c", "a", 0.0)
    assert not leases.release("c", "b")
    assert leases.holder("c", 1.0) == "a"
    assert leases.release("c", "a")
    assert not leases.release("c", "a")
    assert leases.claim("c", "b", 1.0).acquired


def test_a_late_release_does_not_take_it_from_the_next_owner():
    leases = Leases()
    leases.claim("c", "a", 0.0)
    leases.claim("c", "b", LEASE_SECONDS)
    assert not leases.release("c", "a")
    assert leases.holder("c", LEASE_SECONDS + 1) == "b"


def test_there_is_a_bound_and_the_soonest_to_run_out_goes_first():
    leases = Leases(most=2)
    leases.claim("soon", "a", 0.0, 1.0)
    leases.claim("later", "a", 0.0, 9.0)
    leases.claim("new", "a", 0.5, 1.0)
    assert len(leases) == 2
    assert leases.holder("soon", 0.5) is None
    assert leases.holder("later", 0.5) == "a"
