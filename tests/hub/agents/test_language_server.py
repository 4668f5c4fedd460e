"""The quota asked of a language server that runs: found by its name, asked with its own word."""

import os

import pytest

from tabwire.hub.agents import language_server as client
from tabwire.hub.agents.language_server import NoLanguageServer, linux_processes, read_allowance
from tabwire.lab.antigravity import quota_answers
from tabwire.lab.antigravity.language_server import language_server
from tabwire.monitor.agent_quota import QuotaState

pytestmark = [
    pytest.mark.asyncio,
    pytest.mark.skipif(not os.path.isdir("/proc/self/net"), reason="processes are read from /proc"),
    pytest.mark.xdist_group("browser"),
]


@pytest.mark.parametrize("scheme, standalone", [("https", False), ("http", False), ("https", True)])
async def test_it_is_found_beside_another_products_and_asked(monkeypatch, scheme, standalone):
    """S2-052."""
    async with (
        language_server(scheme=scheme, standalone=standalone) as ours,
        language_server(product="windsurf") as theirs,  # newer, so it would be asked first
    ):
        only(monkeypatch, theirs.pid, ours.pid)
        read = await read_allowance()
        assert read.of("Claude Sonnet 4.6 (Thinking)").state is QuotaState.EXHAUSTED
        assert read.of("Gemini 3 Flash").state is QuotaState.AVAILABLE
        assert [one.name for one in read.pools] == [
            "gemini-5h",
            "gemini-weekly",
            "3p-5h",
            "3p-weekly",
        ]
        assert await theirs.calls() == []
        assert {one.method for one in await ours.calls() if one.code == 200} == {
            "GetUserStatus",
            "RetrieveUserQuotaSummary",
        }


async def test_an_older_server_without_pools_is_read_all_the_same(monkeypatch):
    answers = {"GetUserStatus": quota_answers.user_status()}
    async with language_server(answers=answers) as ours:
        only(monkeypatch, ours.pid)
        read = await read_allowance()
    assert read.pools == ()
    assert read.of("Gemini 3 Flash").state is QuotaState.AVAILABLE


async def test_none_is_said_and_nothing_is_asked(monkeypatch):
    async with language_server(product="windsurf") as theirs:
        only(monkeypatch, theirs.pid)
        with pytest.raises(NoLanguageServer, match="no Antigravity language server is running"):
            await read_allowance()
        assert await theirs.calls() == []


async def test_the_word_is_in_no_log_and_in_no_error(monkeypatch, caplog):
    caplog.set_level(0)
    async with language_server(answers={}) as ours:
        only(monkeypatch, ours.pid)
        with pytest.raises(NoLanguageServer) as failed:
            await read_allowance()
        assert await ours.calls(), "it was asked"
        assert ours.csrf not in f"{failed.value!r} {failed.value.what_to_do} {caplog.text}"


def only(monkeypatch, *pids):
    """Other tests may have servers too."""
    real = linux_processes

    def found():
        return tuple(one for one in real() if one.pid in pids)

    monkeypatch.setattr(client, "linux_processes", found)
