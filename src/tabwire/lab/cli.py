"""The commands of `tabwire lab`. Bodies are imported when a command runs."""

from enum import StrEnum
from pathlib import Path
from typing import Annotated, Any

import typer

HELP = "Local replicas of the sites: try Tabwire without an account."

DEMO_PAGE = "tabwire-demo.html"

COMMANDS: dict[str, tuple[str, str]] = {
    "demo": (
        "Ask three sites at once in a real browser and verify the answers.",
        "tabwire.lab.cli:demo",
    ),
    "open": (
        "Open a browser that shows the lab's replicas, for use by hand.",
        "tabwire.lab.cli:lab_open",
    ),
    "serve": (
        "Serve the replicas only, for a browser that you start yourself.",
        "tabwire.lab.cli:lab_serve",
    ),
    "stories": (
        "List the stories: how the replicas behave, and how they fail.",
        "tabwire.lab.cli:stories",
    ),
    "play": (
        "Play a story in a real tab and check what the watcher reports.",
        "tabwire.lab.cli:lab_play",
    ),
    "ledger": (
        "Show what the running lab has received.",
        "tabwire.lab.cli:lab_ledger",
    ),
    "antigravity": (
        "Open a replica of the Antigravity agent panel on a debugging port.",
        "tabwire.lab.cli:lab_antigravity",
    ),
}


class Deed(StrEnum):
    """Kinds of ledger entries; the same as `ledger.Deed`, which is not imported for help."""

    PROMPT = "prompt"
    UPLOAD = "upload"
    STOP = "stop"
    RESUME = "resume"
    READ = "read"
    LIST = "list"


class Site(StrEnum):
    """What the lab can play."""

    CHATGPT = "chatgpt"
    GEMINI = "gemini"
    GROK = "grok"


Port = Annotated[
    int,
    typer.Option(metavar="N", min=0, max=65535, help="Port of the lab; 0 for any free port."),
]
LedgerFile = Annotated[
    Path | None,
    typer.Option(
        "--ledger",
        metavar="FILE",
        dir_okay=False,
        help="Append everything the lab receives to this file, as JSON Lines.",
    ),
]
StoryName = Annotated[
    str,
    typer.Option(
        "--story",
        metavar="NAME",
        help="Play this story for every prompt; see `tabwire lab stories`.",
    ),
]
StageWords = Annotated[
    str,
    typer.Option(
        "--stage",
        metavar="WORDS",
        help="Variant of the pages, such as `layout:octane,lang:ja,overlay:cookies`.",
    ),
]
Headless = Annotated[
    bool, typer.Option("--headless/--no-headless", help="Do not show the browser window.")
]
Json = Annotated[bool, typer.Option("--json", help="Print JSON Lines, one object per story.")]


def demo(
    out: Annotated[
        Path,
        typer.Option("--out", metavar="FILE|FOLDER", help="File or folder for the report page."),
    ] = Path(DEMO_PAGE),
    extension: Annotated[
        bool,
        typer.Option(
            "--extension",
            help="Ask through the extension, as in your everyday browser; saves screenshots.",
        ),
    ] = False,
    antigravity: Annotated[
        bool,
        typer.Option(
            "--antigravity", help="Show an agent in the replica of Antigravity's panel instead."
        ),
    ] = False,
) -> None:
    """Ask three sites at once in a real browser and verify the answers.

    Starts the lab and a headless browser, asks one question in a tab of each site as `tabwire
    ask` does, shows text, evidence and timings live, and saves a report page with a screenshot of
    each tab. Nothing leaves this machine, none of your data is read or written, and nothing keeps
    running.

    With --extension, the browser has the extension installed and paired, and `tabwire ask` asks
    through it.

    With --antigravity, an agent works in a replica of Antigravity's panel: its words and its
    steps are separated, three safe steps are approved, one is left to you, and `rm -rf /` is
    rejected.

    Exit codes: 0 three complete answers, each matching the lab's text, and three prompts in its
    ledger, 1 otherwise.
    """
    _require_extra()
    from rich.console import Console

    if antigravity:
        from tabwire.lab.demo.antigravity import run as shown

        raise typer.Exit(0 if shown(Console(highlight=False)) else 1)
    if extension:
        from tabwire.lab.demo.everyday import run
    else:
        from tabwire.lab.demo.play import run

    page = out / DEMO_PAGE if out.is_dir() else out
    raise typer.Exit(0 if run(Console(highlight=False), page) else 1)


