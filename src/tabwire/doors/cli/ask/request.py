"""Command line options -> the requests to the hub.

All usage errors are found here, before a browser is touched.
"""

import asyncio
import re
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import typer

from tabwire.hub import SITE_NAMES, Hub
from tabwire.model.ask import AskRequest
from tabwire.model.errors import TabwireError
from tabwire.model.products import product

_TIME = re.compile(r"(?:(\d+)h)?(?:(\d+)m)?(?:(\d+(?:\.\d+)?)s?)?", re.ASCII)
LAST = "last"
SEARCHED = 200  # attempts of the past in which a conversation is looked for


@dataclass(frozen=True, slots=True)
class Wishes:
    """The options of `tabwire ask` that say what is asked, and where."""

    to: tuple[str, ...] = ()
    model: tuple[str, ...] = ()
    effort: tuple[str, ...] = ()
    model_best_effort: bool = False
    files: tuple[Path, ...] = ()
    go_on: str | None = None  # --continue
    new: bool = False
    temporary: bool = False
    url: str | None = None
    timeout: str = "1h"
    guest: bool = False
    allow_focus: bool = False
    debug: bool = False
    browser: str | None = None


def wrong(what: str, option: str) -> typer.BadParameter:
    """A usage error about this option or argument."""
    return typer.BadParameter(what, param_hint=option)


def read_sites(said: Sequence[str], known: Sequence[str], option: str = "--to") -> tuple[str, ...]:
    """`--to chatgpt,gemini --to grok`: each site once, in the order it was named."""
    names = [name.strip().lower() for one in said for name in one.split(",")]
    for name in names:
        if name not in known:
            raise wrong(f"{name!r}: expected one of {', '.join(known)}", option)
    return tuple(dict.fromkeys(names))


def read_seconds(said: str, option: str = "--timeout") -> float:
    """`90`, `90s`, `10m`, `1h`, `1h30m` in seconds."""
    match = _TIME.fullmatch(said.strip().lower().replace(" ", ""))
    hours, minutes, seconds = match.groups() if match else (None, None, None)
    total = int(hours or 0) * 3600 + int(minutes or 0) * 60 + float(seconds or 0)
    if total <= 0:
        raise wrong(f"{said!r}: expected a duration such as 90, 90s, 10m or 1h", option)
    return total


def read_choices(
    said: Sequence[str], sites: Sequence[str], known: Sequence[str], option: str
) -> dict[str, str]:
    """`NAME` for every site, `SITE=NAME` for one of them, which beats the other."""
    every = ""
    single: dict[str, str] = {}
    for one in said:
        before, sign, after = one.partition("=")
        site = before.strip().lower()
        ours = bool(sign) and site in known  # a model's own name may hold a `=` too
        name = (after if ours else one).strip()
        if not name:
            raise wrong(f"{one!r}: expected a name", option)
        if not ours:
            if every:
                raise wrong(
                    f"{every!r} and {name!r} given; use SITE=NAME to set one per site", option
                )
            every = name
        elif site not in sites:
            raise wrong(f"{one!r}: this site is not in --to", option)
        elif site in single:
            raise wrong(f"two values for {site}: {single[site]!r} and {name!r}", option)
        else:
            single[site] = name
    return {site: name for site in sites if (name := single.get(site, every))}


