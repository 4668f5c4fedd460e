"""A terminal that does not write `^C` into our picture, and is left as it was found."""

import os
import pty
import sys
import termios

import pytest

from tabwire.doors.cli.ask.columns import LOCAL_FLAGS, unechoed


@pytest.fixture
def terminal(monkeypatch):
    """A real terminal as standard input, in whose foreground we are."""
    ours, theirs = pty.openpty()
    monkeypatch.setattr(os, "tcgetpgrp", lambda _: os.getpgrp())
    with open(theirs, closefd=True) as stream:
        monkeypatch.setattr(sys, "stdin", stream)
        yield theirs
    os.close(ours)


def echoes(terminal):
    return bool(termios.tcgetattr(terminal)[LOCAL_FLAGS] & termios.ECHOCTL)


def test_ctrl_c_leaves_no_mark_in_the_block_and_does_again_afterwards(terminal):
    before = termios.tcgetattr(terminal)
    assert echoes(terminal)
    with unechoed():
        assert not echoes(terminal)
    assert termios.tcgetattr(terminal) == before


def test_in_the_background_the_terminal_is_not_touched(terminal, monkeypatch):
    """The system would stop the program for it."""
    monkeypatch.setattr(os, "tcgetpgrp", lambda _: 1)
    with unechoed():
        assert echoes(terminal)


@pytest.mark.parametrize("stdin", ["closed", "none", "a file"])
def test_without_a_terminal_nothing_is_done(monkeypatch, tmp_path, stdin):
    with open(tmp_path / "x", "w") as stream:
        monkeypatch.setattr(sys, "stdin", None if stdin == "none" else stream)
        if stdin == "closed":
            stream.close()
        with unechoed():
            pass
