"""A person before the lab's Grok: what to look for, whatever the page's language."""

import json
from typing import Any

from kit.lab import Person

HOME = "https://grok.com/"
COMPOSER = ".query-bar .tiptap.ProseMirror[contenteditable='true']"
SUBMIT = ".query-bar button[type='submit']"
STOP = ".query-bar .stop"
QUESTION = "[data-testid='user-message']"
ANSWER = "[data-testid='assistant-message']"
TEXT = f"{ANSWER} .response-content-markdown"
BAR = f"{ANSWER} ~ .action-buttons"
FAST = "lab: pieces=24 chars=10 every=0.005 first=0.01 pace=2000"
SLOW = "lab: pieces=4000 every=0.02 first=0.02 think=1"


def at(stage: str, path: str = "") -> str:
    """The page on a stage."""
    return f"{HOME}{path}?lab={stage}"


def one(css: str) -> str:
    """An expression: the first element."""
    return f"document.querySelector({json.dumps(css)})"


def all_of(css: str) -> str:
    """An expression: every element, as a list."""
    return f"[...document.querySelectorAll({json.dumps(css)})]"


def over(count: int = 1) -> str:
    """An expression: this many answers have their bar, and nothing can be stopped."""
    return f"{all_of(BAR)}.length === {count} && !{one(STOP)}"


async def asked(person: Person, prompt: str) -> None:
    """Write a question and press Enter."""
    await person.writes(COMPOSER, prompt)
    await person.presses("Enter")


async def texts(person: Person) -> list[str]:
    """The answers as they are shown, word by word."""
    shown: list[str] = await person.finds(f"{all_of(TEXT)}.map((one) => one.innerText)")
    return [words(text) for text in shown]


def words(text: str) -> str:
    """What is said, whatever the page makes of the lines."""
    return " ".join(text.split())


def entry_of(lab: Any, prompt: str) -> Any:
    """What the ledger has of a prompt that was sent once."""
    (found,) = [entry for entry in lab.ledger.asked("grok") if entry.prompt == prompt]
    return found


# What the page itself does in the middle of an answer: noted as it happens.
NOTE = """(() => {
  window.seen = [];
  const look = () => {
    const now = (EXPRESSION);
    if (now !== seen.at(-1)) seen.push(now);
  };
  new MutationObserver(look).observe(document, {
    subtree: true, childList: true, attributes: true, characterData: true });
})()"""


async def noted(person: Person, prompt: str, expression: str) -> list[Any]:
    """What an expression was, change by change, while an answer came."""
    await person.sees(one(COMPOSER))
    await person.finds(NOTE.replace("EXPRESSION", expression))
    await asked(person, prompt)
    await person.sees(over())
    seen: list[Any] = await person.finds("seen")
    return seen
