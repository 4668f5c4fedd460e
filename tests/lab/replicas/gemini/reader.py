"""A person before the lab's Gemini, for the tests of this folder: sees through shadow roots."""

import json
from pathlib import Path

from tabwire.sites.gemini import SITE

(LAYOUT,) = SITE.page.layouts
COMPOSER = LAYOUT.composer[0].css
SEND = LAYOUT.send[0].css
STOP = LAYOUT.stop[0].css
EXCHANGE = LAYOUT.exchange[0].css
QUESTION = LAYOUT.user_message[0].css
TEXT = LAYOUT.text_root[0].css
ACTIONS = LAYOUT.actions[0].css
HOME = SITE.page.home
FAST = "lab: pieces=12 every=0.01 first=0.02"
SLOW = "lab: pieces=1500 every=0.03 first=0.02 think=1"
DEEP = (Path(__file__).parents[2] / "deep.js").read_text()


class Reader:
    """A person before Gemini's page, who sees what is behind shadow roots too."""

    def __init__(self, person):
        self.person = person
        self.session = person.session

    async def sees(self, expression):
        return await self.person.finds(f"until(() => {expression})")

    async def finds(self, css):
        """The words of everything that matches."""
        return await self.person.finds(f"{deep(css)}.map((one) => one.innerText)")

    async def counts(self, css):
        return await self.person.finds(f"{deep(css)}.length")

    async def asks(self, prompt):
        await self.person.writes(COMPOSER, prompt)
        await self.person.presses("Enter")

    async def texts(self):
        return [words(text) for text in await self.finds(TEXT)]

    async def questions(self):
        lines = "[...one.shadowRoot.querySelectorAll('.query-text-line')]"
        every = f"{lines}.map((line) => line.textContent).join('\\n')"
        return await self.person.finds(f"{deep(QUESTION)}.map((one) => {every})")


def deep(css):
    return f"deepAll({json.dumps(css)})"


def over(count=1):
    """An expression: this many answers have their bar, and nothing can be stopped."""
    return f"{deep(ACTIONS)}.length === {count} && !{deep(STOP)}.length"


def words(text):
    """What is said, whatever the page makes of the lines."""
    return " ".join(text.split())
