"""A drifted page in a real tab: somebody asks in it, and what the selectors make of it is told.

`predicted` says what the health report must say, from the page as it was before and from the
names that were changed, and from nothing else.
"""

import json
import re
import uuid
from dataclasses import fields

from kit.drift import Drifted
from kit.eyes import Eyes
from kit.lab import Person
from tabwire.browser.observe import Observer
from tabwire.browser.observed import Health, nth
from tabwire.lab.drift import drifted
from tabwire.lab.plan import plan_for
from tabwire.sites.known import SITES

HOMES = {
    "chatgpt": "https://chatgpt.com/",
    "gemini": "https://gemini.google.com/app",
    "grok": "https://grok.com/",
}
LAYOUTS = [
    ("chatgpt", "turn_key"),
    ("chatgpt", "octane"),
    ("chatgpt", "classic"),
    ("gemini", "app"),
    ("grok", "grok.com"),
]
QUICK = "lab: pieces=3 every=0 first=0 chars=12"
NEGATED = re.compile(r":not\([^()]*\)")


class Drifting:
    """One tab in which one layout is opened in one shape after the other."""

    def __init__(self, lab, eyes: Eyes, site: str, layout: str) -> None:
        self.lab = lab
        self.eyes = eyes
        self.site = site
        self.layout = layout
        self.page = SITES[site].page
        self.known = next(one for one in self.page.layouts if one.name == layout)
        self.asked = 0

    @classmethod
    async def open(cls, lab, person: Person, site: str, layout: str) -> "Drifting":
        return cls(lab, await Eyes.open(person), site, layout)

    async def health(self, drift: str) -> Health:
        """Open the page so, ask once, and look at it when the answer is over."""
        chosen = f"?lab=layout:{self.layout},hydrate:0,drift:{drift}"
        await self.eyes.person.goes_to(HOMES[self.site] + chosen)
        prompt = f"Drift {drift} of {self.site} {self.layout} {uuid.uuid4()}\n{QUICK}"
        await self.eyes.ask(prompt)
        self.asked += 1
        await self.eyes.over(self.asked)
        await self.eyes.sees(plan_for(prompt).text)
        assert self.lab.ledger.prompts(self.site).count(prompt) == 1
        bar, stop = (
            drifted(",".join(one.css for one in selectors), self.site, drift, kind=".css")
            for selectors in (self.known.actions, self.known.stop)
        )
        await self.eyes.until(
            f"eyes.all({json.dumps(bar)}).length && !eyes.all({json.dumps(stop)}).length"
        )
        for one in self.known.title:  # the list of chats is read anew when an answer is over
            css = drifted(one.css, self.site, drift, kind=".css")
            await self.eyes.until(f"eyes.all({json.dumps(css)}).length")
        observer = Observer(self.eyes.person.session, self.page, lambda _state: None)
        try:
            return await observer.health(self.layout)
        finally:
            observer.close()

    def predicted(self, before: Health, drift: str) -> set[Drifted]:
        """A selector that names what has a new name finds nothing; any other does as before."""
        said = set()
        for field in fields(self.known):
            part = before.part(field.name)
            if part is None or not part.found:
                continue
            rungs = [
                number
                for number, one in enumerate(part.candidates, 1)
                if one.count > 0 and self._same(one.css, drift)
            ]
            if not rungs:
                said.add(Drifted(part.part, "gone"))
            elif rungs[0] != part.rung:
                how = f"found by its {nth(rungs[0])} selector instead of its {nth(part.rung)}"
                said.add(Drifted(part.part, how))
        return said

    def _same(self, css: str, drift: str) -> bool:
        wanted = NEGATED.sub("", css)
        return drifted(wanted, self.site, drift, kind=".css") == wanted
