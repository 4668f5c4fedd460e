"""A person before one of ChatGPT's layouts: where things stand in each, and asking to the end.

By the replica's own marks, not by Tabwire's selectors: what Tabwire makes of the pages is asked
in `test_observed.py`.
"""

import json
from dataclasses import dataclass
from urllib.parse import urlencode

from kit.lab import Person
from tabwire.lab.plan import plan_for

HOME = "https://chatgpt.com/"
WELCOME = "6890a1b2-0000-4000-8000-00000000c0de"
QUICK = "lab: pieces=20 every=0.005 first=0 chars=9"
STEADY = "lab: pieces=40 every=0.03 first=0.05 chars=9"
ENDLESS = "lab: pieces=1000 every=0.05 first=0 chars=9"


@dataclass(frozen=True, slots=True)
class Look:
    """The places of one layout."""

    name: str
    composer: str
    send: str
    stop: str
    question: str
    root: str  # of the answer's words
    bar: str  # there when the newest answer is over


TURN_KEY = Look(
    "turn_key",
    "form[data-chatgpt-composer] [data-composer-markdown]",
    'form[data-chatgpt-composer] button[type="submit"]',
    "form[data-chatgpt-composer] .control button.round:not([type=submit])",
    "[data-user-message-bubble]",
    "[data-markdown-text-style]",
    "[data-turn-key]:last-of-type .turn-action-controls [aria-haspopup]",
)
OCTANE = Look(
    "octane",
    "#mobile-composer-prompt",
    'button[data-composer-submit][type="submit"][aria-disabled="false"]',
    "button[data-composer-submit][data-stop-generating]",
    "[data-user-message-copy]",
    "[data-assistant-stream-block]",
    "li[data-message-complete]:last-of-type [data-assistant-message-actions]",
)
CLASSIC = Look(
    "classic",
    "div#prompt-textarea",
    '[data-testid="send-button"]',
    '[data-testid="stop-button"]',
    '[data-message-author-role="user"]',
    '[data-message-author-role="assistant"] .markdown',
    'section:last-of-type [data-testid="good-response-turn-action-button"]',
)
LOOKS = {look.name: look for look in (TURN_KEY, OCTANE, CLASSIC)}


def address(look=TURN_KEY, path="", **stage):
    """Where a layout is, on a stage."""
    words = ",".join(f"{name}:{said}" for name, said in {"layout": look.name, **stage}.items())
    return f"{HOME}{path}{'&' if '?' in path else '?'}{urlencode({'lab': words}, safe=':,')}"


def there(css):
    """An expression: the first element."""
    return f"document.querySelector({json.dumps(css)})"


def words_of(css):
    """An expression: the words of the newest element, paragraph by paragraph."""
    return (
        f"[...([...document.querySelectorAll({json.dumps(css)})].at(-1)?.children ?? [])]"
        ".map((part) => part.textContent).join('\\n\\n')"
    )


async def begins(person: Person, look: Look, prompt: str) -> None:
    """Write, wait until it can be sent, send."""
    await person.writes(look.composer, prompt)
    await person.sees(there(look.send))
    await person.presses("Enter")


async def is_over(person: Person, look: Look) -> None:
    """Wait until the newest answer is over."""
    await person.sees(f"{there(look.bar)} && !{there(look.stop)}")


async def asks(person: Person, look: Look, prompt: str) -> str:
    """Ask to the end; what the page shows then."""
    await begins(person, look, prompt)
    await is_over(person, look)
    return await person.finds(words_of(look.root))


def planned(prompt: str) -> str:
    """The answer to a prompt that tells of nothing but paragraphs."""
    return plan_for(prompt).text


def chat_of(lab, prompt):
    """The stored chat of a prompt that was asked once."""
    (entry,) = [one for one in lab.ledger.asked("chatgpt") if one.prompt == prompt]
    return lab.room.chat("chatgpt", entry.conversation_id)


def deeds(lab, prompt):
    """What was done in the chat of a prompt, in order."""
    named = [one.conversation_id for one in lab.ledger.asked("chatgpt") if one.prompt == prompt][-1]
    return [str(one.kind) for one in lab.ledger.entries if one.conversation_id == named]
