"""Questions: what a tool was given -> jobs -> their result."""

import time
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from mcp.server.context import ServerRequestContext
from mcp.shared.jsonrpc_dispatcher import progress_token_from_params
from mcp_types import CallToolResult

from tabwire.doors.mcp.arguments import (
    LAST,
    NEW,
    AskAll,
    AskOne,
    AskPair,
    GetAnswer,
    StopGeneration,
)
from tabwire.doors.mcp.clients import Client, client_named
from tabwire.doors.mcp.progress import BEAT_SECONDS, Patience, wait_for
from tabwire.doors.mcp.results import result_of_one, result_of_several, with_terms
from tabwire.doors.mcp.roots import Roots, roots_of
from tabwire.doors.mcp.visitors import Visitor, visitor_now
from tabwire.hub import ServedHub
from tabwire.model.ask import AskRequest
from tabwire.model.ask_errors import BadAsk
from tabwire.model.errors import Retry, TabwireError
from tabwire.model.job import Asker, Job, JobState, NoSuchJob

PAIR = ("chatgpt", "gemini")
LOOK_BACK = 50  # jobs of one agent among which an open call's are looked for
REMEMBERED_SECONDS = 5.0  # an answer is told a moment before its chat becomes the agent's
SLACK_SECONDS = 1.0  # a job may be dated before the call that made it by no more than this


class NoAgent(TabwireError):
    """Nobody knows which chats are the caller's: it has neither a session nor a name."""

    code = "no_agent"

    def __init__(self, what: str) -> None:
        super().__init__(
            f"{what} is not available to this client: it has neither a session nor a name",
            what_to_do="Give the conversation_id of an earlier result as `conversation`. To be "
            "remembered, send the header X-Tabwire-Agent with a name, or use the command "
            "`tabwire mcp`. Nothing was asked.",
            retry=Retry.NO,
        )


@dataclass(frozen=True, slots=True)
class Call:
    """One call of a tool: by whom, and how to tell them something."""

    hub: ServedHub
    context: ServerRequestContext[Any, Any]
    visitor: Visitor
    client: Client
    client_name: str
    beat: float = BEAT_SECONDS

    @classmethod
    def now(cls, hub: ServedHub, context: ServerRequestContext[Any, Any], beat: float) -> "Call":
        """The one that is being answered."""
        params = context.session.client_params
        name = params.client_info.name if params is not None else ""
        visitor = visitor_now(context.request)
        return cls(hub, context, visitor, client_named(name), name, beat)

    @property
    def asker(self) -> Asker:
        """Who calls."""
        return self.visitor.asker(self.client_name)

    @property
    def roots(self) -> Roots:
        """Which files they may have sent."""
        return roots_of(self.visitor.cwd, self.hub.settings.file_roots)

    def patience(self, wait: str | float) -> Patience:
        """How long this call may take."""
        return Patience.of(
            wait,
            self.client,
            has_token=progress_token_from_params(self.context.params) is not None,
            over_http=self.context.request is not None,
            seconds=self.hub.settings.wait_seconds,
        )

    async def rest(self, begun: Sequence[Job], wait: str | float) -> tuple[Job, ...]:
        """The jobs when they rest, or when patience is over."""

        async def tell(so_far: float, what: str) -> None:
            await self.context.session.report_progress(so_far, None, what)

        rested = await wait_for(self.hub.jobs, begun, self.patience(wait), tell, beat=self.beat)
        # that a call joined is known to this call alone: a job that is waited for does not say it
        joined = {job.id for job in begun if job.joined}
        return tuple(replace(job, joined=job.id in joined) for job in rested)


async def ask_one(call: Call, given: AskOne, site: str) -> CallToolResult:
    """A question to one site."""
    (job,) = await _asked(call, given, (site,))
    return with_terms(result_of_one(job, time.time()), _terms(call, (job,)))


async def ask_pair(call: Call, given: AskPair) -> CallToolResult:
    """To the two that are recommended."""
    jobs = await _asked(call, given, PAIR)
    return with_terms(result_of_several(jobs, time.time()), _terms(call, jobs))


async def ask_all(call: Call, given: AskAll) -> CallToolResult:
    """To any set of sites."""
    jobs = await _asked(call, given, tuple(dict.fromkeys(given.sites)))
    return with_terms(result_of_several(jobs, time.time()), _terms(call, jobs))


