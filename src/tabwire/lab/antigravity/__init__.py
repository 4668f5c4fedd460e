"""The Antigravity agent panel, played: pages on a debugging port, and an agent with a script.

    async with antigravity_lab([Window("shop"), Window("docs", "2.0")], pace=5) as lab:
        first, second = lab.windows
        lab.port                                  # the debugging port; /json/list is the browser's
        run = await lab.play(first, Plan((Command("npm test"), Say("All green."))))
        await lab.until(lambda: lab.cards(first))  # the card asks, and the agent waits
        …                                          # somebody presses Run, or does not
        await run.ended()
        assert lab.ledger.ran() == ("npm test",)   # what really happened

In:  windows and plans, as data.      Out: a debugging port, and a ledger of what was done there.

window.py        which window, of which generation, with what past
plan.py          the steps of the agent, in seconds; plans.py has some with names
words.py         the panel's labels, English and Japanese
conversation.py  turns, rows, cards: what a page shows is a copy of this
agent.py         plays a plan into a conversation, waits for its approvals
shown.py         an open window: conversations, prompts, what pages tell
serve.py         the pages on loopback, and each page's line
static/          the pages: plain JavaScript, the structure that was measured
gate.py          the debugging port: what is asked of it is written down; it can be cut
lab.py           all of it with a browser; windows open, close, hide, and the IDE restarts
ledger.py        every press, prompt and choice, and what came of it
language_server.py   the local server that knows quotas, as a process; quota_answers.py its words
open.py          the same for a person (`tabwire lab antigravity`)

language_server_program.py  the language server as a program of its own

Neighbours: lab/serve.py for sockets, lab/certificate.py, and the editor of lab/replicas/static.
"""

from tabwire.lab.antigravity.lab import AntigravityLab, Run, antigravity_lab
from tabwire.lab.antigravity.ledger import Did, Entry, Ledger
from tabwire.lab.antigravity.plan import (
    BadPlan,
    Busy,
    Change,
    Command,
    Fail,
    Fill,
    Flicker,
    Imitate,
    Limit,
    Notify,
    Pause,
    Permit,
    Picture,
    Plan,
    Propose,
    Quota,
    Rerender,
    Say,
    Stall,
    Step,
    Task,
    Think,
    Title,
    Tool,
    Virtual,
    plan_from,
    plan_json,
)
from tabwire.lab.antigravity.window import MODELS, MODES, Past, Window

__all__ = [
    "MODELS",
    "MODES",
    "AntigravityLab",
    "BadPlan",
    "Busy",
    "Change",
    "Command",
    "Did",
    "Entry",
    "Fail",
    "Fill",
    "Flicker",
    "Imitate",
    "Ledger",
    "Limit",
    "Notify",
    "Past",
    "Pause",
    "Permit",
    "Picture",
    "Plan",
    "Propose",
    "Quota",
    "Rerender",
    "Run",
    "Say",
    "Stall",
    "Step",
    "Task",
    "Think",
    "Title",
    "Tool",
    "Virtual",
    "Window",
    "antigravity_lab",
    "plan_from",
    "plan_json",
]