def read_requests(hub: Hub, prompt: str, wishes: Wishes) -> tuple[AskRequest, ...]:
    """One request for each site."""
    known = SITE_NAMES
    sites = read_sites(wishes.to, known)
    _check_place(wishes)
    conversation: dict[str, str] = {}
    url = None
    if wishes.go_on is not None:
        said, sites = _read_continue(wishes.go_on, sites)
        sites = sites or _site_of_the_past(hub, said, wishes.browser)
        conversation = {site: _conversation(hub, said, site, wishes.browser) for site in sites}
    elif wishes.url is not None:
        url, sites = _read_url(wishes.url, sites)
    if not sites:
        raise wrong(f"expected a site: {', '.join(known)}, or several separated by commas", "--to")
    models = read_choices(wishes.model, sites, known, "--model")
    efforts = read_choices(wishes.effort, sites, known, "--effort")
    return tuple(
        AskRequest(
            site=site,
            prompt=prompt,
            model=models.get(site),
            effort=efforts.get(site),
            model_best_effort=wishes.model_best_effort,
            files=tuple(str(path.absolute()) for path in wishes.files),
            conversation_id=conversation.get(site),
            url=url,
            temporary=wishes.temporary,
            guest=wishes.guest,
            timeout_seconds=read_seconds(wishes.timeout),
            allow_focus=wishes.allow_focus,
            debug=wishes.debug,
            browser=wishes.browser,
        )
        for site in sites
    )


def _check_place(wishes: Wishes) -> None:
    """A question is asked in one place."""
    places = {
        "--continue": wishes.go_on is not None,
        "--new": wishes.new,
        "--temporary": wishes.temporary,
        "--url": wishes.url is not None,
    }
    said = [option for option, given in places.items() if given]
    # A new chat at an address, or a temporary one, is new all the same.
    if len(set(said) - {"--new"}) > 1 or {"--new", "--continue"} <= set(said):
        raise wrong(f"{' and '.join(said)} cannot be combined", said[0])


def _read_continue(said: str, sites: tuple[str, ...]) -> tuple[str, tuple[str, ...]]:
    """`last` or the conversation's id, and the sites; an address says both."""
    said = said.strip()
    if said == LAST:
        return said, sites
    if "/" in said:
        site, conversation, _ = read_address(said, "--continue")
        if conversation is None:
            raise wrong(f"{said} is not the address of a conversation", "--continue")
        _check_site(site, sites, said, "--continue")
        return conversation, (site,)
    if len(sites) > 1:
        raise wrong(
            "a conversation belongs to one site; only `last` works with several sites", "--continue"
        )
    if not said:
        raise wrong("expected `last`, a conversation ID or its URL", "--continue")
    return said, sites


def _site_of_the_past(hub: Hub, conversation: str, browser: str | None) -> tuple[str, ...]:
    """Where that conversation was, or the last one: nobody wants to say it twice."""
    asked = asyncio.run(hub.asks.history(SEARCHED, browser=browser))
    for one in asked:
        if one.conversation_id is not None and conversation in (LAST, one.conversation_id):
            return (one.request.site,)
    return ()


def _conversation(hub: Hub, said: str, site: str, browser: str | None) -> str:
    """The conversation's id at this site, where `last` was said."""
    if said != LAST:
        return said
    last = asyncio.run(hub.asks.last_conversation(site, browser=browser))
    if last is None or last.conversation_id is None:
        raise wrong(f"there is no {product(site)} conversation to continue", "--continue")
    return last.conversation_id


def _read_url(said: str, sites: tuple[str, ...]) -> tuple[str, tuple[str, ...]]:
    site, _, url = read_address(said, "--url")
    _check_site(site, sites, said, "--url")
    return url, (site,)


def _check_site(site: str, sites: tuple[str, ...], said: str, option: str) -> None:
    if sites and sites != (site,):
        raise wrong(
            f"{said} belongs to {product(site)}, not to {', '.join(map(product, sites))}", option
        )


def read_address(said: str, option: str) -> tuple[str, str | None, str]:
    """(site, conversation, whole address) of an address, which may lack its `https://`."""
    from tabwire.hub import wanted_tab

    try:
        wanted = wanted_tab(said) if "/" in said else None
    except TabwireError as error:
        raise wrong(f"{said} is not the address of a supported site", option) from error
    if wanted is None or wanted.site is None:
        raise wrong(f"{said!r}: expected an address", option)
    return wanted.site.name, wanted.site.conversation_in_url(wanted.url), wanted.url


def read_stdin() -> str:
    """The whole of standard input, as text."""
    data = sys.stdin.buffer.read()
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise wrong("standard input is not valid UTF-8 text", "PROMPT") from error
