"""ChatGPT's data export: the list, the zip, and what is left of damaged ones."""

import json
import zipfile
from io import BytesIO
from pathlib import Path
from typing import Any

import pytest

from files.spoken import ANSWER, QUESTION, about, export, exported, read_all, said
from kit.chatgpt import CONVERSATION, OTHER
from tabwire.files import data_export as export_module
from tabwire.hub import Kind, read_files

NAMES = [f"{n:08x}-1111-4222-8333-0123456789ab" for n in range(6)]


def conversations(*names: str) -> list[dict[str, Any]]:
    return [exported(named, f"Answer of {named}", title=f"T {named}") for named in names]


def packed(members: dict[str, bytes], method: int = zipfile.ZIP_DEFLATED, **settings: Any) -> bytes:
    """A zip of these files."""
    file = BytesIO()
    with zipfile.ZipFile(file, "w", method, **settings) as archive:
        for name, body in members.items():
            archive.writestr(name, body)
    return file.getvalue()


def check_all(reports: list[Any], names: list[str]) -> None:
    assert about(reports) == names
    for report, named in zip(reports, names, strict=True):
        assert (report.site, report.kind, report.title) == ("chatgpt", "export", f"T {named}")
        assert said(report) == [("user", QUESTION), ("assistant", f"Answer of {named}")]
        assert (report.complete, report.problems) == (True, ())


WHOLE = export(*conversations(*NAMES))
PRETTY = json.dumps(json.loads(WHOLE), indent=2).encode()

WHOLES = [
    # id                     the file
    ("list", WHOLE),
    ("pretty list", PRETTY),
    ("list after a byte order mark", b"\xef\xbb\xbf" + WHOLE),
    ("blanks around", b"\n  " + WHOLE + b"\n\n"),
    ("zip", packed({"conversations.json": WHOLE})),
    ("zip, not compressed", packed({"conversations.json": WHOLE}, zipfile.ZIP_STORED)),
    ("zip, another compression", packed({"conversations.json": WHOLE}, zipfile.ZIP_LZMA)),
    ("zip with a folder", packed({"export/2026/conversations.json": WHOLE})),
    (
        "zip with other files",
        packed(
            {
                "chat.html": b"<html>",
                "user.json": b'{"email": "x@example.com"}',
                "shared_conversations.json": b'[{"id": "x", "conversation_id": "y"}]',
                "conversations.json": WHOLE,
                "__MACOSX/._conversations.json": b"\0\5\x16\7",
                "conversations.txt": b"not this",
            }
        ),
    ),
    (
        "numbered files",
        packed(
            {
                "conversations-001.json": export(*conversations(*NAMES[2:])),
                "conversations-000.json": export(*conversations(*NAMES[:2])),
            }
        ),
    ),
    ("a comment in the zip", packed({"conversations.json": WHOLE})[:-2] + b"\x05\x00hello"),
]


@pytest.mark.parametrize("body", [c[1] for c in WHOLES], ids=[c[0] for c in WHOLES])
def test_every_conversation_of_an_export_is_told_in_order(tmp_path, body):
    check_all(read_all(tmp_path, body), NAMES)
    check_all(read_all(tmp_path, body, kind=Kind.EXPORT, site="chatgpt"), NAMES)


def test_a_list_cut_inside_a_conversation_gives_those_before_it(tmp_path):
    ends = [json.dumps(conversations(*NAMES[:count])).encode()[:-1] for count in range(1, 7)]
    for count, end in enumerate(ends):
        assert WHOLE.startswith(end)
        for cut in (end + b", ", end + b', {"title": "x", "mapping": {"r": {"id": "', end + b",["):
            *told, last = read_all(tmp_path, cut)
            check_all(told, NAMES[: count + 1])
            assert (last.conversation_id, last.kind, last.damaged) == (None, "export", True)
            assert "cut off" in last.problems[0]


def test_a_list_cut_anywhere_gives_a_beginning_of_it_and_says_so(tmp_path):
    names = [CONVERSATION, OTHER]
    body = export(*conversations(*names))
    for size in range(1, len(body), 7):
        reports = read_all(tmp_path, body[:size], kind=Kind.EXPORT)
        check_all(reports[:-1], names[: len(reports) - 1])
        assert (reports[-1].conversation_id, reports[-1].damaged) == (None, True), size


