"""Every prompt the lab received, once, in order, on disk before it is answered."""

import json

from tabwire.lab.ledger import Deed, Ledger


def test_prompts_are_kept_in_order_with_their_place():
    ledger = Ledger()
    ledger.record("chatgpt", "c1", "one", 1.0)
    ledger.record("grok", "c2", "two", 2.0)
    ledger.record("chatgpt", "c1", "one", 3.0)
    assert [(e.site, e.conversation_id, e.prompt, e.at) for e in ledger.entries] == [
        ("chatgpt", "c1", "one", 1.0),
        ("grok", "c2", "two", 2.0),
        ("chatgpt", "c1", "one", 3.0),
    ]
    assert ledger.prompts("chatgpt") == ("one", "one")
    assert ledger.prompts() == ("one", "two", "one")


def test_the_file_has_the_line_as_soon_as_the_prompt_is_recorded(tmp_path):
    path = tmp_path / "deep" / "ledger.jsonl"
    ledger = Ledger(path)
    ledger.record("chatgpt", "c1", "zwei\nZeilen 日本", 1.5)
    (line,) = path.read_text(encoding="utf-8").splitlines()
    entry = {"site": "chatgpt", "conversation_id": "c1", "prompt": "zwei\nZeilen 日本", "at": 1.5}
    assert entry.items() <= json.loads(line).items()
    ledger.close()
    ledger.close()


def test_a_file_that_exists_is_continued(tmp_path):
    path = tmp_path / "ledger.jsonl"
    for prompt in ("first", "second"):
        ledger = Ledger(path)
        ledger.record("grok", "c", prompt)
        ledger.close()
    assert [json.loads(line)["prompt"] for line in path.read_text().splitlines()] == [
        "first",
        "second",
    ]


def test_other_deeds_are_counted_apart_from_prompts():
    ledger = Ledger()
    ledger.record("grok", "c", "one")
    ledger.record("grok", "c", kind=Deed.UPLOAD, files=("a.txt",), size=3)
    ledger.record("grok", "c", kind=Deed.READ)
    ledger.record("gemini", "d", "two", refused="limit")
    assert ledger.prompts() == ("one", "two")
    assert [entry.files for entry in ledger.of(Deed.UPLOAD, "grok")] == [("a.txt",)]
    assert ledger.of(Deed.READ, "gemini") == ()
    assert [entry.number for entry in ledger.entries] == [1, 2, 3, 4]


def test_who_listens_hears_each_entry_until_they_stop():
    ledger, heard = Ledger(), []
    stop = ledger.listen(heard.append)
    first = ledger.record("grok", "c", "one")
    stop()
    stop()
    ledger.record("grok", "c", "two")
    assert heard == [first]
