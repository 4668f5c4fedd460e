"""What helps to find the cause when something is odd: the debug fields, and a redacted bundle.

The fields are those of seed 001, section 9.5, and where the text of an answer was looked for
(12.1: "extraction attempts"). A bundle holds how our selectors fare and what happened, never what
was asked or answered.
"""

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import replace
from urllib.parse import urlsplit

from tabwire.asking.context import Given
from tabwire.asking.ear import Ear
from tabwire.asking.tab import Place
from tabwire.browser.observe import Observer
from tabwire.browser.page.page import Page
from tabwire.fusion.findings import NOT_PROVEN
from tabwire.fusion.verdict import Try
from tabwire.model.ask import Answer
from tabwire.model.errors import TabwireError
from tabwire.model.signals import Source
from tabwire.sites.site import Site

NOT_ENDED = "its end did not arrive"
NOT_FOUND = "it was not found"

SUSPICIOUS = "suspicious_answer"
"""How the bundle of an answer is named that a person should look at twice."""

_FIELDS = (
    "debug_assistantMsgsCount",
    "debug_chatgptArticlesCount",
    "debug_markdownsInLast",
    "debug_lastAssistantInnerTextLen",
    "debug_bodySnippet",
    "debug_bodyLen",
    "debug_pageUrl",
    "debug_pageTitle",
)


async def debug_fields(page: Page) -> dict[str, object]:
    """The fields of seed 001, as the page has them now."""
    told = await page.evaluate("debug.fields", None)
    return {name: told[name] for name in _FIELDS}


def extraction(ear: Ear, heard: int = 0) -> list[dict[str, object]]:
    """Where the text of an answer was looked for: source, length, and why it was not taken.
    `heard`: characters that came so far, where nothing is judged yet."""
    verdict, state = ear.verdict, ear.state
    shown = state.text_length if state is not None else 0
    tries = (
        verdict.tries
        if verdict is not None
        else (Try(Source.STREAM, heard, NOT_ENDED), Try(Source.PAGE, shown, NOT_ENDED))
    )
    return [
        {"source": str(one.source), "length": one.length, "rejected": one.rejected or None}
        for one in tries
    ]


async def kept(given: Given, facts: dict[str, object]) -> dict[str, object]:
    """Where a bundle is. A disk that takes none of it costs nobody an answer."""
    try:
        return {"bundle": await given.anomaly(facts)}
    except (OSError, TabwireError) as exc:
        return {"bundle_not_kept": str(exc)}


async def explained(
    answer: Answer, given: Given, *, debug: bool, heard: int, stored: int | None
) -> Answer:
    """An answer that was found without its page, with what helps to find a cause. `heard` and
    `stored`: characters that came while it was asked, and that the site has stored, if it has."""
    texts = ((Source.STREAM, heard, NOT_PROVEN), (Source.CANONICAL, stored or 0, NOT_FOUND))
    tries: list[dict[str, object]] = [
        {"source": str(source), "length": length, "rejected": rejected}
        if answer.text_from != source
        else {"source": str(source), "length": length, "rejected": None}
        for source, length, rejected in texts
    ]
    known: dict[str, object] = {"extraction": tries} if debug else {}
    if answer.suspicious:
        facts: dict[str, object] = {
            "site": answer.site,
            "error": SUSPICIOUS,
            "reasons": list(answer.suspicious),
            "extraction": tries,
        }
        known |= await kept(given, facts)
    return replace(answer, debug=known or None)


async def bundle(
    place: Place, site: Site, code: str, reasons: Sequence[str] = (), *, heard: int = 0
) -> dict[str, object]:
    """What happened and how our selectors fare, without a word of what was said. `reasons`: our
    own words for what is odd."""
    observer = Observer(place.tab.session, site.page, lambda _state: None)
    facts: dict[str, object] = {
        "site": site.name,
        "error": code,
        "reasons": list(reasons),
        "extraction": extraction(place.ear, heard),
        "host": _host(place.tab.url),
    }
    with suppress(TabwireError):
        health = await observer.health()
        facts["layout"] = health.layout
        facts["parts"] = {
            part.part: [{"css": one.css, "count": one.count} for one in part.candidates]
            for part in health.parts
        }
    state = place.ear.state
    if state is not None:
        facts["page"] = {
            name: getattr(state, name)
            for name in (
                "generating",
                "exchanges",
                "answers",
                "text_length",
                "actions",
                "thinking",
                "composer",
                "composer_empty",
                "send",
                "logged_in",
            )
        }
        facts["notices"] = [[str(one.kind), one.which] for one in state.notices]
    facts["requests_since_send"] = place.ear.carriers
    facts["times_left"] = place.ear.times_left
    return facts


def _host(url: str) -> str:
    """Which site, and not which conversation."""
    return urlsplit(url).hostname or ""  # not `netloc`: a password may stand in it