def test_of_the_list_nothing_is_left_before_its_first_conversation_ends(tmp_path):
    (report,) = read_all(tmp_path, WHOLE[:300])
    assert (report.conversation_id, report.damaged) == (None, True)


BROKEN = [
    # id                    an element among good ones
    ("null", b"null"),
    ("a number", b"7"),
    ("a word", b'"mapping"'),
    ("a list", b'[{"mapping": {}}]'),
    ("an empty object", b"{}"),
    ("an id that is none", json.dumps(exported("not-an-id")).encode()),
    ("a mapping that is none", b'{"conversation_id": "%s", "mapping": 5}' % OTHER.encode()),
    ("not json", b'{"mapping": oops}'),
    ("not a number", b'{"mapping": {}, "create_time": NaN}'),
    ("deep", b'{"mapping":' + b'{"a":' * 2000 + b"1" + b"}" * 2001),
]


@pytest.mark.parametrize("broken", [c[1] for c in BROKEN], ids=[c[0] for c in BROKEN])
def test_one_broken_element_costs_only_itself(tmp_path, broken):
    first, last = (json.dumps(one).encode() for one in conversations(*NAMES[:2]))
    reports = read_all(tmp_path, b"[" + first + b", " + broken + b", " + last + b"]")
    assert [named for named in about(reports) if named] == NAMES[:2]
    (between,) = [report for report in reports if report.conversation_id is None]
    assert between.damaged
    assert between.problems


def test_half_a_character_is_no_damage(tmp_path):
    body = export(exported(CONVERSATION, "\ud83d"), exported(OTHER, "\ud83d\ude42"))
    first, second = read_all(tmp_path, body)
    assert (first.messages[-1].text, first.problems) == ("\ufffd", ())
    assert second.messages[-1].text == "🙂"


def test_text_that_looks_like_a_list_of_conversations_stays_text(tmp_path):
    answer = '[{"mapping": "]}", \\"'
    (report,) = read_all(tmp_path, export(exported(CONVERSATION, answer)))
    assert report.messages[-1].text == answer
    *told, last = read_all(tmp_path, export(exported(CONVERSATION, answer))[:-1])
    assert [report.messages[-1].text for report in told] == [answer]
    assert last.damaged


def test_an_empty_export_is_no_damage(tmp_path):
    for body, settings in (
        (packed({"conversations.json": b"[]"}), {}),
        (b"[]", {"kind": Kind.EXPORT}),
        (b" [ \n ] ", {"kind": Kind.EXPORT}),
    ):
        (report,) = read_all(tmp_path, body, **settings)
        assert (report.conversation_id, report.damaged) == (None, False)
        assert report.problems == ("an export without conversations",)


# -- zips -----------------------------------------------------------------------------------


def encrypted() -> bytes:
    """The flag of encryption, in both headers."""
    body = bytearray(packed({"conversations.json": WHOLE}))
    body[6] |= 1
    body[body.rindex(b"PK\x01\x02") + 8] |= 1
    return bytes(body)


def flipped(body: bytes, at: int) -> bytes:
    return body[:at] + bytes([body[at] ^ 0xFF]) + body[at + 1 :]


DEFLATED = packed({"conversations.json": WHOLE})

BAD_ZIPS = [
    # id                       the file                                       what is said
    ("without conversations", packed({"chat.html": b"<html>"}), "without conversations.json"),
    ("empty", packed({}), None),
    ("only a folder of that name", packed({"conversations.json/": b""}), None),
    ("cut", DEFLATED[:-40], "zip"),
    ("cut early", DEFLATED[:50], "zip"),
    ("its first bytes only", b"PK\x03\x04", "zip"),
    ("encrypted", encrypted(), "encrypted"),
    ("data damaged at its beginning", flipped(DEFLATED, 50), "zip"),
    ("directory damaged", flipped(DEFLATED, DEFLATED.rindex(b"PK\x01\x02") + 1), "zip"),
    ("an empty file", packed({"conversations.json": b""}), "empty"),
    ("no list", packed({"conversations.json": b'"hello"'}), "not a list"),
    ("lzma damaged", flipped(packed({"conversations.json": WHOLE}, zipfile.ZIP_LZMA), 60), "zip"),
    ("bzip2 damaged", flipped(packed({"conversations.json": WHOLE}, zipfile.ZIP_BZIP2), 60), None),
]


