"""The demo of Antigravity: an agent at work, seen and helped, with nobody's account.

The replica's agent gets a task over the panel, as `tabwire antigravity send` gives it. What it
says and what it does is told apart as it happens; what the guard allows goes on by itself, what
it does not know is asked of a person, what it denies is refused. In the end all of it is compared
with what the replica really received.
"""

import asyncio
import time
from collections.abc import Callable
from contextlib import AsyncExitStack, aclosing
from pathlib import Path

from rich.console import Console
from rich.rule import Rule
from rich.table import Table
from rich.text import Text

from tabwire.browser.agent.drive import driving
from tabwire.browser.agent.prompt import send_prompt
from tabwire.browser.agent.window import AgentWindow
from tabwire.browser.agent.windows import PortWindows
from tabwire.hub.agents.autopilot.autopilot import Autopilot
from tabwire.lab.antigravity import (
    AntigravityLab,
    Command,
    Did,
    Plan,
    Say,
    Think,
    Tool,
    Window,
    antigravity_lab,
)
from tabwire.lab.demo.home import borrowed_home
from tabwire.model.agent import (
    AgentCard,
    AgentEnded,
    AgentEvent,
    AgentLog,
    AgentPhase,
    AgentProgress,
)
from tabwire.model.autopilot import (
    Act,
    Answerer,
    Approval,
    Asked,
    AutopilotEvent,
    Drives,
    Statistics,
    Switches,
)
from tabwire.model.autopilot import Did as Wrote
from tabwire.monitor.agent.follow import Follower
from tabwire.store.opening import opened

TASK = "Add VAT to the cart, and publish it."
SAFE = ("git status", "ls -la", "git diff --stat")
ASKS = "npm publish"
DENIED = "rm -rf /"
ANSWER = "VAT is in the cart and published. I did not clean up the disk."
LINE = 30  # characters of output that are worth a line
RUN_SECONDS = 90.0  # it takes fifteen; a slow machine needs more

PLAN = Plan(
    (
        Think("**Reading the cart**\n\nI look at where the total is made.", 1.0),
        Say("I will look at the repository first.", 0.6),
        Command(SAFE[0], output="nothing to commit", run_seconds=0.4),
        Tool("Analyzed", "cart.js", "#L1-75", during="Analyzing", seconds=0.4),
        Tool("Edited", "cart.js", "+4 -1", during="Editing", seconds=0.6),
        Command(SAFE[1], output="cart.js  package.json", run_seconds=0.3),
        Command(SAFE[2], output=" cart.js | 5 ++++-", run_seconds=0.3),
        Say("Now I publish it.", 0.5),
        Command(ASKS, output="+ shop@1.1.0", run_seconds=0.6),
        Say("And I clean up.", 0.4),
        Command(DENIED, label="Accept", hint=""),
        Say(ANSWER, 1.2, 10),
    )
)


class Show:
    """Three kinds of lines: what it says, what it does, what is done about it."""

    def __init__(self, console: Console) -> None:
        self._console = console
        self._began = time.monotonic()
        self._said = self._held = ""

    def line(self, kind: str, words: str, style: str) -> None:
        """One line, with its second. Words that were held back come first."""
        held, self._held = self._held, ""
        if held.strip():
            self._print("output", held, "green")
        self._print(kind, words, style)

    def _print(self, kind: str, words: str, style: str) -> None:
        made = Text(f"{time.monotonic() - self._began:6.2f} s  ", style="dim")
        made.append(f"{kind:<7}│ ", style=f"bold {style}")
        made.append(" ".join(words.split()), style=style)
        self._console.print(made, soft_wrap=True)

    def event(self, event: AgentEvent) -> None:
        """What the panel shows."""
        match event:
            case AgentPhase(phase=phase):
                self.line("phase", phase, "cyan")
            case AgentProgress(text=text):
                self._held += text[len(self._said) :] if text.startswith(self._said) else text
                self._said = text
                whole, _, rest = self._held.rpartition(" ")  # not half a word
                if len(whole) >= LINE:
                    self._print("output", whole, "green")
                    self._held = rest
            case AgentLog(entries=entries):
                for one in entries:
                    self.line("log", one.text, "magenta")
            case AgentCard(card=card, gone=False):
                labels = " · ".join(f"[{one.label}]" for one in card.controls)
                self.line("asks", f"{card.command or card.title}  {labels}", "yellow")
            case _:
                pass


async def play(console: Console) -> bool:
    """Play it; whether everything was as it should be."""
    began = time.monotonic()
    with borrowed_home() as home:
        async with antigravity_lab([Window("shop", plans=(PLAN,))]) as lab:
            console.print(f"the replica's window `shop` listens at 127.0.0.1:{lab.port}")
            console.print(Text(f'tabwire antigravity send "{TASK}"', "bold"))
            ended, stats = await _run(lab, home, Show(console))
            wrong = _differences(lab, ended)
    console.print(Rule(align="left"))
    console.print(_table(lab, stats))
    for words in wrong:
        console.print(Text(words, "bold red"))
    if not wrong:
        console.print(
            Text(
                f"the replica's ledger agrees; played in {time.monotonic() - began:.1f} s", "green"
            )
        )
    return not wrong


