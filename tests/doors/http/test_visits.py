"""Who may see the dashboard: tickets and cookies, and everybody who has neither. Raw sockets."""

import re

import pytest

from kit.dashboard import cookie_of, session_of, ticket_of
from kit.http_door import open_door
from kit.relay_hub import relay_hub
from tabwire.config.logs import close_log, open_log
from tabwire.doors.http import visits as subject
from tabwire.doors.http.dashboard import KINDS
from tabwire.doors.http.visits import Visits

# --- tickets and sessions, in seconds that are told ----------------------------------------------


class Clock:
    now = 1000.0

    def __call__(self):
        return self.now


@pytest.fixture
def clock():
    return Clock()


@pytest.fixture
def visits(clock):
    return Visits(8766, clock=clock)


def header(visits, secret):
    return [f"a=b; {visits.cookie}={secret}".encode()]


def opens(visits, halves):
    return visits.opens(header(visits, halves.cookie), [halves.key.encode()])


def test_a_ticket_opens_once(visits):
    ticket = visits.ticket()
    halves = visits.enter(ticket)
    assert all(len(one) * 6 >= 128 for one in (ticket, *halves)), "bits"
    assert len({ticket, *halves}) == 3
    assert opens(visits, halves)
    assert not visits.has_ticket(ticket)
    assert visits.enter(ticket) is None


def test_a_half_opens_nothing_and_halves_of_two_sessions_are_none(visits):
    one, other = visits.enter(visits.ticket()), visits.enter(visits.ticket())
    cookie = header(visits, one.cookie)
    assert visits.knows(cookie), "the files of the page"
    for keys in (
        [],
        [b""],
        [b"x" * 10_000],
        [other.key.encode()],
        [one.cookie.encode()],
        [one.key.encode(), one.key.encode()],
    ):
        assert not visits.opens(cookie, keys), keys
    for cookies in ([], header(visits, ""), header(visits, one.key), header(visits, other.cookie)):
        assert not visits.opens(cookies, [one.key.encode()]), cookies


STORY = [
    # seconds that pass, whether a ticket opens, whether a session does
    (0, True, True),
    (59.9, True, True),
    (60, False, True),
    (12 * 3600 - 0.1, False, True),
    (12 * 3600, False, False),
]


@pytest.mark.parametrize("seconds, ticket_opens, session_opens", STORY)
def test_both_run_out(visits, clock, seconds, ticket_opens, session_opens):
    halves, ticket = visits.enter(visits.ticket()), visits.ticket()
    clock.now += seconds
    assert visits.knows(header(visits, halves.cookie)) is session_opens
    assert opens(visits, halves) is session_opens
    assert visits.has_ticket(ticket) is ticket_opens
    assert (visits.enter(ticket) is not None) is ticket_opens


def test_there_are_only_so_many_and_the_oldest_gives_way(visits):
    tickets = [visits.ticket() for _ in range(subject.MAX_TICKETS + 1)]
    assert [visits.has_ticket(one) for one in tickets] == [False] + [True] * subject.MAX_TICKETS
    sessions = [visits.enter(visits.ticket()) for _ in range(subject.MAX_SESSIONS + 1)]
    known = [opens(visits, one) for one in sessions]
    assert known == [False] + [True] * subject.MAX_SESSIONS


@pytest.mark.parametrize("wrong", ["", "x", "é" * 20, "\ud800", "a" * 10_000])
def test_nonsense_is_neither(visits, wrong):
    assert visits.enter(wrong) is None
    assert not visits.knows([wrong.encode("latin-1", "replace")])
    assert not visits.knows([f"{visits.cookie}={wrong}".encode("latin-1", "replace")])


def test_another_hubs_cookie_is_not_ours(visits):
    other = Visits(8767)
    secret, key = visits.enter(visits.ticket())
    assert other.cookie != visits.cookie
    assert not other.knows(header(other, secret))
    assert not visits.knows([f"{other.cookie}={secret}".encode()])
    both = f"{visits.cookie}=planted; {visits.cookie}={secret}".encode()
    assert visits.opens([both], [key.encode()]), "a planted cookie shuts nobody out"


# --- over the port -------------------------------------------------------------------------------

