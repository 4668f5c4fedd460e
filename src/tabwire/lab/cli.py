"""The commands of `tabwire lab`. Bodies are imported when a command runs."""

from enum import StrEnum
from pathlib import Path
from typing import Annotated, Any

import typer

HELP = "Local stand-ins for the sites: see Tabwire work without an account."

DEMO_PAGE = "tabwire-demo.html"

COMMANDS: dict[str, tuple[str, str]] = {
    "demo": (
        "Ask three sites at once in a real browser, live, and prove the answers.",
        "tabwire.lab.cli:demo",
    ),
    "open": (
        "Open a browser in which the sites are the lab's, to type in by hand.",
        "tabwire.lab.cli:lab_open",
    ),
    "serve": (
        "Serve the stand-ins alone, for a browser that you start yourself.",
        "tabwire.lab.cli:lab_serve",
    ),
    "stories": (
        "List the stories: how the stand-ins behave, and how they fail.",
        "tabwire.lab.cli:stories",
    ),
    "play": (
        "Play a story in a real tab, and say whether the watcher told the truth.",
        "tabwire.lab.cli:lab_play",
    ),
    "ledger": (
        "Show what the running lab has received.",
        "tabwire.lab.cli:lab_ledger",
    ),
    "antigravity": (
        "Open the Antigravity agent panel, played, on a debugging port.",
        "tabwire.lab.cli:lab_antigravity",
    ),
}


class Deed(StrEnum):
    """What the ledger tells apart; the same as `ledger.Deed`, which is not imported for help."""

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
    typer.Option(min=0, max=65535, help="Where the lab listens; 0 lets the system choose."),
]
LedgerFile = Annotated[
    Path | None,
    typer.Option(
        "--ledger",
        metavar="FILE",
        dir_okay=False,
        help="Append everything the lab receives to this file, one JSON object per line.",
    ),
]
StoryName = Annotated[
    str,
    typer.Option(
        "--story", metavar="NAME", help="Play this story for every prompt; see `lab stories`."
    ),
]
StageWords = Annotated[
    str,
    typer.Option(
        "--stage",
        metavar="WORDS",
        help="In which shape pages are served, as in `layout:octane,lang:ja,overlay:cookies`.",
    ),
]
Json = Annotated[bool, typer.Option("--json", help="Print JSON, for programs.")]


def demo(
    out: Annotated[
        Path,
        typer.Option("--out", metavar="FILE|FOLDER", help="The page to save, or where to."),
    ] = Path(DEMO_PAGE),
    extension: Annotated[
        bool,
        typer.Option(
            "--extension", help="Through the extension, as in an everyday browser; saves pictures."
        ),
    ] = False,
    antigravity: Annotated[
        bool, typer.Option("--antigravity", help="An agent at work in the panel's replica instead.")
    ] = False,
) -> None:
    """Ask three sites at once in a real browser, live, and prove the answers.

    Starts the lab and a headless browser of our own, asks one question in a tab of each site
    as `tabwire ask` does, shows text, evidence and timings as they come, and saves a page with
    a screenshot of each tab. Nothing leaves this machine, nothing of yours is read or written,
    and nothing stays running.

    With --extension the browser has the extension, which is paired as a person does it, and
    `tabwire ask` asks through it.

    With --antigravity an agent works in the replica of Antigravity's panel: what it says and does
    is told apart, three safe steps are clicked, one is asked about, `rm -rf /` is refused.

    Exit code 0: three complete answers, each the lab's own text, and three prompts in its
    ledger. 1: something was different.
    """
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
    headless: Annotated[
        bool, typer.Option("--headless", help="Without a window, even where one can be shown.")
    ] = False,
    site: Annotated[
        list[Site] | None,
        typer.Option("--site", help="A site to open; may be repeated. Without it: all of them."),
    ] = None,
    port: Port = 0,
    ledger: LedgerFile = None,
    story: StoryName = "",
    stage: StageWords = "",
) -> None:
    """Open a browser in which the sites are the lab's, to type in by hand.

    The browser is one of our own with an empty profile. In it chatgpt.com, gemini.google.com
    and grok.com are local stand-ins, and no other address can be reached: nothing you type
    leaves this machine. The first tab is the lab's own page: every site, every story, and what
    arrives while you play.

    A line of the prompt can direct the answer, everything in it optional:
    `lab: pieces=50 every=0.02 first=0.1 think=3 seed=7 chars=12` asks for 50 pieces of 12
    characters, one every 0.02 s, the first after 0.1 s, with three thoughts before them.

    While it runs, `--browser lab` leads other commands to this browser. Close it or press
    Ctrl-C to end the lab; nothing is left behind.
    """
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
        typer.Option("--json", help="Say where it listens, and the flags, as one line of JSON."),
    ] = False,
    story: StoryName = "",
    stage: StageWords = "",
) -> None:
    """Serve the stand-ins alone, for a browser that you start yourself.

    Prints the flags a browser must be started with (and an empty profile) to see them under
    the sites' real names. The certificate is made anew at each start and known to that browser
    only. `tabwire lab open` does all this for you.

    Runs until Ctrl-C or SIGTERM.
    """
    from tabwire.lab.address import as_json, in_words
    from tabwire.lab.open import run_until_told, serve_lab

    told = as_json if json else in_words
    run_until_told(serve_lab(port, ledger, lambda lab: _say(told(lab)), _stage(story, stage)))


