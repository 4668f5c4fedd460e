"""What the providers' terms say of tools like this one: said once per home and site, not asked.

A site's sentence is said at its first use, by the door that uses it. Which were said stands in the
home. The lab is nobody's site: nothing is said there.
"""

import logging
import os
from collections.abc import Iterable, Mapping
from pathlib import Path

from tabwire.browser.choose import Lab
from tabwire.config.home import home, made
from tabwire.config.settings import settings
from tabwire.model.errors import TabwireError
from tabwire.sites.known import SITES, site_of_url

logger = logging.getLogger(__name__)

SENTENCES = {
    "chatgpt": (
        "OpenAI's terms forbid extracting data or output of ChatGPT automatically: if you use it "
        "through Tabwire you may lose your account, and the choice is yours."
    ),
    "gemini": (
        "Google's terms restrict automated access to its services, and so to Gemini: if you use "
        "it through Tabwire you may lose your account, and the choice is yours."
    ),
    "grok": (
        "xAI's terms forbid scraping the inputs and outputs of Grok: if you use it "
        "through Tabwire you may lose your account, and the choice is yours."
    ),
}
"""One plain sentence for each site. A changed sentence is said again."""

FOLDER = "terms"


def first_words(
    sites: Iterable[str],
    *,
    browser: str | None = None,
    environment: Mapping[str, str] = os.environ,
) -> tuple[str, ...]:
    """The sentences that were never said in this home, of these sites or addresses; now they are.

    Never in the way: where the home or the settings cannot be read, what comes next says so.
    """
    from tabwire.hub.browsers.access import chosen  # the doors are there before it is

    try:
        if isinstance(chosen(browser, settings(environment)), Lab):
            return ()
        return tuple(SENTENCES[site] for site in _named(sites) if _first(site, environment))
    except (TabwireError, OSError) as exc:
        logger.info("the providers' terms could not be shown: %s", exc)
        return ()


def _named(sites: Iterable[str]) -> list[str]:
    """Names of sites; an address stands for its site, and what is neither for none."""
    found = [site if site in SITES else getattr(site_of_url(site), "name", "") for site in sites]
    return [name for name in dict.fromkeys(found) if name in SENTENCES]


def _first(site: str, environment: Mapping[str, str]) -> bool:
    """Whether this is the first time. Of two at once one is."""
    path = made(home(environment), FOLDER) / f"{site}.txt"
    said = f"{SENTENCES[site]}\n"
    if _read(path) == said:
        return False
    path.unlink(missing_ok=True)  # of another sentence
    try:
        with path.open("x", encoding="utf-8") as file:
            file.write(said)
    except FileExistsError:
        return False
    return True


def _read(path: Path) -> str | None:
    try:
        return path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError):
        return None
