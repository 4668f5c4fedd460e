"""Answers as resources, so that a client can attach one without asking a model to copy it."""

import asyncio
import time
from contextlib import aclosing
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any
from urllib.parse import quote, unquote

import msgspec
from mcp.shared.exceptions import MCPError
from mcp_types import (
    INVALID_PARAMS,
    ListResourcesResult,
    ListResourceTemplatesResult,
    ReadResourceResult,
    Resource,
    ResourceTemplate,
    TextResourceContents,
)

from tabwire.doors.mcp.results import label, told
from tabwire.model.job import Job, JobState

if TYPE_CHECKING:
    from tabwire.hub import Jobs

SCHEME = "tabwire://"
LISTED = 50  # the newest answers; older ones are read by their id
LOOKED_AT = 500  # jobs among which a conversation's are looked for
NEWS_SECONDS = 0.2  # without news of a job that runs: what there is was told
MARKDOWN, JSON, LINES = "text/markdown", "application/json", "application/x-ndjson"

TEMPLATES = (
    ("tabwire://jobs/{id}/answer.md", "answer", "The answer to a question, as Markdown", MARKDOWN),
    ("tabwire://jobs/{id}/meta", "meta", "A job and its answer, with all details", JSON),
    ("tabwire://jobs/{id}/events", "events", "The events of a job, one per line", LINES),
    (
        "tabwire://conversations/{id}",
        "conversation",
        "All questions and answers of one chat",
        MARKDOWN,
    ),
)


def templates() -> ListResourceTemplatesResult:
    """All kinds there are."""
    return ListResourceTemplatesResult(
        resource_templates=[
            ResourceTemplate(uri_template=uri, name=name, description=says, mime_type=kind)
            for uri, name, says, kind in TEMPLATES
        ]
    )


async def listed(jobs: "Jobs") -> ListResourcesResult:
    """The newest answers."""
    found = await jobs.recent(LISTED, states=(JobState.COMPLETED,))
    return ListResourcesResult(
        resources=[
            Resource(
                uri=f"{SCHEME}jobs/{quote(job.id, safe='')}/answer.md",
                name=f"{job.request.site}-{job.id}",
                title=_title(job),
                description=f"An answer {label(job.request.site, lab=job.request.in_lab)}",
                mime_type=MARKDOWN,
                size=len(job.answer.text.encode()) if job.answer else None,
            )
            for job in found
        ]
    )


async def read(jobs: "Jobs", uri: str) -> ReadResourceResult:
    """One of them. What is not there is an error of the protocol, as it wants it."""
    parts = [unquote(part) for part in uri.removeprefix(SCHEME).split("/")]
    match parts if uri.startswith(SCHEME) else ():
        case ["conversations", conversation]:
            return _contents(uri, MARKDOWN, await _conversation(jobs, conversation, uri))
        case ["jobs", job_id, what]:
            job = await jobs.job(job_id)
            if job is not None:
                match what:
                    case "answer.md" if job.answer is not None:
                        site = job.request.site
                        return _contents(
                            uri,
                            MARKDOWN,
                            job.answer.text,
                            {"origin": label(site, lab=job.request.in_lab)},
                        )
                    case "meta":
                        return _contents(uri, JSON, _json(_meta(job)))
                    case "events":
                        return _contents(uri, LINES, await _events(jobs, job.id))
    raise _not_there(uri)


def _not_there(uri: str) -> MCPError:
    return MCPError(
        code=INVALID_PARAMS,
        message="there is no such resource, or no answer yet",
        data={"uri": uri},
    )


def _contents(
    uri: str, kind: str, text: str, meta: dict[str, Any] | None = None
) -> ReadResourceResult:
    part = TextResourceContents(uri=uri, mime_type=kind, text=text, _meta=meta)
    return ReadResourceResult(contents=[part])


def _meta(job: Job) -> dict[str, Any]:
    known = told(job, time.time(), debug=True)
    known.pop("answer", None)  # it is a resource of its own
    return known | {
        "question": job.request.prompt,
        "agent": job.asker.agent,
        "created_at": datetime.fromtimestamp(job.created_at, UTC).isoformat(timespec="seconds"),
    }


async def _events(jobs: "Jobs", job_id: str) -> str:
    """What is known until now: of a job that runs, more comes, and is not waited for."""
    lines = []
    async with aclosing(jobs.news(job_id)) as news:  # type: ignore[type-var]
        while True:
            try:
                async with asyncio.timeout(NEWS_SECONDS):
                    lines.append(_json((await anext(news)).as_data()))
            except (TimeoutError, StopAsyncIteration):
                return "".join(f"{line}\n" for line in lines)


async def _conversation(jobs: "Jobs", conversation: str, uri: str) -> str:
    found = [job for job in await jobs.recent(LOOKED_AT) if job.conversation_id == conversation]
    if not found:
        raise _not_there(uri)
    turns = [f"({label(found[0].request.site, lab=found[0].request.in_lab)})"]
    for job in reversed(found):
        answer = job.answer.text if job.answer else f"(no answer: {job.state.value})"
        turns.append(f"## Question\n\n{job.request.prompt}\n\n## Answer\n\n{answer}")
    return "\n\n".join(turns)


def _title(job: Job) -> str:
    first = " ".join(job.request.prompt.split())
    return first if len(first) <= 80 else f"{first[:79]}…"


def _json(value: Any) -> str:
    return msgspec.json.encode(value, enc_hook=str).decode()
