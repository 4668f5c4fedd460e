"""The sites the profile `classic` knows, by name."""

from tabwire.model.errors import TabwireError
from tabwire.sites.chatgpt import classic as chatgpt
from tabwire.sites.classic import Classic
from tabwire.sites.gemini import classic as gemini

CLASSICS: dict[str, Classic] = {one.site: one for one in (chatgpt.CLASSIC, gemini.CLASSIC)}


class NoClassicProfile(TabwireError):
    """The seed knew two sites; for any other there is nothing to be classic about."""

    def __init__(self, site: str) -> None:
        super().__init__(
            f"{site} has no classic profile; there is one only for {' and '.join(CLASSICS)}",
            what_to_do="Leave out `--profile classic`: without it this site is watched as well.",
            site=site,
        )


def classic_of(site: str) -> Classic:
    """What the profile knows of a site. Raises `NoClassicProfile`."""
    if site not in CLASSICS:
        raise NoClassicProfile(site)
    return CLASSICS[site]
