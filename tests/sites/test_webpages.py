"""A web page where data was expected."""

import pytest

from tabwire.model.signals import Refusal
from tabwire.sites.webpages import looks_like_html, read_web_page

PAGES = [
    (b"<!DOCTYPE html><title>Just a moment...</title>", Refusal.CHALLENGE),
    (b"<html><script>window._cf_chl_opt = {}</script></html>", Refusal.CHALLENGE),
    (b'<html><a href="/sign-in">Sign in</a></html>', Refusal.LOGIN),
    (b"<html><body>502</body></html>", Refusal.ERROR),
]


@pytest.mark.parametrize("page, kind", PAGES)
def test_a_page_is_told_by_what_it_is_made_of(page: bytes, kind: Refusal) -> None:
    assert looks_like_html(page)
    assert looks_like_html(b"\xef\xbb\xbf \n" + page)
    assert read_web_page(page).kind is kind


@pytest.mark.parametrize("body", [b"", b"data: <html>", b'{"a": "<html>"}', b"< 3", b")]}'"])
def test_data_is_no_page(body: bytes) -> None:
    assert not looks_like_html(body)
