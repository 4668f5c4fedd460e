"""What a tool may be given. A field that is not here is refused, with its name.

msgspec structs: the schema a client is shown and the check of what it sends are one thing. Every
sentence here is read by a model that has to decide with it.
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

Question = Annotated[
    str,
    Meta(
        min_length=1,
        description="The whole question as the site shall read it. It knows nothing of your "
        "conversation, so say everything it needs.",
    ),
]
Files = Annotated[
    tuple[str, ...],
    Meta(
        max_length=MAX_FILES,
        description="Paths of files to attach, from the client's folder or one the person "
        "allowed. Relative paths are below the client's folder.",
    ),
]
_CONVERSATION = (
    'Where to ask: "new" (the default) is a new chat that knows nothing; "last" goes on in the '
    "chat you last used at this site"
)
Conversation = Annotated[
    str,
    Meta(
        min_length=1,
        description=f"{_CONVERSATION}; a conversation_id from an earlier result goes on in that "
        "chat.",
    ),
]
Conversations = Annotated[
    str | PerSite,
    Meta(
        description=f'{_CONVERSATION}. For single chats say {{"chatgpt": "<conversation_id>"}}; '
        "sites not named get a new one."
    ),
]
_MODEL = "The model by the name the site's menu shows. Left out: what the site has chosen."
_EFFORT = "How much the model shall think, by the name the site's menu shows."
Model = Annotated[str, Meta(min_length=1, description=_MODEL)]
Models = Annotated[str | PerSite, Meta(description=f"{_MODEL} One for all, or one per site.")]
Effort = Annotated[str, Meta(min_length=1, description=_EFFORT)]
Efforts = Annotated[str | PerSite, Meta(description=f"{_EFFORT} One for all, or one per site.")]
Temporary = Annotated[
    bool, Meta(description="Ask in a temporary chat, which the site does not keep.")
]
Wait = Annotated[
    Literal["auto", "none"] | Annotated[float, Meta(ge=0)],
    Meta(
        description='How long to wait for the answer: "auto" (the default) as long as your '
        'client allows, a number of seconds, or "none". Whatever you say, the question is asked '
        "once and the answer is kept for get_answer."
    ),
]
Debug = Annotated[
    bool, Meta(description="Also tell how the answer was found: witnesses, attempts, timings.")
]
JobId = Annotated[str, Meta(min_length=1, description="The job_id of an earlier result.")]
Tab = Annotated[
    str,
    Meta(
        min_length=1,
        description="Which tab: chatgpt, gemini or grok, the address of a chat there, or the id "
        "of a tab. Only tabs on these sites can be looked at.",
    ),
]
Limit = Annotated[int, Meta(ge=1, le=MAX_ROWS, description="How many at most.")]


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
        Meta(min_length=1, description="Which sites to ask. Left out: all of them."),
    ] = ("chatgpt", "gemini", "grok")


class GetAnswer(Arguments, frozen=True):
    """A job to wait for."""

    job_id: JobId
    wait: Wait = "auto"


class ListJobs(Arguments, frozen=True):
    """Which jobs to list."""

    limit: Limit = 20
    state: Annotated[StateName, Meta(description="Only jobs in this state.")] | None = None
    site: Annotated[SiteName, Meta(description="Only jobs of this site.")] | None = None
    mine: Annotated[bool, Meta(description="Only what you asked yourself.")] = False
    before: (
        Annotated[str, Meta(description="The job_id of the last one seen: those before it.")] | None
    ) = None


class StopGeneration(Arguments, frozen=True):
    """A job to stop."""

    job_id: JobId


class TakeSnapshot(Arguments, frozen=True):
    """A page to look at."""

    tab: Tab
    text: Annotated[bool, Meta(description="Also keep the whole text of the page.")] = False


class GetPageDom(Arguments, frozen=True):
    """What to look for on a page."""

    tab: Tab
    selector: Annotated[str, Meta(min_length=1, description="A CSS selector.")]
    limit: Limit = 20
    html: Annotated[bool, Meta(description="Also give the HTML of each element.")] = False


class SearchHistory(Arguments, frozen=True):
    """What to look for in old questions and answers."""

    query: Annotated[
        str, Meta(min_length=1, description="Words that stand in the question or the answer.")
    ]
    site: Annotated[SiteName, Meta(description="Only of this site.")] | None = None
    limit: Limit = 20


class StopAutopilot(Arguments, frozen=True):
    """Why, in a few words, for the person."""

    why: Annotated[str, msgspec.Meta(max_length=500, description="told to the person")] = ""


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
    """As a client is shown it: one object, nothing to look up elsewhere."""
    (_,), parts = msgspec.json.schema_components((kind,))
    schema: dict[str, Any] = parts[kind.__name__]
    del schema["title"]
    schema.pop("description", None)  # of the struct; the tool has its own
    for one in schema["properties"].values():
        _without_null(one)
        for choice in (one, one.get("items", {}), *one.get("anyOf", ())):
            if "enum" in choice:
                choice["type"] = "string"  # some clients want it said
    return schema


def _without_null(one: dict[str, Any]) -> None:
    """A field may be left out; that it may be null as well helps nobody and confuses some."""
    if one.get("default", ...) is None:
        del one["default"]
    choices = [each for each in one.get("anyOf", ()) if each != {"type": "null"}]
    if len(choices) == 1:
        del one["anyOf"]
        one.update(choices[0])
    elif choices:
        one["anyOf"] = choices
