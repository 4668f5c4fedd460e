"""`tabwire ask`: one question to one or several sites, in real tabs."""

import asyncio
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated

import typer

from tabwire.doors.cli.ask.json_output import Result, write_line
from tabwire.doors.cli.ask.output_options import (
    COMPARE,
    FORCE,
    JSON,
    OUT,
    PLAIN,
    SHOWN,
    STREAM,
    THINKING,
)
from tabwire.doors.cli.ask.request import Wishes, read_requests, read_stdin, wrong
from tabwire.doors.cli.ask.run import How, Run, Say, Tell
from tabwire.doors.cli.browser.option import BROWSER, say_terms
from tabwire.doors.cli.safe_text import harmless
from tabwire.hub import Hub
from tabwire.model.ask import AskRequest

QUESTION = "The question"
PLACE = "Whom to ask, and where"
CARE = "Care"

TO = Annotated[
    list[str] | None,
    typer.Option(
        "--to",
        metavar="SITE[,SITE…]",
        help="Whom to ask: chatgpt, gemini, grok, or several of them at once.",
        rich_help_panel=PLACE,
    ),
]
FILE_PATH = {"exists": True, "dir_okay": False, "readable": True}


def ask(
    prompt: Annotated[
        str | None,
        typer.Argument(
            metavar="PROMPT",
            help="The question. `-`, or nothing where something is piped in, reads standard input.",
            show_default=False,
        ),
    ] = None,
    prompt_file: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE",
            **FILE_PATH,
            help="Take the question from this file.",
            rich_help_panel=QUESTION,
        ),
    ] = None,
    context: Annotated[
        list[Path] | None,
        typer.Option(
            metavar="FILE",
            **FILE_PATH,
            help="Put this text file into the prompt, below the question, with numbered lines. "
            "May be repeated.",
            rich_help_panel=QUESTION,
        ),
    ] = None,
    file: Annotated[
        list[Path] | None,
        typer.Option(
            metavar="FILE",
            **FILE_PATH,
            help="Send this file along as an attachment. May be repeated. Nothing is sent "
            "before every upload is done.",
            rich_help_panel=QUESTION,
        ),
    ] = None,
    to: TO = None,
    model: Annotated[
        list[str] | None,
        typer.Option(
            metavar="[SITE=]NAME",
            help="The model, as the page names it; `gemini=Pro` for one of several sites.",
            rich_help_panel=PLACE,
        ),
    ] = None,
    effort: Annotated[
        list[str] | None,
        typer.Option(
            metavar="[SITE=]NAME",
            help="How long it shall think, as the page names it.",
            rich_help_panel=PLACE,
        ),
    ] = None,
    model_best_effort: Annotated[
        bool,
        typer.Option(
            "--model-best-effort",
            help="Another model than the wanted one is no error.",
            rich_help_panel=PLACE,
        ),
    ] = False,
    go_on: Annotated[
        str | None,
        typer.Option(
            "--continue",
            metavar="last|ID|URL",
            help="Ask in a conversation that exists: the last one at each site, or this one.",
            rich_help_panel=PLACE,
        ),
    ] = None,
    new: Annotated[
        bool,
        typer.Option(
            "--new",
            help="Ask in a new chat. This is what happens anyway.",
            rich_help_panel=PLACE,
        ),
    ] = False,
    temporary: Annotated[
        bool,
        typer.Option(
            "--temporary",
            help="Ask in a temporary chat, which the site does not keep.",
            rich_help_panel=PLACE,
        ),
    ] = False,
    url: Annotated[
        str | None,
        typer.Option(
            metavar="URL",
            help="Ask in a new chat at this address: a project, a gem.",
            rich_help_panel=PLACE,
        ),
    ] = None,
    guest: Annotated[
        bool,
        typer.Option(
            "--guest",
            help="Ask logged out, where the site allows it.",
            rich_help_panel=PLACE,
        ),
    ] = False,
    timeout: Annotated[
        str,
        typer.Option(
            metavar="TIME",
            help="How long to wait for the end of the answer: 90, 90s, 10m, 1h. A site that "
            "thinks is not given up before.",
            rich_help_panel=CARE,
        ),
    ] = "1h",
    allow_focus: Annotated[
        bool,
        typer.Option(
            "--allow-focus",
            help="As the last resort the tab may come to the front. Otherwise no window moves.",
            rich_help_panel=CARE,
        ),
    ] = False,
    again: Annotated[
        bool,
        typer.Option(
            "--again",
            help="Ask even though the very same question is still under way. Without it that "
            "one's answer is waited for, and nothing is sent twice.",
            rich_help_panel=CARE,
        ),
    ] = False,
    compare: COMPARE = False,
    plain: PLAIN = False,
    thinking: THINKING = False,
    as_json: JSON = False,
    stream: STREAM = False,
    out: OUT = None,
    force: FORCE = False,
    stop_site: Annotated[
        bool,
        typer.Option(
            "--stop-site",
            help="After Ctrl-C a second one within 3 s presses the site's own Stop.",
            rich_help_panel=CARE,
        ),
    ] = False,
    dry_run: Annotated[
        bool,
        typer.Option(
            "--dry-run",
            help="Say what would be done where, and do nothing.",
            rich_help_panel=CARE,
        ),
    ] = False,
    debug: Annotated[
        bool,
        typer.Option("--debug", help="Also tell what the page looked like.", rich_help_panel=SHOWN),
    ] = False,
    browser: BROWSER = None,
) -> None:
    """Ask a question in real tabs and bring back the proven answers.

    Each site is asked in a background tab of the browser; no window comes to the front.
    A prompt is sent at most once: whatever happens afterwards, its answer is looked for, not
    asked for again. An answer is called complete only with proof of its end.

    On a terminal the answers grow in columns and are then printed in full. Into a pipe goes
    the Markdown alone, and everything else to stderr. Ctrl-C leaves, says what continues and
    how to fetch it.

    Exit code 0: every answer is complete. 3: something is partial, or a site of several
    failed. 4: it needs you (login, challenge). 5: a limit. 1: it failed. 2: wrong use.
    130: you pressed Ctrl-C.

    Examples:

      tabwire ask "What is a tab?" --to chatgpt

      tabwire ask "Which is faster, and why?" --to chatgpt,gemini,grok --compare

      git diff | tabwire ask --to gemini > review.md

      tabwire ask "Find the bug" --to grok --context src/a.py --context src/b.py

      tabwire ask "And in French?" --to chatgpt --continue last

      tabwire ask "Summarise" --to gemini --file paper.pdf --model Pro --out summary.md

      tabwire ask "…" --to chatgpt,grok --json | jq -r .answers[].text
    """
    hub = Hub()
    words = hub.read_prompt(
        _argument(prompt, prompt_file), [prompt_file] if prompt_file else [], context or []
    )
    wishes = Wishes(
        to=tuple(to or ()),
        model=tuple(model or ()),
        effort=tuple(effort or ()),
        model_best_effort=model_best_effort,
        files=tuple(file or ()),
        go_on=go_on,
        new=new,
        temporary=temporary,
        url=url,
        timeout=timeout,
        guest=guest,
        allow_focus=allow_focus,
        debug=debug,
        browser=browser,
    )
    requests = read_requests(hub, words, wishes)
    how = How(as_json, stream, plain, thinking, compare, out, force)
    how.check([request.site for request in requests])
    if dry_run:
        _say_plan(hub, requests, browser, as_json)
        return
    say_terms(hub, [request.site for request in requests], browser)
    run = Run(hub, how, requests, prompt=words)
    from tabwire.hub.jobs.ask_runner import (
        AskControl,  # much: neither for --help nor inside the loop
    )

    control = AskControl()

    async def asking(tell: Tell, say: Say) -> Sequence[Result]:
        return await hub.ask_by_hub(
            requests, tell, browser=browser, say=say, control=control, again=again
        )

    stop = control.stop_site if stop_site else None
    raise typer.Exit(asyncio.run(run.carry_out(asking, stop=stop)))


def _argument(prompt: str | None, prompt_file: Path | None) -> str | None:
    """The question where it does not come from a file. A pipe is read only where it must be."""
    if prompt_file is not None:
        if prompt is not None:
            raise wrong("there is a PROMPT too; give one of them", "--prompt-file")
        return None
    if prompt == "-" or (prompt is None and not sys.stdin.isatty()):
        prompt = read_stdin()
    if prompt is None or not prompt.strip():
        raise wrong("there is no question; write one, pipe one in, or --prompt-file", "PROMPT")
    if not prompt.isprintable() and any("\ud800" <= char <= "\udfff" for char in prompt):
        raise wrong("the question is no text (UTF-8)", "PROMPT")  # bytes a shell let through
    return prompt


def _say_plan(hub: Hub, requests: Sequence[AskRequest], browser: str | None, as_json: bool) -> None:
    plan = hub.plan_ask(requests, browser=browser)
    if as_json:
        write_line({"plan": [{"site": one.site, "lines": list(one.lines)} for one in plan]})
        return
    for one in plan:
        print(one.site)
        for line in one.lines:
            print(f"  {harmless(line)}")
