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
from tabwire.hub import SITE_NAMES, remote_hub
from tabwire.model.ask import AskRequest
from tabwire.model.ask_errors import AskError
from tabwire.model.products import product


def fetch(
    said: Annotated[
        str,
        typer.Argument(
            metavar="last|ID|URL",
            help="`last` for the last question, the ID of a question or conversation, or a "
            "conversation's URL.",
        ),
    ],
    site: Annotated[
        str | None,
        typer.Option("--site", metavar="SITE", help="Site; only needed if the ID is ambiguous."),
    ] = None,
    plain: PLAIN = False,
    thinking: THINKING = False,
    as_json: JSON = False,
    stream: STREAM = False,
    out: OUT = None,
    force: FORCE = False,
    browser: BROWSER = None,
) -> None:
    """Fetch the answer to an earlier question, without asking again.

    Nothing is sent to the site. An answer saved as complete on this machine is printed
    immediately; otherwise its conversation is opened in a background tab and read there. If the
    answer is still being generated, the command waits for it.

    Exit codes: 0 the answer is complete, 1 failed, 2 usage error, 3 partial, 4 you are needed
    (login), 130 interrupted with Ctrl-C.

    Examples:

      tabwire fetch last

      tabwire fetch last --site gemini --out answer.md

      tabwire fetch https://chatgpt.com/c/… --json
    """
    hub = remote_hub()
    sites = read_sites([site] if site else [], SITE_NAMES, "--site")
    if len(sites) > 1:
        raise wrong("expected one site", "--site")
    if "/" in said:
        where, conversation, _ = read_address(said, "last|ID|URL")
        if conversation is None:
            raise wrong(f"{said} is not the address of a conversation", "last|ID|URL")
        if sites and sites != (where,):
            raise wrong(f"{said} belongs to {product(where)}, not to {product(sites[0])}", "--site")
        sites = (where,)
    how = How(as_json=as_json, stream=stream, plain=plain, thinking=thinking, out=out, force=force)
    how.check(sites or ("answer",))
    run = Run(
        how, [AskRequest(site, "") for site in sites], left=lambda _: _left(said, site, browser)
    )

    async def asking(tell: Tell, say: Say) -> Sequence[Result]:
        where = sites[0] if sites else None
        return [await hub.asks.fetch(said, site=where, browser=browser, tell=tell, on_wait=say)]

    hub.asks.load()  # much: neither for --help nor inside the event loop
    raise typer.Exit(asyncio.run(run.carry_out(asking)))


def _left(said: str, site: str | None, browser: str | None) -> AskError:
    """What Ctrl-C leaves behind: nothing, for nothing was done but look."""
    again = f"tabwire fetch {said}{f' --site {site}' if site else ''}{in_browser(browser)}"
    what = "interrupted; nothing was sent and nothing is lost"
    return interrupted(AskError(site or "", what, what_to_do=f"Fetch it again: `{again}`."))
