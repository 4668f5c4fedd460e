"""What marks stand for is kept beside the text, and changes nothing of its worth."""

from dataclasses import replace

import pytest

from fusion.story import CLOSED, ENDED, OTHER, PROMPT, machine, play, told
from tabwire.fusion.findings import MAX_REFERENCES
from tabwire.fusion.outcomes import Judged
from tabwire.fusion.verdict import Judgement
from tabwire.model.citations import Citation, Reference
from tabwire.model.signals import CanonicalRead, Cited, TextGrew

GREW = TextGrew("It was Assur\ue200cite\ue202x\ue201.")
X = Reference("\ue200cite\ue202x\ue201", citations=(Citation("https://x.example/"),))
LATER = replace(X, citations=(Citation("https://x.example/", "Assur"),))
Y = Reference("\ue200cite\ue202y\ue201", "Nineveh")
STORED = CanonicalRead(GREW.text, terminal=True, complete=True, references=(LATER, Y))

STORIES = [
    # id, the story, what is known of the marks
    ("in the stream", [(1, GREW), (2, Cited((X,))), (3, ENDED)], (X,)),
    ("told better", [(1, GREW), (2, Cited((X,))), (2, Cited((LATER,))), (3, ENDED)], (LATER,)),
    ("after the end", [(1, GREW), (2, ENDED), (3, Cited((X,)))], (X,)),
    ("from the store", [(1, GREW), (2, ENDED), (3, STORED)], (LATER, Y)),
    ("the store adds", [(1, GREW), (1, Cited((X,))), (2, ENDED), (3, STORED)], (X, Y)),
    (
        "a store that disagrees adds nothing",
        [(1, GREW), (2, ENDED), (3, replace(OTHER, references=(X,)))],
        (),
    ),
]  # fmt: skip


@pytest.mark.parametrize("story, known", [c[1:] for c in STORIES], ids=[c[0] for c in STORIES])
def test_the_verdict_has_what_is_known_of_the_marks(story, known):
    verdict = told([(0, PROMPT), *story]).verdict()
    assert verdict.references == known
    assert (verdict.text, verdict.judgement) == (GREW.text, Judgement.COMPLETE)


def test_references_that_come_late_amend_the_verdict_once():
    attempt = machine()
    outcomes = play(
        attempt,
        [(0, PROMPT), (1, GREW), (2, ENDED), (3, Cited((X,))), (4, Cited((X,))), (5, CLOSED)],
    )
    judged = [one.verdict for one in outcomes if isinstance(one, Judged)]
    assert [one.references for one in judged] == [(), (X,)]
    assert all(one.complete for one in judged)


def test_references_alone_judge_nothing():
    outcomes = play(machine(), [(0, PROMPT), (1, GREW), (2, Cited((X,)))])
    assert not [one for one in outcomes if isinstance(one, Judged)]


def test_a_flood_of_references_is_bounded():
    flood = tuple(Reference(f"\ue200cite\ue202{n}\ue201", "w") for n in range(MAX_REFERENCES + 5))
    verdict = told([(0, PROMPT), (1, GREW), (2, Cited(flood)), (3, ENDED)]).verdict()
    assert len(verdict.references) == MAX_REFERENCES