def _terms(call: Call, jobs: Sequence[Job]) -> tuple[str, ...]:
    """What the providers' terms say, where it was never said to this person."""
    real = [job.request.site for job in jobs if not job.request.in_lab]
    return call.hub.asks.first_words(real, browser=call.hub.settings.browser)


async def get_answer(call: Call, given: GetAnswer) -> CallToolResult:
    """What became of a job, waited for."""
    job = await call.hub.jobs.job(given.job_id)
    if job is None:
        raise NoSuchJob(given.job_id)
    if job.answer is None and job.error is not None and job.error.retry is Retry.RESUME:
        job = await call.hub.jobs.resume(job.id)  # it was sent: its answer may be there by now
    (job,) = await call.rest((job,), given.wait)
    return result_of_one(job, time.time(), debug=given.debug)


async def stop_generation(call: Call, given: StopGeneration) -> CallToolResult:
    """Have the site's Stop pressed."""
    job = await call.hub.jobs.stop(given.job_id)
    return result_of_one(job, time.time())


async def _asked(call: Call, given: AskOne | AskPair, sites: Sequence[str]) -> tuple[Job, ...]:
    asker = call.asker
    if asker.agent:
        await call.hub.sessions.touch(asker.agent, client=asker.client, project=asker.project)
    begun = await _begun_before(call, given.question, sites)
    missing = [site for site in sites if site not in begun]
    if missing:
        requests = [await _request(call, given, site, asker) for site in missing]
        for job in await call.hub.jobs.submit(requests, asker):
            begun[job.request.site] = job
    return await call.rest([begun[site] for site in sites], given.wait)


async def _begun_before(call: Call, question: str, sites: Sequence[str]) -> dict[str, Job]:
    """Jobs of this very call, where a hub that died had begun them and its pump calls again.

    Not left to the guard against duplicates alone: "last" may lead to another chat by now.
    """
    request_id = call.context.request_id
    since = call.visitor.opened.get(request_id) if request_id is not None else None
    if since is None:
        return {}
    return {
        job.request.site: job
        for job in reversed(await call.hub.jobs.recent(LOOK_BACK, agent=call.asker.agent))
        if job.request.site in sites
        and job.request.prompt == question
        and job.created_at >= since - SLACK_SECONDS
    }


async def _request(call: Call, given: AskOne | AskPair, site: str, asker: Asker) -> AskRequest:
    said = _for_site(given.conversation, site) or NEW
    if given.temporary and said != NEW:
        raise BadAsk(
            site,
            "a temporary chat cannot be continued",
            'Leave out either "temporary" or "conversation".',
        )
    files = call.roots.files(site, given.files)
    conversation = None if said == NEW else said
    if said == LAST:
        conversation = await _last(call, given.question, files, site, asker)
    return AskRequest(
        site,
        given.question,
        model=_for_site(given.model, site),
        effort=_for_site(given.effort, site),
        files=files,
        conversation_id=conversation,
        temporary=given.temporary,
        debug=given.debug,
        client_key=asker.agent or asker.client,  # keeps callers apart; see store/attempt_rows.py
    )


async def _last(
    call: Call, question: str, files: tuple[str, ...], site: str, asker: Asker
) -> str | None:
    """The chat this agent last used at the site; None where it has none, or has forgotten it.

    Asked once more, the same question means the same place: by then the first time it was asked
    may itself have become the last chat, and it would be asked twice.
    """
    if not asker.agent:
        raise NoAgent('conversation="last"')
    for before in await call.hub.jobs.recent(1, site=site, agent=asker.agent):
        if (before.request.prompt, before.request.files) == (question, files):
            return before.request.conversation_id
        just_now = time.time() - before.updated_at < REMEMBERED_SECONDS
        if just_now and before.state is JobState.COMPLETED and not before.request.temporary:
            return before.conversation_id
    session = await call.hub.sessions.session(asker.agent)
    # `session` has the chats of one side only: of the lab, where that is the hub's browser
    chat = next((one for one in session.chats if one.site == site), None) if session else None
    return chat.conversation_id if chat is not None else None


def _for_site(said: str | dict[Any, str] | None, site: str) -> str | None:
    return said.get(site) if isinstance(said, dict) else said
