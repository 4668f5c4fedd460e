"""The replica for a person: windows to look at, and plans to choose from."""

from collections.abc import Callable, Sequence
from pathlib import Path

from tabwire.browser.find import this_machine
from tabwire.lab.antigravity.lab import antigravity_lab
from tabwire.lab.antigravity.plan import BadPlan, Plan, plan_from
from tabwire.lab.antigravity.plans import PLANS
from tabwire.lab.antigravity.window import Past, Window
from tabwire.model.errors import TabwireError

Say = Callable[[str], None]

PAST = (
    Past("Fix login", "2 mins ago", turns=(("Fix the login.", "It is fixed."),)),
    Past("Write docs", "1 hr ago", turns=(("Write docs.", "They are written."),)),
    Past("Another project", "3 days ago", here=False),
)


def windows(lang: str = "en") -> tuple[Window, ...]:
    """One of each kind that holds a panel, and what stands beside them."""
    ja = lang == "ja"
    return (
        Window("shop", "1.x", "ja" if ja else "en", file="cart.js", past=PAST),
        Window("docs", "2.0", "ja" if ja else "en", past=PAST),
        Window("old", "cascade"),
        Window("app", "app", past=PAST),
        Window("shop", "manager", past=PAST),
        Window("shop", "browser"),
        Window("shop", "settings"),
        Window("site", "cursor"),
    )


def plan_named(name: str) -> Plan:
    """A plan by its name, or from a file of JSON. Raises TabwireError."""
    if name in PLANS:
        return PLANS[name]
    path = Path(name)
    if not path.is_file():
        raise TabwireError(
            f"there is no plan or file named {name!r}",
            what_to_do="`tabwire lab antigravity --list` lists the plans.",
        )
    try:
        return plan_from(path.read_bytes())
    except BadPlan as problem:
        raise TabwireError(
            f"{name} is not a valid plan: {problem}",
            what_to_do="docs/lab.md shows what a plan looks like.",
        ) from problem


def listed() -> Sequence[str]:
    """A line for each plan."""
    width = max(len(name) for name in PLANS)
    return [f"{name:{width}}  {plan.about}" for name, plan in PLANS.items()]


async def open_lab(
    *, plan: Plan | None, port: int, headless: bool, ledger: Path | None, say: Say
) -> None:
    """Windows with panels on a debugging port, until the browser is closed."""
    if not headless and not this_machine().has_display:
        headless = True
        say("There is no display, so the browser runs without a window.")
    shown = windows(plan.lang or "en" if plan else "en")
    async with antigravity_lab(port=port, headless=headless, ledger=ledger) as lab:
        for window in shown:
            await lab.open(window)
        # every plan is there for whoever types: the first prompt plays the chosen one
        for name in lab.windows:
            await lab.next(name, *([plan] if plan else PLANS.values()))
        say(
            f"The panel is open on debugging port {lab.port}: http://127.0.0.1:{lab.port}/json/list"
        )
        say("Type a prompt in a window; each prompt plays the next plan.")
        if plan is not None:
            await lab.play(lab.windows[0], plan)
            say(f"In {shown[0].page_title} the plan {plan.name or 'you gave'} plays.")
        say("Close the browser or press Ctrl-C to stop it.")
        await lab.ended()
        say("The browser was closed, and the lab with it.")
