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
from tabwire.hub import Hub, local_hub, open_hub
from tabwire.model.ask import AskRequest

QUESTION = "Question"
PLACE = "Where to ask"
CARE = "Behavior"

TO = Annotated[
    list[str] | None,
    typer.Option(
        "--to",
        metavar="SITE[,SITE…]",
        help="Sites to ask: chatgpt, gemini, grok, or several of them at once.",
        rich_help_panel=PLACE,
    ),
]
FILE_PATH = {"exists": True, "dir_okay": False, "readable": True}


def ask(
    prompt: Annotated[
        str | None,
        typer.Argument(
            metavar="PROMPT",
            help="The question. `-` reads standard input; so does a pipe if there is no PROMPT.",
            show_default=False,
        ),
    ] = None,
    prompt_file: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE",
            **FILE_PATH,
            help="Read the question from this file.",
            rich_help_panel=QUESTION,
        ),
    ] = None,
    context: Annotated[
        list[Path] | None,
        typer.Option(
            metavar="FILE",
            **FILE_PATH,
            help="Append this text file to the prompt, with line numbers. Repeatable.",
            rich_help_panel=QUESTION,
        ),
    ] = None,
    file: Annotated[
        list[Path] | None,
        typer.Option(
            metavar="FILE",
            **FILE_PATH,
            help="Attach this file. Repeatable. The prompt is sent when all uploads are done.",
            rich_help_panel=QUESTION,
        ),
    ] = None,
    to: TO = None,
    model: Annotated[
        list[str] | None,
        typer.Option(
            metavar="[SITE=]NAME",
            help="Model, as named on the page; `gemini=Pro` sets it for one of several sites.",
            rich_help_panel=PLACE,
        ),
    ] = None,
    effort: Annotated[
        list[str] | None,
        typer.Option(
            metavar="[SITE=]NAME",
            help="Thinking effort, as named on the page.",
            rich_help_panel=PLACE,
        ),
    ] = None,
    model_best_effort: Annotated[
        bool,
        typer.Option(
            "--model-best-effort",
            help="Accept a different model if the requested one is not available.",
            rich_help_panel=PLACE,
        ),
    ] = False,
    go_on: Annotated[
        str | None,
        typer.Option(
            "--continue",
            metavar="last|ID|URL",
            help="Continue a conversation: the last one on each site, or the given one.",
            rich_help_panel=PLACE,
        ),
    ] = None,
    new: Annotated[
        bool,
        typer.Option(
            "--new",
            help="Start a new chat (default).",
            rich_help_panel=PLACE,
        ),
    ] = False,
    temporary: Annotated[
        bool,
        typer.Option(
            "--temporary",
            help="Use a temporary chat, which the site does not save.",
            rich_help_panel=PLACE,
        ),
    ] = False,
    url: Annotated[
        str | None,
        typer.Option(
            metavar="URL",
            help="Start a new chat at this URL, such as a project or a Gem.",
            rich_help_panel=PLACE,
        ),
    ] = None,
    guest: Annotated[
        bool,
        typer.Option(
            "--guest",
            help="Ask without logging in, if the site allows it.",
            rich_help_panel=PLACE,
        ),
    ] = False,
    timeout: Annotated[
        str,
        typer.Option(
            metavar="TIME",
            help="Timeout for the complete answer: 90, 90s, 10m, 1h. Never gives up earlier while "
            "the site is still thinking.",
            rich_help_panel=CARE,
        ),
    ] = "1h",
    allow_focus: Annotated[
        bool,
        typer.Option(
            "--allow-focus",
            help="Allow bringing the tab to the front as a last resort. Otherwise it stays in the "
            "background.",
            rich_help_panel=CARE,
        ),
    ] = False,
    again: Annotated[
        bool,
        typer.Option(
            "--again",
            help="Ask again even if the same question is still in progress. By default its answer "
            "is awaited and nothing is sent twice.",
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
            help="A second Ctrl-C within 3 s clicks the site's Stop button.",
            rich_help_panel=CARE,
        ),
    ] = False,
    dry_run: Annotated[
        bool,
        typer.Option(
            "--dry-run",
            help="Print what would be done on each site, and do nothing.",
            rich_help_panel=CARE,
        ),
    ] = False,
    debug: Annotated[
        bool,
        typer.Option(
            "--debug", help="Also print details of the page, for debugging.", rich_help_panel=SHOWN
        ),
    ] = False,
    browser: BROWSER = None,
) -> None:
    """Ask one or more sites a question and print the verified answers.

    Each site is asked in a background tab of the browser; no window comes to the front.
    A prompt is sent at most once: after an interruption Tabwire looks for its answer and never
    sends it again. An answer counts as complete only if its end is proven.

    On a terminal, answers are shown live in columns and then printed in full. In a pipe, stdout
    gets only the Markdown and stderr everything else. Ctrl-C exits, and prints what is still
    running and how to fetch it.

    Exit codes: 0 every answer is complete, 1 failed, 2 usage error, 3 an answer is partial or
    one of several sites failed, 4 you are needed (login, challenge), 5 a usage limit was
    reached, 130 interrupted with Ctrl-C.

    Examples:

      tabwire ask "What is a tab?" --to chatgpt

      tabwire ask "Which is faster, and why?" --to chatgpt,gemini,grok --compare

      git diff | tabwire ask --to gemini > review.md

      tabwire ask "Find the bug" --to grok --context src/a.py --context src/b.py

      tabwire ask "And in French?" --to chatgpt --continue last

      tabwire ask "Summarise" --to gemini --file paper.pdf --model Pro --out summary.md

      tabwire ask "…" --to chatgpt,grok --json | jq -r .answers[].text
    """
    hub = local_hub()
    words = hub.asks.read_prompt(
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
    run = Run(how, requests, prompt=words)
    from tabwire.hub import AskControl

    control = AskControl()

    async def asking(tell: Tell, say: Say) -> Sequence[Result]:
        asks = (await open_hub(browser, say=say)).asks
        return await asks.ask(
            requests, tell, browser=browser, on_wait=say, control=control, again=again
        )

    stop = control.stop_site if stop_site else None
    raise typer.Exit(asyncio.run(run.carry_out(asking, stop=stop)))


def _argument(prompt: str | None, prompt_file: Path | None) -> str | None:
    """The question where it does not come from a file. A pipe is read only where it must be."""
    if prompt_file is not None:
        if prompt is not None:
            raise wrong("use either PROMPT or --prompt-file, not both", "--prompt-file")
        return None
    if prompt == "-" or (prompt is None and not sys.stdin.isatty()):
        prompt = read_stdin()
    if prompt is None or not prompt.strip():
        raise wrong("missing question: pass PROMPT, pipe it in, or use --prompt-file", "PROMPT")
    if not prompt.isprintable() and any("\ud800" <= char <= "\udfff" for char in prompt):
        raise wrong("the question is not valid UTF-8 text", "PROMPT")  # bytes a shell let through
    return prompt


def _say_plan(hub: Hub, requests: Sequence[AskRequest], browser: str | None, as_json: bool) -> None:
    plan = hub.asks.plan(requests, browser=browser)
    if as_json:
        write_line({"plan": [{"site": one.site, "lines": list(one.lines)} for one in plan]})
        return
    for one in plan:
        print(one.site)
        for line in one.lines:
            print(f"  {harmless(line)}")