PLAIN = {"authorization": None}
FILES = ["", "app.js", "draw.js", "style.css", "icon.svg"]
READ = [("GET", f"/dashboard/{name}") for name in FILES] + [
    ("GET", "/dashboard"),
    ("HEAD", "/dashboard/"),
    ("GET", "/dashboard/api/board"),
    ("GET", "/dashboard/api/live"),
    ("GET", "/dashboard/nothing"),
]
ACT = [("POST", f"/dashboard/api/{name}") for name in ("pair", "use", "forget")]


@pytest.fixture
def door(tmp_path, monkeypatch):
    def opened():
        return open_door(tmp_path, monkeypatch)

    return opened


def path_of(url):
    return "/" + url.split("/", 3)[3]


def closed(answer):
    """Whatever is said, it allows nobody anything."""
    assert b"access-control" not in answer.head
    assert b"set-cookie" not in answer.head


@pytest.mark.asyncio
@pytest.mark.parametrize("method, path", READ + ACT)
async def test_nothing_of_it_is_open_without_a_session(door, method, path):
    async with door() as hub:
        token = f"Bearer {hub.token}"
        for more in (
            PLAIN,
            {**PLAIN, "cookie": f"tabwire_{hub.port}=x"},
            {**PLAIN, "cookie": f"tabwire_{hub.port}={hub.token}"},
            {"authorization": token},  # opens the API, and not what is for browsers
        ):
            answer = await hub.ask(method, path, b"", **more)
            assert answer.status == 401, (more, answer.raw)
            closed(answer)


@pytest.mark.asyncio
@pytest.mark.parametrize("method, path", [one for one in READ + ACT if "/api/" in one[1]])
async def test_the_cookie_alone_shows_and_does_nothing(door, method, path):
    """It goes to every server of this machine; whoever got it there can say any Origin."""
    async with door() as hub:
        session, other = await session_of(hub), await session_of(hub)
        forged = {"origin": f"http://127.0.0.1:{hub.port}", "sec_fetch_site": "same-origin"}
        for key in (None, "", "x", other["x_tabwire_page"], session["cookie"].partition("=")[2]):
            more = {**PLAIN, **session, **forged, "x_tabwire_page": key}
            answer = await hub.ask(method, path, b"{}", **more)
            assert (answer.status, answer.json["code"]) == (401, "no_session"), key
            closed(answer)


@pytest.mark.asyncio
async def test_a_person_without_one_is_told_what_to_do_in_plain_words(door):
    async with door() as hub:
        for path in ("/dashboard/", "/dashboard/enter/wrong"):
            answer = await hub.ask("GET", path, **PLAIN, accept="text/html,*/*;q=0.8")
            assert answer.status == 401
            assert b"text/html" in answer.head
            assert b"<code>tabwire dashboard</code>" in answer.raw
            assert b"default-src 'none'" in answer.head
            assert b"frame-ancestors 'none'" in answer.head
            closed(answer)
        told = (await hub.ask("GET", "/dashboard/api/board", **PLAIN)).json
        assert (told["code"], "tabwire dashboard" in told["what_to_do"]) == ("no_session", True)


@pytest.mark.asyncio
async def test_a_ticket_gives_a_cookie_that_no_script_and_no_other_site_gets(door):
    async with door() as hub:
        url = await ticket_of(hub)
        assert re.fullmatch(rf"http://127\.0\.0\.1:{hub.port}/dashboard/enter/[\w-]{{43}}", url)
        answer = await hub.ask("GET", path_of(url), **PLAIN)
        assert answer.status == 303
        assert re.search(rb"location: /dashboard/#[\w-]{43}\r\n", answer.head)
        (cookie,) = (line for line in answer.head.split(b"\r\n") if line.startswith(b"set-cookie"))
        name, *rules = cookie.partition(b": ")[2].split(b"; ")
        assert name.startswith(b"tabwire_%d=" % hub.port)
        assert set(rules) == {b"httponly", b"samesite=strict", b"path=/", b"max-age=43200"}
        again = await hub.ask("GET", path_of(url), **PLAIN)
        assert again.status == 401, "used up"
        closed(again)


@pytest.mark.asyncio
async def test_it_is_not_used_up_by_whoever_only_looks_ahead(door):
    async with door() as hub:
        path = path_of(await ticket_of(hub))
        early = await hub.ask("GET", path, **PLAIN, sec_purpose="prefetch;prerender")
        assert (early.status, early.json["code"]) == (503, "too_early")
        assert (await hub.ask("HEAD", path, **PLAIN)).status == 405
        assert (await hub.ask("POST", path, b"{}", **PLAIN)).status == 405
        assert (await hub.ask("GET", path, **PLAIN)).status == 303


