"""The sites we know, by name and by URL."""

from tabwire.sites import chatgpt, gemini, grok
from tabwire.sites.addresses import read_address
from tabwire.sites.site import Site

SITES: dict[str, Site] = {site.name: site for site in (chatgpt.SITE, gemini.SITE, grok.SITE)}
NAMES = tuple(SITES)
HOSTS = {name: site.hosts[0] for name, site in SITES.items()}
"""The address people know each site by."""


def site_of_url(url: str | None) -> Site | None:
    """The site a URL belongs to, by its parsed host.

    A URL whose host is a site's bare name (`normalized://gemini/…`) belongs to it too:
    that is how conversations already brought into one shape are addressed.
    """
    host = read_address(url).host.removeprefix("www.")
    if not host:
        return None
    return next((site for site in SITES.values() if host == site.name or host in site.hosts), None)