def lab_open(
    headless: Headless = False,
    site: Annotated[
        list[Site] | None,
        typer.Option("--site", help="Site to open. Repeatable. Default: all."),
    ] = None,
    port: Port = 0,
    ledger: LedgerFile = None,
    story: StoryName = "",
    stage: StageWords = "",
) -> None:
    """Open a browser that shows the lab's replicas, for use by hand.

    Starts a browser with an empty profile in which chatgpt.com, gemini.google.com and grok.com
    are local replicas and no other address can be reached: nothing you type leaves this machine.
    The first tab lists all sites and stories and shows what the lab receives.

    A line in the prompt can control the answer; every part is optional:
    `lab: pieces=50 every=0.02 first=0.1 think=3 seed=7 chars=12` asks for 50 pieces of 12
    characters, one every 0.02 s, the first after 0.1 s, with three thoughts before them.

    While it runs, other commands use this browser with `--browser lab`. Close the browser or
    press Ctrl-C to stop the lab; nothing is left behind.
    """
    _require_extra()
    from tabwire.lab.open import open_lab, run_until_told

    sites = [str(one) for one in dict.fromkeys(site or Site)]
    wish = _stage(story, stage)
    run_until_told(
        open_lab(sites, headless=headless, port=port, ledger=ledger, say=_say, stage=wish)
    )


def lab_serve(
    port: Port = 0,
    ledger: LedgerFile = None,
    json: Annotated[
        bool,
        typer.Option(
            "--json", help="Print one JSON object with the address and the browser flags."
        ),
    ] = False,
    story: StoryName = "",
    stage: StageWords = "",
) -> None:
    """Serve the replicas only, for a browser that you start yourself.

    Prints the flags a browser needs, with an empty profile, to load the replicas under the real
    host names. A new certificate is generated at each start; only that browser accepts it.
    `tabwire lab open` does all this for you.

    Runs until Ctrl-C or SIGTERM.
    """
    _require_extra()
    from tabwire.lab.open import as_json, in_words, run_until_told, serve_lab

    told = as_json if json else in_words
    run_until_told(serve_lab(port, ledger, lambda lab: _say(told(lab)), _stage(story, stage)))


def stories(
    site: Annotated[Site | None, typer.Option("--site", help="Only stories of this site.")] = None,
    json: Json = False,
) -> None:
    """List the stories: how the replicas behave, and how they fail.

    The outcome is the verdict that a watcher must reach. Choose a story with a line
    `lab: story=NAME` in the prompt, with `?lab=story:NAME` in the URL of a tab, or with
    `--story NAME` for the whole lab.
    """
    from json import dumps

    from tabwire.lab.home.server import story_data
    from tabwire.lab.listing import console, story_table
    from tabwire.lab.stories.known import STORIES

    wanted = [one for one in STORIES.values() if site is None or site in one.sites]
    if json:
        for one in wanted:
            _say(dumps(story_data(one), ensure_ascii=False))
    else:
        console().print(story_table(wanted))


def lab_play(
    story: Annotated[
        str, typer.Argument(metavar="STORY", help="Name of the story; see `tabwire lab stories`.")
    ] = "",
    site: Annotated[
        list[Site] | None,
        typer.Option(
            "--site", help="Site to play it on. Repeatable. Default: all sites of the story."
        ),
    ] = None,
    every: Annotated[
        bool, typer.Option("--all", help="Play all stories, one after another.")
    ] = False,
    headless: Headless = True,
    layout: Annotated[
        str, typer.Option(metavar="NAME", help="Layout of the page: octane, classic.")
    ] = "",
    lang: Annotated[
        str, typer.Option(metavar="CODE", help="Language of the page: en, ja, de, fr, ar, zh.")
    ] = "",
    json: Annotated[
        bool,
        typer.Option(
            "--json", help="Print JSON Lines, one object per event, then one object per result."
        ),
    ] = False,
) -> None:
    """Play a story in a real tab and check what the watcher reports.

    Starts the lab and a browser. A script asks in a tab while the story plays; the tab is
    crashed, closed or reloaded if the story says so. The events of `tabwire watch` are printed
    live and finally compared with the expected outcome, the lab's text and its ledger. Nothing
    leaves this machine and nothing keeps running.

    Exit codes: 0 everything as expected, 1 something differed.
    """
    _require_extra()
    from tabwire.lab.listing import console
    from tabwire.lab.play.show import Wish, run
    from tabwire.lab.stories.known import STORIES

    if every == bool(story):
        raise typer.BadParameter("expected a story, or --all", param_hint="STORY")
    wanted = list(STORIES.values()) if every else [STORIES[_story(story)]]
    words = [f"{name}:{said}" for name, said in (("layout", layout), ("lang", lang)) if said]
    _stage("", ",".join(words), hint="--layout / --lang")
    sites = [str(one) for one in dict.fromkeys(site or Site)]
    plays = [(one, where) for one in wanted for where in sites if where in one.sites]
    if not plays:
        played = ", ".join(wanted[0].sites)
        raise typer.BadParameter(f"{story} is only played on {played}", param_hint="--site")
    wish = Wish(plays, ",".join(words), headless=headless, as_json=json)
    raise typer.Exit(0 if run(wish, console()) else 1)


