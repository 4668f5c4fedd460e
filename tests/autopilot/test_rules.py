"""Which control may be clicked: tables. Ids are those of ../shared/corpus/behaviours.json."""

import pytest

from tabwire.autopilot.rules import Do, decide, meaning_of, no, yes
from tabwire.model.agent import Card, Control
from tabwire.model.autopilot import ALL_ON, Switch, Switches
from tabwire.sites.antigravity.page import LABELS

LABELLED = [
    # label, what it means
    ("Run", "run"), ("Run⌥⏎", "run"), ("Run ⌥⏎", "run"), ("Run Alt+d", "run"), ("Run⌘⏎", "run"),
    ("Run ⌘ ⏎", "run"), ("Run Ctrl ⏎", "run"), ("Run Ctrl Enter", "run"), ("Run Enter", ""),
    ("Allow alt account", ""),
    ("Run Alt+⏎", "run"), ("Run (Ctrl+Enter)", "run"), ("RUN", "run"), ("  Run\n", "run"),
    ("実行", "run"), ("実行⌥⏎", "run"), ("Accept", "accept"), ("Ａccept", "accept"),
    ("Retry", "retry"), ("Try again", "retry"), ("再試行", "retry"), ("Apply", "apply"),
    ("Execute", "execute"), ("Confirm", "confirm"), ("Allow Once", "allow_once"),
    ("今回のみ許可", "allow_once"), ("Allow", "allow"), ("許可", "allow"),
    ("Continue", "continue"), ("Proceed", "proceed"), ("Accept all", "accept_all"),
    ("Always run", "always"), ("Always Allow", "always"), ("Allow This Conversation", "always"),
    ("Allow Workspace", "always"), ("Allow Global", "always"), ("常に許可", "always"),
    ("この会話を許可", "always"), ("Skip", "skip"), ("Reject", "reject"), ("Cancel", "cancel"),
    ("Close", "close"), ("Refine", "refine"), ("Accept & Close", "close"), ("Expand", "expand"),
    # what only contains such a word means nothing
    ("Run Task…", ""), ("Run all tests", ""), ("Running", ""), ("Accept Current Change", ""),
    ("Acceptance", ""), ("Don't run", ""), ("Runner", ""), ("Allowed", ""), ("", ""),
    # T49: other languages are not guessed
    ("Ausführen", ""), ("Exécuter", ""), ("Ejecutar", ""), ("Выполнить", ""), ("运行", ""),
    ("Аccept", ""),  # a Cyrillic A
]  # fmt: skip


@pytest.mark.parametrize("label, meaning", LABELLED)
def test_s2_003_a_label_means_what_all_of_it_says(label, meaning):
    assert meaning_of(label) == meaning


def control(label, **more):
    wish = {"visible": True, "enabled": True, "onscreen": True, **more}
    wish.setdefault("rule", meaning_of(label))
    wish.setdefault("role", "button")
    return Control(1, label, label.lower(), **wish)


def card(kind, *controls, **more):
    return Card("c-1", kind, more.pop("text", "text"), "hash", controls=controls, **more)


def pressed(kind, *labels):
    found = yes(card(kind, *map(control, labels)))
    return found.label if found else None


CHOSEN = [
    ("command", ["Ask every time", "Reject", "Run⌥⏎"], "Run⌥⏎"),
    ("command", ["Skip", "Accept"], "Accept"),
    ("command", ["Cancel", "Execute"], "Execute"),
    ("command", ["Always run", "Reject"], None),
    ("permission", ["Deny", "Allow Once", "Allow This Conversation"], "Allow Once"),
    ("permission", ["Deny", "Allow", "Allow Once"], "Allow Once"),
    ("permission", ["Deny", "Allow"], "Allow"),
    ("permission", ["Deny", "Allow", "Allow Workspace", "Allow Global"], "Allow"),
    ("permission", ["Deny", "Allow This Conversation"], None),
    ("permission", ["Deny", "Always allow"], None),
    ("files", ["Reject all", "Accept all"], "Accept all"),
    ("accept", ["Reject", "Accept"], "Accept"),
    ("accept", ["Accept & Close"], None),
    ("plan", ["Open", "Proceed"], "Proceed"),
    ("plan", ["Open"], None),
    ("error", ["Dismiss", "Copy debug info", "Retry"], "Retry"),
    ("error", ["Dismiss"], None),
    ("continue", ["Continue"], "Continue"),
    ("hidden_step", ["Expand"], None),
    ("question", ["Allow Once", "Deny", "Submit"], None),
    ("quota", ["Dismiss", "Upgrade"], None),
    # S2-002
    ("command", ["Skip", "Reject", "Cancel", "Close", "Refine", "Accept & Close"], None),
    # two that mean the same: nobody knows which
    ("command", ["Run", "Run⌥⏎"], None),
]


@pytest.mark.parametrize("kind, labels, chosen", CHOSEN)
def test_s2_002_the_narrowest_way_to_go_on_is_chosen_or_none(kind, labels, chosen):
    assert pressed(kind, *labels) == chosen


