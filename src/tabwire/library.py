"""The Python API: what `import tabwire` provides, loaded on first use.

All functions except `judge` are `async`; `run` calls them from other programs. The hub runs in the
calling process, uses the same store as the commands, and ends with the call. A question is sent
at most once; `tabwire fetch` and `tabwire history` find the questions of a program that ended.

`tabwire/__init__.py` lists the public names. docs/library.md has examples.
"""

import asyncio
from collections.abc import AsyncGenerator, Awaitable, Callable, Coroutine, Sequence
from contextlib import aclosing
from dataclasses import replace
from os import PathLike, fspath
from pathlib import Path
from typing import Any, TypedDict, TypeVar, Unpack

from tabwire.hub import (
    AgentCallbacks,
    Asked,
    Befell,
    Grew,
    Hub,
    Judged,
    Judgement,
    Listed,
    LocalHub,
    Moved,
    Named,
    PageNotice,
    Ready,
    RemoteHub,
    RequestTold,
    Rewritten,
    Sighting,
    Snapshot,
    StateMoved,
    Stored,
    Unheard,
    Waiting,
    Watching,
    Witnessed,
)
from tabwire.hub import follow_agent as call_back
from tabwire.model.ask import (
    HOUR,
    Amended,
    Answer,
    Answered,
    AskEvent,
    AskRequest,
    Completeness,
    ConversationKnown,
    Failed,
    Phase,
    PhaseBegan,
    PromptLeft,
    StillWaiting,
    TextCame,
    Timings,
)
from tabwire.model.ask_errors import AskError
from tabwire.model.errors import Retry, TabwireError

__all__ = [
    "AgentCallbacks",
    "Amended", "Answer", "Answered", "AskError", "AskEvent", "AskRequest", "Asked", "Befell",
    "Completeness", "ConversationKnown", "Failed", "Grew", "Hub", "Judged", "Judgement", "Listed",
    "LocalHub", "Moved", "Named", "PageNotice", "Phase", "PhaseBegan", "PromptLeft", "Ready",
    "RemoteHub", "RequestTold", "Retry", "Rewritten", "Sighting", "Snapshot",
    "StateMoved", "StillWaiting", "Stored", "TabwireError", "TextCame",
    "Timings", "Unheard", "Waiting", "Watching", "Witnessed",
    "ask", "ask_many", "follow_agent", "judge", "run", "snapshot", "stream", "watch",
]  # fmt: skip

T = TypeVar("T")
Event = TypeVar("Event")


class How(TypedDict, total=False):
    """The options of a question, named as those of `tabwire ask`.

    `conversation` is the ID of the conversation to continue. `key` is the caller's own name for
    this question: the same key means the same question, even after it was answered.
    """

    model: str | None
    effort: str | None
    model_best_effort: bool
    files: Sequence[str | PathLike[str]]
    conversation: str | None
    url: str | None
    temporary: bool
    guest: bool
    timeout_seconds: float
    allow_focus: bool
    debug: bool
    key: str | None
    again: bool
    browser: str | None


async def ask(prompt: str, to: str, **how: Unpack[How]) -> Answer:
    """Ask one site and return its answer; `complete` says whether it is proven whole.

    Raises `AskError` if there is no answer, and `TabwireError` if nothing could be started.
    """
    (result,) = await ask_many(prompt, (to,), **how)
    if isinstance(result, AskError):
        raise result
    return result


async def ask_many(
    prompt: str, to: Sequence[str], **how: Unpack[How]
) -> tuple[Answer | AskError, ...]:
    """Ask several sites at once; return a result for each, in order. Failures are independent."""
    return await _asked(prompt, to, how, lambda _event: None)


async def stream(
    prompt: str, to: str | Sequence[str], **how: Unpack[How]
) -> AsyncGenerator[AskEvent, None]:
    """Ask and yield events as they occur: phases, text, and `Answered` or `Failed` for each site.

    If the caller leaves the loop early, nothing continues in this process. The site still answers
    a prompt that was sent, and `tabwire fetch` finds the answer.
    """
    sites = (to,) if isinstance(to, str) else to

    def asking(tell: Callable[[AskEvent], None]) -> Coroutine[Any, Any, object]:
        return _asked(prompt, sites, how, tell)

    async with aclosing(_heard(asking)) as events:
        async for event in events:
            yield event