async def _run(lab: AntigravityLab, home: Path, show: Show) -> tuple[AgentEnded | None, Statistics]:
    async with AsyncExitStack() as stack:
        store = await stack.enter_async_context(opened(home / "demo.db"))
        drives = asyncio.Event()
        asked: asyncio.Queue[Approval] = asyncio.Queue()

        def heard(event: AutopilotEvent) -> None:
            match event:
                case Drives():
                    drives.set()
                case Asked(approval=approval):
                    asked.put_nowait(approval)
                case Wrote(line=line) if not line.by:
                    _tell(show, line.act, line.verdict, line.note)

        autopilot = Autopilot(store.autopilot, tell=heard, lock_folder=home)
        group = await stack.enter_async_context(asyncio.TaskGroup())
        port = PortWindows(lab.port)
        flying = group.create_task(autopilot.run(port))
        async with asyncio.timeout(RUN_SECONDS):
            await drives.wait()
        await autopilot.on(Switches(commands=True), by="the demo")
        (window,) = port.windows.values()
        answering = group.create_task(_person(autopilot, asked, show))
        following = group.create_task(_follow(window, show.event))
        async with driving(window) as driver:
            await send_prompt(driver, TASK)
        try:
            async with asyncio.timeout(RUN_SECONDS):
                ended = await following
        except TimeoutError:
            ended = None
        stats = await autopilot.statistics(session=True)
        for task in (answering, flying, following):
            task.cancel()
        return ended, stats


async def _follow(window: AgentWindow, tell: Callable[[AgentEvent], None]) -> AgentEnded | None:
    async with aclosing(Follower(window).events()) as events:
        async for event in events:
            tell(event)
            if isinstance(event, AgentEnded):
                return event
    return None


async def _person(autopilot: Autopilot, asked: "asyncio.Queue[Approval]", show: Show) -> None:
    """Somebody at the machine: says yes to the doubtful one, and no to what is denied."""
    me = Answerer("you", "cli")
    while True:
        one = await asked.get()
        show.line("you?", f"{one.command}  ({one.verdict}: {one.reason})", "bold yellow")
        await asyncio.sleep(0.8)
        if one.denied:
            answered = await autopilot.reject(one.id, me)
            show.line("you", f"reject {one.id}: {answered.said}", "bold")
        else:
            answered = await autopilot.approve(one.id, me)
            show.line("you", f"approve {one.id}: {answered.said}", "bold")


def _tell(show: Show, act: Act, verdict: str, note: str) -> None:
    words = {
        Act.CLICKED: ("clicked", "bold green"),
        Act.REFUSED: ("REFUSED", "bold red"),
        Act.UNVERIFIED: ("clicked without effect", "yellow"),
        Act.NOT_CLICKED: ("not clicked", "yellow"),
    }.get(act)
    if words is not None:
        why = " ".join(one for one in (verdict and f"({verdict})", note) if one)
        show.line("auto", f"{words[0]} {why}", words[1])


def _ran(lab: AntigravityLab) -> list[str]:
    return [one.command for one in lab.ledger.of(Did.RAN)]


def _differences(lab: AntigravityLab, ended: AgentEnded | None) -> list[str]:
    """What is not as it should be, by the replica's own account."""
    wrong = []
    if _ran(lab) != [*SAFE, ASKS]:
        wrong.append(f"these ran: {_ran(lab)}")
    if [one.command for one in lab.ledger.of(Did.REJECTED)] != [DENIED]:
        wrong.append(f"{DENIED} was not refused and rejected")
    if [one.text for one in lab.ledger.of(Did.PROMPT)] != [TASK]:
        wrong.append("the task did not arrive exactly once")
    if ended is None or ended.phase != "complete" or not ended.text.endswith(ANSWER):
        wrong.append("the run was not seen to its end")
    elif any(ANSWER in one.text for one in ended.log):
        wrong.append("the answer is in the log")
    return wrong


def _table(lab: AntigravityLab, stats: Statistics) -> Table:
    table = Table(box=None, pad_edge=False, header_style="bold")
    for heading in ("command", "guard", "what happened"):
        table.add_column(heading)
    ran = _ran(lab)
    for command in SAFE:
        table.add_row(
            command, "allow", "clicked automatically" if command in ran else "did not run"
        )
    table.add_row(ASKS, "ask", "asked, approved, ran" if ASKS in ran else "did not run")
    said = "[bold red]RAN[/]" if DENIED in ran else "refused behind its “Accept”; never ran"
    table.add_row(DENIED, "deny", said)
    table.add_row("", "", f"{stats.clicks} clicks, {stats.blocked} refused, {stats.asked} asked")
    return table


def run(console: Console) -> bool:
    """Play it on a loop of its own."""
    return asyncio.run(play(console))
