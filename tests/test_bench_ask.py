"""The frame of the benchmark of asking. What it measures is for `make bench` alone to say."""

import json

import pytest

from bench.ask_bed import Bed
from bench.measure_ask import LENGTHS, Asked, _over, _to_the_answer, prompt_of


@pytest.mark.parametrize("characters, lines", [*LENGTHS, (100, 7), (20, 1)])
def test_a_prompt_has_exactly_so_many_characters_and_lines(characters, lines):
    prompt = prompt_of(characters, lines)
    said = prompt.split("\n")
    assert (len(prompt), len(said), len(set(said))) == (characters, lines, lines)
    assert prompt == "\n".join(line.strip() for line in said), "editors drop spaces at the ends"


def test_the_ledger_is_read_as_it_grows_and_half_a_line_waits_for_its_rest(tmp_path):
    ledger = tmp_path / "ledger.jsonl"
    bed = Bed(None, None, "", None, ledger)  # type: ignore[arg-type]
    first, second = (
        json.dumps({"prompt": prompt, "at": at}).encode() + b"\n"
        for prompt, at in (("a", 1.5), ("b", 2.5))
    )
    ledger.write_bytes(first + second[:9])
    assert (bed.left("a"), bed.left("b")) == (1.5, None)
    ledger.write_bytes(first + second)
    assert (bed.left("a"), bed.left("b")) == (1.5, 2.5)


@pytest.mark.parametrize("seconds, ok", [(0.5, True), (0.501, False)])
def test_what_is_judged_is_the_difference_in_milliseconds(seconds, ok):
    row = _over("a", seconds, 0.1, "<= 400")
    assert (round(row.value), round(row.baseline or 0)) == (round(seconds * 1000), 100)
    assert (round(row.ratio), row.ok) == (round(seconds * 1000) - 100, ok)


def test_the_excess_is_taken_in_each_answer():
    """The medians are of different answers here, and their difference is nobody's excess."""
    asked = [
        Asked(ended=0.0, judged=judged, delivered=delivered)
        for judged, delivered in ((0.001, 0.021), (0.002, 0.051), (0.050, 0.052))
    ]
    row = _to_the_answer(asked)
    assert (round(row.value), round(row.baseline or 0), round(row.ratio)) == (51, 2, 20)
    assert not row.ok
