"""In which shape a page is served: layout, language, state of its account, obstacles, drift.

A tab chooses with its address, `?lab=layout:octane,lang:ja,story:overlay`; the pages keep that
part of the address when they change it, so it survives reloads. `stage_of` reads it from a
page's request, or from the page that a request comes from (`referer`).
"""

from collections.abc import Mapping
from dataclasses import dataclass, fields, replace
from typing import Any
from urllib.parse import parse_qs, urlsplit

import msgspec

LANGUAGES = ("en", "ja", "de", "fr", "ar", "zh")
GRADES = ("none", "cosmetic", "structural", "breaking")
LOGINS = (
    "in",
    "out",  # a guest: the page works without an account, where the site allows that
    "wall",  # nothing but a request to log in
    "pinned",  # logged in, and a Log-in button stands there all the same
    "expired",  # the page looks logged in, and its requests are answered with 401
)
OVERLAYS = ("", "cookies", "upsell", "update")
DIALOGS = (
    "",
    "load",  # an alert as soon as the page is alive
    "type",  # a question at the first letter that is typed
    "leave",  # a question before the page is left
)
CHOICES: dict[str, tuple[str, ...]] = {
    "lang": LANGUAGES,
    "login": LOGINS,
    "overlay": OVERLAYS,
    "dialog": DIALOGS,
    "draw": ("task", "frame"),
    "reads": ("always", "seen"),
}


@dataclass(frozen=True, slots=True)
class Stage:
    """Everything a page needs to know of the lab before it is drawn. Seconds are seconds."""

    story: str = ""
    layout: str = ""  # of the sites that have several: "" is the newest
    lang: str = "en"
    login: str = "in"
    no_temporary: bool = False  # the page knows no chat that is not kept, whatever one asks for
    overlay: str = ""  # what covers the page
    dialog: str = ""  # when the page's script shows a dialog of the browser
    down: bool = False  # the document cannot be had: the browser shows an error page
    challenge: bool = False  # a page that asks whether one is human, instead of the site
    challenge_script: bool = False  # of ChatGPT: what asks that is loaded, and asks nothing
    drift: str = "none"  # GRADE or GRADE.SEED
    hydrate: float = 0.03  # until the page comes alive; before that it shows its server's HTML
    swallow: int = 0  # so many clicks on Send do nothing
    slow_send: float = 0.0  # Send stays usable for so long after a click: two clicks send twice
    late_address: float = 0.0  # until a new chat's address is shown
    transient_address: bool = False  # meanwhile an address that is none stands there
    late_message: float = 0.0  # until the person's own message is drawn
    past: int = 0  # earlier turns in the chat that is opened, or the long chat's own number
    aloud: bool = False  # a read-aloud control that says "Stop" is in sight
    stuck: int = 0  # of Gemini: Stop stands though nothing comes, for so many loads of the page
    idle: float = 60.0  # of ChatGPT: so long a stream may be silent before the page gives it up
    deaf: bool = False  # of ChatGPT: the page does not follow an answer that is handed off
    misdrawn: bool = False  # one paragraph of an answer is shown in other words than came
    draw: str = "task"  # `frame`: only when the tab is seen, as some frameworks draw
    reads: str = "always"  # `seen`: what is stored is loaded only while the tab is in front
    upload_seconds: float = 0.3
    upload_fails: bool = False
    tier_exhausted: bool = False  # a row of the model picker is switched off, with a notice
    endpoint: str = ""  # another address for the answering request, as after a rebuild


DEFAULT = Stage()
_NAMES = {field.name: field for field in fields(Stage)}


class BadStage(ValueError):
    """What stands after `lab=` makes no sense; the words say which part."""


def stage_from(told: str, base: Stage = DEFAULT) -> Stage:
    """Read `name:value,name:value` over a base. A bare name switches it on."""
    wanted: dict[str, Any] = {}
    for word in filter(None, told.split(",")):
        name, _, said = word.partition(":")
        name = name.strip().replace("-", "_")
        if name not in _NAMES:
            raise BadStage(
                f"unknown lab option {name!r}; the options are {', '.join(sorted(_NAMES))}"
            )
        wanted[name] = _value(name, said.strip())
    return replace(base, **wanted)


def staged(base: Stage, wishes: Mapping[str, Any]) -> Stage:
    """A base with a story's wishes where nobody chose otherwise."""
    free = {k: v for k, v in wishes.items() if getattr(base, k) == getattr(DEFAULT, k)}
    return replace(base, **free)


def lab_words(url: str) -> str:
    """What the address of a page says to the lab."""
    return ",".join(parse_qs(urlsplit(url).query).get("lab", ()))


def as_json(stage: Stage) -> str:
    """For the page's own scripts."""
    return msgspec.json.encode(stage).decode()


def _value(name: str, said: str) -> Any:
    kind = type(getattr(DEFAULT, name))
    if name in CHOICES and said not in CHOICES[name]:
        raise BadStage(
            f"{name} must be one of {', '.join(filter(None, CHOICES[name]))}, not {said!r}"
        )
    if name == "drift" and said.partition(".")[0] not in GRADES:
        raise BadStage(f"drift must be one of {', '.join(GRADES)}, followed by .SEED, not {said!r}")
    try:
        if kind is bool:
            return {"": True, "on": True, "1": True, "off": False, "0": False}[said]
        value = kind(said)
    except (KeyError, ValueError) as exc:
        raise BadStage(f"invalid value for {name}: {said!r}") from exc
    if kind in (int, float) and not 0 <= value <= 86_400:
        raise BadStage(f"{name} must be between 0 and 86400, not {said}")
    return value