@pytest.mark.asyncio
async def test_a_ticket_and_a_session_end_with_their_hub(tmp_path, monkeypatch):
    async with open_door(tmp_path, monkeypatch) as first:
        ticket, cookie = path_of(await ticket_of(first)), await cookie_of(first)
        assert (await first.ask("GET", "/dashboard/", **PLAIN, cookie=cookie)).status == 200
    async with open_door(tmp_path, monkeypatch) as second:
        assert (await second.ask("GET", ticket, **PLAIN)).status == 401
        moved = f"tabwire_{second.port}={cookie.partition('=')[2]}"
        for said in (cookie, moved):
            assert (await second.ask("GET", "/dashboard/", **PLAIN, cookie=said)).status == 401


@pytest.mark.asyncio
async def test_a_session_opens_the_dashboard_and_nothing_else(door):
    async with door() as hub:
        cookie = await cookie_of(hub)
        for name in FILES:
            answer = await hub.ask("GET", f"/dashboard/{name}", **PLAIN, cookie=cookie)
            assert answer.status == 200, name
        for method, path in (
            ("GET", "/api/v1/status"),
            ("POST", "/api/v1/dashboard"),
            ("POST", "/api/v1/shutdown"),
            ("GET", "/metrics"),
            ("POST", "/mcp"),
            ("GET", "/dashboardx"),
        ):
            answer = await hub.ask(method, path, b"{}", **PLAIN, cookie=cookie)
            assert (answer.status, answer.json["code"]) == (401, "wrong_token"), path
        assert hub.ending.why == ""


@pytest.mark.asyncio
async def test_only_its_own_files_are_served(door, root):
    async with door() as hub:
        cookie = await cookie_of(hub)
        for path in (
            "/dashboard/__init__.py",
            "/dashboard/../http/api.py",
            "/dashboard/..%2fhttp%2fapi.py",
            "/dashboard/%2e%2e/__init__.py",
            "/dashboard//etc/passwd",
            "/dashboard/index.html/",
        ):
            assert (await hub.ask("GET", path, **PLAIN, cookie=cookie)).status == 404, path
        folder = root / "src" / "tabwire" / "doors" / "dashboard"
        for file in folder.iterdir():
            if file.suffix in KINDS:
                answer = await hub.ask("GET", f"/dashboard/{file.name}", **PLAIN, cookie=cookie)
                assert answer.raw.partition(b"\r\n\r\n")[2] == file.read_bytes()


@pytest.mark.asyncio
async def test_every_answer_tells_the_browser_how_little_it_may_do(door):
    async with door() as hub:
        cookie = await cookie_of(hub)
        ticket = path_of(await ticket_of(hub))
        for path in ("/dashboard/", "/dashboard/app.js", "/dashboard/nothing", ticket):
            head = (await hub.ask("GET", path, **PLAIN, cookie=cookie)).head
            (policy,) = re.findall(rb"content-security-policy: ([^\r]+)", head)
            rules = dict(rule.split(b" ", 1) for rule in policy.split(b"; "))
            assert rules[b"default-src"] == b"'none'"
            assert rules[b"script-src"] == rules[b"style-src"] == b"'self'"
            assert rules[b"connect-src"] == b"'self'"
            assert rules[b"frame-ancestors"] == rules[b"base-uri"] == b"'none'"
            assert rules[b"require-trusted-types-for"] == b"'script'"
            for said in (
                b"cache-control: no-store",
                b"x-content-type-options: nosniff",
                b"referrer-policy: no-referrer",
                b"cross-origin-resource-policy: same-origin",
                b"x-frame-options: deny",
            ):
                assert said in head, (path, said)


FOREIGN = [
    {"host": "evil.example:{port}"},
    {"host": "localhost.evil.example:{port}"},
    {"origin": "https://evil.example"},
    {"origin": "null"},
    {"origin": "http://127.0.0.1:1"},
    {"origin": "http://localhost:{port}"},  # ours, but not the one it is asked under
    {"origin": "http://127.0.0.1:{port}.evil.example"},
    {"sec_fetch_site": "cross-site"},
    {"sec_fetch_site": "same-site"},  # another port of this machine: cookies do not know ports
    {"sec_fetch_site": "same-site", "sec_fetch_mode": "navigate", "sec_fetch_dest": "iframe"},
    {"sec_fetch_site": "same-site", "sec_fetch_mode": "no-cors", "sec_fetch_dest": "script"},
]


