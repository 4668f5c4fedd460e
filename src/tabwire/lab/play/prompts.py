"""What the scripted person asks: a prompt of its own for each play, at a pace people can wait for.

The prompt's `lab:` line chooses the story and makes its pauses shorter; the order of things
stays as it is. A story in which the page or a hand has something to do is told more slowly,
so that there is an answer under way to do it to.
"""

import secrets

from tabwire.lab.plan import Plan, plan_for, plan_in_story
from tabwire.lab.stories.script import cues
from tabwire.lab.stories.steps import Pause
from tabwire.lab.stories.story import Story

PAUSE_SECONDS = 2.0  # all pauses of a story together take no longer
QUICK, SLOW = 0.02, 0.08  # seconds between two pieces
OWN_PACE = ("gigantic",)  # kinds of answers that come as fast as they must


def prompt_for(story: Story, site: str) -> str:
    """A question nobody has asked before, with the line that directs its answer."""
    pauses = sum(step.seconds for step in story.script if isinstance(step, Pause))
    told = [f"story={story.name}", "first=0.1"]
    if pauses > PAUSE_SECONDS:
        told.append(f"pace={pauses / PAUSE_SECONDS:g}")
    if story.answer not in OWN_PACE:
        told.append(f"every={SLOW if story.page or story.fate else QUICK}")
    question = f"What is the result of “{story.name}” at {site}, number {secrets.token_hex(4)}?"
    return f"{question}\nlab: {' '.join(told)}"


def planned(prompt: str, story: Story, site: str = "chatgpt") -> Plan:
    """The plan of this prompt's answer, as the lab makes it at a site."""
    return plan_in_story(plan_for(prompt), story, prompt, site)


def seconds_of(plan: Plan, story: Story) -> float:
    """How long the whole story takes, from Send to its last word."""
    told = sum(cue.after for cue in cues(plan, story.script))
    return told + sum(one.seconds * one.times * 2 for one in story.page)
