"""One way to say which browser."""

import pytest

from tabwire.browser.choose import Address, Attach, Auto, Lab, LaunchOwn, parse_choice
from tabwire.model.errors import BadChoice

WHOLE = "/devtools/browser/0f-1"
GOOD = [
    ("auto", Auto()),
    (" Launch ", LaunchOwn()),
    ("lab", Lab()),
    ("attach", Attach()),
    ("attach=9222", Attach(Address("127.0.0.1", 9222))),
    ("attach=127.0.0.1:9222", Attach(Address("127.0.0.1", 9222))),
    ("attach=localhost:9222", Attach(Address("localhost", 9222))),
    ("attach=http://127.0.0.1:9222/", Attach(Address("127.0.0.1", 9222))),
    ("attach=http://127.9.9.9:1/json/version", Attach(Address("127.9.9.9", 1))),
    ("attach=http://[::1]:9222", Attach(Address("::1", 9222))),
    (f"attach=ws://127.0.0.1:9222{WHOLE}", Attach(Address("127.0.0.1", 9222, WHOLE))),
]


@pytest.mark.parametrize("text, choice", GOOD)
def test_a_choice_is_read(text, choice):
    assert parse_choice(text) == choice


BAD = [
    # what is said, the complaint, the remedy
    ("", "unknown browser", "Choose auto, extension, launch"),
    ("chrome", "unknown browser", "Choose auto, extension, launch"),
    ("9222", "is an address", "Write attach=9222"),
    ("http://127.0.0.1:9222", "is an address", "Write attach=http://127.0.0.1:9222"),
    ("launch=x", "launch takes no value", "Choose auto"),
    ("attach=", "needs an address", "attach=http://127.0.0.1:PORT"),
    ("attach=http://127.0.0.1", "has no host and port", "PORT"),
    ("attach=http://:9222", "has no host and port", "PORT"),
    ("attach=127.0.0.1:0", "has no host and port", "PORT"),
    ("attach=127.0.0.1:99999", "invalid address", "PORT"),
    ("attach=http://[::1:9222", "invalid address", "PORT"),
    ("attach=https://127.0.0.1:9222", "cannot attach with https://", "PORT"),
    ("attach=ws://127.0.0.1:9222", "needs its path", "ID"),
    ("attach=ws://127.0.0.1:1/devtools/page/A", "address of a browser", "ID"),
    ("attach=http://10.0.0.7:9222", "10.0.0.7 is not this machine", "127.0.0.1 only"),
    ("attach=0.0.0.0:9222", "not this machine", "127.0.0.1 only"),
    ("attach=http://127.0.0.1.evil.example:9222", "not this machine", "127.0.0.1 only"),
    ("attach=http://localhost.example:9222", "not this machine", "127.0.0.1 only"),
]


@pytest.mark.parametrize("text, said, remedy", BAD)
def test_what_cannot_be_meant_is_told_with_what_could(text, said, remedy):
    with pytest.raises(BadChoice) as caught:
        parse_choice(text)
    assert said in str(caught.value)
    assert remedy in caught.value.what_to_do


SECRET = [
    "http://u:hunter2@127.0.0.1:1",
    "http://127.0.0.1:1/?hunter2",
    "http://127.0.0.1:1/#hunter2",
]


@pytest.mark.parametrize("address", SECRET)
def test_an_address_with_a_secret_is_refused_and_not_repeated(address):
    with pytest.raises(BadChoice) as caught:
        parse_choice(f"attach={address}")
    assert "hunter2" not in str(caught.value) + caught.value.what_to_do


def test_another_machine_only_where_it_was_allowed():
    choice = parse_choice("attach=http://10.0.0.7:9222", allow_remote=True)
    assert choice == Attach(Address("10.0.0.7", 9222))


@pytest.mark.parametrize("text", [text for text, _ in GOOD if "://" in text])
def test_an_address_is_written_as_it_is_read(text):
    choice = parse_choice(text)
    assert isinstance(choice, Attach)
    assert parse_choice(f"attach={choice.address}") == choice
