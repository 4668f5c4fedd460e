"""Sites as their owners spell them."""

PRODUCTS = {"chatgpt": "ChatGPT", "gemini": "Gemini", "grok": "Grok"}


def product(site: str) -> str:
    """A site's name for sentences; commands and data keep the short one."""
    return PRODUCTS.get(site, site)


def reason(said: str) -> str:
    """What a site said of its failure, where that says more than that it failed."""
    empty = said.strip(" .!").casefold() in ("", "failed", "failure", "error")
    return "no reason given" if empty else said