def lab_ledger(
    site: Annotated[Site | None, typer.Option("--site", help="Only entries of this site.")] = None,
    kind: Annotated[Deed | None, typer.Option("--kind", help="Only entries of this kind.")] = None,
    follow: Annotated[
        bool, typer.Option("--follow", "-f", help="Keep printing until the lab stops or Ctrl-C.")
    ] = False,
    json: Annotated[
        bool, typer.Option("--json", help="Print JSON Lines, one object per entry.")
    ] = False,
) -> None:
    """Show what the running lab has received.

    Lists prompts, uploads, stops and reads of stored conversations in order. The lab may run in
    any terminal on this machine; it is reached over TLS and identified by its key. The browser
    is not touched.
    """
    _require_extra()
    from tabwire.lab.home.reading import entries, live
    from tabwire.lab.listing import entry_json, entry_line

    for entry in live() if follow else entries():
        if site in (None, entry.site) and (kind is None or entry.kind == str(kind)):
            _say((entry_json if json else entry_line)(entry))


def lab_antigravity(
    plan: Annotated[
        str,
        typer.Option(
            "--plan", metavar="NAME", help="Play this plan, or this JSON file, immediately."
        ),
    ] = "",
    port: Annotated[
        int,
        typer.Option(metavar="N", min=0, max=65535, help="Debugging port; 0 for any free port."),
    ] = 0,
    headless: Headless = False,
    ledger: LedgerFile = None,
    listing: Annotated[
        bool, typer.Option("--list", help="List the available plans and exit.")
    ] = False,
) -> None:
    """Open a replica of the Antigravity agent panel on a debugging port.

    Opens a browser with replicas of the IDE windows (1.x, 2.0, and the old panel in a frame), the
    standalone app, the Agent Manager, a panel of another editor, and two pages that must be left
    alone. A scripted agent works in them: each prompt plays the next plan. No command is really
    executed; approved ones only print the output that the plan defines.

    Use `--port 9004` for the port of the real Antigravity.
    """
    _require_extra()
    from tabwire.lab.antigravity import open as opening
    from tabwire.lab.open import run_until_told

    if listing:
        for line in opening.listed():
            _say(line)
        return
    chosen = opening.plan_named(plan) if plan else None
    run_until_told(
        opening.open_lab(plan=chosen, port=port, headless=headless, ledger=ledger, say=_say)
    )


def _require_extra() -> None:
    """Called before a command imports what the extra `tabwire[lab]` brings."""
    from tabwire.lab.extra import require

    require()


def _story(name: str) -> str:
    """The name of a known story; else a usage error that suggests one."""
    from tabwire.lab.home.server import no_such_story
    from tabwire.lab.stories.known import STORIES

    if name not in STORIES:
        raise typer.BadParameter(no_such_story(name), param_hint="STORY")
    return name


def _stage(story: str, words: str, hint: str = "--stage") -> Any:
    """The requested stage. Typer reads the types here, hence `Any`."""
    from dataclasses import replace

    from tabwire.lab.home.server import checked
    from tabwire.lab.stories.stage import BadStage, stage_from

    try:
        stage = checked(stage_from(words))
    except BadStage as problem:
        raise typer.BadParameter(str(problem), param_hint=hint) from problem
    return replace(stage, story=_story(story)) if story else stage


def _say(line: str) -> None:
    # at once, even into a pipe: whoever started us waits for this line
    print(line, flush=True)
