"""One user per tab: taken, renewed, released, expired, or its owner dead."""

import os
import subprocess
import sys

import pytest

from tabwire.browser.errors import TabLeased
from tabwire.browser.lease import Held, Leases
from tabwire.browser.process import Mark, mark_of
from tabwire.model.errors import Retry

TAB = "4AD25869"


class Clock:
    now = 100.0

    def __call__(self):
        return self.now


@pytest.fixture
def clock():
    return Clock()


@pytest.fixture
def book(clock):
    return Leases(clock=clock)


def test_a_lease_says_who_has_the_tab_and_until_when(book):
    lease = book.take(TAB, "an ask", 30)
    assert lease.held == Held(TAB, "an ask", mark_of(os.getpid()), 130.0, 1)
    assert book.holder(TAB) == lease.held
    assert book.all == (lease.held,)


@pytest.mark.parametrize("owner", ["an ask", "another"])
def test_a_tab_has_one_user_even_of_the_same_name(book, clock, owner):
    book.take(TAB, "an ask", 30)
    clock.now += 10
    with pytest.raises(TabLeased, match="in use by an ask") as caught:
        book.take(TAB, owner, 30)
    error = caught.value
    assert str(os.getpid()) in str(error)
    assert "20 s" in str(error)
    assert (error.target, error.owner, error.pid) == (TAB, "an ask", os.getpid())
    assert error.left_seconds == 20
    assert error.retry is Retry.SAME
    assert error.what_to_do


def test_another_tab_is_another_matter(book):
    book.take(TAB, "an ask", 30)
    book.take("other", "an ask", 30)
    assert len(book.all) == 2


@pytest.mark.parametrize("after, free", [(29.9, False), (30.0, True), (31, True)])
def test_a_lease_expires(book, clock, after, free):
    book.take(TAB, "an ask", 30)
    clock.now += after
    assert (book.holder(TAB) is None) == free
    assert (book.all == ()) == free


def test_given_back_twice_is_once(book):
    lease = book.take(TAB, "an ask", 30)
    lease.release()
    other = book.take(TAB, "another", 30)
    lease.release()
    assert book.holder(TAB) == other.held


def test_the_end_of_a_block_gives_it_back(book):
    with book.take(TAB, "an ask", 30) as lease:
        assert book.holder(TAB) == lease.held
    assert book.holder(TAB) is None
    with pytest.raises(KeyError), book.take(TAB, "an ask", 30):
        raise KeyError
    assert book.holder(TAB) is None


@pytest.mark.asyncio
async def test_an_async_block_does_so_too(book):
    async with book.take(TAB, "an ask", 30):
        assert book.holder(TAB) is not None
    assert book.holder(TAB) is None


def test_a_lease_that_is_renewed_counts_from_now(book, clock):
    lease = book.take(TAB, "an ask", 30)
    clock.now += 20
    lease.renew(30)
    assert book.holder(TAB).until == 150
    clock.now += 29
    assert book.holder(TAB) == lease.held
    lease.release()
    assert book.holder(TAB) is None


def test_an_expired_lease_comes_back_only_if_nobody_took_the_tab(book, clock):
    lease = book.take(TAB, "an ask", 30)
    clock.now += 60
    lease.renew(30)
    assert book.holder(TAB).owner == "an ask"
    clock.now += 60
    other = book.take(TAB, "another", 30)
    with pytest.raises(TabLeased, match="another"):
        lease.renew(30)
    lease.release()
    assert book.holder(TAB) == other.held


def test_what_was_given_back_cannot_be_renewed(book):
    lease = book.take(TAB, "an ask", 30)
    lease.release()
    with pytest.raises(ValueError, match="released"):
        lease.renew(30)
    assert book.holder(TAB) is None


def test_a_dead_process_holds_nothing(book):
    """Its pid may be another's by now: the start time tells."""
    with subprocess.Popen([sys.executable, "-c", "input()"], stdin=subprocess.PIPE) as other:
        mark = mark_of(other.pid)
        book.take(TAB, "the other process", 3600, by=mark)
        book.take("mine", "the other process", 3600, by=Mark(os.getpid(), "long ago"))
        assert book.holder(TAB).holder == mark
        assert book.holder("mine") is None
        other.stdin.close()
        other.wait(10)
    assert book.holder(TAB) is None
    book.take(TAB, "an ask", 30)


def test_a_tab_that_is_gone_is_nobodys(book):
    lease = book.take(TAB, "an ask", 30)
    book.forget(TAB)
    book.forget(TAB)
    assert book.holder(TAB) is None
    lease.release()
