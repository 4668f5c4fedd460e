"""The language server looks like the real one from outside, and answers only who knows its word."""

import asyncio
import json
import ssl
import sys
import urllib.error
import urllib.request

import psutil
import pytest

from tabwire.lab.antigravity.language_server import Called, _same_length, language_server
from tabwire.lab.antigravity.quota_answers import Model, answers

pytestmark = [
    pytest.mark.asyncio,
    pytest.mark.skipif(sys.platform != "linux", reason="arguments are rewritten on Linux only"),
]
PLACE = "/exa.language_server_pb.LanguageServerService/"


async def call(server, method, token, port=None):
    """The code and the answer."""

    def asked():
        unsafe = ssl._create_unverified_context() if server.scheme == "https" else None
        url = f"{server.scheme}://127.0.0.1:{port or server.port}{PLACE}{method}"
        headers = {"X-Codeium-Csrf-Token": token, "Content-Type": "application/json"}
        request = urllib.request.Request(url, data=b"{}", headers=headers)
        try:
            with urllib.request.urlopen(request, context=unsafe, timeout=10) as answer:
                return answer.status, json.loads(answer.read())
        except urllib.error.HTTPError as refused:
            return refused.code, None

    return await asyncio.to_thread(asked)


@pytest.mark.parametrize("scheme", ["https", "http"])
async def test_whoever_has_the_word_is_answered(scheme):
    async with language_server(scheme=scheme) as server:
        code, status = await call(server, "GetUserStatus", server.csrf)
        configs = status["userStatus"]["cascadeModelConfigData"]["clientModelConfigs"]
        assert code == 200
        by_name = {one["label"]: one for one in configs}
        spent = by_name["Claude Sonnet 4.6 (Thinking)"]["quotaInfo"]
        assert "remainingFraction" not in spent
        assert spent["resetTime"]
        assert "quotaInfo" not in by_name["GPT-OSS 120B (Medium)"]
        code, summary = await call(server, "RetrieveUserQuotaSummary", server.csrf)
        ids = [bucket["bucketId"] for group in summary["groups"] for bucket in group["buckets"]]
        assert (code, ids) == (200, ["gemini-5h", "gemini-weekly", "3p-5h", "3p-weekly"])
        assert (await call(server, "GetUserStatus", "another"))[0] == 403
        assert (await call(server, "Unknown", server.csrf))[0] == 404
        assert await server.calls() == [
            Called("GetUserStatus", 200),
            Called("RetrieveUserQuotaSummary", 200),
            Called("GetUserStatus", 403),
            Called("Unknown", 404),
        ]


async def test_from_outside_it_is_the_real_thing():
    async with language_server() as server, language_server(product="windsurf") as other:
        process = psutil.Process(server.pid)
        line = process.cmdline()
        assert process.name() == "language_server_linux_x64"
        assert line == list(server.arguments)
        assert line[line.index("--csrf_token") + 1] == server.csrf
        assert line[line.index("--extension_server_port") + 1] == str(server.extension_port)
        assert line[line.index("--app_data_dir") + 1] == "antigravity"
        ports = {one.laddr.port for one in process.net_connections() if one.status == "LISTEN"}
        assert server.port in ports
        assert len(ports) == 2
        assert server.extension_port not in ports
        assert "windsurf" in psutil.Process(other.pid).cmdline()
    assert not psutil.pid_exists(server.pid)


async def test_the_app_s_own_is_named_otherwise():
    async with language_server(standalone=True) as server:
        process = psutil.Process(server.pid)
        assert process.name() == "language_server"
        assert "--standalone" in process.cmdline()


async def test_its_answers_can_change():
    async with language_server(scheme="http") as server:
        await server.answers(answers([Model("Gemini 3 Flash", "M18", 0.0)]))
        _, status = await call(server, "GetUserStatus", server.csrf)
        (one,) = status["userStatus"]["cascadeModelConfigData"]["clientModelConfigs"]
        assert one["label"] == "Gemini 3 Flash"


@pytest.mark.parametrize("wanted", [["a", "b"], ["a" * 80, "b" * 40]])
async def test_what_is_shown_is_as_long_as_what_was_started(wanted):
    began, shown = _same_length(("program", "script.py"), wanted)
    assert sum(map(len, began)) + len(began) == sum(map(len, shown)) + len(shown)
    assert shown[:-1] == wanted[:-1]
    assert shown[-1].startswith(wanted[-1])
