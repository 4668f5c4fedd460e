"""Every prompt the lab received, once, in order, on disk before it is answered."""

import json

from tabwire.lab.ledger import Ledger


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
    assert json.loads(line) == entry
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
