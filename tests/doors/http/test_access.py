"""Who may come in by the port: the cases T01 to T11 of the security tests, on raw sockets."""

import asyncio
import base64
from contextlib import asynccontextmanager
from dataclasses import fields

import pytest

from kit.http_door import open_door
from tabwire.config.logs import close_log, open_log
from tabwire.doors.http import access as subject
from tabwire.model.failure import Failure

pytestmark = pytest.mark.asyncio

ROUTES = [
    ("GET", "/"),
    ("GET", "/nowhere"),
    ("GET", "/metrics"),
    ("POST", "/mcp"),
    ("GET", "/mcp"),
    ("DELETE", "/mcp"),
    ("GET", "/api/v1/status"),
    ("POST", "/api/v1/jobs"),
    ("GET", "/api/v1/jobs"),
    ("GET", "/api/v1/wait"),
    ("GET", "/api/v1/jobs/1"),
    ("GET", "/api/v1/jobs/1/news"),
    ("POST", "/api/v1/jobs/1/stop"),
    ("POST", "/api/v1/jobs/1/cancel"),
    ("GET", "/api/v1/sessions"),
    ("POST", "/api/v1/shutdown"),
]

HOSTS = [
    "evil.example:{port}",
    "evil.example",
    "localhost.evil.example:{port}",
    "127.0.0.1.nip.io:{port}",
    "[::ffff:127.0.0.1]:{port}",
    "0.0.0.0:{port}",
    "127.0.0.1",
    "127.0.0.1:1",
    "127.0.0.1:{port}.evil.example",
    "127.0.0.1:{port}@evil.example",
    "127.1:{port}",
    "2130706433:{port}",
    "localhost.:{port}",
    "",
]

ORIGINS = [
    "https://evil.example",
    "null",
    "file://",
    "garbage",
    "",
    "http://127.0.0.1:{port}.evil.example",
    "http://127.0.0.1:{port}/",
    "http://127.0.0.1",
    "https://127.0.0.1:{port}",
    "HTTP://127.0.0.1:{port}",
    "http://127.0.0.1:{port} http://127.0.0.1:{port}",
    "chrome-extension://abcdefghijklmnop",
]


@pytest.fixture
def door(tmp_path, monkeypatch):
    """Opens a door; /mcp is one more thing behind the guard, and says that it was reached."""
    reached = []

    async def mcp(scope, receive, send):
        reached.append(scope)
        await send({"type": "http.response.start", "status": 200, "headers": []})
        await send({"type": "http.response.body", "body": b"reached"})

    @asynccontextmanager
    async def opened():
        async with open_door(tmp_path, monkeypatch, mcp=mcp) as door:
            yield door
            state = (door.jobs.submitted, door.jobs.all, reached, door.ending.why)
            assert state == (0, {}, [], ""), "nothing was done by any of this"

    return opened


def refused(answer, status):
    """A refusal says nothing of the token, and allows nobody anything."""
    assert answer.status == status, answer.raw[:200]
    assert b"access-control" not in answer.head
    assert b"\r\nconnection: close" in answer.head
    assert set(answer.json) == {one.name for one in fields(Failure)}
    assert (answer.json["exit_code"], answer.json["retry"]) == (1, "no")


@pytest.mark.parametrize("method, path", ROUTES)
async def test_t01_a_foreign_host_is_refused_at_every_route_before_its_body_is_read(
    door, method, path
):
    async with door() as hub:
        # a body is announced and never sent: whoever waited for it would never answer
        answer = await hub.ask(
            method,
            path,
            host=f"evil.example:{hub.port}",
            content_length="1000",
            connection="keep-alive",
        )
        refused(answer, 421)


async def test_t01_a_refusal_is_logged_once(door, tmp_path):
    open_log("info", file=tmp_path / "log")
    try:
        async with door() as hub:
            for _ in range(5):
                await hub.ask("GET", "/api/v1/status", host="evil.example")
    finally:
        close_log()
    assert (tmp_path / "log").read_text().count("evil.example") == 1


@pytest.mark.parametrize("host", HOSTS)
async def test_t02_a_host_that_only_looks_like_ours_is_refused(door, host):
    async with door() as hub:
        refused(await hub.ask("GET", "/api/v1/status", host=host.format(port=hub.port)), 421)


async def test_t02_no_host_or_two_are_refused(door):
    async with door() as hub:
        own = f"host: 127.0.0.1:{hub.port}\r\n"
        token = f"authorization: Bearer {hub.token}\r\n"
        line = "GET /api/v1/status HTTP/1.1\r\n"
        for head in (
            line + token,
            line + own + own + token,
            line + own + "host: evil.example\r\n" + token,
            "GET /api/v1/status HTTP/1.0\r\n" + token,
            f"GET http://evil.example/api/v1/status HTTP/1.1\r\nhost: evil.example\r\n{token}",
        ):
            answer = await hub.raw(f"{head}connection: close\r\n\r\n".encode())
            assert answer.status in (400, 421), head


