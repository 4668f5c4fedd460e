"""`tabwire fetch`: the answer to a question that was asked before."""

import asyncio
from collections.abc import Sequence
from typing import Annotated

import typer

from tabwire.doors.cli.ask.interrupt import in_browser, interrupted
from tabwire.doors.cli.ask.json_output import Result
from tabwire.doors.cli.ask.output_options import FORCE, JSON, OUT, PLAIN, STREAM, THINKING
from tabwire.doors.cli.ask.request import read_address, read_sites, wrong
from tabwire.doors.cli.ask.run import How, Run, Say, Tell
from tabwire.doors.cli.browser.option import BROWSER
from tabwire.hub import Hub
from tabwire.model.ask import AskRequest
from tabwire.model.ask_errors import AskError


def fetch(
    said: Annotated[
        str,
        typer.Argument(
            metavar="last|ID|URL",
            help="The last question that was sent; an attempt's or a conversation's id; or the "
            "address of a conversation.",
        ),
    ],
    to: Annotated[
        str | None,
        typer.Option(
            "--to", metavar="SITE", help="At which site: needed only where the rest leaves it open."
        ),
    ] = None,
    plain: PLAIN = False,
    thinking: THINKING = False,
    as_json: JSON = False,
    stream: STREAM = False,
    out: OUT = None,
    force: FORCE = False,
    browser: BROWSER = None,
) -> None:
    """Fetch the answer to a question that was asked before.

    Nothing is asked and nothing is sent. An answer that is complete on this machine is given
    at once; otherwise its conversation is opened in a background tab and read from there. An
    answer that is still being written is waited for.

    Exit code 0: the answer is complete. 3: partial. 4: it needs you (login). 1: it failed.
    2: wrong use. 130: you pressed Ctrl-C.

    Examples:

      tabwire fetch last

      tabwire fetch last --to gemini --out answer.md

      tabwire fetch https://chatgpt.com/c/… --json
    """
    hub = Hub()
    sites = read_sites([to] if to else [], hub.site_names)
    if len(sites) > 1:
        raise wrong("one answer is fetched at a time", "--to")
    if "/" in said:
        site, conversation, _ = read_address(said, "last|ID|URL")
        if conversation is None:
            raise wrong(f"{said} is the address of no conversation", "last|ID|URL")
        if sites and sites != (site,):
            raise wrong(f"{said} is of {site}, and --to says {sites[0]}", "--to")
        sites = (site,)
    how = How(as_json=as_json, stream=stream, plain=plain, thinking=thinking, out=out, force=force)
    how.check(sites or ("answer",))
    run = Run(
        hub, how, [AskRequest(site, "") for site in sites], left=lambda _: _left(said, to, browser)
    )

    async def asking(tell: Tell, say: Say) -> Sequence[Result]:
        site = sites[0] if sites else None
        return [await hub.fetch(said, site=site, browser=browser, tell=tell, on_wait=say)]

    import tabwire.hub.jobs.retrieval  # noqa: F401  much: neither for --help nor inside the loop

    raise typer.Exit(asyncio.run(run.carry_out(asking)))


def _left(said: str, to: str | None, browser: str | None) -> AskError:
    """What Ctrl-C leaves behind: nothing, for nothing was done but look."""
    again = f"tabwire fetch {said}{f' --to {to}' if to else ''}{in_browser(browser)}"
    what = "left before the end; nothing was sent, and nothing is lost"
    return interrupted(AskError(to or "", what, what_to_do=f"Fetch it again: `{again}`."))
