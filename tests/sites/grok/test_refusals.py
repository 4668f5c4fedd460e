"""How Grok says no: an error record, or a web page where lines should be."""

import json

import pytest

from kit.cuts import random_cuts
from tabwire.model.signals import Refusal, Refused, StreamClosed, TextGrew
from tabwire.sites.grok import SITE
from tabwire.sites.memory import Memory

NEW = "https://grok.com/rest/app-chat/conversations/new"


def read(chunks):
    stream = SITE.open_stream(NEW, Memory())
    signals = [signal for chunk in chunks for signal in stream.feed(chunk)] + stream.close()
    return signals, stream.conversation()


def refusals(record):
    signals, _ = read([json.dumps(record).encode()])
    return [signal.kind for signal in signals if isinstance(signal, Refused)]


PAGES = [
    ("challenge", b"<!DOCTYPE html><html><head><title>Just a moment...</title>"
                  b"<script>window._cf_chl_opt={}</script>" + b" " * 600, Refusal.CHALLENGE),
    ("sign-in", b'\xef\xbb\xbf  <html><a href="/sign-in">Sign in</a></html>', Refusal.LOGIN),
    ("another page", b"\n<html><h1>502</h1></html>", Refusal.ERROR),
]  # fmt: skip


@pytest.mark.parametrize("page, kind", [p[1:] for p in PAGES], ids=[p[0] for p in PAGES])
def test_a_web_page_instead_of_lines_is_a_refusal_and_nothing_else(page, kind):
    for chunks in ([page], [page[i : i + 1] for i in range(len(page))], random_cuts(page, 1)):
        signals, conversation = read(chunks)
        assert [type(signal) for signal in signals] == [Refused, StreamClosed]
        assert (signals[0].kind, signals[1].whole, conversation) == (kind, False, None)


def test_a_challenge_page_is_told_before_it_ends():
    stream = SITE.open_stream(NEW, Memory())
    assert [signal.kind for signal in stream.feed(PAGES[0][1])] == [Refusal.CHALLENGE]
    assert stream.feed(b"more") == []


REFUSALS = [
    ({"error": {"code": 8, "message": "x"}}, Refusal.RATE_LIMIT),
    ({"error": {"code": 7, "message": "Request rejected by anti-bot rules."}}, Refusal.BLOCKED),
    ({"error": {"code": 16, "message": "no"}}, Refusal.LOGIN),
    ({"error": {"code": 13, "message": "Internal"}}, Refusal.ERROR),
    ({"error": {"message": "Too many requests"}}, Refusal.RATE_LIMIT),
    ({"error": "Unauthorized"}, Refusal.LOGIN),
    ({"code": 16, "message": "unauthenticated", "details": []}, Refusal.LOGIN),
    ({"errors": [{"code": 88, "message": "Rate limit exceeded"}]}, Refusal.RATE_LIMIT),
    ({"errors": [{"message": "Something"}], "data": None}, Refusal.ERROR),
    ({"result": {"error": {"code": 403, "message": "no"}}}, Refusal.BLOCKED),
    ({"result": {"response": {"error": {"code": "429"}}}}, Refusal.RATE_LIMIT),
]


@pytest.mark.parametrize("line, kind", REFUSALS)
def test_an_error_record_is_a_refusal_by_code_and_by_words_without_one(line, kind):
    assert refusals(line) == [kind]


def test_a_record_with_an_empty_error_is_no_refusal():
    record = {"error": None, "result": {"response": {"token": "Hi", "responseId": "a"}}}
    assert refusals(record) == []
    assert TextGrew("Hi", "a") in read([json.dumps(record).encode()])[0]