async def watch(
    tab: str,
    *,
    browser: str | None = None,
    requests: bool = False,
    discover: bool = False,
    profile: str = "default",
) -> AsyncGenerator[Sighting, None]:
    """Watch a tab and yield its events, with a verdict on each answer. Nothing is typed or sent.

    `tab` is a site, the URL of a chat, or a tab's ID. Ends when the tab is closed, with `Befell`
    as the last event; leave the loop to stop earlier.
    """

    def watching(tell: Callable[[Sighting], None]) -> Coroutine[Any, Any, object]:
        return LocalHub().browsers.watch(
            tab, tell, browser=browser, requests=requests, discover=discover, profile=profile
        )

    async with aclosing(_heard(watching)) as sightings:
        async for sighting in sightings:
            yield sighting


async def follow_agent(
    callbacks: AgentCallbacks, window: str = "", *, profile: str = "default"
) -> None:
    """Follow the agent in a window of Antigravity and report its runs to callbacks: phase, process
    log, progress, complete, timeout. Antigravity support must be on (`tabwire antigravity on`).
    Runs until it is cancelled; with `classic` it follows one run and returns."""
    await call_back(callbacks, window, profile=profile)


async def snapshot(
    tab: str,
    *,
    browser: str | None = None,
    folder: str | PathLike[str] | None = None,
    text: bool = False,
) -> Snapshot:
    """Save a screenshot of a chat page and a selector report in a folder."""
    where = None if folder is None else Path(folder)
    return await LocalHub().browsers.snapshot(tab, browser=browser, folder=where, text=text)


def judge(
    command: str,
    *,
    shell: str = "",
    cwd: str | None = None,
    workspace: str | None = None,
) -> Judgement:
    """Judge a shell command without running it: allow, ask or deny."""
    return LocalHub().guard.judge(command, shell=shell, cwd=cwd, workspace=workspace)


def run(work: Awaitable[T]) -> T:
    """Run one call in a program that is not async: `tabwire.run(tabwire.ask("Why?", "grok"))`."""

    async def main() -> T:
        return await work

    if not _in_a_loop():
        return asyncio.run(main())
    if isinstance(work, Coroutine):
        work.close()  # or it would be complained about a second time
    raise RuntimeError("tabwire.run is for programs without a running loop; `await` it here")


def _in_a_loop() -> bool:
    try:
        asyncio.get_running_loop()
    except RuntimeError:
        return False
    return True


async def _asked(
    prompt: str, to: Sequence[str], how: How, tell: Callable[[AskEvent], None]
) -> tuple[Answer | AskError, ...]:
    if isinstance(to, str):
        raise TypeError(f"a list of sites is needed, not the text {to!r}")
    if unknown := set(how) - set(How.__annotations__):
        raise TypeError(f"unknown: {', '.join(sorted(unknown))}")
    request = AskRequest(
        "",
        prompt,
        model=how.get("model"),
        effort=how.get("effort"),
        model_best_effort=how.get("model_best_effort", False),
        files=tuple(str(Path(fspath(one)).absolute()) for one in how.get("files", ())),
        conversation_id=how.get("conversation"),
        url=how.get("url"),
        temporary=how.get("temporary", False),
        guest=how.get("guest", False),
        timeout_seconds=how.get("timeout_seconds", HOUR),
        allow_focus=how.get("allow_focus", False),
        debug=how.get("debug", False),
        client_key=how.get("key"),
    )
    requests = [replace(request, site=site) for site in to]
    return await LocalHub().asks.ask(
        requests, tell, browser=how.get("browser"), again=how.get("again", False)
    )


async def _heard(
    work: Callable[[Callable[[Event], None]], Coroutine[Any, Any, object]],
) -> AsyncGenerator[Event, None]:
    """What `work` tells while it is done. It is done only as long as somebody listens."""
    told: asyncio.Queue[Event | None] = asyncio.Queue()
    task = asyncio.get_running_loop().create_task(work(told.put_nowait))
    task.add_done_callback(lambda _task: told.put_nowait(None))
    try:
        while (event := await told.get()) is not None:
            yield event
        task.result()  # what stopped it, where something did
    finally:
        task.cancel()
        await asyncio.wait([task])
        if not task.cancelled():
            task.exception()  # raised above, or of no interest to whoever left
