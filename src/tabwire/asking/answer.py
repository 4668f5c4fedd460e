"""A verdict and what was heard on the way -> an answer. Pure."""

from dataclasses import replace
from functools import partial

from tabwire.asking.suspicion import suspicious
from tabwire.fusion.agreement import Match, compare, compare_page
from tabwire.fusion.verdict import Judgement, Verdict
from tabwire.model.ask import Answer, AskRequest, Completeness, OtherText, Timings
from tabwire.model.conversation import Conversation
from tabwire.model.signals import Source
from tabwire.sites.links import linked
from tabwire.sites.site import Site
from tabwire.sites.witness import as_witness, stored_thinking

STOPPED = "stopped"  # how fusion says it
LET_GO = f"{Source.PAGE}: the page dropped the answer"
FETCH_LATER = "fetch the rest later: "
"""How a problem ends that is none any more once the rest was fetched."""


def collect(
    verdict: Verdict, site: Site, request: AskRequest, attempt_id: str, timings: Timings
) -> Answer:
    """What the verdict says, as whoever asked reads it."""
    read = partial(linked, references=verdict.references, marks=site.marks)
    text, citations = read(verdict.text)
    return Answer(
        attempt_id,
        site.name,
        request.prompt,
        text,
        _completeness(verdict),
        verdict.why,
        conversation_id=verdict.conversation_id,
        url=link(site, verdict.conversation_id),
        title=verdict.title,
        model=verdict.model,
        thinking=read(verdict.thinking)[0] if verdict.thinking else verdict.thinking,
        citations=citations,
        text_from=str(verdict.text_from),
        evidence=verdict.evidence,
        problems=tuple(str(problem) for problem in verdict.problems),
        others=tuple(OtherText(str(one.source), read(one.text)[0]) for one in verdict.accounts),
        suspicious=suspicious(text, request.prompt),
        timings=timings,
        lab=request.in_lab,
    )


def link(site: Site, conversation_id: str | None) -> str | None:
    """Where a person finds the conversation."""
    return site.page.chat_url(conversation_id) if conversation_id else None


def from_stored(
    answer: Answer, conversation: Conversation, site: Site, heard: str | None = None
) -> Answer:
    """The same answer, as the site has it stored: whole, where the site says so.

    `heard` is its text so far as the site sent it, with the marks that the answer no longer has.
    Where the stored text is not the one that was heard, both are kept.
    """
    stored = as_witness(conversation)
    text, citations = linked(stored.text, stored.references, site.marks)
    thinking = stored_thinking(conversation)
    match = _match(answer, stored.text if heard is not None else text, heard)
    agrees = match is not Match.DIFFERS
    problems = tuple(one for one in answer.problems if FETCH_LATER not in one)
    if not agrees:
        problems = (*problems, "the stored answer differs from the streamed one: both are kept")
    whole = stored.complete and agrees and (bool(stored.text.strip()) or stored.media)
    why = f"stored by the site: {conversation.standing.reason}"
    completeness = Completeness.COMPLETE if whole else Completeness.PARTIAL
    if was_stopped(answer, agrees and match is Match.SAME):
        # a site may store what was cut short as if it were whole: what we saw is not forgotten
        completeness, why = Completeness.STOPPED, STOPPED
    return replace(
        answer,
        text=text or answer.text,
        citations=citations if text else answer.citations,
        thinking=linked(thinking, (), site.marks)[0] if thinking else answer.thinking,
        text_from=str(Source.CANONICAL if text else answer.text_from),
        completeness=completeness,
        why=why,
        conversation_id=conversation.id or answer.conversation_id,
        url=link(site, conversation.id) or answer.url,
        title=conversation.title or answer.title,
        model=conversation.model or answer.model,
        evidence=_once(*answer.evidence, f"{Source.CANONICAL}: {conversation.standing.reason}"),
        problems=problems,
        others=() if agrees else (OtherText(answer.text_from, answer.text),),
        suspicious=suspicious(text, answer.prompt),
    )


def was_stopped(answer: Answer, same: bool) -> bool:
    """Whether an answer was cut short by a person. `same`: the site has stored no more of it.

    A page that let go of its stream may have been told to; where the site wrote on, it was not.
    """
    if answer.completeness is not Completeness.PARTIAL:
        return answer.completeness is Completeness.STOPPED
    return same and LET_GO in answer.evidence and bool(answer.text.strip())


def _match(answer: Answer, stored: str, heard: str | None) -> Match:
    heard = answer.text if heard is None else heard
    if not heard.strip():
        return Match.EXTENDS
    if answer.text_from == Source.PAGE:
        return compare_page(stored, heard)  # read off the page, it is not the same to the letter
    return compare(heard, stored)


def _once(*evidence: str) -> tuple[str, ...]:
    return tuple(dict.fromkeys(evidence))


def _completeness(verdict: Verdict) -> Completeness:
    if verdict.judgement is Judgement.COMPLETE:
        return Completeness.COMPLETE
    return Completeness.STOPPED if verdict.why == STOPPED else Completeness.PARTIAL
