"""A verdict, or a stored conversation, as whoever asked reads it."""

from dataclasses import replace

import pytest

from tabwire.asking.answer import FETCH_LATER, LET_GO, collect, from_stored
from tabwire.fusion.agreement import Account
from tabwire.fusion.verdict import Judgement, Verdict
from tabwire.model.ask import AskRequest, Completeness, OtherText, Timings
from tabwire.model.citations import Citation, Reference
from tabwire.model.conversation import Conversation, Role, Standing, Turn
from tabwire.model.problems import Problem
from tabwire.model.signals import Source
from tabwire.sites.known import SITES

GROK = SITES["grok"]
REQUEST = AskRequest("grok", "Why is the sky blue?")
ID = "5f0c6a1e-1111-4222-8333-0123456789ab"


def answer_of(verdict):
    return collect(verdict, GROK, REQUEST, "a1", Timings(total=5.0))


def test_everything_the_verdict_says_is_in_the_answer():
    verdict = Verdict(
        Judgement.COMPLETE,
        "end of turn",
        "Because.",
        thinking="Hm.",
        model="grok-4",
        title="Sky",
        conversation_id=ID,
        evidence=("network_stream: model_response",),
        problems=(Problem("odd"),),
    )
    answer = answer_of(verdict)
    assert answer.complete
    assert (answer.text, answer.thinking) == ("Because.", "Hm.")
    assert (answer.model, answer.title, answer.conversation_id) == ("grok-4", "Sky", ID)
    assert answer.url == f"https://grok.com/c/{ID}"
    assert answer.evidence == verdict.evidence
    assert answer.problems == ("odd",)
    assert answer.timings == Timings(total=5.0)
    assert answer.prompt == REQUEST.prompt


WORTH = [
    (Judgement.COMPLETE, "end of turn", Completeness.COMPLETE),
    (Judgement.PARTIAL, "stopped", Completeness.STOPPED),
    (Judgement.PARTIAL, "witnesses_silent", Completeness.PARTIAL),
]


@pytest.mark.parametrize("judgement, why, worth", WORTH)
def test_what_it_is_worth(judgement, why, worth):
    assert answer_of(Verdict(judgement, why, "Be")).completeness is worth


def test_witnesses_that_disagree_are_both_kept():
    accounts = (Account(Source.STREAM, "one"), Account(Source.CANONICAL, "two"))
    answer = answer_of(Verdict(Judgement.PARTIAL, "x disagrees", "one", accounts=accounts))
    assert answer.others == (
        OtherText("network_stream", "one"),
        OtherText("canonical_fetch", "two"),
    )


def stored(text, *, complete=True, question=REQUEST.prompt):
    turns = (
        Turn("u", Role.USER, question),
        Turn("a", Role.ASSISTANT, text, parent="u", ends_turn=complete),
    )
    standing = Standing(complete, terminal=True, reason="model_response")
    return Conversation("grok", ID, standing, "Sky", "grok-4", turns, ("u", "a"))


HEARD = [
    # id, heard, stored, the text then, what it is worth
    ("nothing heard", "", "Because.", "Because.", Completeness.COMPLETE),
    ("a beginning", "Be", "Because.", "Because.", Completeness.COMPLETE),
    ("all of it", "Because.", "Because.", "Because.", Completeness.COMPLETE),
    ("stored tidied", "Because.  \nSo.", "Because.\nSo.", "Because.\nSo.", Completeness.COMPLETE),
    ("another text", "No idea", "Because.", "Because.", Completeness.PARTIAL),
    ("stored is shorter", "Because.", "Be", "Be", Completeness.PARTIAL),
    ("stored is empty", "Because.", "", "Because.", Completeness.PARTIAL),
]


@pytest.mark.parametrize(
    "heard, kept, text, worth", [c[1:] for c in HEARD], ids=[c[0] for c in HEARD]
)
def test_a_stored_answer_completes_what_it_agrees_with(heard, kept, text, worth):
    base = answer_of(Verdict(Judgement.PARTIAL, "lost", heard))
    found = from_stored(base, stored(kept), GROK)
    assert (found.text, found.completeness) == (text, worth)
    if worth is Completeness.PARTIAL:
        assert found.others[0].text == heard
        assert any("differs" in problem for problem in found.problems)
    else:
        assert not found.others
        assert not found.problems


def test_what_the_site_itself_cut_short_is_partial():
    base = answer_of(Verdict(Judgement.PARTIAL, "lost", "Be"))
    found = from_stored(base, stored("Becau", complete=False), GROK)
    assert found.completeness is Completeness.PARTIAL
    assert found.text == "Becau"


CUT = [
    # id, why it ended, evidence, heard, stored, what it is worth
    ("stopped", "stopped", (), "Becau", "Becau", Completeness.STOPPED),
    ("stopped, a little more stored", "stopped", (), "Becau", "Because", Completeness.STOPPED),
    ("stopped before any word", "stopped", (), "", "Be", Completeness.STOPPED),
    ("let go, no more stored", "lost", (LET_GO,), "Becau", "Becau", Completeness.STOPPED),
    (
        "let go, and the site wrote on",
        "lost",
        (LET_GO,),
        "Becau",
        "Because.",
        Completeness.COMPLETE,
    ),
    ("let go before any word", "lost", (LET_GO,), "", "Because.", Completeness.COMPLETE),
]


