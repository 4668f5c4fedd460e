"""A verdict and what was heard on the way -> an answer. Pure."""

from dataclasses import replace

from tabwire.ask.suspicious import suspicious
from tabwire.fusion.agreement import Match, compare, compare_page
from tabwire.fusion.verdict import Judgement, Verdict
from tabwire.model.ask import Answer, AskRequest, Completeness, OtherText, Timings
from tabwire.model.conversation import Conversation
from tabwire.model.signals import Source
from tabwire.sites.site import Site
from tabwire.sites.witness import as_witness

STOPPED = "stopped"  # how fusion says it


def collect(
    verdict: Verdict, site: Site, request: AskRequest, attempt_id: str, timings: Timings
) -> Answer:
    """What the verdict says, as whoever asked reads it."""
    return Answer(
        attempt_id,
        site.name,
        request.prompt,
        verdict.text,
        _completeness(verdict),
        verdict.why,
        conversation_id=verdict.conversation_id,
        url=link(site, verdict.conversation_id),
        title=verdict.title,
        model=verdict.model,
        thinking=verdict.thinking,
        text_from=str(verdict.text_from),
        evidence=verdict.evidence,
        problems=tuple(str(problem) for problem in verdict.problems),
        others=tuple(OtherText(str(one.source), one.text) for one in verdict.accounts),
        suspicious=suspicious(verdict.text, request.prompt),
        timings=timings,
    )


def link(site: Site, conversation_id: str | None) -> str | None:
    """Where a person finds the conversation."""
    return site.page.chat.format(conversation_id) if conversation_id else None


def from_stored(answer: Answer, conversation: Conversation, site: Site) -> Answer:
    """The same answer, as the site has it stored: whole, where the site says so.

    Where the stored text is not the one that was heard, both are kept.
    """
    stored = as_witness(conversation)
    heard = answer.text
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
        text=stored.text or heard,
        text_from=str(Source.CANONICAL if stored.text else answer.text_from),
        completeness=Completeness.COMPLETE if whole else Completeness.PARTIAL,
        why=f"stored by the site: {conversation.standing.reason}",
        conversation_id=conversation.id or answer.conversation_id,
        url=link(site, conversation.id) or answer.url,
        title=conversation.title or answer.title,
        model=conversation.model or answer.model,
        evidence=(*answer.evidence, f"{Source.CANONICAL}: {conversation.standing.reason}"),
        problems=problems,
        others=() if agrees else (OtherText(answer.text_from, heard),),
        suspicious=suspicious(stored.text, answer.prompt),
    )


def _completeness(verdict: Verdict) -> Completeness:
    if verdict.judgement is Judgement.COMPLETE:
        return Completeness.COMPLETE
    return Completeness.STOPPED if verdict.why == STOPPED else Completeness.PARTIAL
