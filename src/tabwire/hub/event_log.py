"""The lines that questions and runs leave in the hub's log, by seed 000, section 6.

`phase` for a change of phase, `done` for the end, `warn` and `error` for an end that is none.
What people asked and were answered stands in debug lines alone.
"""

from tabwire.config.logs import Log, get_log, is_written
from tabwire.model.agent import (
    AgentAttached,
    AgentEnded,
    AgentLog,
    AgentLost,
    AgentPhase,
    AgentProgress,
    AgentQuota,
    AgentShown,
)
from tabwire.model.ask import (
    Amended,
    Answer,
    Answered,
    AskEvent,
    PhaseBegan,
    PromptLeft,
    StillWaiting,
    TextCame,
)
from tabwire.model.job import Job, JobState

COMPLETE = "complete"


def taken(job: Job) -> None:
    """A job is on the board."""
    log = _of(job)
    asker = {"agent": job.asker.agent, "door": job.asker.door.value}
    log.info("question accepted", length=len(job.request.prompt), **asker)
    log.debug("question", prompt=job.request.prompt)


def happened(job: Job, event: AskEvent) -> None:
    """Something on the way of a job, before the job knows it."""
    if isinstance(event, TextCame) and not is_written("debug"):
        return  # there are thousands of them
    log = _of(job)
    match event:
        case PhaseBegan(phase=phase, note=note):
            before = job.phase.value if job.phase is not None else "new"
            more = {"note": note} if note else {}
            log.phase(f"{before} -> {phase.value}", length=job.characters, **more)
        case PromptLeft(conversation_id=named):
            log.info("question sent", conversation=named)
        case TextCame(text=text, thinking=thinking, anew=anew):
            log.debug("text received", thinking=thinking, anew=anew, text=text)
        case StillWaiting(why=why):
            log.info("still waiting", why=why)
        case Answered(answer=answer):
            _answered(log, "answered", answer)
        case Amended(answer=answer):
            _answered(log, "answer amended", answer)
        case _:
            pass


def rests(job: Job) -> None:
    """A job came to rest. One that was answered has said so."""
    error = job.error
    facts = {"code": error.code, "error": error.message} if error is not None else {}
    match job.state:
        case JobState.FAILED:
            _of(job).error("question failed", step=job.step.value, **facts)
        case JobState.INPUT_REQUIRED:
            _of(job).warn("question waits for a person", step=job.step.value, **facts)
        case JobState.CANCELLED:
            _of(job).info("question cancelled", step=job.step.value)
        case _:
            pass


def of_agent(event: object, phase: str) -> None:
    """Something of a run in Antigravity. `phase` is the one before."""
    match event:
        case AgentAttached(window=window, conversation=named, model=model):
            get_log(window=window).info("window followed", conversation=named, model=model)
        case AgentPhase(window=window, run=run, phase=now, text=text, why=why):
            log = get_log(window=window, run=run)
            log.phase(
                f"{phase or 'new'} -> {now}", length=len(text), **({"why": why} if why else {})
            )
        case AgentProgress(window=window, run=run, text=text):
            get_log(window=window, run=run).debug("text changed", length=len(text), text=text)
        case AgentLog(window=window, run=run, entries=entries):
            log = get_log(window=window, run=run)
            log.info("process log updated", entries=len(entries))
            log.debug("process log", text="\n".join(one.text for one in entries))
        case AgentShown(window=window, shown=shown, why=why):
            log = get_log(window=window)
            log.info("panel shown") if shown else log.warn("no panel", why=why)
        case AgentLost(window=window, after_seconds=after, why=why):
            get_log(window=window).warn("window given up", after_seconds=after, why=why)
        case AgentQuota(window=window, run=run, model=model):
            get_log(window=window, run=run).warn("limit reached", model=model)
        case AgentEnded(window=window, run=run, phase=how, text=text, log=entries, quota=limit):
            log = get_log(window=window, run=run)
            say = log.done if how == COMPLETE and not limit else log.warn
            more = {"limit": True} if limit else {}
            say(f"run ended: {how}", length=len(text), entries=len(entries), **more)
            log.debug("output", text=text)
            log.debug("process log", text="\n".join(one.text for one in entries))
        case _:
            pass


def _answered(log: Log, what: str, answer: Answer) -> None:
    facts = {"conversation": answer.conversation_id, "length": len(answer.text)}
    log.done(f"{what}: {answer.completeness.value}", **facts)
    log.debug("output", text=answer.text)
    if answer.thinking:
        log.debug("thinking", thinking=answer.thinking)


def _of(job: Job) -> Log:
    return get_log(job=job.id, site=job.request.site)
