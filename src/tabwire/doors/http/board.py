"""What the dashboard shows, as one object: hub, extension, autopilot, tabs in use, jobs.

Of what people asked and sites answered only the first words are in it, as one line of plain text.
An address is in it only where a browser may be sent there.
"""

import os
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

from tabwire import __version__
from tabwire.hub import ConsentNeeded, ServedHub, extension_version, require_consent
from tabwire.model.extensions import ExtensionStatus
from tabwire.model.job import Job, JobState

if TYPE_CHECKING:  # it brings the browser, and doors serve before that is there
    from tabwire.hub import TabInUse

MAX_WORKING = 50
MAX_LAST = 12
MAX_WORDS = 160  # characters of a question, an answer or a title
MAX_NAME = 60
MAX_COMMAND = 400


async def board_of(hub: ServedHub, port: int) -> dict[str, Any]:
    """As it is now."""
    working = await hub.jobs.recent(MAX_WORKING, states=(JobState.WORKING,))
    resting = [one for one in JobState if one is not JobState.WORKING]
    last = await hub.jobs.recent(MAX_LAST, states=resting)
    return {
        "hub": {
            "version": __version__,
            "pid": os.getpid(),
            "port": port,
            "browser": hub.settings.browser,
            "started_at": hub.started_at,
            "clients": hub.guests.count,
            "working": len(working),
        },
        "extension": _extension(await hub.extensions.status()),
        "autopilot": await _autopilot(hub),
        "tabs": _tabs(await hub.browsers.tabs_in_use(), {one.id: one for one in working}),
        "working": [_job(one) for one in working],
        "last": [_job(one) for one in last],
    }


def _extension(status: ExtensionStatus) -> dict[str, Any]:
    """Without what runs by itself: a page counts seconds down, and is not told each of them."""
    shown = status.as_data()
    shown["code_shown"] = bool(shown.pop("code_seconds"))
    shown["locked"] = bool(shown.pop("locked_seconds"))
    return {**shown, "ours": extension_version()}


async def _autopilot(hub: ServedHub) -> dict[str, Any] | None:
    """What is clicked in Antigravity, and what waits for the person; None where that is off."""
    if not hub.agents.followed:
        return None
    try:
        require_consent()
    except ConsentNeeded:
        return None
    state = await hub.agents.autopilot.state()
    left = state.was_on
    waiting = [
        {
            "id": one.id,
            "window": plain(one.workspace, MAX_NAME),
            "kind": one.kind,
            "command": plain(one.command or one.text, MAX_COMMAND),
            "verdict": one.verdict,
            "reason": plain(one.reason, MAX_WORDS),
        }
        for one in (await hub.agents.autopilot.approvals())[:MAX_LAST]
    ]
    return {"on": state.on, "was_on": left.says if left else None, "waiting": waiting}


def _tabs(tabs: "Sequence[TabInUse]", jobs: dict[str, Job]) -> list[dict[str, Any]]:
    return [
        {
            "id": f"{one.way}/{one.target}",
            "title": plain(one.title, MAX_WORDS),
            "place": plain(urlsplit(one.url).hostname or "", MAX_NAME),
            "way": one.way,
            "by": _who(jobs[one.job]) if one.job in jobs else plain(one.by, MAX_NAME),
            "job": one.job,
        }
        for one in tabs
    ]


def _job(job: Job) -> dict[str, Any]:
    answer, error = job.answer, job.error
    return {
        "id": job.id,
        "site": job.request.site,
        "state": job.state,
        "phase": job.phase,
        "note": plain(job.note, MAX_WORDS),
        "characters": job.characters,
        "prompt": plain(job.request.prompt, MAX_WORDS),
        "answer": None if answer is None else plain(answer.text, MAX_WORDS),
        "complete": None if answer is None else answer.complete,
        "who": _who(job),
        "lab": job.request.in_lab,
        # at the site itself nobody knows a chat of the lab
        "url": None if job.request.in_lab else safe_address(job.url),
        "created_at": job.created_at,
        "updated_at": job.updated_at,
        "error": None
        if error is None
        else {
            "code": error.code,
            "message": plain(error.message, 2 * MAX_WORDS),
            "what_to_do": plain(error.what_to_do, 2 * MAX_WORDS),
        },
    }


def _who(job: Job) -> str:
    return plain(job.asker.client or job.asker.agent or str(job.asker.door), MAX_NAME)


def plain(text: str | None, most: int) -> str:
    """One line of it, cut where it is long: no control characters, no halves of characters."""
    words = _until(" ".join((text or "")[: 4 * most].split()), most)
    return words.encode("utf-8", "replace").decode()


def _until(words: str, most: int) -> str:
    shown = "".join(_visible(words))
    return shown if len(shown) <= most else f"{shown[: most - 1]}…"


def _visible(words: str) -> Iterable[str]:
    return (one for one in words if one.isprintable() or one == "\u3000")


def safe_address(url: str | None) -> str | None:
    """The address, where it is one of the web and says no more than where: else None."""
    if not url:
        return None
    try:
        parts = urlsplit(url)
    except ValueError:
        return None
    fine = parts.scheme == "https" and parts.hostname and not parts.username
    return url if fine and "\\" not in url and url.isprintable() else None
