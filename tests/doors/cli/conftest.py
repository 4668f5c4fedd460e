"""`tabwire …` in this process, with a hub that plays what the test wrote down."""

import importlib

import pytest

from tabwire.__main__ import main

ASKING = ("ask.command", "ask.fetch", "browser.login", "history")


@pytest.fixture
def asked(monkeypatch, tmp_path, capfdbinary):
    """Run a command with a scripted hub: (exit code, stdout as bytes, stderr as text)."""
    monkeypatch.chdir(tmp_path)

    def call(hub, *arguments):
        for name in ASKING:
            module = importlib.import_module(f"tabwire.doors.cli.{name}")
            for factory in {"local_hub", "remote_hub"} & vars(module).keys():
                monkeypatch.setattr(module, factory, lambda: hub)

        async def opened(_browser=None, *, say):
            return hub

        monkeypatch.setattr("tabwire.doors.cli.ask.command.open_hub", opened)
        monkeypatch.setattr("tabwire.doors.cli.ask.run.compare", hub.compare)
        monkeypatch.setattr("tabwire.doors.cli.ask.run.plain", hub.plain)
        monkeypatch.setattr("sys.argv", ["tabwire", *arguments])
        with pytest.raises(SystemExit) as left:
            main()
        out, err = capfdbinary.readouterr()
        return left.value.code or 0, out, err.decode()

    return call