@pytest.mark.asyncio
@pytest.mark.parametrize("wrong", FOREIGN, ids=lambda one: "; ".join(one.values()))
async def test_whoever_comes_from_elsewhere_is_refused_in_spite_of_the_cookie(
    tmp_path, monkeypatch, wrong
):
    async with relay_hub(tmp_path, monkeypatch) as hub:
        door = hub.door
        session, ticket = await session_of(door), path_of(await ticket_of(door))
        wrong = {name: said.format(port=door.port) for name, said in wrong.items()}
        own = {"origin": f"http://127.0.0.1:{door.port}"}
        for method, path in [*READ, *ACT, ("GET", ticket)]:
            more = {**PLAIN, **session, **(own if method == "POST" else {}), **wrong}
            answer = await door.ask(method, path, b'{"name": "x"}', **more)
            assert answer.status in (403, 421), (method, path, answer.raw)
            closed(answer)
        assert hub.pairing.code is None
        assert (await door.ask("GET", ticket, **PLAIN)).status == 303, "it was not used up"


@pytest.mark.asyncio
async def test_a_link_elsewhere_may_lead_a_person_here(door):
    led = {"sec_fetch_site": "cross-site", "sec_fetch_mode": "navigate"}
    led["sec_fetch_dest"] = "document"
    async with door() as hub:
        session, ticket = await session_of(hub), path_of(await ticket_of(hub))
        assert (await hub.ask("GET", "/dashboard/", **PLAIN, **session, **led)).status == 200
        assert (await hub.ask("GET", ticket, **PLAIN, **led)).status == 303
        answer = await hub.ask("GET", "/dashboard/api/board", **PLAIN, **session, **led)
        assert answer.status == 403


@pytest.mark.asyncio
async def test_what_changes_something_is_json_and_says_our_own_origin(tmp_path, monkeypatch):
    async with relay_hub(tmp_path, monkeypatch) as hub:
        door = hub.door
        own = {**PLAIN, **await session_of(door), "origin": f"http://127.0.0.1:{door.port}"}
        for more, status in (
            ({"origin": None}, 403),
            ({"content_type": "text/plain"}, 415),
            ({"content_type": None}, 415),
            ({"content_type": "application/x-www-form-urlencoded"}, 415),
        ):
            answer = await door.ask("POST", "/dashboard/api/pair", b"{}", **{**own, **more})
            assert answer.status == status, more
            assert hub.pairing.code is None
        assert (await door.ask("GET", "/dashboard/api/pair", **own)).status == 404
        assert (await door.ask("DELETE", "/dashboard/api/pair", **own)).status == 404
        assert hub.pairing.code is None
        answer = await door.ask("POST", "/dashboard/api/pair", b"{}", **own)
        assert answer.status == 201
        assert hub.pairing.code.shown == answer.json["code"]
        gone = await door.ask("POST", "/dashboard/api/forget", b'{"name": "nobody"}', **own)
        assert "there is no paired extension 'nobody'" in gone.json["message"]


@pytest.mark.asyncio
async def test_over_the_hubs_own_socket_there_is_no_dashboard(door):
    """What comes there has no cookie to be known by, and is no browser."""
    async with door() as hub:
        for method, path in READ + ACT:
            answer = await hub.ask(method, path, b"{}", local=True, authorization=None)
            assert answer.status == 404, path


@pytest.mark.asyncio
async def test_no_ticket_and_no_cookie_reaches_the_log(door, tmp_path):
    open_log("debug", file=tmp_path / "log")
    try:
        async with door() as hub:
            ticket, session = path_of(await ticket_of(hub)), await session_of(hub)
            for path in (ticket, ticket, "/dashboard/", "/dashboard/api/board"):
                await hub.ask("GET", path, **PLAIN, **session)
                await hub.ask("GET", path, **PLAIN, cookie=session["cookie"], origin="null")
    finally:
        close_log()
    log = (tmp_path / "log").read_text()
    assert "wrong_ticket" in log
    cookie, key = session["cookie"].partition("=")[2], session["x_tabwire_page"]
    for secret in (ticket.rpartition("/")[2], cookie, key):
        assert secret not in log
