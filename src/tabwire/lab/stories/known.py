"""All stories by name."""

from collections.abc import Mapping

from tabwire.lab.stories.answers import ANSWERS
from tabwire.lab.stories.fates import FATES
from tabwire.lab.stories.pages import PAGES
from tabwire.lab.stories.story import Story

PLAIN = Story("plain", "The site answers normally.")

STORIES: Mapping[str, Story] = {one.name: one for one in (PLAIN, *ANSWERS, *PAGES, *FATES)}


def story_named(name: str) -> Story | None:
    """The story of this name, or None."""
    return STORIES.get(name)
