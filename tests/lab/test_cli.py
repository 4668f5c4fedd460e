"""`tabwire lab`: the table is light and its bodies are found."""

import sys
import types

from tabwire.lab import cli


def test_the_demo_is_played_at_the_speed_asked_for(monkeypatch):
    played = []
    stand_in = types.ModuleType("tabwire.lab.demo")
    stand_in.run = lambda speed, console: played.append((speed, type(console).__name__))
    monkeypatch.setitem(sys.modules, "tabwire.lab.demo", stand_in)
    cli.demo(speed=4.0)
    assert played == [(4.0, "Console")]