@pytest.mark.parametrize(
    "why, seen, heard, kept, worth", [c[1:] for c in CUT], ids=[c[0] for c in CUT]
)
def test_what_a_person_cut_short_is_not_whole_because_the_site_stores_it_so(
    why, seen, heard, kept, worth
):
    """Promise: truth. What we know of an attempt is not forgotten by a later reading."""
    base = answer_of(Verdict(Judgement.PARTIAL, why, heard, evidence=seen))
    found = from_stored(base, stored(kept), GROK)
    assert found.completeness is worth
    assert from_stored(found, stored(kept), GROK).completeness is worth


def test_advice_to_fetch_the_rest_is_gone_once_it_is_fetched():
    base = answer_of(Verdict(Judgement.PARTIAL, "lost", "Be"))
    base = replace(base, problems=("odd", f"not found in time; {FETCH_LATER}tabwire fetch x"))
    assert from_stored(base, stored("Because."), GROK).problems == ("odd",)


# --- marks ---------------------------------------------------------------------------------------

CHATGPT = SITES["chatgpt"]
MARK, UNKNOWN = "\ue200cite\ue202turn0search0\ue201", "\ue200cite\ue202turn0search1\ue201"
SOURCE = Citation("https://x.example/", "Sky", "X")
KNOWN = (Reference(MARK, citations=(SOURCE,)),)
SENT, READ = f"Because{MARK}.", "Because ([X](https://x.example/))."


def marked(verdict):
    return collect(verdict, CHATGPT, replace(REQUEST, site="chatgpt"), "a1", Timings())


def kept(text):
    turn = Turn("a", Role.ASSISTANT, text, parent="u", ends_turn=True, references=KNOWN)
    found = stored(text)
    return replace(found, site="chatgpt", turns=(found.turns[0], turn))


def test_marks_become_links_where_the_answer_is_made():
    accounts = (Account(Source.STREAM, SENT), Account(Source.CANONICAL, f"No{UNKNOWN}."))
    answer = marked(
        Verdict(
            Judgement.PARTIAL,
            "x",
            SENT,
            thinking=f"Hm{UNKNOWN}.",
            accounts=accounts,
            references=KNOWN,
        )
    )
    assert (answer.text, answer.thinking, answer.citations) == (READ, "Hm.", (SOURCE,))
    assert [one.text for one in answer.others] == [READ, "No."]


def test_a_page_that_says_nothing_but_marks_is_looked_at_twice():
    assert marked(Verdict(Judgement.COMPLETE, "end of turn", UNKNOWN)).suspicious


@pytest.mark.parametrize("heard", ["", "Beca", f"Because{MARK[:7]}", f"Because{MARK}", SENT])
def test_a_stored_answer_is_compared_by_what_the_site_sent(heard):
    base = marked(Verdict(Judgement.PARTIAL, "lost", heard))
    found = from_stored(base, kept(SENT), CHATGPT, heard=heard)
    assert (found.text, found.citations) == (READ, (SOURCE,))
    assert found.complete
    assert not found.others


def test_where_the_store_disagrees_both_texts_are_without_marks():
    base = marked(Verdict(Judgement.PARTIAL, "lost", f"No{UNKNOWN}."))
    found = from_stored(base, kept(SENT), CHATGPT, heard=f"No{UNKNOWN}.")
    assert not found.complete
    assert (found.text, found.others[0].text) == (READ, "No.")


def test_where_the_store_has_no_text_the_sources_heard_before_stay():
    base = marked(Verdict(Judgement.PARTIAL, "lost", SENT, references=KNOWN))
    found = from_stored(base, kept(""), CHATGPT, heard=SENT)
    assert (found.text, found.citations) == (READ, (SOURCE,))


def test_thinking_is_read_from_the_stored_conversation():
    turns = (
        Turn("u0", Role.USER, "Before?"),
        Turn("a0", Role.ASSISTANT, "So.", thinking="Old."),
        Turn("u", Role.USER, REQUEST.prompt),
        Turn("t", Role.ASSISTANT, thinking="Hm.", is_message=False),
        Turn("a", Role.ASSISTANT, "Because.", thinking="Well.", ends_turn=True),
    )
    kept = Conversation(
        "grok",
        ID,
        Standing(True, True, "terminal"),
        turns=turns,
        visible=tuple(turn.id for turn in turns),
    )
    base = answer_of(Verdict(Judgement.PARTIAL, "cut", "Becau", thinking="H"))
    assert from_stored(base, kept, GROK).thinking == "Hm.\n\nWell."
    bare = (turns[2], replace(turns[4], thinking=None))
    silent = replace(kept, turns=bare, visible=("u", "a"))
    assert from_stored(base, silent, GROK).thinking == "H", "what was heard is not forgotten"