@pytest.mark.parametrize("body, words", [c[1:] for c in BAD_ZIPS], ids=[c[0] for c in BAD_ZIPS])
def test_a_bad_zip_is_told_plainly(tmp_path, body, words):
    (report,) = read_all(tmp_path, body)
    assert (report.conversation_id, report.messages) == (None, ())
    assert report.damaged
    assert words is None or words in report.problems[0]


@pytest.mark.parametrize(
    "method", [zipfile.ZIP_DEFLATED, zipfile.ZIP_BZIP2, zipfile.ZIP_LZMA, zipfile.ZIP_STORED]
)
def test_a_damaged_byte_anywhere_in_a_zip_is_never_an_exception(tmp_path, method):
    body = packed({"conversations.json": export({"id": CONVERSATION, "mapping": {}})}, method)
    for at in range(4, len(body)):
        for report in read_all(tmp_path, flipped(body, at), kind=Kind.EXPORT):
            assert report.problems or report.conversation_id == CONVERSATION, at


def test_damage_inside_a_zip_leaves_what_stands_before_it(tmp_path):
    """The last conversations are damaged; the first can still be unpacked."""
    many = export(*(exported(NAMES[0], f"{n} " * 500) for n in range(200)))
    body = packed({"conversations.json": many})
    reports = read_all(tmp_path, flipped(body, body.rindex(b"PK\x01\x02") - 200))
    assert reports[-1].damaged
    assert reports[-1].conversation_id is None
    assert len([report for report in reports if report.conversation_id == NAMES[0]]) > 10


def test_a_damaged_file_of_several_leaves_the_others(tmp_path):
    parts = {f"conversations-{n:03}.json": export(*conversations(NAMES[n])) for n in range(3)}
    body = packed(parts, zipfile.ZIP_STORED)
    start = body.index(b"conversations-001.json") + 200
    reports = read_all(tmp_path, flipped(body, start))
    found = about(reports)
    assert found[0] == NAMES[0]
    assert NAMES[2] in found
    assert any(report.damaged for report in reports)


def test_a_cut_list_in_a_zip_of_several_leaves_the_others(tmp_path):
    first, second = (export(*conversations(*names)) for names in (NAMES[:2], NAMES[2:4]))
    body = packed({"conversations-000.json": first[:-40], "conversations-001.json": second})
    reports = read_all(tmp_path, body)
    assert about(reports) == [NAMES[0], None, NAMES[2], NAMES[3]]
    assert [report.damaged for report in reports] == [False, True, False, False]


def test_a_zip_made_to_fill_the_disk_is_refused_unopened(monkeypatch, tmp_path):
    monkeypatch.setattr(export_module, "MAX_UNPACKED", len(WHOLE))
    check_all(read_all(tmp_path, DEFLATED), NAMES)
    (report,) = read_all(tmp_path, packed({"conversations.json": WHOLE + b" "}))
    assert (report.conversation_id, report.damaged) == (None, True)
    assert "unpacks to more" in report.problems[0]


def test_nothing_is_left_on_disk(monkeypatch, tmp_path):
    elsewhere = tmp_path / "tmp"
    elsewhere.mkdir()
    monkeypatch.setattr("tempfile.tempdir", str(elsewhere))
    read_all(tmp_path, DEFLATED)
    read_all(tmp_path, flipped(DEFLATED, 50))
    assert list(elsewhere.iterdir()) == []


def test_an_export_may_be_left_half_read(tmp_path):
    """Whoever stops early closes the file: `tabwire parse … | head`."""
    for name, body in (("a.json", WHOLE), ("a.zip", DEFLATED)):
        path = Path(tmp_path / name)
        path.write_bytes(body)
        reports = read_files([path])
        assert next(reports).conversation_id == NAMES[0]
        reports.close()


def test_the_answer_of_one_conversation_is_not_another_ones(tmp_path):
    """The same message ids in every conversation, as the tests' own trees have them."""
    first, second = read_all(tmp_path, export(exported(NAMES[0]), exported(NAMES[1], "Other")))
    assert first.messages[-1].text == ANSWER
    assert second.messages[-1].text == "Other"
