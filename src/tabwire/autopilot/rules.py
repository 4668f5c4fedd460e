"""Which control of a card may be clicked, as data.

A card's kind says which switch it belongs to and which controls let it go on, best first. A
control counts only for what its whole label says, keys beside it taken off; nothing is guessed
from a part of a label. What stays (always, for this conversation, everywhere) is never chosen.
"""

import re
import unicodedata
from dataclasses import dataclass
from enum import StrEnum

from tabwire.autopilot.paths import edited
from tabwire.model.agent import Card, Control
from tabwire.model.autopilot import Switch, Switches
from tabwire.sites.antigravity.page import APPROVALS, LABELS, may_be_limit


@dataclass(frozen=True, slots=True)
class Rule:
    """How cards of one kind are answered. `yes` and `no` are what controls mean, best first."""

    switch: Switch
    yes: tuple[str, ...]
    no: tuple[str, ...] = ()


_NO = ("reject", "skip", "cancel")

RULES: dict[str, Rule] = {
    "command": Rule(Switch.COMMANDS, ("run", "execute", "accept", "confirm", "apply"), _NO),
    "permission": Rule(Switch.PERMISSIONS, ("allow_once", "allow"), _NO),
    "accept": Rule(Switch.EDITS, ("accept", "apply", "confirm"), _NO),
    "files": Rule(Switch.EDITS, ("accept_all",), ("reject_all",)),
    "plan": Rule(Switch.PLANS, ("proceed", "continue")),
    "error": Rule(Switch.RETRIES, ("retry",), ("dismiss",)),
    "continue": Rule(Switch.RETRIES, ("continue",)),
}

ASKING = APPROVALS | {"error"}
"""Kinds a person is told of. Nobody need answer a bar of changes or a limit."""

PRESSED = frozenset({"button", "div", "span", "a"})
"""What a button may be. Options, radios, labels, menu items and list boxes choose, not go on."""

NEVER = re.compile(
    r"\b(?:always|conversation|chat|workspace|globa\w*|session|project|forever|again|"
    r"skip|reject|deny|decline|cancel|close|refine|dismiss|expand)\b|\bnever\b"
    r"|常に|今後|この会話|このチャット|ワークスペース|グローバル|すべての|拒否|キャンセル|閉じる|スキップ",
    re.IGNORECASE,
)
"""Words no label may have that is clicked by itself, whatever else it says."""
_BUT = re.compile(r"^try again$", re.IGNORECASE)

_CHORD = re.compile(
    r"\s*[(\[]?\s*(?:(?:ctrl|control|alt|option|opt|cmd|meta|shift|win|⌘|⌥|⇧|⌃)\s*\+\s*)+"
    r"\S{1,10}[)\]]?$",
    re.IGNORECASE,
)
_MODIFIER = r"[\s(\[]+(?:ctrl|control|alt|option|opt|cmd|meta|shift|win)"
_SIGNS = re.compile(
    rf"(?:{_MODIFIER}[\s+]+(?:enter|return)\b|(?:{_MODIFIER}\b)?[\s(\[+]*[⌘⌥⇧⌃⏎↵↩⌫⎋]+\S{{0,2}})+"
    r"[\s)\]]*$",
    re.IGNORECASE,
)


def name_of(label: str) -> str:
    """A label as it is compared: without the keys shown beside it."""
    plain = " ".join(unicodedata.normalize("NFKC", label).split())
    plain = _SIGNS.sub("", _CHORD.sub("", plain))
    return re.sub(r"[.。…]+$", "", plain).strip().lower()


def meaning_of(label: str) -> str:
    """What a label means; "" where nothing is known of it."""
    return _MEANINGS.get(name_of(label), "")


def _meanings() -> dict[str, str]:
    found: dict[str, str] = {}
    for rule, labels in LABELS.items():
        for label in labels:
            found.setdefault(name_of(label), rule)
    return found


_MEANINGS = _meanings()


def switch_for(card: Card) -> Switch | None:
    """Which switch a card belongs to; None: it is never answered by itself."""
    rule = RULES.get(card.kind)
    if rule is None:
        return None
    # some panels ask for permissions with Accept and Reject
    asks = card.kind == "accept" and edited(card.text) is None
    return Switch.PERMISSIONS if asks else rule.switch


def is_ready(control: Control) -> bool:
    """Whether a click would land on it now."""
    return not why_not_ready(control)


def why_not_ready(control: Control) -> str:
    """What stands in the way; "" where nothing does."""
    if not control.visible:
        return "not visible"
    if not control.enabled:
        return "disabled"
    if not control.onscreen:
        return "not on screen"
    return "covered" if control.occluded else ""


def may_be_pressed(control: Control, wanted: str) -> bool:
    """Whether this control surely means that, and is no list box, option or menu."""
    never = NEVER.search(control.label) and not _BUT.match(name_of(control.label))
    return (
        control.rule == wanted
        and meaning_of(control.label) == wanted
        and not control.popup
        and control.role in PRESSED
        and not never
    )


def yes(card: Card) -> Control | None:
    """The control that lets a card go on, by the narrowest way it offers."""
    rule = RULES.get(card.kind)
    if rule is None:
        return None
    for wanted in rule.yes:
        found = [one for one in card.controls if may_be_pressed(one, wanted)]
        if found:
            # two that mean the same on one card: nobody knows which one is meant
            return found[0] if len(found) == 1 else None
    return None


def no(card: Card) -> Control | None:
    """The control that refuses it, for a person who said so."""
    rule = RULES.get(card.kind)
    if rule is None:
        return None
    for wanted in rule.no:
        for one in card.controls:
            if one.rule == wanted == meaning_of(one.label) and not one.popup:
                return one
    return None


class Do(StrEnum):
    """What is to be done about a card."""

    CLICK = "click"
    WAIT = "wait"  # it cannot be clicked yet
    ASK = "ask"
    REFUSE = "refuse"
    LEAVE = "leave"


@dataclass(frozen=True, slots=True)
class Decision:
    """What, which control, and why in a few words of ours."""

    do: Do
    why: str
    control: Control | None = None


def decide(card: Card, verdict: str, switches: Switches) -> Decision:
    """What to do about a card on which the guard said `allow`, `ask` or `deny`."""
    switch = switch_for(card)
    if switch is None or not switches.has(switch):
        do = Do.ASK if card.kind in ASKING else Do.LEAVE
        return Decision(do, "switched off" if switch else "no rule for it")
    if verdict == "deny":
        return Decision(Do.REFUSE, "denied")
    if verdict != "allow":
        return Decision(Do.ASK if card.kind in ASKING else Do.LEAVE, "asks")
    if card.place != "panel":
        return Decision(Do.ASK, "not in the panel")
    if switch is Switch.RETRIES and may_be_limit(card.text, [one.rule for one in card.controls]):
        return Decision(Do.ASK, "it may be a limit")
    control = yes(card)
    if control is None:
        return Decision(Do.ASK if card.kind in ASKING else Do.LEAVE, "no usable control")
    why = why_not_ready(control)
    return Decision(Do.WAIT if why else Do.CLICK, why, control)