ODD = [
    ("a list box", control("Run", popup="listbox")),
    ("a menu", control("Run", popup="menu")),
    ("an option", control("Run", role="option")),
    ("a radio", control("Allow Once", role="radio")),
    ("a label of a radio", control("Allow Once", role="label")),
    ("a menu item", control("Run", role="menuitem")),
    ("the page says otherwise", control("Always run", rule="run")),
    ("a meaning nobody knows", control("Run everything", rule="run")),
]


@pytest.mark.parametrize("one", [c[1] for c in ODD], ids=[c[0] for c in ODD])
def test_what_chooses_or_is_not_what_it_seems_is_never_clicked(one):
    assert yes(card("command", one)) is None
    assert yes(card("permission", one)) is None


@pytest.mark.parametrize("label", [one for labels in LABELS.values() for one in labels])
def test_nothing_that_stays_or_ends_is_ever_a_yes(label):
    rule = meaning_of(label)
    going = {"run", "accept", "retry", "apply", "execute", "confirm", "allow_once", "allow",
             "continue", "proceed", "accept_all"}  # fmt: skip
    kinds = ("command", "permission", "accept", "files", "plan", "error", "continue")
    if any(pressed(kind, label) for kind in kinds):
        assert rule in going


NOT_READY = [
    ("hidden", {"visible": False}, "not visible"),
    ("disabled", {"enabled": False}, "disabled"),
    ("off the screen", {"onscreen": False}, "not on screen"),
    ("covered", {"occluded": True}, "covered"),
]


@pytest.mark.parametrize("state, why", [c[1:] for c in NOT_READY], ids=[c[0] for c in NOT_READY])
def test_s2_006_what_cannot_be_clicked_now_waits(state, why):
    found = decide(card("command", control("Run", **state)), "allow", ALL_ON)
    assert (found.do, found.why) == (Do.WAIT, why)


RUN = control("Run")
DECIDED = [
    # id, card, verdict, what is on, what is done
    ("allowed", card("command", RUN), "allow", ALL_ON, Do.CLICK),
    ("asks", card("command", RUN), "ask", ALL_ON, Do.ASK),
    ("denied", card("command", RUN), "deny", ALL_ON, Do.REFUSE),
    ("off", card("command", RUN), "allow", Switches(), Do.ASK),
    ("denied and off", card("command", RUN), "deny", Switches(), Do.ASK),
    ("over the panel", card("command", RUN, place="overlay"), "allow", ALL_ON, Do.ASK),
    ("changes nobody need answer", card("files"), "ask", ALL_ON, Do.LEAVE),
    ("changes, off", card("files", control("Accept all")), "allow", Switches(), Do.LEAVE),
    ("a limit", card("quota", control("Dismiss")), "allow", ALL_ON, Do.LEAVE),
    ("hidden step", card("hidden_step", control("Expand")), "ask", ALL_ON, Do.ASK),
    ("no control", card("command", control("Reject")), "allow", ALL_ON, Do.ASK),
]


@pytest.mark.parametrize(
    "one, verdict, switches, do", [c[1:] for c in DECIDED], ids=[c[0] for c in DECIDED]
)
def test_what_is_done_about_a_card(one, verdict, switches, do):
    assert decide(one, verdict, switches).do is do


def test_everything_is_off_by_default():
    assert Switches().on == ()
    assert set(ALL_ON.on) == set(Switch)


@pytest.mark.parametrize("switch", Switch)
def test_each_switch_lets_only_its_own_kinds_go(switch):
    own = {
        Switch.COMMANDS: {"command"},
        Switch.EDITS: {"accept", "files"},
        Switch.PERMISSIONS: {"permission"},
        Switch.PLANS: {"plan"},
        Switch.RETRIES: {"error", "continue"},
    }
    cards = {
        "command": card("command", RUN),
        "permission": card("permission", control("Allow Once")),
        "accept": card("accept", control("Accept"), text="src/a.py +1 -0"),
        "files": card("files", control("Accept all")),
        "plan": card("plan", control("Proceed")),
        "error": card("error", control("Retry")),
        "continue": card("continue", control("Continue")),
    }
    only = Switches(**{switch.value: True})
    went = {kind for kind, one in cards.items() if decide(one, "allow", only).do is Do.CLICK}
    assert went == own[switch]


def test_a_permission_asked_with_accept_is_no_edit():
    """As panels of another editor do."""
    one = card("accept", control("Accept"), text="Allow directory access to ~/shop/data?")
    assert decide(one, "allow", Switches(edits=True)).do is Do.ASK
    assert decide(one, "allow", Switches(permissions=True)).do is Do.CLICK


NO = [
    ("command", ["Reject", "Run"], "Reject"),
    ("command", ["Skip", "Run"], "Skip"),
    ("permission", ["Deny", "Allow"], "Deny"),
    ("error", ["Dismiss", "Retry"], "Dismiss"),
    ("files", ["Reject all", "Accept all"], "Reject all"),
    ("plan", ["Open", "Proceed"], None),
]


@pytest.mark.parametrize("kind, labels, pressed", NO)
def test_what_refuses_a_card_for_a_person(kind, labels, pressed):
    found = no(card(kind, *map(control, labels)))
    assert (found.label if found else None) == pressed
