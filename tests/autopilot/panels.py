"""Panels written by hand, and what the rules make of the cards in them."""

from pathlib import Path

from browser.agent.test_panel import read
from tabwire.autopilot.rules import decide
from tabwire.autopilot.ruling import Seat, rule_on
from tabwire.model.autopilot import ALL_ON
from tabwire_guard.judgement import judge

HOME = str(Path.home())
SEAT = Seat("9004/w", "shop", "shop", folder=f"{HOME}/shop", home=HOME)

FOOT = "<button>Reject</button><button>Run</button>"


def panel(rows, *, css="", bar="", outside=""):
    """A side panel of the editor with one turn."""
    return (
        f"<body><style>{css}</style>{outside}<div class='antigravity-agent-side-panel'>"
        "<div id='conversation'><div class='relative flex flex-col gap-y-3 px-4'><div>"
        "<div class='bg-gray-500/15 p-2 rounded-lg select-text'>"
        "<div class='whitespace-pre-wrap'>Do it</div></div>"
        f"<div class='flex flex-col space-y-2'>{rows}</div></div></div></div>"
        f"<div>{bar}<div id='antigravity.agentSidePanelInputBox'><div contenteditable='true'"
        " role='textbox' data-lexical-editor='true'></div></div></div></div></body>"
    )


def card(body, foot=FOOT, head="Run command?"):
    """A card of a command."""
    return (
        "<div class='flex flex-col gap-2 border-gray-500/25 border rounded-lg my-1'>"
        f"<div><span class='opacity-60'>{head}</span></div>{body}<div>{foot}</div></div>"
    )


def line(command, cwd="~/shop"):
    """Its command, with the folder and the sign before it."""
    return (
        "<pre class='whitespace-pre-wrap break-all font-mono'><span class='text-ellipsis'>"
        f"{cwd}</span><span class='opacity-50'> $ </span>{command}</pre>"
    )


def dialog(question, buttons="<button>Deny</button><button>Allow Once</button>"):
    """A permission."""
    return f"<div role='dialog'><div>{question}</div><div>{buttons}</div></div>"


async def decided(session, html, switches=ALL_ON):
    """What is done about each card of a panel, as words: `click Run`, `ask`, `refuse`."""
    found = []
    for one in (await read(session, html)).cards:
        ruling = rule_on(one, SEAT, judge)
        done = decide(one, ruling.word, switches)
        found.append(f"click {done.control.label}" if done.do == "click" else done.do.value)
    return found
