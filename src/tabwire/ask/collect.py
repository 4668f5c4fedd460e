"""A verdict and what was heard on the way -> an answer. Pure."""

from dataclasses import replace
from functools import partial

from tabwire.ask.cites import linked
from tabwire.ask.suspicious import suspicious
from tabwire.fusion.agreement import Match, compare, compare_page
from tabwire.fusion.verdict import Judgement, Verdict
from tabwire.model.ask import Answer, AskRequest, Completeness, OtherText, Timings
from tabwire.model.conversation import Conversation
from tabwire.model.signals import Source
from tabwire.sites.site import Site
from tabwire.sites.witness import as_witness, stored_thinking

STOPPED = "stopped"  # how fusion says it


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
    heard = answer.text if heard is None else heard
    text, citations = linked(stored.text, stored.references, site.marks)
    thinking = stored_thinking(conversation)
    match = (
        compare_page(stored.text, heard)  # read off the page, it is not the same to the letter
        if answer.text_from == Source.PAGE
        else compare(heard, stored.text)
    )
    agrees = not heard.strip() or match is not Match.DIFFERS
    problems = answer.problems
    if not agrees:
        problems = (*problems, "the stored answer differs from what was heard: both are kept")
    whole = stored.complete and agrees and (bool(stored.text.strip()) or stored.media)
    return replace(
        answer,
        text=text or answer.text,
        citations=citations if text else answer.citations,
        thinking=linked(thinking, (), site.marks)[0] if thinking else answer.thinking,
        text_from=str(Source.CANONICAL if text else answer.text_from),
        completeness=Completeness.COMPLETE if whole else Completeness.PARTIAL,
        why=f"stored by the site: {conversation.standing.reason}",
        conversation_id=conversation.id or answer.conversation_id,
        url=link(site, conversation.id) or answer.url,
        title=conversation.title or answer.title,
        model=conversation.model or answer.model,
        evidence=(*answer.evidence, f"{Source.CANONICAL}: {conversation.standing.reason}"),
        problems=problems,
        others=() if agrees else (OtherText(answer.text_from, answer.text),),
        suspicious=suspicious(text, answer.prompt),
    )


def _completeness(verdict: Verdict) -> Completeness:
    if verdict.judgement is Judgement.COMPLETE:
        return Completeness.COMPLETE
    return Completeness.STOPPED if verdict.why == STOPPED else Completeness.PARTIAL
