"""The log: six levels, one line each, and nothing in it that is not for a log."""

import logging
import stat
from pathlib import Path

import pytest

from tabwire.config.logs import COLOURS, NUMBERS, close_log, get_log, line_of, open_log
from tabwire.config.redaction import keep_secret, without_secrets
from tabwire.model.ask import AskRequest
from tabwire.model.errors import BadSetting


@pytest.fixture
def written(tmp_path):
    """Opens a log at a level and gives what stands in it."""
    path = tmp_path / "logs" / "hub.log"

    def at(level: str) -> Path:
        open_log(level, file=path)
        return path

    yield at
    close_log()


@pytest.mark.parametrize("level", NUMBERS)
def test_a_level_tells_all_that_weighs_as_much_or_more(written, level):
    path = written(level)
    for one in NUMBERS:
        getattr(get_log(), one)(f"this is {one}")
    told = {line.split()[1] for line in path.read_text().splitlines()}
    assert told == {one for one, number in NUMBERS.items() if number >= NUMBERS[level]}


def test_the_levels_are_those_of_the_seed_with_its_colours():
    assert list(COLOURS) == ["error", "warn", "done", "phase", "info", "debug"]
    event = {"level": "phase", "event": "thinking", "at": 0.0}
    assert (
        line_of(event, colours=True) == "1970-01-01T00:00:00.000Z  \x1b[35mphase\x1b[0m  thinking"
    )
    assert line_of(event) == "1970-01-01T00:00:00.000Z  phase  thinking"


def test_nothing_is_written_before_a_log_is_opened(capfd):
    get_log().error("nobody hears this")
    assert capfd.readouterr() == ("", "")


def test_a_log_is_for_its_owner_alone(written):
    path = written("info")
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert stat.S_IMODE(path.parent.stat().st_mode) == 0o700


def test_a_log_on_stderr_is_plain_where_nobody_looks(capfd):
    open_log("info", stderr=True)
    try:
        get_log(door="mcp").info("a client came", pid=7)
    finally:
        close_log()
    assert capfd.readouterr().err.endswith("  info   a client came  door=mcp  pid=7\n")


def test_a_log_that_cannot_be_written_is_a_setting_to_correct(tmp_path):
    (tmp_path / "file").write_text("")
    with pytest.raises(BadSetting, match="log_file"):
        open_log("info", file=tmp_path / "file" / "hub.log")


def test_whatever_is_said_stays_in_its_line_and_moves_no_cursor(written):
    path = written("info")
    get_log().info("one\n2026 error two", client="\x1b[2Jcleared\r\nx")
    (line,) = path.read_text().splitlines()
    assert "\x1b" not in line


LEVELS_BUT_DEBUG = [one for one in NUMBERS if one != "debug"]


@pytest.mark.parametrize("name", ["prompt", "question", "answer", "text", "excerpt", "thinking"])
def test_words_of_people_stand_only_in_debug_lines(written, name):
    path = written("debug")
    for level in LEVELS_BUT_DEBUG:
        getattr(get_log(), level)("asked", **{name: "my diagnosis"}, job={name: "my diagnosis"})
        getattr(get_log(), level)("asked", request=AskRequest("grok", "my diagnosis"))
    assert "diagnosis" not in path.read_text()
    assert "[12 characters]" in path.read_text()
    get_log().debug("asked", **{name: "my diagnosis"})
    assert "my diagnosis" in path.read_text()


