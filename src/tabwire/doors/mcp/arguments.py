"""What a tool may be given. A field that is not here is refused, with its name.

msgspec structs: the schema a client is shown comes from the check of what it sends. Every sentence
here is read by a model that has to decide with it, in every conversation: each one is short.
"""

from typing import Annotated, Any, Literal

import msgspec
from msgspec import Meta, Struct

SiteName = Literal["chatgpt", "gemini", "grok"]
PerSite = dict[SiteName, str]
StateName = Literal["working", "input_required", "completed", "failed", "cancelled"]

MAX_FILES = 20
MAX_ROWS = 100
NEW, LAST = "new", "last"
BOUNDS = (
    *("minLength", "maxLength", "minItems", "maxItems", "minimum", "maximum"),
    *("propertyNames", "additionalProperties"),
)
"""Of a value: checked when it comes, and not shown."""

Question = Annotated[
    str,
    Meta(
        min_length=1,
        description="The full question: the site cannot see your conversation.",
    ),
]
Files = Annotated[
    tuple[str, ...],
    Meta(
        max_length=MAX_FILES,
        description="Paths of files to attach.",
    ),
]
Conversation = Annotated[
    str, Meta(min_length=1, description='"new" (default), "last", or a conversation_id.')
]
_EACH = 'one, or {"grok": …}'
Conversations = Annotated[
    str | PerSite,
    Meta(description='"new" (default), "last", or {"grok": conversation_id}.'),
]
_MENU = "As named in the site's menu"
Model = Annotated[str, Meta(min_length=1, description=f"{_MENU}.")]
Models = Annotated[str | PerSite, Meta(description=f"{_MENU}; {_EACH}.")]
Effort = Annotated[str, Meta(min_length=1, description=f"{_MENU}.")]
Efforts = Annotated[str | PerSite, Meta(description=f"{_MENU}; {_EACH}.")]
Temporary = Annotated[bool, Meta(description="The site does not save the chat.")]
Wait = Annotated[
    Literal["auto", "none"] | Annotated[float, Meta(ge=0)],
    Meta(description='Seconds, "none", or "auto" (default): as your client allows.'),
]
Debug = Annotated[bool, Meta(description="Also return how it was found.")]
JobId = Annotated[str, Meta(min_length=1, description="From an earlier result.")]
Tab = Annotated[
    str,
    Meta(min_length=1, description="A site's name, the address of a chat there, or a tab's id."),
]
Limit = Annotated[int, Meta(ge=1, le=MAX_ROWS, description="Maximum number of rows.")]


class Arguments(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """Of any tool."""


class AskOne(Arguments, frozen=True):
    """A question to one site."""

    question: Question
    files: Files = ()
    conversation: Conversation = NEW
    model: Model | None = None
    effort: Effort | None = None
    temporary: Temporary = False
    wait: Wait = "auto"
    debug: Debug = False


class AskPair(Arguments, frozen=True):
    """A question to several sites at once."""

    question: Question
    files: Files = ()
    conversation: Conversations = NEW
    model: Models | None = None
    effort: Efforts | None = None
    temporary: Temporary = False
    wait: Wait = "auto"
    debug: Debug = False


class AskAll(AskPair, frozen=True):
    """The same, and to which."""

    sites: Annotated[
        tuple[SiteName, ...],
        Meta(min_length=1, description="Default: all."),
    ] = ("chatgpt", "gemini", "grok")


class GetAnswer(Arguments, frozen=True):
    """A job to wait for."""

    job_id: JobId
    wait: Wait = "auto"
    debug: Debug = False


class ListJobs(Arguments, frozen=True):
    """Which jobs to list."""

    limit: Limit = 10
    state: Annotated[StateName, Meta(description="Only jobs in this state.")] | None = None
    site: Annotated[SiteName, Meta(description="Only this site.")] | None = None
    mine: Annotated[bool, Meta(description="Only your own questions.")] = False
    before: Annotated[str, Meta(description="The last job_id seen: jobs before it.")] | None = None


class StopGeneration(Arguments, frozen=True):
    """A job to stop."""

    job_id: JobId


class TakeSnapshot(Arguments, frozen=True):
    """A page to look at."""

    tab: Tab
    text: Annotated[bool, Meta(description="Also save the page's text.")] = False


class GetPageDom(Arguments, frozen=True):
    """What to look for on a page."""

    tab: Tab
    selector: Annotated[str, Meta(min_length=1, description="A CSS selector.")]
    limit: Limit = 20
    html: Annotated[bool, Meta(description="Also return their HTML.")] = False


class SearchHistory(Arguments, frozen=True):
    """What to look for in old questions and answers."""

    query: Annotated[str, Meta(min_length=1, description="Words in the question or the answer.")]
    site: Annotated[SiteName, Meta(description="Only this site.")] | None = None
    limit: Limit = 20


class StopAutopilot(Arguments, frozen=True):
    """Why, in a few words, for the person."""

    why: Annotated[str, msgspec.Meta(max_length=500, description="Shown to the person.")] = ""


class Status(Arguments, frozen=True):
    """Nothing."""


def read_arguments(kind: type[Arguments], said: dict[str, Any] | None) -> Arguments:
    """What was said, checked. Raises `msgspec.ValidationError`, which names the field.

    Models write `null` for what they leave out, and numbers as text. Both are clear enough.
    """
    given = {name: value for name, value in (said or {}).items() if value is not None}
    wait = given.get("wait")
    if isinstance(wait, str) and wait.replace(".", "", 1).isdigit():
        given["wait"] = float(wait)
    return msgspec.convert(given, kind)


def schema_of(kind: type[Arguments]) -> dict[str, Any]:
    """As a client is shown it: one object, nothing to look up elsewhere, and short. What a value
    must be besides is checked when it comes, and said then."""
    (_,), parts = msgspec.json.schema_components((kind,))
    schema: dict[str, Any] = parts[kind.__name__]
    del schema["title"]
    schema.pop("description", None)  # of the struct; the tool has its own
    if not schema["required"]:
        del schema["required"]
    for one in schema["properties"].values():
        _without_null(one)
        one.pop("default", None)  # its description says it, where it matters
        for choice in (one, one.get("items", {}), *one.get("anyOf", ())):
            for bound in BOUNDS:
                choice.pop(bound, None)
            if "enum" in choice:
                choice["type"] = "string"  # some clients want it said
    return schema


def _without_null(one: dict[str, Any]) -> None:
    """A field may be left out; that it may be null as well helps nobody and confuses some."""
    choices = [each for each in one.get("anyOf", ()) if each != {"type": "null"}]
    if len(choices) == 1:
        del one["anyOf"]
        one.update(choices[0])
    elif choices:
        one["anyOf"] = choices