async def test_t02_two_hosts_are_refused_also_where_a_server_lets_them_through():
    """Ours does not; another one might."""
    sent = []

    async def send(message):
        sent.append(message)

    own = (b"host", b"127.0.0.1:1")
    for hosts in ([], [own, own], [own, (b"host", b"evil.example")]):
        guard = subject.Guard(None, port=1, token="t", refused=subject.Refused())
        headers = [*hosts, (b"authorization", b"Bearer t")]
        await guard({"type": "http", "method": "GET", "headers": headers}, None, send)
        assert sent[-2]["status"] == 421


@pytest.mark.parametrize("name", ["127.0.0.1", "localhost", "LocalHost", "[::1]"])
async def test_our_own_names_pass(door, name):
    async with door() as hub:
        host = f"{name}:{hub.port}"
        assert (await hub.ask("GET", "/api/v1/status", host=host)).status == 200
        own = {"host": host, "origin": f"http://{host.lower()}"}
        assert (await hub.ask("GET", "/api/v1/status", **own)).status == 200


@pytest.mark.parametrize("origin", ORIGINS)
async def test_t03_t04_a_foreign_origin_is_refused(door, origin):
    async with door() as hub:
        origin = origin.format(port=hub.port)
        refused(await hub.ask("GET", "/api/v1/status", origin=origin), 403)
        refused(await hub.ask("POST", "/api/v1/shutdown", b"{}", origin=origin), 403)


async def test_an_origin_has_no_business_on_the_hubs_own_socket(door):
    async with door() as hub:
        for origin in ("https://evil.example", f"http://127.0.0.1:{hub.port}"):
            refused(await hub.ask("GET", "/api/v1/status", local=True, origin=origin), 403)


def wrong_tokens(token):
    """What is sent in place of the right one."""
    half = base64.b64encode(f"x:{token}".encode()).decode()
    return [
        None,
        "",
        "Bearer",
        "Bearer ",
        f"Bearer {token[:-1]}",
        f"Bearer {token}x",
        f"Bearer  {token}",
        f"Bearer {token[::-1]}",
        f"Bearer {token.swapcase()}",
        f"Basic {half}",
        f"Token {token}",
        token,
        f"Bearer {'x' * 43}",
        f"Bearer {'é' * 20}",
        f"Bearer {token}, Bearer {token}",
    ]


async def test_t05_every_token_but_the_right_one_is_refused(door):
    async with door() as hub:
        for said in wrong_tokens(hub.token):
            answer = await hub.ask("GET", "/api/v1/status", authorization=said)
            refused(answer, 401)
            assert hub.token.encode() not in answer.raw
        twice = f"authorization: Bearer {hub.token}\r\n" * 2
        head = f"GET / HTTP/1.1\r\nhost: 127.0.0.1:{hub.port}\r\nconnection: close\r\n{twice}\r\n"
        refused(await hub.raw(head.encode()), 401)
        assert (await hub.ask("GET", "/api/v1/status")).status == 200


@pytest.mark.parametrize("method, path", ROUTES)
async def test_t05_no_route_is_open_without_a_token(door, method, path):
    async with door() as hub:
        refused(await hub.ask(method, path, authorization=None), 401)


async def test_t05_a_token_of_ten_megabytes_harms_nobody(door):
    async with door() as hub:
        answer = await hub.ask("GET", "/api/v1/status", authorization="Bearer " + "x" * 10_000_000)
        assert answer.status in (0, 400, 401, 431)
        newline = f"Bearer {hub.token}\r\n\r\n"
        assert (await hub.ask("GET", "/", authorization=newline)).status == 404, "one request"
        assert (await hub.ask("GET", "/api/v1/status")).status == 200


async def test_t05_tokens_are_compared_in_constant_time(door, monkeypatch):
    compared = []
    really = subject.compare_digest

    def comparing(one, other):
        compared.append(one)
        return really(one, other)

    monkeypatch.setattr(subject, "compare_digest", comparing)
    async with door() as hub:
        for said in wrong_tokens(hub.token):
            await hub.ask("GET", "/api/v1/status", authorization=said)
        assert len(compared) == len(wrong_tokens(hub.token))


async def test_t06_a_token_in_the_address_is_not_looked_at_and_never_logged(door, tmp_path):
    open_log("debug", file=tmp_path / "log")
    try:
        async with door() as hub:
            for name in ("token", "access_token", "authorization", "key"):
                path = f"/api/v1/status?{name}={hub.token}"
                refused(await hub.ask("GET", path, authorization=None), 401)
                assert (await hub.ask("GET", f"/nowhere?{name}={hub.token}")).status == 404
    finally:
        close_log()
    assert hub.token not in (tmp_path / "log").read_text()


UPGRADE = {"upgrade": "websocket", "connection": "Upgrade, close", "sec_websocket_version": "13"}
WRONG = [
    ("foreign host", {"host": "evil.example"}, 421),
    ("foreign origin", {"origin": "https://evil.example"}, 403),
    ("null origin", {"origin": "null"}, 403),
    ("no token", {"authorization": None}, 401),
    ("wrong token", {"authorization": "Bearer x"}, 401),
]


