from tabwire.fusion.draft import Draft
from tabwire.fusion.findings import MAX_EVIDENCE, MAX_PROBLEMS, Findings
from tabwire.fusion.table import State
from tabwire.fusion.verdict import Judgement
from tabwire.model.problems import Problem
from tabwire.model.signals import Source


def test_an_answer_longer_than_we_keep_is_never_complete():
    found = Findings(draft=Draft(limit=5))
    assert found.grow("abcde", None)
    assert found.prove("end_turn", None)
    assert not found.grow("f", None)
    assert not found.proven
    assert found.judgement(State.COMPLETED_HINT) is Judgement.OPEN
    assert found.judge(State.COMPLETED_HINT, None).problems[0].lossy


def test_evidence_and_problems_are_told_once_and_bounded():
    found = Findings()
    for number in (0, 0, *range(500)):
        found.add_evidence(Source.COMPLETION, f"hint {number}")
        found.add_problem(Problem(f"odd {number}"))
    assert len(found.evidence) == MAX_EVIDENCE
    assert len(found.problems) == MAX_PROBLEMS
    assert list(found.evidence)[:2] == [
        "completion_endpoint: hint 0",
        "completion_endpoint: hint 1",
    ]


def test_a_page_text_is_kept_for_want_of_better_and_is_no_judgement():
    found = Findings(previous_text="**Old** words.")
    found.hear_page("Old words", now=1.0, window_seconds=1.0)
    assert found.page_text is None
    found.hear_page("New words", now=2.0, window_seconds=1.0)
    assert found.page_text == "New words"
    assert found.judgement(State.STREAMING) is Judgement.OPEN
