"""Completion: sites, models, ids of jobs and of conversations, while a person types."""

from collections.abc import Iterable
from typing import TYPE_CHECKING

from mcp_types import (
    CompleteRequestParams,
    CompleteResult,
    Completion,
    PromptReference,
)

from tabwire.hub import SITE_NAMES
from tabwire.model.job import Job

if TYPE_CHECKING:
    from tabwire.hub import Jobs

MOST = 100  # values in one reply, as MCP wants it
LOOKED_AT = 200  # newest jobs whose ids and models are offered


async def completed(jobs: "Jobs", asked: CompleteRequestParams) -> CompleteResult:
    """What could stand there."""
    typed = asked.argument.value
    if isinstance(asked.ref, PromptReference):
        values = await _for_prompt(jobs, asked.argument.name, typed)
    else:
        values = await _for_resource(jobs, asked.ref.uri, typed)
    found = list(dict.fromkeys(values))
    return CompleteResult(
        completion=Completion(values=found[:MOST], total=len(found), has_more=len(found) > MOST)
    )


async def _for_prompt(jobs: "Jobs", name: str, typed: str) -> Iterable[str]:
    if name == "sites":  # a list with commas: what is typed last is completed
        *before, last = (part.strip() for part in typed.split(","))
        free = (site for site in SITE_NAMES if site not in before)
        return [", ".join((*before, site)) for site in free if site.startswith(last.lower())]
    if name == "model":
        models = (job.answer.model for job in await jobs.recent(LOOKED_AT) if job.answer)
        return [model for model in models if model and model.lower().startswith(typed.lower())]
    return ()


async def _for_resource(jobs: "Jobs", uri: str, typed: str) -> Iterable[str]:
    def wanted(job: Job) -> str:
        return (job.conversation_id or "") if "conversations/" in uri else job.id

    ids = (wanted(job) for job in await jobs.recent(LOOKED_AT))
    return [one for one in ids if one and one.startswith(typed)]