@pytest.mark.parametrize("wrong, status", [c[1:] for c in WRONG], ids=[c[0] for c in WRONG])
async def test_t07_a_socket_is_not_opened_for_whoever_may_not_come_in(door, wrong, status):
    async with door() as hub:
        key = base64.b64encode(b"0123456789abcdef").decode()
        answer = await hub.ask("GET", "/mcp", sec_websocket_key=key, **UPGRADE, **wrong)
        assert answer.status == status


@pytest.mark.parametrize("wrong", [c[1] for c in WRONG], ids=[c[0] for c in WRONG])
async def test_t07_a_server_that_knows_sockets_is_told_to_close_before_it_opens_one(wrong):
    """Ours knows none as yet; the guard is asked as such a server would ask it."""
    reached, sent = [], []

    async def app(*_):
        reached.append(True)

    async def send(message):
        sent.append(message)

    said = {"host": "127.0.0.1:1", "authorization": "Bearer t", **wrong}
    headers = [(name.encode(), value.encode()) for name, value in said.items() if value is not None]
    guard = subject.Guard(app, port=1, token="t", refused=subject.Refused())
    await guard({"type": "websocket", "path": "/", "headers": headers}, None, send)
    assert [one["type"] for one in sent] == ["websocket.close"]
    assert reached == []


@pytest.mark.parametrize(
    "kind",
    ["text/plain", "application/x-www-form-urlencoded", "multipart/form-data", None, "json"],
)
@pytest.mark.parametrize("path", ["/api/v1/jobs", "/api/v1/shutdown", "/mcp"])
async def test_t10_what_a_page_can_post_without_asking_is_refused(door, path, kind):
    async with door() as hub:
        body = b'{"requests": [{"site": "grok", "prompt": "now"}]}'
        refused(await hub.ask("POST", path, body, content_type=kind), 415)
        refused(await hub.ask("POST", path, body, content_type=kind, local=True), 415)


async def test_t11_a_preflight_from_elsewhere_allows_nothing(door):
    async with door() as hub:
        asks = {
            "access_control_request_method": "POST",
            "access_control_request_headers": "authorization, content-type",
        }
        for path in ("/api/v1/jobs", "/mcp", "/"):
            foreign = {"origin": "https://evil.example", "authorization": None, **asks}
            refused(await hub.ask("OPTIONS", path, **foreign), 403)
            own = {"origin": f"http://127.0.0.1:{hub.port}", **asks}
            refused(await hub.ask("OPTIONS", path, **own), 405)


async def test_a_body_that_is_too_large_is_cut_off(door, monkeypatch):
    monkeypatch.setattr(subject, "MAX_BODY", 1000)
    async with door() as hub:
        refused(await hub.ask("POST", "/api/v1/jobs", content_length="1001"), 413)
        head = (
            f"POST /api/v1/jobs HTTP/1.1\r\nhost: 127.0.0.1:{hub.port}\r\n"
            f"authorization: Bearer {hub.token}\r\ncontent-type: application/json\r\n"
            "transfer-encoding: chunked\r\n\r\n"
        )
        body = b'{"requests": [{"site": "grok", "prompt": "now"}]}'.ljust(1001)
        for cut in (1, 1000, 1001):  # whole and right as it is, were it not for its length
            parts = b"".join(
                b"%x\r\n%s\r\n" % (len(one), one) for one in (body[:cut], body[cut:]) if one
            )
            refused(await hub.raw(head.encode() + parts + b"0\r\n\r\n"), 413)


@pytest.mark.parametrize(
    "head",
    [
        "POST / HTTP/1.1\r\n{own}content-length: 1\r\ntransfer-encoding: chunked\r\n\r\n",
        "GET / HTTP/1.1\r\n{own}x: a\r\n folded: b\r\n\r\n",
        "GET / HTTP/1.1\r\n{own}content-length: 1\r\ncontent-length: 2\r\n\r\n",
        "GET / HTTP/1.1\r\n{own}" + "x: y\r\n" * 20_000 + "\r\n",
        "nonsense\r\n\r\n",
    ],
    ids=["two lengths", "folded", "lengths differ", "many headers", "nonsense"],
)
async def test_what_is_no_honest_request_gets_nowhere(door, head):
    async with door() as hub:
        own = f"host: 127.0.0.1:{hub.port}\r\nauthorization: Bearer x\r\nconnection: close\r\n"
        answer = await hub.raw(head.format(own=own).encode())
        assert answer.status in (0, 400, 401)
        assert (await hub.ask("GET", "/api/v1/status")).status == 200


async def test_whoever_says_nothing_holds_nobody_up(door):
    async with door() as hub:
        silent = [await asyncio.open_connection("127.0.0.1", hub.port) for _ in range(200)]
        assert (await hub.ask("GET", "/api/v1/status")).status == 200
        for _, writer in silent:
            writer.close()