def stories(
    site: Annotated[Site | None, typer.Option("--site", help="Only those this site plays.")] = None,
    json: Json = False,
) -> None:
    """List the stories: how the stand-ins behave, and how they fail.

    The outcome is what whoever watches must come to say. A prompt chooses a story with a line
    `lab: story=NAME`, a tab with `?lab=story:NAME` in its address, a lab with `--story NAME`.
    """
    from json import dumps

    from tabwire.lab.home.server import story_data
    from tabwire.lab.listing import console, story_table
    from tabwire.lab.stories.known import STORIES

    wanted = [one for one in STORIES.values() if site is None or site in one.sites]
    if json:
        _say(dumps([story_data(one) for one in wanted], ensure_ascii=False))
    else:
        console().print(story_table(wanted))


def lab_play(
    story: Annotated[
        str, typer.Argument(metavar="STORY", help="Its name, as `tabwire lab stories` has it.")
    ] = "",
    site: Annotated[
        list[Site] | None,
        typer.Option("--site", help="Where; may be repeated. Without it: wherever it is played."),
    ] = None,
    every: Annotated[bool, typer.Option("--all", help="Play every story, one by one.")] = False,
    visible: Annotated[
        bool, typer.Option("--visible", help="Show the browser's window, where one can be shown.")
    ] = False,
    layout: Annotated[
        str, typer.Option(metavar="NAME", help="A layout of the page: octane, classic.")
    ] = "",
    lang: Annotated[
        str, typer.Option(metavar="CODE", help="The page's language: en, ja, de, fr, ar, zh.")
    ] = "",
    json: Annotated[
        bool, typer.Option("--json", help="Print JSON Lines: what is told, then what came of it.")
    ] = False,
) -> None:
    """Play a story in a real tab, and say whether the watcher told the truth.

    Starts the lab and a browser of our own. A scripted person asks in a tab under that story,
    the tab is crashed, closed or reloaded where the story wants it, and what `tabwire watch`
    would tell is told live. At the end it is compared with what the story promises, with the
    lab's own text and with its ledger. Nothing leaves this machine and nothing stays running.

    Exit code 0: everything came out as promised. 1: something did not.
    """
    from tabwire.lab.listing import console
    from tabwire.lab.play.show import Wish, run
    from tabwire.lab.stories.known import STORIES

    if every == bool(story):
        raise typer.BadParameter("name one, or say --all", param_hint="STORY")
    wanted = list(STORIES.values()) if every else [STORIES[_story(story)]]
    words = [f"{name}:{said}" for name, said in (("layout", layout), ("lang", lang)) if said]
    _stage("", ",".join(words), hint="--layout / --lang")
    sites = [str(one) for one in dict.fromkeys(site or Site)]
    plays = [(one, where) for one in wanted for where in sites if where in one.sites]
    if not plays:
        played = ", ".join(wanted[0].sites)
        raise typer.BadParameter(f"{story} is played at {played} only", param_hint="--site")
    wish = Wish(plays, ",".join(words), headless=not visible, as_json=json)
    raise typer.Exit(0 if run(wish, console()) else 1)


def lab_ledger(
    site: Annotated[Site | None, typer.Option("--site", help="Only of this site.")] = None,
    kind: Annotated[Deed | None, typer.Option("--kind", help="Only of this kind.")] = None,
    follow: Annotated[
        bool, typer.Option("--follow", "-f", help="Go on until the lab ends or Ctrl-C.")
    ] = False,
    json: Annotated[
        bool, typer.Option("--json", help="Print JSON Lines, one object per entry.")
    ] = False,
) -> None:
    """Show what the running lab has received.

    Prompts, uploads, stops and reads of stored conversations, in the order they came. The lab
    may run in any terminal of this machine. It is known by its key, and everything is asked of
    it over TLS; nothing of the browser is touched.
    """
    from tabwire.lab.home.reading import entries, live
    from tabwire.lab.listing import entry_json, entry_line

    for entry in live() if follow else entries():
        if site in (None, entry.site) and (kind is None or entry.kind == str(kind)):
            _say((entry_json if json else entry_line)(entry))


def lab_antigravity(
    plan: Annotated[
        str,
        typer.Option("--plan", metavar="NAME", help="Play this plan at once; or a file of JSON."),
    ] = "",
    port: Annotated[
        int,
        typer.Option(min=0, max=65535, help="The debugging port; 0 lets the system choose."),
    ] = 0,
    headless: Annotated[
        bool, typer.Option("--headless", help="Without a window, even where one can be shown.")
    ] = False,
    ledger: LedgerFile = None,
    listing: Annotated[
        bool, typer.Option("--list", help="List the plans there are, and do nothing else.")
    ] = False,
) -> None:
    """Open the Antigravity agent panel, played, on a debugging port.

    A browser of our own shows windows of the IDE (1.x, 2.0, and the old panel in a frame), the
    stand-alone app, the Agent Manager, a panel of another editor, and two pages that must be
    left alone. An agent with a script works in them: type a prompt, and the next plan plays.
    Nothing runs: a command that is let through only says what a plan gives it to say.

    `--port 9004` makes it stand where the real thing does.
    """
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


def _story(name: str) -> str:
    """The name, if there is such a story; else those it may mean."""
    from tabwire.lab.home.server import no_such_story
    from tabwire.lab.stories.known import STORIES

    if name not in STORIES:
        raise typer.BadParameter(no_such_story(name), param_hint="STORY")
    return name


def _stage(story: str, words: str, hint: str = "--stage") -> Any:
    """The stage that is asked for. Typer reads the types here, hence `Any`."""
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
