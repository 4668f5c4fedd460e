"""What helps to find the cause when something is odd: the debug fields, and a redacted bundle.

The fields are those of seed 001, section 9.5. A bundle holds how our selectors fare and what
happened, never what was asked or answered.
"""

from contextlib import suppress
from urllib.parse import urlsplit

from tabwire.ask.place import Place
from tabwire.browser.observe import Observer
from tabwire.browser.page import Page
from tabwire.model.ask_errors import AskError
from tabwire.model.errors import TabwireError
from tabwire.sites.site import Site

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


async def bundle(place: Place, site: Site, error: AskError) -> dict[str, object]:
    """What happened and how our selectors fare, without a word of what was said."""
    observer = Observer(place.tab.session, site.page, lambda _state: None)
    facts: dict[str, object] = {
        "site": site.name,
        "error": error.code,
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
    return urlsplit(url).netloc