TAIL = "a1B2c3D4e5F6g7H8i9J0" * 2  # what makes a key of a prefix; no real one is written here
SECRETS = [
    ("our token", f"refused {TAIL}"),
    ("bearer", f"Authorization: Bearer {TAIL}"),
    ("bearer in a sentence", f"sent bearer {TAIL} to it"),
    ("basic", f"authorization=Basic {TAIL}"),
    ("cookie", f"Cookie: a=1; session={TAIL}"),
    ("set-cookie", f"'set-cookie': 'sid={TAIL}; Path=/'"),
    ("secure cookie", f"__Secure-next-auth.session-token={TAIL}"),
    ("query", f"GET /x?token={TAIL}&y=1"),
    ("access token", f'{{"access_token": "{TAIL}"}}'),
    ("password in a URL", f"postgresql://me:{TAIL}@db/x"),
    ("password", f"password={TAIL}"),
    ("web token", f"eyJhbGciOi{TAIL}.eyJzdWIi{TAIL}.{TAIL}"),
    ("openai", f"sk-{TAIL}"),
    ("openai project", f"sk-proj-{TAIL}"),
    ("anthropic", f"sk-ant-api03-{TAIL}"),
    ("github", f"ghp_{TAIL}"),
    ("github fine", f"github_pat_{TAIL}"),
    ("gitlab", f"glpat-{TAIL}"),
    ("slack", f"xoxb-{TAIL}"),
    ("google", f"AIza{TAIL}"),
    ("google login", f"ya29.{TAIL}"),
    ("amazon", f"AKIA{'A1B2C3D4' * 2}"),
    ("grok", f"xai-{TAIL}"),
    ("hugging face", f"hf_{TAIL}"),
    ("telegram", f"123456789:AA{TAIL}"),
    ("discord", f"M{TAIL[:23]}.{TAIL[:6]}.{TAIL[:30]}"),
    ("private key", f"-----BEGIN RSA PRIVATE KEY-----\n{TAIL}\n-----END RSA PRIVATE KEY-----"),
    ("mail", "ask jane.doe+x@mail.example.org about it"),
]


@pytest.mark.parametrize("text", [c[1] for c in SECRETS], ids=[c[0] for c in SECRETS])
def test_secrets_stand_in_no_line_of_any_level(written, text, monkeypatch):
    monkeypatch.setattr("tabwire.config.redaction._KNOWN", set())
    keep_secret(TAIL if text.startswith("refused") else "")
    path = written("debug")
    for level in NUMBERS:
        log = getattr(get_log(), level)
        log(text)
        log("deep", error=ValueError(text), facts={"headers": [text]}, place=Path(text))
    logging.getLogger("some.library").warning("it said %s", text)
    lines = path.read_text()
    for piece in (TAIL, TAIL[:20], "A1B2C3D4A1", "jane.doe"):
        assert piece not in lines


@pytest.mark.parametrize(
    "name", ["token", "hub_token", "Cookie", "set-cookie", "authorization", "password", "api_key"]
)
def test_a_field_named_for_a_secret_is_never_shown(written, name):
    path = written("debug")
    get_log().debug("x", **{name: "plain"}, headers={name: "plain"})
    assert "plain" not in path.read_text()


ORDINARY = [
    "the hub listens on 127.0.0.1:8766",
    "https://chatgpt.com/c/12345678-1234-1234-1234-123456789abc",
    "job 0192f0c1-7d3e-7b1a-9d0e-0123456789ab is done, 4812 characters",
    "no token was given",
]


@pytest.mark.parametrize("text", ORDINARY)
def test_an_ordinary_sentence_is_left_as_it_is(text):
    assert without_secrets(text) == text


def test_what_a_library_warns_of_is_cut_before_the_input_it_could_not_read(written):
    path = written("info")
    library = logging.getLogger("some.library")
    library.info("not of interest")
    library.warning("cannot read: input_value='my diagnosis'\nmy diagnosis")
    try:
        raise ValueError("my diagnosis")
    except ValueError:
        library.exception("it failed")
    text = path.read_text()
    assert "diagnosis" not in text
    assert "of interest" not in text
    assert "by=some.library" in text
    assert "error=ValueError  where=test_logs.py:" in text


def test_a_long_log_is_put_aside(written, monkeypatch):
    monkeypatch.setattr("tabwire.config.logs.MAX_BYTES", 2000)
    path = written("info")
    for number in range(300):
        get_log().info("one more line", number=number)
    assert path.stat().st_size <= 2000
    assert {one.name for one in path.parent.iterdir()} == {
        "hub.log",
        "hub.log.1",
        "hub.log.2",
        "hub.log.3",
    }
