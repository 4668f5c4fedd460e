"""When a limit is over: as a wait or as a moment, in every way it was met, at every site."""

import json
import time

import pytest

from tabwire.lab.speak.gemini import LIMITED, Quota, speak_error
from tabwire.model.signals import Refusal, Refused
from tabwire.sites.known import SITES
from tabwire.sites.memory import Memory
from tabwire.sites.resets import moment_in, wait_in, with_reset

MOMENT = 1_800_000_000.0  # 2027-01-15T08:00:00Z

WAITS = [
    (1800, 1800.0),
    (0, 0.0),
    (2.5, 2.5),
    ("1800", 1800.0),
    ("1800s", 1800.0),
    (" 30m ", 1800.0),
    ("2h", 7200.0),
    ("500ms", 0.5),
    (-1, None),
    (True, None),
    (None, None),
    ("soon", None),
    ("s", None),
    ("nan", None),
    (float("inf"), None),
    (MOMENT, None),
    ([5], None),
]


@pytest.mark.parametrize("said, seconds", WAITS)
def test_a_wait_is_read_in_seconds(said, seconds):
    assert wait_in(said) == seconds


MOMENTS = [
    (MOMENT, MOMENT),
    (int(MOMENT), MOMENT),
    (MOMENT * 1000, MOMENT),
    ("1800000000", MOMENT),
    ("2027-01-15T08:00:00+00:00", MOMENT),
    ("2027-01-15T08:00:00Z", MOMENT),
    ("2027-01-15T10:00:00+02:00", MOMENT),
    ("2027-01-15T08:00:00", MOMENT),
    ("Fri, 15 Jan 2027 08:00:00 GMT", MOMENT),
    (3600, None),
    ("3600", None),
    (float("inf"), None),
    ("at eight", None),
    ("", None),
    (None, None),
    (False, None),
]


@pytest.mark.parametrize("said, moment", MOMENTS)
def test_a_moment_is_read_in_seconds_since_1970(said, moment):
    assert moment_in(said) == moment


def test_a_time_without_a_zone_is_not_of_the_zone_one_is_in(monkeypatch):
    monkeypatch.setenv("TZ", "Asia/Tokyo")
    time.tzset()
    try:
        assert moment_in("2027-01-15T08:00:00") == MOMENT
    finally:
        monkeypatch.undo()
        time.tzset()


def test_only_a_limit_has_a_reset_and_what_it_has_stays():
    login = Refused(Refusal.LOGIN)
    assert with_reset(login, 60) == login
    limit = with_reset(Refused(Refusal.RATE_LIMIT), None, 60, 90, MOMENT)
    assert (limit.resets_in, limit.resets_at) == (60.0, MOMENT)
    assert with_reset(limit, 5, MOMENT + 1) == limit


def heard(site, raw):
    stream = SITES[site].open_stream(None, Memory())
    signals = [*stream.feed(raw), *stream.close()]
    (refused,) = [one for one in signals if isinstance(one, Refused)]
    assert refused.kind is Refusal.RATE_LIMIT
    return refused.resets_in, refused.resets_at


def chatgpt(**said):
    return json.dumps({"detail": {"code": "model_cap_exceeded", "message": "x", **said}}).encode()


def grok(error, **beside):
    return json.dumps({"error": {"code": 8, "message": "x", **error}, **beside}).encode()


ISO = "2027-01-15T08:00:00+00:00"
SAID = [
    # id, site, body, (resets_in, resets_at)
    ("nothing", "chatgpt", chatgpt(), (None, None)),
    ("clears_in", "chatgpt", chatgpt(clears_in=3600), (3600.0, None)),
    ("resets_after", "chatgpt", chatgpt(resets_after=ISO), (None, MOMENT)),
    ("both", "chatgpt", chatgpt(clears_in=9, resets_after=ISO), (9.0, MOMENT)),
    ("a wait in resets_after", "chatgpt", chatgpt(resets_after=60), (60.0, None)),
    ("seconds since 1970", "chatgpt", chatgpt(resets_after=MOMENT), (None, MOMENT)),
    ("nonsense", "chatgpt", chatgpt(clears_in="x", resets_after=[]), (None, None)),
    ("beside the detail", "chatgpt",
     b'{"detail": "rate limit reached", "clears_in": 7}', (7.0, None)),
    ("in a frame", "chatgpt",
     b'data: {"error": "rate limit", "error_code": "x", "clears_in": 7}\n\n', (7.0, None)),
    ("in an error", "chatgpt",
     b'data: {"error": {"message": "rate limit", "clears_in": 7}}\n\n', (7.0, None)),
    ("nothing", "gemini", speak_error(LIMITED), (None, None)),
    ("spent", "gemini", speak_error(LIMITED, Quota(0, 100, int(MOMENT))), (None, MOMENT)),
    ("not spent", "gemini", speak_error(LIMITED, Quota(3, 100, int(MOMENT))), (None, None)),
    ("nothing", "grok", grok({}), (None, None)),
    ("its own field", "grok", grok({"waitTimeSeconds": 1800}), (1800.0, None)),
    ("beside the error", "grok", grok({}, waitTimeSeconds=1800), (1800.0, None)),
    ("gRPC's", "grok", grok({"details": [{"retryDelay": "90s"}, 5]}), (90.0, None)),
    ("limiter", "grok",
     b'{"result": {"responseType": "limiter", "message": "in 30 minutes"}}', (None, None)),
    ("limiter with a field", "grok",
     b'{"result": {"responseType": "limiter", "waitTimeSeconds": 5}}', (5.0, None)),
]  # fmt: skip


@pytest.mark.parametrize(
    "site, body, expected", [c[1:] for c in SAID], ids=[f"{c[1]}: {c[0]}" for c in SAID]
)
def test_what_a_site_says_on_the_wire_is_heard(site, body, expected):
    assert heard(site, body) == expected


ALLOWANCES = [
    ({"remainingQueries": 0, "waitTimeSeconds": 1800, "windowSizeSeconds": 7200}, (1800.0, None)),
    ({"remainingQueries": 0}, (None, None)),
]


@pytest.mark.parametrize("body, expected", ALLOWANCES)
def test_groks_allowance_is_a_refusal_where_nothing_is_left(body, expected):
    refusal = SITES["grok"].read_body(json.dumps(body).encode(), None, Memory()).refusal
    assert (refusal.kind, (refusal.resets_in, refusal.resets_at)) == (Refusal.RATE_LIMIT, expected)


def test_groks_allowance_is_none_while_something_is_left():
    body = b'{"remainingQueries": 29, "waitTimeSeconds": 1800}'
    assert SITES["grok"].read_body(body, None, Memory()).refusal is None
