"""`tabwire lab play`: one lab, one browser, one story after the other, told as it happens."""

import asyncio
import json
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from rich.console import Console
from rich.text import Text

from tabwire.browser.find import find_browser, this_machine
from tabwire.browser.launch import Launch, launched
from tabwire.hub.browsers.sightings import as_data
from tabwire.lab.listing import harmless
from tabwire.lab.play.play import play
from tabwire.lab.play.played import Played, told_text
from tabwire.lab.serve import serving
from tabwire.lab.stories.story import Outcome, Story
from tabwire.monitor import sightings as told
from tabwire.monitor.sightings import Sighting

MAX_FLOW = 2_000  # characters of an answer that are shown as they come


@dataclass(frozen=True, slots=True)
class Wish:
    """What to play: each story at each of its sites."""

    plays: Sequence[tuple[Story, str]]
    stage: str = ""
    headless: bool = True
    as_json: bool = False


def run(wish: Wish, console: Console) -> bool:
    """Play it all on a loop of its own; whether everything came out as promised."""
    return asyncio.run(_run(wish, console))


async def _run(wish: Wish, console: Console) -> bool:
    machine = this_machine()
    found = find_browser(machine)
    headless = wish.headless or not machine.has_display
    good = True
    async with serving() as lab:
        launch = Launch(found, headless=headless, more_flags=lab.flags)
        async with launched(launch) as browser:
            for story, site in wish.plays:
                teller = (JsonLines if wish.as_json else Lines)(console, story, site)
                url = browser.endpoint.url
                teller.end(await play(url, lab, story, site, stage=wish.stage, tell=teller.tell))
                good = good and teller.good
    if not wish.as_json and len(wish.plays) > 1:
        console.print("Everything is as expected." if good else "Not everything is as expected.")
    return good


class Lines:
    """Lines for a person: what happens, and the text as it grows."""

    def __init__(self, console: Console, story: Story, site: str) -> None:
        self.good = False
        self._console = console
        self._began: float | None = None
        self._flowing: str | None = None
        self._flowed = 0
        self._say("bold", f"{story.name} at {site}: {story.about}")

    def tell(self, sighting: Sighting) -> None:
        """One thing has happened."""
        if self._began is None:
            self._began = sighting.at
        if isinstance(sighting, told.Grew):
            self._flow(sighting.text, "dim italic" if sighting.thinking else "")
        elif (line := line_of(sighting)) is not None:
            self._say("", f"{sighting.at - self._began:8.3f} s  {' '.join(line.split())}")

    def end(self, played: Played) -> None:
        """It is over."""
        self.good = played.as_promised
        if played.hindered and self.good:
            self._say("", f"the scripted person could not ask: {played.hindered}")
        self._say("green" if self.good else "bold red", summary(played))

    def _flow(self, text: str, style: str) -> None:
        if self._flowing != style:
            self._end_flow()
        self._flowing = style
        shown = text[: max(0, MAX_FLOW - self._flowed)]
        self._flowed += len(text)
        self._console.print(Text(harmless(shown), style=style), end="", soft_wrap=True)
        if shown != text and self._flowed - len(text) <= MAX_FLOW:
            self._console.print(" …", end="")

    def _end_flow(self) -> None:
        if self._flowing is not None:
            self._flowing = None
            self._console.print()

    def _say(self, style: str, words: str) -> None:
        self._end_flow()
        self._console.print(Text(harmless(words), style=style), soft_wrap=True)


def line_of(sighting: Sighting) -> str | None:
    """A sighting in words; None where there is nothing to tell of it."""
    match sighting:
        case told.Watching(layout=layout):
            return f"watching ({layout})"
        case told.Asked(prompt=prompt):
            return f"asked: {prompt or ''}"
        case told.StateMoved(after=after, cause=cause):
            return f"{after} ({cause})"
        case told.Judged(verdict=verdict):
            evidence = ", ".join(verdict.evidence)
            return f"verdict: {verdict.judgement} ({verdict.why}); evidence: {evidence}"
        case told.Witnessed(evidence=evidence):
            return f"one more witness: {evidence[-1]}"
        case told.Befell(words=words):
            return words
        case told.PageNotice(kind=kind, text=text, which=which):
            return f"the page shows a {kind} notice: {text or which}"
        case told.Waiting(why=why):
            return f"still waiting: {why}"
        case told.Unheard(why=why):
            return f"not heard: {why}"
        case told.Moved(url=url):
            return f"now at {url}"
    return None


class JsonLines:
    """One JSON object per line for a program: each sighting, then what came of it."""

    def __init__(self, console: Console, story: Story, site: str) -> None:
        self.good = False
        self._say: Callable[[dict[str, object]], None] = lambda said: print(
            json.dumps({"story": story.name, "site": site, **said}, ensure_ascii=False), flush=True
        )
        self._began: float | None = None
        del console

    def tell(self, sighting: Sighting) -> None:
        """One thing has happened."""
        if self._began is None:
            self._began = sighting.at
        self._say(as_data(sighting, self._began))

    def end(self, played: Played) -> None:
        """It is over."""
        self.good = played.as_promised
        self._say({"event": "played", **played_data(played)})


def played_data(played: Played) -> dict[str, object]:
    """What came of a play, for JSON."""
    verdict = played.verdict
    return {
        "outcome": str(played.outcome),
        "promised": str(played.story.outcome),
        "as_promised": played.as_promised,
        "why": played.why,
        "hindered": played.hindered,
        "text_is_the_labs": verdict is not None and verdict.text == played.expected_text,
        "characters": len(verdict.text) if verdict is not None else 0,
        "ledger": dict(Counter(str(entry.kind) for entry in played.entries)),
        "seconds": round(played.seconds, 3),
    }


def summary(played: Played) -> str:
    """What came of a play, in one line."""
    head = f"{played.story.name} at {played.site}: "
    ledger = ", ".join(
        f"{count} {kind}{'s' if count > 1 else ''}"
        for kind, count in Counter(str(entry.kind) for entry in played.entries).items()
    )
    tail = f"; in the ledger: {ledger or 'nothing'}; {played.seconds:.1f} s"
    if not played.as_promised:
        return f"{head}NOT as promised: {played.why}{tail}"
    outcome = "no verdict" if played.outcome is Outcome.NOTHING else str(played.outcome)
    return f"{head}{outcome}, as promised; {_text(played)}{tail}"


def _text(played: Played) -> str:
    text = played.verdict.text if played.verdict is not None else told_text(played.sightings)
    if not text:
        return "no text"
    if text == played.expected_text:
        return f"the lab's own text, {len(text)} characters"
    return f"{len(text)} of the lab's {len(played.expected_text)} characters"
