"""What is told of a conversation that was read, clean enough to be written anywhere."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from tabwire.files.detection import Kind
from tabwire.files.reader import FileReader, ReadConversation
from tabwire.model.conversation import Conversation, Message, Role
from tabwire.sites.known import SITES
from tabwire.sites.links import linked
from tabwire.sites.titles import fallback_title, is_generic
from tabwire.wire.text import showable


@dataclass(frozen=True, slots=True)
class ToldMessage:
    """One message as a person reads it: sources are links where the site has private marks."""

    role: Role
    text: str
    thinking: str | None = None


@dataclass(frozen=True, slots=True)
class Report:
    """One conversation of a file, or why there is none. What is unknown is None."""

    file: str
    site: str | None
    kind: str | None
    conversation_id: str | None = None
    title: str | None = None
    model: str | None = None
    complete: bool = False
    terminal: bool = False
    reason: str | None = None
    evidence: tuple[str, ...] = ()
    messages: tuple[ToldMessage, ...] = ()
    problems: tuple[str, ...] = ()
    damaged: bool = False


def report(result: ReadConversation, *, title_fallback: bool = False) -> Report:
    """Tell of one result; with `title_fallback` a missing title comes from the question."""
    found = result.conversation
    base = Report(
        file=showable(result.file),
        site=result.site,
        kind=result.kind,
        terminal=result.refused,
        problems=tuple(showable(problem.what) for problem in result.problems),
        damaged=result.damaged,
    )
    if found is None:
        return base
    return Report(
        file=base.file,
        site=base.site,
        kind=base.kind,
        conversation_id=_clean(found.id),
        title=_clean(_title(found, title_fallback)),
        model=_clean(found.model),
        complete=found.standing.complete,
        terminal=found.standing.terminal,
        reason=found.standing.reason,
        evidence=found.standing.evidence,
        messages=tuple(_told(message, found.site) for message in found.messages()),
        problems=base.problems,
        damaged=base.damaged,
    )


def _told(message: Message, site: str) -> ToldMessage:
    marks = SITES[site].marks if site in SITES and message.role is not Role.USER else None
    text, _ = linked(message.text, message.references, marks)
    thinking = linked(message.thinking, (), marks)[0] if message.thinking else message.thinking
    return ToldMessage(message.role, showable(text), _clean(thinking))


def _clean(text: str | None) -> str | None:
    return None if text is None else showable(text)


def _title(conversation: Conversation, title_fallback: bool) -> str | None:
    title = conversation.title
    if not title_fallback or not is_generic(title):
        return title
    first = next((m.text for m in conversation.messages() if m.role is Role.USER), "")
    return fallback_title(first) or title


def read_files(
    paths: Sequence[Path],
    *,
    site: str | None = None,
    urls: Sequence[str] = (),
    kind: Kind | None = None,
    title_fallback: bool = False,
    progress: Callable[[Path, int, int], None] | None = None,
) -> Iterator[Report]:
    """Every conversation in these files, in order.

    A file without one gives a single report that says so. `urls` is empty, one URL for all
    files, or one for each. `progress` is called with (file, bytes read, bytes in all).
    """
    reader = FileReader(site=site, kind=kind, progress=progress)
    for index, path in enumerate(paths):
        url = urls[index] if len(urls) == len(paths) else next(iter(urls), None)
        for result in reader.read(path, url):
            yield report(result, title_fallback=title_fallback)
